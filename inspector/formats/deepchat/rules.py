"""Every kind of finding that a tape of this owner gives rise to."""

from typing import Final

from inspector.formats.logs.rules import NOTHING
from inspector.timeline.findings import FindingKind, Severity

BROKEN_JSON: Final = FindingKind(
    "payload-not-json",
    Severity.ERROR,
    "the owner reads {} in its place; what it said is not folded",
)
IGNORED: Final = FindingKind(
    "ignored-row", Severity.WARNING, "the owner ignores the row: it changes nothing"
)
UNKNOWN_KIND: Final = FindingKind(
    "unknown-kind", Severity.INFO, "rows of a kind that the fold does not know change nothing"
)
BREAKS_CONTEXT: Final = FindingKind(
    "breaks-context",
    Severity.WARNING,
    "the owner can build no request as long as this message would be in it",
)
BEFORE_FIRST: Final = FindingKind(
    "order-below-one", Severity.INFO, "the message is effective, and never shown to the model"
)
NOT_FOLLOWED: Final = FindingKind(
    "anchor-not-followed",
    Severity.ERROR,
    "it is not folded, and the anchor before it counts on; the owner shows what this one says",
)
INVALID_MANIFEST: Final = FindingKind(
    "manifest-invalid", Severity.WARNING, "what the manifest says of the request is not reliable"
)
TRIMMED: Final = FindingKind(
    "trimmed-tape", Severity.WARNING, "what stood there is missing from everything that is shown"
)
GAP: Final = FindingKind("entry-gap", Severity.INFO, "if they were rows, what they did is missing")
REPEATED: Final = FindingKind(
    "repeated-entry",
    Severity.WARNING,
    "each row is folded in turn; the owner's table holds one row of a number",
)
ODD_NUMBER: Final = FindingKind(
    "odd-entry-id", Severity.WARNING, "the row is folded, and has no number to be found by"
)
UNFINISHED_RUN: Final = FindingKind("unfinished-run", Severity.WARNING, NOTHING)
BACKFILLED: Final = FindingKind(
    "backfilled", Severity.INFO, "none; the times of such rows are those of the copying"
)
NO_TAPE: Final = FindingKind(
    "no-tape",
    Severity.WARNING,
    "the transcript is shown as it is now: no earlier state, no edits, nothing that was deleted",
)
TAPE_UNREAD: Final = FindingKind(
    "tape-unread",
    Severity.ERROR,
    "what the owner reads there is not shown, only the transcript as it is now",
)
SUMMARY_BESIDE: Final = FindingKind(
    "summary-beside-tape",
    Severity.INFO,
    "the surface is told without it, the request with it",
)
BESIDE_UNREAD: Final = FindingKind(
    "beside-unread",
    Severity.WARNING,
    "title, settings or parent may be missing; the rows are read all the same",
)
PARENT_MISSING: Final = FindingKind(
    "parent-missing", Severity.WARNING, "the fork is shown without what it began with"
)
NAMELESS: Final = FindingKind(
    "nameless-rows", Severity.WARNING, "this session is read without them"
)
NEWER_SCHEMA: Final = FindingKind(
    "newer-schema", Severity.INFO, "kinds and names that are not known are shown as they stand"
)
