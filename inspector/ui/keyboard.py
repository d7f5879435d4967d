"""What is typed, whatever bytes the terminal sends."""

import codecs
from functools import partial

from textual.drivers import linux_driver


def accept_any_byte() -> None:
    """Have bytes that are no UTF-8 replaced, where Textual would end with a traceback.

    Its driver decodes what is typed strictly and has no option for it. The name that it takes the
    decoder by is given a lenient one; a test types such a byte, and tells if a Textual to come
    decodes in another way.
    """

    def lenient(encoding: str) -> "partial[codecs.IncrementalDecoder]":
        return partial(codecs.getincrementaldecoder(encoding), errors="replace")

    setattr(linux_driver, "getincrementaldecoder", lenient)  # noqa: B010 - it is not exported
