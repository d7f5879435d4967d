"""When the owner could make a request: every call answered, and no write half done."""

from collections.abc import Iterable

from inspector.timeline.builder import Builder


class Settling:
    """Tells the builder at which cursors a tape is settled."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._unanswered: set[str] = set()
        self._half_written = False

    def asked(self, calls: Iterable[str]) -> None:
        """A message makes calls, by their ids."""
        self._unanswered.update(calls)
        self._tell()

    def answered(self, call: str) -> None:
        """A result answers a call."""
        if call in self._unanswered:
            self._unanswered.discard(call)
            self._tell()

    def forget_calls(self) -> None:
        """The step is over, and nobody waits for an answer any more (format page 5)."""
        if self._unanswered:
            self._unanswered.clear()
            self._tell()

    def write_begun(self) -> None:
        """The first of two events that belong to one write."""
        self._half_written = True
        self._tell()

    def write_done(self) -> None:
        """The second of them, or whatever shows that it never came."""
        if self._half_written:
            self._half_written = False
            self._tell()

    def _tell(self) -> None:
        self._builder.settle(not self._unanswered and not self._half_written)
