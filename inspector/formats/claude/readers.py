"""What the owner's other readers would open of a transcript, against what is shown.

What counts are the messages, and not their order: within a batch of parallel calls each reader has
one of its own. Lines that the policy itself passes over are in no reader's view here; each is a
finding of its own.
"""

from array import array
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from inspector.formats.claude import rules
from inspector.formats.claude.looking import Looking
from inspector.formats.claude.members import rule_of
from inspector.formats.claude.parted import Parted
from inspector.formats.claude.policies import POLICIES, RECORDED, Policy
from inspector.formats.claude.strictness import takes
from inspector.formats.claude.tree.calls import Calls, called_by
from inspector.formats.claude.tree.chains import ENDLESS, Chains
from inspector.formats.claude.tree.links import Links, kept_by
from inspector.formats.claude.tree.path import Path
from inspector.formats.claude.tree.placing import Placed
from inspector.formats.claude.tree.siblings import Places, Siblings
from inspector.formats.claude.tree.store import (
    ASSISTANT,
    BOUNDARY,
    MESSAGE,
    NONE,
    QUEUED,
    REAL,
    REMINDER,
    RESULT,
    SIDE,
    Tree,
    is_main,
)
from inspector.formats.shapes import mapping, text
from inspector.text.labels import count, plural
from inspector.timeline.findings import Finding

if TYPE_CHECKING:
    pass

_LISTED: Final = MESSAGE | QUEUED
"""What readers list."""

_RANGES: Final = 6
"""Ranges of lines that are named."""


class _View(Tree):
    """The tree as a reader sees it; nothing that is done to it changes the tape's own.

    Args:
        tree: the tape's own.
        read: an event again, by position.
        blind: the entries whose lines the reader cannot read.
    """

    def __init__(
        self, tree: Tree, read: Callable[[int], dict[str, Any]], blind: Iterable[int]
    ) -> None:
        super().__init__(read)
        self.ids = tree.ids
        self.parent = array("i", tree.parent)
        self.line = array("I", tree.line)
        self.flags = array("H", tree.flags)
        self.named = bytearray(tree.named)
        for entry in blind:
            self.flags[entry] = 0
        self._more: dict[str, int] = {}

    def entry(self, text: str, event: int) -> int:
        """The entry with an id; of one that nobody named, one that does not stand in the tape."""
        known = self.ids.find(text)
        number = self._more.get(text) if known is None else known
        if number is None:
            number = self._more[text] = len(self.flags)
            self.parent.append(NONE)
            self.line.append(event)
            self.flags.append(0)
            self.named.append(0)
        return number


class _Opened(NamedTuple):
    """What a reader opens: where it ends, and the entries that it lists."""

    end: int
    listed: frozenset[int]


class _Some(Siblings):
    """The lines and results of some messages; all others belong to none.

    Attributes:
        some: these.
    """

    def __init__(
        self,
        tree: Tree,
        links: Links,
        calls: Calls,
        read: Callable[[int], dict[str, Any]],
        chain: Places,
    ) -> None:
        super().__init__(tree, links, calls, read, chain)
        self.some: set[int] = set()

    def ties_of(self, entry: int) -> set[int]:
        """See `Siblings.ties_of`."""
        return super().ties_of(entry) if entry in self.some else set()


