"""Calls and results of a history put together, both ways (format page 1.6)."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from inspector.formats.claude.planning.copying import Copy, envelope
from inspector.formats.claude.planning.material import Material
from inspector.formats.claude.tree.calls import answered_by, blocks_of, called_by
from inspector.formats.claude.tree.store import ASSISTANT, MESSAGE, RESULT
from inspector.formats.planning import Closer
from inspector.formats.shapes import mapping, text
from inspector.text.gate import clean_line

NOT_RUN: Final = "Interrupted: the call was not run. This is no failure; it may be called again."
UNKNOWN: Final = (
    "Interrupted: there is no result of this call. It may have run; its outcome is unknown."
)
"""What a call without a result is answered with: nothing on a transcript says that a tool began,
only that it was not allowed to."""

_SAID: Final = 80
_DENIED: Final = frozenset({"hook_permission_decision", "hook_blocking_error"})


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
        # By place of a row that calls: the calls, each with the row that answers it, or None.
        self._calls: dict[int, dict[str, int | None]] = {}
        self._taken: dict[int, list[str]] = {}
        self._put: set[int] = set()
        # By call the result that is taken out of a row: that, and its block. Rows above their
        # calls that move as a whole.
        self._apart: dict[str, tuple[int, int]] = {}
        self._moved: set[int] = set()

    def done(self) -> Pairs:
        """The history."""
        self._match()
        run: list[int] = []
        message: str | None = None
        for place, event in enumerate(self._events):
            flags = self._material.row_flags(event)
            if flags & ASSISTANT:
                name = self._message(event)
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

    def _message(self, event: int) -> str | None:
        message = mapping(self._material.payload(event).get("message"))
        return text(message.get("id")) or None

    def _match(self) -> None:
        """Which row answers which call: the first behind it that names it."""
        waiting: dict[str, int] = {}
        called: set[str] = set()
        early: dict[str, tuple[int, int]] = {}
        for place, event in enumerate(self._events):
            flags = self._material.row_flags(event)
            record = self._material.payload(event)
            if flags & ASSISTANT and record.get("isApiErrorMessage") is not True:
                for call in called_by(record):
                    before = waiting.get(call)
                    if before is not None:
                        # Two calls with one id: a result can answer the later one only.
                        del self._calls[before][call]
                    self._calls.setdefault(place, {})[call] = None
                    waiting[call] = place
                    called.add(call)
            elif flags & RESULT:
                for call in answered_by(record):
                    maker = waiting.pop(call, None)
                    if maker is not None:
                        early.pop(call, None)
                        self._calls[maker][call] = place
                        self._taken.setdefault(place, []).append(call)
                for number, block in enumerate(blocks_of(record)):
                    answered = _answers(block)
                    if answered is not None and answered not in called:
                        early[answered] = (place, number)
        self._match_above(waiting, {call: early[call] for call in waiting if call in early})

    def _match_above(self, makers: dict[str, int], early: dict[str, tuple[int, int]]) -> None:
        """Calls that nothing behind them answers are answered by results above them.

        A row that says nothing else moves to its call; of any other only the result does.
        """
        for call, (place, number) in early.items():
            names = [_answers(block) for block in blocks_of(self._record(place))]
            fellows = [name for name in names if name is not None and name in early]
            if len(set(names)) == len(fellows) == len(names) and all(
                early[name][0] == place and makers[name] == makers[call] for name in fellows
            ):
                self._moved.add(place)
                self._calls[makers[call]][call] = place
                self._taken.setdefault(place, []).append(call)
            else:
                self._apart[call] = place, number

    def _record(self, place: int) -> dict[str, Any]:
        return self._material.payload(self._events[place])

    def _is_prompt(self, place: int, flags: int) -> bool:
        """Whether a row is a message of the user that answers no call, or none any more."""
        if flags & (MESSAGE | ASSISTANT | RESULT) == MESSAGE:
            return True
        if not flags & RESULT or self._taken.get(place):
            return False
        return any(not _is_result(block) for block in blocks_of(self._record(place)))

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
            if type(name) is str and self._apart.get(name) == (place, number):
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
        for place in run:
            for call, answer in self._calls[place].items():
                if answer is None and call in self._apart:
                    self._take_out(place, call)
                elif answer is None:
                    self._make(place, call)
                elif (answer >= until or answer in self._moved) and answer not in self._put:
                    if answer not in self._moved and not self._is_of(answer, run):
                        names = [_answers(block) for block in blocks_of(self._record(answer))]
                        self._apart[call] = answer, names.index(call)
                        self._taken[answer].remove(call)
                        self._take_out(place, call)
                        continue
                    self._say_put(call, answer)
                    self._emit(answer)

    def _is_of(self, place: int, run: list[int]) -> bool:
        """Whether a row says only results of calls of a message, and such as nobody waits for."""
        own = sum(answer == place for row in run for answer in self._calls[row].values())
        return own == len(self._taken.get(place, ())) and all(
            map(_is_result, blocks_of(self._record(place)))
        )

    def _say_put(self, call: str, place: int) -> None:
        said = clean_line(call, _SAID)
        what = f"the result of call {said} is put behind its call"
        self._close("tool_result", "altered", what, said, None, self._events[place])

    def _take_out(self, place: int, call: str) -> None:
        """The result of a call, from a row elsewhere that says other things too."""
        row, number = self._apart[call]
        self._say_put(call, row)
        self._put_below(place, blocks_of(self._record(row))[number])

    def _make(self, place: int, call: str) -> None:
        """A call gets a result, neither good nor bad."""
        event = self._events[place]
        denied = self._denied(event, call)
        output = NOT_RUN if denied else UNKNOWN

        block = {"tool_use_id": call, "type": "tool_result", "content": output}
        self._put_below(place, block, toolUseResult=output)
        said = clean_line(call, _SAID)
        outcome = "it was not run" if denied else "its outcome is unknown"
        what = f"call {said} gets a result: interrupted, {outcome}"
        self._close("tool_result", "added", what, said, "not-run" if denied else "unknown", event)

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

    def _denied(self, event: int, call: str) -> bool:
        """Whether a hook said that a call may not run."""
        material = self._material
        for other in range(event + 1, min(material.head, event + 64)):
            if material.timeline.table.type(other) != "attachment":
                continue
            attachment = mapping(material.payload(other).get("attachment"))
            if attachment.get("toolUseID") != call or attachment.get("type") not in _DENIED:
                continue
            if attachment.get("decision", "deny") == "deny":
                return True
        return False

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


def _answers(block: Any) -> str | None:
    """The id of the call that a block answers, or None."""
    name = block.get("tool_use_id") if _is_result(block) else None
    return name if type(name) is str else None


def _is_result(block: Any) -> bool:
    return type(block) is dict and block.get("type") == "tool_result"
