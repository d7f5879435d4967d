"""What an open tape asks of where its records are: lines of a text, or rows of a table."""

from collections.abc import Iterator
from typing import Protocol

from inspector.formats.dsh.decoder import Decoder
from inspector.formats.dsh.header import Header
from inspector.formats.dsh.judge import Nouns
from inspector.formats.logs import log as kit
from inspector.timeline.findings import Finding


class Log(kit.Log, Protocol):
    """The header and the records of one session, and what the owner says of how they are kept.

    Nothing is fed before `decode_by`.
    """

    @property
    def nouns(self) -> Nouns:
        """How the owner words faults of this container."""

    @property
    def header(self) -> Header | None:
        """The header as far as it is there; None if there is none, or none yet."""

    @property
    def whole(self) -> bool:
        """Whether the header is there as a whole; events are only read then."""

    @property
    def header_is_json(self) -> bool:
        """Whether the header, once whole, is JSON at all."""

    def begin(self) -> None:
        """Look for the header, without folding anything."""

    def first_findings(self) -> Iterator[Finding]:
        """What is wrong with the header."""

    def decode_by(self, decoder: Decoder) -> None:
        """Feed this decoder, which is made once the header is whole."""

    def line(self, record: int) -> bytes:
        """A record as a line of a plain log, without its newline.

        Raises:
            SourceError: if it cannot be read any more.
        """

    def lines(self, records: range) -> Iterator[bytes]:
        """Records in order as whole lines, in pieces of any size; raises as `line` does."""

    @property
    def fatal(self) -> str | None:
        """Why the owner refuses the container whatever it holds, or None."""

    @property
    def unfinished(self) -> str | None:
        """Why the owner refuses how the records end in the container, or None."""

    @property
    def misnamed(self) -> str | None:
        """Why the owner does not read a log of this version from a file of this name, or None."""

    def strict(self, record: int) -> str | None:
        """Why the owner refuses a fault at a record even if nothing committed follows, or None."""
