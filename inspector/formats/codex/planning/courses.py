"""How far a call came that has no output: the owner says “aborted” of every one (RULES R5)."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from inspector.formats.codex.items import OUTPUTS
from inspector.formats.codex.planning.rollout import Rollout
from inspector.formats.shapes import mapping, text, whole

_BEGUN: Final = "it had begun: its outcome is not known"
_NOT_BEGUN: Final = (
    "nothing says that it had begun: interrupted, and not run as far as the log tells; it may be "
    "called again"
)
_NOT_ALLOWED: Final = "nobody had allowed it: it was not run, and may be called again"
_UNREAD: Final = "it had ended: its output stands on the log as #{event}, and Codex cannot read it"
_OTHER_KIND: Final = (
    "an output with its id stands on the log as #{event}, in another kind: its outcome is not known"
)
_ENDED: Final = "it had ended ({how}), and its output is not in the history"

_BEGINNINGS: Final = (
    "exec_command_begin",
    "exec_command_output_delta",
    "terminal_interaction",
    "patch_apply_begin",
    "mcp_tool_call_begin",
    "dynamic_tool_call_request",
    "web_search_begin",
    "image_generation_begin",
)
_QUESTIONS: Final = ("exec_approval_request", "apply_patch_approval_request")
_GUARDIAN: Final = "guardian_assessment"
_REFUSED: Final = frozenset(("denied", "rejected", "aborted", "timed_out", "failed"))


def _command(told: dict[str, Any]) -> str:
    code = whole(told.get("exit_code"))
    return "" if code is None else f"exit {code}"


def _patch(told: dict[str, Any]) -> str:
    return "not applied" if told.get("success") is False else "applied"


def _server(told: dict[str, Any]) -> str:
    result = mapping(told.get("result"))
    failed = "Err" in result or mapping(result.get("Ok")).get("isError") is True
    return "failed" if failed else "answered"


def _client(told: dict[str, Any]) -> str:
    return "failed" if told.get("success") is False else "answered"


_ENDS: Final[dict[str, Callable[[dict[str, Any]], str]]] = {
    "exec_command_end": _command,
    "patch_apply_end": _patch,
    "mcp_tool_call_end": _server,
    "dynamic_tool_call_response": _client,
}


def courses(
    rollout: Rollout, calls: Mapping[str, int], outputs: Mapping[str, int]
) -> dict[str, str]:
    """What a log says of calls without an output, a sentence without its stop for each.

    The sentences fit behind a semicolon.

    Args:
        rollout: the log.
        calls: the event of each call, by its id.
        outputs: the event of an output that is left out because no call of its kind has the id.

    Raises:
        SourceError: if the log cannot be read any more.
    """
    if not calls:
        return {}
    begun: set[str] = set()
    held: set[str] = set()
    ended: dict[str, str] = {}
    for event, name, told in _notes(rollout, min(calls.values())):
        call = text(told.get("call_id")) or text(told.get("callId")) or text(told.get("id"))
        if event < calls.get(call, rollout.events):
            continue
        if name in OUTPUTS:
            ended[call] = _UNREAD.format(event=event)
        elif name in _ENDS:
            ended.setdefault(call, _ended(_ENDS[name](told)))
        elif name in _BEGINNINGS:
            begun.add(call)
        elif name in _QUESTIONS or text(told.get("status")) in _REFUSED:
            held.add(call)
    others = {
        call: _OTHER_KIND.format(event=event)
        for call, event in outputs.items()
        if event > calls.get(call, event)
    }
    return {
        call: ended.get(call)
        or others.get(call)
        or (_BEGUN if call in begun else _NOT_ALLOWED if call in held else _NOT_BEGUN)
        for call in calls
    }


def _ended(how: str) -> str:
    return _ENDED.format(how=how or "how is not told")


def _notes(rollout: Rollout, start: int) -> Iterator[tuple[int, str, dict[str, Any]]]:
    """What is noted of calls from an event on, in order, and outputs that the owner skips."""
    table, events = rollout.timeline.table, rollout.events
    names = (*_BEGINNINGS, *_QUESTIONS, *_ENDS, _GUARDIAN)
    found = [
        (event, name)
        for name in names
        for event in table.of_type(f"event_msg/{name}", start, events)
    ]
    found += [
        (event, kind)
        for kind in OUTPUTS
        for event in table.of_type(f"response_item/{kind}", start, events)
        if rollout.timeline.is_rejected(event)
    ]
    for event, name in sorted(found):
        yield event, name, rollout.payload(event)
