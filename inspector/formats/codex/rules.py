"""Every kind of finding that Codex tapes give rise to, beside those of any log."""

from typing import Final

from inspector.formats.logs.rules import NOTHING, REJECTED
from inspector.timeline.findings import FindingKind, Severity

SKIPPED: Final = "the owner skips the line, and so does the fold"
ALL_REFUSED: Final = "the owner refuses the whole file"

NO_HEADER: Final = FindingKind(
    "no-header", Severity.WARNING, "the session's id, folder and parent are unknown"
)
OLD_HEADER: Final = FindingKind("old-header", Severity.INFO, NOTHING)
BAD_HISTORY_MODE: Final = FindingKind("bad-history-mode", Severity.ERROR, "the owner refuses it")
BAD_ENVELOPE: Final = FindingKind("bad-envelope", Severity.WARNING, REJECTED)
BAD_ITEM: Final = FindingKind("bad-item", Severity.WARNING, REJECTED)
BAD_COMPACTION: Final = FindingKind("bad-compaction", Severity.WARNING, REJECTED)
BAD_ROLLBACK: Final = FindingKind("bad-rollback", Severity.WARNING, REJECTED)
SKIPPED_LINE: Final = FindingKind("skipped-line", Severity.WARNING, SKIPPED)
UNKNOWN_KIND: Final = FindingKind("unknown-kind", Severity.INFO, NOTHING)
UNKNOWN_EVENT: Final = FindingKind("unknown-event", Severity.INFO, NOTHING)
UNKNOWN_ITEM: Final = FindingKind("unknown-item", Severity.INFO, NOTHING)
NOT_UTF8: Final = FindingKind("refused-text", Severity.ERROR, ALL_REFUSED)

UNDONE_COMPACTION: Final = FindingKind(
    "undone-compaction", Severity.INFO, "the history is rebuilt from what stood before it"
)
LOST_COMPACTION: Final = FindingKind(
    "lost-compaction", Severity.INFO, "the compaction changes nothing on the surface"
)
DEEP_ROLLBACK: Final = FindingKind(
    "deep-rollback", Severity.INFO, "everything from the first message on leaves"
)
EMPTY_ROLLBACK: Final = FindingKind("empty-rollback", Severity.INFO, NOTHING)
OTHER_TURN: Final = FindingKind("other-turn", Severity.INFO, NOTHING)
SWALLOWED_TURNS: Final = FindingKind(
    "swallowed-turns", Severity.INFO, "a rollback undoes the compactions of all of them at once"
)
ORPHAN_OUTPUT: Final = FindingKind(
    "orphan-output",
    Severity.WARNING,
    "the owner leaves it out of its requests, unless such a call comes",
)
TOO_MUCH_REPLAY: Final = FindingKind(
    "too-much-replay", Severity.ERROR, "the fold stops before it; later events are not applied"
)

MISSING_BASE: Final = FindingKind(
    "missing-base",
    Severity.ERROR,
    "what should stand there is not folded; the history is not whole",
)
COUNTED_BASE: Final = FindingKind(
    "counted-base",
    Severity.WARNING,
    "if the owner counts otherwise, more or fewer of them stand before this log",
)
OWN_PART_GUESS: Final = FindingKind(
    "own-part-guess", Severity.INFO, "none; by a guess no record is taken for inherited"
)
MISSING_PARENT: Final = FindingKind(
    "missing-parent", Severity.INFO, "which records are copies of it cannot be told"
)
