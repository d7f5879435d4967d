"""How sessions belong together: every relation's word and glyph, in one place.

Formats tell of relations in words of their own age and direction; a family knows one word for each,
of the one that came later to the one that it comes from.
"""

from typing import Final, NamedTuple

FORK: Final = "fork"
RESUME: Final = "resume"
SUBAGENT: Final = "subagent"
SIDE: Final = "side"
SPEC: Final = "spec"
CHILD: Final = "child"
GENERATION: Final = "generation"
TWIN: Final = "same session"

_GLYPHS: Final = {
    FORK: "◆",
    RESUME: "↻",
    SUBAGENT: "▸",
    SIDE: "◇",
    SPEC: "✎",
    CHILD: "·",
    GENERATION: "≡",
    TWIN: "=",
}

_WORDS: Final = {SIDE: "side session", GENERATION: "older generation"}
"""Where people read another word than scripts do."""

_OF: Final = {
    RESUME: "taken up from",
    SIDE: "side session of",
    SPEC: "carries out the spec of",
    GENERATION: "older generation of",
    TWIN: "the same session as",
}
"""How a relation is told of its parent, where that is not ``fork of``."""

MERGED: Final = "merged"
REFERRED: Final = "merged by reference"
DISCARDED: Final = "discarded"
GIVEN_UP: Final = "discarded by reference"
OPEN: Final = "open"


class Related(NamedTuple):
    """A relation, and what became of it: merged, discarded, or None where nobody says."""

    relation: str
    status: str | None = None


_TOLD: Final = {
    "parent": Related(CHILD),
    "child": Related(CHILD),
    "spawned": Related(SUBAGENT),
    "merged fork": Related(FORK, MERGED),
    "merged fork, by reference": Related(FORK, REFERRED),
    "discarded fork": Related(FORK, DISCARDED),
    "discarded fork, by reference": Related(FORK, GIVEN_UP),
}


def related(told: str | None) -> Related:
    """What a format's word for a relation means."""
    if not told:
        return Related(CHILD)
    return _TOLD.get(told, Related(told))


def glyph(relation: str) -> str:
    """The sign of a relation, one column wide."""
    return _GLYPHS.get(relation, _GLYPHS[CHILD])


def word(relation: str) -> str:
    """A relation as people read it; one that a tape invented is not cleaned."""
    return _WORDS.get(relation, relation)


def of_parent(relation: str) -> str:
    """A relation before the name of the parent: ``fork of``."""
    return _OF.get(relation, f"{word(relation)} of")


def surer(one: str | None, other: str | None) -> str | None:
    """Of two words for one relation that which says more; the first where both do."""
    if one in (None, CHILD):
        return other or one
    return one
