"""What a reader adds to a branch: the other lines and results of a message (rules page R6)."""

from array import array
from collections.abc import Callable
from typing import Any

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


class Siblings:
    """The lines of every message of the API, and the results that belong to it.

    Args:
        tree: the entries.
        links: their parents.
        calls: the calls.
        read: an event again, by position.
        chain: the place of each entry on the branch, `NONE` if it is not on it.
    """

    def __init__(
        self,
        tree: Tree,
        links: Links,
        calls: Calls,
        read: Callable[[int], dict[str, Any]],
        chain: "array[int]",
    ) -> None:
        self._tree = tree
        self._links = links
        self._calls = calls
        self._read = read
        self._chain = chain
        self._lines = Lists()
        self._results = Lists()
        self._message = array("i")
        self._early: dict[str, list[int]] = {}

    def message_of(self, entry: int) -> int:
        """The message that an entry is a line of, or `NONE`."""
        return self._message[entry] if entry < len(self._message) else NONE

    def lines(self, message: int) -> list[int]:
        """The lines of a message, in the order of the tape."""
        return list(self._lines.of(message))

    def line(self, entry: int, message: int, calls: list[str]) -> None:
        """An entry is a line of a message, and makes calls."""
        missing = len(self._tree.flags) - len(self._message)
        if missing > 0:
            self._message.extend(array("i", [NONE]) * missing)
        if self._message[entry] != message:
            self._message[entry] = message
            self._lines.add(message, entry)
        for call in calls:
            for result in self._early.pop(call, ()):
                self._results.add(message, result)

    def result(self, entry: int, record: dict[str, Any]) -> set[int]:
        """An entry answers calls; returns the messages that it may belong to."""
        found = self._ties(entry, record)
        for message in found:
            self._results.add(message, entry)
        for call in answered_by(record):
            if self._calls.message_of(call) is None:
                self._early.setdefault(call, []).append(entry)
        return found

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
        return self._ties(entry, self._record(entry))

    def adopt(self, line: int, results: list[int]) -> None:
        """A line of a message came behind results that name it, or got them by linking."""
        message = self.message_of(line)
        if message != NONE:
            for result in results:
                self._results.add(message, result)

    def members(self, message: int) -> list[int]:
        """The lines of a message and what may be its results."""
        return [*self._lines.of(message), *self._results.of(message)]

    def plain(self, message: int) -> bool:
        """Whether all lines and results of a message are on the branch."""
        chain = self._chain
        return all(chain[entry] != NONE for entry in self.members(message))

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
        answered = {
            call for entry in (*on_branch, *found) for call in answered_by(self._record(entry))
        }
        added: list[int] = []
        for entry in sorted(elsewhere, key=self._tree.line.__getitem__):
            record = self._record(entry)
            open_calls = self._calls_of_tied(message, record) - answered
            answers = open_calls & set(answered_by(record))
            if answers:
                added.append(entry)
                answered |= answers
        return added

    def _calls_of_tied(self, message: int, record: dict[str, Any]) -> set[str]:
        """The calls of the lines that a result is tied to by more than its parent."""
        source = self._tree.ids.find(text(record.get("sourceToolAssistantUUID")))
        wanted = set(answered_by(record))
        found: set[str] = set()
        for line in self._lines.of(message):
            other = self._record(line)
            calls = set(called_by(other))
            if not _same_agent(record, other):
                continue
            unique = {call for call in calls & wanted if self._calls.message_of(call) == message}
            if line == source or unique:
                found |= calls
        return found

    def _timed(self, entries: list[int]) -> list[int]:
        if len(entries) < 2:
            return entries
        return sorted(entries, key=lambda entry: text(self._record(entry).get("timestamp")))

    def _record(self, entry: int) -> dict[str, Any]:
        return self._read(self._tree.line[entry])


def _same_agent(one: dict[str, Any], other: dict[str, Any]) -> bool:
    return bool(one.get("isSidechain")) == bool(other.get("isSidechain")) and one.get(
        "agentId"
    ) == other.get("agentId")
