"""The request that is made of a history: it is balanced first (format page 3.4).

After a line was lost, or a run was stopped, a call has no result or a result no call, and the
provider refuses such messages. A call without a result gets one directly behind its message, and
arguments that are no JSON become ``{}``. A result without a call is left out. The balance is a rule
of this format; how the product words it is not stated. Two cases are guesses, made so that they
agree with what is told of the log: of several results of a call the first is kept, and one with
other messages before it goes directly behind its call. An id that is used again is another call
from there on.
"""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import Any, Final, NamedTuple

from inspector.formats.contract import RequestEntry
from inspector.formats.reina.messages import ToolCall, answers, calls_of, content_of, is_json
from inspector.formats.reina.vocabulary import ASSISTANT, SUMMARY_HEAD, TOOL
from inspector.formats.shapes import mapping, text

NOT_RUN: Final = "Interrupted: the call was not run. This is no failure; it may be called again."
"""Stands for the owner's words for a call without a result, which the format page does not give."""

NO_ARGUMENTS: Final = "{}"

_ANSWERED: Final = "the call has no result: the history is balanced before it is sent (page 3.4)"
_NAMELESS: Final = (
    "the call has no id and so no result of its own: what the owner sends for it is a guess "
    "(page 3.4 asks for balance alone)"
)
_ORPHAN: Final = "no call of its id stands before it: the provider would refuse it (page 3.4)"
_SECOND: Final = (
    "the call has a result already, and the provider would refuse another: that the first is kept "
    "is a guess (page 3.4 asks for balance alone)"
)
_MOVED: Final = (
    "other messages stand before it, and the provider wants it directly behind its call: that it "
    "goes there is a guess (page 3.4 asks for balance alone)"
)
_MENDED: Final = "arguments that are no JSON become {} before they are sent (page 3.4)"


class Sent(NamedTuple):
    """A row of the surface and the message that it stands for; None where that is no object."""

    node: int
    message: dict[str, Any] | None


def message_of(record: dict[str, Any]) -> dict[str, Any] | None:
    """The message of a record, which a compaction's summary is too."""
    if record.get("type") == "compacted":
        summary = text(mapping(record.get("record")).get("summary"))
        return {"role": ASSISTANT, "content": f"{SUMMARY_HEAD}{summary}"}
    found = record.get("message")
    return found if isinstance(found, dict) else None


class Balance(NamedTuple):
    """What is out of balance among some rows.

    Attributes:
        orphans: the nodes of results of which no call stands before them.
        missing: by the node of a message, those of its calls that nothing answers.
        broken: by the node of a message, those of its calls whose arguments are no JSON.
        second: the nodes of results of calls that had one already.
        moved: by the node of a message, those of results of its calls that stand further on.
    """

    orphans: list[int]
    missing: dict[int, list[ToolCall]]
    broken: dict[int, list[ToolCall]]
    second: list[int]
    moved: dict[int, list[int]]


class _Use:
    """A call that a message makes: its id may be used again by a later one."""

    __slots__ = ("answered", "call", "node")

    def __init__(self, node: int, call: ToolCall) -> None:
        self.node = node
        self.call = call
        self.answered = False


def balance(rows: Iterable[Sent]) -> Balance:
    """What is out of balance."""
    found = Balance([], {}, {}, [], {})
    last: dict[str, _Use] = {}
    made: list[_Use] = []
    before: int | None = None
    for row in rows:
        message = row.message or {}
        if message.get("role") == TOOL:
            call = answers(message)
            _answer(found, row.node, None if call is None else last.get(call), before)
            continue
        before = row.node
        if message.get("role") == ASSISTANT and message.get("tool_calls"):
            for one in calls_of(message):
                made.append(use := _Use(row.node, one))
                if one.id is not None:
                    last[one.id] = use
                if not is_json(one.arguments):
                    found.broken.setdefault(row.node, []).append(one)
    for use in made:
        if not use.answered:
            found.missing.setdefault(use.node, []).append(use.call)
    return found


def _answer(found: Balance, node: int, use: _Use | None, before: int | None) -> None:
    """A result comes of the last call of its id; ``before`` is the last message that was none."""
    if use is None:
        found.orphans.append(node)
    elif use.answered:
        found.second.append(node)
    else:
        use.answered = True
        if use.node != before:
            found.moved.setdefault(use.node, []).append(node)


def request(rows: Sequence[Sent]) -> list[RequestEntry]:
    """The messages that are sent, and what is left out among them."""
    return list(_entries(rows, balance(rows)))


def _entries(rows: Sequence[Sent], found: Balance) -> Iterator[RequestEntry]:
    dropped = {**dict.fromkeys(found.orphans, _ORPHAN), **dict.fromkeys(found.second, _SECOND)}
    moved = frozenset(chain.from_iterable(found.moved.values()))
    of = {row.node: row.message or {} for row in rows if row.node in moved}
    for row in rows:
        message = row.message or {}
        role = text(message.get("role")) or None
        call = answers(message) if role == TOOL else None
        if row.node in moved:
            continue
        if row.node in dropped:
            why = dropped[row.node]
            yield RequestEntry(row.node, "dropped", role=role, call_id=call, why=why)
            continue
        if row.node in found.broken:
            said = sent_text(message)
            yield RequestEntry(row.node, "altered", role=role, text=said, why=_MENDED)
        else:
            yield RequestEntry(row.node, role=role, text=sent_text(message), call_id=call)
        for one in found.missing.get(row.node, ()):
            why = _ANSWERED if one.id else _NAMELESS
            yield RequestEntry(None, "added", role=TOOL, text=NOT_RUN, call_id=one.id, why=why)
        for node in found.moved.get(row.node, ()):
            said, call = sent_text(of[node]), answers(of[node])
            yield RequestEntry(node, "altered", role=TOOL, text=said, call_id=call, why=_MOVED)


def sent_text(message: dict[str, Any]) -> str:
    """What a message says as it is sent: its text, and its calls with their arguments."""
    pieces = [content_of(message)] if content_of(message) else []
    for call in calls_of(message) if message.get("role") == ASSISTANT else ():
        given = call.arguments if is_json(call.arguments) else NO_ARGUMENTS
        pieces.append(f"{call.name} {given}".strip())
    return "\n".join(pieces)
