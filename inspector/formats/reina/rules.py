"""Every kind of finding that Reina logs give rise to, beside those of any log."""

from typing import Final

from inspector.formats.logs.rules import NOTHING
from inspector.timeline.findings import FindingKind, Severity

NO_HEADER: Final = FindingKind(
    "no-header", Severity.WARNING, "the owner has no session; what can be read is shown"
)
BAD_HEADER: Final = FindingKind(
    "bad-header", Severity.ERROR, "the owner has no session; what can be read is shown"
)
REPEATED_HEADER: Final = FindingKind(
    "repeated-header", Severity.INFO, "the model that it tells is taken; nothing else of it is"
)
UNKNOWN_KIND: Final = FindingKind("unknown-kind", Severity.INFO, NOTHING)
SNAPSHOT: Final = FindingKind(
    "snapshot-not-followed",
    Severity.WARNING,
    "none here; an agent of the last lesson takes its list for the whole history",
)
BAD_ENVELOPE: Final = FindingKind("bad-envelope", Severity.WARNING, "the owner passes over it")
BAD_RECORD: Final = FindingKind("bad-record", Severity.WARNING, "it tells of no call")
BAD_MODEL: Final = FindingKind(
    "unreadable-model",
    Severity.WARNING,
    "it takes the place of the setting before it as a whole, and is told as it is written",
)
BAD_CONFIG: Final = FindingKind(
    "unreadable-config", Severity.WARNING, "the settings before it are taken to stay"
)
BAD_SUMMARY: Final = FindingKind(
    "unreadable-summary", Severity.WARNING, "the summary is folded as if it were empty"
)
ODD_MESSAGE: Final = FindingKind(
    "odd-message", Severity.WARNING, "it counts as a message; what the provider makes of it is open"
)
_SKIPPED: Final = "the owner skips the line, and so does the fold"
SKIPPED_LINE: Final = FindingKind("skipped-line", Severity.WARNING, _SKIPPED)
NOT_JSON: Final = FindingKind("not-json", Severity.WARNING, _SKIPPED)
NOT_AN_EVENT: Final = FindingKind("not-an-event", Severity.WARNING, _SKIPPED)
LOST_BYTES: Final = FindingKind("lost-bytes", Severity.WARNING, _SKIPPED)
UNENDED_LINE: Final = FindingKind(
    "unended-line",
    Severity.WARNING,
    "folded, as the owner does; but it appends to the same line, and then skips it",
)
_NOT_RUN: Final = "a request has a result in its place that says that it was not run"
UNANSWERED_CALL: Final = FindingKind("unanswered-call", Severity.WARNING, _NOT_RUN)
WAITING_CALL: Final = FindingKind(
    "unanswered-call", Severity.INFO, f"it may still come; until then {_NOT_RUN}"
)
BROKEN_ARGUMENTS: Final = FindingKind(
    "broken-arguments", Severity.WARNING, "a request has {} in their place; the text is kept here"
)
ORPHAN_RESULT: Final = FindingKind(
    "orphan-result",
    Severity.WARNING,
    "it is left out of a request, which the provider would refuse otherwise",
)

SECOND_RESULT: Final = FindingKind(
    "second-result",
    Severity.WARNING,
    "it is left out of a request, which the provider would refuse otherwise; which of the results "
    "the owner keeps is a guess",
)
DISPLACED_RESULT: Final = FindingKind(
    "displaced-result",
    Severity.WARNING,
    "a request has it directly behind the message that makes the call, as the provider wants it; "
    "that the owner moves it is a guess",
)

BAD_RANGE: Final = FindingKind(
    "bad-range", Severity.WARNING, "the owner skips the compaction with a warning"
)
RANGE_BEYOND: Final = FindingKind(
    "range-beyond", Severity.WARNING, "the owner skips the compaction, unless so many messages come"
)
LATE_COMPACTION: Final = FindingKind(
    "late-compaction", Severity.INFO, "a compaction that was skipped hides messages from here on"
)
REVISED_COMPACTION: Final = FindingKind(
    "revised-compactions", Severity.WARNING, "what compactions hide is another from here on"
)
_OVERLAPS: Final = (
    "the owner's rule is right only for ranges of the messages as written that do not overlap"
)
OVERLAP: Final = FindingKind("overlapping-compactions", Severity.WARNING, _OVERLAPS)
OVERLAP_AGAIN: Final = FindingKind("overlapping-compactions", Severity.INFO, _OVERLAPS)
_UNDECIDED: Final = "folded by the policy that is followed; the sources do not say which is right"
AMBIGUOUS: Final = FindingKind("ambiguous-compaction", Severity.WARNING, _UNDECIDED)
STILL_AMBIGUOUS: Final = FindingKind("ambiguous-compaction", Severity.INFO, _UNDECIDED)
TOO_MUCH_WORK: Final = FindingKind(
    "too-much-work", Severity.ERROR, "the fold stops before it; later events are not applied"
)
NOT_COMPARED: Final = FindingKind(
    "not-compared", Severity.INFO, "from here on it is not told where the policies differ"
)
