"""Items of the history as they are said, called and answered: what nearly every record is.

What is plain is folded without an `Item` for it; anything else goes the long way, which comes to
the same.
"""

from collections.abc import Callable
from typing import Any, Final

from inspector.formats.codex import items
from inspector.formats.codex.effects.calls import Calls
from inspector.formats.codex.effects.orphans import Orphans
from inspector.formats.codex.effects.turns import Turns, Twins
from inspector.formats.codex.history import History
from inspector.formats.codex.injected import (
    is_between_agents,
    is_context,
    is_instructions,
    is_summary,
)
from inspector.formats.codex.items import BOUNDARY, CALLS, PERSON, Item, asking
from inspector.formats.codex.likeness import of_call, of_message, of_output
from inspector.formats.logs.tokens import of_text
from inspector.formats.shapes import text
from inspector.timeline.builder import Builder
from inspector.timeline.words import Kind, Mark, Outcome, Role

_USER: Final = Role.USER
_ASSISTANT: Final = Role.ASSISTANT
_TOOL: Final = Role.TOOL
_MESSAGE: Final = Kind.MESSAGE
_CALL: Final = Kind.TOOL_CALL
_RESULT: Final = Kind.TOOL_RESULT
_ANSWER: Final = CALLS["function_call"]
_OWNERS: Final = ("A", "W")
"""Letters with which the owner's own words begin, summaries and warnings; others are in tags."""
_PERSONS: Final = BOUNDARY | PERSON


