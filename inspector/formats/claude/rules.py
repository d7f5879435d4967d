"""Every kind of finding that transcripts give rise to beside those of any log."""

from typing import Final

from inspector.formats.logs.rules import NOTHING
from inspector.timeline.findings import FindingKind, Severity

_PASSED = "none; the owner passes over it"

NO_RECORD: Final = FindingKind("not-a-record", Severity.WARNING, _PASSED)
NO_TYPE: Final = FindingKind("no-type", Severity.WARNING, _PASSED)
UNKNOWN_TYPE: Final = FindingKind("unknown-type", Severity.INFO, _PASSED)
NO_UUID: Final = FindingKind("no-uuid", Severity.WARNING, _PASSED)
NO_UUIDS: Final = FindingKind(
    "no-uuids", Severity.WARNING, "shown in the order of the lines; the owner shows nothing of it"
)
DUPLICATE_UUID: Final = FindingKind(
    "duplicate-uuid", Severity.WARNING, "the later record stands for both"
)
BROKEN_CHAIN: Final = FindingKind(
    "broken-chain", Severity.WARNING, "the owner does not see what stands before it"
)
SECOND_ROOT: Final = FindingKind(
    "second-root", Severity.WARNING, "the owner does not see what stands before it"
)
REPEATED_BLOCK: Final = FindingKind(
    "repeated-block", Severity.WARNING, "both are in the file; the message is counted once"
)
LOGICAL_PARENT: Final = FindingKind("logical-parent-missing", Severity.WARNING, NOTHING)
CYCLE: Final = FindingKind(
    "cycle", Severity.WARNING, "records that hang on themselves are on no branch"
)
UNREACHABLE: Final = FindingKind(
    "unreachable", Severity.WARNING, "they are in the file, and the owner does not load them"
)
REWOUND: Final = FindingKind(
    "rewound", Severity.INFO, "what was written behind that record is left, and stays in the file"
)
KEPT_MISSING: Final = FindingKind(
    "kept-missing", Severity.WARNING, "nothing of what the compaction kept is kept"
)
NO_SUMMARY: Final = FindingKind(
    "no-summary", Severity.WARNING, "what the compaction hid is told by nothing"
)
READER_CRASH: Final = FindingKind("reader-crash", Severity.ERROR, "the owner opens nothing of it")
READERS_DIFFER: Final = FindingKind(
    "readers-differ", Severity.INFO, "another reader shows other messages"
)
LARGE_FILE: Final = FindingKind(
    "large-file", Severity.INFO, "the owner drops what stands before the last compaction"
)
CROWDED: Final = FindingKind(
    "crowded-message", Severity.WARNING, "the owner puts all of them together"
)
ORPHAN_RESULT: Final = FindingKind(
    "orphan-result", Severity.WARNING, "none; the API refuses a request with it"
)
EARLY_RESULT: Final = FindingKind(
    "result-before-call", Severity.WARNING, "none; the API refuses a request with it"
)
DUPLICATE_CALL: Final = FindingKind(
    "duplicate-call", Severity.WARNING, "none; results are told apart by their order"
)
FOREIGN_SUMMARY: Final = FindingKind("foreign-summary", Severity.INFO, "not used as a title")
EMPTY_SUMMARY: Final = FindingKind("empty-summary", Severity.INFO, "not used as a title")
BAD_TIME: Final = FindingKind("bad-time", Severity.WARNING, "the record has no time")
BACKWARDS: Final = FindingKind("clock-backwards", Severity.INFO, "none; time orders nothing")
SEVERAL_SESSIONS: Final = FindingKind("several-sessions", Severity.INFO, NOTHING)
