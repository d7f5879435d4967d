"""Records of the tree: each put where it belongs, and what it does beside."""

from collections.abc import Callable
from typing import Any, Final

from inspector.columns import Column, unsigned
from inspector.formats.claude import rules
from inspector.formats.claude.effects.fold import Fold
from inspector.formats.claude.effects.shapes import flags_of, shape_of
from inspector.formats.claude.judge import Judge
from inspector.formats.claude.policies import PYTHON, RECORDED, Policy
from inspector.formats.claude.tree.arrival import Arrival
from inspector.formats.claude.tree.back import GoingBack, going_back
from inspector.formats.claude.tree.calls import Calls, called_by
from inspector.formats.claude.tree.chains import Chains
from inspector.formats.claude.tree.ends import Ends, NewestEnd, OldestRule, RecordedEnd
from inspector.formats.claude.tree.lineage import Lineage
from inspector.formats.claude.tree.links import Links, kept_by
from inspector.formats.claude.tree.live import LiveBranch
from inspector.formats.claude.tree.messages import Messages
from inspector.formats.claude.tree.path import Path
from inspector.formats.claude.tree.reload import ReloadBranch
from inspector.formats.claude.tree.siblings import Siblings
from inspector.formats.claude.tree.store import (
    ASSISTANT,
    BOUNDARY,
    MESSAGE,
    NONE,
    REAL,
    RESULT,
    SIDE,
    Tree,
)
from inspector.formats.logs.folding import Folding
from inspector.formats.shapes import mapping
from inspector.text.gate import clean_line
from inspector.timeline.words import Form, Reason

_SAID: Final = 80
_STEPS: Final = 64
"""Results in a row above which the message is looked for that they answer."""

_NO_CALLS: Final[list[str]] = []
_SAME: Final = (
    *("type", "subtype", "parentUuid", "message", "attachment", "isMeta", "isSidechain"),
    *("teamName", "compactMetadata", "sourceToolAssistantUUID", "closesQuietTurn", "source_uuid"),
)


