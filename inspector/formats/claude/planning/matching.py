"""Which row of a history answers which call (format page 1.6)."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from inspector.formats.claude.planning.material import Material
from inspector.formats.claude.tree.calls import answered_by, blocks_of, called_by
from inspector.formats.claude.tree.store import ASSISTANT, RESULT
from inspector.formats.shapes import mapping, text


@dataclass(slots=True, eq=False)
class Call:
    """A call of a row.

    Attributes:
        place: of the row that makes it.
        name: its id, which others may bear too.
        answer: the place of the row that answers it, or None.
        apart: the result that is taken out of a row: that, and its block; or None.
    """

    place: int
    name: str
    answer: int | None = None
    apart: tuple[int, int] | None = None


class Matching:
    """Matches calls and results of rows; rows are told by their places.

    Args:
        material: the transcript.
        events: of the rows, in order.

    Attributes:
        calls: by place of a row that calls: the calls.
        taken: by place of a row that answers: the ids of the calls that it answers.
        parted: results that are taken out of rows: the places of these, and the blocks.
        moved: rows above their calls that move as a whole.
    """

    def __init__(self, material: Material, events: Sequence[int]) -> None:
        self._material = material
        self._events = events
        self.calls: dict[int, list[Call]] = {}
        self.taken: dict[int, list[str]] = {}
        self.parted: set[tuple[int, int]] = set()
        self.moved: set[int] = set()

    def match(self) -> None:
        """Which row answers which call: the first behind it that names it."""
        waiting: dict[str, list[Call]] = {}
        called: set[str] = set()
        early: dict[str, tuple[int, int]] = {}
        for place, event in enumerate(self._events):
            flags = self._material.row_flags(event)
            record = self._material.payload(event)
            if flags & ASSISTANT and record.get("isApiErrorMessage") is not True:
                for name in called_by(record):
                    call = Call(place, name)
                    self.calls.setdefault(place, []).append(call)
                    self._wait(call, waiting)
                    called.add(name)
            elif flags & RESULT:
                for name in answered_by(record):
                    if waiting.get(name):
                        early.pop(name, None)
                        waiting[name].pop(0).answer = place
                        self.taken.setdefault(place, []).append(name)
                for number, block in enumerate(blocks_of(record)):
                    answered = answers(block)
                    if answered is not None and answered not in called:
                        early[answered] = (place, number)
        makers = {name: calls[0] for name, calls in waiting.items() if calls and name in early}
        self._match_above(makers, {name: early[name] for name in makers})

    def _wait(self, call: Call, waiting: dict[str, list[Call]]) -> None:
        """A call waits; of several with one id those of the last message do."""
        others = waiting.setdefault(call.name, [])
        if others:
            before, now = (message_of(self._record(one.place)) for one in (others[-1], call))
            if call.place != others[-1].place and (now is None or now != before):
                others.clear()
        others.append(call)

    def _match_above(self, makers: dict[str, Call], early: dict[str, tuple[int, int]]) -> None:
        """Calls that nothing behind them answers are answered by results above them.

        A row that says nothing else moves to its call; of any other only the result does.
        """
        for name, (place, number) in early.items():
            call = makers[name]
            names = [answers(block) for block in blocks_of(self._record(place))]
            fellows = [one for one in names if one is not None and one in early]
            if len(set(names)) == len(fellows) == len(names) and all(
                early[one][0] == place and makers[one].place == call.place for one in fellows
            ):
                self.moved.add(place)
                call.answer = place
                self.taken.setdefault(place, []).append(name)
            else:
                self.part(call, place, number)

    def part(self, call: Call, place: int, number: int) -> None:
        """A result is taken out of a row."""
        call.apart = place, number
        self.parted.add(call.apart)

    def _record(self, place: int) -> dict[str, Any]:
        return self._material.payload(self._events[place])


def message_of(record: dict[str, Any]) -> str | None:
    """The id of the message of the API that a record is a line of, or None."""
    return text(mapping(record.get("message")).get("id")) or None


def answers(block: Any) -> str | None:
    """The id of the call that a block answers, or None."""
    name = block.get("tool_use_id") if is_result(block) else None
    return name if type(name) is str else None


def is_result(block: Any) -> bool:
    """Whether a block answers a call."""
    return type(block) is dict and block.get("type") == "tool_result"
