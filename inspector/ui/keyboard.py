"""What is typed, whatever bytes the terminal sends, and the end of what is typed."""

import codecs
import errno
import os
import signal
from functools import partial
from typing import IO, Any, Final

from textual.app import App
from textual.drivers import linux_driver

GONE: Final = 128 + signal.SIGHUP
"""The exit code of a program whose terminal is gone, whether a signal told of that or not."""

_NO_TERMINAL: Final = (errno.EIO, errno.ENXIO, errno.EPIPE)
"""What a system says of a terminal that is not there any more."""


def accept_any_byte() -> None:
    """Have bytes that are no UTF-8 replaced, where Textual would end with a traceback.

    Its driver decodes what is typed strictly and has no option for it. The name that it takes the
    decoder by is given a lenient one; a test types such a byte, and tells if a Textual to come
    decodes in another way.
    """

    def lenient(encoding: str) -> "partial[_Lenient]":
        return partial(_Lenient, codecs.getincrementaldecoder(encoding)(errors="replace"))

    setattr(linux_driver, "getincrementaldecoder", lenient)  # noqa: B010 - it is not exported


class _Lenient:
    """Decodes what is typed; nothing at all, where more is awaited, is the end of the terminal."""

    def __init__(self, decoder: codecs.IncrementalDecoder) -> None:
        self._decoder = decoder

    def decode(self, typed: bytes, final: bool = False) -> str:
        """As a decoder of Python's.

        Raises:
            EOFError: if the terminal is gone.
        """
        if not typed and not final:
            raise EOFError
        return self._decoder.decode(typed, final)


def end_with_terminal(app: App[Any]) -> None:
    """Have a program end where its terminal is gone.

    A signal tells most programs of that; where none does, Textual reads the end of the terminal for
    ever, and waits for ever to write to it.
    """
    if app.driver_class is linux_driver.LinuxDriver:
        app.driver_class = _Keyboard


class _Keyboard(linux_driver.LinuxDriver):
    """Ends the program where Textual would go on without a terminal."""

    def __init__(self, app: App[Any], **options: Any) -> None:
        super().__init__(app, **options)
        self._file: Any = _Screen(self._file)

    def run_input_thread(self) -> None:
        """Read keys until there can be none any more."""
        try:
            super().run_input_thread()
        except (EOFError, OSError) as error:
            if isinstance(error, OSError) and error.errno not in _NO_TERMINAL:
                raise
            let_go(self.fileno)
            self._app.exit(return_code=GONE)


class _Screen:
    """A file that what is shown is written to; nothing is, where the terminal is gone."""

    def __init__(self, file: IO[str]) -> None:
        self._file = file

    def write(self, text: str) -> None:
        """Write to it."""
        self._tried(partial(self._file.write, text))

    def flush(self) -> None:
        """Have all of it written."""
        self._tried(self._file.flush)

    def fileno(self) -> int:
        """Its number."""
        return self._file.fileno()

    def _tried(self, act: Any) -> None:
        try:
            act()
        except OSError as error:
            if error.errno not in _NO_TERMINAL:
                raise
            let_go(self._file.fileno())


def let_go(descriptor: int) -> None:
    """Have nothing where a terminal was: what is still to be written, Python's own end included,
    would fail.
    """
    nothing = os.open(os.devnull, os.O_RDWR)
    os.dup2(nothing, descriptor)
    os.close(nothing)
