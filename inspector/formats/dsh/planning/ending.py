"""The events that close what a log leaves open: crash repair, forks inside a turn (page 5, 4.6).

The texts are ours; they say what the owner's say.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from inspector.formats.contract import RequestEntry
from inspector.formats.dsh.closing import UNKNOWN_OUTCOME, Closer
from inspector.formats.dsh.planning.texts import event_line
from inspector.formats.shapes import whole
from inspector.text.jsontext import json_bytes
from inspector.timeline.words import Kind, Role

OUTCOME_UNKNOWN: Final = (
    "The session was interrupted while this call ran, and whether it took effect is not known. "
    "Call it again only if it reads, or may safely run twice; otherwise look at what is there, "
    "or ask."
)
NOT_STARTED: Final = (
    "The session was interrupted before this call was recorded as started. It was not run and did "
    "not fail; call it again if it is still needed."
)

_ROLE_SINCE: Final = 4
"""From this version on a result is a message of its own role (page 11)."""


class Wording(NamedTuple):
    """What tells the closers of a crash from those of a fork: a prefix of ids, and a reason."""

    prefix: str
    reason: str


INTERRUPTED: Final = Wording("interrupted-tool-result", "interrupted")
FORKED: Final = Wording("forked-tool-result", "forked")


def text_of(closer: Closer) -> str:
    """What the result of a call says to the model."""
    return OUTCOME_UNKNOWN if closer.error == UNKNOWN_OUTCOME else NOT_STARTED


def answers(closers: Sequence[Closer]) -> Iterator[RequestEntry]:
    """What the closers of calls are in the next request."""
    for closer in closers:
        if closer.error is not None:
            yield RequestEntry(
                None,
                "added",
                type=Kind.TOOL_RESULT.label,
                role=Role.TOOL.label,
                text=text_of(closer),
                call_id=closer.call if isinstance(closer.call, str) else None,
                why="the owner answers a call whose result was never written",
            )


def closing_lines(
    closers: Sequence[Closer], number: int, time: int, version: int, wording: Wording
) -> Iterator[bytes]:
    """The lines of closers.

    Args:
        closers: in the owner's order; the calls that they cite bear the numbers of this log.
        number: of the first.
        time: of the last event before them, which is that of all.
        version: of the log.
        wording: why they are there.
    """
    turn = closers[-1].turn if closers else None
    for closer in closers:
        if closer.kind == "tool/result":
            yield _result(replace(closer, turn=turn), number, time, version, wording)
        else:
            data = _present(turn=closer.turn)
            if closer.kind == "turn/end":
                data["reason"] = {"kind": wording.reason}
            else:
                data |= _present(step=closer.step)
            yield event_line(closer.kind, number, time, json_bytes(data))
        number += 1


def sound(closers: Sequence[Closer]) -> bool:
    """Whether the owner reads on what it would write: it does not where a turn has no number."""
    turns = [whole(closer.turn) for closer in closers if closer.kind == "turn/end"]
    return all(turn is not None and turn > 0 for turn in turns)


def _result(closer: Closer, number: int, time: int, version: int, wording: Wording) -> bytes:
    name, code = closer.error or UNKNOWN_OUTCOME
    said = [{"type": "text", "text": text_of(closer)}]
    message: dict[str, Any] = {"id": f"{wording.prefix}-{closer.call}-{number}"}
    source = {"kind": "tool", "callId": closer.call}
    if version >= _ROLE_SINCE:
        message |= {"role": "tool", "toolCallId": closer.call, "source": source}
        message |= {"content": said, "isError": True}
    else:
        block = {"type": "tool-result", "toolCallId": closer.call, "isError": True}
        message |= {"role": "user", "source": source, "content": [{**block, "content": said}]}
    data = {
        **_present(turn=closer.turn, step=closer.step),
        "message": message,
        "error": {"name": name, "code": code},
    }
    more = {"surfaceOp": json_bytes("append")}
    if closer.recorded is not None:
        more["sourceEventSeqs"] = json_bytes([closer.recorded])
    return event_line("tool/result", number, time, json_bytes(data), **more)


def _present(**values: Any) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}
