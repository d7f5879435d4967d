"""What plans ask of an open session."""

from typing import Any, Protocol

from inspector.formats.contract import Verdict
from inspector.formats.zero.decoder import ZeroDecoder
from inspector.formats.zero.log import ZeroLog
from inspector.formats.zero.metadata import Metadata
from inspector.timeline.registers import Setting
from inspector.timeline.timeline import Timeline


class Session(Protocol):
    """A session that is folded to its head; see `inspector.formats.zero.reading.ZeroTape`."""

    @property
    def policy(self) -> str:
        """The reader that is followed."""

    @property
    def log(self) -> ZeroLog:
        """Its lines."""

    @property
    def decoder(self) -> ZeroDecoder:
        """What was made of them."""

    @property
    def metadata(self) -> Metadata:
        """What stands beside them."""

    @property
    def session(self) -> str:
        """Its id; empty if nothing tells."""

    @property
    def timeline(self) -> Timeline:
        """Its index."""

    def verdict(self) -> Verdict:
        """What the owner would do with it."""

    def number(self, event: int) -> int | None:
        """The sequence of an event."""

    def raw(self, event: int) -> bytes:
        """The bytes of the line that carries an event."""

    def value(self, register: str, setting: Setting) -> Any:
        """The value of a register."""

    def payload(self, event: int) -> dict[str, Any]:
        """An event under the owner's keys."""
