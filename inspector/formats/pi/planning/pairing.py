"""Which calls and results the owner pairs in a request, and what it adds (rules page P4)."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from inspector.formats.pi.planning.material import Material
from inspector.formats.pi.planning.messages import calls, is_transparent, message
from inspector.formats.pi.vocabulary import ASSISTANT, TOOL_RESULT
from inspector.formats.shapes import text


class Waiting(NamedTuple):
    """A call that nothing answers before somebody else speaks.

    Attributes:
        node: the row that makes it.
        id: the owner's id of it.
        name: of the tool.
    """

    node: int
    id: str
    name: str


class Pairs(NamedTuple):
    """What has no other half.

    Attributes:
        waiting: calls.
        orphans: the nodes of results whose call is on the tape, and not on the surface; one that
            nobody made is told with the tape.
    """

    waiting: list[Waiting]
    orphans: list[int]


def pairs(material: Material, nodes: Sequence[int]) -> Pairs:
    """The calls and results of a surface that have no other half, as what is sent has them.

    Calls are answered in what follows them up to the next message that is not of a tool; answers
    that failed are not sent, and make none.
    """
    found = Pairs([], [])
    pending: dict[str, Waiting] = {}
    table, call_of = material.timeline.surface.nodes, material.timeline.pairs.call_of
    there = {table.origin(node) for node in nodes}
    for node in nodes:
        if table.silent(node):
            continue
        said = message(material, node)
        if said.get("role") == TOOL_RESULT:
            pending.pop(text(said.get("toolCallId")), None)
            call = call_of(table.origin(node))
            if call is not None and call not in there:
                found.orphans.append(node)
        elif not is_transparent(said):
            found.waiting.extend(pending.values())
            pending = _made(node, said)
    found.waiting.extend(pending.values())
    return found


def _made(node: int, said: dict[str, Any]) -> dict[str, Waiting]:
    if said.get("role") != ASSISTANT:
        return {}
    told = ((text(call.get("id")), text(call.get("name"))) for call in calls(said))
    return {call: Waiting(node, call, name) for call, name in told}
