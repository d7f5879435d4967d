"""Claude Code: transcripts whose records name their parents, so that a tape is a tree."""

from functools import cache
from types import ModuleType
from typing import Any, Final

import orjson

from inspector.formats.claude.policies import POLICIES
from inspector.formats.claude.vocabulary import CHAIN
from inspector.formats.contract import Annex, Certainty, Options, Recognition, Tape
from inspector.formats.defaults import NoAnnexes, NoContainers, NoDatabases
from inspector.formats.heads import LONGEST, pieces
from inspector.formats.listing import Ends, Glance, Root, Surroundings
from inspector.tape.source import Source

# What only an opened transcript needs is imported where it is needed: a screen is waiting.

_LINES: Final = 50
"""Lines looked at."""

_BESIDE: Final = frozenset(
    {
        "summary",
        "custom-title",
        "ai-title",
        "agent-name",
        "agent-setting",
        "tag",
        "permission-mode",
        "mode",
        "last-prompt",
        "pr-link",
        "file-history-snapshot",
        "queue-operation",
        "content-replacement",
        "bridge-session",
        "worktree-state",
    }
)
_MARKS: Final = (b'"sessionId"', b'"uuid"', b'"leafUuid"', b'"messageId"')
"""One of these stands in the head of nearly every transcript."""

_ANCHORS: Final = frozenset({"sessionId", "leafUuid", "messageId"})


@cache
def _listing() -> ModuleType:
    """What tells of sessions without folding them; asked for each of thousands."""
    from inspector.formats.claude import listing

    return listing


class ClaudeFormat(NoAnnexes, NoContainers, NoDatabases):
    """The format, as `inspector.formats.contract.Format` has it."""

    name: Final = "claude"
    policies: Final = tuple(POLICIES)

    def recognise(self, head: bytes) -> Recognition:
        """How sure the format is of a source that begins with these bytes (format page 1.11, 9)."""
        best, weak, foreign = Certainty.NO, False, False
        for line in head.split(b"\n", _LINES)[:_LINES]:
            value = _object(line)
            if value is None:
                continue
            if _is_capture(value):
                why = "what the agent printed (stream-json), not the transcript that it kept"
                return Recognition(Certainty.NO, why)
            best = max(best, _certainty(value))
            weak = weak or _is_message(value)
            foreign = foreign or _is_foreign(value)
        if best is Certainty.NO and weak and not foreign:
            return Recognition(Certainty.GUESS, "its messages have no uuid")
        return Recognition(best, "" if best else "no line is a record with uuid and parentUuid")

    def open(self, source: Source, options: Options) -> Tape:
        """Begin to read a transcript."""
        from inspector.formats.claude.reading import ClaudeTape

        return ClaudeTape(source, options)

    def annexes_of_text(self, source: Source) -> list[Annex]:
        """What the person typed in all sessions (format page 1.1)."""
        from inspector.formats.side_logs import SideLog, annexes

        what = "what was typed in all sessions (Claude Code's history), not a session"
        return annexes(source, [SideLog(what, ("display", "timestamp"), ("uuid", "type"))])

    def roots(self, surroundings: Surroundings) -> list[Root]:
        """Where the owner keeps transcripts."""
        found: list[Root] = _listing().all_roots(surroundings)
        return found

    def glance(self, ends: Ends) -> Glance | None:
        """What the ends of a transcript tell."""
        head = ends.head
        # Messages alone may be the owner's too, unless they stand in a shell of another's.
        told = b'"sessionId"' in head or any(mark in head for mark in _MARKS)
        if not told and (b'"message"' not in head or b'"payload"' in head):
            return None
        found: Glance | None = _listing().glance(ends, _is_sure, self._is_ours)
        return found

    def _is_ours(self, head: bytes) -> bool:
        """Whether a transcript begins with these bytes, the last line of which may be cut."""
        from inspector.formats.ends import beginning

        cut = _certainty(beginning(head.rpartition(b"\n")[2]))
        return max(cut, self.recognise(head).certainty) > Certainty.NO


def _object(line: bytes) -> dict[str, Any] | None:
    """The object of a line, also of one that is damaged."""
    try:
        value = orjson.loads(line)
    except orjson.JSONDecodeError:
        if b'"uuid"' not in line[:LONGEST]:
            return None
        return next(iter(pieces(line, _is_member)), None)
    return value if isinstance(value, dict) else None


def _is_member(value: Any) -> bool:
    return isinstance(value, dict) and _type(value) in CHAIN and "uuid" in value


def _type(value: dict[str, Any]) -> str | None:
    """A record's type, unless that is no text."""
    kind = value.get("type")
    return kind if isinstance(kind, str) else None


def _is_foreign(value: dict[str, Any]) -> bool:
    return "payload" in value or value.get("type") in ("session", "session_meta")


def _is_capture(value: dict[str, Any]) -> bool:
    """Whether a record is one that the agent prints: snake case, and no parent (page 1.11)."""
    if "parentUuid" in value or "sessionId" in value or "session_id" not in value:
        return False
    kind = value.get("type")
    return (kind == "system" and value.get("subtype") == "init") or kind in (
        "result",
        "assistant",
        "user",
        "stream_event",
    )


def _certainty(value: dict[str, Any]) -> Certainty:
    kind = _type(value)
    if kind in CHAIN and isinstance(value.get("uuid"), str):
        if "parentUuid" in value and "sessionId" in value:
            return Certainty.SURE
        return Certainty.LIKELY if "parentUuid" in value or "sessionId" in value else Certainty.NO
    if kind in _BESIDE and value.keys() & _ANCHORS:
        return Certainty.SURE
    return Certainty.NO


def _is_sure(value: dict[str, Any]) -> bool:
    kind = value.get("type")
    if type(kind) is str and kind in _BESIDE:
        return not _ANCHORS.isdisjoint(value)
    return _certainty(value) is Certainty.SURE


def _is_message(value: dict[str, Any]) -> bool:
    return value.get("type") in ("user", "assistant") and isinstance(value.get("message"), dict)


FORMAT: Final = ClaudeFormat()
"""What the entry point and the registry name."""
