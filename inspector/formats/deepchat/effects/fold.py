"""What every kind of row does; told to the builder."""

from collections.abc import Callable
from functools import partial
from typing import Any, Final

from inspector.columns import unsigned
from inspector.formats.deepchat import rules
from inspector.formats.deepchat.context.checkpoint import checkpoint_of, sources_of
from inspector.formats.deepchat.context.records import PENDING, metadata_of, record_of
from inspector.formats.deepchat.effects.attempts import Attempts
from inspector.formats.deepchat.effects.history import History
from inspector.formats.deepchat.effects.links import Links
from inspector.formats.deepchat.effects.runs import Runs
from inspector.formats.deepchat.effects.settling import SHIFTED
from inspector.formats.deepchat.effects.shapes import shape_of
from inspector.formats.deepchat.effects.tools import Tools
from inspector.formats.deepchat.effects.turns import Turns
from inspector.formats.deepchat.effects.views import Views
from inspector.formats.deepchat.entry import Entry
from inspector.formats.deepchat.values import object_of
from inspector.formats.deepchat.vocabulary import (
    ATTEMPT,
    BACKFILL,
    DISPATCH,
    FORK_DISCARD,
    FORK_MERGE,
    INDICATOR,
    LINKED,
    OUTCOME,
    RETRACTED,
    RUN_STARTED,
    RUN_TERMINAL,
    SESSION_START,
    VIEW,
    is_reconstruction,
)
from inspector.formats.logs.folding import Folding
from inspector.formats.shapes import mapping, text
from inspector.text.gate import clean_line
from inspector.timeline.registers import IN_PAYLOAD
from inspector.timeline.words import Outcome, SpanKind

_NAME: Final = 200
_KINDS_TOLD: Final = 100
_NAMELESS: Final = "the tool row is ignored: it names no message or no call"

Reads = Callable[[int], Entry]
"""Reads the row of an event again."""

Handler = Callable[[dict[str, Any], dict[str, Any], Any, int | None, int], None]
"""Folds the payload and the meta of a row, its name, its number or None, and its record."""


