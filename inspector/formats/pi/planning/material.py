"""What plans ask of an open session that is folded to its head."""

from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from inspector.columns import NEVER
from inspector.formats.contract import Verdict
from inspector.formats.logs.text_log import TextLog
from inspector.formats.pi import rules
from inspector.formats.pi.decoder import PiDecoder
from inspector.formats.pi.tree.ids import key_of
from inspector.formats.pi.tree.store import NONE, Tree
from inspector.formats.pi.vocabulary import NOT_AN_ENTRY
from inspector.timeline.findings import Finding
from inspector.timeline.registers import Setting
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Form


class Session(Protocol):
    """A session that is folded to its head; see `inspector.formats.pi.reading.PiTape`."""

    decoder: PiDecoder
    log: TextLog

    @property
    def timeline(self) -> Timeline:
        """Its index."""

    def payload(self, event: int) -> dict[str, Any]:
        """An entry under the owner's keys."""

    def raw(self, event: int) -> bytes:
        """The bytes of the line of an entry."""

    def value(self, register: str, setting: Setting) -> Any:
        """The value of a register."""

    def findings(self) -> Iterator[Finding]:
        """What was found, and last what stands only until more is written."""

    def verdict(self) -> Verdict:
        """What the owner would do with it."""


class Shown(NamedTuple):
    """A row: the item that makes it, which of its rows it is, and the edit of which its content is.

    An item is the position of an entry, or ``~`` the number of one that is made.
    """

    item: int
    part: int = 0
    edit: int | None = None


class Material:
    """What plans ask; entries are called by the positions of their events.

    Args:
        session: which.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self._earlier: tuple[int, Tree] | None = None

    @property
    def timeline(self) -> Timeline:
        """The index."""
        return self.session.timeline

    @property
    def tree(self) -> Tree:
        """The entries, as they hang at the head."""
        return self.session.decoder.tree

    @property
    def head(self) -> int:
        """The cursor of the head."""
        return self.timeline.events

    @property
    def version(self) -> int:
        """The version of the header."""
        return self.session.decoder.judge.version

    @property
    def is_session(self) -> bool:
        """Whether the first entry is a header, without which the owner leaves a file alone."""
        return self.session.decoder.judge.opened

    @property
    def header(self) -> dict[str, Any]:
        """The header; empty if there is none."""
        return self.session.decoder.header

    @property
    def file(self) -> Path:
        """Where the session lies."""
        return self.session.log.path

    @property
    def has_no_entry(self) -> bool:
        """Whether there is nothing but what the owner passes over."""
        return all(map(self.timeline.is_rejected, range(self.head)))

    def type(self, event: int) -> str:
        """The type of an entry."""
        return self.timeline.table.type(event)

    def entry(self, event: int) -> dict[str, Any]:
        """An entry under the owner's keys."""
        return self.session.payload(event)

    def has_rows(self, event: int) -> bool:
        """Whether an entry ever made a row."""
        return self.tree.node[event] != NEVER

    def rows(self, cursor: int) -> tuple[int, ...]:
        """The nodes of the surface."""
        return tuple(row.node for row in self.timeline.rows(cursor))

    def shown(self, nodes: Sequence[int]) -> list[Shown]:
        """Nodes as rows of items."""
        return [shown(self.timeline, node) for node in nodes]

    @property
    def unended(self) -> bool:
        """Whether the last line is whole, and nothing ends it."""
        found = islice(self.session.findings(), len(self.timeline.findings), None)
        return any(one.kind is rules.UNENDED_LINE for one in found)

    # Where one stands.

    def leaf(self, cut: int) -> int:
        """The last entry before a cursor, on which the owner stands there; `NONE` if it is none.

        It stands nowhere on a line that is no object, or one whose id is null (rules page P1).
        """
        event = cut - 1
        while event >= 0 and self.timeline.is_rejected(event):
            event -= 1
        if event < 0 or self.type(event) == NOT_AN_ENTRY:
            return NONE
        if self.version >= 2 and self.entry(event).get("id", "") is None:
            return NONE
        return event

    def path(self, cut: int) -> list[int]:
        """The entries from the root to where one stands at a cursor, as they hung then."""
        leaf = self.leaf(cut)
        return [] if leaf == NONE else self._tree_at(cut).path(leaf)[0][::-1]

    def edited(self, edit: int, cut: int) -> int:
        """The entry that an edit was about at a cursor, or `NONE`."""
        tree = self._tree_at(cut)
        if tree is self.tree:
            return tree.owner(tree.edits[edit].target)
        return tree.find(self.entry(edit).get("targetId"))

    def _tree_at(self, cut: int) -> Tree:
        """The tree of the entries before a cursor: another one only where parents came late."""
        if not self.tree.late or cut == self.head:
            return self.tree
        if self._earlier is None or self._earlier[0] != cut:
            tree = Tree(self.entry)
            for event in range(cut):
                entry = {} if self._hangs_nowhere(event) else self.entry(event)
                tree.add(event, key_of(entry.get("id")), key_of(entry.get("parentId")))
            self._earlier = cut, tree
        return self._earlier[1]

    def _hangs_nowhere(self, event: int) -> bool:
        return self.timeline.is_rejected(event) or self.type(event) == NOT_AN_ENTRY


def shown(timeline: Timeline, node: int) -> Shown:
    """A node as a row of an item."""
    nodes = timeline.surface.nodes
    edit = None
    if nodes.form(node) is Form.REBUILT:
        edit = list(nodes.sources(node))[-1]
    return Shown(nodes.origin(node), nodes.part(node), edit)
