"""What was done and is told by no call of the history: by what the owner notes, or out of order.

Notes of commands, patches, tools of servers and pictures (format page 2.5) bear the id of their
call; without such a call they are all that tells of it. Calls in lines that the owner skips, and
commands that the person typed, are no calls of the history either.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import Any, Final, NamedTuple

from inspector.formats.codex.items import CALLS
from inspector.formats.codex.planning.rollout import Rollout
from inspector.formats.codex.planning.tools import does
from inspector.formats.codex.telling.calls import parts
from inspector.formats.parts import Call
from inspector.formats.planning import EDIT, HARMLESS, SUBAGENT, TERMINAL, Deed
from inspector.formats.shapes import items, mapping, text
from inspector.text.jsontext import json_text
from inspector.text.labels import plural
from inspector.timeline.words import Kind, Role, SpanKind

_TYPED: Final = "user shell"
"""What a command is called that the person typed."""

_OPENING: Final = "<command>"
_CLOSING: Final = "</command>"
_SHELL: Final = "<user_shell_command>"

_FILES: Final = 100
"""Files of one patch that are named."""
_DECLINED: Final = "declined"
_FINISHED: Final = "item_completed"


class _Done(NamedTuple):
    """What an event says was done: a word that its beginning and its end have in common, and the
    id of its call, perhaps empty.
    """

    family: str
    id: str
    deed: Deed


def deeds(rollout: Rollout, cut: int, foreign: frozenset[str]) -> Iterator[Deed]:
    """What was done behind a cut beside the calls of the history, in order.

    Args:
        rollout: the log.
        cut: the cursor.
        foreign: names of tools that the client brought along.

    Raises:
        SourceError: if the log cannot be read any more.
    """
    noted = list(_noted(rollout, cut))
    calls = _Calls(rollout, cut, foreign)
    found = [*_typed(rollout, cut, noted), *calls.others(), *calls.unmatched(noted)]
    return iter(sorted(found, key=lambda deed: deed.event))


# Calls.

_ITEMS: Final = (*CALLS, "image_generation_call")


def _calls(rollout: Rollout, start: int, stop: int) -> list[int]:
    """The events that hold an item which is a call."""
    of_type = rollout.timeline.table.of_type
    return sorted(chain(*(of_type(f"response_item/{kind}", start, stop) for kind in _ITEMS)))


class _Calls:
    """The calls behind a cut: those of the history, which are told for themselves, and others."""

    def __init__(self, rollout: Rollout, cut: int, foreign: frozenset[str]) -> None:
        self._rollout = rollout
        self._cut = cut
        self._foreign = foreign
        made = {cursor - 1 for cursor in rollout.timeline.spans[SpanKind.TOOL_CALL].opened}
        events = _calls(rollout, cut, rollout.events)
        self._made = [event for event in events if event in made]
        self._others = [event for event in events if event not in made]
        self._same: set[tuple[str | None, str, str]] = set()
        self._ids: Counter[str] = Counter()
        self._learned = False

    def _learn(self) -> None:
        """Read the calls of the history, once."""
        if not self._learned:
            self._learned = True
            for event in self._made:
                for call in self._of(event):
                    self._take(call)

    def others(self) -> Iterator[Deed]:
        """Calls that the owner skips, or the fold does; a copy of another one is told by that."""
        if not self._others:
            return
        self._learn()
        for event in self._others:
            for call in self._of(event):
                if _key(call) not in self._same:
                    self._take(call)
                    yield Deed(event, Call(None, call.name, call.arguments))

    def unmatched(self, noted: Sequence[_Done]) -> Iterator[Deed]:
        """What no call is known of: so many notes of one kind and id more than calls."""
        if not noted:
            return
        self._learn()
        ids = self._ids
        lone = {done.id for done in noted if done.id and done.id not in ids}
        if lone:
            self._look_back(lone)
        told: Counter[tuple[str, str]] = Counter()
        seen: Counter[tuple[str, str]] = Counter()
        for done in noted:
            name = self._rollout.timeline.table.type(done.deed.event)
            seen[name, done.id] += 1
            key = done.family, done.id
            if seen[name, done.id] > ids[done.id] + told[key]:
                told[key] += 1
                yield done.deed

    def _of(self, event: int) -> Iterator[Call]:
        rollout = self._rollout
        told = parts(rollout.timeline.table.type(event), rollout.payload(event)) or ()
        return (part for part in told if isinstance(part, Call))

    def _take(self, call: Call) -> None:
        self._same.add(_key(call))
        if call.id and does(call, self._foreign) != HARMLESS:
            self._ids[call.id] += 1

    def _look_back(self, wanted: set[str]) -> None:
        """Calls before the cut, whose notes came late."""
        for event in _calls(self._rollout, 0, self._cut):
            for call in self._of(event):
                if call.id in wanted:
                    self._take(call)


def _key(call: Call) -> tuple[str | None, str, str]:
    return call.id, call.name, json_text(call.arguments)


# Notes.


def _noted(rollout: Rollout, cut: int) -> Iterator[_Done]:
    """What the owner notes of what was done, in order."""
    of_type = rollout.timeline.table.of_type
    found = (
        (event, name)
        for name in (*_NOTES, _FINISHED)
        for event in of_type(f"event_msg/{name}", cut, rollout.events)
    )
    for event, name in sorted(found):
        done = _done(event, name, rollout.payload(event))
        if done is not None:
            yield done


def _done(event: int, name: str, told: dict[str, Any]) -> _Done | None:
    """What a note of a type says was done; None where it says of nothing."""
    if name == _FINISHED:
        item = mapping(told.get("item"))
        name = _ITEM_NOTES.get(text(item.get("type")), "")
        told = {**item, "call_id": item.get("id"), "invocation": item}
    if name not in _NOTES or told.get("status") == _DECLINED:
        return None
    family, note = _NOTES[name]
    deed = note(event, told)
    return None if deed is None else _Done(family, _id(told), deed)


def _id(told: dict[str, Any]) -> str:
    return text(told.get("call_id")) or text(told.get("callId"))


def _command(event: int, told: dict[str, Any]) -> Deed | None:
    name = _TYPED if told.get("source") == "user_shell" else "exec_command"
    return Deed(event, Call(None, name, {"command": told.get("command")}), TERMINAL)


def _patch(event: int, told: dict[str, Any]) -> Deed | None:
    changes = mapping(told.get("changes"))
    moved = (text(mapping(change).get("move_path")) for change in changes.values())
    files = list(dict.fromkeys(filter(None, chain(changes, moved))))
    named = ", ".join(islice(files, _FILES))
    more = len(files) - _FILES
    what = f"{named} and {plural(more, 'file')} more" if more > 0 else named
    return Deed(event, Call(None, "apply_patch"), EDIT, what)


def _server(event: int, told: dict[str, Any]) -> Deed | None:
    asked = mapping(told.get("invocation"))
    name = f"mcp__{text(asked.get('server'))}__{text(asked.get('tool'))}"
    return Deed(event, Call(None, name, asked.get("arguments")))


def _clients(event: int, told: dict[str, Any]) -> Deed | None:
    space, tool = text(told.get("namespace")), text(told.get("tool"))
    return Deed(event, Call(None, f"{space}.{tool}" if space else tool, told.get("arguments")))


def _picture(event: int, told: dict[str, Any]) -> Deed | None:
    what = text(told.get("saved_path")) or text(told.get("revised_prompt"))
    return Deed(event, Call(None, "image_generation"), EDIT, what)


def _agent(name: str) -> Callable[[int, dict[str, Any]], Deed]:
    def note(event: int, told: dict[str, Any]) -> Deed:
        what = text(told.get("prompt")) or text(told.get("receiver_thread_id"))
        return Deed(event, Call(None, name), SUBAGENT, what)

    return note


def _undone(event: int, told: dict[str, Any]) -> Deed | None:
    if told.get("success") is False:
        return None
    return Deed(event, Call(None, "undo"), EDIT, text(told.get("message")))


_ITEM_NOTES: Final = {
    "CommandExecution": "exec_command_end",
    "FileChange": "patch_apply_end",
    "McpToolCall": "mcp_tool_call_end",
}
"""Items of turns, as some builds note them, by their type."""

_NOTES: Final[dict[str, tuple[str, Callable[[int, dict[str, Any]], Deed | None]]]] = {
    **{f"exec_command_{when}": ("command", _command) for when in ("begin", "end")},
    **{f"patch_apply_{when}": ("patch", _patch) for when in ("begin", "end")},
    **{f"mcp_tool_call_{when}": ("server", _server) for when in ("begin", "end")},
    **{f"dynamic_tool_call_{when}": ("client", _clients) for when in ("request", "response")},
    "image_generation_end": ("picture", _picture),
    "collab_agent_interaction_end": ("agent", _agent("send_input")),
    "collab_resume_end": ("agent", _agent("resume_agent")),
    "collab_close_end": ("agent", _agent("close_agent")),
    "undo_completed": ("undo", _undone),
}
"""By the type of an event. A search of the web changes nothing; the start of a subagent is told by
its interval.
"""


# Commands of the person.


def _typed(rollout: Rollout, cut: int, noted: Iterable[_Done]) -> Iterator[Deed]:
    """Commands that the person typed, as the model is told of them; not those that are noted."""
    told = Counter(
        _script(done.deed.call.arguments) for done in noted if done.deed.call.name == _TYPED
    )
    for event in rollout.timeline.table.of_type("response_item/message", cut, rollout.events):
        if not _is_context(rollout, event):
            continue
        for part in items(rollout.payload(event).get("content")):
            command = _of_message(text(mapping(part).get("text")))
            if command is not None and told[command]:
                told[command] -= 1
            elif command is not None:
                yield Deed(event, Call(None, _TYPED, {"command": command}), TERMINAL)


def _is_context(rollout: Rollout, event: int) -> bool:
    """Whether a message may be one about a command: context of the user's, or one that is none."""
    nodes = rollout.timeline.surface.nodes
    node = nodes.of_event(event)
    if node is None:
        return rollout.timeline.is_rejected(event)
    return nodes.role(node) is Role.USER and nodes.kind(node) is Kind.CONTEXT


def _of_message(said: str) -> str | None:
    """The command of a message about one, or None."""
    if not said.lstrip().lower().startswith(_SHELL):
        return None
    _, opening, rest = said.partition(_OPENING)
    return rest.partition(_CLOSING)[0].strip() if opening else said.strip()


def _script(given: Any) -> str:
    """A command as it was typed: what a shell was given to run."""
    command = mapping(given).get("command")
    words = [word for word in items(command) if isinstance(word, str)]
    return (words[-1] if words else text(command)).strip()
