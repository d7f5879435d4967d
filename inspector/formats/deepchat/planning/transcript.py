"""The messages that stand at a cursor: at the head they are what the owner's transcript holds."""

from collections.abc import Iterator
from typing import NamedTuple

from inspector.formats.deepchat.context.records import Record, record_of
from inspector.formats.deepchat.planning.material import Material
from inspector.formats.deepchat.values import order_bytes
from inspector.formats.deepchat.vocabulary import MESSAGE
from inspector.timeline.words import Role, Visibility

_STANDS = (Visibility.VISIBLE, Visibility.SHADOWED, Visibility.UNLINKED)
"""What an effective message is, whether the model is shown it or not (format page 4)."""

_ROLES = (Role.USER, Role.ASSISTANT)


class Message(NamedTuple):
    """A message and the event of the row with which it stands."""

    event: int
    record: Record


class Transcript:
    """Reads messages, each row once.

    Args:
        material: the session.
    """

    def __init__(self, material: Material) -> None:
        self._material = material
        self._read: dict[int, Record | None] = {}
        self._now: list[Message] | None = None

    def record(self, event: int) -> Record | None:
        """The record of a row; None where the row is no message."""
        if event not in self._read:
            row = self._material.payload(event)
            found = record_of(row.get("payload", {})) if row.get("kind") == MESSAGE else ""
            self._read[event] = None if isinstance(found, str) else found
        return self._read[event]

    @property
    def now(self) -> list[Message]:
        """The messages at the head, in the owner's order."""
        if self._now is None:
            self._now = self.standing(self._material.timeline.events)
        return self._now

    def standing(self, cursor: int) -> list[Message]:
        """The messages that stand at a cursor, in the owner's order."""
        found = [
            Message(event, record)
            for event in self._standing(cursor)
            if (record := self.record(event)) is not None
        ]
        return sorted(found, key=lambda one: (one.record.order, order_bytes(one.record.id)))

    def _standing(self, cursor: int) -> Iterator[int]:
        timeline = self._material.timeline
        nodes, known = timeline.surface.nodes, set[int]()
        for node in range(len(nodes)):
            event = nodes.origin(node)
            if event >= cursor or event in known or nodes.role(node) not in _ROLES:
                continue
            known.add(event)
            if timeline.visibility(event, cursor)[0] in _STANDS:
                yield event
