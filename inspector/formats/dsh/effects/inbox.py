"""The inbox: messages that wait for the next turn or step (format page 1.10)."""

from typing import Any, Final

from inspector.formats.dsh.blocks import blocks_line
from inspector.formats.dsh.effects.listing import Queue
from inspector.formats.dsh.effects.messages import is_human
from inspector.formats.shapes import items, mapping, natural, text
from inspector.timeline.builder import Builder

TARGETS: Final = {"next-turn": "next turn", "next-step": "next step"}
"""Which inbox a splice changes, and our word for it."""


def waiting_line(message: Any) -> str:
    """A message that waits; one that no person wrote says where it is from."""
    shape = mapping(message)
    said = blocks_line(items(shape.get("content")))
    source = mapping(shape.get("source"))
    if is_human(shape) or not source:
        return said
    origin = text(source.get("plugin")) or text(source.get("kind"))
    return f"[{origin[:30]}] {said}" if origin else said


class Inbox:
    """Replays the splices and tells the builder what waits."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._queues = {target: Queue() for target in TARGETS}

    def spliced(self, data: dict[str, Any]) -> None:
        """Messages come, go or are taken back; a splice of another inbox changes neither."""
        target = text(data.get("target"))
        queue = self._queues.get(target)
        if queue is None:
            return
        start, removed = (natural(data.get(key)) or 0 for key in ("start", "removedCount"))
        queue.splice(start, removed, items(data.get("inserted")), waiting_line)
        self._builder.set(f"inbox {TARGETS[target]}", queue.shown())
