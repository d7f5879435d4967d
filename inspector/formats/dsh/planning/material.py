"""What a planner asks of the tape that it plans for."""

from collections.abc import Iterator, Sequence
from typing import Any, Protocol

from inspector.formats.contract import Section, Verdict
from inspector.formats.dsh.closing import Closer
from inspector.formats.dsh.sources.log import Log
from inspector.text.labels import event_words
from inspector.timeline.findings import Finding
from inspector.timeline.registers import Setting
from inspector.timeline.timeline import Timeline


class Material(Protocol):
    """An open log, folded to its head."""

    log: Log

    @property
    def timeline(self) -> Timeline:
        """The index."""

    @property
    def version(self) -> int:
        """Of the log; 0 where it has no header."""

    @property
    def drops_from(self) -> int | None:
        """The position of the event at which the owner stops to read, or None if it reads all."""

    def findings(self) -> Iterator[Finding]:
        """What was found."""

    def verdict(self) -> Verdict:
        """What the owner would do with the log."""

    def closers(self, events: int | None = None) -> list[Closer]:
        """What crash repair would append to the first so many events, or to all."""

    def stored(self, record: int) -> Sequence[dict[str, Any]]:
        """The events and packed rows of a record as they are kept, none brought up."""

    def number(self, event: int) -> int | None:
        """The owner's number of an event."""

    def positions(self, numbers: list[range]) -> list[range]:
        """The positions that the fold means by owner's numbers; those that were lost left out."""

    def payload(self, event: int) -> dict[str, Any]:
        """An event in the newest shape."""

    def value(self, register: str, setting: Setting) -> Any:
        """The value of a register."""

    def node_sections(self, node: int) -> list[Section]:
        """A row in full."""


def named(material: Material, event: int) -> str:
    """An event as people name it."""
    return event_words(event, material.number(event))
