"""The owner's verdict: what DeepSeek Harness itself would do with a plain log.

The order is that of its reader (rules page B): what is wrong with the lines, then unknown required
events, then the replay. A fault in the lines hides everything behind it.
"""

from dataclasses import dataclass
from typing import Any

from inspector.formats.contract import Verdict
from inspector.formats.dsh.header import Header
from inspector.formats.dsh.vocabulary import TURN_END
from inspector.formats.shapes import whole
from inspector.text.jsontext import json_text

_OWNER = "dsh"


@dataclass(slots=True)
class _Issue:
    """The first line at which the owner stops to read; it counts lines without the header."""

    event: int
    text: str
    committed: bool = False
    loses: bool = False


class Judge:
    """Collects what the verdict rests on while the tape is folded.

    Args:
        header: the first line, if it means to be a header.
        whole: whether the first line was ended by a newline.
    """

    def __init__(self, header: Header | None, *, whole: bool) -> None:
        self._header = header
        self._whole = whole
        self._issue: _Issue | None = None
        self._crash: tuple[int, str] | None = None
        self._unknown: tuple[int, str] | None = None
        self._rejected: tuple[int, str] | None = None

    @property
    def faulty(self) -> bool:
        """Whether a line was found at which the owner stops to read."""
        return self._issue is not None

    def unparsable(self, event: int, record: int, *, loses: bool = True) -> None:
        """A line is not JSON, or a packed row is malformed."""
        if self._issue is None:
            self._issue = _Issue(event, f"unparsable committed event at line {record}")
        self._issue.loses = self._issue.loses or loses

    def not_an_object(self, event: int, record: int, value: Any) -> None:
        """A line holds a JSON value that is no object; ``null`` makes the reader crash."""
        if value is None and self._crash is None:
            self._crash = (event, f"the reader crashes at line {record}, which is null")
        elif self._issue is None:
            self._issue = _Issue(event, _gap(record, event, "undefined"), loses=True)

    def gap(self, event: int, record: int, expected: int, value: dict[str, Any]) -> None:
        """A record does not bear the next number; if it ends a turn itself it is committed."""
        if self._issue is None:
            self._issue = _Issue(event, _gap(record, expected, _told(value)))
        self._issue.loses = True
        if value.get("type") == TURN_END:
            self._issue.committed = True

    def folds(self, kind: str) -> None:
        """An event decodes: behind the first fault, the end of a turn shows it was committed."""
        if self._issue is not None:
            self._issue.loses = True
            self._issue.committed = self._issue.committed or kind == TURN_END

    def unknown(self, event: int, number: int, kind: str) -> None:
        """A required event is of no known type."""
        if self._unknown is None and self._issue is None:
            self._unknown = (
                event,
                (
                    f'contains event type "{kind}" (seq {number}) unknown to this harness and '
                    "not marked ignorable - likely written by a newer harness or a missing plugin"
                ),
            )

    def ranged(self, event: int) -> None:
        """An event cites ranges, which the reader of this version does not know (rules page A9)."""
        self.rejected(event, "sourceEventSeqs must densely contain non-negative safe integers")

    def rejected(self, event: int, message: str) -> None:
        """An event breaks a rule of the envelope or the surface."""
        if self._rejected is None and self._issue is None:
            self._rejected = (event, f"invalid seed event at index {event}: {message}")

    def verdict(self, torn: bool) -> Verdict:
        """The verdict on what was folded so far; ``torn`` if bytes without a newline follow."""
        if not self._whole:
            return Verdict(_OWNER, opens=False, reason="empty or header-less session log")
        if self._header is None:
            return Verdict(_OWNER, opens=False, reason="first line is not a session header")
        if self._header.problem is not None:
            return Verdict(_OWNER, opens=False, reason=self._header.problem)
        if self._crash is not None:
            return Verdict(_OWNER, opens=False, reason=self._crash[1], event=self._crash[0])
        issue = self._issue
        if issue is not None and issue.committed:
            reason = f"corrupt session log: {issue.text}"
            return Verdict(_OWNER, opens=False, reason=reason, event=issue.event)
        if self._unknown is not None:
            event, reason = self._unknown
            return Verdict(_OWNER, opens=False, reason=reason, event=event)
        if self._header.lineage_problem is not None:
            return Verdict(_OWNER, opens=False, reason=self._header.lineage_problem)
        if self._rejected is not None:
            event, reason = self._rejected
            return Verdict(_OWNER, opens=False, reason=reason, event=event)
        if issue is not None and issue.loses:
            reason = f"drops everything from event {issue.event} on as a torn tail"
            return Verdict(_OWNER, opens="partly", reason=reason, event=issue.event)
        if torn:
            return Verdict(_OWNER, opens=True, reason="drops the torn last line")
        return Verdict(_OWNER, opens=True)


def _told(value: dict[str, Any]) -> str:
    """The number that a record bears, as the owner's language prints it."""
    if "seq" not in value and "seq0" not in value:
        return "undefined"
    got = value.get("seq", value.get("seq0"))
    if isinstance(got, str):
        return got[:80]
    number = whole(got)
    return json_text(got, limit=80) if number is None else str(number)


def _gap(record: int, expected: int, got: str) -> str:
    return f"seq gap in committed region at line {record} (expected {expected}, got {got})"
