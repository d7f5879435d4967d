"""Reina / learn-agent: linear logs whose compactions name messages by index."""

from functools import cache
from types import ModuleType
from typing import Any, Final

from inspector.formats.contract import Certainty, Options, Recognition, Tape
from inspector.formats.defaults import NoAnnexes, NoContainers, NoDatabases
from inspector.formats.heads import pieces
from inspector.formats.listing import Ends, Glance, Root, Surroundings
from inspector.tape.source import Source

# What only an opened log needs is imported where it is needed: a screen is waiting.

_LINES: Final = 20
"""Objects looked at for one that is no header."""

_BODIES: Final = {"message": "message", "tool_call": "record", "compacted": "record"}
"""Kinds that tell the log where its header is lost, and the key that each has."""


@cache
def _listing() -> ModuleType:
    """What tells of sessions without folding them; asked for each of thousands."""
    from inspector.formats.reina import listing

    return listing


class ReinaFormat(NoAnnexes, NoContainers, NoDatabases):
    """The format, as `inspector.formats.contract.Format` has it."""

    name: Final = "reina"
    policies: Final = ("exercise", "sequential")

    def recognise(self, head: bytes) -> Recognition:
        """How sure the format is of a source that begins with these bytes (format page 3.7).

        A ``session_meta`` with ``ts`` and ``meta``, and without ``payload``, is certainly the
        owner's; records of its kinds without a header are likely.
        """
        found = _objects(head)
        best = max(map(_certainty, found), default=Certainty.NO)
        why = "" if best else "no line is a record with ts and type"
        if best is Certainty.LIKELY:
            why = "no session_meta is among the first records"
        return Recognition(best, why)

    def open(self, source: Source, options: Options) -> Tape:
        """Begin to read a log."""
        from inspector.formats.reina.reading import ReinaTape

        return ReinaTape(source, options)

    def roots(self, surroundings: Surroundings) -> list[Root]:
        """Where the owner keeps logs."""
        from inspector.formats.reina.listing import all_roots

        return all_roots(surroundings)

    def glance(self, ends: Ends) -> Glance | None:
        """What the ends of a log tell."""
        if b'"ts"' not in ends.head:
            return None
        found: Glance | None = _listing().glance(ends, self._is_ours)
        return found

    def _is_ours(self, head: bytes) -> bool:
        """Whether a log begins with these bytes, the last line of which may be cut."""
        from inspector.formats.ends import beginning

        cut = _certainty(beginning(head.rpartition(b"\n")[2]))
        return max(cut, self.recognise(head).certainty) > Certainty.NO


def _objects(head: bytes) -> list[dict[str, Any]]:
    """The first objects of a text, out of damaged lines too."""
    if b'"ts"' not in head:
        return []
    from inspector.tape.jsonline import parse

    found: list[dict[str, Any]] = []
    for line in head.split(b"\n", 2 * _LINES)[: 2 * _LINES]:
        if not line.strip():
            continue
        try:
            value = parse(line)[0]
        except ValueError:
            found += pieces(line, _is_record) if b'"ts"' in line else []
        else:
            found += [value] if isinstance(value, dict) else []
        if len(found) >= _LINES:
            break
    return found[:_LINES]


def _is_record(value: Any) -> bool:
    return isinstance(value, dict) and "ts" in value and isinstance(value.get("type"), str)


def _certainty(value: dict[str, Any]) -> Certainty:
    """How sure one record makes."""
    kind = value.get("type")
    if "ts" not in value or "payload" in value or not isinstance(kind, str):
        return Certainty.NO
    if kind == "session_meta":
        return Certainty.SURE if isinstance(value.get("meta"), dict) else Certainty.LIKELY
    body = _BODIES.get(kind)
    return Certainty.LIKELY if body and isinstance(value.get(body), dict) else Certainty.NO


FORMAT: Final = ReinaFormat()
