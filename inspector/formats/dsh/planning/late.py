"""Results that come when their step is over, so that the fold pairs them with no call (page 5)."""

from collections.abc import Iterator
from typing import Any, Final

from inspector.formats.dsh.planning.material import Material
from inspector.formats.shapes import items, mapping, text

_RESULT: Final = "tool/result"
_MESSAGE: Final = "assistant/message"


def late_results(material: Material) -> dict[int, int]:
    """By the position of a result that no open call waited for, that of the message that calls.

    A result belongs to the last message before it that makes a call of its id, unless that call
    was answered before.

    Raises:
        SourceError: if the log cannot be read any more.
    """
    timeline = material.timeline
    results = _standing(material, _RESULT)
    # What a prune writes is the same result again.
    again = frozenset(timeline.replacements)
    late = {event for event in results if timeline.pairs.call_of(event) is None} - again
    if not late:
        return {}
    last = max(late)
    found: dict[int, int] = {}
    waiting: dict[str, int] = {}
    known = frozenset(results)
    for event in sorted([*results, *_standing(material, _MESSAGE)]):
        if event > last:
            break
        message = mapping(mapping(material.payload(event).get("data")).get("message"))
        if event not in known:
            waiting.update((call, event) for call in _calls(message))
            continue
        call = waiting.pop(text(mapping(message.get("source")).get("callId")), None)
        if call is not None and event in late:
            found[event] = call
    return found


def _standing(material: Material, kind: str) -> list[int]:
    """The events of a type that the owner applies."""
    timeline = material.timeline
    events = timeline.table.of_type(kind, 0, timeline.events)
    return [event for event in events if not timeline.is_rejected(event)]


def _calls(message: dict[str, Any]) -> Iterator[str]:
    for block in map(mapping, items(message.get("content"))):
        if block.get("type") == "tool-call":
            yield text(block.get("id"))
