"""What each event type does beside the surface, and how eligible events become nodes.

Surface rules are in `surface`; here an event that was found valid is put into effects. What it
does in detail is said by the rooms that this one joins, one for each subject.
"""

from collections.abc import Callable
from typing import Any, Final

from inspector.formats.dsh.effects.activities import Activities
from inspector.formats.dsh.effects.compactions import Compactions
from inspector.formats.dsh.effects.conversation import Conversation
from inspector.formats.dsh.effects.inbox import Inbox
from inspector.formats.dsh.effects.messages import Shape
from inspector.formats.dsh.effects.registers import HeaderFacts, Registers
from inspector.formats.dsh.effects.settling import Settling
from inspector.formats.dsh.effects.team import Team
from inspector.formats.dsh.effects.tokens import of_content
from inspector.formats.dsh.effects.undertakings import Undertakings
from inspector.formats.shapes import mapping
from inspector.timeline.builder import Builder
from inspector.timeline.nodes import NodeDetails
from inspector.timeline.words import Mark, Outcome, Reason, Role

Handler = Callable[[dict[str, Any]], None]
Shaper = Callable[[dict[str, Any]], Shape]

_EMPTY_IS_NONE: Final = (Role.ASSISTANT, Role.SYSTEM)
"""Whose messages the owner leaves out if they have no content (format page 3.4 and 11)."""

_LEFT_OPEN: Final = (Outcome.INTERRUPTED, "left open by an earlier life")

_REASONS: Final = {Role.TOOL: Reason.PRUNED, Role.SUMMARY: Reason.COMPACTED}
"""Why a node leaves, by who replaces it (format page 7.2 and 7.4)."""


class Fold:
    """Tells the builder what events of DeepSeek Harness do, those of later versions included.

    Attributes:
        handlers: by type, what an event does that is log-only; a type that is not here does
            nothing.
        says_inherited: whether an event said that what stands before it is inherited.
        shapers: by type, what an eligible event does beside the surface, and what node it is.

    Handlers are only called with objects, shapers only with data that passed its check.
    """

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._boundary_in_log = False
        self.says_inherited = False
        self._settling = Settling(builder)
        self._compactions = Compactions(builder, self._settling)
        self._activities = Activities(builder)
        self._registers = Registers(builder)
        self._conversation = Conversation(
            builder, self._settling, self._compactions, self._activities
        )
        self.handlers: dict[str, Handler] = {
            **self._of_the_loop(),
            **self._of_registers(),
            **self._of_activities(),
            "session/end-seed": self._end_seed,
            "compaction/start": self._compactions.start,
            "compaction/summary": self._summary,
            "compaction/end": self._compactions.end,
            "compaction/prune": self._prune,
        }
        self.shapers: dict[str, Shaper] = {
            "user/message": self._conversation.user_message,
            "assistant/message": self._conversation.assistant_message,
            "tool/result": self._conversation.tool_result,
            "system/message": self._conversation.system_message,
            "developer/message": self._conversation.developer_message,
        }

    def begin(self, header: HeaderFacts) -> None:
        """What is so before the first event."""
        self._registers.header(header)
        self._builder.inherit(header.seed_length or 0)
        self._boundary_in_log = header.seeded

    def _of_the_loop(self) -> dict[str, Handler]:
        conversation = self._conversation
        return {
            "turn/start": conversation.turn_start,
            "turn/end": conversation.turn_end,
            "step/start": conversation.step_start,
            "step/end": conversation.step_end,
            "assistant/chunk": conversation.chunk,
            "tool/call": conversation.tool_call,
            "assistant/attempt": conversation.attempt,
            "llm/retry": conversation.retry,
            "llm/retry-started": conversation.retry_started,
        }

    def _of_registers(self) -> dict[str, Handler]:
        registers = self._registers
        return {
            "request/header": registers.request_header,
            "request/context": registers.request_context,
            "session/title": registers.title,
            "todo/write": registers.todo,
            "agent-preset/selected": registers.preset,
            "approval/policy": registers.approval_policy,
            "sandbox/mode": registers.sandbox_mode,
            "permission/preset": registers.permission_preset,
            "feedback/record": registers.feedback,
            "subagent/descriptor": registers.subagent,
            "agent/inbox/spliced": Inbox(self._builder).spliced,
        }

    def _of_activities(self) -> dict[str, Handler]:
        activities = self._activities
        undertakings, team = Undertakings(self._builder), Team(self._builder)
        return {
            "approval/asked": activities.approval_asked,
            "approval/decided": activities.approval_decided,
            "hook/invoked": activities.hook_invoked,
            "hook/result": activities.hook_result,
            "command/run": activities.command_run,
            "command/done": activities.command_done,
            "tool/code-dispatch-start": activities.sub_call,
            "tool/code-dispatch": activities.sub_result,
            "tool/ptc-dispatch-start": activities.sub_call,
            "tool/ptc-dispatch": activities.sub_result,
            "tool-workflow/run-start": activities.workflow_start,
            "tool-workflow/run-end": activities.workflow_end,
            "tool-workflow/agent-start": activities.agent_start,
            "tool-workflow/agent-end": activities.agent_end,
            "plan/mode": undertakings.plan_mode,
            "goal/change": undertakings.goal,
            "schedule/change": undertakings.schedule,
            "team/member": team.member,
            "team/message/queued": team.message_queued,
            "team/message/delivered": team.message_delivered,
            "team/task": team.task,
        }

    def _end_seed(self, data: dict[str, Any]) -> None:
        """A new life begins (format page 4.2), and what the one before left open is over.

        In later versions it also says where the inherited events end (format page 4.6).
        """
        if data.get("inherited") is True:
            self.says_inherited = True
            if self._boundary_in_log:
                self._builder.inherit(self._builder.event)
        self._builder.live()
        self._compactions.new_life()
        self._conversation.new_life(*_LEFT_OPEN)
        self._activities.new_life(*_LEFT_OPEN)

    def _summary(self, data: dict[str, Any]) -> None:
        usage = data.get("usage")
        if usage is not None:
            self._conversation.spend(mapping(usage), aside=True)
        self._compactions.summarised()

    def _prune(self, _data: dict[str, Any]) -> None:
        self._compactions.pruned()

    # Nodes.

    def append(self, shape: Shape, sources: list[range] | None) -> None:
        """A valid event enters at the end; ``sources`` are positions."""
        role, kind, content, failed = shape
        if failed:
            self._builder.mark(Mark.ERROR)
        elif role is Role.ASSISTANT:
            self._conversation.answered()
        details: NodeDetails | None = None
        if not content and role in _EMPTY_IS_NONE:
            details = {"silent": True}
        self._builder.append(role, kind, of_content(content), details, sources)

    def replace(self, shape: Shape, hides: list[int], sources: list[range]) -> None:
        """A valid event enters in the place of others; a rewritten error is no second one."""
        role, kind, content, _ = shape
        reason = _REASONS.get(role, Reason.SUPERSEDED)
        details: NodeDetails = {
            "sources": sources,
            "silent": not content and role in _EMPTY_IS_NONE,
        }
        self._builder.replace(hides, reason, role, kind, of_content(content), details)
        if reason is not Reason.SUPERSEDED:
            self._builder.mark(Mark.COMPACTION)
