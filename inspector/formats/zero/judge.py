"""The owner's verdict: what Zero itself would do with a session (format page 9, RULES A and B)."""

from typing import Final, NamedTuple

from inspector.formats.contract import Verdict
from inspector.formats.zero.golang import RefusedError, decoded
from inspector.text.gate import clean_line

OWNER: Final = "zero"

_SAID: Final = 200
"""Characters of what is wrong that a verdict repeats."""


class Fault(NamedTuple):
    """A line that the owner does not take.

    Attributes:
        record: which.
        event: the position of the event that it carries or would carry.
        problem: in the words of `golang.Problem`.
        detail: what and where.
    """

    record: int
    event: int
    problem: str
    detail: str


class Broken(NamedTuple):
    """A compaction that the owner cannot fold: its position and number, and why."""

    event: int
    number: int
    why: str


class Judge:
    """Collects what the verdict rests on while the session is folded.

    Attributes:
        fault: the first line that the owner does not take.
        written: the last record that is not blank.
        broken: the compaction that counts, if the owner cannot fold it.
    """

    def __init__(self) -> None:
        self.fault: Fault | None = None
        self.written = -1
        self.broken: Broken | None = None

    def refused(self, record: int, event: int, refusal: RefusedError) -> None:
        """The owner does not take a line."""
        if self.fault is None:
            self.fault = Fault(record, event, refusal.problem, refusal.detail)

    def verdict(self, session: str, tail: bytes) -> Verdict:
        """What the owner would do.

        Args:
            session: its id.
            tail: what stands behind the last line end.
        """
        fault = self.fault
        if fault is not None and self.passed_over(tail) is None:
            said = clean_line(f"{fault.problem}: {fault.detail}", _SAID)
            where = f"{clean_line(session, _SAID)} events.jsonl at line {fault.record + 1}"
            reason = f"invalid json in zero session {where}: {said}"
            return Verdict(OWNER, False, reason, fault.event)
        if self.broken is not None:
            why = clean_line(self.broken.why, _SAID)
            reason = f"decode compaction payload seq {self.broken.number}: {why}"
            return Verdict(OWNER, True, f"{reason}; it goes on with the raw events", None)
        return Verdict(OWNER, True)

    def passed_over(self, tail: bytes) -> Fault | None:
        """The fault that does not matter to the owner, or None.

        It passes over its last line if that is bad and the file does not end in a line end, even
        if only blanks stand behind it (RULES A3).
        """
        fault = self.fault
        if fault is None or not tail or decoded(tail):
            return None
        return fault if fault.record == self.written else None
