"""The request that is made of a history: it is balanced first (format page 3.4).

After a line was lost, or a run was stopped, a call has no result or a result no call, and the
provider refuses such messages. A call without a result gets one directly behind its message, and
arguments that are no JSON become ``{}``. A result without a call is left out. The balance is a rule
of this format; how the product words it is not stated.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import orjson

from inspector.formats.contract import RequestEntry
from inspector.formats.reina.messages import ToolCall, answers, calls_of, content_of
from inspector.formats.reina.vocabulary import ASSISTANT, SUMMARY_HEAD, TOOL
from inspector.formats.shapes import mapping, text
from inspector.tape.jsonline import parse

NOT_RUN: Final = "Interrupted: the call was not run. This is no failure; it may be called again."
"""Stands for the owner's words for a call without a result, which the format page does not give."""

NO_ARGUMENTS: Final = "{}"

_ANSWERED: Final = "the call has no result: the history is balanced before it is sent (page 3.4)"
_ORPHAN: Final = "no call of its id stands before it: the provider would refuse it (page 3.4)"
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
    """

    orphans: list[int]
    missing: dict[int, list[ToolCall]]
    broken: dict[int, list[ToolCall]]


def balance(rows: Iterable[Sent]) -> Balance:
    """What is out of balance."""
    found = Balance([], {}, {})
    called: set[str] = set()
    answered: set[str] = set()
    made: list[tuple[int, ToolCall]] = []
    for row in rows:
        message = row.message or {}
        role = message.get("role")
        if role == TOOL:
            call = answers(message)
            if call is None or call not in called:
                found.orphans.append(row.node)
            else:
                answered.add(call)
        elif role == ASSISTANT and message.get("tool_calls"):
            for one in calls_of(message):
                made.append((row.node, one))
                if one.id is not None:
                    called.add(one.id)
                if not is_json(one.arguments):
                    found.broken.setdefault(row.node, []).append(one)
    for node, one in made:
        if one.id is None or one.id not in answered:
            found.missing.setdefault(node, []).append(one)
    return found


def is_json(arguments: str) -> bool:
    """Whether the arguments of a call can be read; none at all can."""
    if not arguments:
        return True
    try:
        orjson.loads(arguments)
    except ValueError:
        pass
    else:
        return True
    try:
        parse(arguments.encode("utf-8", "surrogatepass"))
    except ValueError:
        return False
    return True


def request(rows: Sequence[Sent]) -> list[RequestEntry]:
    """The messages that are sent, and what is left out among them."""
    return list(_entries(rows, balance(rows)))


def _entries(rows: Sequence[Sent], found: Balance) -> Iterator[RequestEntry]:
    orphans = frozenset(found.orphans)
    for row in rows:
        message = row.message or {}
        role = text(message.get("role")) or None
        call = answers(message) if role == TOOL else None
        if row.node in orphans:
            yield RequestEntry(row.node, "dropped", role=role, call_id=call, why=_ORPHAN)
            continue
        if row.node in found.broken:
            said = sent_text(message)
            yield RequestEntry(row.node, "altered", role=role, text=said, why=_MENDED)
        else:
            yield RequestEntry(row.node, role=role, text=sent_text(message), call_id=call)
        for one in found.missing.get(row.node, ()):
            yield RequestEntry(
                None, "added", role=TOOL, text=NOT_RUN, call_id=one.id, why=_ANSWERED
            )


def sent_text(message: dict[str, Any]) -> str:
    """What a message says as it is sent: its text, and its calls with their arguments."""
    pieces = [content_of(message)] if content_of(message) else []
    for call in calls_of(message) if message.get("role") == ASSISTANT else ():
        given = call.arguments if is_json(call.arguments) else NO_ARGUMENTS
        pieces.append(f"{call.name} {given}".strip())
    return "\n".join(pieces)
