"""What stands in the folder of one session: its generations, and what is no log.

A newer format is published beside the old file and the highest number is current; several
generations in one folder are normal (format page 0.2, 1.2 and 11).
"""

import re
from collections.abc import Iterable
from typing import Final, NamedTuple

LOCK: Final = "session.lock"

_LOG: Final = re.compile(r"session(?:\.v([0-9]{1,9}))?\.jsonl(\.zstd|\.zst)?")
_BEGINS: Final = "session"
_TEMPORARY: Final = ".tmp"


class Generation(NamedTuple):
    """Which format a log's name says it has, 0 where it says none, and whether it is packed."""

    number: int
    packed: bool


class Leftover(NamedTuple):
    """A file beside the logs that is none, and what it means, in a sentence."""

    name: str
    meaning: str


def generation(name: str) -> Generation | None:
    """The generation of a session's log, or None if the name is not that of one."""
    found = _LOG.fullmatch(name)
    return None if found is None else Generation(int(found[1] or 0), found[2] is not None)


def current(names: Iterable[str]) -> str | None:
    """The log of the highest generation, or None if there is no log.

    Of several of one generation it is a packed one, as the owner writes by default; `twins` names
    the others.
    """
    return max(_logs(names), default=(None, None))[1]


def twins(names: Iterable[str], chosen: str) -> list[str]:
    """The other logs of the generation of a log: the owner refuses a root with two encodings."""
    number = _number(chosen)
    return sorted(name for one, name in _logs(names) if name != chosen and one.number == number)


def others(names: Iterable[str], chosen: str) -> list[str]:
    """The logs of other generations than a log's, the newest first."""
    number = _number(chosen)
    rest = [log for log in _logs(names) if log[0].number != number]
    return [name for _, name in sorted(rest, reverse=True)]


def leftovers(names: Iterable[str]) -> list[Leftover]:
    """The files that tell of a writer: one that is there, or one that was cut off."""
    return [
        Leftover(name, _LOCKED if name == LOCK else _UNPUBLISHED)
        for name in sorted(names)
        if name == LOCK or name.endswith(_TEMPORARY)
    ]


_LOCKED: Final = "a writer has the session open, or had when it ended"
_UNPUBLISHED: Final = "left by a first write that was cut off; no part of the session"


def _logs(names: Iterable[str]) -> list[tuple[Generation, str]]:
    # Most names of a folder are of other things, and thousands of folders are asked.
    found = [(generation(name), name) for name in set(names) if name.startswith(_BEGINS)]
    return [(number, name) for number, name in found if number is not None]


def _number(chosen: str) -> int | None:
    found = generation(chosen)
    return None if found is None else found.number
