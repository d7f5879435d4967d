"""What an open tape asks of where its records are: lines of a text, or rows of a table."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Protocol

from inspector.formats.contract import Place
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
        """How the records are kept: ``jsonl``, ``jsonl.zstd``, ``sqlite``."""

    @property
    def how(self) -> str | None:
        """What was done to open it, where that is not plain."""

    @property
    def records(self) -> Fates:
        """What became of the records so far."""

    def feed(self) -> bool:
        """Give the next batch of records to the decoder; False where there are none, for now."""

    @property
    def progress(self) -> float:
        """The part that was given out, 0 to 1."""

    @property
    def pending(self) -> int:
        """Bytes at the end that are no record yet."""

    @property
    def torn(self) -> str | None:
        """What is unended behind the last record: a line, a frame; None if nothing is."""

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
        """The values that a record holds, one for each of its events; and its bytes.

        Raises:
            SourceError: if it was whole when it was folded and cannot be read any more.
        """

    def mentions(
        self, text: str, among: range | None = None, *, ignore_case: bool = False
    ) -> Iterator[int]:
        """The records whose bytes may hold a text; see `inspector.formats.contract.Tape`."""

    def seal(self) -> tuple[int, str]:
        """How many bytes were given out, and their SHA-256; see `inspector.formats.contract.Seal`.

        Raises:
            SourceError: if they cannot be read any more.
        """

    def troubles(self) -> Iterator[Finding]:
        """What is wrong with the container as it is now, and what stands only for now."""

    def changed(self) -> Change:
        """What happened to the source since it was read."""

    def close(self) -> None:
        """Give the source back."""
