"""Every kind of finding that Zero sessions give rise to beside those of any log."""

from typing import Final

from inspector.formats.logs.rules import NOTHING, REJECTED
from inspector.timeline.findings import FindingKind, Severity

WRONG_TYPE: Final = FindingKind("wrong-type", Severity.ERROR, REJECTED)
TOO_DEEP: Final = FindingKind("too-deep", Severity.ERROR, REJECTED)
UNENDED_LINE: Final = FindingKind(
    "unended-line",
    Severity.WARNING,
    "folded, as the owner does; but it appends to the same line, and then cannot read it",
)
TORN_TAIL: Final = FindingKind(
    "torn-tail",
    Severity.INFO,
    "not used; the owner drops it, and its next append makes the line unreadable",
)
PASSED_LINE: Final = FindingKind(
    "passed-line",
    Severity.INFO,
    "the owner drops the line, and its next append makes the session unreadable",
)
BAD_COMPACTION: Final = FindingKind(
    "bad-compaction", Severity.ERROR, "the owner folds nothing here, and shows every event as it is"
)
COVERS_NOTHING: Final = FindingKind(
    "compaction-covers-nothing",
    Severity.WARNING,
    "the summary stands first, and everything that it tells of stands behind it",
)
COVERS_LATER: Final = FindingKind(
    "compaction-covers-later",
    Severity.WARNING,
    "events behind a compaction are left out because it names them",
)
NOT_FOLLOWED: Final = FindingKind(
    "compaction-not-followed",
    Severity.ERROR,
    "it is not folded, and the one before it counts on; the owner hides what this one names",
)
REPEATED: Final = FindingKind(
    "repeated-sequence", Severity.WARNING, "none; what refers to the number or id means several"
)
GAP: Final = FindingKind("sequence-gap", Severity.INFO, NOTHING)
NOT_FORKED: Final = FindingKind(
    "cannot-be-forked",
    Severity.WARNING,
    "none; every fork by the owner fails here and leaves an empty session behind",
)
REWOUND: Final = FindingKind(
    "rewound", Severity.INFO, "what was dropped is gone from the file and cannot be shown"
)
OTHER_SESSION: Final = FindingKind("other-session", Severity.INFO, NOTHING)
NO_EVENTS: Final = FindingKind(
    "no-events", Severity.INFO, "none; the owner reads a session without events"
)
NO_METADATA: Final = FindingKind(
    "no-metadata", Severity.INFO, "none; the owner leaves a session without it out of its list"
)
BAD_METADATA: Final = FindingKind(
    "bad-metadata",
    Severity.WARNING,
    "title, model and what else it tells are not shown; "
    "the owner leaves the session out of its list",
)
LONG_METADATA: Final = FindingKind(
    "long-metadata", Severity.WARNING, "title, model and what else it tells are not shown"
)
METADATA_LAGS: Final = FindingKind(
    "metadata-lags", Severity.INFO, "none; the owner's next append mends it"
)
METADATA_LEADS: Final = FindingKind(
    "metadata-leads", Severity.INFO, "none; the owner's next event leaves a gap in the numbers"
)
NUMBER_TAKEN: Final = FindingKind(
    "next-number-taken",
    Severity.WARNING,
    "none; the owner's next event gets a number and an id that are taken",
)
