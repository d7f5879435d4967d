"""A plan that was kept: what makes it again, and what is another by now."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

from inspector.formats.contract import Seal
from inspector.formats.planning import How, Making, PlanError, PlanKind, View
from inspector.plans.placing import fits
from inspector.plans.plan import Asked
from inspector.text.jsontext import json_text

_TOLD: Final = {
    "how": "how it is written",
    "kept": "keep",
    "left": "leave",
    "left_because": "left because of",
    "cut": "the cut",
    "checks": "checks",
    "view": "the history",
    "registers": "registers",
    "not_undone": "not undone",
    "restorable": "files that could be restored",
    "writes": "what would be written",
    "closers": "what is mended",
    "hides": "what is hidden",
    "next_request": "the next request",
    "prompt": "the prompt",
}
"""The parts of a plan's document that are compared, and what people call them."""


_ASKED: Final = {
    "keep_last": "the rows that are kept",
    "summary": "the summary",
    "degraded": "whether it is degraded",
    "into": "the folder",
}
"""The parts of the question that are compared; the others are told by what came of them."""

_MOST: Final = 1 << 53
_LONGEST: Final = 32_768
_SHOWN: Final = 60


class Saved(NamedTuple):
    """What a saved plan says of how it was made.

    Attributes:
        path: of the tape.
        session: its id, or None.
        policy: the owner's reader that was followed, or None.
        asked: what was asked for.
        making: identity and time of what would be made.
        seal: of the head to which it is bound.
        document: all of it.
    """

    path: Path
    session: str | None
    policy: str | None
    asked: Asked
    making: Making
    seal: Seal
    document: dict[str, Any]


def saved(document: Any) -> Saved:
    """What a document that was read says.

    Raises:
        PlanError: if it is no plan of ours; one sentence.
    """
    if not isinstance(document, dict) or document.get("version") != 1:
        raise PlanError("is no plan of this program")
    try:
        making = Making(_text(document["making"]["id"]), _number(document["making"]["time"]))
        if not fits(making):
            raise ValueError("no tape can have this id or time")
        tape, head, asked = document["tape"], document["head"], document["asked"]
        return Saved(
            _path(tape["path"]),
            _maybe_text(tape["id"]),
            _maybe_text(tape["policy"]),
            Asked(
                PlanKind(document["kind"]),
                cut=_maybe_number(asked["cut"]),
                how=None if asked["how"] is None else How(asked["how"]),
                view=None if asked["view"] is None else View(asked["view"]),
                keep_last=_maybe_number(asked["keep_last"]),
                summary=_maybe_text(asked["summary"]),
                degraded=asked["degraded"] is True,
                into=None if asked["into"] is None else _path(asked["into"]),
            ),
            making,
            Seal(_number(head["events"]), _number(head["bytes"]), _text(head["hash"])),
            document,
        )
    except (KeyError, TypeError, ValueError) as error:
        raise PlanError(f"is no whole plan: {error}") from error


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError("a text is missing")
    return value


def _path(value: Any) -> Path:
    said = _text(value)
    if not said or "\0" in said or len(said) > _LONGEST:
        raise ValueError("a path is none")
    return Path(said)


def _maybe_text(value: Any) -> str | None:
    return None if value is None else _text(value)


def _number(value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 <= value <= _MOST:
        raise TypeError("a number is missing")
    return value


def _maybe_number(value: Any) -> int | None:
    return None if value is None else _number(value)


def expected(text: str) -> tuple[int, str]:
    """The head that ``--expect N:HASH`` names: its cursor, and eight or more digits of its hash.

    Raises:
        PlanError: if it is not written so.
    """
    number, _, digits = text.partition(":")
    fits = number.isascii() and number.isdecimal() and len(number) < 12
    if not fits or not 8 <= len(digits) <= 64 or digits.strip("0123456789abcdefABCDEF"):
        raise PlanError("--expect is N:HASH, a cursor and at least 8 hex digits of the head's hash")
    return int(number), digits.lower()


def is_head(seal: Seal, wanted: tuple[int, str]) -> bool:
    """Whether a head is the one that is wanted."""
    events, digits = wanted
    return seal.events == events and seal.hash.startswith(digits)


def another(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    """Why two plans are not of the same kind and tape, a sentence each; nothing where they are."""
    if old.get("kind") != new.get("kind"):
        yield f"it is a plan of a {old.get('kind')} and this is one of a {new.get('kind')}"
    was, now = (_mapping(one.get("tape")) for one in (old, new))
    if _which(was) != _which(now):
        yield f"it is a plan of another tape: {_named(was)}, and not {_named(now)}"
    elif was.get("policy") != now.get("policy"):
        yield f"the reader that is followed was {was.get('policy')} and is {now.get('policy')}"


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _which(tape: Mapping[str, Any]) -> tuple[Any, ...]:
    return (Path(str(tape.get("path"))).absolute(), tape.get("id"), tape.get("format"))


def _named(tape: Mapping[str, Any]) -> str:
    return str(tape.get("path")) if tape.get("id") is None else f"{tape.get('path')} ({tape['id']})"


def _questions(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    """What was asked for otherwise."""
    was, now = (_mapping(one.get("asked")) for one in (old, new))
    for key, words in _ASKED.items():
        if was.get(key) != now.get(key):
            yield f"{words}: asked for {_brief(was.get(key))}, and now {_brief(now.get(key))}"
    cursors = [_cursor(one) for one in (old, new)]
    if was.get("cut") != now.get("cut") and cursors[0] != cursors[1]:
        yield f"the cursor: asked for {cursors[0]}, and now {cursors[1]}"


def _cursor(document: Mapping[str, Any]) -> Any:
    """The cursor that is asked for, that of the head where none is."""
    cut = _mapping(document.get("asked")).get("cut")
    return _mapping(document.get("head")).get("events") if cut is None else cut


def _brief(value: Any) -> str:
    if value is None:
        return "none"
    said = value if isinstance(value, str) else json_text(value)
    return said if len(said) <= _SHOWN else f"{said[:_SHOWN]}…"


def differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    """What of a plan is another in a second one, a sentence each."""
    yield from another(old, new)
    yield from _questions(old, new)
    one, other = old.get("head", {}), new.get("head", {})
    if one != other:
        yield f"the head was {one.get('events')} and is {other.get('events')}"
    for key, words in _TOLD.items():
        was, now = old.get(key), new.get(key)
        # One may come from a file, and have lists where the other has tuples.
        if json_text(was) != json_text(now):
            yield f"{words}: {_change(was, now)}"


def _change(was: Any, now: Any) -> str:
    if isinstance(was, list) and isinstance(now, list) and len(was) != len(now):
        return f"{len(was)} -> {len(now)}"
    if isinstance(was, int) and isinstance(now, int):
        return f"{was} -> {now}"
    return "changed"
