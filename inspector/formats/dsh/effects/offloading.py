"""Images that later versions take out of what the model sees (format page 11)."""

from typing import Any

from inspector.formats.dsh.effects.tokens import of_content
from inspector.formats.dsh.surface import Current
from inspector.formats.shapes import items, mapping, natural
from inspector.timeline.builder import Builder
from inspector.timeline.words import Form


class Offloading:
    """Tells the builder which nodes are shown without some of their images from now on.

    Args:
        builder: of the tape.
        current: the surface as it stands.
    """

    def __init__(self, builder: Builder, current: Current) -> None:
        self._builder = builder
        self._current = current
        self._gone: dict[int, set[int | None]] = {}

    def offload(self, data: dict[str, Any]) -> None:
        """Images of messages are left out; what is not on the surface is not changed."""
        for target in items(data.get("targets")):
            number = natural(mapping(target).get("seq"))
            node = None if number is None else self._current.node(number)
            if number is None or node is None:
                continue
            gone = self._gone.setdefault(number, set())
            gone.update(natural(index) for index in items(mapping(target).get("imageIndexes")))
            left = _without(_content(self._current.event_of(node)), gone)
            self._builder.reform(node, Form.CUT, of_content(left))


def _content(event: dict[str, Any]) -> list[Any]:
    data = mapping(event.get("data"))
    return items(mapping(data.get("message")).get("content")) or items(data.get("content"))


def _without(content: list[Any], images: set[int | None]) -> list[Any]:
    """The blocks of a message, or of its one result, without its images of these numbers."""
    blocks = content
    if len(content) == 1 and mapping(content[0]).get("type") == "tool-result":
        blocks = items(mapping(content[0]).get("content"))
    kept: list[Any] = []
    image = 0
    for block in blocks:
        if mapping(block).get("type") != "image":
            kept.append(block)
            continue
        if image not in images:
            kept.append(block)
        image += 1
    return kept
