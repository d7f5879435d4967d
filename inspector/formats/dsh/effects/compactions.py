"""Compactions: their brackets, the write inside, and the lock that an orphan is (page 7)."""

from typing import Any, Final

from inspector.formats.dsh.effects.messages import with_detail
from inspector.formats.dsh.effects.settling import Settling
from inspector.formats.dsh.effects.spans import identity
from inspector.formats.shapes import text
from inspector.timeline.builder import Builder
from inspector.timeline.words import Mark, Outcome, SpanKind

LOCK: Final = "compaction lock"
"""The register that names the orphan for which every compaction entry reports ``busy``; an id that
is very long is told by its digest."""

_LOCKS: Final = 100
"""Orphans that are told apart: a tape may leave any number open, and one is enough for a lock."""


class Compactions:
    """Tells the builder of brackets, and of the half-written state between two of their events."""

    def __init__(self, builder: Builder, settling: Settling) -> None:
        self._builder = builder
        self._settling = settling
        self._orphans: list[str] = []

    def start(self, data: dict[str, Any]) -> None:
        """A bracket opens."""
        self._builder.open(SpanKind.COMPACTION, identity(text(data.get("compactionId"))))

    def summarised(self) -> None:
        """The summary is there, its checkpoint comes next (format page 7.4)."""
        self._settling.write_begun()

    def pruned(self) -> None:
        """A prune is told of, the shorter result comes next (format page 7.2)."""
        self._settling.write_begun()

    def end(self, data: dict[str, Any]) -> None:
        """A bracket closes; a key ``error`` means that it failed."""
        failed = "error" in data
        outcome = Outcome.FAILED if failed else Outcome.OK
        word = with_detail("failed", data["error"]) if failed else "done"
        name = identity(text(data.get("compactionId")))
        self._builder.close(SpanKind.COMPACTION, name, outcome, word)
        if failed:
            self._builder.mark(Mark.ERROR)
        self._settling.write_done()
        if name in self._orphans:
            self._orphans.remove(name)
            self._tell()

    def turn_boundary(self) -> None:
        """A live bracket crosses none, so one that is open is an orphan (format page 7.5)."""
        orphans = self._builder.open_ones(SpanKind.COMPACTION)
        if not orphans:
            return
        self._builder.close_all(SpanKind.COMPACTION, Outcome.INTERRUPTED, "lock")
        self._orphans.extend(orphans[: _LOCKS - len(self._orphans)])
        self._tell()

    def new_life(self) -> None:
        """Brackets that are open before a new life are stale, and lock nothing (page 7.5)."""
        self._builder.close_all(SpanKind.COMPACTION, Outcome.INTERRUPTED, "stale")
        self._settling.write_done()
        if self._orphans:
            self._orphans.clear()
            self._tell()

    def _tell(self) -> None:
        """The lock is held by the orphan left last; one without a name holds it all the same."""
        held = self._orphans[-1] if self._orphans else None
        self._builder.set(LOCK, "a compaction without an id" if held == "" else held)