class Conversation:
    """Puts items into the history, and tells what else they are.

    Args:
        builder: takes the effects.
        history: where items go.
        calls: hears of calls and their outputs.
        turns: hears what the person says.
        orphans: hears of outputs whose call may not be there.
        follow: called where the history may have to be rebuilt from another compaction; with the
            base so far, and the record.

    Attributes:
        items: how many there are.
        twins: what says the same as an item.
    """

    def __init__(
        self,
        builder: Builder,
        history: History,
        calls: Calls,
        turns: Turns,
        orphans: Orphans,
        follow: Callable[[int, int], None],
    ) -> None:
        self._builder = builder
        self._history = history
        self._segments = history.segments
        self._enter = history.enter
        self._calls = calls
        self._turns = turns
        self._follow = follow
        self._orphans = orphans
        self.twins = Twins()
        self.items = 0

    # Items that the owner can decode.

    def item(self, item: dict[str, Any], record: int) -> None:
        """Any item."""
        kind = item["type"]
        if kind == "message":
            self._message(item, record)
            return
        shape = items.shape(item)
        self.items += 1
        self._history.append(shape)
        if shape.kind is Kind.TOOL_RESULT:
            self._output(item, record)
        elif kind in items.CALLS:
            self._orphans.called(kind, item.get("call_id"))
            early = self._orphans.early
            answered = bool(early) and self._orphans.answered_before(shape.asks)
            self._calls.call(item, answered=answered)
        elif kind == "image_generation_call":
            # The provider makes a file: a call, whose state stands in itself.
            failed = item.get("status") == "failed"
            self._calls.alone(Outcome.FAILED if failed else Outcome.OK, "by the provider")
        elif shape.traits & BOUNDARY:
            self.user_turn(record)

    def said(self, text: str, shape: Item, record: int) -> None:
        """What somebody says in another record than an item."""
        self._put(text, shape, record)

    def _message(self, item: dict[str, Any], record: int) -> None:
        if item["role"] == "system":
            # Only what a compaction stores may speak as the system (RULES R2).
            return
        self._put(items.joined(item["content"]), items.shape(item), record)

    def _put(self, said: str, shape: Item, record: int) -> None:
        self.items += 1
        self._history.append(shape, self._twin(said, shape))
        if shape.traits & BOUNDARY:
            self.user_turn(record)

    def user_turn(self, record: int) -> None:
        """The segment is a user's turn, which may pay what a rollback asks for (RULES R1)."""
        history = self._history
        before = history.base
        self._segments.user(self._builder.event)
        if self._segments.base != before:
            self._follow(before, record)

    # Plain ones.

    def plain_message(self, item: dict[str, Any], record: int) -> bool:
        """A message of one text by the person or the model; False if it is another one."""
        role, content = item.get("role"), item.get("content")
        if type(content) is not list or len(content) != 1 or type(content[0]) is not dict:
            return False
        part = content[0]
        said, kind = part.get("text"), part.get("type")
        if type(said) is not str:
            return False
        if role == "assistant" and kind == "output_text":
            first = said[:1]
            if (first != "{" and not first.isspace()) or not is_between_agents(said):
                self._answers(said, of_message(item, part, said))
                return True
        elif role == "user" and kind == "input_text":
            first = said[:1]
            plain = first.isalnum() and first not in _OWNERS
            if plain or not (is_summary(said) or is_context(said)):
                self._asks(said, of_message(item, part, said), record)
                return True
        return False

    def _answers(self, said: str, likeness: int) -> None:
        self.items += 1
        twin = self.twins.item("assistant", said, self._builder.event)
        sources = None if twin is None else self._retold(twin)
        self._enter(_ASSISTANT, _MESSAGE, of_text(said), likeness, sources=sources)

    def _asks(self, said: str, likeness: int, record: int) -> None:
        self.items += 1
        twin = self.twins.item("user", said, self._builder.event)
        sources = None if twin is None else self._retold(twin)
        put_there = is_instructions(said)
        if twin is None and not put_there:
            self.person()
        self._enter(
            _USER, _MESSAGE, of_text(said), likeness, _PERSONS, meta=put_there, sources=sources
        )
        self.user_turn(record)

    def plain_call(self, item: dict[str, Any], _record: int) -> bool:
        """A call of a function; False if the owner cannot decode it."""
        name, said, call = item.get("name"), item.get("arguments"), item.get("call_id")
        if type(name) is not str or type(said) is not str or type(call) is not str:
            return False
        self.items += 1
        likeness, asks = of_call(item, name, said, call), asking(_ANSWER, call)
        self._enter(_ASSISTANT, _CALL, of_text(said), likeness, asks=asks)
        if self._orphans.early and self._orphans.answered_before(asks):
            self._calls.late(call, name)
        else:
            self._calls.called(call, name)
        return True

    def plain_output(self, item: dict[str, Any], record: int) -> bool:
        """An output that is a text; False if it is another one."""
        said, call = item.get("output"), item.get("call_id")
        if type(said) is not str or type(call) is not str:
            return False
        self.items += 1
        kind = item["type"]
        self._enter(_TOOL, _RESULT, of_text(said), of_output(item, call, said))
        self._orphans.output(kind, call, self._calls.answered(call, said), record)
        return True

    def _output(self, item: dict[str, Any], record: int) -> None:
        """A tool answers, in any way; what came from the server needs no call (RULES R5)."""
        kind, call = item["type"], item.get("call_id")
        if type(call) is not str:
            return
        asked = self._calls.answered(call, item.get("output"))
        if kind != "tool_search_output" or item.get("execution") != "server":
            self._orphans.output(kind, call, asked, record)

    # Twins.

    def _twin(self, said: str, shape: Item) -> list[range] | None:
        """The record that says the same to the person; marks the person's own words."""
        person = shape.traits & PERSON and shape.kind is Kind.MESSAGE
        if not person and (shape.role is not Role.ASSISTANT or shape.kind is not Kind.MESSAGE):
            return None
        other = self.twins.item("user" if person else "assistant", said, self._builder.event)
        if person and other is None and not shape.meta:
            self.person()
        return None if other is None else self._retold(other)

    def _retold(self, twin: int) -> list[range]:
        """The item says what the person was told before."""
        self._builder.retell(twin)
        return [range(twin, twin + 1)]

    def heard(self, message: str, record: int) -> None:
        """The person says something, as the person is told."""
        if not self._told("user", message):
            self.person()
        self.user_turn(record)

    def agent_said(self, event: dict[str, Any], _record: int) -> None:
        """The model says something, as the person is told."""
        self._told("assistant", text(event.get("message")))

    def _told(self, speaker: str, said: str) -> bool:
        """The person is told what somebody says; returns whether an item said it before."""
        builder = self._builder
        twin = self.twins.told(speaker, said, builder.event)
        if twin is None:
            builder.speak()
            return False
        builder.retell(twin)
        return True

    def person(self) -> None:
        """The person says something, told for the first time."""
        self._turns.message()
        self._builder.mark(Mark.USER)
