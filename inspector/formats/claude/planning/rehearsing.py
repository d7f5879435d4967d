"""What the owner's readers would make of a transcript that is not written: its lines are folded."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from inspector.formats.claude.decoder import ClaudeDecoder
from inspector.formats.claude.planning.copying import Copy
from inspector.formats.claude.policies import JAVASCRIPT, POLICIES, Policy
from inspector.formats.claude.tree.store import QUEUED, REMINDER
from inspector.formats.logs.folding import Folding
from inspector.tape.lines import offsets
from inspector.tape.records import RecordTable
from inspector.timeline.builder import Builder
from inspector.timeline.findings import Severity
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
    """

    rows: list[Shown]
    listed: frozenset[int]
    attached: frozenset[int]
    errors: list[str]

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
    rows, attached, errors = _folded(copy, policy)
    listed, _, _ = (rows, attached, errors) if policy is _RELOAD else _folded(copy, _RELOAD)
    return Rehearsal(rows, frozenset(row.item for row in listed), attached, errors)


def _folded(copy: Copy, policy: Policy) -> tuple[list[Shown], frozenset[int], list[str]]:
    items = copy.composition.items
    builder, records = Builder(Timeline()), RecordTable()
    decoder = ClaudeDecoder(Folding(builder, records), policy, copy.line)
    byte = 0
    for first in range(0, len(items), _BATCH):
        lines = [copy.line(place) for place in range(first, min(len(items), first + _BATCH))]
        records.extend(offsets(byte, lines))
        byte += sum(map(len, lines)) + len(lines)
        decoder.fold(first, lines)
    timeline = builder.timeline
    nodes = timeline.surface.nodes
    rows = [
        Shown(items[nodes.origin(row.node)], nodes.form(row.node))
        for row in timeline.rows(timeline.events)
    ]
    tree = decoder.tree
    attached = frozenset(
        items[tree.line[entry]] for entry, flags in enumerate(tree.flags) if flags & _ATTACHED
    )
    errors = [one.message for one in timeline.findings if one.kind.severity is Severity.ERROR]
    judged = decoder.judge.verdict(lists=True, relinks=True)
    if judged.opens is not True:
        errors.append(judged.reason or "")
    return rows, attached, errors
