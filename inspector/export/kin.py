"""Which tapes belong to a tape: a document for scripts, and its words for people."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from inspector.formats.contract import Tape
from inspector.library.relations import related, word
from inspector.text.gate import clean_line
from inspector.text.labels import plural

PARENT: Final = "parent"
"""The relation of a tape's parent of which no more is known."""

_SHOWN: Final = 8
"""Tapes that are told to people."""


def kin(opened: Tape) -> list[dict[str, Any]]:
    """The tapes that a tape names: the one that it comes from, its children, what it merged.

    The one whose ``tape`` is the tape's ``parent`` is that which it comes from.
    """
    parent, inherited = opened.identity.parent, opened.timeline.lives.inherited
    found: list[dict[str, Any]] = []
    for relation, name, boundary in opened.timeline.kin:
        shared = inherited or None if boundary is None and name == parent else boundary
        found.append({"relation": relation, "tape": name, "boundary": shared})
    if parent is not None and all(one["tape"] != parent for one in found):
        found.insert(0, {"relation": PARENT, "tape": parent, "boundary": inherited or None})
    return found


def lines(found: Sequence[dict[str, Any]], parent: str | None) -> Iterator[str]:
    """The same in sentences, cleaned, the parent first; no more than one reads.

    Args:
        found: as `kin` tells them.
        parent: the tape that it comes from.
    """
    in_order = sorted(found, key=lambda one: one["tape"] != parent)
    for one in in_order[:_SHOWN]:
        yield _line(one, is_parent=one["tape"] == parent)
    if len(found) > _SHOWN:
        yield f"and {plural(len(found) - _SHOWN, 'more tape')} that it names"


def _line(one: dict[str, Any], *, is_parent: bool) -> str:
    relation, tape, boundary = (one[key] for key in ("relation", "tape", "boundary"))
    name = clean_line(tape, 120)
    if not is_parent:
        more = "" if boundary is None else f", of {plural(boundary, 'event')}"
        return f"{clean_line(relation, 60)} {name}{more}"
    told = clean_line(word(related(relation).relation), 60)
    shared = "" if boundary is None else f", sharing {plural(boundary, 'event')}"
    return f"{told} of {name}{shared}"
