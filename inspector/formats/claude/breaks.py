"""Where the chains of a transcript break, what cannot be reached, and guesses at a repair."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from inspector.formats.claude import rules
from inspector.formats.claude.looking import Looking
from inspector.formats.claude.tree.calls import blocks_of
from inspector.formats.claude.tree.store import ASSISTANT, MESSAGE, NONE, REAL, SIDE
from inspector.formats.claude.vocabulary import CHAIN
from inspector.formats.shapes import mapping, text
from inspector.tape.jsonline import parse
from inspector.tape.records import Fate
from inspector.text.gate import clean_line
from inspector.text.labels import plural
from inspector.timeline.findings import Finding

if TYPE_CHECKING:
    pass

_SAID: Final = 80
_MOST: Final = 100
"""Findings of a kind that are told one by one, and lines above a break that are looked at."""


class Breaks(Looking):
    """Looks at the chains as they stand."""

    def found(self) -> Iterator[Finding]:
        """What is found."""
        yield from self._broken()
        yield from self._roots()
        yield from self._unreachable()

    # Parents that are not there.

    def _broken(self) -> Iterator[Finding]:
        lineage, tree = self._decoder.lineage, self._tree
        missing = [entry for entry in lineage.cut if lineage.is_missing(entry)]
        for entry in missing[:_MOST]:
            event = tree.line[entry]
            parent = text(self._payload(event).get("parentUuid"))
            said = f"parent {clean_line(parent, _SAID)} is not in this file"
            guess = self._repair(event, parent)
            yield self._at(rules.BROKEN_CHAIN, event, f"{said}; {guess}" if guess else said)
            yield from self._copy(entry)
        if len(missing) > _MOST:
            message = f"{len(missing) - _MOST:,} more records whose parents are not in this file"
            yield Finding(rules.BROKEN_CHAIN, None, None, message)

    def _repair(self, event: int, parent: str) -> str:
        """What the missing parent of a record may be, in words; empty if nothing comes to mind.

        A damaged line above the record, if there is one; else its neighbour in the order of the
        file (format page 1.8).
        """
        above = self._above(event)
        damaged, sure = self._damaged(event, parent)
        if damaged is None:
            return "" if above is None else f"a guess at a repair: line {self._line(above)}"
        if sure:
            return f"the damaged line {damaged + 1} bears this id"
        other = "" if above is None else f", else line {self._line(above)}"
        return f"a guess at a repair: probably the damaged line {damaged + 1}{other}"

    def _above(self, event: int) -> int | None:
        """The record of the tree that stands above another in the file."""
        table = self._timeline.table
        for other in range(event - 1, max(-1, event - _MOST), -1):
            if table.type(other) in CHAIN:
                return other
        return None

    def _damaged(self, event: int, parent: str) -> tuple[int | None, bool]:
        """The damaged line that may have been a record's parent, and whether its id says so."""
        records = self._decoder.folding.records
        record = self._timeline.table.record(event)
        bears = re.compile(rb'"uuid"\s*:\s*"' + re.escape(parent.encode("utf-8", "replace")))
        nearest = None
        for other in range(record - 1, max(-1, record - _MOST), -1):
            if records.fate(other) is not Fate.DAMAGED:
                continue
            line = self._raw(other)
            if bears.search(line):
                return other, True
            if nearest is None and not _is_json(line):
                nearest = other
        return nearest, False

    # Records that name no parent.

    def _roots(self) -> Iterator[Finding]:
        others = 0
        first: int | None = None
        for entry in self._second_roots():
            copy = next(self._copy(entry), None) if others < _MOST else None
            if copy is not None:
                yield copy
                continue
            others += 1
            first = self._tree.line[entry] if first is None else first
        if first is not None:
            named = "names no parent, and begins" if others == 1 else "name no parent, and begin"
            message = f"{plural(others, 'message')} {named} a tree anew, with no prompt at its top"
            yield self._at(rules.SECOND_ROOT, first, message)

    def _second_roots(self) -> Iterator[int]:
        """Messages of the main line at the top of a tree that are not where one begins."""
        tree, lineage = self._tree, self._decoder.lineage
        for entry in dict.fromkeys(self._decoder.members.roots):
            flags = tree.flags[entry]
            if flags & MESSAGE and tree.parent[entry] == NONE and not lineage.begins(entry):
                yield entry

    def _copy(self, entry: int) -> Iterator[Finding]:
        """A line that begins a tree, and says what one above says of its message (page 1.5)."""
        tree = self._tree
        if not tree.flags[entry] & ASSISTANT:
            return
        event = tree.line[entry]
        record = self._payload(event)
        name = text(mapping(record.get("message")).get("id"))
        first = self._decoder.members.messages.first(name) if name else None
        if first is None or first >= event or not _blocks(self._payload(first)) & _blocks(record):
            return
        line = self._line(first)
        message = (
            f"a copy of line {line}: the same block of message {clean_line(name, _SAID)}; "
            f"a guess at a repair: what hangs on the copy belongs below line {line}"
        )
        yield self._at(rules.REPEATED_BLOCK, event, message)

    # What cannot be reached.

    def _unreachable(self) -> Iterator[Finding]:
        """What stands before the tree that the branch is of, if nothing says that it was left."""
        lineage, tree, end = self._decoder.lineage, self._tree, self._decoder.branch.end
        top = lineage.top(end) if end != NONE else NONE
        if top == NONE:
            return
        if lineage.begins(top) and not lineage.is_missing(top):
            return
        before = tree.line[top]
        lost = sum(
            flags & REAL != 0 and not flags & SIDE and line < before
            for flags, line in zip(tree.flags, tree.line, strict=True)
        )
        if lost:
            message = f"{plural(lost, 'record')} cannot be reached from the end of the conversation"
            yield Finding(rules.UNREACHABLE, None, None, message)


def _is_json(line: bytes) -> bool:
    try:
        parse(line)
    except ValueError:
        return False
    return True


def _blocks(record: dict[str, Any]) -> set[tuple[str, str]]:
    """The blocks of an answer, each by what tells it from others of its message (page 1.5)."""
    found: set[tuple[str, str]] = set()
    for block in blocks_of(record):
        if type(block) is dict:
            kind = text(block.get("type"))
            told = text(block.get("id")) or text(block.get("text")) or text(block.get("thinking"))
            found.add((kind, told))
    return found
