"""Every kind of finding that DeepSeek Harness tapes give rise to, beside those of any log."""

from typing import Final

from inspector.formats.logs.rules import NOTHING, REJECTED, UNREAD
from inspector.timeline.findings import FindingKind, Severity

NO_HEADER: Final = FindingKind(
    "no-header", Severity.WARNING, "the session's id, version and parent are unknown"
)
BAD_HEADER: Final = FindingKind("bad-header", Severity.ERROR, "the owner refuses the tape")
BAD_PACKED_ROW: Final = FindingKind("bad-packed-row", Severity.ERROR, UNREAD)
SEQUENCE_GAP: Final = FindingKind(
    "sequence-gap", Severity.ERROR, "missing events are not folded; replay beyond is not reliable"
)
SEQUENCE_REPEAT: Final = FindingKind("sequence-repeat", Severity.ERROR, REJECTED)
BAD_ENVELOPE: Final = FindingKind("bad-envelope", Severity.ERROR, REJECTED)
BAD_SURFACE: Final = FindingKind("bad-surface-op", Severity.ERROR, REJECTED)
BAD_SOURCES: Final = FindingKind("bad-sources", Severity.ERROR, REJECTED)
BAD_REWRITE: Final = FindingKind("bad-rewrite", Severity.ERROR, REJECTED)
UNKNOWN_REQUIRED: Final = FindingKind(
    "unknown-required", Severity.ERROR, "the fold stops before it; later events are not applied"
)
UNKNOWN_PASSED: Final = FindingKind(
    "unknown-required", Severity.ERROR, "folded past it as asked; replay beyond is not reliable"
)
UNKNOWN_IGNORABLE: Final = FindingKind("unknown-ignorable", Severity.INFO, NOTHING)
RANGED_SOURCES: Final = FindingKind("ranged-sources", Severity.INFO, NOTHING)
RETIRED: Final = FindingKind("retired-type", Severity.ERROR, REJECTED)
BAD_MESSAGE: Final = FindingKind("bad-message", Severity.ERROR, REJECTED)
BAD_REQUEST: Final = FindingKind("bad-request-header", Severity.ERROR, REJECTED)
CRASHES_OWNER: Final = FindingKind("crashes-owner", Severity.ERROR, "none; the owner crashes on it")
OTHER_VERSION: Final = FindingKind(
    "other-version", Severity.ERROR, "nothing is folded; the raw text can be read"
)
OTHER_GENERATION: Final = FindingKind("other-generation", Severity.INFO, NOTHING)
BAD_STORE: Final = FindingKind("bad-store", Severity.ERROR, "the owner refuses the database")
BROKEN_LIST: Final = FindingKind(
    "broken-list", Severity.WARNING, "the owner cannot list the sessions of this database"
)
TWO_ENCODINGS: Final = FindingKind(
    "two-encodings", Severity.WARNING, "none; the owner refuses the whole tree of sessions"
)
MISPLACED: Final = FindingKind(
    "misplaced", Severity.WARNING, "none; the owner does not find the session here"
)
