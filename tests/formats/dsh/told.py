"""Events told to a fold without a log, and short questions about what became of them."""

from array import array
from collections.abc import Iterable
from typing import Any, NamedTuple

from inspector.formats.dsh.effects.fold import Fold
from inspector.formats.dsh.effects.registers import value_of
from inspector.timeline.builder import Builder
from inspector.timeline.registers import IN_PAYLOAD
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Mark, SpanKind
from tests.dsh_tapes import Json, assistant_data, result_data, text_block, user_data

Told = tuple[str, Json]


class Facts(NamedTuple):
    """What a header says."""

    seed_length: int | None = None
    seeded: bool = False
    delegation_depth: int | None = None
    origin: str | None = None
    preset: str | None = None


class Telling:
    """A fold that was told events; one with ``hides`` in its data takes the place of the last."""

    def __init__(self, events: Iterable[Told], header: Facts | None = None) -> None:
        self.timeline = Timeline()
        self.events = list(events)
        builder = Builder(self.timeline)
        fold = Fold(builder)
        if header is not None:
            fold.begin(header)
        for position, (kind, data) in enumerate(self.events):
            builder.event = position
            if kind in fold.shapers:
                shape = fold.shapers[kind](data)
                if "hides" in data:
                    last = self.timeline.rows(position)[-1].node
                    fold.replace(shape, [last], [])
                else:
                    fold.append(shape, None)
            elif kind in fold.handlers:
                fold.handlers[kind](data)
            builder.publish(array("I", [position]), array("H", [0]), array("q", [0]))

    def spans(self, kind: SpanKind, cursor: int | None = None) -> list[tuple[Any, ...]]:
        """Opened, closed, outcome and word of each, as they stand at a cursor, or the head."""
        spans = self.timeline.spans[kind]
        at = len(self.events) if cursor is None else cursor
        found = [spans.at(span, at) for span in range(len(spans)) if spans.opened[span] <= at]
        return [(span.opened, span.closed, span.outcome.label, span.word) for span in found]

    def value(self, register: str, cursor: int | None = None) -> Any:
        """The value of a register at a cursor, or the head; an error if it was never set."""
        at = len(self.events) if cursor is None else cursor
        setting = self.timeline.registers.at(register, at)
        assert setting is not None, f"{register} is not set at {at}"
        if setting.value is IN_PAYLOAD:
            return value_of(register, {"data": self.events[setting.event][1]})
        return setting.value

    def values(self, register: str) -> list[Any]:
        """The value of a register at every cursor from the first event on; "-" before it is set."""
        registers = self.timeline.registers
        return [
            "-" if registers.at(register, cursor) is None else self.value(register, cursor)
            for cursor in range(1, len(self.events) + 1)
        ]

    @property
    def errors(self) -> list[int]:
        """The events that are marked as errors."""
        return list(self.timeline.marks.events(Mark.ERROR))


def user(text: str = "hi", **more: Any) -> Told:
    return "user/message", user_data(text) | more


def answer(text: str = "done", **more: Any) -> Told:
    return "assistant/message", assistant_data(text_block(text), **more)


def checkpoint(text: str = "short") -> Told:
    return "user/message", user_data(text, plugin="compact") | {"hides": True}


def result(call: str = "c1", **more: Any) -> Told:
    return "tool/result", result_data(call, **more)


TURN: Told = ("turn/start", {"turn": 1})
STEP: Told = ("step/start", {"turn": 1, "step": 1})
STEP_END: Told = ("step/end", {"turn": 1, "step": 1})
NEW_LIFE: Told = ("session/end-seed", {})


def turn_end(kind: str = "completed", **reason: Any) -> Told:
    return "turn/end", {"turn": 1, "reason": {"kind": kind, **reason}}


def overflow() -> Json:
    return {"code": "CONTEXT_WINDOW_EXCEEDED", "message": "too long"}


def overflowing_stream() -> Told:
    reason = {"kind": "error", "failure": overflow()}
    return "assistant/chunk", {"turn": 1, "chunk": {"type": "finish", "reason": reason}}
