"""A session that is made of another: its file, how it is put together, and what is told of it."""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

from inspector.formats.pi.planning.composing import Composition, History, as_it_hangs, in_a_row
from inspector.formats.pi.planning.copying import Copy, label_entry
from inspector.formats.pi.planning.labels import Label, labels
from inspector.formats.pi.planning.material import Material, Shown
from inspector.formats.pi.planning.rehearsing import Rehearsal, rehearsed
from inspector.formats.pi.tree.ids import key_of
from inspector.formats.pi.vocabulary import CURRENT
from inspector.formats.planning import Check, Draft, How, Making, Write
from inspector.text.gate import clean_line
from inspector.text.labels import plural

PROVENANCE: Final = "provenance"
REREAD: Final = "read-again"

_SAID: Final = 200
_IN_A_ROW: Final = (
    "the entries hang one on the other in the order in which the model saw them; what is hidden "
    "does not travel"
)

Compose = Callable[[], Composition]


def forked(
    history: History,
    making: Making,
    checks: Sequence[Check] = (),
    remarks: Sequence[str] = (),
) -> Draft:
    """A new session of some rows: the path as the owner's own fork has it, if that shows them, else
    the rows alone.
    """
    tries: tuple[Compose, ...] = (lambda: as_it_hangs(history), lambda: in_a_row(history))
    copy, found, number = first_fitting(history.material, tries, history.wanted, making)
    said = (*remarks, _IN_A_ROW) if number else tuple(remarks)
    return draft_of(history, copy, found, history.wanted, checks, said)


def first_fitting(
    material: Material, tries: Sequence[Compose], wanted: Sequence[Shown], making: Making
) -> tuple[Copy, Rehearsal, int]:
    """The first of several compositions that shows some rows, labels behind it; the first of all
    where none does.
    """
    known = labels(material)
    tried: list[tuple[Copy, Rehearsal]] = []
    for number, compose in enumerate(tries):
        composition = compose()
        _label(material, composition, known)
        copy = Copy(material, composition, making)
        tried.append((copy, rehearsed(copy)))
        if tried[-1][1].gives(wanted):
            return *tried[-1], number
    return *tried[0], 0


def _label(material: Material, composition: Composition, known: dict[str, Label]) -> None:
    """The labels of what is copied come last, one behind the other (format page 4.3)."""
    if not known:
        return
    tree, there = material.tree, frozenset(composition.items)
    ids: frozenset[str | None] = frozenset()
    if tree.late:
        ids = frozenset(key_of(material.entry(item).get("id")) for item in there if item >= 0)
    for key, one in known.items():
        if key in ids or tree.find(one.target) in there:
            composition.make(label_entry(one.target, one.label, one.timestamp))


def draft_of(
    history: History,
    copy: Copy,
    found: Rehearsal,
    wanted: Sequence[Shown],
    checks: Sequence[Check] = (),
    remarks: Sequence[str] = (),
) -> Draft:
    """What is said of a new session in a plan.

    Args:
        history: what it is made of.
        copy: its lines.
        found: what is seen of them.
        wanted: what is to be seen.
        checks: what else was looked at.
        remarks: what else is to be said.
    """
    material, composition = history.material, copy.composition
    behind = composition.travel(history.cut, material.head)
    return Draft(
        (_write(material, copy, found, copy.header["id"]),),
        composition.travel(0, history.cut),
        composition.omitted(history),
        (_provenance(material), reread(found, wanted), *checks),
        (
            *remarks,
            *_later(behind),
            *_labelled(composition),
            *_versions(material),
        ),
        tuple(_where(material)),
        behind,
        found.registers,
    )


def _write(material: Material, copy: Copy, found: Rehearsal, session: str) -> Write:
    file = target(material, session, copy.header["timestamp"])
    return Write(file, How.CREATE, copy.content, length=found.length)


def target(material: Material, session: str, time: str) -> Path:
    """The file of a new session: beside the other, with a name of the owner's (format page 4.1)."""
    moment = time.replace(":", "-").replace(".", "-")
    return material.file.parent / f"{moment}_{session}.jsonl"


def _where(material: Material) -> Iterator[str]:
    folder = material.file.absolute().parent.name
    if not (folder.startswith("--") and folder.endswith("--")):
        yield (
            "the session lies outside of Pi's own folders; the new one would lie beside it, where "
            "Pi finds it by its path alone (`pi --session`)"
        )
    if not isinstance(material.header.get("cwd"), str):
        yield "the header names no folder to work in: Pi takes that in which it is started"


def _later(behind: int) -> Iterator[str]:
    """What travels although it is undone."""
    if behind:
        counted = plural(behind, "entry is copied that stands", "entries are copied that stand")
        yield f"{counted} behind the cut, by which the history was compacted or edited later"


def _labelled(composition: Composition) -> Iterator[str]:
    count = sum(item < 0 and _is_label(composition, item) for item in composition.items)
    if count:
        counted = plural(count, "label stands", "labels stand")
        yield (
            f"{counted} at the end as the file has them at its head, as in a fork of Pi's own "
            "(format page 4.3)"
        )


def _is_label(composition: Composition, item: int) -> bool:
    return "label" in composition.made[~item]


def _versions(material: Material) -> Iterator[str]:
    version = material.version
    if version < CURRENT:
        ids = "; its entries have no ids, so these are ours" if version < 2 else ""
        yield (
            f"the session is of version {version}, which Pi makes version {CURRENT} of when it "
            f"opens it; the new one is of version {CURRENT} at once{ids}"
        )
    elif version > CURRENT:
        yield f"the session says version {version}; Pi writes version {CURRENT}, so does this"


def _provenance(material: Material) -> Check:
    if str(material.file) == "-":
        why = "the session came from the standard input: the new one cannot name a file it is of"
        return Check(PROVENANCE, ok=False, message=why, blocks=False)
    said = clean_line(str(material.file.absolute()), _SAID)
    return Check(PROVENANCE, ok=True, message=f"the header names {said}")


def reread(found: Rehearsal, wanted: Sequence[Shown]) -> Check:
    """Whether what is made gives the rows that it is to give."""
    if found.gives(wanted):
        return Check(REREAD, ok=True, message="read again it gives this history")
    if found.refused:
        why = f"Pi could not show it: {clean_line(found.refused, _SAID)}"
        return Check(REREAD, ok=False, message=why)
    why = f"{plural(len(found.rows), 'row')} and not {len(wanted)}, or others"
    return Check(REREAD, ok=False, message=f"read again it would give another history: {why}")
