"""Every kind of finding that Pi sessions give rise to beside those of any log."""

from typing import Final

from inspector.formats.logs.rules import NOTHING
from inspector.timeline.findings import FindingKind, Severity

NO_HEADER: Final = FindingKind(
    "no-header",
    Severity.ERROR,
    "none here; the owner takes the file for no session of its own and leaves it as it is",
)
TITLE_FIRST: Final = FindingKind(
    "title-before-header", Severity.WARNING, "none here; another program writes it, the owner not"
)
OTHER_HEADER: Final = FindingKind(
    "second-header", Severity.WARNING, "none; the owner passes over it"
)
OLD_VERSION: Final = FindingKind(
    "rewritten-on-open",
    Severity.INFO,
    "folded as the owner has it once it is rewritten; nothing is written here",
)
NEWER_VERSION: Final = FindingKind(
    "newer-version", Severity.WARNING, "read as version 3 is, which is what the owner does"
)
ODD_VERSION: Final = FindingKind(
    "odd-version", Severity.WARNING, "compared with 2 and 3 as the owner compares it"
)
NO_VALUE: Final = FindingKind("no-entry", Severity.WARNING, "none; the owner passes over it")
NO_OBJECT: Final = FindingKind(
    "entry-no-object",
    Severity.WARNING,
    "the context is empty while it is the last line; the next entry repairs that",
)
NO_ID: Final = FindingKind("entry-without-id", Severity.WARNING, "none; it can have no children")
MISSING_PARENT: Final = FindingKind(
    "missing-parent", Severity.WARNING, "the path stops here, and what was above is not seen"
)
ODD_PARENT: Final = FindingKind(
    "parent-no-id",
    Severity.WARNING,
    "the path stops here, and what was above is not seen; the owner finds no entry by it",
)
LATE_PARENT: Final = FindingKind(
    "late-entry", Severity.WARNING, "entries above it in the file name it; it counts for them now"
)
SECOND_ID: Final = FindingKind(
    "duplicate-id", Severity.WARNING, "the later entry counts, for its children too"
)
CIRCLE: Final = FindingKind(
    "parent-cycle",
    Severity.ERROR,
    "the path is shown up to the first entry that comes again; the owner never ends",
)
KEEPS_NOTHING: Final = FindingKind(
    "keeps-nothing", Severity.WARNING, "nothing of the history is kept beside the summary"
)
TOO_MUCH_WORK: Final = FindingKind(
    "too-much-work", Severity.ERROR, "the fold stops before it; later events are not applied"
)
ODD_SUMMARY: Final = FindingKind(
    "summary-no-text", Severity.WARNING, "none; it is shown as it stands, and the owner sends it so"
)
BROKEN_EDIT: Final = FindingKind(
    "edit-without-replacement",
    Severity.ERROR,
    "none here; the owner cannot build the context while it counts",
)
NO_MESSAGE: Final = FindingKind(
    "message-without-role",
    Severity.WARNING,
    "none; the owner sends nothing for it, and fails where there is no message at all",
)
ORPHAN: Final = FindingKind(
    "result-without-call",
    Severity.WARNING,
    "none; the owner sends it as it is, and a provider may refuse the request",
)
UNKNOWN: Final = FindingKind(
    "unknown-type", Severity.INFO, "none; it is on the path and says nothing to the model"
)
BAD_TIME: Final = FindingKind("bad-time", Severity.INFO, NOTHING)
UNENDED_LINE: Final = FindingKind(
    "unended-line", Severity.INFO, "folded, as the owner does, which ends it when it opens the file"
)
