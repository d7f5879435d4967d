"""Whether a call that has no result began: what a transcript tells of that (format page 1.4, 1.6).

A tool tells of its progress while it runs, and hooks run behind one that ran. A hook may have said
that it may not run. Where the person stopped the model at a call, the owner says that it was
interrupted "for tool use": while it ran, or before it was allowed to; nobody knows which.
"""

from collections.abc import Iterable
from enum import Enum
from functools import cached_property
from typing import Any, Final

from inspector.formats.claude.effects.texts import INTERRUPTED, content_of, first_text
from inspector.formats.claude.planning.material import Material
from inspector.formats.shapes import mapping, text

_DENIED: Final = frozenset({"hook_permission_decision", "hook_blocking_error"})
_BEHIND: Final = "PostToolUse"
_BY_HOOKS: Final = "hook_progress"
"""Progress of hooks, which run before a tool does, too."""

_FOR_TOOL_USE: Final = f"{INTERRUPTED} for tool use"


class Began(Enum):
    """What is known of a call without a result."""

    YES = "it began"
    NO = "it did not begin"
    STOPPED = "the person stopped it, whether or not it had begun"
    UNKNOWN = "nobody knows whether it began"


class Evidence:
    """What a transcript says of calls beside their results; read when somebody asks first."""

    def __init__(self, material: Material) -> None:
        self._material = material

    def of(self, call: str, event: int, *, interrupted: bool) -> Began:
        """Whether a call began.

        Args:
            call: its id.
            event: the record that makes it.
            interrupted: whether the person stopped the model at it.
        """
        if self._last(self._progress, call) > event:
            return Began.YES
        if self._last(self._denials, call) > event:
            return Began.NO
        return Began.STOPPED if interrupted else Began.UNKNOWN

    def _last(self, told: dict[str, int], call: str) -> int:
        return told.get(call, -1)

    @cached_property
    def _progress(self) -> dict[str, int]:
        """The last events that prove that a call began, by its id."""
        found: dict[str, int] = {}
        for event, record in self._of_type("progress"):
            if mapping(record.get("data")).get("type") != _BY_HOOKS:
                for name in ("toolUseID", "parentToolUseID"):
                    found[text(record.get(name))] = event
        for event, attachment in self._attachments:
            if text(attachment.get("hookEvent")).startswith(_BEHIND):
                found[text(attachment.get("toolUseID"))] = event
        return found

    @cached_property
    def _denials(self) -> dict[str, int]:
        """The last events in which a hook said that a call may not run, by its id."""
        return {
            text(attachment.get("toolUseID")): event
            for event, attachment in self._attachments
            if attachment.get("type") in _DENIED
            and attachment.get("decision", "deny") == "deny"
            and not text(attachment.get("hookEvent")).startswith(_BEHIND)
        }

    @cached_property
    def _attachments(self) -> list[tuple[int, dict[str, Any]]]:
        """What hooks told of tools."""
        return [
            (event, attachment)
            for event, record in self._of_type("attachment")
            if (attachment := mapping(record.get("attachment"))).get("toolUseID")
        ]

    def _of_type(self, kind: str) -> Iterable[tuple[int, dict[str, Any]]]:
        material = self._material
        for event in material.timeline.table.of_type(kind, 0, material.head):
            yield event, material.payload(event)


def is_interruption(record: dict[str, Any]) -> bool:
    """Whether a record tells that the person stopped the model at a call."""
    return first_text(content_of(record)).startswith(_FOR_TOOL_USE)
