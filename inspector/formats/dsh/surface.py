"""What an event wants of the surface, checked in the owner's order (format page 3.3)."""

from bisect import bisect_right
from collections.abc import Iterable
from itertools import pairwise
from typing import Any, Final, NamedTuple, Protocol

from inspector.formats.dsh import rules
from inspector.formats.dsh.vocabulary import ASSISTANT_MESSAGE, SYSTEM_MESSAGE, TOOL_RESULT
from inspector.formats.shapes import items, mapping, natural
from inspector.timeline.findings import FindingKind


class Rejection(Exception):  # noqa: N818 - not an error of ours: the owner's word for the event
    """An event breaks a rule; the message is the owner's."""

    def __init__(self, kind: FindingKind, message: str) -> None:
        super().__init__(message)
        self.kind = kind


_NOT_DENSE: Final = "sourceEventSeqs must densely contain non-negative safe integers"

RANGES_UNKNOWN: Final = Rejection(rules.BAD_SOURCES, _NOT_DENSE)
"""What an owner says of a range who knows none."""


class Current(Protocol):
    """The surface as it stands before the event."""

    def node(self, number: int) -> int | None:
        """The live node of the event with an owner's number, or None."""

    def between(self, first: int, last: int) -> list[int] | None:
        """The live nodes from one to another, None if they stand the other way."""

    def is_system(self, node: int) -> bool:
        """Whether a node is the system prompt, which later versions keep on the surface."""

    def number_of(self, node: int) -> int:
        """The owner's number of the event that made a node."""

    def event_of(self, node: int) -> dict[str, Any]:
        """The event that made a node, as the owner decodes it."""


class Wish(NamedTuple):
    """What a valid event wants: the nodes it hides, none for an append; its sources by number, as
    ranges in the order told.
    """

    hides: list[int]
    sources: list[range]
    ranged: bool


def check_ineligible(event: dict[str, Any]) -> None:
    """Raise if an event that cannot stand on the surface carries surface words.

    Raises:
        Rejection: if a key is present, whatever its value.
    """
    for key in ("surfaceOp", "sourceEventSeqs"):
        if key in event:
            raise Rejection(
                rules.BAD_SURFACE,
                f'event type "{event["type"]}" is not surface-eligible and cannot carry {key}',
            )


def wish(event: dict[str, Any], number: int, current: Current) -> Wish:
    """What an eligible event wants of the surface.

    Raises:
        Rejection: at the first rule it breaks.
    """
    kind = event["type"]
    if "surfaceOp" not in event:
        raise Rejection(rules.BAD_SURFACE, f'event type "{kind}" requires a surfaceOp marker')
    operation = event["surfaceOp"]
    hides: list[int] = []
    if operation != "append":
        start, end = _range(operation)
        hides = _slice(start, end, current)
    sources: list[range] = []
    ranged = False
    if "sourceEventSeqs" in event:
        sources, ranged = _sources(event["sourceEventSeqs"], kind, number)
    if hides:
        missing = uncited(map(current.number_of, hides), sources)
        if missing:
            raise Rejection(
                rules.BAD_SOURCES,
                "sourceEventSeqs must include every shadowed surface node; missing "
                + ", ".join(map(str, missing[:20])),
            )
    if hides:
        _check_system(kind, hides, current)
    if hides and kind == TOOL_RESULT:
        _check_rewrite(event, hides, current)
    return Wish(hides, sources, ranged)


def stumbles_on_ranges(event: dict[str, Any], rejection: Rejection) -> bool:
    """Whether an owner who knows no ranges refuses an event for them before it comes to a rule.

    What it says of the sources and of a rewrite comes after it looked at each source (rules E).
    """
    behind = rejection.kind in (rules.BAD_SOURCES, rules.BAD_REWRITE)
    return behind and any(isinstance(item, list) for item in items(event.get("sourceEventSeqs")))


def plain_sources(value: Any, number: int) -> range | None:
    """The cited numbers if they are consecutive, as nearly all are; None if that is to be seen."""
    if type(value) is not list or not value:
        return None
    first, last = value[0], value[-1]
    if (
        type(first) is not int
        or type(last) is not int
        or last - first != len(value) - 1
        or first < 0
        or last >= number
    ):
        return None
    run = range(first, last + 1)
    if len(value) == 1:
        return run
    # Equal is not enough: a truth value equals a number.
    return run if value == list(run) and set(map(type, value)) == {int} else None


def _range(operation: Any) -> tuple[int, int]:
    if not isinstance(operation, dict):
        raise Rejection(rules.BAD_SURFACE, "invalid surfaceOp")
    start, end = natural(operation.get("start")), natural(operation.get("end"))
    if (
        operation.keys() != {"op", "start", "end"}
        or operation["op"] != "replace"
        or start is None
        or end is None
    ):
        raise Rejection(rules.BAD_SURFACE, "invalid replace surfaceOp")
    return start, end


