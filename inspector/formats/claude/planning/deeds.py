"""What was done behind a cut and is no call of the model's own tools (format page 1.4).

Commands that the person typed behind ``!``, calls that the provider or a server of its ran, and
what subagents did of which another file tells.
"""

from collections.abc import Iterator
from typing import Any, Final

from inspector.formats.claude.effects.texts import content_of, first_text
from inspector.formats.claude.planning.material import Material
from inspector.formats.claude.planning.tools import does, does_at_provider
from inspector.formats.claude.tree.calls import blocks_of
from inspector.formats.parts import Call
from inspector.formats.planning import SUBAGENT, TERMINAL, Deed
from inspector.formats.shapes import mapping, text

TYPED: Final = "user shell"
"""What we call the person's own command line as a tool."""

_TYPED: Final = "<bash-input>"
_TYPED_ENDS: Final = "</bash-input>"
_AT_PROVIDER: Final = "server_tool_use"
_AT_SERVER: Final = "mcp_tool_use"

_MARKS: Final = {
    # What is written with escapes is read in any case.
    "user": (_TYPED.encode(), b"\\u"),
    "assistant": (_AT_PROVIDER.encode(), _AT_SERVER.encode(), b"\\u"),
}
"""Bytes of which a line has one if it tells of such a thing."""


def deeds(material: Material, cut: int) -> Iterator[Deed]:
    """What records tell, in the order of the tape for each kind of them.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    for kind, marks in _MARKS.items():
        for event in material.timeline.table.of_type(kind, cut, material.head):
            raw = material.raw(event)
            if any(mark in raw for mark in marks):
                record = material.payload(event)
                yield from _typed(event, record) if kind == "user" else _called(event, record)
    yield from _by_subagents(material, cut)


def _by_subagents(material: Material, cut: int) -> Iterator[Deed]:
    """The subagents that calls behind a cut may have started, as far as files tell of them.

    A call that nobody knows may be any; it is told with the first one that starts a subagent.
    """
    if not material.subagents:
        return
    calls = material.decoder.members.calls
    first = next(_starting(material, cut), None)
    for agent in material.subagents:
        number = None if agent.call is None else calls.known(agent.call)
        event = first if number is None else calls.event[number]
        if event is not None and cut <= event < material.head:
            what = f"what it did stands in {agent.file}, which is not looked at"
            yield Deed(event, Call(None, f"subagent {agent.id}", None), SUBAGENT, what)


def _starting(material: Material, cut: int) -> Iterator[int]:
    """The events behind a cut with a call of the main line that starts a subagent."""
    for event in material.timeline.table.of_type("assistant", cut, material.head):
        for block in blocks_of(material.payload(event)):
            if type(block) is dict and block.get("type") == "tool_use":
                call = Call(None, text(block.get("name")), block.get("input"))
                if does(call) == SUBAGENT:
                    yield event


def _typed(event: int, record: dict[str, Any]) -> Iterator[Deed]:
    said = first_text(content_of(record))
    if said.startswith(_TYPED):
        command = said.removeprefix(_TYPED).partition(_TYPED_ENDS)[0].strip()
        yield Deed(event, Call(None, TYPED, {"command": command}), TERMINAL, command)


def _called(event: int, record: dict[str, Any]) -> Iterator[Deed]:
    for block in blocks_of(record):
        kind = block.get("type") if type(block) is dict else None
        if kind not in (_AT_PROVIDER, _AT_SERVER):
            continue
        name = text(block.get("name"))
        call = Call(text(block.get("id")) or None, name, block.get("input"))
        at_provider = kind == _AT_PROVIDER
        word = does_at_provider(call) if at_provider else None
        given = mapping(call.arguments)
        what = text(given.get("code")) or text(given.get("path"))
        yield Deed(event, call, word, what, at_server=not at_provider)
