"""Every kind of finding that a log gives rise to whatever its format."""

from dataclasses import replace
from typing import Final

from inspector.timeline.findings import FindingKind, Severity

NOTHING: Final = "none"
UNREAD: Final = "what it held is not folded; replay beyond it is not reliable"
REJECTED: Final = "the event changes nothing on the surface"

TORN_TAIL: Final = FindingKind(
    "torn-tail", Severity.INFO, "not used; the writer may be at it, the head may move"
)
NOT_JSON: Final = FindingKind("not-json", Severity.ERROR, UNREAD)
NOT_AN_EVENT: Final = FindingKind("not-an-event", Severity.ERROR, UNREAD)
REPAIRED_TEXT: Final = FindingKind("repaired-text", Severity.WARNING, NOTHING)
LOST_BYTES: Final = FindingKind(
    "lost-bytes", Severity.ERROR, "what they held is not folded; replay beyond is not reliable"
)
MISNAMED: Final = FindingKind("misnamed", Severity.INFO, NOTHING)

_TOLD_APART: Final = "what is lost of it is told apart"

RECOVERED: Final = {
    code: FindingKind(code, Severity.WARNING, effect)
    for code, effect in (
        ("bom", NOTHING),
        ("nul-padding", NOTHING),
        ("glued", NOTHING),
        ("torn-prefix", _TOLD_APART),
        ("torn-rest", _TOLD_APART),
        ("garbage", _TOLD_APART),
        ("gave-up", _TOLD_APART),
        ("raw-control", NOTHING),
        ("not-utf8", NOTHING),
        ("not-a-number", NOTHING),
    )
}
"""By code, what a line was mended of; what is lost of it is a finding of its own."""


def unread(kind: FindingKind, owner: str) -> FindingKind:
    """A kind of mend in a line that the owner's reader does not take as ours does.

    Args:
        kind: whose effect on the fold is none, or told apart.
        owner: what the owner does instead.
    """
    effect = "none here" if kind.effect == NOTHING else kind.effect
    return replace(kind, effect=f"{effect}; {owner}")


BAD_ROW: Final = FindingKind("bad-row", Severity.ERROR, UNREAD)
UNREADABLE_ROWS: Final = FindingKind("unreadable-rows", Severity.ERROR, UNREAD)
DATABASE_TROUBLE: Final = FindingKind("database", Severity.WARNING, "rows may be missing")
DATABASE: Final = {
    code: FindingKind(code, Severity.WARNING, "what it holds is not read; rows may be missing")
    for code in ("wal-not-read", "journal-not-read", "truncated", "changing")
}
"""By code, what of a database is not read."""