class Members:
    """Puts records in the tree and on its branch.

    Args:
        folding: where events and findings go.
        policy: the reader to follow.
        read: an event again, by position.
        session: the id that the file's name gives the session; empty if it gives none.

    Attributes:
        tree: the records that name parents.
        links: their parents, once what compactions kept is linked anew.
        lineage: from which root they hang.
        branch: the records that the surface shows.
        judge: what the verdict rests on.
        effects: what records do beside the surface.
        records: how many stand on the main line.
        named: a record of the tree has an id.
        messages: the messages of the API.
        calls: the calls of tools.
        roots: the entries of the main line, but for the first one, that name no parent.
        previous: the id and the entry of the record that came last.
        subagent: the whole file is the conversation of a subagent.
    """

    def __init__(
        self,
        folding: Folding,
        policy: Policy,
        read: Callable[[int], dict[str, Any]],
        session: str,
    ) -> None:
        self.folding = folding
        self._policy = policy
        self._read = read
        self.tree = tree = Tree(read)
        self.links = links = Links(tree)
        self.messages = Messages(read)
        self.calls = calls = Calls(read)
        self.roots: Column = unsigned()
        self.lineage = Lineage(tree)
        self.judge = Judge()
        self.named = False
        self.subagent = False
        builder = folding.builder
        self.branch: LiveBranch | ReloadBranch
        self.effects = Fold(folding, tree, calls, session)
        if policy.reload:
            chains = Chains(tree, links)
            path = Path(tree, chains)
            siblings = Siblings(tree, links, calls, read, path) if policy.siblings else None
            ends = rule_of(policy, tree, links, chains)
            self.branch = ReloadBranch(builder, tree, links, ends, siblings, read, path)
        else:
            self.branch = LiveBranch(builder, tree, links, batches=policy.siblings)
        self.records = 0
        self._last = NONE
        self.previous: tuple[str | None, int] = ("", NONE)

    def recorded(self, value: dict[str, Any], position: int) -> None:
        """The tape says where the conversation ends."""
        leaf, explicit = value.get("leafUuid"), value.get("explicit") is True
        if type(leaf) is str and leaf:
            self.effects.recorded = leaf
        elif explicit:
            self.effects.recorded = None
        if self._policy.reader == RECORDED:
            entry = self.tree.entry(leaf, position) if type(leaf) is str and leaf else None
            self.branch.recorded(entry, explicit)

    def replaced(self, value: dict[str, Any]) -> None:
        """Results are stored elsewhere, and told in short from here on (format page 1.9)."""
        events = self.effects.compactions.replaced(value)
        if events and isinstance(self.branch, LiveBranch):
            self.branch.replace(events, Form.CLEARED, Reason.CLEARED)

    def member(
        self, value: dict[str, Any], name: str, uuid: str, position: int, record: int
    ) -> None:
        """A record with an id."""
        tree = self.tree
        flags = flags_of(value, name)
        if not self.named:
            self.named = True
            self.subagent = value.get("isSidechain") is True
        if self.subagent and flags & SIDE and not self._policy.reload and not value.get("teamName"):
            flags &= ~SIDE
        known = len(tree.flags)
        entry = tree.entry(uuid, position)
        again = None
        unchanged = False
        if entry != known and tree.flags[entry] & REAL:
            again = tree.line[entry]
            unchanged = _says_the_same(value, self._read(again))
            message = f"uuid {clean_line(uuid, _SAID)} comes again; the later record counts"
            self.folding.found_at_event(rules.DUPLICATE_UUID, message, record)
            self.branch.leaving(entry)
        named, parent = value.get("parentUuid"), NONE
        if named == self.previous[0]:
            parent = self.previous[1]
        elif type(named) is str and named:
            parent = tree.entry(named, position)
        self.previous = uuid, entry
        tree.set(entry, parent, position, flags)
        if parent == NONE and self.records and not flags & SIDE:
            self.roots.append(entry)
        self.records += again is None and not flags & SIDE
        self.lineage.arrived(entry, parent)
        arrival = Arrival(entry, value, None, NONE, _NO_CALLS, entry == known, again, unchanged)
        self._arrived(arrival, value, record)

    def nameless(self, value: dict[str, Any], name: str, position: int, record: int) -> None:
        """A record that ought to have an id; where none has one, the order of the lines counts."""
        found = self.folding.found_at_event
        if self.named or self._policy.reload:
            found(rules.NO_UUID, "a record without uuid is part of no conversation", record)
            return
        if self._last == NONE:
            message = "records without uuid; they are shown in the order of the lines"
            found(rules.NO_UUIDS, message, record)
        tree = self.tree
        entry = tree.anonymous(position, flags_of(value, name))
        tree.parent[entry] = self._last
        self.records += not tree.flags[entry] & SIDE
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
        back = None
        if end != NONE and self.tree.parent[entry] != end:
            reason, cause = self.lineage.why(entry, end)
            if reason is Reason.REWOUND and self._is_beside(value, flags, end):
                reason = Reason.UNLINKED
            elif reason is Reason.REWOUND and flags & MESSAGE and not again:
                back = going_back(branch, self.links.parent(entry))
        if again and not arrival.unchanged:
            reason, cause = Reason.SUPERSEDED, None
        arrival.shape = shape_of(value, flags)
        arrival.clears = (
            not flags & (MESSAGE | SIDE) and value.get("subtype") == "microcompact_boundary"
        )
        branch.place(arrival, reason, cause)
        if back is not None and branch.turned:
            self._rewound(entry, back, record)
        effects.member(value, arrival, record)
        if arrival.clears:
            events = effects.compactions.cleared(value)
            branch.clear(entry, events, Form.CLEARED, Reason.CLEARED)

    def _is_beside(self, value: dict[str, Any], flags: int, end: int) -> bool:
        """Whether a record hangs on an older one though nobody went back: a result does, and a
        line of the message at the end of the branch (format page 1.6, 1.8).
        """
        if flags & RESULT:
            return True
        name = mapping(value.get("message")).get("id")
        if not flags & ASSISTANT or self._policy.siblings or type(name) is not str:
            return False
        tree = self.tree
        for _ in range(_STEPS):
            if end == NONE or not tree.flags[end] & RESULT:
                break
            end = tree.parent[end]
        if end == NONE or not tree.flags[end] & ASSISTANT:
            return False
        return bool(mapping(self._read(tree.line[end]).get("message")).get("id") == name)

    def _rewound(self, entry: int, back: GoingBack, record: int) -> None:
        """The writer went back to an older record; nothing on the tape says so."""
        if back.left == 0:
            return
        parent = self.tree.parent[entry]
        where = "the beginning"
        if parent != NONE and self.tree.flags[parent] & REAL:
            where = f"line {self.folding.record_of(self.tree.line[parent]) + 1}"
        self.folding.found_at_event(rules.REWOUND, back.words(where), record)

    def _assistant(
        self, arrival: Arrival, value: dict[str, Any], record: int, *, side: bool, again: bool
    ) -> None:
        arrival.calls = called_by(value)
        name = mapping(value.get("message")).get("id")
        if type(name) is str:
            arrival.message = self.messages.number(name, self.folding.builder.event)
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


def rule_of(policy: Policy, tree: Tree, links: Links, chains: Chains) -> Ends:
    """The reader's rule for where a conversation ends."""
    if policy.reader == PYTHON:
        return OldestRule(tree, links, chains)
    return (RecordedEnd if policy.reader == RECORDED else NewestEnd)(tree, links, chains)


def _says_the_same(value: dict[str, Any], other: dict[str, Any]) -> bool:
    """Whether a record that comes again hangs where it hung and says what it said."""
    try:
        return all(value.get(key) == other.get(key) for key in _SAME)
    except RecursionError:
        return False
