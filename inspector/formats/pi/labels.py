"""Which entries are labelled, as of a cursor: what the file says of each last (format page 4.2)."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from inspector.formats.pi.tree.ids import key_of
from inspector.formats.pi.vocabulary import LABEL
from inspector.timeline.timeline import Timeline

REGISTER: Final = "labels"
"""The register of all labels that hold; its value is kept in the entries that set them."""


class Label(NamedTuple):
    """What an entry says of a label: the id of what it is about, and the label, as written."""

    event: int
    target: Any
    label: Any

    @property
    def is_set(self) -> bool:
        """Whether the owner takes it for a label: an empty one takes the label away."""
        return bool(self.label) or isinstance(self.label, (list, dict))


class Labels:
    """The labels of a session; each entry is read once.

    Args:
        timeline: the index.
        read: an entry by its position; raises `inspector.tape.source.SourceError`.
    """

    def __init__(self, timeline: Timeline, read: Callable[[int], dict[str, Any]]) -> None:
        self._timeline = timeline
        self._read = read
        self._known: list[Label] = []
        self._stop = 0

    def at(self, cursor: int) -> dict[str, Label]:
        """The labels that hold at a cursor by what they are about, the one set first first."""
        table, timeline = self._timeline.table, self._timeline
        for event in table.of_type(LABEL, self._stop, cursor):
            if not timeline.is_rejected(event):
                entry = self._read(event)
                self._known.append(Label(event, entry.get("targetId"), entry.get("label")))
        self._stop = max(self._stop, cursor)
        found: dict[str, Label] = {}
        for one in self._known:
            if one.event >= cursor:
                break
            key = key_of(one.target)
            if key is None:
                continue
            if one.is_set:
                found[key] = one
            else:
                found.pop(key, None)
        return found

    def told(self, cursor: int) -> dict[str, Any] | None:
        """The same as the value of a register; None where no entry is labelled."""
        return {str(one.target): one.label for one in self.at(cursor).values()} or None
