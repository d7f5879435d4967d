"""What an open tape asks of where its records are: lines of a text, or rows of a table."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

from inspector.formats.contract import Place
from inspector.formats.dsh.decoder import Decoder
from inspector.formats.dsh.header import Header
from inspector.formats.dsh.judge import Nouns
from inspector.tape.notes import Note
from inspector.tape.records import Fates
from inspector.tape.watch import Change
from inspector.timeline.findings import Finding


class Log(Protocol):
    """The records of one session, in order."""

    @property
    def path(self) -> Path:
        """The file."""

    @property
    def variant(self) -> str:
        """How the records are kept: ``jsonl``, ``jsonl.zstd``, ``sqlite-17``."""

    @property
    def how(self) -> str | None:
        """What was done to open it, where that is not plain."""

    @property
    def records(self) -> Fates:
        """What became of the records so far."""

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

    def feed(self, decoder: Decoder) -> bool:
        """Give the next batch of records to a decoder; False where there are none, for now."""

    def skip(self) -> bool:
        """Account for the next batch of records without reading them; False as `feed` does."""

    @property
    def progress(self) -> float:
        """The part that was given out, 0 to 1."""

    @property
    def pending(self) -> int:
        """Bytes at the end that are no record yet."""

    @property
    def frames(self) -> int | None:
        """How many frames or members the container has so far, or None if it has none."""

    def place(self, record: int) -> Place:
        """Where a record stands, or would stand."""

    def length(self, record: int) -> int:
        """The bytes of a record, or of its payload as it is stored."""

    def frame(self, record: int) -> int | None:
        """The frame that a record begins in, from 0, or None."""

    def raw(self, record: int) -> bytes:
        """The bytes of a record; of the one behind the last, what is not ended yet."""

    def oddities(self, record: int) -> list[Note]:
        """What a JSON reader loses of a record in silence."""

    def values(self, record: int) -> tuple[list[Any], int]:
        """What a record holds, events and packed rows as they were decoded; and its bytes."""

    def mentions(self, text: str) -> Iterator[int]:
        """The records whose bytes hold a text; reads the log."""

    def troubles(self) -> Iterator[Finding]:
        """What is wrong with the container as it is now."""

    @property
    def fatal(self) -> str | None:
        """Why the owner refuses the container whatever it holds, or None."""

    @property
    def unfinished(self) -> str | None:
        """Why the owner refuses how the records end in the container, or None."""

    @property
    def misnamed(self) -> str | None:
        """Why the owner does not read a log of this version from a file of this name, or None."""

    @property
    def torn(self) -> str | None:
        """What is unended behind the last record: a line, a frame; None if nothing is."""

    def strict(self, record: int) -> str | None:
        """Why the owner refuses a fault at a record even if nothing committed follows, or None."""

    def changed(self) -> Change:
        """What happened to the source since it was read."""

    def close(self) -> None:
        """Give the source back."""
