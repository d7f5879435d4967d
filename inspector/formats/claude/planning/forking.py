"""A session that is made of another: how its records are put together, proven and told of."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from inspector.formats.claude.planning.branch import Branch
from inspector.formats.claude.planning.chaining import in_a_row
from inspector.formats.claude.planning.composing import (
    COMPACTIONS,
    HIDDEN,
    Composition,
    History,
    as_it_hangs,
)
from inspector.formats.claude.planning.copying import Copy
from inspector.formats.claude.planning.material import Material
from inspector.formats.claude.planning.rehearsing import Rehearsal, Shown, rehearsed
from inspector.formats.claude.planning.sparing import spared
from inspector.formats.claude.tree.store import BOUNDARY
from inspector.formats.planning import Check, Draft, How, Making, Write
from inspector.formats.viewing import is_summary
from inspector.text.gate import clean_line
from inspector.text.labels import plural
from inspector.timeline.words import Form, Role

PROVENANCE: Final = "provenance"
REREAD: Final = "read-again"
CLEARED: Final = "cleared"

_SAID: Final = 80
_PROJECTS: Final = "projects"
_IN_A_ROW: Final = "records hang one on the other, in the order in which the model saw them"


def forked(history: History, making: Making) -> Draft:
    """A new session of some rows.

    The records hang on each other as they did if all readers then show the rows; else one on the
    other in the order of the rows; and where a reader brings back what a compaction hid, without
    that.
    """
    material = history.material
    rows, branch = history.rows(), history.branch()
    boundary = boundary_of(history)
    compositions: list[Callable[[], Composition]] = [
        lambda: as_it_hangs(history, branch, rows),
        lambda: in_a_row(history, branch, rows),
    ]
    if boundary is not None:
        compositions.insert(1, lambda: in_a_row(history, branch, rows, boundary=boundary))
    wanted = shown(material, rows, history.nodes)
    copy, found, number = first_fitting(history, compositions, wanted, making)
    return draft_of(history, branch, copy, found, wanted, in_a_row=number > 0)


def first_fitting(
    history: History,
    compositions: Sequence[Callable[[], Composition]],
    wanted: Sequence[Shown],
    making: Making,
) -> tuple[Copy, Rehearsal, int]:
    """The first of several compositions that gives the rows that are wanted.

    One that also shows them in the form that is wanted comes before any that does not. Where none
    gives them it is the last.
    """
    material = history.material
    title = material.title(history.cut)
    tried: list[tuple[Copy, Rehearsal]] = []
    for compose in compositions:
        copy = Copy(material, spared(history, compose()), making, title)
        tried.append((copy, rehearsed(copy, material.policy)))
        if tried[-1][1].gives(wanted, forms=True):
            break
    fits = (
        number
        for forms in (True, False)
        for number, (_, found) in enumerate(tried)
        if found.gives(wanted, forms=forms)
    )
    best = next(fits, len(tried) - 1)
    return *tried[best], best


def shown(material: Material, items: Sequence[int], nodes: Sequence[int]) -> list[Shown]:
    """Rows as they are wanted."""
    form = material.timeline.surface.nodes.form
    return [Shown(item, form(node)) for item, node in zip(items, nodes, strict=True)]


def boundary_of(history: History) -> int | None:
    """The event of the boundary below which the last summary of a history stands, or None."""
    material = history.material
    if not history.summaries:
        return None
    table = material.timeline.surface.nodes
    for node in reversed(history.nodes):
        if table.role(node) is Role.SUMMARY and is_summary(material.timeline, node):
            above = material.above(table.origin(node))
            if above is not None and material.flags(above) & BOUNDARY:
                return above if material.above(above) is None else None
            return None
    return None


def draft_of(
    history: History,
    branch: Branch,
    copy: Copy,
    found: Rehearsal,
    wanted: Sequence[Shown],
    *,
    in_a_row: bool,
    remarks: Sequence[str] = (),
    left: Mapping[int, str] | None = None,
) -> Draft:
    """What is said of a new session in a plan.

    Args:
        history: what it shows.
        branch: what that hangs on.
        copy: its lines.
        found: what readers make of it.
        wanted: what they are to make of it.
        in_a_row: whether its records hang on each other in another way than they did.
        remarks: what else is to be said.
        left: why events are left out of which that is not plain, by event.
    """
    material, composition = history.material, copy.composition
    why = HIDDEN if history.summaries else COMPACTIONS
    omitted = composition.omitted(branch, history.cut, why, left or {})
    behind = composition.behind(history.cut)
    return Draft(
        (_write(material, copy, found),),
        composition.kept(history.cut),
        omitted,
        (_provenance(material, copy.made_for), *_reread(found, wanted)),
        (
            *remarks,
            *_later(behind),
            *((_IN_A_ROW,) if in_a_row else ()),
            *_mended(material, composition),
        ),
        tuple(_where(material)),
        behind,
        found.registers,
    )


def _write(material: Material, copy: Copy, found: Rehearsal) -> Write:
    return Write(target(material, copy.made_for), How.CREATE, copy.content, length=found.length)


def target(material: Material, session: str) -> Path:
    """The file of a new session: where the owner looks for those of the project (page 1.1)."""
    return material.path.parent / f"{session}.jsonl"


def _where(material: Material) -> Iterator[str]:
    if material.path.absolute().parent.parent.name != _PROJECTS:
        yield (
            "the transcript lies outside of Claude Code's folders; the new one would lie beside "
            "it, where Claude Code does not look"
        )


def _later(behind: int) -> Iterator[str]:
    """What travels although it is undone."""
    if behind:
        counted = plural(behind, "record is copied that stands", "records are copied that stand")
        yield f"{counted} behind the cut, by which the history was compacted later"


def _mended(material: Material, composition: Composition) -> Iterator[str]:
    count = sum(item >= 0 and material.is_mended(item) for item in composition.items)
    if count:
        counted = plural(count, "record gets a line of its own", "records get lines of their own")
        yield f"{counted}: Claude Code passes over the line in which it stands here"


def _provenance(material: Material, session: str) -> Check:
    if material.session is None:
        why = "the transcript has no session id, so the new one cannot name it as its parent"
        return Check(PROVENANCE, ok=False, message=why, blocks=False)
    said = clean_line(material.session, _SAID)
    if material.session == session:
        return Check(PROVENANCE, ok=False, message=f"the new session would be {said} too")
    message = f"every record names session {said} and the record that it is a copy of"
    return Check(PROVENANCE, ok=True, message=message)


def _reread(found: Rehearsal, wanted: Sequence[Shown]) -> Iterator[Check]:
    if found.gives(wanted, forms=False):
        message = "read again it gives this history, and the owner's reader lists it"
        yield Check(REREAD, ok=True, message=message)
        cleared = sum(row.form is Form.CLEARED for row in wanted)
        whole = cleared - sum(row.form is Form.CLEARED for row in found.rows)
        if whole > 0:
            counted = plural(whole, "result comes", "results come")
            why = f"{counted} back whole that were cleared here"
            yield Check(CLEARED, ok=False, message=why, blocks=False)
        return
    why = "; ".join(clean_line(one, 2 * _SAID) for one in found.errors[:3])
    if not why:
        why = f"{plural(len(found.rows), 'row')} and not {len(wanted)}, or others"
    yield Check(REREAD, ok=False, message=f"read again it would give another history: {why}")
