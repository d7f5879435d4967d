"""OpenAI Codex CLI: linear logs ("rollouts") whose history later records rewrite."""

from functools import cache
from types import ModuleType
from typing import Any, Final

from inspector.formats.codex.vocabulary import OWN, is_bare
from inspector.formats.contract import Annex, Certainty, Options, Recognition, Tape
from inspector.formats.defaults import NoAnnexes, NoContainers, NoDatabases
from inspector.formats.heads import pieces
from inspector.formats.listing import Ends, Glance, Root, Surroundings
from inspector.tape.source import Source

# What only an opened log needs is imported where it is needed: a screen is waiting.

_LINES: Final = 20
"""Objects looked at for one that is no header (format page 2.12)."""


@cache
def _listing() -> ModuleType:
    """What tells of sessions without folding them; asked for each of thousands."""
    from inspector.formats.codex import listing

    return listing


class CodexFormat(NoAnnexes, NoContainers, NoDatabases):
    """The format, as `inspector.formats.contract.Format` has it."""

    name: Final = "codex"
    policies: Final = ("codex-0.171",)

    def recognise(self, head: bytes) -> Recognition:
        """How sure the format is of a source that begins with these bytes (format page 2.12).

        A ``session_meta`` with a payload is certainly the owner's, and so is a header of the older
        era with items behind it; records in the owner's shell without a header are likely.
        """
        found = _objects(head)
        best = max(map(_certainty, found), default=Certainty.NO)
        if best < Certainty.SURE and found and is_bare(found[0]):
            best = max(best, _certainty_of_bare(found[1:]))
        why = "" if best else "no line is a record with timestamp, type and payload"
        if best in (Certainty.GUESS, Certainty.LIKELY):
            why = "no session_meta is among the first records"
        return Recognition(best, why)

    def open(self, source: Source, options: Options) -> Tape:
        """Begin to read a log."""
        from inspector.formats.codex.opening import opened

        return opened(source, options)

    def annexes_of_text(self, source: Source) -> list[Annex]:
        """What the person typed in all threads, and the names of threads (format page 2.1)."""
        from inspector.formats.side_logs import SideLog, annexes

        history = "what was typed in all threads (Codex's history), not a session"
        names = "the names of threads (Codex's index), not a session"
        return annexes(
            source,
            [
                SideLog(history, ("session_id", "ts", "text"), ("type",)),
                SideLog(names, ("id", "thread_name", "updated_at"), ("type",)),
            ],
        )

    def roots(self, surroundings: Surroundings) -> list[Root]:
        """Where the owner keeps logs."""
        found: list[Root] = _listing().all_roots(surroundings)
        return found

    def glance(self, ends: Ends) -> Glance | None:
        """What the ends of a log tell."""
        head = ends.head
        if b'"payload"' not in head and (b'"id"' not in head or b'"timestamp"' not in head):
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
    from inspector.tape.jsonline import parse

    found: list[dict[str, Any]] = []
    for line in head.split(b"\n", 2 * _LINES)[: 2 * _LINES]:
        if not line.strip():
            continue
        try:
            value = parse(line)[0]
        except ValueError:
            found += pieces(line, _is_record) if b'"payload"' in line else []
        else:
            found += [value] if isinstance(value, dict) else []
        if len(found) >= _LINES:
            break
    return found[:_LINES]


def _is_record(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("payload"), dict)


def _certainty(value: dict[str, Any]) -> Certainty:
    """How sure one record makes."""
    kind, payload = value.get("type"), value.get("payload")
    if not isinstance(kind, str) or kind not in OWN or not isinstance(payload, dict):
        return Certainty.NO
    if kind == "session_meta":
        return Certainty.SURE if "id" in payload else Certainty.LIKELY
    return Certainty.LIKELY if "timestamp" in value else Certainty.GUESS


def _certainty_of_bare(behind: list[dict[str, Any]]) -> Certainty:
    """How sure the records behind such a header make."""
    if any("record_type" in value for value in behind):
        return Certainty.SURE
    if any(_is_bare_item(value) for value in behind):
        return Certainty.LIKELY
    return Certainty.NO if behind else Certainty.GUESS


def _is_bare_item(value: dict[str, Any]) -> bool:
    message = value.get("type") == "message" and isinstance(value.get("content"), list)
    return message or (isinstance(value.get("type"), str) and "call_id" in value)


FORMAT: Final = CodexFormat()
