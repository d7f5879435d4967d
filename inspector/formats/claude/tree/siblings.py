"""What a reader adds to a branch: the other lines and results of a message (rules page R6)."""

from array import array
from collections.abc import Callable
from typing import Any, Final, NamedTuple, Protocol

from inspector.formats.claude.tree.calls import Calls, answered_by, called_by
from inspector.formats.claude.tree.links import Links
from inspector.formats.claude.tree.members import Lists
from inspector.formats.claude.tree.store import (
    ASSISTANT,
    NONE,
    REAL,
    RESULT,
    Tree,
)
from inspector.formats.shapes import text

MOST: Final = 256
"""Lines and results of a message that are put together: no model makes so many calls at once."""

_KNOWN: Final = 4_096
"""Records of which what counts here is kept."""


class Places(Protocol):
    """Tells places on a path."""

    def __getitem__(self, entry: int) -> int:
        """The place of an entry, `NONE` if it is not on the path."""


class _Member(NamedTuple):
    """What counts of a line or a result."""

    time: str
    answers: list[str]
    calls: list[str]
    source: str
    agent: tuple[bool, Any]


class Siblings:
    """The lines of every message of the API, and the results that belong to it.

    Args:
        tree: the entries.
        links: their parents.
        calls: the calls.
        read: an event again, by position.
        chain: the path, which tells the place of each entry on it, `NONE` if it is not on it.

    Attributes:
        crowded: by message with more than `MOST` lines and results, the first entry left out.
    """

    def __init__(
        self,
        tree: Tree,
        links: Links,
        calls: Calls,
        read: Callable[[int], dict[str, Any]],
        chain: Places,
    ) -> None:
        self._tree = tree
        self._links = links
        self._calls = calls
        self._read = read
        self._chain = chain
        self._lines = Lists()
        self._results = Lists()
        self._message = array("i")
        self._tie = array("i")
        self._lowest = array("i")
        self._members = array("I")
        # Of messages of which all was on a path: the member that came last, and how many there
        # were.
        self._whole_at = array("i")
        self._whole = array("I")
        self._early: dict[str, list[int]] = {}
        # By entry that came again: the event in which it came first.
        self._began: dict[int, int] = {}
        self._facts: dict[int, _Member] = {}
        self.crowded: dict[int, int] = {}

    def message_of(self, entry: int) -> int:
        """The message that an entry is a line of, or `NONE`."""
        return self._message[entry] if entry < len(self._message) else NONE

    def lines(self, message: int) -> list[int]:
        """The lines of a message, each where it came first (rules page R2)."""
        of = self._message
        found = [entry for entry in self._lines.of(message) if of[entry] == message]
        return self._in_order(found) if self._began else found

    def _in_order(self, entries: list[int]) -> list[int]:
        began, line = self._began, self._tree.line
        return sorted(dict.fromkeys(entries), key=lambda entry: began.get(entry, line[entry]))

    def leaving(self, entry: int) -> None:
        """An entry is about to stand in another record."""
        self._began.setdefault(entry, self._tree.line[entry])

    def changes(self, entry: int, message: int) -> None:
        """An entry stands in another record: a line of a message, or of `NONE`."""
        before = self.message_of(entry)
        if before not in (NONE, message):
            self._message[entry] = NONE
            self._members[before] -= 1

    def line(self, entry: int, message: int, calls: list[str]) -> None:
        """An entry is a line of a message, and makes calls."""
        self._room()
        self._begin(message)
        if self._message[entry] != message:
            if self._is_full(message, entry):
                return
            self._message[entry] = message
            self._lines.add(message, entry)
            self._members[message] += 1
            lowest = self._lowest[message]
            self._lowest[message] = entry if lowest == NONE else min(lowest, entry)
        for call in calls:
            for result in self._early.pop(call, ()):
                self._tie_again(message, result)

    def _room(self) -> None:
        missing = len(self._tree.flags) - len(self._message)
        if missing > 0:
            nothing = array("i", [NONE]) * missing
            self._message.extend(nothing)
            self._tie.extend(nothing)

    def _begin(self, message: int) -> None:
        """Have a place for a message; one whose lines are gone may have results all the same."""
        while message >= len(self._members):
            self._members.append(0)
            self._whole.append(0)
            self._whole_at.append(NONE)
            self._lowest.append(NONE)

    def _is_full(self, message: int, entry: int) -> bool:
        """Whether no entry more is put to a message; one that is left out is remembered."""
        self._begin(message)
        if self._members[message] < MOST:
            return False
        self.crowded.setdefault(message, entry)
        return True

    def _tie_again(self, message: int, result: int) -> None:
        """A result may belong to a message that came behind it."""
        self._room()
        if self._is_full(message, result):
            return
        self._results.add(message, result)
        self._members[message] += 1
        self._tie[result] = NONE

    def lowest(self, message: int) -> int:
        """The lowest number of a line, `NONE` if there is none."""
        return self._lowest[message]

    def result(self, entry: int, record: dict[str, Any]) -> set[int]:
        """An entry answers calls; returns the messages that it may belong to."""
        self._room()
        found = {one for one in self._ties(entry, record) if not self._is_full(one, entry)}
        again = entry in self._began
        for message in found:
            if again and entry in self._results.of(message):
                continue
            self._results.add(message, entry)
            self._members[message] += 1
        early = [call for call in answered_by(record) if self._calls.message_of(call) is None]
        for call in early:
            self._early.setdefault(call, []).append(entry)
        self._tie[entry] = min(found) if len(found) == 1 and not early else NONE
        return found

    def has_one_tie(self, entry: int) -> bool:
        """Whether a result can belong to one message only."""
        return self._tie[entry] != NONE

    def _ties(self, entry: int, record: dict[str, Any]) -> set[int]:
        above = {self._tree.parent[entry], self._links.parent(entry)}
        source = self._tree.ids.find(text(record.get("sourceToolAssistantUUID")))
        if source is not None:
            above.add(source)
        found = {self.message_of(line) for line in above if line != NONE}
        found |= {
            message
            for call in answered_by(record)
            if (message := self._calls.message_of(call)) is not None
        }
        return found - {NONE}

    def ties_of(self, entry: int) -> set[int]:
        """The messages that a result on the tape may belong to."""
        if self._tie[entry] != NONE:
            return {self._tie[entry]}
        return self._ties(entry, self._record(entry))

    def adopt(self, line: int, results: list[int]) -> None:
        """A line of a message came behind results that name it, or got them by linking."""
        message = self.message_of(line)
        if message != NONE:
            for result in results:
                self._tie_again(message, result)

    def members(self, message: int) -> list[int]:
        """The lines of a message and what may be its results."""
        return [*self.lines(message), *self._results.of(message)]

    def plain(self, message: int, entry: int) -> bool:
        """Whether all lines and results of a message are on the path, if it goes on to an entry
        that is one of them.
        """
        chain, known, members = self._chain, self._whole_at[message], self._members[message]
        whole = known != NONE and self._whole[message] + 1 == members and chain[known] != NONE
        if not whole and any(one != entry and chain[one] == NONE for one in self.members(message)):
            return False
        self._whole_at[message] = entry
        self._whole[message] = members
        return True

    def is_single(self, message: int) -> bool:
        """Whether a message has one line, and no results."""
        return self._members[message] == 1

    def forget_whole(self) -> None:
        """Parents were changed: what was on one path may be so no more."""
        self._whole_at = array("i", [NONE]) * len(self._whole_at)

    def last_line(self, message: int) -> int:
        """The place on the branch of the last line that is on it."""
        return max(self._chain[entry] for entry in self.lines(message))

    def added(self, message: int, there: set[int]) -> list[int]:
        """What is added behind the last line of a message: lines, then results, each by time.

        Args:
            message: on the branch.
            there: what is added to messages that begin above it; nothing is added twice.
        """
        chain = self._chain
        lines = [entry for entry in self.lines(message) if chain[entry] == NONE]
        results = self._added_results(message, there)
        return [*self._timed(lines), *self._timed(results)]

    def _added_results(self, message: int, there: set[int]) -> list[int]:
        chain, tree, parent = self._chain, self._tree, self._links.parent
        flags = tree.flags
        tied = list(dict.fromkeys(self._results.of(message)))
        tied = [entry for entry in tied if flags[entry] & RESULT and flags[entry] & REAL]
        off = [
            entry
            for entry in tied
            if chain[entry] == NONE and entry not in there and tree.parent[entry] != NONE
        ]
        if not off:
            return []
        below: dict[int, list[int]] = {}
        elsewhere: list[int] = []
        for entry in off:
            above = parent(entry)
            if above != NONE and flags[above] & ASSISTANT and self.message_of(above) == message:
                below.setdefault(above, []).append(entry)
            else:
                elsewhere.append(entry)
        found = [
            entry for line in self.lines(message) for entry in self._in_order(below.get(line, []))
        ]
        if elsewhere:
            before = [entry for entry in tied if chain[entry] != NONE or entry in there]
            found += self._answering(message, [*before, *found], elsewhere)
        return found

    def _answering(self, message: int, before: list[int], elsewhere: list[int]) -> list[int]:
        """The results that hang on something else and answer what none before them answers."""
        answered = {call for entry in before for call in self._member(entry).answers}
        added: list[int] = []
        for entry in self._in_order(elsewhere):
            result = self._member(entry)
            open_calls = self._calls_of_tied(message, result) - answered
            answers = open_calls & set(result.answers)
            if answers:
                added.append(entry)
                answered |= answers
        return added

    def _calls_of_tied(self, message: int, result: _Member) -> set[str]:
        """The calls of the lines that a result is tied to by more than its parent."""
        source = self._tree.ids.find(result.source)
        wanted = set(result.answers)
        found: set[str] = set()
        for line in self.lines(message):
            other = self._member(line)
            calls = set(other.calls)
            if result.agent != other.agent:
                continue
            unique = {call for call in calls & wanted if self._calls.message_of(call) == message}
            if line == source or unique:
                found |= calls
        return found

    def _timed(self, entries: list[int]) -> list[int]:
        if len(entries) < 2:
            return entries
        return sorted(entries, key=lambda entry: self._member(entry).time)

    def _record(self, entry: int) -> dict[str, Any]:
        return self._read(self._tree.line[entry])

    def _member(self, entry: int) -> _Member:
        event = self._tree.line[entry]
        known = self._facts.get(event)
        if known is None:
            record = self._read(event)
            known = _Member(
                text(record.get("timestamp")),
                answered_by(record),
                called_by(record),
                text(record.get("sourceToolAssistantUUID")),
                (bool(record.get("isSidechain")), record.get("agentId")),
            )
            if len(self._facts) >= _KNOWN:
                self._facts.clear()
            self._facts[event] = known
        return known
