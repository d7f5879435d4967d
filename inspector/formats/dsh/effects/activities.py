"""Activities with a beginning and an end of their own (format page 1.10)."""

from typing import Any, Final

from inspector.formats.dsh.effects.listing import Listed
from inspector.formats.dsh.effects.messages import with_detail
from inspector.formats.dsh.effects.spans import identity
from inspector.formats.shapes import text, whole
from inspector.timeline.builder import Builder
from inspector.timeline.words import Mark, Outcome, SpanKind

APPROVALS: Final = {
    "allowed-once": (Outcome.OK, "allowed once"),
    "rejected": (Outcome.REJECTED, "rejected"),
    "cancelled": (Outcome.CANCELLED, "cancelled"),
    "unavailable": (Outcome.UNKNOWN, "nobody could be asked"),
}

_DECISIONS: Final = {"block": Outcome.REJECTED, "deny": Outcome.REJECTED, "": Outcome.UNKNOWN}
"""What a hook decided; any other decision lets the agent go on."""

_ENDINGS: Final = {
    "completed": Outcome.OK,
    "cancelled": Outcome.CANCELLED,
    "error": Outcome.FAILED,
    "failed": Outcome.FAILED,
}
"""How a workflow or an agent of it stopped."""

_OF_A_PROCESS: Final = (
    SpanKind.APPROVAL,
    SpanKind.HOOK,
    SpanKind.COMMAND,
    SpanKind.WORKFLOW,
    SpanKind.WORKFLOW_AGENT,
    SpanKind.CODE_DISPATCH,
)
"""What nobody goes on with in a new life, and no repair closes (format page 5)."""


def hook_word(data: dict[str, Any]) -> str:
    """What a hook decided and how its process ended: ``exit 2: block``."""
    decision = text(data.get("decision"))[:80] or "no decision"
    code = whole(data.get("exitCode"))
    return decision if code is None else f"exit {code}: {decision}"


_FOLLOWED: Final = 10_000
"""Agents that end with their workflow; a tape may start any number that never stop."""


class Activities:
    """Tells the builder when approvals, hooks, commands, sub-calls and workflows begin and end."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._workflows = Listed()
        self._agents: dict[str, set[str]] = {}
        self._running = 0

    # Approvals, hooks and commands.

    def approval_asked(self, data: dict[str, Any]) -> None:
        """Somebody must decide."""
        self._builder.open(SpanKind.APPROVAL, identity(text(data.get("id"))))

    def approval_decided(self, data: dict[str, Any]) -> None:
        """Somebody did, or nobody could."""
        said = text(data.get("outcome"))
        outcome, word = APPROVALS.get(said, (Outcome.UNKNOWN, said))
        self._builder.close(SpanKind.APPROVAL, identity(text(data.get("id"))), outcome, word)

    def hook_invoked(self, data: dict[str, Any]) -> None:
        """A hook runs."""
        self._builder.open(SpanKind.HOOK, _hook(data))

    def hook_result(self, data: dict[str, Any]) -> None:
        """A hook is done; one that blocks did what it is for, and is no error."""
        outcome = _DECISIONS.get(text(data.get("decision")), Outcome.OK)
        self._builder.close(SpanKind.HOOK, _hook(data), outcome, hook_word(data))

    def command_run(self, data: dict[str, Any]) -> None:
        """A command of the person runs."""
        self._builder.open(SpanKind.COMMAND, identity(text(data.get("commandId"))))

    def command_done(self, data: dict[str, Any]) -> None:
        """A command is done."""
        kind = text(data.get("kind"))
        outcome = {"success": Outcome.OK, "error": Outcome.FAILED}.get(kind, Outcome.UNKNOWN)
        word = with_detail(kind, data.get("text"))
        self._end(SpanKind.COMMAND, identity(text(data.get("commandId"))), outcome, word)

    # Code mode: calls within a call.

    def sub_call(self, data: dict[str, Any]) -> None:
        """The code of a call calls a tool."""
        self._builder.open(SpanKind.CODE_DISPATCH, identity(text(data.get("subCallId"))))

    def sub_result(self, data: dict[str, Any]) -> None:
        """The tool answers the code."""
        failed = data.get("isError") is True
        name = identity(text(data.get("subCallId")))
        self._end(SpanKind.CODE_DISPATCH, name, Outcome.FAILED if failed else Outcome.OK, "")

    def step_over(self) -> None:
        """A call that was not answered ends with its step, and what it called too (page 5)."""
        self._builder.close_all(SpanKind.CODE_DISPATCH, Outcome.INTERRUPTED)

    # Workflows.

    def workflow_start(self, data: dict[str, Any]) -> None:
        """A workflow runs."""
        name = identity(text(data.get("runId")))
        self._builder.open(SpanKind.WORKFLOW, name)
        self._workflows.put(name, text(data.get("name")))
        self._builder.set("workflows", self._workflows.shown())

    def workflow_end(self, data: dict[str, Any]) -> None:
        """A workflow stopped; agents of it that did not stop before ended with it."""
        name, reason = identity(text(data.get("runId"))), text(data.get("stopReason"))
        outcome = _ENDINGS.get(reason, Outcome.UNKNOWN)
        left = self._agents.pop(name, set())
        self._running -= len(left)
        for agent in sorted(left):
            word = "its workflow ended"
            self._builder.close(SpanKind.WORKFLOW_AGENT, agent, Outcome.INTERRUPTED, word)
        self._end(SpanKind.WORKFLOW, name, outcome, reason)
        if self._workflows.line(name) is not None:
            self._workflows.drop(name)
            self._builder.set("workflows", self._workflows.shown())

    def agent_start(self, data: dict[str, Any]) -> None:
        """An agent of a workflow runs."""
        agent = _agent(data)
        self._builder.open(SpanKind.WORKFLOW_AGENT, agent)
        if self._running < _FOLLOWED:
            of_run = self._agents.setdefault(identity(text(data.get("runId"))), set())
            self._running += agent not in of_run
            of_run.add(agent)

    def agent_end(self, data: dict[str, Any]) -> None:
        """An agent of a workflow stopped."""
        said, agent = text(data.get("outcome")), _agent(data)
        self._end(SpanKind.WORKFLOW_AGENT, agent, _ENDINGS.get(said, Outcome.UNKNOWN), said)
        run = identity(text(data.get("runId")))
        of_run = self._agents.get(run)
        if of_run is not None and agent in of_run:
            of_run.remove(agent)
            self._running -= 1
            if not of_run:
                del self._agents[run]

    # All of them.

    def new_life(self, outcome: Outcome, word: str) -> None:
        """Nobody goes on with what an earlier life began."""
        for kind in _OF_A_PROCESS:
            self._builder.close_all(kind, outcome, word)
        self._agents.clear()
        self._running = 0
        if self._workflows.shown():
            self._workflows.clear()
            self._builder.set("workflows", ())

    def _end(self, kind: SpanKind, name: str, outcome: Outcome, word: str) -> None:
        self._builder.close(kind, name, outcome, word)
        if outcome is Outcome.FAILED:
            self._builder.mark(Mark.ERROR)


def _hook(data: dict[str, Any]) -> str:
    return identity(data.get("turn"), text(data.get("point")), text(data.get("handlerId")))


def _agent(data: dict[str, Any]) -> str:
    return identity(text(data.get("runId")), data.get("seq"))
