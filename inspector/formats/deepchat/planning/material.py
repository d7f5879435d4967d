"""What a planner asks of the session that it plans for."""

from collections.abc import Iterator
from typing import Any, Protocol

from inspector.columns import Column
from inspector.formats.contract import Verdict
from inspector.formats.deepchat.effects.runs import Run
from inspector.formats.deepchat.sources.store import Session
from inspector.formats.parts import Part
from inspector.timeline.timeline import Timeline


class Material(Protocol):
    """An open session, folded to its head."""

    @property
    def timeline(self) -> Timeline:
        """The index."""

    @property
    def session(self) -> Session:
        """What the tables beside the tape say of it, as they are now."""

    @property
    def pending(self) -> Column:
        """The events of the messages that are pending, those included that were sent since."""

    def unfinished(self) -> Iterator[tuple[str, Run]]:
        """The runs without an end, by id."""

    def unwritten(self) -> int:
        """How many answers are being written, and so are not on the tape yet."""

    def payload(self, event: int) -> dict[str, Any]:
        """A row, with its JSON read."""

    def parts(self, event: int) -> list[Part]:
        """What a row says."""

    def number(self, event: int) -> int | None:
        """The ``entry_id`` of a row."""

    def named(self, event: int) -> str:
        """A row as people name it."""

    def verdict(self) -> Verdict:
        """What the owner would do with the session."""
