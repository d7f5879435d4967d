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
RETIRED: Final = FindingKind("retired-type", Severity.ERROR, _REJECTED)
BAD_MESSAGE: Final = FindingKind("bad-message", Severity.ERROR, _REJECTED)
BAD_REQUEST: Final = FindingKind("bad-request-header", Severity.ERROR, _REJECTED)
CRASHES_OWNER: Final = FindingKind("crashes-owner", Severity.ERROR, "none; the owner crashes on it")
LOST_BYTES: Final = FindingKind(
    "lost-bytes", Severity.ERROR, "what they held is not folded; replay beyond is not reliable"
)
OTHER_VERSION: Final = FindingKind(
    "other-version", Severity.ERROR, "nothing is folded; the raw text can be read"
)
MISNAMED: Final = FindingKind("misnamed", Severity.INFO, _NOTHING)
BAD_ROW: Final = FindingKind("bad-row", Severity.ERROR, _UNREAD)
OTHER_GENERATION: Final = FindingKind("other-generation", Severity.INFO, _NOTHING)

_TOLD_APART: Final = "what is lost of it is told apart"

RECOVERED: Final = {
    code: FindingKind(code, Severity.WARNING, effect)
    for code, effect in (
        ("bom", _NOTHING),
        ("nul-padding", _NOTHING),
        ("glued", _NOTHING),
        ("torn-prefix", _TOLD_APART),
        ("torn-rest", _TOLD_APART),
        ("garbage", _TOLD_APART),
        ("gave-up", _TOLD_APART),
        ("raw-control", _NOTHING),
        ("not-utf8", _NOTHING),
        ("not-a-number", _NOTHING),
    )
}
"""By code, what a line was mended of; what is lost of it is a finding of its own."""

BAD_STORE: Final = FindingKind("bad-store", Severity.ERROR, "the owner refuses the database")
BROKEN_LIST: Final = FindingKind(
    "broken-list", Severity.WARNING, "the owner cannot list the sessions of this database"
)
DATABASE_TROUBLE: Final = FindingKind("database", Severity.WARNING, "rows may be missing")
DATABASE: Final = {
    code: FindingKind(code, Severity.WARNING, "what it holds is not read; rows may be missing")
    for code in ("wal-not-read", "journal-not-read", "truncated", "changing")
}
"""By code, what of a database is not read."""

UNREADABLE_ROWS: Final = FindingKind("unreadable-rows", Severity.ERROR, _UNREAD)

TWO_ENCODINGS: Final = FindingKind(
    "two-encodings", Severity.WARNING, "none; the owner refuses the whole tree of sessions"
)
MISPLACED: Final = FindingKind(
    "misplaced", Severity.WARNING, "none; the owner does not find the session here"
)
