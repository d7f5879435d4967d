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
        dropped: the events of rows that are left out.
    """

    items: list[int] = field(default_factory=list)
    made: list[dict[str, Any]] = field(default_factory=list)
    edits: dict[int, dict[str, Any]] = field(default_factory=dict)
    closers: list[Closer] = field(default_factory=list)
    dropped: list[int] = field(default_factory=list)


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
        # By call the result that stands above it: its row and block. Rows that move as a whole.
        self._above: dict[str, tuple[int, int]] = {}
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
            elif _is_prompt(flags) and run and not self._material.payload(event).get("isMeta"):
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
                        self._calls[maker][call] = place
                        self._taken.setdefault(place, []).append(call)
                for number, block in enumerate(blocks_of(record)):
                    call = answer_of(block)
                    if call is not None and call not in called:
                        early[call] = (place, number)
        self._match_above({call: early[call] for call in waiting if call in early})

    def _match_above(self, early: dict[str, tuple[int, int]]) -> None:
        """Calls that nothing behind them answers are answered by results above them.

        A row that says nothing else moves to its call; of any other only the result does.
        """
        makers = {call: maker for maker, calls in self._calls.items() for call in calls}
        for call, (place, _) in early.items():
            blocks = blocks_of(self._material.payload(self._events[place]))
            names = [answer_of(block) for block in blocks]
            at = {makers.get(name) for name in names if name is not None and name in early}
            if None not in names and len(set(names)) == len(names) == len(at and names):
                if len(at) == 1 and all(early.get(text(name), (-1, 0))[0] == place for name in names):
                    self._moved.add(place)
                    self._calls[makers[call]][call] = place
                    self._taken.setdefault(place, []).append(call)
                    continue
            self._above[call] = early[call]

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
        for block in blocks_of(record):
            name = block.get("tool_use_id") if type(block) is dict else None
            if type(block) is not dict or block.get("type") != "tool_result":
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
            self._found.dropped.append(event)
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
                if answer is None:
                    self._make(place, call)
                elif answer >= until and answer not in self._put:
                    event, said = self._events[answer], clean_line(call, _SAID)
                    what = f"the result of call {said} is put behind its call"
                    self._close("tool_result", "altered", what, said, None, event)
                    self._emit(answer)

    def _make(self, place: int, call: str) -> None:
        """A call gets a result, neither good nor bad."""
        event, found = self._events[place], self._found
        denied = self._denied(event, call)
        output = NOT_RUN if denied else UNKNOWN

        def source(copy: Copy) -> str:
            return copy.renamed(self._material.uuid(event))

        block = {"tool_use_id": call, "type": "tool_result", "content": output}
        record = {
            **envelope(self._material, event),
            "type": "user",
            "message": {"role": "user", "content": [block]},
            "toolUseResult": output,
            "sourceToolAssistantUUID": source,
        }
        found.made.append(record)
        found.items.append(~(len(found.made) - 1))
        said = clean_line(call, _SAID)
        outcome = "it was not run" if denied else "its outcome is unknown"
        what = f"call {said} gets a result: interrupted, {outcome}"
        self._close("tool_result", "added", what, said, "not-run" if denied else "unknown", event)

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


def _is_prompt(flags: int) -> bool:
    """Whether a record is a message of the user that answers no call."""
    return flags & (MESSAGE | ASSISTANT | RESULT) == MESSAGE
