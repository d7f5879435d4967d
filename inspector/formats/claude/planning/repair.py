"""What is mended of a transcript whose writer stopped in the middle, all of it in a new session.

What the owner does with such a transcript is known in part (format page 1.6, 1.8 and 1.10): it
pairs calls and results anew in each request, and writes nothing.
"""

from collections.abc import Callable, Iterator
from typing import Final

from inspector.formats.claude.planning.branch import Branch
from inspector.formats.claude.planning.chaining import in_a_row
from inspector.formats.claude.planning.composing import Composition, History
from inspector.formats.claude.planning.forking import boundary_of, draft_of, first_fitting, forked
from inspector.formats.claude.planning.joining import joined
from inspector.formats.claude.planning.material import Material
from inspector.formats.claude.planning.pairing import Pairs, paired
from inspector.formats.claude.planning.rehearsing import Shown
from inspector.formats.planning import Check, Closer, Draft, Making, Repair
from inspector.text.gate import clean_line
from inspector.timeline.words import Form

SESSION: Final = "session"
ORPHANS: Final = "results without a call"
PARTED: Final = "results that are put behind their calls, each in a record of its own"

_SAID: Final = 80
_IN_MEMORY: Final = (
    "Claude Code pairs calls and results anew in each request, as far as is known, and writes "
    "nothing of it: what is mended is mended in a new session"
)


def repair(material: Material, making: Making, refused: str | None) -> Repair:
    """What would be mended.

    Args:
        material: the transcript.
        making: id and time of a new session.
        refused: why none can be made, or None.
    """
    nodes, breaks = joined(material)
    history = History(material, material.head, nodes)
    events = history.rows()
    pairs = paired(material, events)
    closers = (
        *_refused(material),
        *breaks,
        *_mended(material, events),
        *pairs.closers,
        *_torn(material),
    )
    if not closers:
        return Repair(())
    if refused is not None:
        refusal = Check(SESSION, ok=False, message=f"it cannot be mended: {refused}")
        return Repair(closers, Draft((), material.head, checks=(refusal,)))
    if pairs.closers or breaks:
        draft = _anew(history, events, pairs, making)
    else:
        draft = forked(history, making)
    return Repair(closers, draft, _IN_MEMORY if pairs.closers else "")


def _anew(history: History, events: list[int], pairs: Pairs, making: Making) -> Draft:
    material = history.material
    branch = Branch(material, history.cut, events)
    boundary = boundary_of(history)

    def composed(boundary: int | None) -> Composition:
        found = in_a_row(history, branch, pairs.items, pairs.made, boundary)
        found.edits.update(pairs.edits)
        return found

    tries: list[Callable[[], Composition]] = [lambda: composed(None)]
    if boundary is not None:
        tries.insert(0, lambda: composed(boundary))
    form = material.timeline.surface.nodes.form
    forms = {event: form(node) for event, node in zip(events, history.nodes, strict=True)}
    wanted = [Shown(item, forms.get(item, Form.FULL)) for item in pairs.items]
    copy, found, _ = first_fitting(history, tries, wanted, making)
    left = dict.fromkeys(pairs.dropped, ORPHANS) | dict.fromkeys(pairs.parted, PARTED)
    return draft_of(history, branch, copy, found, wanted, in_a_row=True, left=left)


def _refused(material: Material) -> Iterator[Closer]:
    """A boundary on which the owner's reader fails (rules page R3)."""
    verdict = material.verdict()
    if verdict.opens is False:
        reason = clean_line(verdict.reason or "", 2 * _SAID)
        what = f"what it kept is left out, on which the owner's reader fails: {reason}"
        yield Closer("compact_boundary", "altered", what, event=verdict.event)


def _mended(material: Material, events: list[int]) -> Iterator[Closer]:
    """Records in lines that are no JSON as they stand."""
    table = material.timeline.table
    for event in events:
        if material.is_mended(event):
            what = f"found in the damaged line {table.record(event) + 1}, gets a line of its own"
            yield Closer(clean_line(table.type(event), _SAID), "altered", what, event=event)


def _torn(material: Material) -> Iterator[Closer]:
    if material.pending:
        yield Closer("line", "dropped", f"the line that is not ended, {material.pending:,} bytes")
