"""The events that close what a log leaves open: crash repair, forks inside a turn (page 5, 4.6)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

from inspector.formats.dsh.closing import UNKNOWN_OUTCOME, Closer
from inspector.formats.dsh.planning.texts import event_line
from inspector.formats.dsh.resuming import text_of
from inspector.formats.shapes import whole
from inspector.text.jsontext import json_bytes

_ROLE_SINCE: Final = 4
"""From this version on a result is a message of its own role (page 11)."""


class Wording(NamedTuple):
    """What tells the closers of a crash from those of a fork: a prefix of ids, and a reason."""

    prefix: str
    reason: str


INTERRUPTED: Final = Wording("interrupted-tool-result", "interrupted")
FORKED: Final = Wording("forked-tool-result", "forked")


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
