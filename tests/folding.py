"""The one way in which tests open a tape to look at: folded to its end, and closed behind."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, TypeVar

from inspector.cli import demo_tape
from inspector.formats.contract import Format, Options, Tape
from inspector.formats.opening import open_tape
from inspector.tape.source import FileSource

SAMPLES: Final = demo_tape().parent
STAY: Final = Options()

OneTape = TypeVar("OneTape", bound=Tape)

kept: list[Tape] = []
"""What a test has open; closed behind it."""


def fold_on(tape: OneTape) -> OneTape:
    """A tape, folded to the end of what its source holds now."""
    while tape.advance():
        assert not tape.complete
    assert tape.complete
    return tape


def keep(tape: OneTape) -> OneTape:
    """A tape, to be closed behind the test."""
    kept.append(tape)
    return tape


@contextmanager
def folded(tape: OneTape) -> Iterator[OneTape]:
    """An open tape, folded; closed behind."""
    try:
        yield fold_on(tape)
    finally:
        tape.close()


@contextmanager
def opened(path: Path, session: str | None = None, policy: str | None = None) -> Iterator[Tape]:
    """The tape that lies at a path, folded; closed behind."""
    with folded(open_tape(path, Options(session=session, policy=policy))) as tape:
        yield tape


@contextmanager
def laid_out(data: bytes, name: str = "session.jsonl") -> Iterator[Path]:
    """Bytes as a file in a folder of its own, for as long as it is looked at."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, name)
        path.write_bytes(data)
        yield path


@contextmanager
def of_bytes(form: Format, data: bytes, options: Options = STAY) -> Iterator[Tape]:
    """A text as a tape of this format, folded; closed behind."""
    with laid_out(data) as path, folded(form.open(FileSource(path), options)) as tape:
        yield tape
