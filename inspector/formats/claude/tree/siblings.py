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
        self._facts: dict[int, _Member] = {}
        self.crowded: dict[int, int] = {}

    def message_of(self, entry: int) -> int:
        """The message that an entry is a line of, or `NONE`."""
        return self._message[entry] if entry < len(self._message) else NONE

    def lines(self, message: int) -> list[int]:
        """The lines of a message, in the order of the tape."""
        return list(self._lines.of(message))

    def line(self, entry: int, message: int, calls: list[str]) -> None:
        """An entry is a line of a message, and makes calls."""
        self._room()
        while message >= len(self._members):
            self._members.append(0)
            self._whole.append(0)
            self._whole_at.append(NONE)
            self._lowest.append(entry)
        if self._message[entry] != message:
            if self._is_full(message, entry):
                return
            self._message[entry] = message
            self._lines.add(message, entry)
            self._members[message] += 1
            self._lowest[message] = min(self._lowest[message], entry)
        for call in calls:
            for result in self._early.pop(call, ()):
                self._tie_again(message, result)

    def _room(self) -> None:
        missing = len(self._tree.flags) - len(self._message)
        if missing > 0:
            nothing = array("i", [NONE]) * missing
            self._message.extend(nothing)
            self._tie.extend(nothing)

    def _is_full(self, message: int, entry: int) -> bool:
        """Whether no entry more is put to a message; one that is left out is remembered."""
        if self._members[message] < MOST:
            return False
        self.crowded.setdefault(message, entry)
        return True

    def _tie_again(self, message: int, result: int) -> None:
        """A result may belong to a message that came behind it."""
        if self._is_full(message, result):
            return
        self._results.add(message, result)
        self._members[message] += 1
        self._tie[result] = NONE

    def lowest(self, message: int) -> int:
        """The lowest number of a line."""
        return self._lowest[message]

    def result(self, entry: int, record: dict[str, Any]) -> set[int]:
        """An entry answers calls; returns the messages that it may belong to."""
        self._room()
        found = {one for one in self._ties(entry, record) if not self._is_full(one, entry)}
        for message in found:
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
        return [*self._lines.of(message), *self._results.of(message)]

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
        return max(self._chain[entry] for entry in self._lines.of(message))

    def first_line(self, message: int) -> int | None:
        """The place on the branch of the first line that is on it, or None."""
        places = [self._chain[entry] for entry in self._lines.of(message)]
        return min((place for place in places if place != NONE), default=None)

    def added(self, message: int) -> list[int]:
        """What is added behind the last line of a message: lines, then results, each by time."""
        chain = self._chain
        lines = [entry for entry in self._lines.of(message) if chain[entry] == NONE]
        results = self._added_results(message)
        return [*self._timed(lines), *self._timed(results)]

    def _added_results(self, message: int) -> list[int]:
        chain, flags, parent = self._chain, self._tree.flags, self._links.parent
        tied = list(dict.fromkeys(self._results.of(message)))
        tied = [entry for entry in tied if flags[entry] & RESULT and flags[entry] & REAL]
        off = [entry for entry in tied if chain[entry] == NONE]
        if not off:
            return []
        below: dict[int, list[int]] = {}
        elsewhere: list[int] = []
        for entry in off:
            above = parent(entry)
            if above != NONE and flags[above] & ASSISTANT and self.message_of(above) == message:
                below.setdefault(above, []).append(entry)
            elif above != NONE and self._belongs(entry, above, message):
                elsewhere.append(entry)
        found = [entry for line in self._lines.of(message) for entry in below.get(line, ())]
        if elsewhere:
            found += self._answering(message, tied, found, elsewhere)
        return found

    def _belongs(self, entry: int, above: int, message: int) -> bool:
        """Whether a result that hangs on no line of a message can be added to it.

        It is added once: to the message of the line that it hangs on, else to the one that stands
        first on the branch.
        """
        parent = self.message_of(above) if self._tree.flags[above] & ASSISTANT else NONE
        if parent != NONE and self.first_line(parent) is not None:
            return False
        places = {
            place: other
            for other in self.ties_of(entry)
            if (place := self.first_line(other)) is not None
        }
        return not places or places[min(places)] == message

    def _answering(
        self, message: int, tied: list[int], found: list[int], elsewhere: list[int]
    ) -> list[int]:
        """The results that hang on something else and answer what nobody answered before."""
        on_branch = [entry for entry in tied if self._chain[entry] != NONE]
        answered = {call for entry in (*on_branch, *found) for call in self._member(entry).answers}
        added: list[int] = []
        for entry in sorted(elsewhere, key=self._tree.line.__getitem__):
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
        for line in self._lines.of(message):
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
