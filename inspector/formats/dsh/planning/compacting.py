"""A compaction of the head: the owner's split, and the log in which a summary stands for rows.

The owner compacts by itself from the first row up to a tail of so many tokens, and all of it when a
person asks (page 7.1 and 7.3). What it says to the model is not known, so the frame of the summary
is in our words.
"""

from collections.abc import Sequence
from typing import Final

from inspector.formats.dsh.effects.tokens import of_content
from inspector.formats.dsh.planning.brackets import Bracket, bracket_lines
from inspector.formats.dsh.planning.cuts import OPEN_TURN
from inspector.formats.dsh.planning.kept import as_it_is
from inspector.formats.dsh.planning.material import Material
from inspector.formats.dsh.planning.writing import Child
from inspector.formats.planning import OPEN_TURN as IN_TURN
from inspector.formats.planning import Check, Draft, Making, Prompt, Split
from inspector.formats.shapes import items, mapping, natural
from inspector.text.jsontext import json_bytes
from inspector.text.redaction import redacted
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Role, SpanKind

RETAINED: Final = 0.16
"""The part of the window that the owner keeps when it compacts by itself."""

SMALLER: Final = "smaller"
BALANCED: Final = "balanced"

PROVIDER: Final = "tape-inspector"
MODEL: Final = "none"
"""What stands for the model of a summary that none of the owner's wrote."""

KEEPS: Final = (
    "DeepSeek Harness keeps as many of the last rows as have 16 % of the model's window when it "
    "compacts by itself (retainRatio 0.16), and none when a person asks for it"
)

_OPENING: Final = (
    "What came before in this conversation is summarised here. Take it for known, and go on from "
    "the messages behind it without speaking of the summary.\n\n<compacted-summary>"
)
_CLOSING: Final = "</compacted-summary>"

_CHECKPOINT_KIND_SINCE: Final = 4
"""From this version on the checkpoint's source has a kind of its own (page 11)."""

_UNKNOWN_PROMPT: Final = (
    "[The harness sends the messages below with an instruction of its own that is not known; it "
    "lets the model answer with 8192 tokens.]"
)


# Where the owner divides the surface.


def split_of(material: Material) -> Split:
    """Where the owner would divide the surface of the head."""
    timeline = material.timeline
    nodes = [row.node for row in timeline.rows(timeline.events)]
    by_hand = f"asked by a person it keeps none of its {len(nodes)} rows"
    setting = timeline.registers.at("window", timeline.events)
    window = natural(setting.value) if setting is not None else None
    if window is None:
        return Split(len(nodes), f"{by_hand}; by itself it cannot: no window is recorded")
    retain = int(window * RETAINED)
    rows = _before_tail(timeline, nodes, retain)
    balances = balance(material, nodes)
    if min(balances, default=0) < 0:
        return Split(0, "the owner finds the surface corrupt: a result stands before its call")
    moved = rows
    while moved and balances[moved]:
        moved -= 1
    kept = f"keeps the last rows up to {retain} tokens, 16 % of a window of {window}"
    back = "" if moved == rows else f", moved back from row {rows}, where a call has no result yet"
    nothing = "" if moved else "; so it compacts nothing"
    return Split(moved, f"by itself it {kept}{back}{nothing}; {by_hand}")


def _before_tail(timeline: Timeline, nodes: Sequence[int], retain: int) -> int:
    """How many rows stand before the shortest tail that has so many tokens."""
    weights = timeline.surface.nodes.tokens
    rows, tokens = len(nodes), 0
    while rows and tokens < retain:
        rows -= 1
        tokens += weights[nodes[rows]]
    return rows


def balance(material: Material, nodes: Sequence[int]) -> list[int]:
    """Calls without their result before each row, and behind the last; below 0 is corrupt."""
    table = material.timeline.surface.nodes
    found = [0]
    for node in nodes:
        change = 0
        match table.role(node):
            case Role.ASSISTANT:
                change = _calls(material, table.origin(node))
            case Role.TOOL:
                change = -1
        found.append(found[-1] + change)
    return found


