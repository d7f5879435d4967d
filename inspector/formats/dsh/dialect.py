"""What differs between the versions of a log beside the shapes of its events (format page 11)."""

from dataclasses import dataclass
from typing import Final

from inspector.formats.dsh.vocabulary import ELIGIBLE, LATER_WORDS, WORDS

LATER_ELIGIBLE: Final = {3: frozenset({"system/message"}), 4: frozenset({"developer/message"})}
"""By version, the types that can stand on the surface beside those of v0."""

_RANGES_SINCE: Final = 1
_OPAQUE_SINCE: Final = 3
_LOWERED_SINCE: Final = 4
_LOWERED: Final = frozenset({"user/message", "tool/result"})
_PACKS_BELOW: Final = 2
"""From version 2 on chunks are kept in the message that they became."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """The words of one version of a log.

    Attributes:
        known: its event types. Which types a later version gave up is not known, so none is.
        eligible: those that can stand on the surface.
        packs: whether a record may hold a run of chunks.
        ranges: whether sources are written as ranges by right.
        opaque: whether an event that may be ignored may carry surface words.
        lowered: types whose events say in other words what v0 said.
    """

    known: frozenset[str]
    eligible: frozenset[str]
    packs: bool
    ranges: bool
    opaque: bool
    lowered: frozenset[str]


def dialect(version: float) -> Dialect:
    """The words of a version."""
    known, eligible = set(WORDS), set(ELIGIBLE)
    for since, words in LATER_WORDS.items():
        if version >= since:
            known |= words.keys()
    for since, types in LATER_ELIGIBLE.items():
        if version >= since:
            eligible |= types
    return Dialect(
        known=frozenset(known),
        eligible=frozenset(eligible),
        packs=version < _PACKS_BELOW,
        ranges=version >= _RANGES_SINCE,
        opaque=version >= _OPAQUE_SINCE,
        lowered=_LOWERED if version >= _LOWERED_SINCE else frozenset(),
    )