class Readers(Looking):
    """Opens the transcript as it stands by the rules of each reader."""

    def found(self, policy: Policy) -> Iterator[Finding]:
        """Where other readers end the conversation, and which messages they lack or add.

        Args:
            policy: by which the transcript was folded.
        """
        if not self._decoder.members.named:
            return
        ours = _Opened(self._decoder.branch.message, frozenset(self._shown()))
        told: dict[tuple[str, int], list[str]] = {}
        for name, opened in self._others(policy):
            words = self._difference(ours, opened)
            if words:
                told.setdefault((words, opened.end), []).append(name)
        for (words, end), names in told.items():
            event = None if end in (NONE, ours.end) else self._tree.line[end]
            record = None if event is None else self._timeline.table.record(event)
            message = f"{' and '.join(names)}: {words}"
            yield Finding(rules.READERS_DIFFER, record, event, message)

    def _shown(self) -> Iterator[int]:
        """The entries of the messages on the surface."""
        timeline, tree = self._timeline, self._tree
        nodes = timeline.surface.nodes
        entries = {line: entry for entry, line in enumerate(tree.line) if tree.flags[entry] & REAL}
        for row in timeline.rows(timeline.events):
            event = nodes.origin(row.node)
            entry = entries.get(event)
            if entry is None:
                # It came again, as it was.
                entry = tree.ids.find(text(self._payload(event).get("uuid")))
            if entry is not None and tree.flags[entry] & _LISTED:
                yield entry

    # The readers.

    def _others(self, policy: Policy) -> Iterator[tuple[str, _Opened]]:
        """Every reader but the one by which the transcript was folded, by name."""
        recorded = self._recorded()
        for other in POLICIES.values():
            if not other.reload or other is policy or (other.reader == RECORDED and recorded < 0):
                continue
            yield other.name, self._open(other, recorded)
        if policy.reload:
            # Where its writer stood is told by its end.
            yield policy.reader, self._stood(policy)

    def _recorded(self) -> int:
        """Where the tape says that the conversation ends, or `NONE`."""
        recorded = self._decoder.effects.recorded
        entry = self._tree.ids.find(recorded) if recorded is not None else None
        return entry if entry is not None and self._tree.flags[entry] & REAL else NONE

    def _view(self, reader: str) -> _View:
        records, table = self._decoder.folding.records, self._timeline.table
        blind = (
            entry
            for entry, flags in enumerate(self._tree.flags)
            if flags & REAL
            and records.is_recovered(record := table.record(self._tree.line[entry]))
            and not takes(reader, self._raw(record))
        )
        return _View(self._tree, self._payload, blind if len(records) else ())

    def _links(self, tree: _View, policy: Policy) -> Links:
        links = Links(tree)
        if not policy.relinks:
            return links
        for entry in range(len(tree.flags)):
            if tree.flags[entry] & BOUNDARY:
                event = tree.line[entry]
                try:
                    kept = kept_by(self._payload(event), tree, event)
                except ValueError:
                    # The reader fails; the verdict says so.
                    continue
                if kept is not None:
                    links.add(kept)
        return links

    def opened(self, policy: Policy) -> frozenset[int]:
        """The entries that a reader shows that loads the whole file, attachments included."""
        return self._open(policy, self._recorded(), _LISTED | REMINDER).listed

    def _open(self, policy: Policy, recorded: int, shown: int = _LISTED) -> _Opened:
        """What a reader opens that loads the whole file.

        Args:
            policy: of the reader.
            recorded: where the tape says that the conversation ends, or `NONE`.
            shown: what entries are that are listed.
        """
        tree = self._view(policy.reader)
        links = self._links(tree, policy)
        chains = Chains(tree, links)
        chains.recount()
        ends = rule_of(policy, tree, links, chains)
        ends.recount()
        if policy.reader == RECORDED:
            ends.recorded(recorded, explicit=False)
        source, message = ends.found()
        if message == NONE:
            return _Opened(NONE, frozenset())
        path = Path(tree, chains)
        siblings = self._siblings(tree, links, chains, path, message) if policy.siblings else None
        placed = Placed(tree, chains, path, siblings, self._payload)
        placed.node.extend(
            entry if flags & shown else NONE for entry, flags in enumerate(tree.flags)
        )
        path.lead_to(message, lambda _: False, siblings)
        listed, _ = placed.rows()
        if source != message:
            listed = [*listed, *placed.waiting(source, message)]
        return _Opened(message, frozenset(listed))

    def _siblings(
        self, tree: _View, links: Links, chains: Chains, path: Path, message: int
    ) -> Siblings | None:
        """What the reader adds to a chain; nothing if all lines and results are on it."""
        parts = [entry for entry, flags in enumerate(tree.flags) if flags & (ASSISTANT | RESULT)]
        if all(chains.holds(entry, message) for entry in parts if not tree.flags[entry] & SIDE):
            return None
        members = self._decoder.members
        told = Parted(self._decoder, tree, links, chains)
        if told.knows:
            parts = told.parts(parts, message)
            if not parts:
                return None
        siblings = _Some(tree, links, members.calls, self._payload, path)
        siblings.some.update(parts)
        parts.sort(key=tree.line.__getitem__)
        for entry in parts:
            if tree.flags[entry] & ASSISTANT:
                event = tree.line[entry]
                record = self._payload(event)
                name = text(mapping(record.get("message")).get("id"))
                if name:
                    number = told.message_of(entry) if told.knows else NONE
                    if number == NONE:
                        number = members.messages.number(name, event)
                    siblings.line(entry, number, called_by(record))
        for entry in parts:
            if tree.flags[entry] & RESULT:
                siblings.result(entry, self._payload(tree.line[entry]))
        return siblings

    def _stood(self, policy: Policy) -> _Opened:
        """Where the writer stood by a reader that would open something else; its end only."""
        tree = self._view(policy.reader)
        chains = Chains(tree, self._links(tree, policy))
        chains.recount()
        stood = [
            entry
            for entry, flags in enumerate(tree.flags)
            if is_main(flags) and chains.message[entry] != NONE and chains.depth[entry] != ENDLESS
        ]
        last = max(stood, key=tree.line.__getitem__, default=NONE)
        end = chains.message[last] if last != NONE else NONE
        return _Opened(end, frozenset(self._shown()))

    # In words.

    def _difference(self, ours: _Opened, other: _Opened) -> str:
        parts: list[str] = []
        if other.end == NONE and ours.end != NONE:
            return "no message of it is listed"
        if other.end != ours.end:
            line = self._timeline.table.record(self._tree.line[other.end]) + 1
            parts.append(f"the conversation ends at line {line}")
        for word, entries in (
            ("lacks", ours.listed - other.listed),
            ("adds", other.listed - ours.listed),
        ):
            if entries:
                parts.append(f"{word} {plural(len(entries), 'message')}: {self._lines(entries)}")
        return "; ".join(parts)

    def _lines(self, entries: Iterable[int]) -> str:
        """The lines of some entries, in ranges."""
        table = self._timeline.table
        ranges: list[list[int]] = []
        for line in sorted(table.record(self._tree.line[entry]) + 1 for entry in entries):
            if ranges and line <= ranges[-1][1] + 1:
                ranges[-1][1] = line
            else:
                ranges.append([line, line])
        told = [str(a) if a == b else f"{a} to {b}" for a, b in ranges[:_RANGES]]
        more = len(ranges) - _RANGES
        one = len(ranges) == 1 and ranges[0][0] == ranges[0][1]
        rest = f" and {count(more)} more places" if more > 0 else ""
        return f"{'line' if one else 'lines'} {', '.join(told)}{rest}"
