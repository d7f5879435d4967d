"""Which rows the places of a path show (rules page R6 and R7)."""

from collections.abc import Callable
from typing import Any, Final

from inspector.columns import Column, signed
from inspector.formats.claude.tree.chains import ENDLESS, Chains
from inspector.formats.claude.tree.path import Path
from inspector.formats.claude.tree.siblings import Siblings
from inspector.formats.claude.tree.store import (
    ASSISTANT,
    MESSAGE,
    NONE,
    QUEUED,
    REMINDER,
    RESULT,
    SIDE,
    Tree,
)
from inspector.formats.shapes import mapping, text

NEW: Final = -2
"""The node of the record that arrives, which is not made yet."""


class Placed:
    """The rows of a path.

    Args:
        tree: the entries.
        chains: what is above them.
        path: the one in question.
        siblings: what the reader adds to a path; None if it adds nothing.
        read: an event again, by position.

    Attributes:
        node: the node of each entry, `NONE` if it makes none.
        added: of the rows written last, how many up to each entry stand on no chain.
    """

    def __init__(
        self,
        tree: Tree,
        chains: Chains,
        path: Path,
        siblings: Siblings | None,
        read: Callable[[int], dict[str, Any]],
    ) -> None:
        self._tree = tree
        self._chains = chains
        self._path = path
        self._siblings = siblings
        self._read = read
        self.node: Column = signed()
        self.added: list[int] = []
        # What the reader adds, by the entry behind which it stands; and all of it.
        self._behind: dict[int, list[int]] = {}
        self._there: set[int] = set()

    def is_shown(self, entry: int) -> bool:
        """Whether an entry is a row where it is on a path."""
        return not self._tree.flags[entry] & SIDE and self.node[entry] != NONE

    def rows(self) -> tuple[list[int], list[int]]:
        """The nodes of what of the path is written anew, and how many of them stand up to each
        entry.
        """
        nodes: list[int] = []
        ends: list[int] = []
        self.added, added = [], 0
        self._add()
        for at, entry in enumerate(self._path.entries):
            added += self._write(at, entry, nodes)
            ends.append(len(nodes))
            self.added.append(added)
        return nodes, ends

    def _add(self) -> None:
        """Know what is added to the messages of the path, in the order in which they begin."""
        self._behind, self._there = {}, set()
        siblings, entries, flags = self._siblings, self._path.entries, self._tree.flags
        if siblings is None:
            return
        first = self._path[entries[0]] if entries else 0
        seen = {NONE}
        for entry in entries:
            message = siblings.message_of(entry) if flags[entry] & ASSISTANT else NONE
            if message in seen:
                continue
            seen.add(message)
            found = siblings.added(message, self._there)
            if found:
                self._there.update(found)
                self._behind[entries[siblings.last_line(message) - first]] = found

    def _write(self, at: int, entry: int, nodes: list[int]) -> int:
        """Write the rows of a place; returns how many of them stand on no chain."""
        flags = self._tree.flags[entry]
        if not flags & MESSAGE:
            listed = flags & REMINDER or (flags & QUEUED and self._is_sent(at, entry))
            if listed and self.is_shown(entry):
                nodes.append(self.node[entry])
            return 0
        if self.is_shown(entry):
            nodes.append(self.node[entry])
        shown = [self.node[one] for one in self._behind.get(entry, ()) if self.is_shown(one)]
        nodes.extend(shown)
        return len(shown)

    def _is_sent(self, at: int, entry: int) -> bool:
        """Whether what was typed ahead is listed: nobody sent it as a prompt (rules page R7)."""
        flags = self._tree.flags
        for behind in self._path.entries[at + 1 :]:
            if flags[behind] & MESSAGE:
                return flags[behind] & (ASSISTANT | RESULT) != 0 and self._is_unknown(entry)
        return self._is_unknown(entry)

    def _is_unknown(self, entry: int) -> bool:
        """Whether what was typed ahead is on the branch under no other id."""
        source = source_of(self._read(self._tree.line[entry]))
        known = self._tree.ids.find(source) if source else None
        if known is None or not self._tree.flags[known] & MESSAGE:
            return True
        return known not in self._there and self._path[known] == NONE

    def waiting(self, end: int, message: int) -> list[int]:
        """The nodes of what was typed ahead behind the last message.

        Args:
            end: the last entry of the path.
            message: the last message of it.
        """
        chains, found = self._chains, list[int]()
        endless = chains.depth[message] == ENDLESS
        entry = end if endless else chains.queued[end]
        passed: set[int] = set()
        while entry not in (NONE, message) and entry not in passed:
            passed.add(entry)
            queued = self._tree.flags[entry] & QUEUED
            if queued and self.is_shown(entry) and self._is_unknown(entry):
                found.append(self.node[entry])
            entry = chains.above(entry)
            if not endless and entry != NONE:
                entry = chains.queued[entry]
        found.reverse()
        return found


def source_of(record: dict[str, Any]) -> str:
    """The id of the message that a command typed ahead became, empty if it became none."""
    return text(record.get("source_uuid")) or text(
        mapping(record.get("attachment")).get("source_uuid")
    )
