"""Lines to effects: every record of a transcript, on its way into the tree or beside it."""

from array import array
from collections.abc import Callable
from typing import Any, Final

import orjson

from inspector.formats.claude import rules
from inspector.formats.claude.coverage import Coverages
from inspector.formats.claude.effects.fold import Fold
from inspector.formats.claude.effects.shapes import flags_of, is_talk, shape_of, talk
from inspector.formats.claude.judge import Judge
from inspector.formats.claude.policies import PYTHON, RECORDED, Policy
from inspector.formats.claude.times import Clock, length_of
from inspector.formats.claude.tree.arrival import Arrival
from inspector.formats.claude.tree.calls import Calls, called_by
from inspector.formats.claude.tree.ends import Ends, NewestEnd, OldestRule, RecordedEnd
from inspector.formats.claude.tree.lineage import Lineage
from inspector.formats.claude.tree.links import Links, kept_by
from inspector.formats.claude.tree.live import LiveBranch
from inspector.formats.claude.tree.messages import Messages
from inspector.formats.claude.tree.reload import ReloadBranch
from inspector.formats.claude.tree.siblings import Siblings
from inspector.formats.claude.tree.store import (
    ASSISTANT,
    BOUNDARY,
    CHAIN,
    MESSAGE,
    NONE,
    REAL,
    RESULT,
    SIDE,
    Tree,
)
from inspector.formats.logs.folding import Folding
from inspector.formats.logs.lines import JSON_WORDS, LineDecoder
from inspector.formats.shapes import mapping
from inspector.tape.jsonline import parse
from inspector.tape.records import Fate
from inspector.text.gate import clean_line
from inspector.text.labels import plural
from inspector.timeline.words import Form, Reason

_SAID: Final = 80
_BACKWARDS: Final = 1_000
"""Milliseconds by which a record may be older than the one above it."""

_NO_CALLS: Final[list[str]] = []
_SAME: Final = ("type", "subtype", "parentUuid", "message", "attachment", "isMeta", "isSidechain")
_MARKS: Final = {"uuid", "parentUuid", "sessionId", "leafUuid", "message", "messageId"}
"""Keys of which a record has one."""

_PADDING: Final = bytes(range(0x21))
"""What the owner passes over at the start of a line (rules page R1)."""


