"""A compaction with a summary of ours, as the owner writes one (format page 4.2 and 4.4)."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from inspector.formats.copied_lines import GONE, line_of
from inspector.formats.pi.planning import moving
from inspector.formats.pi.planning.composing import Composition, History, as_it_hangs, in_a_row
from inspector.formats.pi.planning.copying import Names
from inspector.formats.pi.planning.forking import draft_of, first_fitting, reread
from inspector.formats.pi.planning.material import Material, Shown
from inspector.formats.pi.planning.messages import FAILED, calls, contents, message
from inspector.formats.pi.planning.rehearsing import appended
from inspector.formats.pi.planning.repairing import answered
from inspector.formats.pi.planning.splitting import projected
from inspector.formats.pi.tree.ids import key_of
from inspector.formats.pi.tree.store import COMPACTS, EDITS, NONE
from inspector.formats.pi.vocabulary import ASSISTANT, COMPACTION, SYSTEM, TOOL_RESULT
from inspector.formats.planning import Draft, How, Making, Write
from inspector.formats.shapes import items, mapping, natural, text
from inspector.formats.stamps import stamp
from inspector.text.jsontext import json_text
from inspector.timeline.words import Role

_ALTERS: Final = COMPACTS | EDITS

_READS: Final = ("read",)
_CHANGES: Final = ("write", "edit")

_IN_PLACE: Final = (
    "one entry is appended, as Pi itself compacts: what it hides stays in the file, and a move to "
    "an entry before it shows it again"
)
_IN_A_COPY: Final = (
    "Pi itself appends the compaction to the same file; here it is the last entry of a copy, and "
    "the session stays as it is"
)
_SYSTEMS: Final = (
    "what the system said is one message before the summary, as Pi makes one of it (rules page P3)"
)


def no_append(material: Material) -> str | None:
    """Why no compaction can be appended to the session, or None."""
    why = moving.no_append(material)
    if why is not None:
        return why
    leaf = material.leaf(material.head)
    if leaf == NONE and material.has_no_entry:
        # What comes first hangs on nothing.
        return None
    if leaf == NONE or key_of(material.entry(leaf).get("id")) is None:
        return "the last entry has no id, so that nothing can hang on it"
    return None


def compacted(
    material: Material, rows: int, summary: str, making: Making, *, anew: bool = False
) -> Draft:
    """A compaction that stands for the first rows, behind the session if it can, else in a copy.

    It keeps from the first row kept on. Where the owner would show other rows of a copy that is
    made so, the compaction stands before the rows kept. Behind the session all lines stay what they
    are: whether it shows these rows then is a check.
    """
    nodes = material.rows(material.head)
    role = material.timeline.surface.nodes.role
    kept = [node for node in nodes[rows:] if role(node) is not Role.SYSTEM]
    system = current_system(material, nodes, making.time)
    made = _entry(material, nodes[:rows], summary, system, making)
    whole, rest = History(material, material.head, nodes), History(material, material.head, kept)
    first = None if not kept else material.shown(kept[:1])[0].item
    own = [Shown(~0, part) for part in range(1 if system is None else 2)]
    wanted = own + material.shown(kept)
    checks = (answered(material, tuple(kept)),)
    remarks = () if system is None else (_SYSTEMS,)
    if not anew and no_append(material) is None:
        line = _line(material, made, first, making)
        found = appended(material, line)
        return Draft(
            (Write(material.file, How.APPEND, lambda: iter((line,)), length=len(line)),),
            material.head,
            checks=(reread(found, wanted), *checks),
            remarks=(_IN_PLACE, *remarks),
            registers=found.registers,
        )
    tries: list[Callable[[], Composition]] = [
        lambda: _behind(as_it_hangs(whole), dict(made), first),
        lambda: in_a_row(rest, dict(made)),
    ]
    copy, found, _ = first_fitting(material, tries, wanted, making)
    return draft_of(whole, copy, found, wanted, checks, (_IN_A_COPY, *remarks))


def _line(material: Material, made: dict[str, Any], first: int | None, making: Making) -> bytes:
    """The compaction as a line below the last entry."""
    name, leaf = Names(material, making).new("compaction"), material.leaf(material.head)
    above = None if leaf == NONE else material.entry(leaf).get("id")
    tied = {"type": COMPACTION, "id": name, "parentId": above}
    kept = name if first is None else material.entry(first).get("id")
    line = line_of({**tied, **made, "firstKeptEntryId": kept}) + b"\n"
    return b"\n" + line if material.unended else line


def _behind(found: Composition, made: dict[str, Any], first: int | None) -> Composition:
    """A compaction behind all entries that keeps from one on, or nothing."""
    item = found.make(made)
    found.kept[item] = item if first is None else first
    return found


def _entry(
    material: Material,
    hidden: Sequence[int],
    summary: str,
    system: dict[str, Any] | None,
    making: Making,
) -> dict[str, Any]:
    """The compaction, without what ties it to others."""
    read, changed = _files(material, hidden)
    return {
        "type": COMPACTION,
        "timestamp": stamp(making.time),
        "summary": summary,
        "firstKeptEntryId": None,
        "tokensBefore": tokens_before(material),
        "details": {"readFiles": sorted(read - changed), "modifiedFiles": sorted(changed)},
        "systemMessage": GONE if system is None else system,
    }


def tokens_before(material: Material) -> int:
    """The tokens of the context by the owner's rule: those of the last answer that reports any, if
    nothing was edited or compacted behind it, and an estimate of what follows; else an estimate.
    """
    tokens, role = material.timeline.surface.nodes.tokens, material.timeline.surface.nodes.role
    behind, fresh = 0, _fresh(material)
    for one in reversed(projected(material)):
        reported = _reported(material, one.nodes)
        if reported and one.event in fresh:
            return reported + behind
        behind += sum(tokens[node] for node in one.nodes)
    rows = material.rows(material.head)
    said = sum(tokens[node] for node in rows if role(node) is not Role.SYSTEM)
    return said + _weight(current_system(material, rows, 0))


def _weight(system: dict[str, Any] | None) -> int:
    """The tokens of what the system said, by the owner's estimate: four characters each."""
    if system is None:
        return 0
    parts = [system["content"], *filter(None, mapping(system.get("sections")).values())]
    characters = sum(len(text(part)) for part in parts)
    if "toolsAdded" in system:
        characters += len(json_text(system["toolsAdded"]))
    return (characters + 3) // 4


