"""Calls of tools and their results (format page 1.6)."""

from collections.abc import Callable
from typing import Any, Final

from inspector.columns import NEVER, Column, unsigned
from inspector.formats.claude import rules
from inspector.formats.claude.effects.texts import INTERRUPTED, first_text
from inspector.formats.claude.tree.calls import Calls, answered_by, blocks_of
from inspector.formats.logs.folding import Folding
from inspector.formats.shapes import mapping, text
from inspector.text.gate import clean_line
from inspector.timeline.registers import IN_PAYLOAD
from inspector.timeline.words import Mark, Outcome, SpanKind

_SAID: Final = 80
_AGENTS: Final = frozenset({"Task", "Agent"})
"""Tools that are subagents."""

_COPIES: Final = 99
"""Open calls with one id that are told apart."""

_REJECTED: Final = (
    "The user doesn't want to proceed with this tool use",
    "The user doesn't want to take this action right now",
    "Permission prompt was aborted",
)
"""How the result begins of a call that the person did not allow."""


class ToolCalls:
    """Tells the builder which result answers which call, and how the call ended.

    Args:
        folding: where events and findings go.
        calls: the calls by their ids.
        place: the event in which a record stands, by its id; None if it stands in none.

    Attributes:
        unanswered: the ids of calls of the main line that wait for their results.
        agents: the ids of subagents that were told of.
        companions: by the id of a call the subagent that its own file says it started.
    """

    def __init__(self, folding: Folding, calls: Calls, place: Callable[[Any], int | None]) -> None:
        self._place = place
        # By an id that open calls share: what each is called here, and its event.
        self._shared: dict[str, list[tuple[str, int]]] = {}
        self._folding = folding
        self._builder = folding.builder
        self._calls = calls
        self._orphans: Column = unsigned()
        self.unanswered: set[str] = set()
        self.agents: set[str] = set()
        self.companions: dict[str, str] = {}

    # Calls.

    def made(self, calls: list[str], message: int, record: int, *, side: bool, again: bool) -> None:
        """An assistant's record makes calls.

        Args:
            calls: their ids.
            message: the number of the message of the API.
            record: the physical record.
            side: a subagent makes them.
            again: the record stood in the tape before.
        """
        known, event = self._calls, self._builder.event
        for name in calls:
            before = len(known.event)
            number = known.number(name, event)
            early = number < before and known.event[number] == NEVER
            if number < before and not again:
                self._odd(name, record, early=early)
            earlier = known.event[number]
            known.made(number, event, message)
            if early:
                self._builder.pair(event, known.result[number])
            elif not again:
                self._begin(name, earlier, side=side)

    def begins(self, name: str, message: int, tool: str) -> bool:
        """The only block of a line of the main line makes a call; `made` and `blocks` for it.

        Args:
            name: its id.
            message: as for `made`.
            tool: what is called.

        Returns:
            False, and nothing was done, if the id may have been seen before.
        """
        builder = self._builder
        if builder.is_open(SpanKind.TOOL_CALL, name):
            return False
        if not self._calls.begin(name, builder.event, message):
            return False
        builder.open(SpanKind.TOOL_CALL, name)
        self.unanswered.add(name)
        self._block(name, tool)
        return True

    def _odd(self, name: str, record: int, *, early: bool) -> None:
        said = clean_line(name, _SAID)
        if early:
            message = f"the result of call {said} stands before the call"
            self._folding.found_at_event(rules.EARLY_RESULT, message, record)
        else:
            message = f"call {said} is made a second time"
            self._folding.found_at_event(rules.DUPLICATE_CALL, message, record)

    def _begin(self, name: str, earlier: int, *, side: bool) -> None:
        builder = self._builder
        identity, copies = name, 0
        while builder.is_open(SpanKind.TOOL_CALL, identity) and copies < _COPIES:
            copies += 1
            identity = f"{name}\0{copies}"
        if copies:
            self._shared.setdefault(name, [(name, earlier)])
        shared = self._shared.get(name)
        if shared is not None and len(shared) < _COPIES:
            shared.append((identity, builder.event))
        builder.open(SpanKind.TOOL_CALL, identity)
        if not side:
            self.unanswered.add(identity)

    def blocks(self, record: dict[str, Any]) -> None:
        """What single calls of a record do beside being calls."""
        for block in blocks_of(record):
            if type(block) is not dict or block.get("type") != "tool_use":
                continue
            self._block(block.get("id"), text(block.get("name")))

    def _block(self, name: Any, tool: str) -> None:
        self._builder.mark(Mark.TOOL_CALL)
        if tool == "TodoWrite":
            self._builder.set("todo", IN_PAYLOAD)
        elif tool in _AGENTS and type(name) is str:
            self._builder.open(SpanKind.SUBAGENT, name)

    # Results.

    def answered(self, value: dict[str, Any], *, again: bool) -> list[range] | None:
        """A user's record answers calls; returns the events of the calls."""
        sources: list[range] = []
        for block in blocks_of(value):
            if type(block) is not dict or block.get("type") != "tool_result":
                continue
            name = block.get("tool_use_id")
            if type(name) is str:
                self._answer(name, value, block, sources, again=again)
        return sources or None

    def _answer(
        self,
        name: str,
        value: dict[str, Any],
        block: dict[str, Any],
        sources: list[range],
        *,
        again: bool,
    ) -> None:
        builder, calls = self._builder, self._calls
        number = calls.number(name, builder.event)
        call = self._called(name, value, calls.event[number])
        calls.answered(number, builder.event)
        if call == NEVER:
            if not again:
                self._orphans.append(number)
            return
        sources.append(range(call, call + 1))
        if not again:
            self._ends(name, call, value, block)

    def _called(self, name: str, value: dict[str, Any], last: int) -> int:
        """The event of the call that a result answers, of several open ones with its id: that on
        which it hangs, or else the last.
        """
        shared = self._shared.get(name)
        if not shared:
            return last
        above = [self._place(value.get(key)) for key in ("sourceToolAssistantUUID", "parentUuid")]
        return next((event for _, event in shared if event in above), shared[-1][1])

    def ends(self, name: str, value: dict[str, Any], block: dict[str, Any]) -> int:
        """The only block of a record answers a call; `answered` for it.

        Returns:
            The event of the call; `NEVER`, and nothing was done, if it is not known by heart.
        """
        if name in self._shared:
            return NEVER
        calls = self._calls
        number = calls.recent(name)
        call = NEVER if number < 0 else calls.event[number]
        if call != NEVER:
            calls.answered(number, self._builder.event)
            self._ends(name, call, value, block)
        return call

    def _ends(self, name: str, call: int, value: dict[str, Any], block: dict[str, Any]) -> None:
        builder = self._builder
        builder.pair(call)
        outcome, word = _ending(value, block)
        if outcome is not Outcome.OK:
            builder.mark(Mark.ERROR)
        identity = self._identity(name, call)
        if builder.close(SpanKind.TOOL_CALL, identity, outcome, word):
            self.unanswered.discard(identity)
        if builder.is_open(SpanKind.SUBAGENT, name):
            builder.close(SpanKind.SUBAGENT, name, outcome, word)
            told = text(mapping(value.get("toolUseResult")).get("agentId"))
            agent = told or self.companions.get(name, "")
            if agent and agent not in self.agents:
                self.agents.add(agent)
                builder.kin("subagent", agent, None)
            elif agent:
                builder.tell_of(agent)

    def _identity(self, name: str, call: int) -> str:
        """What a call is called here that ends."""
        shared = self._shared.get(name)
        if not shared:
            return name
        events = [event for _, event in shared]
        identity, _ = shared.pop(events.index(call))
        if not shared:
            del self._shared[name]
        return identity

    def orphans(self) -> list[int]:
        """The events of results whose calls nobody made so far."""
        calls = self._calls
        return [calls.result[call] for call in self._orphans if calls.event[call] == NEVER]

    def unmade(self, record: dict[str, Any]) -> list[str]:
        """The calls that a record answers and nobody made so far."""
        calls = self._calls
        return [
            name
            for name in answered_by(record)
            if (number := calls.known(name)) is None or calls.event[number] == NEVER
        ]

    def stopped(self, outcome: Outcome, word: str | None) -> None:
        """Nobody waits for results any more."""
        for identity in self.unanswered:
            self._builder.close(SpanKind.TOOL_CALL, identity, outcome, word)
            self._builder.close(SpanKind.SUBAGENT, identity, outcome, word)
        self.unanswered.clear()
        for name, calls in list(self._shared.items()):
            calls[:] = [one for one in calls if self._builder.is_open(SpanKind.TOOL_CALL, one[0])]
            if not calls:
                del self._shared[name]


def _ending(record: dict[str, Any], block: dict[str, Any]) -> tuple[Outcome, str | None]:
    """How a call ended by its result; that it was refused or cut off is told by its text."""
    if block.get("is_error") is not True:
        ended = record.get("toolUseResult")
        if type(ended) is dict and ended.get("interrupted") is True:
            return Outcome.INTERRUPTED, "interrupted"
        return Outcome.OK, None
    said = first_text(block.get("content"))
    if said.startswith(_REJECTED):
        return Outcome.REJECTED, "rejected by the user"
    if said.startswith(INTERRUPTED) or text(record.get("toolUseResult")).startswith(
        f"Error: {INTERRUPTED}"
    ):
        return Outcome.INTERRUPTED, "interrupted by the user"
    return Outcome.FAILED, clean_line(said.partition("\n")[0], _SAID) or None