class ClaudeDecoder(LineDecoder):
    """Folds the lines of a transcript.

    Args:
        folding: where events and findings go.
        policy: the reader to follow.
        raw: the bytes of a record.
        session: the id that the file's name gives the session; empty if it gives none.

    Attributes:
        tree: the records that name parents.
        links: their parents, once what compactions kept is linked anew.
        lineage: from which root they hang.
        branch: the records that the surface shows.
        judge: what the verdict rests on.
        effects: what records do beside the surface.
        coverage: how much of the tree the branch reaches.
        subagent: the whole file is the conversation of a subagent.
    """

    def __init__(
        self, folding: Folding, policy: Policy, raw: Callable[[int], bytes], session: str = ""
    ) -> None:
        super().__init__(folding)
        self._policy = policy
        self._raw = raw
        self._clock = Clock()
        self.tree = tree = Tree(self.read)
        self.links = links = Links(tree)
        self._messages = Messages(self.read)
        self._calls = calls = Calls(self.read)
        self.lineage = Lineage(tree)
        self.judge = Judge()
        self.subagent = False
        builder = folding.builder
        self.branch: LiveBranch | ReloadBranch
        if policy.reload:
            on_branch = array("i")
            siblings = (
                Siblings(tree, links, calls, self.read, on_branch) if policy.siblings else None
            )
            ends = _ends(policy, tree, links)
            self.branch = ReloadBranch(builder, tree, links, ends, siblings, self.read, on_branch)
        else:
            self.branch = LiveBranch(builder, tree, links, batches=policy.siblings)
        self.coverage = Coverages()
        self._records = 0
        self.effects = Fold(folding, tree, calls, session)
        self._unread = False
        self._named = False
        self._last = NONE
        self._time = 0
        self._previous: tuple[str | None, int] = ("", NONE)

    # Single records again.

    def read(self, event: int) -> dict[str, Any]:
        """A record by the position of its event."""
        record = self.folding.record_of(event)
        first = event
        while first and self.folding.record_of(first - 1) == record:
            first -= 1
        values = self.values(record, self._raw(record))
        member = event - first
        return values[member] if member < len(values) else {}

    # The loop.

    def take(self, value: dict[str, Any], record: int, line: bytes) -> None:
        """Fold the record of a line."""
        del line
        self._fold(value, record)
        self.coverage.note(self.folding.position, self._records, self.branch.reached)

    def _fold(self, value: dict[str, Any], record: int) -> None:
        kind = value.get("type")
        name = kind if type(kind) is str else ""
        stamp = value.get("timestamp")
        time = self._clock.read(stamp)
        position = self.folding.event(record, name, time)
        if time is None:
            if stamp is not None:
                self._no_time(stamp, record)
        elif time < self._time - _BACKWARDS:
            self._back(time, record)
        else:
            self._time = time
        if self._unread and self._policy.reload:
            return
        if name not in CHAIN:
            self._beside(value, name, position, record)
            return
        if name == "system" and is_talk(value):
            value, name = talk(value), "user"
        uuid = value.get("uuid")
        if type(uuid) is str:
            self._member(value, name, uuid, position, record)
        else:
            self._nameless(value, name, position, record)

    def _beside(self, value: dict[str, Any], name: str, position: int, record: int) -> None:
        """A record that is not of the tree."""
        self.effects.beside(value, name, record)
        if name == "last-prompt":
            self._recorded(value, position)

    def _recorded(self, value: dict[str, Any], position: int) -> None:
        """The tape says where the conversation ends."""
        leaf, explicit = value.get("leafUuid"), value.get("explicit") is True
        if type(leaf) is str and leaf:
            self.effects.recorded = leaf
        elif explicit:
            self.effects.recorded = None
        if self._policy.reader == RECORDED:
            entry = self.tree.entry(leaf, position) if type(leaf) is str and leaf else None
            self.branch.recorded(entry, explicit)

    def _no_time(self, stamp: Any, record: int) -> None:
        said = clean_line(stamp, _SAID) if type(stamp) is str else f"a {type(stamp).__name__}"
        self.folding.found_at_event(rules.BAD_TIME, f"no time: {said}", record)

    def _back(self, time: int, record: int) -> None:
        message = f"written {length_of(self._time - time)} before what stands above it"
        self.folding.found_at_event(rules.BACKWARDS, message, record)
        self._time = time

    # Records of the tree.

    def _member(
        self, value: dict[str, Any], name: str, uuid: str, position: int, record: int
    ) -> None:
        """A record with an id."""
        tree = self.tree
        flags = flags_of(value, name)
        if not self._named:
            self._named = True
            self.subagent = value.get("isSidechain") is True
        if self.subagent and flags & SIDE and not self._policy.reload and not value.get("teamName"):
            flags &= ~SIDE
        known = len(tree.flags)
        entry = tree.entry(uuid, position)
        again = None
        unchanged = False
        if entry != known and tree.flags[entry] & REAL:
            again = tree.line[entry]
            unchanged = _says_the_same(value, self.read(again))
            message = f"uuid {clean_line(uuid, _SAID)} comes again; the later record counts"
            self.folding.found_at_event(rules.DUPLICATE_UUID, message, record)
            self.branch.leaving(entry)
        named, parent = value.get("parentUuid"), NONE
        if named == self._previous[0]:
            parent = self._previous[1]
        elif type(named) is str and named:
            parent = tree.entry(named, position)
        self._previous = uuid, entry
        tree.set(entry, parent, position, flags)
        self._records += again is None and not flags & SIDE
        self.lineage.arrived(entry, parent)
        arrival = Arrival(entry, value, None, NONE, _NO_CALLS, entry == known, again, unchanged)
        self._arrived(arrival, value, record)

    def _nameless(self, value: dict[str, Any], name: str, position: int, record: int) -> None:
        """A record that ought to have an id; where none has one, the order of the lines counts."""
        found = self.folding.found_at_event
        if self._named or self._policy.reload:
            found(rules.NO_UUID, "a record without uuid is part of no conversation", record)
            return
        if self._last == NONE:
            message = "records without uuid; they are shown in the order of the lines"
            found(rules.NO_UUIDS, message, record)
        tree = self.tree
        entry = tree.anonymous(position, flags_of(value, name))
        tree.parent[entry] = self._last
        self._records += not tree.flags[entry] & SIDE
        self.lineage.arrived(entry, self._last)
        if not tree.flags[entry] & SIDE:
            self._last = entry
        arrival = Arrival(entry, value, None, NONE, _NO_CALLS, True, None)
        self._arrived(arrival, value, record)

    def _arrived(self, arrival: Arrival, value: dict[str, Any], record: int) -> None:
        """Put a record of the tree where it belongs, and tell what else it does."""
        entry, branch, effects = arrival.entry, self.branch, self.effects
        flags, again = self.tree.flags[entry], arrival.again is not None
        if flags & ASSISTANT:
            self._assistant(arrival, value, record, side=flags & SIDE != 0, again=again)
        elif flags & RESULT:
            arrival.sources = effects.calls.answered(value, again=again)
        elif flags & BOUNDARY and self._policy.relinks:
            self._keep(value, record)
        end = branch.end
        reason, cause = Reason.REWOUND, None
        if end != NONE and self.tree.parent[entry] != end:
            reason, cause = self.lineage.why(entry, end)
        if again and not arrival.unchanged:
            reason, cause = Reason.SUPERSEDED, None
        arrival.shape = shape_of(value, flags)
        before = branch.reached
        branch.place(arrival, reason, cause)
        if reason is Reason.REWOUND and branch.turned and flags & MESSAGE and not again:
            self._rewound(entry, before, record)
        effects.member(value, arrival, record)
        if not flags & (MESSAGE | SIDE) and value.get("subtype") == "microcompact_boundary":
            events = effects.compactions.cleared(value)
            branch.clear(entry, events, Form.CLEARED, Reason.CLEARED)

    def _rewound(self, entry: int, before: int, record: int) -> None:
        """The writer went back to an older record; nothing on the tape says so."""
        parent = self.tree.parent[entry]
        where = "the beginning"
        if parent != NONE and self.tree.flags[parent] & REAL:
            where = f"line {self.folding.record_of(self.tree.line[parent]) + 1}"
        left = plural(before + 1 - self.branch.reached, "record")
        message = f"the writer went back to {where}: {left} left behind"
        self.folding.found_at_event(rules.REWOUND, message, record)

    def _assistant(
        self, arrival: Arrival, value: dict[str, Any], record: int, *, side: bool, again: bool
    ) -> None:
        arrival.calls = called_by(value)
        name = mapping(value.get("message")).get("id")
        if type(name) is str:
            arrival.message = self._messages.number(name, self.folding.builder.event)
        if arrival.calls:
            made = self.effects.calls.made
            made(arrival.calls, arrival.message, record, side=side, again=again)

    def _keep(self, value: dict[str, Any], record: int) -> None:
        """A boundary may say which records stay."""
        event = self.folding.builder.event
        try:
            kept = kept_by(value, self.tree, event)
        except ValueError as error:
            self.judge.crash(event, str(error))
            self.folding.found_at_event(rules.READER_CRASH, f"the boundary has {error}", record)
            return
        if kept is not None:
            self.branch.kept(kept)

    # Lines that are not as the owner writes them.

    def unread(self, record: int, line: bytes, problem: str) -> None:
        """A line is no JSON as it stands; the owner passes over what stands before an object."""
        del problem
        try:
            value, _ = parse(line.lstrip(_PADDING))
        except ValueError:
            value = None
        self._unread = not isinstance(value, dict)
        self.judge.passed += self._unread
        if self._unread:
            message = "the owner's reader cannot take the line, and passes over it"
            self.folding.found(rules.NOT_READ, message, record)

    def recovered(self, value: dict[str, Any], record: int, line: bytes) -> None:
        """Fold an object that was found in a damaged line."""
        self.take(value, record, line)

    def _recover(self, line: bytes, record: int, problem: str) -> None:
        super()._recover(line, record, problem)
        self._unread = False

    def mended(self, value: dict[str, Any], record: int, line: bytes, problem: str) -> None:
        """Fold an object with bytes that are no UTF-8: the owner replaces them, too."""
        del problem
        self.take(value, record, line)

    def _no_object(self, value: Any, record: int, line: bytes) -> None:
        """A line is JSON, but no object: the owner passes over it, and nothing is lost."""
        del line
        self.folding.records.set_fate(record, Fate.DAMAGED)
        message = f"JSON, but {JSON_WORDS[type(value)]} and not a record"
        self.folding.found(rules.NO_RECORD, message, record)

    def takes_tail(self, tail: bytes) -> bool:
        """A last line that nothing ends is read if it is whole (rules page R1)."""
        try:
            return type(orjson.loads(tail.lstrip(_PADDING))) is dict
        except ValueError:
            return False

    def is_record(self, value: Any) -> bool:
        """Whether an object found in a damaged line looks like a record."""
        return (
            isinstance(value, dict)
            and isinstance(value.get("type"), str)
            and bool(value.keys() & _MARKS)
        )


def _ends(policy: Policy, tree: Tree, links: Links) -> Ends:
    """The reader's rule for where a conversation ends."""
    if policy.reader == PYTHON:
        return OldestRule(tree, links)
    return (RecordedEnd if policy.reader == RECORDED else NewestEnd)(tree, links)


def _says_the_same(value: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether a record that comes again hangs where it hung and says what it said."""
    try:
        return all(value.get(key) == other.get(key) for key in _SAME)
    except RecursionError:
        return False