def _fresh(material: Material) -> frozenset[int]:
    """The entries of the path behind which nothing was edited or compacted."""
    path, flags = material.path(material.head), material.tree.flags
    last = next((at for at in range(len(path) - 1, -1, -1) if flags[path[at]] & _ALTERS), -1)
    return frozenset(path[last + 1 :])


def _reported(material: Material, nodes: Sequence[int]) -> int:
    for node in nodes:
        said = message(material, node)
        if said.get("role") == ASSISTANT and text(said.get("stopReason")) not in FAILED:
            usage = mapping(said.get("usage"))
            parts = ("input", "output", "cacheRead", "cacheWrite")
            total = natural(usage.get("totalTokens"))
            return total or sum(natural(usage.get(part)) or 0 for part in parts)
    return 0


# What the owner knows of files that are no more to be seen.


def _files(material: Material, nodes: Sequence[int]) -> tuple[set[str], set[str]]:
    """The files that were read, and those that were changed, by calls of rows that are hidden."""
    read: set[str] = set()
    changed: set[str] = set()
    origin = material.timeline.surface.nodes.origin
    for node in nodes:
        entry = material.entry(origin(node))
        if entry.get("type") == COMPACTION and not entry.get("fromHook"):
            details = mapping(entry.get("details"))
            read.update(filter(None, map(text, items(details.get("readFiles")))))
            changed.update(filter(None, map(text, items(details.get("modifiedFiles")))))
        for call in _done(message(material, node)):
            path = text(mapping(call.get("arguments")).get("path"))
            name = call.get("name")
            if path and name in _READS:
                read.add(path)
            elif path and name in _CHANGES:
                changed.add(path)
    return read, changed


def _done(said: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield from calls({**said, "stopReason": None})
    if said.get("role") == TOOL_RESULT:
        yield from map(mapping, items(mapping(said.get("nestedCalls")).get("calls")))


# What the system said.


def current_system(material: Material, nodes: Sequence[int], time: int) -> dict[str, Any] | None:
    """All that the system said as one message, as the owner replays it (rules page P3); None where
    it said nothing.
    """
    role = material.timeline.surface.nodes.role
    texts: list[str] = []
    sections: dict[str, Any] = {}
    tools: dict[str, Any] = {}
    messages = [message(material, node) for node in nodes if role(node) is Role.SYSTEM]
    for said in messages:
        texts.append(contents(said.get("content"), "\n"))
        for name, value in mapping(said.get("sections")).items():
            if value is None:
                sections.pop(name, None)
            else:
                sections[name] = value
        for tool in items(said.get("toolsRemoved")):
            tools.pop(text(mapping(tool).get("name")), None)
        tools |= {text(mapping(tool).get("name")): tool for tool in items(said.get("toolsAdded"))}
    if not messages:
        return None
    found: dict[str, Any] = {"role": SYSTEM, "content": "\n\n".join(filter(None, texts))}
    if sections:
        found["sections"] = sections
    if tools:
        found["toolsAdded"] = list(tools.values())
    return {**found, "timestamp": time}
