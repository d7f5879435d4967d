"""The owner's verdict: what DeepSeek Harness itself would do with a log.

The order is that of its reader (rules page B): what is wrong with the records, then retired types,
then old shapes and the shapes of messages, then unknown required events, then what repair would
append, then the header's lineage, then the replay. A fault in the records hides everything behind
it.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from inspector.formats.contract import Verdict
from inspector.formats.dsh.closing import Closer
from inspector.formats.dsh.header import Header
from inspector.formats.dsh.upcasting import RETIRED
from inspector.formats.dsh.vocabulary import TURN_END
from inspector.formats.shapes import whole
from inspector.text.jsontext import json_text

OWNER: Final = "dsh"

Fault = tuple[int, str]
"""The position of an event and what is wrong with it."""


@dataclass(slots=True)
class Issue:
    """The first record at which the owner stops to read.

    Attributes:
        event: the position that an event there would have.
        record: the record.
        text: what is wrong with it.
        committed: whether something behind it shows that it was meant to stand.
        loses: whether anything that decodes stands behind it.
    """

    event: int
    record: int
    text: str
    committed: bool = False
    loses: bool = False


@dataclass(frozen=True, slots=True)
class Circumstances:
    """What a verdict needs beside what the fold found.

    Attributes:
        whole: whether the header line was ended.
        json: whether it is JSON at all.
        torn: what is dropped at the end because it is unended, or None.
        fatal: why the owner refuses the container of the records, or None.
        unfinished: why it refuses how the records end in the container, or None.
        name: why it does not read this version from a file of this name, or None.
        seed: why it refuses how far the log says that it is seeded, or None.
        strict: why an issue at a record refuses the log even if nothing committed follows, or None.
        closers: what repair would append to the first so many events, all of them if None.
    """

    whole: bool
    json: bool
    torn: str | None
    fatal: str | None
    unfinished: str | None
    name: str | None
    seed: str | None
    strict: Callable[[int], str | None]
    closers: Callable[[int | None], list[Closer]]


class Judge:
    """Collects what the verdict rests on while the tape is folded.

    Args:
        header: the first line, if it means to be a header.
        nouns: how this container calls an unreadable record and a gap.
    """

    def __init__(self, header: Header | None, nouns: "Nouns") -> None:
        self._header = header
        self._nouns = nouns
        self.issue: Issue | None = None
        self._crash: Fault | None = None
        self._retired: dict[str, Fault] = {}
        self._content: Fault | None = None
        self._unknown: Fault | None = None
        self._scan_crash: Fault | None = None
        self._rejected: Fault | None = None

    @property
    def watchful(self) -> bool:
        """Whether the owner stopped to read, and what follows decides what that means."""
        return self.issue is not None and not self.issue.committed

    # Records.

    def unreadable(self, event: int, record: int, *, loses: bool = True) -> None:
        """A record does not decode."""
        if self.issue is None:
            self.issue = Issue(event, record, self._nouns.unreadable(record))
        self.issue.loses = self.issue.loses or loses

    def crashes(self, event: int, reason: str) -> None:
        """A record makes the reader crash, wherever it stands."""
        if self._crash is None:
            self._crash = (event, reason)

    def gap(self, event: int, record: int, expected: int, value: Any) -> None:
        """A record does not bear the next number; if it ends a turn itself it is committed."""
        if self.issue is None:
            self.issue = Issue(event, record, self._nouns.gap(record, expected, told(value)))
        self.issue.loses = True
        if isinstance(value, dict) and value.get("type") == TURN_END:
            self.issue.committed = True

    def folds(self, kind: str) -> None:
        """An event decodes: behind the first fault, the end of a turn shows it was committed."""
        if self.issue is not None:
            self.issue.loses = True
            self.issue.committed = self.issue.committed or kind == TURN_END

    # Events.

    def retired(self, event: int, kind: str) -> None:
        """A type, or a reason of a type, that the owner refuses wherever it stands."""
        if self.issue is None:
            self._retired.setdefault(kind, (event, refused_type(kind)))

    def malformed(self, event: int, message: str) -> None:
        """An event is in no shape that the owner can make a message of."""
        if self._content is None and self.issue is None:
            self._content = (event, f"invalid seed event at index {event}: {message}")

    def unknown(self, event: int, number: int, kind: str) -> None:
        """A required event is of no known type."""
        if self._unknown is None and self.issue is None:
            self._unknown = (event, unknown_type(number, kind))

    def crashes_scan(self, event: int, kind: str) -> None:
        """An event makes the scan for what is open crash."""
        if self._scan_crash is None and self.issue is None:
            self._scan_crash = (event, f"the reader crashes on null in {kind} at index {event}")

    def ranged(self, event: int) -> None:
        """An event cites ranges, which the reader of this version does not know (rules page A9)."""
        self.rejected(event, "sourceEventSeqs must densely contain non-negative safe integers")

    def rejected(self, event: int, message: str) -> None:
        """An event breaks a rule of the envelope, the request or the surface."""
        if self._rejected is None and self.issue is None:
            self._rejected = (event, f"invalid seed event at index {event}: {message}")

    # The verdict.

    def verdict(self, now: Circumstances) -> Verdict:
        """The verdict on what was folded so far."""
        refusal = self._refusal(now)
        if refusal is not None:
            event, reason = refusal
            return Verdict(OWNER, opens=False, reason=reason, event=event)
        issue = self.issue
        if issue is not None and issue.loses:
            reason = f"drops everything from event {issue.event} on as a torn tail"
            return Verdict(OWNER, opens="partly", reason=reason, event=issue.event)
        dropped = None if now.torn is None else f"drops the torn last {now.torn}"
        return Verdict(OWNER, opens=True, reason=dropped)

    def _refusal(self, now: Circumstances) -> tuple[int | None, str] | None:
        if now.fatal is not None:
            return None, now.fatal
        if not now.whole:
            return None, "empty or header-less session log"
        for problem in self._of_the_header(now):
            if problem is not None:
                return None, problem
        if self._crash is not None:
            return self._crash
        issue = self.issue
        if issue is not None:
            strict = now.strict(issue.record)
            if issue.committed:
                return issue.event, f"corrupt session log: {issue.text}"
            if strict is not None:
                return issue.event, strict
        for fault in (*self._retired_in_order(), self._content, self._unknown, self._scan_crash):
            if fault is not None:
                return fault
        if not all(closer.sound for closer in now.closers(issue.event if issue else None)):
            return None, "an open call without an id: what repair would write for it is invalid"
        lineage = self._header.lineage_problem if self._header is not None else None
        for problem in (lineage, now.seed):
            if problem is not None:
                return None, problem
        return self._rejected

    def _of_the_header(self, now: Circumstances) -> Iterator[str | None]:
        """Why the owner does not even look at the events, the first that is not None."""
        if not now.json:
            yield "header line is not valid JSON"
        if self._header is None:
            yield "first line is not a session header"
        else:
            yield now.name
            yield self._header.problem
        yield now.unfinished

    def _retired_in_order(self) -> list[Fault]:
        """The owner looks for one kind after the other, not for the first of any."""
        order = (*RETIRED, *self._retired)
        return [self._retired[kind] for kind in dict.fromkeys(order) if kind in self._retired]


def unknown_type(number: int, kind: str) -> str:
    """How the owner words that a required event is of no type that it knows."""
    return (
        f'contains event type "{kind}" (seq {number}) unknown to this harness and '
        "not marked ignorable - likely written by a newer harness or a missing plugin"
    )


def refused_type(kind: str) -> str:
    """How it words that it refuses a type wherever it stands."""
    return f"{kind} is refused"


class Nouns:
    """How the owner words a fault in the lines of a log; it counts them without the header."""

    def unreadable(self, record: int) -> str:
        """A line that is no event."""
        return f"unparsable committed event at line {record}"

    def gap(self, record: int, expected: int, got: str) -> str:
        """A line that bears another number than the next."""
        return f"seq gap in committed region at line {record} (expected {expected}, got {got})"


def told(value: Any) -> str:
    """The number that a record bears, as the owner's language prints it."""
    if not isinstance(value, dict) or ("seq" not in value and "seq0" not in value):
        return "undefined"
    got = value.get("seq", value.get("seq0"))
    if isinstance(got, str):
        return got[:80]
    number = whole(got)
    return json_text(got, limit=80) if number is None else str(number)
