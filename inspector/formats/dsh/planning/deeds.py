"""What tools of the owner do to the world outside, and the agents that a workflow runs (page 2)."""

from collections.abc import Iterator
from typing import Final

from inspector.formats.dsh.planning.material import Material
from inspector.formats.parts import Call
from inspector.formats.planning import SUBAGENT, TERMINAL, Deed
from inspector.formats.shapes import mapping, text
from inspector.timeline.words import SpanKind

AGENT: Final = "workflow agent"
AT_WORK: Final = "at work at the cut"

_START: Final = "tool-workflow/agent-start"
_DOES: Final = {"workflow": SUBAGENT, "run_code": TERMINAL}


def does(call: Call) -> str | None:
    """What a tool of the owner's own does; None for every other one."""
    return _DOES.get(call.name)


def deeds(material: Material, cut: int) -> Iterator[Deed]:
    """The agents of workflows that are started behind a cut, or before it and not over there.

    Each works in a session of its own.

    Raises:
        SourceError: if the log cannot be read any more.
    """
    timeline = material.timeline
    if cut == timeline.events:
        return
    for span in timeline.spans[SpanKind.WORKFLOW_AGENT].open_at(cut):
        yield _agent(material, span.opened - 1, AT_WORK)
    for event in timeline.table.of_type(_START, cut, timeline.events):
        if not timeline.is_rejected(event):
            yield _agent(material, event)


def _agent(material: Material, event: int, *more: str) -> Deed:
    data = mapping(material.payload(event).get("data"))
    said = text(data.get("label")) or text(data.get("childId"))
    return Deed(event, Call(None, AGENT, None), SUBAGENT, ": ".join(filter(None, (*more, said))))
