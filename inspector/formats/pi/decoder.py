"""Lines to effects: the header, and every entry on its way into the tree."""

from collections.abc import Callable, Sequence
from typing import Any, Final

import orjson

from inspector.columns import Column, signed
from inspector.formats.logs.folding import Folding
from inspector.formats.logs.lines import JSON_WORDS, LineDecoder
from inspector.formats.logs.rules import unread
from inspector.formats.pi import rules
from inspector.formats.pi.coverage import Coverages
from inspector.formats.pi.effects.fold import Fold
from inspector.formats.pi.effects.history import History
from inspector.formats.pi.effects.shapes import Shape, shape_of
from inspector.formats.pi.entry import tokens_of
from inspector.formats.pi.heading import Heading
from inspector.formats.pi.judge import Judge
from inspector.formats.pi.oddities import Oddities, said_of
from inspector.formats.pi.straight import Straight
from inspector.formats.pi.times import Clock
from inspector.formats.pi.tree.ids import key_of
from inspector.formats.pi.tree.store import (
    COMPACTS,
    EDITS,
    NONE,
    Edit,
    Placed,
    Tree,
)
from inspector.formats.pi.vocabulary import (
    NOT_AN_ENTRY,
    SESSION,
)
from inspector.formats.shapes import mapping, text, whole
from inspector.tape.jsonline import parse
from inspector.tape.records import Fate
from inspector.text.gate import clean_line
from inspector.timeline.findings import FindingKind

_SAID: Final = 80

_MOST_WORK: Final = 8_000_000
_MORE_WORK: Final = 20
"""How many entries and rows may be gone through again, in all and for every entry that there is.

A tree where a person goes from branch to branch a hundred times stays far below it."""

_WORK_AT_ONCE: Final = 5_000
_FIRST_LINES: Final = 256
_LINES_AT_ONCE: Final = 1 << 16
"""Lines of a batch: the first ones, and the most; fewer where one goes through that much again."""

_PASSED: Final = "the owner passes over the line"


