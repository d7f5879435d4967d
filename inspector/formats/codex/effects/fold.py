"""What each record does: the rooms that this one joins say it, one for each subject."""

from collections.abc import Callable
from typing import Any, Final

from inspector.formats.codex import items, rules
from inspector.formats.codex.effects.calls import Calls
from inspector.formats.codex.effects.registers import Registers
from inspector.formats.codex.effects.rewriting import Rewriting
from inspector.formats.codex.effects.turns import Turns, Twins
from inspector.formats.codex.effects.usage import Usage
from inspector.formats.codex.header import Header
from inspector.formats.codex.history import History, OverworkedError
from inspector.formats.codex.items import BOUNDARY, PERSON, Item
from inspector.formats.codex.replacements import Replacement
from inspector.formats.codex.vocabulary import TURN_DONE, TURN_STARTED
from inspector.formats.logs.folding import Folding
from inspector.formats.shapes import text
from inspector.text.gate import clean_line
from inspector.timeline.findings import FindingKind
from inspector.timeline.words import Kind, Mark, Role

Handler = Callable[[dict[str, Any], int], None]

_CONTEXT_FIELDS: Final = (("cwd", str), ("model", str), ("summary", str))
"""What a ``turn_context`` must have for the owner to read it, and two that may be of any shape
(RULES R0)."""


