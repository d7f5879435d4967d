"""What the owner's readers would make of a transcript that is not written: its lines are folded."""

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from inspector.formats.claude.decoder import ClaudeDecoder
from inspector.formats.claude.effects.registers import value_of
from inspector.formats.claude.planning.copying import Copy
from inspector.formats.claude.policies import JAVASCRIPT, POLICIES, Policy
from inspector.formats.claude.readers import Readers
from inspector.formats.claude.tree.store import QUEUED, REMINDER
from inspector.formats.logs.folding import Folding
from inspector.tape.lines import offsets
from inspector.tape.records import RecordTable
from inspector.timeline.builder import Builder
from inspector.timeline.findings import Severity
from inspector.timeline.registers import IN_PAYLOAD
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Form

_BATCH: Final = 512
_ATTACHED: Final = QUEUED | REMINDER
_RELOAD: Final = POLICIES[f"{JAVASCRIPT}:reload"]


class Shown(NamedTuple):
    """A row: the item that makes it, and in which form."""

    item: int
    form: Form


class Rehearsal(NamedTuple):
    """What is seen of a transcript once it is written.

    Attributes:
        rows: by the reader by which the tape was folded.
        listed: the items that the owner's JavaScript reader opens, in no order.
        attached: those that it may pass over: attachments behind the last message, and commands
            typed ahead.
        errors: what is wrong with it, in words.
        length: of its lines and their newlines, in bytes.
        registers: its named values.
    """

    rows: list[Shown]
    listed: frozenset[int]
    attached: frozenset[int]
    errors: list[str]
    length: int
    registers: dict[str, Any]

    def gives(self, wanted: Sequence[Shown], *, forms: bool) -> bool:
        """Whether rows are shown, and nothing else."""
        if self.errors:
            return False
        mine = self.rows if forms else [row.item for row in self.rows]
        others = list(wanted) if forms else [row.item for row in wanted]
        items = frozenset(row.item for row in wanted)
        return mine == others and self.listed <= items and items - self.listed <= self.attached


def rehearsed(copy: Copy, policy: Policy) -> Rehearsal:
    """Fold the lines of a transcript.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    mine = _Reader(copy, policy)
    places = len(copy.composition.items)
    for first in range(0, places, _BATCH):
        lines = [copy.line(place) for place in range(first, min(places, first + _BATCH))]
        mine.fold(first, lines)
    if copy.title:
        mine.fold(places, [copy.title_line()])
    listed = mine.opened(_RELOAD)
    return Rehearsal(
        mine.rows(), listed, mine.attached(), mine.errors(), mine.length, mine.registers()
    )


class _Reader:
    """Reads lines that are not written, by the rules of one of the owner's readers.

    Attributes:
        length: of what was read, in bytes.
    """

    def __init__(self, copy: Copy, policy: Policy) -> None:
        self._copy = copy
        self._items = copy.composition.items
        self._timeline = Timeline()
        self._records = RecordTable()
        folding = Folding(Builder(self._timeline), self._records)
        self._decoder = ClaudeDecoder(folding, policy, self._line)
        self.length = 0

    def fold(self, first: int, lines: list[bytes]) -> None:
        """Take the next lines, the first of which has this number."""
        self._records.extend(offsets(self.length, lines))
        self.length += sum(map(len, lines)) + len(lines)
        self._decoder.fold(first, lines)

    def rows(self) -> list[Shown]:
        """What is shown of them."""
        timeline, items = self._timeline, self._items
        nodes = timeline.surface.nodes
        return [
            Shown(items[nodes.origin(row.node)], nodes.form(row.node))
            for row in timeline.rows(timeline.events)
        ]

    def opened(self, policy: Policy) -> frozenset[int]:
        """The items that a reader opens that loads the whole file."""
        decoder, tree = self._decoder, self._decoder.tree
        readers = Readers(decoder, self._timeline, self._part, self._line)
        return frozenset(self._items[tree.line[entry]] for entry in readers.opened(policy))

    def _part(self, place: int) -> dict[str, Any]:
        """What a record says that tells which message it is a part of; all of any other record."""
        item = self._items[place]
        if item < 0 or not self._copy.is_part(item):
            return self._decoder.read(place)
        return self._copy.part(item)

    def attached(self) -> frozenset[int]:
        """The items that are no messages and yet rows."""
        tree, items = self._decoder.tree, self._items
        return frozenset(
            items[tree.line[entry]] for entry, flags in enumerate(tree.flags) if flags & _ATTACHED
        )

    def registers(self) -> dict[str, Any]:
        """The named values behind the last line."""
        state = self._timeline.registers.state(self._timeline.events)
        return {
            name: value_of(name, self._decoder.read(setting.event))
            if setting.value is IN_PAYLOAD
            else setting.value
            for name, setting in state.items()
        }

    def _line(self, place: int) -> bytes:
        """A line: of an item, or behind them what the session is called."""
        copy = self._copy
        return copy.line(place) if place < len(self._items) else copy.title_line()

    def errors(self) -> list[str]:
        """What is wrong, in words."""
        severe = (one for one in self._timeline.findings if one.kind.severity is Severity.ERROR)
        verdict = self._decoder.judge.verdict(lists=True, relinks=True)
        refused = [] if verdict.opens is True else [verdict.reason or ""]
        return [*(one.message for one in severe), *refused]
