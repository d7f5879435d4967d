"""Pi: sessions whose entries name their parents, and whose last line is where one stands."""

from functools import cache
from types import ModuleType
from typing import Any, Final

import orjson

from inspector.formats.contract import Certainty, Options, Recognition, Tape
from inspector.formats.defaults import NoAnnexes, NoContainers, NoDatabases
from inspector.formats.heads import LONGEST, pieces
from inspector.formats.listing import Ends, Glance, Root, Surroundings
from inspector.tape.source import Source

# What only an opened session needs is imported where it is needed: a screen is waiting.

_LINES: Final = 50
"""Lines looked at: those before the header may be damaged."""


_FIRST: Final = 400
"""Bytes of a first line that are looked at for what another agent's header has."""


@cache
def _listing() -> ModuleType:
    """What tells of sessions without folding them; asked for each of thousands."""
    from inspector.formats.pi import listing

    return listing


class PiFormat(NoAnnexes, NoContainers, NoDatabases):
    """The format, as `inspector.formats.contract.Format` has it."""

    name: Final = "pi"
    policies: Final = ("pi",)

    def recognise(self, head: bytes) -> Recognition:
        """How sure the format is of a source that begins with these bytes (format page 4.6, 9).

        A header is told by its type, its id and what else only it has; a session that lost its
        header by entries with id, parent and one of the owner's types.
        """
        best = Certainty.NO
        for line in head.split(b"\n", _LINES)[:_LINES]:
            best = max(best, *map(_certainty, _objects(line)), Certainty.NO)
            if best is Certainty.SURE:
                break
        return Recognition(best, "" if best else "no line is a session header with an id")

    def open(self, source: Source, options: Options) -> Tape:
        """Begin to read a session."""
        from inspector.formats.pi.reading import PiTape

        return PiTape(source, options)

    def roots(self, surroundings: Surroundings) -> list[Root]:
        """Where the owner keeps sessions."""
        found: list[Root] = _listing().all_roots(surroundings)
        return found

    def glance(self, ends: Ends) -> Glance | None:
        """What the ends of a session tell."""
        head = ends.head
        if b'"session"' not in head and b'"parentId"' not in head:
            return None
        # A header of DeepSeek Harness looks alike.
        if b'"delegationDepth":' in head[:_FIRST]:
            return None
        found: Glance | None = _listing().glance(ends, _is_sure, self._is_ours)
        return found

    def _is_ours(self, head: bytes) -> bool:
        """Whether a session begins with these bytes."""
        return self.recognise(head).certainty > Certainty.NO


def _objects(line: bytes) -> list[dict[str, Any]]:
    """The objects of a line, also of one that is damaged."""
    if b'"session"' not in line and b'"parentId"' not in line:
        return []
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError:
        return list(pieces(line[:LONGEST], _is_object))
    return [value] if isinstance(value, dict) else []


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


_TYPES: Final = frozenset(
    {"message", "compaction", "branch_summary", "model_change", "thinking_level_change"}
)


def _certainty(value: dict[str, Any]) -> Certainty:
    kind = value.get("type")
    if kind == "session" and isinstance(value.get("id"), str):
        # A header of another agent has the version alone in common.
        own = "timestamp" in value or "cwd" in value
        return Certainty.SURE if own and "payload" not in value else Certainty.GUESS
    if not isinstance(kind, str) or kind not in _TYPES or not isinstance(value.get("id"), str):
        return Certainty.NO
    return Certainty.LIKELY if "parentId" in value and "timestamp" in value else Certainty.NO


def _is_sure(value: dict[str, Any]) -> bool:
    return _certainty(value) is Certainty.SURE


FORMAT: Final = PiFormat()
"""What the entry point and the registry name."""