class PiDecoder(LineDecoder):
    """Folds the lines of a session.

    Args:
        folding: where events and findings go.
        raw: the bytes of a record.

    Attributes:
        tree: the entries.
        history: the surface.
        effects: what entries do beside it.
        coverage: how many entries are on the path.
        judge: what the verdict rests on.
        heading: the header, and what stands before it.
        stopped: to follow the tree would cost more than any session of the owner does.
        entered: is told of the id of every entry, until it says that nobody asks any more.
    """

    replaces_bytes = True

    def __init__(self, folding: Folding, raw: Callable[[int], bytes]) -> None:
        super().__init__(folding)
        self._raw = raw
        self._clock = Clock()
        self.tree = Tree(self.read)
        self.history = History(folding.builder, self.tree)
        self.effects = Fold(folding, self.tree)
        self.coverage = Coverages(self.tree)
        self._oddities = Oddities(folding, self.tree, self.history)
        self.judge = Judge()
        self.heading = Heading(folding, self.judge, self.effects.registers)
        self.entered: Callable[[str | None, int], bool] | None = None
        self.stopped = False
        self.lines_at_once: int = _FIRST_LINES
        self._straight = Straight(folding, self.tree, self.history, self.coverage, self.effects)
        # Of version 1: the entry of each place in the list that the owner reads, and the last one.
        self._listed: Column = signed()
        self._last = NONE

    @property
    def header(self) -> dict[str, Any]:
        """The header; empty until it is read."""
        return self.heading.header

    def fold(self, record: int, lines: Sequence[bytes]) -> None:
        """Fold a batch: the next one is shorter where this one was much work."""
        before = self.tree.work
        super().fold(record, lines)
        if self.tree.work - before > _WORK_AT_ONCE:
            self.lines_at_once = max(1, len(lines) // 4)
        elif len(lines) >= self.lines_at_once:
            self.lines_at_once = min(2 * self.lines_at_once, _LINES_AT_ONCE)

    # Single records again.

    def read(self, event: int) -> dict[str, Any]:
        """An entry by the position of its event."""
        record, member = self.folding.record_of(event), 0
        while event - member and self.folding.record_of(event - member - 1) == record:
            member += 1
        values = self.values(record, self._raw(record))
        return values[member] if member < len(values) else {}

    def values(self, record: int, line: bytes) -> list[Any]:
        """The entries of a line."""
        try:
            value = parse(line)[0]
        except ValueError:
            found = (piece.value for piece in self.recovery(record, line).pieces)
            return [value for value in found if _type(value) != SESSION]
        return [value if isinstance(value, dict) else {"value": value}]

    # Entries.

    def take(self, value: dict[str, Any], record: int, line: bytes) -> None:
        """Fold the object of a line."""
        del line
        straight = self._straight
        if value.get("parentId") == straight.above is not None:
            stamp = value.get("timestamp")
            time = self._clock.read(stamp)
            if (time is not None or stamp is None) and straight.take(value, time, record):
                return
        self._take(value, record)
        self._goes_on(value)

    def _goes_on(self, value: dict[str, Any]) -> None:
        """Whether a plain message can hang on the entry that was taken."""
        own, event, tree = value.get("id"), self.folding.position - 1, self.tree
        asked = (
            self.stopped
            or self.judge.version < 2
            or not self.judge.opened
            or self.entered is not None
        )
        is_last = type(own) is str and event >= 0 and self.history.leaf == event
        if not asked and is_last and not tree.is_loose(event) and value.get("type") != SESSION:
            self._straight.above = own or None
        else:
            self._straight.above = None

    def _take(self, value: dict[str, Any], record: int) -> None:
        judge, kind = self.judge, value.get("type")
        if type(kind) is not str:
            kind = ""
        if not judge.opened or kind == SESSION:
            self.heading.first(value, record)
            if self.heading.takes(value, kind, record):
                if kind == SESSION:
                    self._listed.append(NONE)
                return
        event = self.folding.event(record, kind, self._time(value, record))
        if judge.version < 2:
            own, placed = None, self._line_up(event)
        else:
            own = key_of(value.get("id"))
            placed = self.tree.add(event, own, key_of(value.get("parentId")))
            if own is None or placed.missing or placed.again or placed.named:
                self._oddities.place(placed, own, value, record)
            self._oddities.parent(value, record)
        judge.heard(value, event)
        shape = shape_of(value, kind)
        if own is None and judge.version >= 2 and "id" in value and value["id"] is None:
            # No entry is the leaf then, and the context is empty.
            placed, shape = Placed(), Shape(kind)
        self._enter(value, placed, shape, record)
        if self.entered is not None and not self.entered(own, event):
            self.entered = None

    def _stop(self, event: int, record: int) -> None:
        """The tree is not followed any more from an entry on."""
        self.stopped = self.tree.settled = True
        self.folding.builder.stop()
        message = (
            f"from cursor {event} on the tree is not followed: paths would be gone through again "
            "so often that it would cost more than any session of the owner does"
        )
        self.folding.found_at_event(rules.TOO_MUCH_WORK, message, record)

    def _enter(self, value: dict[str, Any], placed: Placed, shape: Shape, record: int) -> None:
        event, effects, history = self.folding.builder.event, self.effects, self.history
        if not self.stopped and self.tree.work > _MOST_WORK + _MORE_WORK * event:
            self._stop(event, record)
        if self.stopped:
            self.coverage.pass_over()
            return
        turns = shape.flags & (COMPACTS | EDITS)
        self.tree.flags[event] |= shape.flags
        if turns:
            self._turns(value, shape.flags, event)
        own = not placed.again and not placed.named
        goes_on = placed.parent == history.leaf and own
        fresh = not self.tree.is_loose(event) or (own and placed.parent == event - 1)
        if event and placed.parent != history.leaf:
            effects.left()
        history.enter(event, placed, shape.rows)
        self.coverage.enter(event, placed)
        effects.registers.enter(value, shape, placed.parent, fresh=fresh)
        effects.enter(value, shape, record)
        if turns:
            self._oddities.turn(value, shape.flags, event, record)
        if history.circle and not goes_on:
            message = "its parents go round and come to an entry again"
            self.folding.found_at_event(rules.CIRCLE, message, record)

    def _turns(self, value: dict[str, Any], flags: int, event: int) -> None:
        """What a compaction keeps, or what an edit says."""
        tree, old = self.tree, self.judge.version < 2
        if flags & COMPACTS:
            tree.kept[event] = self._kept(value, event)
            return
        target = NONE if old else tree.name(value.get("targetId"), event, "targetId")
        replacement = value.get("replacement")
        form = "removed" if replacement is None else "replaced"
        if "replacement" not in value:
            form = "broken"
        tree.edits[event] = Edit(target, form, tokens_of(mapping(replacement).get("content")))

    def _kept(self, value: dict[str, Any], event: int) -> int:
        """The number of the id from which on a compaction keeps."""
        if self.judge.version >= 2:
            return self.tree.name(value.get("firstKeptEntryId"), event, "firstKeptEntryId")
        place = whole(value.get("firstKeptEntryIndex"))
        known = place is not None and 0 <= place < len(self._listed)
        return self._listed[place] if known and place is not None else NONE

    def _line_up(self, event: int) -> Placed:
        """An entry of version 1 gets an id and the entry before it as its parent (page 4.1)."""
        parent = self._last
        number = self.tree.line_up(event, parent)
        self._listed.append(number)
        self._last = number
        return Placed(self.tree.owner(parent))

    def _time(self, value: dict[str, Any], record: int) -> int | None:
        stamp = value.get("timestamp")
        time = self._clock.read(stamp)
        if time is None and stamp is not None:
            said = clean_line(stamp, _SAID) if type(stamp) is str else f"a {type(stamp).__name__}"
            self.folding.builder.find(
                rules.BAD_TIME, f"no time: {said}", record=record, event=self.folding.position
            )
        return time

    # Lines that are not as the owner writes them.

    def unread(self, record: int, line: bytes, problem: str) -> None:
        """The owner passes over a line that is no JSON."""

    def mend(self, kind: FindingKind, record: int, line: bytes) -> FindingKind:
        """What is mended here, the owner passes over."""
        del record, line
        return unread(kind, _PASSED)

    def recovered(self, value: dict[str, Any], record: int, line: bytes) -> None:
        """An entry in a line that the owner passes over: a row of the list, and nothing more."""
        del line
        kind, self._straight.above = _type(value), None
        if kind == SESSION:
            if not self.heading.header:
                self.heading.takes(value, kind, record)
            return
        event = self.folding.event(record, kind, self._clock.read(value.get("timestamp")))
        self.tree.add(event, None, None)
        self.coverage.pass_over()
        if not self.stopped:
            self.history.pass_over()
            self.effects.registers.pass_over()
        self.folding.builder.reject()
        if self.judge.version < 2:
            return
        self._oddities.parent(value, record)
        parent = value.get("parentId")
        if key_of(parent) is not None and self.tree.find(parent) == NONE:
            message = f"no entry before it is its parent {said_of(parent)}"
            self.folding.found_at_event(rules.MISSING_PARENT, message, record)

    def _no_object(self, value: Any, record: int, line: bytes) -> None:
        """A line is JSON, but no object: an entry to the owner, unless it is nothing (page P1)."""
        del line
        if not value and not isinstance(value, list):
            self.folding.records.set_fate(record, Fate.DAMAGED)
            message = f"JSON, but {JSON_WORDS[type(value)]} and no entry"
            self.folding.found(rules.NO_VALUE, message, record)
            return
        self.heading.first(value, record)
        self._straight.above = None
        event, placed = self.folding.event(record, NOT_AN_ENTRY, None), Placed()
        if self.judge.version < 2 and isinstance(value, list):
            # It takes an id and a parent as an object does.
            placed = self._line_up(event)
        else:
            self.tree.add(event, None, None)
            self._listed.append(NONE)
        if self.judge.version < 2:
            self.judge.numbered(value, event)
        self._enter({}, placed, Shape(NOT_AN_ENTRY), record)
        message = f"JSON, but {JSON_WORDS[type(value)]} and no entry with an id"
        self.folding.found_at_event(rules.NO_OBJECT, message, record)

    def takes_tail(self, tail: bytes) -> bool:
        """A last line that nothing ends is read if it is whole (rules page P1)."""
        try:
            return bool(orjson.loads(tail))
        except orjson.JSONDecodeError:
            pass
        try:
            return bool(parse(tail)[0])
        except ValueError:
            return False

    def is_record(self, value: Any) -> bool:
        """Whether an object found in a damaged line looks like an entry."""
        return isinstance(value, dict) and isinstance(value.get("type"), str) and "id" in value


def _type(value: Any) -> str:
    return text(value.get("type")) if isinstance(value, dict) else ""
