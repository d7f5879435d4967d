"""What plans ask of an open log."""

from collections.abc import Iterable
from typing import Any, Protocol

from inspector.formats.contract import Verdict
from inspector.formats.logs.text_log import TextLog
from inspector.formats.reina.decoder import Decoder
from inspector.formats.reina.effects.fold import Fold
from inspector.formats.reina.request import Sent
from inspector.timeline.timeline import Timeline


class Session(Protocol):
    """A log that is folded to its head; see `inspector.formats.reina.reading.ReinaTape`."""

    @property
    def policy(self) -> str:
        """The reading of indexes that is followed."""

    @property
    def named(self) -> bool:
        """Whether its path leads to the file that is read."""

    @property
    def log(self) -> TextLog:
        """Its lines."""

    @property
    def decoder(self) -> Decoder:
        """What was made of them."""

    @property
    def fold(self) -> Fold:
        """What they do."""

    @property
    def timeline(self) -> Timeline:
        """Its index."""

    def verdict(self) -> Verdict:
        """What the owner would do with it."""

    def raw(self, event: int) -> bytes:
        """The bytes of the line that carries an event."""

    def payload(self, event: int) -> dict[str, Any]:
        """A record."""

    def sent(self, nodes: Iterable[int]) -> list[Sent]:
        """The messages that rows stand for."""

    def ends_line(self) -> bool:
        """Whether the last line that is folded is ended by a newline."""
