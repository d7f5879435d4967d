"""What Pi's own tools do to the world outside, and what is done beside the calls of the model."""

from collections.abc import Iterator
from typing import Any, Final

from inspector.formats.parts import Call
from inspector.formats.pi.entry import message_of
from inspector.formats.pi.planning.material import Material
from inspector.formats.pi.planning.messages import calls
from inspector.formats.pi.vocabulary import BASH, MESSAGE, TOOL_RESULT
from inspector.formats.planning import EDIT, HARMLESS, TERMINAL, UNKNOWN, Deed
from inspector.formats.shapes import items, mapping, text

TYPED: Final = "user shell"
"""What we call the person's own command line as a tool."""

_OWN: Final = {
    "bash": TERMINAL,
    "powershell": TERMINAL,
    "edit": EDIT,
    "write": EDIT,
    "read": HARMLESS,
    "grep": HARMLESS,
    "find": HARMLESS,
    "ls": HARMLESS,
    # A script: what the tools did that it called is told for itself, as far as it was kept.
    "codemode": UNKNOWN,
}
"""By the names of 1.6.0; tools of servers and of extensions have names of their own."""

_RUNS: Final = ("command", "cmd", "script")

_MARKS: Final = (b'"bashExecution"', b'"nestedCalls"', b"\\u")
"""Bytes of which a line has one if it tells of something done."""


def does(call: Call) -> str | None:
    """What a tool does: a class, or that it is harmless; None where the owner does not tell."""
    word = _OWN.get(call.name)
    if word == HARMLESS and any(mapping(call.arguments).get(key) for key in _RUNS):
        # No tool of this name takes a command: it is another one.
        return None
    return word


def deeds(material: Material, cut: int) -> Iterator[Deed]:
    """Commands that the person typed, calls that a script made, and calls in lines that the owner
    passes over, in order.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    timeline = material.timeline
    for event in timeline.table.of_type(MESSAGE, cut, material.head):
        rejected = timeline.is_rejected(event)
        if not rejected:
            raw = material.session.raw(event)
            if not any(mark in raw for mark in _MARKS):
                continue
        yield from _told(event, message_of(material.entry(event)), rejected=rejected)


def _told(event: int, said: dict[str, Any], *, rejected: bool) -> Iterator[Deed]:
    role = said.get("role")
    if role == BASH:
        command = text(said.get("command"))
        yield Deed(event, Call(None, TYPED, {"command": command}), TERMINAL, command)
    elif role == TOOL_RESULT:
        for one in items(mapping(said.get("nestedCalls")).get("calls")):
            call = mapping(one)
            yield Deed(event, Call(None, text(call.get("name")), call.get("arguments")))
    elif rejected:
        for call in calls(said):
            yield Deed(event, Call(None, text(call.get("name")), call.get("arguments")))
