"""What each record does: the rooms that this one joins say it, one for each subject."""

from collections.abc import Callable
from typing import Any, Final

from inspector.formats.codex import items, rules
from inspector.formats.codex.effects.agents import Agents
from inspector.formats.codex.effects.calls import Calls
from inspector.formats.codex.effects.conversation import Conversation
from inspector.formats.codex.effects.orphans import Orphans
from inspector.formats.codex.effects.registers import Registers
from inspector.formats.codex.effects.rewriting import Rewriting
from inspector.formats.codex.effects.turns import Turns
from inspector.formats.codex.effects.usage import Usage
from inspector.formats.codex.header import Header
from inspector.formats.codex.history import History, OverworkedError
from inspector.formats.codex.replacements import Replacement
from inspector.formats.codex.vocabulary import EVENTS, TURN_DONE, TURN_STARTED
from inspector.formats.logs.folding import Folding
from inspector.text.gate import clean_line
from inspector.timeline.findings import FindingKind
from inspector.timeline.words import Mark

Handler = Callable[[dict[str, Any], int], None]

Plain = Callable[[dict[str, Any], int], bool]
"""Folds an item if it is plain, and says whether it is."""

Way = tuple[int, Plain | None, Handler | None]
"""The number of a type, what folds its plain items, and what folds any of its records."""

_WAYS: Final = 256
"""Types of a kind whose way is known: a log may invent any number."""

_GUARDED: Final = ("thread_rolled_back",)
"""Events that may ask for too much replaying."""

_CONTEXT_FIELDS: Final = (("cwd", str), ("model", str), ("summary", str))
"""What a ``turn_context`` must have for the owner to read it, and two that may be of any shape
(RULES R0)."""


class Fold:
    """Tells the builder what records do.

    Args:
        folding: of the log.
        replacement: what the compaction at a position says, read again.
        said: what a node says that is an item, read again.

    Attributes:
        history: as the owner rebuilds it.
        conversation: folds items.
        usage: folds what providers report.
        calls: folds calls and their outputs.
        ways: by kind and type, where records go that were met before; empty once it stopped.
        stopped: whether the fold ended.
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
        self.calls = Calls(folding.builder)
        self._turns = Turns(folding.builder, self.calls)
        self._agents = Agents(folding.builder)
        orphans = Orphans(folding, self.history)
        self.conversation = Conversation(
            folding.builder, self.history, self.calls, self._turns, orphans, self._follow
        )
        self._registers = Registers(folding.builder)
        self.usage = Usage(folding.builder, self._registers)
        self.stopped = False
        self._plain: dict[str, Plain] = {
            "message": self.conversation.plain_message,
            "function_call": self.conversation.plain_call,
            "function_call_output": self.conversation.plain_output,
            "custom_tool_call_output": self.conversation.plain_output,
        }
        self._events: dict[str, Handler] = self._handlers()
        self.ways: dict[str, dict[str, Way]] = {"response_item": {}, "event_msg": {}}

    def begin(self, header: Header) -> None:
        """What the log says of itself."""
        builder = self._builder
        builder.event = self._folding.position - 1
        self._registers.header(header)
        if header.fork is not None:
            builder.kin("fork", header.fork, None, origin=True)
        if header.parent is not None:
            builder.kin("subagent", header.parent, None, origin=True)
        builder.event = self._folding.position

    def _handlers(self) -> dict[str, Handler]:
        calls, registers = self.calls, self._registers
        return {
            **dict.fromkeys(TURN_STARTED, self._turn_started),
            **dict.fromkeys(TURN_DONE, self._turn_done),
            "turn_aborted": self._turn_aborted,
            "user_message": self._user_said,
            "agent_message": self.conversation.agent_said,
            "thread_rolled_back": self._rewriting.rolled_back,
            "context_compacted": self._rewriting.announced,
            "token_count": self.usage.count,
            "exec_command_end": calls.command_end,
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
            "collab_agent_spawn_end": self._agents.spawned,
            "collab_close_end": self._agents.closed,
        }

    # Records.

    def learn(self, kind: str, name: str, code: int) -> None:
        """Records of a kind and type, which bears this number, go their way without more ado."""
        known = self.ways[kind]
        if self.stopped or len(known) >= _WAYS or name in known:
            return
        if kind == "response_item":
            known[name] = (code, self._plain.get(name), self.item)
        elif name not in _GUARDED:
            known[name] = (code, None, self._handler(name))

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
            if not self.stopped:
                self.calls.unread(item)
        elif not self.stopped:
            self.conversation.item(item, record)

    def event(self, name: str, event: dict[str, Any], record: int) -> None:
        """What happened, as it is told to the person."""
        handler = self._handler(name)
        if handler is not None and not self.stopped:
            self._guarded(handler, event, record)

    def _handler(self, name: str) -> Handler | None:
        """What folds events of a type; None for one that is known and does nothing."""
        return self._events.get(name) or (None if name in EVENTS else self._unknown_event)

    def _unknown_event(self, event: dict[str, Any], record: int) -> None:
        name = event.get("type")
        if type(name) is str:
            message = f"an event of a type that is not known: {clean_line(name, 80)}"
        else:
            message = "an event without a type"
        self._folding.found_at_event(rules.UNKNOWN_EVENT, message, record)

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
        for known in self.ways.values():
            known.clear()

    def _between_agents(self, payload: dict[str, Any], record: int) -> None:
        content = payload.get("content")
        if type(content) is not str:
            self.rejected(rules.BAD_ITEM, "the owner drops the line: it has no content", record)
            return
        self.conversation.said(content, items.between_agents(content), record)

    def _user_said(self, event: dict[str, Any], record: int) -> None:
        message = event.get("message")
        if type(message) is not str:
            self.rejected(rules.BAD_ITEM, "the owner drops the line: it has no message", record)
            return
        self.conversation.heard(message, record)

    # Turns.

    def _turn_started(self, event: dict[str, Any], record: int) -> None:
        name = event.get("turn_id")
        if type(name) is not str:
            message = "the owner ignores the start of the turn: it has no turn_id"
            self.rejected(rules.BAD_ENVELOPE, message, record)
            return
        self.conversation.twins.forget()
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


def _is_read(payload: dict[str, Any]) -> bool:
    """Whether the owner reads a ``turn_context``."""
    return (
        all(type(payload.get(key)) is kind for key, kind in _CONTEXT_FIELDS)
        and payload.get("approval_policy") is not None
        and payload.get("sandbox_policy") is not None
    )
