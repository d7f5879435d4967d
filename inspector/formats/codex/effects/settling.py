"""When the owner could make a request: every call answered."""

from inspector.timeline.builder import Builder


class Settling:
    """Tells the builder at which cursors a tape is settled."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._unanswered: set[str] = set()

    def asked(self, call: str) -> None:
        """The model makes a call."""
        self._unanswered.add(call)
        self._builder.settle(False)

    def answered(self, call: str) -> None:
        """A call has its output."""
        if call in self._unanswered:
            self._unanswered.remove(call)
            self._builder.settle(not self._unanswered)

    def turn_over(self) -> None:
        """Nobody waits any more: what is missing is put in when a request is made (RULES R5)."""
        if self._unanswered:
            self._unanswered.clear()
            self._builder.settle(True)