class Fold:
    """Tells the builder what records do.

    Args:
        folding: of the log.
        replacement: what the compaction at a position says, read again.
        said: what a node says that is an item, read again.
    """

    def __init__(
        self,
        folding: Folding,
        replacement: Callable[[int], Replacement],
        said: Callable[[int], str],
    ) -> None:
        self._folding = folding
        self._builder = folding.builder
        self.history = History(folding.builder, replacement, said)
        self._segments = self.history.segments
        self._rewriting = Rewriting(folding, self.history)
        self._calls = Calls(folding.builder)
        self._turns = Turns(folding.builder, self._calls)
        self._twins = Twins()
        self._registers = Registers(folding.builder)
        self._usage = Usage(folding.builder, self._registers)
        self.stopped = False
        self.items = 0
        self._events: dict[str, Handler] = self._handlers()

    def begin(self, header: Header) -> None:
        """What the log says of itself."""
        builder = self._builder
        builder.event = self._folding.position - 1
        self._registers.header(header)
        if header.fork is not None:
            builder.kin("fork", header.fork, header.shared)
        if header.parent is not None:
            builder.kin("subagent", header.parent, header.shared)
        builder.event = self._folding.position

    def _handlers(self) -> dict[str, Handler]:
        calls, registers = self._calls, self._registers
        return {
            **dict.fromkeys(TURN_STARTED, self._turn_started),
            **dict.fromkeys(TURN_DONE, self._turn_done),
            "turn_aborted": self._turn_aborted,
            "user_message": self._user_said,
            "agent_message": self._agent_said,
            "thread_rolled_back": self._rewriting.rolled_back,
            "token_count": lambda event, _: self._usage.count(event),
            "exec_command_end": lambda event, _: calls.command_end(event),
            "patch_apply_end": lambda event, _: calls.patch_end(event),
            "mcp_tool_call_end": lambda event, _: calls.mcp_end(event),
            "exec_approval_request": lambda event, _: calls.approval_asked(event),
            "apply_patch_approval_request": lambda event, _: calls.approval_asked(event),
            "guardian_assessment": lambda event, _: calls.guardian(event),
            "thread_settings_applied": lambda event, _: registers.settings(event),
            "thread_name_updated": lambda event, _: registers.name(event),
            "thread_goal_updated": lambda event, _: registers.goal(event),
            "plan_update": lambda event, _: registers.plan(event),
            "entered_review_mode": lambda *_: registers.review(on=True),
            "exited_review_mode": lambda *_: registers.review(on=False),
            "error": lambda *_: self._builder.mark(Mark.ERROR),
            "stream_error": lambda *_: self._builder.mark(Mark.ERROR),
            "collab_agent_spawn_end": self._spawned,
        }

    # Records.

    def item(self, item: dict[str, Any], record: int) -> None:
        """An item of the history."""
        kind = item.get("type")
        if type(kind) is not str or kind not in items.CHECKS:
            self._unknown_item(kind, record)
            return
        check = items.CHECKS[kind]
        why = None if check is None else check(item)
        if why is not None:
            self.rejected(rules.BAD_ITEM, f"the owner drops the line: {why}", record)
            return
        if self.stopped:
            return
        if kind == "message":
            self._message(item, record)
            return
        shape = items.shape(item)
        self.items += 1
        self.history.append(shape)
        if shape.kind is Kind.TOOL_RESULT:
            self._calls.output(item)
        elif kind in items.CALLS:
            self._calls.call(item)
        elif shape.traits & BOUNDARY:
            self._user_turn(record)

    def _message(self, item: dict[str, Any], record: int) -> None:
        if item["role"] == "system":
            # Only what a compaction stores may speak as the system (RULES R2).
            return
        shape = items.shape(item)
        self._append(shape, self._twin(item, shape), record)

    def event(self, name: str, event: dict[str, Any], record: int) -> None:
        """What happened, as it is told to the person."""
        handler = self._events.get(name)
        if handler is not None and not self.stopped:
            self._guarded(handler, event, record)

    def record(self, kind: str, payload: dict[str, Any], record: int) -> None:
        """A record of another kind."""
        if self.stopped:
            return
        if kind == "turn_context":
            self._turn_context(payload, record)
        elif kind == "compacted":
            self._guarded(self._rewriting.compacted, payload, record)
        elif kind == "inter_agent_communication":
            self._between_agents(payload, record)

    def rejected(self, kind: FindingKind, message: str, record: int) -> None:
        """The owner cannot read the record."""
        self._folding.found_at_event(kind, message, record)
        self._builder.reject()

    def _unknown_item(self, kind: Any, record: int) -> None:
        if kind in items.DROPPED:
            return
        if type(kind) is not str:
            self.rejected(
                rules.BAD_ITEM, "the owner drops the line: an item without a type", record
            )
            return
        message = f"the owner drops the line: an item of an unknown type, {clean_line(kind, 80)}"
        self._folding.found_at_event(rules.UNKNOWN_ITEM, message, record)

    # The history.

    def _append(self, shape: Item, sources: list[range] | None, record: int) -> None:
        self.items += 1
        self.history.append(shape, sources)
        if shape.traits & BOUNDARY:
            self._user_turn(record)

    def _user_turn(self, record: int) -> None:
        """The segment is a user's turn, which may pay what a rollback asks for (RULES R1)."""
        before = self.history.base
        self._segments.user(self._builder.event)
        self._follow(before, record)

    def _follow(self, before: int, record: int) -> None:
        try:
            if self.history.follow():
                self._rewriting.moved(before, record)
        except OverworkedError:
            self._stop(record)

    def _guarded(self, handler: Handler, payload: dict[str, Any], record: int) -> None:
        try:
            handler(payload, record)
        except OverworkedError:
            self._stop(record)

    def _stop(self, record: int) -> None:
        message = (
            "rollbacks undo compactions one after the other: replaying them would cost more than "
            "any log of the owner does"
        )
        self._folding.found_at_event(rules.TOO_MUCH_REPLAY, message, record)
        self._builder.stop()
        self.stopped = True

    def _between_agents(self, payload: dict[str, Any], record: int) -> None:
        content = payload.get("content")
        if type(content) is not str:
            self.rejected(rules.BAD_ITEM, "the owner drops the line: it has no content", record)
            return
        self._append(items.between_agents(content), None, record)

    # Messages.

    def _twin(self, item: dict[str, Any], shape: Item) -> list[range] | None:
        """The record that says the same to the person; marks the person's own words."""
        person = shape.traits & PERSON and shape.kind is Kind.MESSAGE
        if not person and (shape.role is not Role.ASSISTANT or shape.kind is not Kind.MESSAGE):
            return None
        speaker = "user" if person else "assistant"
        said = items.joined(item["content"])
        other = self._twins.pair(speaker, said, self._builder.event, item=True)
        if person and other is None:
            self._person()
        return None if other is None else [range(other, other + 1)]

    def _user_said(self, event: dict[str, Any], record: int) -> None:
        message = event.get("message")
        if type(message) is not str:
            self.rejected(rules.BAD_ITEM, "the owner drops the line: it has no message", record)
            return
        if self._twins.pair("user", message, self._builder.event, item=False) is None:
            self._person()
        self._user_turn(record)

    def _agent_said(self, event: dict[str, Any], _record: int) -> None:
        self._twins.pair("assistant", text(event.get("message")), self._builder.event, item=False)

    def _person(self) -> None:
        self._turns.message()
        self._builder.mark(Mark.USER)

    # Turns.

    def _turn_started(self, event: dict[str, Any], record: int) -> None:
        name = event.get("turn_id")
        if type(name) is not str:
            message = "the owner ignores the start of the turn: it has no turn_id"
            self.rejected(rules.BAD_ENVELOPE, message, record)
            return
        self._twins.forget()
        self._segments.start(self._builder.event, hash(name))
        self._turns.start()
        self._registers.turn_started(event)

    def _turn_done(self, event: dict[str, Any], record: int) -> None:
        if self._finished(event, record):
            self._turns.complete()

    def _turn_aborted(self, event: dict[str, Any], record: int) -> None:
        if self._finished(event, record):
            self._turns.abort(event)

    def _finished(self, event: dict[str, Any], record: int) -> bool:
        """Whether the end of a turn belongs to the turn that is open (RULES R1.3)."""
        name, before = event.get("turn_id"), self.history.base
        if type(name) is str and self._segments.finish(hash(name)):
            self._follow(before, record)
            return True
        if not self._segments.turns:
            return True
        message = "the end of a turn that is not the one before it: the owner ignores it"
        self._folding.found_at_event(rules.OTHER_TURN, message, record)
        return False

    def _turn_context(self, payload: dict[str, Any], record: int) -> None:
        self._registers.turn_context(payload)
        name = payload.get("turn_id")
        if type(name) is not str or not _is_read(payload):
            return
        before, turns = self.history.base, self._segments.turns
        if not self._segments.name(hash(name)) and turns:
            message = (
                "settings of a turn that did not begin before them: the owner takes what stands "
                "before for parts of one turn"
            )
            self._folding.found_at_event(rules.SWALLOWED_TURNS, message, record)
        self._follow(before, record)

    def _spawned(self, event: dict[str, Any], _record: int) -> None:
        name = text(event.get("new_thread_id"))
        if name:
            self._builder.kin("spawned", name, None)


def _is_read(payload: dict[str, Any]) -> bool:
    """Whether the owner reads a ``turn_context``."""
    return (
        all(type(payload.get(key)) is kind for key, kind in _CONTEXT_FIELDS)
        and payload.get("approval_policy") is not None
        and payload.get("sandbox_policy") is not None
    )
