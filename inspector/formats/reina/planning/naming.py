"""A new log beside another one: its id, its file and its header (format page 3.1)."""

from hashlib import sha256
from pathlib import Path
from typing import Any, Final

from inspector.formats.planning import Making
from inspector.formats.reina.vocabulary import META
from inspector.formats.shapes import mapping
from inspector.formats.stamps import stamp

_DIGITS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
_RANDOM: Final = 4


def name_of(making: Making) -> str:
    """The id of a new session: its millisecond in base 36, and four digits that no one foresees.

    These are of the identity that is given, so that two made in one millisecond have two names.
    """
    number = int.from_bytes(sha256(making.id.encode()).digest()[:8])
    return f"ses_{_base_36(making.time)}_{_base_36(number)[:_RANDOM].rjust(_RANDOM, '0')}"


def _base_36(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, len(_DIGITS))
        digits = _DIGITS[digit] + digits
    return digits or "0"


def target(path: Path, making: Making) -> Path:
    """The file of a new session: beside the other one, where the owner looks for it."""
    return path.parent / f"{name_of(making)}.jsonl"


def header(parent: dict[str, Any] | None, making: Making) -> dict[str, Any]:
    """The first record of a new log: what the other one says of itself, but for id and time.

    Args:
        parent: the header of the other log, or None.
        making: identity and time.
    """
    time = stamp(making.time)
    meta = {**mapping(mapping(parent).get("meta")), "id": name_of(making)}
    return {"ts": time, "type": META, "meta": {**meta, "createdAt": time}}
