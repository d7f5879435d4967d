"""A rewind within the file: one line, below which the session goes on.

Nothing in the format says that one moved: where one stands is the last line, whatever it is (rules
page P2). The one entry that the owner itself appends on a move, and that says nothing to the model,
is a label: ``/tree`` with a label writes it below the new place (format page 4.3). One that repeats
what an entry is called already, or that takes away a label that it has not, only moves.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from inspector.formats.copied_lines import GONE, line_of
from inspector.formats.pi import rules
from inspector.formats.pi.planning.copying import Names
from inspector.formats.pi.planning.forking import reread
from inspector.formats.pi.planning.labels import labels
from inspector.formats.pi.planning.material import Material
from inspector.formats.pi.planning.rehearsing import appended
from inspector.formats.pi.planning.repairing import answered
from inspector.formats.pi.tree.ids import key_of
from inspector.formats.pi.tree.store import NONE
from inspector.formats.pi.vocabulary import CURRENT, LABEL
from inspector.formats.planning import Cuts, Draft, How, Making, Stop, Write
from inspector.formats.stamps import stamp
from inspector.text.gate import clean_line

NAMED: Final = Stop(
    "entry-id",
    "the entry before it has no id, so that nothing can hang on it",
    "the entry before it can be the parent of another",
)

_A_COPY: Final = "a new tape (`--how create`) leaves out what Pi fails on"
_BACK: Final = (
    "behind the cut one only moved: a rewind to the same cut (`inspector plan rewind --after {}`) "
    "stands there again in the same file, by one line, and needs no new session"
)
_MOVES: Final = 8
"""So many labels behind a cut are looked at."""

_SAID: Final = 80
_ON_PATH: Final = ("provider", "model", "thinking")
"""What holds at an entry; all else is what the file says."""


def no_append(material: Material) -> str | None:
    """Why nothing can be appended to the session, or None."""
    session, log = material.session, material.session.log
    verdict = session.verdict()
    if verdict.opens is not True:
        return f"Pi does not open the session: {clean_line(verdict.reason or '', 2 * _SAID)}"
    if material.version < CURRENT:
        return (
            f"the session is of version {material.version}: Pi would rewrite the file as version "
            f"{CURRENT} first"
        )
    if log.variant != "jsonl":
        return "the session is kept packed, which Pi does not read"
    if str(material.file) == "-":
        return "the session is no file of its own"
    if log.pending:
        return "the last line is torn: Pi would put a line end behind it, and pass over it"
    if material.timeline.stopped_at is not None:
        return "the fold stops before the end: where Pi stands there is not known"
    if material.tree.late:
        return "an id stands for several entries, or for one that came later: places are not sure"
    return None


def cuts(material: Material) -> Cuts:
    """Where one can stand: on every entry that has an id, and before all of them."""
    return Cuts(material.head, [(NAMED, list(_unnamed(material)))])


def _unnamed(material: Material) -> Iterator[tuple[int, int]]:
    timeline = material.timeline
    for one in timeline.findings:
        event = one.event
        if one.kind is not rules.NO_ID or event is None or material.leaf(event + 1) != event:
            continue
        stop = event + 1
        while stop < material.head and timeline.is_rejected(stop):
            stop += 1
        yield event + 1, stop + 1


def moved(material: Material, at: int, making: Making) -> Draft:
    """A line behind the session, below the entry on which one stood at a cursor."""
    leaf, head = material.leaf(at), material.head
    registers = _registers(material, at)
    if leaf in (_stands(material), material.leaf(head)):
        why = "Pi stands there already: nothing is to be written"
        return Draft((), at, remarks=(why,), registers=registers)
    target = _anchor(material) if leaf == NONE else leaf
    if target == NONE:
        return Draft((), at, remarks=("no entry has an id",), registers=registers)
    line = _line(material, leaf, target, making)
    if material.unended:
        line = b"\n" + line
    found = appended(material, line)
    seen = reread(found, material.shown(material.rows(at)))
    if found.refused:
        seen = seen._replace(message=f"{seen.message}; {_A_COPY}")
    return Draft(
        (Write(material.file, How.APPEND, lambda: iter((line,)), length=len(line)),),
        at,
        checks=(seen, answered(material, material.rows(at))),
        remarks=tuple(_remarks(material, leaf, target)),
        registers=registers,
    )


def moved_back(material: Material, at: int) -> str | None:
    """What is to be said of a cut behind which there is nothing but a move, or None."""
    head, there = material.head, material.leaf(at)
    behind = range(at, head)
    if not 0 < len(behind) <= _MOVES or there == NONE or not cuts(material).legal(at):
        return None
    if any(material.type(event) != LABEL for event in behind) or no_append(material) is not None:
        return None
    if material.tree.above(at) == there:
        return None
    return _BACK.format(at)


def _stands(material: Material) -> int:
    """The entry on which the owner stands at the head, labels below it passed over."""
    leaf = material.leaf(material.head)
    while leaf != NONE and material.type(leaf) == LABEL:
        leaf = material.tree.above(leaf)
    return leaf


def _line(material: Material, leaf: int, target: int, making: Making) -> bytes:
    name = material.entry(target).get("id")
    known = labels(material).get(key_of(name) or "")
    entry = {
        "type": LABEL,
        "id": Names(material, making).new("move"),
        "parentId": None if leaf == NONE else name,
        "timestamp": stamp(making.time),
        "targetId": name,
        "label": GONE if known is None else known.label,
    }
    return line_of(entry) + b"\n"


def _anchor(material: Material) -> int:
    """An entry that a label may be about, where one stands before all entries."""
    for event in range(material.head):
        name = material.entry(event).get("id")
        if not material.timeline.is_rejected(event) and material.tree.find(name) == event:
            return event
    return NONE


def _remarks(material: Material, leaf: int, target: int) -> Iterator[str]:
    name = clean_line(str(material.entry(target).get("id")), _SAID)
    below = "at the root" if leaf == NONE else f"below {name}"
    yield (
        f"one line is appended: a label {below} that leaves {name} called as it is. Pi stands on "
        "the last line of a file, whatever it says (rules page P2), and writes such a line itself "
        "when a label is set in `/tree`; a move alone it keeps in memory"
    )
    yield "what is taken back stays in the file as a branch: `/tree` leads there again"
    if material.unended:
        yield "a line end is put before it, which the last line lacks; Pi does so when it opens it"


def _registers(material: Material, at: int) -> Mapping[str, Any]:
    """Model and level of thinking are those of the path, all else is the file's (page P2)."""
    registers, value = material.timeline.registers, material.session.value
    then, now = registers.state(at), registers.state(material.head)
    found = {name: value(name, one) for name, one in now.items() if name not in _ON_PATH}
    found |= {name: value(name, then[name]) for name in _ON_PATH if name in then}
    return found
