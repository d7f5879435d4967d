"""Every kind of finding that DeepSeek Harness tapes give rise to."""

from typing import Final

from inspector.timeline.findings import FindingKind, Severity

_NOTHING: Final = "none"
_UNREAD: Final = "what it held is not folded; replay beyond it is not reliable"
_REJECTED: Final = "the event changes nothing on the surface"

NO_HEADER: Final = FindingKind(
    "no-header", Severity.WARNING, "the session's id, version and parent are unknown"
)
BAD_HEADER: Final = FindingKind("bad-header", Severity.ERROR, "the owner refuses the tape")
TORN_TAIL: Final = FindingKind(
    "torn-tail", Severity.INFO, "not used; the writer may be at it, the head may move"
)
NOT_JSON: Final = FindingKind("not-json", Severity.ERROR, _UNREAD)
NOT_AN_EVENT: Final = FindingKind("not-an-event", Severity.ERROR, _UNREAD)
BAD_PACKED_ROW: Final = FindingKind("bad-packed-row", Severity.ERROR, _UNREAD)
REPAIRED_TEXT: Final = FindingKind("repaired-text", Severity.WARNING, _NOTHING)
SEQUENCE_GAP: Final = FindingKind(
    "sequence-gap", Severity.ERROR, "missing events are not folded; replay beyond is not reliable"
)
SEQUENCE_REPEAT: Final = FindingKind("sequence-repeat", Severity.ERROR, _REJECTED)
BAD_ENVELOPE: Final = FindingKind("bad-envelope", Severity.ERROR, _REJECTED)
BAD_SURFACE: Final = FindingKind("bad-surface-op", Severity.ERROR, _REJECTED)
BAD_SOURCES: Final = FindingKind("bad-sources", Severity.ERROR, _REJECTED)
BAD_REWRITE: Final = FindingKind("bad-rewrite", Severity.ERROR, _REJECTED)
UNKNOWN_REQUIRED: Final = FindingKind(
    "unknown-required", Severity.ERROR, "the fold stops before it; later events are not applied"
)
UNKNOWN_PASSED: Final = FindingKind(
    "unknown-required", Severity.ERROR, "folded past it as asked; replay beyond is not reliable"
)
UNKNOWN_IGNORABLE: Final = FindingKind("unknown-ignorable", Severity.INFO, _NOTHING)
RANGED_SOURCES: Final = FindingKind("ranged-sources", Severity.INFO, _NOTHING)
