"""Calls and results of a history put together, both ways (format page 1.6)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from inspector.formats.claude.planning.copying import Copy, envelope
from inspector.formats.claude.planning.matching import (
    Call,
    Matching,
    answers,
    is_result,
    message_of,
)
from inspector.formats.claude.planning.material import Material
from inspector.formats.claude.planning.starting import Began, Evidence, is_interruption
from inspector.formats.claude.tree.calls import blocks_of
from inspector.formats.claude.tree.store import ASSISTANT, MESSAGE, RESULT
from inspector.formats.planning import Closer
from inspector.formats.shapes import mapping, text
from inspector.text.gate import clean_line

NOT_RUN: Final = "Interrupted: the call was not run. This is no failure; it may be called again."
BEGUN: Final = "Interrupted: the call had begun, and there is no result. Its outcome is unknown."
STOPPED: Final = (
    "Interrupted by the user: there is no result of this call. It may have run; its outcome is "
    "unknown. This is no failure; it may be called again."
)
UNKNOWN: Final = (
    "Interrupted: there is no result of this call. It may have run; its outcome is unknown."
)
"""What a call without a result is answered with."""

_SAID: Final = 80
_ANSWERS: Final = {
    Began.NO: (NOT_RUN, "interrupted, it was not run and may be called again", "not-run"),
    Began.YES: (BEGUN, "interrupted after it began, its outcome is unknown", "unknown"),
    Began.STOPPED: (
        STOPPED,
        "interrupted by the user, its outcome is unknown and it may be called again",
        "unknown",
    ),
    Began.UNKNOWN: (UNKNOWN, "interrupted, its outcome is unknown", "unknown"),
}
"""What a result says that is made, and how it is told of."""


@dataclass
class Pairs:
    """A history in which every call has its result behind it.

    Attributes:
        items: events, and ``~`` numbers of records that are made, in order.
        made: these.
        edits: members that records have instead, by event.
        closers: what is done.
        dropped: the events of rows that are left out: they answer no call.
        parted: those of rows whose results are all put elsewhere, not together.
    """

    items: list[int] = field(default_factory=list)
    made: list[dict[str, Any]] = field(default_factory=list)
    edits: dict[int, dict[str, Any]] = field(default_factory=dict)
    closers: list[Closer] = field(default_factory=list)
    dropped: list[int] = field(default_factory=list)
    parted: list[int] = field(default_factory=list)


def paired(material: Material, events: Sequence[int]) -> Pairs:
    """Put calls and results of rows together."""
    return _Pairing(material, events).done()


class _Pairing:
    """Goes through rows from the first to the last."""

    def __init__(self, material: Material, events: Sequence[int]) -> None:
        self._material = material
        self._events = events
        self._found = Pairs()
        self._evidence = Evidence(material)
        matching = Matching(material, events)
        self._match = matching.match
        self._calls, self._taken = matching.calls, matching.taken
        self._parted, self._moved = matching.parted, matching.moved
        self._part = matching.part
        self._put: set[int] = set()

    def done(self) -> Pairs:
        """The history."""
        self._match()
        run: list[int] = []
        message: str | None = None
        for place, event in enumerate(self._events):
            flags = self._material.row_flags(event)
            if flags & ASSISTANT:
                name = message_of(self._material.payload(event))
                if run and (name is None or name != message):
                    self._answer(run, place)
                    run = []
                message = name
                self._arguments(event)
                if place in self._calls:
                    run.append(place)
            elif (
                run
                and self._is_prompt(place, flags)
                and not self._material.payload(event).get("isMeta")
            ):
                self._answer(run, place)
                run = []
            if place not in self._moved:
                self._emit(place)
        self._answer(run, len(self._events))
        return self._found

    def _record(self, place: int) -> dict[str, Any]:
        return self._material.payload(self._events[place])

    def _is_prompt(self, place: int, flags: int) -> bool:
        """Whether a row is a message of the user that answers no call, or none any more."""
        if flags & (MESSAGE | ASSISTANT | RESULT) == MESSAGE:
            return True
        if not flags & RESULT or self._taken.get(place):
            return False
        return any(not is_result(block) for block in blocks_of(self._record(place)))

    def _emit(self, place: int) -> None:
        """A row comes where it stands, unless it came before or answers nothing."""
        event = self._events[place]
        if place in self._put:
            return
        self._put.add(place)
        if self._material.row_flags(event) & RESULT and not self._cleared_of_orphans(place):
            return
        self._found.items.append(event)

    def _cleared_of_orphans(self, place: int) -> bool:
        """A row loses results of calls that do not wait for them; False if nothing is left."""
        event = self._events[place]
        record = self._material.payload(event)
        waiting = list(self._taken.get(place, ()))
        kept: list[Any] = []
        parted = False
        for number, block in enumerate(blocks_of(record)):
            name = block.get("tool_use_id") if type(block) is dict else None
            if (place, number) in self._parted:
                parted = True
            elif type(block) is not dict or block.get("type") != "tool_result":
                kept.append(block)
            elif type(name) is str and name in waiting:
                waiting.remove(name)
                kept.append(block)
            else:
                said = clean_line(text(name), _SAID)
                what = f"no call {said} before it waits for this result"
                self._close("tool_result", "dropped", what, said or None, None, event)
        if len(kept) == len(blocks_of(record)):
            return True
        if not kept:
            (self._found.parted if parted else self._found.dropped).append(event)
            return False
        self._edit(event, kept)
        return True

    def _edit(self, event: int, content: list[Any]) -> None:
        message = mapping(self._material.payload(event).get("message"))
        self._found.edits[event] = {"message": {**message, "content": content}}

    def _answer(self, run: list[int], until: int) -> None:
        """The results of the calls of a message, before somebody else speaks."""
        interrupted: bool | None = None
        for call in (call for place in run for call in self._calls[place]):
            answer = call.answer
            if call.apart is not None:
                self._take_out(call, call.apart)
            elif answer is None:
                if interrupted is None:
                    interrupted = self._is_interrupted(run)
                self._make(call, interrupted=interrupted)
            elif (answer >= until or answer in self._moved) and answer not in self._put:
                if answer not in self._moved and not self._is_of(answer, run):
                    names = [answers(block) for block in blocks_of(self._record(answer))]
                    numbers = (at for at, name in enumerate(names) if name == call.name)
                    number = next(at for at in numbers if (answer, at) not in self._parted)
                    self._part(call, answer, number)
                    self._taken[answer].remove(call.name)
                    self._take_out(call, (answer, number))
                    continue
                self._say_put(call.name, answer)
                self._emit(answer)

    def _is_of(self, place: int, run: list[int]) -> bool:
        """Whether a row says only results of calls of a message, and such as nobody waits for."""
        own = sum(call.answer == place for row in run for call in self._calls[row])
        return own == len(self._taken.get(place, ())) and all(
            map(is_result, blocks_of(self._record(place)))
        )

    def _say_put(self, call: str, place: int) -> None:
        said = clean_line(call, _SAID)
        what = f"the result of call {said} is put behind its call"
        self._close("tool_result", "altered", what, said, None, self._events[place])

    def _take_out(self, call: Call, apart: tuple[int, int]) -> None:
        """The result of a call, from a row elsewhere that says other things too."""
        row, number = apart
        self._say_put(call.name, row)
        self._put_below(call.place, blocks_of(self._record(row))[number])

    def _is_interrupted(self, run: list[int]) -> bool:
        """Whether the person stopped the model at a message that calls."""
        message = message_of(self._record(run[-1]))
        for place in range(run[-1] + 1, len(self._events)):
            event = self._events[place]
            if self._material.row_flags(event) & ASSISTANT:
                if message is None or message_of(self._material.payload(event)) != message:
                    return False
            elif is_interruption(self._record(place)):
                return True
        return False

    def _make(self, call: Call, *, interrupted: bool) -> None:
        """A call gets a result, neither good nor bad."""
        event = self._events[call.place]
        began = self._evidence.of(call.name, event, interrupted=interrupted)
        output, told, code = _ANSWERS[began]
        block = {"tool_use_id": call.name, "type": "tool_result", "content": output}
        self._put_below(call.place, block, toolUseResult=output)
        said = clean_line(call.name, _SAID)
        what = f"call {said} gets a result: {told}"
        self._close("tool_result", "added", what, said, code, event)

    def _put_below(self, place: int, block: dict[str, Any], **more: Any) -> None:
        """A record with one result, of a call of a row."""
        event, found = self._events[place], self._found

        def source(copy: Copy) -> str:
            return copy.renamed(self._material.uuid(event))

        record = {
            **envelope(self._material, event),
            "type": "user",
            "message": {"role": "user", "content": [block]},
            **more,
            "sourceToolAssistantUUID": source,
        }
        found.made.append(record)
        found.items.append(~(len(found.made) - 1))

    def _arguments(self, event: int) -> None:
        """Arguments that are no object become an empty one."""
        blocks = blocks_of(self._material.payload(event))
        content: list[Any] = []
        for block in blocks:
            broken = (
                type(block) is dict
                and block.get("type") == "tool_use"
                and type(block.get("input")) is not dict
            )
            content.append({**block, "input": {}} if broken else block)
            if broken:
                said = clean_line(text(block.get("id")), _SAID)
                what = f"the arguments of call {said} are no object: none are given"
                self._close("tool_use", "altered", what, said or None, None, event)
        if content != blocks:
            self._edit(event, content)

    def _close(
        self, kind: str, does: str, what: str, call: str | None, code: str | None, event: int
    ) -> None:
        self._found.closers.append(Closer(kind, does, what, call, code, event))