def _calls(material: Material, event: int) -> int:
    message = mapping(mapping(material.payload(event).get("data")).get("message"))
    return sum(mapping(block).get("type") == "tool-call" for block in items(message.get("content")))


# What would be asked.


def prompt_of(material: Material, rows: int) -> Prompt:
    """The rows as they would be sent, as far as that is known."""
    timeline = material.timeline
    roles = timeline.surface.nodes.role
    asked = [row.node for row in timeline.rows(timeline.events, 0, rows)]
    told = (f"{roles(node).label}:\n{_said(material, node)}" for node in asked)
    text = "\n\n".join((_UNKNOWN_PROMPT, *told))
    return Prompt(text, len(text), "characters", None, truncated=False)


def _said(material: Material, node: int) -> str:
    return "\n".join(
        redacted(section.text)
        for section in material.node_sections(node)
        if section.tone != "dim" and not section.remark
    )


# What would be written.


def compacted_log(material: Material, rows: int, summary: str, making: Making) -> Draft:
    """A fork of the whole log that begins with a compaction of its first rows."""
    timeline = material.timeline
    kept = as_it_is(material, timeline.events)
    table = timeline.surface.nodes
    standing = [row.node for row in timeline.rows(timeline.events)]
    # The system prompt of later versions is no part of any compaction (page 11).
    hidden = [node for node in standing[:rows] if table.role(node) is not Role.SYSTEM]
    child = Child(material, kept, making)
    blocks = _framed(summary)
    tokens = sum(table.tokens[node] for node in hidden)
    if not hidden:
        return child.draft(checks=(_smaller(0, of_content(blocks)),))
    bracket = _bracket(
        material, [kept.number(table.origin(node)) for node in hidden], tokens, summary, making
    )
    lines = bracket_lines(bracket, child.next, making.time, material.version)
    child = Child(material, kept, making, own=lines)
    return child.draft(
        checks=(
            _closed(timeline),
            _balanced(material, standing, rows),
            _smaller(tokens, of_content(blocks)),
        ),
        remarks=(f"the summary names {PROVIDER} as its provider: no model of the owner wrote it",),
    )


def _bracket(
    material: Material, hidden: list[int], tokens: int, summary: str, making: Making
) -> Bracket:
    identity = making.derived("compaction")
    source = {"kind": "plugin", "plugin": "compact", "compactionId": identity}
    if material.version >= _CHECKPOINT_KIND_SINCE:
        source = {"kind": "compact-checkpoint", "compactionId": identity}
    message = {
        "id": making.derived("checkpoint"),
        "role": "user",
        "content": _framed(summary),
        "source": source,
    }
    told = {
        "summary": [{"type": "text", "text": summary}],
        "provider": PROVIDER,
        "model": MODEL,
    }
    return Bracket(
        json_bytes(identity),
        hidden,
        tokens,
        {name: json_bytes(value) for name, value in told.items()},
        json_bytes(message),
    )


def _framed(summary: str) -> list[dict[str, str]]:
    return [{"type": "text", "text": text} for text in (_OPENING, summary, _CLOSING)]


def _closed(timeline: Timeline) -> Check:
    turn = next(timeline.spans[SpanKind.TURN].open_at(timeline.events), None)
    if turn is None:
        return Check(IN_TURN, ok=True, message="no turn is open")
    return Check(IN_TURN, ok=False, message="a turn is open: repair the tape first", code=OPEN_TURN)


def _balanced(material: Material, nodes: Sequence[int], rows: int) -> Check:
    found = balance(material, nodes[:rows])
    if min(found) < 0:
        why = "a result stands before its call: the owner compacts nothing"
        return Check(BALANCED, ok=False, message=why)
    if found[-1]:
        why = "a call is summarised whose result is kept: the owner moves the split back"
        return Check(BALANCED, ok=False, message=why)
    return Check(BALANCED, ok=True, message="no call is cut from its result")


def _smaller(hidden: int, framed: int) -> Check:
    why = f"the summary has {framed} tokens in its frame, what it hides {hidden}"
    return Check(SMALLER, framed < hidden, why)
