"""The closed vocabularies of a timeline: small numbers that fit a column and carry their word."""

from enum import IntEnum
from typing import Final


class Word(IntEnum):
    """A number for a column; ``label`` is the word that a person and a script read."""

    @property
    def label(self) -> str:
        """The member's name as one reads it: lower case, words apart."""
        return self.name.lower().replace("_", " ")


class Role(Word):
    """Who speaks in a node."""

    SYSTEM = 0
    DEVELOPER = 1
    USER = 2
    ASSISTANT = 3
    TOOL = 4
    SUMMARY = 5


class Kind(Word):
    """What a node is; one with several blocks takes the first of message, tool_call, reasoning."""

    MESSAGE = 0
    REASONING = 1
    TOOL_CALL = 2
    TOOL_RESULT = 3
    SUMMARY = 4
    CONTEXT = 5
    OPAQUE = 6

    @property
    def label(self) -> str:
        """As scripts read it: ``tool_call``."""
        return self.name.lower()


class Form(Word):
    """How much of its origin a node shows."""

    FULL = 0
    CUT = 1
    CLEARED = 2
    REBUILT = 3


class Reason(Word):
    """Why a node left the surface."""

    COMPACTED = 0
    PRUNED = 1
    CLEARED = 2
    SUPERSEDED = 3
    RETRACTED = 4
    REWOUND = 5
    UNLINKED = 6


class Visibility(Word):
    """What became of an event at a cursor."""

    VISIBLE = 0
    SHADOWED = 1
    PRUNED = 2
    CLEARED = 3
    SUPERSEDED = 4
    RETRACTED = 5
    REWOUND = 6
    UNLINKED = 7
    ASIDE = 8
    LOG_ONLY = 9
    NOT_YET = 10
    NOT_APPLIED = 11
    UNREADABLE = 12

    @property
    def label(self) -> str:
        """As scripts read it: ``log-only``."""
        return self.name.lower().replace("_", "-")


HIDDEN_BY_REASON: Final = {
    Reason.COMPACTED: Visibility.SHADOWED,
    Reason.PRUNED: Visibility.PRUNED,
    Reason.CLEARED: Visibility.CLEARED,
    Reason.SUPERSEDED: Visibility.SUPERSEDED,
    Reason.RETRACTED: Visibility.RETRACTED,
    Reason.REWOUND: Visibility.REWOUND,
    Reason.UNLINKED: Visibility.UNLINKED,
}

SHOWN_BY_FORM: Final = {
    Form.FULL: Visibility.VISIBLE,
    Form.CUT: Visibility.PRUNED,
    Form.CLEARED: Visibility.CLEARED,
    Form.REBUILT: Visibility.VISIBLE,
}


class SpanKind(Word):
    """The intervals that a tape tells of."""

    TURN = 0
    STEP = 1
    TOOL_CALL = 2
    COMPACTION = 3
    APPROVAL = 4
    HOOK = 5
    RETRY = 6
    COMMAND = 7
    PLAN_MODE = 8
    GOAL = 9
    SCHEDULE = 10
    WORKFLOW = 11
    WORKFLOW_AGENT = 12
    CODE_DISPATCH = 13
    OVERFLOW_RECOVERY = 14
    TEAM_MEMBER = 15
    TEAM_MESSAGE = 16
    TEAM_TASK = 17
    RUN = 18
    SUBAGENT = 19

    @property
    def label(self) -> str:
        """As scripts read it: ``tool_call``."""
        return self.name.lower()


class Outcome(Word):
    """How an interval ended, or that it has not."""

    OK = 0
    FAILED = 1
    REJECTED = 2
    CANCELLED = 3
    INTERRUPTED = 4
    UNKNOWN = 5
    RUNNING = 6
    AWAITING_APPROVAL = 7


WHILE_OPEN: Final = {SpanKind.APPROVAL: Outcome.AWAITING_APPROVAL}
"""What an interval is while it has not ended, where that is not simply running."""


class Life(Word):
    """In which life of its tape an event was written."""

    INHERITED = 0
    EARLIER = 1
    THIS = 2


class Mark(Word):
    """The classes of places that one steps to; a lower number wins a shared cell of the slider."""

    DAMAGE = 0
    ERROR = 1
    COMPACTION = 2
    USER = 3
    TOOL_CALL = 4
    TURN = 5
