"""A plan that was kept: what makes it again."""

import os
from pathlib import Path
from typing import Any, Final, NamedTuple

from inspector.formats.contract import Seal
from inspector.formats.planning import How, Making, PlanError, PlanKind, View
from inspector.plans.placing import fits
from inspector.plans.plan import Asked

_MOST: Final = 1 << 53
_LONGEST: Final = 32_768


class Saved(NamedTuple):
    """What a saved plan says of how it was made.

    Attributes:
        path: of the tape.
        session: its id, or None.
        policy: the owner's reader that was followed, or None.
        asked: what was asked for, with how the tape was opened beside that.
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
                summary_file=_maybe_path(asked.get("summary_file")),
                past_unknown=asked.get("past_unknown") is True,
                unpack_limit=_maybe_number(asked.get("unpack_limit")),
                moved_from=_maybe_number(asked.get("moved_from")),
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
    os.fsencode(said)
    return Path(said)


def _maybe_path(value: Any) -> Path | None:
    return None if value is None else _path(value)


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
