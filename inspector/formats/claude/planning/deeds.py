"""What was done behind a cut and is no call of the model's own tools (format page 1.4).

Commands that the person typed behind ``!``, and calls that the provider or a server of its ran.
"""

from collections.abc import Iterator
from typing import Any, Final

from inspector.formats.claude.effects.texts import content_of, first_text
from inspector.formats.claude.planning.material import Material
from inspector.formats.claude.planning.tools import does_at_provider, does_at_server
from inspector.formats.claude.tree.calls import blocks_of
from inspector.formats.parts import Call
from inspector.formats.planning import TERMINAL, Deed
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
        word = does_at_provider(call) if at_provider else does_at_server(call, name)
        given = mapping(call.arguments)
        yield Deed(event, call, word, text(given.get("code")) or text(given.get("path")))