def _slice(start: int, end: int, current: Current) -> list[int]:
    first = _standing("start", start, current)
    last = _standing("end", end, current)
    found = current.between(first, last)
    if found is None:
        raise Rejection(rules.BAD_SURFACE, f"start seq {start} is after end seq {end} in surface")
    return found


def _standing(name: str, number: int, current: Current) -> int:
    node = current.node(number)
    if node is None:
        raise Rejection(rules.BAD_SURFACE, f"{name} seq {number} not found in surface")
    return node


def _sources(value: Any, kind: str, number: int) -> tuple[list[range], bool]:
    """The cited numbers; the ranges of later writers stay what they are (format page 1.7).

    A line of a hundred bytes may name a range of a billion numbers, so none is written out.
    """
    if not isinstance(value, list):
        raise Rejection(rules.BAD_SOURCES, "sourceEventSeqs must be an array")
    if not value:
        if kind != ASSISTANT_MESSAGE:
            raise Rejection(rules.BAD_SOURCES, "sourceEventSeqs must not be empty")
        return [], False
    run = plain_sources(value, number)
    if run is not None:
        return [run], False
    sources: list[range] = []
    ranged = False
    for item in value:
        single = natural(item)
        if single is not None:
            if sources and sources[-1].stop == single:
                sources[-1] = range(sources[-1].start, single + 1)
            else:
                sources.append(range(single, single + 1))
            continue
        span = _span(item)
        if span is None or span.stop > number:
            raise Rejection(rules.BAD_SOURCES, _NOT_DENSE)
        sources.append(span)
        ranged = True
    ordered = sorted(sources, key=lambda span: span.start)
    if any(before.stop > after.start for before, after in pairwise(ordered)):
        raise Rejection(rules.BAD_SOURCES, "sourceEventSeqs must not contain duplicates")
    if ordered[-1].stop > number:
        raise Rejection(rules.BAD_SOURCES, "sourceEventSeqs must reference earlier events")
    return sources, ranged


def uncited(numbers: Iterable[int], sources: list[range]) -> list[int]:
    """Those of the numbers that are in none of the ranges, which do not overlap."""
    ordered = sorted(sources, key=lambda span: span.start)
    starts = [span.start for span in ordered]
    return [
        number
        for number in numbers
        if not (at := bisect_right(starts, number)) or number not in ordered[at - 1]
    ]


def _span(item: Any) -> range | None:
    """The numbers that a pair ``[first, last]`` stands for, or None if it is no such pair."""
    pair = [natural(inner) for inner in items(item)]
    if len(pair) != 2:
        return None
    first, last = pair
    if first is None or last is None or first > last:
        return None
    return range(first, last + 1)


def _check_system(kind: str, hides: list[int], current: Current) -> None:
    """Only another system/message may replace one, and exactly it (format page 11)."""
    replaced = sum(map(current.is_system, hides))
    wanted = len(hides) if kind == SYSTEM_MESSAGE else 0
    if replaced != wanted or (wanted and len(hides) != 1):
        raise Rejection(
            rules.BAD_SURFACE, "a system/message is replaced by another one only, and exactly it"
        )


def _check_rewrite(event: dict[str, Any], hides: list[int], current: Current) -> None:
    if len(hides) != 1:
        raise Rejection(
            rules.BAD_REWRITE, "a tool/result replacement must rewrite exactly one current node"
        )
    target = current.event_of(hides[0])
    if target.get("type") != TOOL_RESULT:
        raise Rejection(
            rules.BAD_REWRITE, "a tool/result replacement must target a current tool/result"
        )
    if not same_json(_without_text(event["data"]), _without_text(target.get("data"))):
        raise Rejection(rules.BAD_REWRITE, "a tool/result replacement may change only content")


def _without_text(data: Any) -> Any:
    """The data of a tool/result without ``message.content[0].content``."""
    message = mapping(mapping(data).get("message"))
    content = items(message.get("content"))
    if not content or not isinstance(content[0], dict):
        return data
    block = {key: value for key, value in content[0].items() if key != "content"}
    return {**data, "message": {**message, "content": [block, *content[1:]]}}


def same_json(one: Any, other: Any) -> bool:
    """Whether two values are the same JSON to a reader whose numbers are doubles.

    The order of keys is free and ``1`` equals ``1.0``, but ``1`` is not ``true``.
    """
    pairs = [(one, other)]
    while pairs:
        left, right = pairs.pop()
        if isinstance(left, dict) and isinstance(right, dict):
            if left.keys() != right.keys():
                return False
            pairs.extend((left[key], right[key]) for key in left)
        elif isinstance(left, list) and isinstance(right, list):
            if len(left) != len(right):
                return False
            pairs.extend(zip(left, right, strict=True))
        elif _is_number(left) and _is_number(right):
            if left != right and _double(left) != _double(right):
                return False
        elif type(left) is not type(right) or left != right:
            return False
    return True


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _double(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        return float("inf") if value > 0 else float("-inf")