class Fold:
    """Has a handler for every kind of row; each row is the event that was begun last.

    Attributes:
        runs: the execution journal.
        views: what requests were made of.
        tools: the rows of tools.
        breaking: the events of messages with which the owner can build no request.
        pending: the events of messages that are not sent, or not finished.
        broken: whether the JSON of the row that is folded is broken, which is told already.

    Args:
        folding: takes findings, and the effects through its builder.
        entry_at: reads the row of an event.
        pending_counts: whether a pending row takes part.
    """

    def __init__(self, folding: Folding, entry_at: Reads, *, pending_counts: bool) -> None:
        builder = self._builder = folding.builder
        self._folding = folding
        self._told: set[str] = set()
        self.broken = False
        self.breaking = unsigned()
        self.pending = unsigned()
        self._history = History(
            builder,
            lambda event: _identity(entry_at(event)),
            pending_counts=pending_counts,
        )
        self.tools = Tools(builder, entry_at, pending_counts=pending_counts)
        self.runs = Runs(builder, self.tools)
        self._attempts = Attempts(builder)
        self._turns = Turns(builder)
        self.views = Views(folding)
        links = Links(builder)
        self._events: dict[str, Callable[[dict[str, Any]], None]] = {
            RETRACTED: self._retracted,
            INDICATOR: self._indicator,
            RUN_STARTED: self.runs.started,
            RUN_TERMINAL: self.runs.ended,
            DISPATCH: self.runs.dispatched,
            OUTCOME: self.runs.came_back,
            ATTEMPT: self._attempts.completed,
            FORK_MERGE: links.merged,
            FORK_DISCARD: links.discarded,
            LINKED: links.linked,
        }

    def handler(self, kind: str, name: str | None) -> Handler | None:
        """What folds the rows of a kind and a name; None if they change nothing."""
        match kind:
            case "message":
                return self._message
            case "tool_call":
                return self._call
            case "tool_result":
                return self._result
            case "anchor":
                return self._anchor
            case "settings":
                return self._settings
            case "event":
                return self._event(name or "")
        return partial(self._unknown, kind)

    def _event(self, name: str) -> Handler | None:
        if name == VIEW:
            return self._view
        if name == BACKFILL:
            return self._backfilled
        tell = self._events.get(name)
        if tell is None:
            return None

        def handler(
            payload: dict[str, Any], _meta: Any, _name: Any, _number: Any, _record: int
        ) -> None:
            data = payload.get("data")
            tell(data if type(data) is dict else object_of(data))

        return handler

    def _unknown(
        self, kind: str, _payload: Any, _meta: Any, _name: Any, _number: Any, record: int
    ) -> None:
        if kind not in self._told and len(self._told) < _KINDS_TOLD:
            self._told.add(kind)
            message = f"the first row of kind {clean_line(kind, 80) or '(empty, or no text)'}"
            self._folding.found_at_event(rules.UNKNOWN_KIND, message, record)

    def _ignored(self, why: str, record: int) -> None:
        self._builder.reject()
        if not self.broken:
            self._folding.found_at_event(rules.IGNORED, why, record)

    # Messages and tools.

    def _message(
        self, payload: dict[str, Any], meta: Any, _name: Any, _number: Any, record: int
    ) -> None:
        found = record_of(payload)
        if isinstance(found, str):
            self._ignored(f"the message row is ignored: {found}", record)
            return
        metadata = metadata_of(found)
        shape = shape_of(found, metadata)
        moves = meta.get("reason") == SHIFTED
        new = self._history.message(found, shape, moves=moves)
        if shape.breaks is not None:
            self.breaking.append(self._builder.event)
            what = f"message {clean_line(found.id, 80)}: {shape.breaks} ({shape.breaks.word})"
            self._folding.found_at_event(rules.BREAKS_CONTEXT, what, record)
        if found.status == PENDING:
            self.pending.append(self._builder.event)
        if found.order < 1:
            what = f"orderSeq {found.order:g} is before the first place of the context"
            self._folding.found_at_event(rules.BEFORE_FIRST, what, record)
        if not metadata:
            self._turns.message(found, new=new)
        elif "messageType" not in metadata:
            self._turns.message(found, new=new)
            if new:
                self._attempts.answered(found.id, metadata)

    def _call(
        self, payload: dict[str, Any], meta: dict[str, Any], _name: Any, _number: Any, record: int
    ) -> None:
        if not self.tools.call(payload, meta):
            self._ignored(_NAMELESS, record)

    def _result(
        self, payload: dict[str, Any], meta: dict[str, Any], _name: Any, _number: Any, record: int
    ) -> None:
        if not self.tools.result(payload, meta):
            self._ignored(_NAMELESS, record)

    # Anchors and events.

    def _anchor(
        self,
        payload: dict[str, Any],
        meta: dict[str, Any],
        name: str | None,
        number: int | None,
        record: int,
    ) -> None:
        if name is not None and is_reconstruction(name):
            if self._history.tired:
                self._builder.reject()
                message = "too many messages came and went with the anchors before it"
                self._folding.found_at_event(rules.NOT_FOLLOWED, message, record)
                return
            checkpoint = checkpoint_of(name, payload)
            state = object_of(payload.get("state"))
            rolling = state.get("previousSummaryUpdatedAt") is not None
            self._history.anchor(checkpoint, sources_of(payload), rolling=rolling)
            # With its number: two anchors of one name are two states.
            which = "without a number" if number is None else f"entry {number}"
            self._builder.set("checkpoint", f"{name[:_NAME]} ({which})")
            self._builder.set("summary cursor", _whole(checkpoint.cursor))
        elif name == SESSION_START:
            incarnation = text(meta.get("tapeIncarnationId"))
            if incarnation:
                self._builder.set("incarnation", incarnation[:_NAME])

    def _view(
        self, payload: dict[str, Any], _meta: Any, _name: Any, _number: Any, record: int
    ) -> None:
        self.views.assembled(mapping(payload.get("data")), record)

    def _backfilled(self, _payload: Any, _meta: Any, _name: Any, _number: Any, record: int) -> None:
        message = "the rows before were copied from the transcript, all at once"
        self._folding.found_at_event(rules.BACKFILLED, message, record)

    def _retracted(self, data: dict[str, Any]) -> None:
        identity = text(data.get("messageId"))
        if identity:
            self._history.retract(identity)
            self._builder.close(
                SpanKind.COMPACTION, identity, Outcome.UNKNOWN, "its message was retracted"
            )

    def _indicator(self, data: dict[str, Any]) -> None:
        """A compaction as the person sees it: it begins, and it is done."""
        identity, status = text(data.get("messageId")), text(data.get("status"))
        if status == "compacting":
            self._builder.open(SpanKind.COMPACTION, identity)
        elif status == "compacted":
            self._builder.close(SpanKind.COMPACTION, identity, Outcome.OK)
        else:
            word = status or "no status"
            self._builder.close(SpanKind.COMPACTION, identity, Outcome.UNKNOWN, word)

    # Sessions without a tape.

    def _settings(
        self, column: dict[str, Any], _meta: Any, _name: Any, _number: Any, _record: int
    ) -> None:
        """The row of the session's settings, with the summary that older versions keep there."""
        cursor, summary = column.get("summary_cursor_order_seq"), column.get("summary_text")
        state = {"cursorOrderSeq": cursor, "summary": summary}
        self._history.anchor(checkpoint_of("", {"state": state}), (), rolling=False)
        for register, key in (
            ("model", "model_id"),
            ("provider", "provider_id"),
            ("permission preset", "permission_mode"),
            ("reasoning effort", "reasoning_effort"),
        ):
            if text(column.get(key)):
                self._builder.set(register, column[key][:_NAME])
        if isinstance(column.get("context_length"), int):
            self._builder.set("window", column["context_length"])
        if text(column.get("system_prompt")):
            self._builder.set("preamble", IN_PAYLOAD)


def _identity(entry: Entry) -> str:
    """The id of the message of a row that was folded as one."""
    found = record_of(entry.payload)
    return "" if isinstance(found, str) else found.id


def _whole(number: float) -> int | float:
    return int(number) if abs(number) < 1 << 53 else number
