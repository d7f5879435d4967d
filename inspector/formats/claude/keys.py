"""Records by the keys that they have: nearly all of a tape have one of a few sets of them."""

from collections.abc import Callable
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

if TYPE_CHECKING:
    from inspector.formats.claude.effects.fold import Fold

_ODD: Final = frozenset(
    {
        "teamName",
        "isMeta",
        "isCompactSummary",
        "isApiErrorMessage",
        "closesQuietTurn",
        "origin",
        "isSynthetic",
    }
)
"""Keys that a record with nothing odd about it lacks."""

_PARTS: Final = ("type", "uuid", "parentUuid", "message")
"""Keys that a record has with which a conversation goes on."""

_AROUND: Final = (
    "isSidechain",
    "sessionId",
    "cwd",
    "gitBranch",
    "version",
    "permissionMode",
    "effort",
)
"""Keys of what stays the same from record to record."""

_MOST: Final = 500
_KEYS: Final = 64
_LENGTH: Final = 2_000
"""Sets of keys that are known, and keys of one and their characters together."""

_SCALARS: Final = (str, bool, type(None))


class Keys:
    """A set of keys that a record may have, in order.

    Attributes:
        timed: it has a time.
        parts: gets the type, the id, the parent's, the time and the message of a record; where it
            has no time, something that is none.
        around: gets what it says of its surroundings.
        told: what such a record said last, if that was nothing new.
        epoch: when it did, by `KnownKeys.epoch`.
    """

    __slots__ = ("around", "epoch", "parts", "timed", "told")

    def __init__(self, around: list[str], *, timed: bool) -> None:
        kind, uuid, parent, message = _PARTS
        stamp = "timestamp" if timed else message
        self.parts: Callable[[Any], Any] = itemgetter(kind, uuid, parent, stamp, message)
        self.timed = timed
        # Of two keys at least it gets a tuple.
        self.around: Callable[[Any], Any] = itemgetter(*around, around[0])
        self.told: tuple[Any, ...] = ()
        self.epoch = -1


UNKNOWN: Final = Keys([""], timed=False)
"""Any set of keys that was not met so far."""


class KnownKeys:
    """The sets of keys that records had so far.

    Args:
        effects: knows what was said of the surroundings last.

    Attributes:
        known: those of which records can go straight on; None for one of which they cannot.
        epoch: grows when the surroundings change.
    """

    def __init__(self, effects: "Fold") -> None:
        self._effects = effects
        self._around: tuple[int, str | None] = (0, None)
        self.known: dict[tuple[str, ...], Keys | None] = {}
        self.epoch = 0

    def begin(self) -> int:
        """Records follow; returns the epoch."""
        effects = self._effects
        around = effects.registers.changes, effects.origins.session
        if around != self._around:
            self._around = around
            self.epoch += 1
        return self.epoch

    def learn(self, names: tuple[str, ...]) -> Keys | None:
        """A set of keys that was not met so far."""
        if len(names) > _KEYS or sum(map(len, names)) > _LENGTH:
            return None
        if len(self.known) >= _MOST:
            self.known.clear()
        present = frozenset(names)
        around: list[str] = [name for name in _AROUND if name in present]
        plain = present.issuperset(_PARTS) and _ODD.isdisjoint(present) and around
        keys = self.known[names] = Keys(around, timed="timestamp" in present) if plain else None
        return keys

    def says_nothing_new(self, keys: Keys, value: dict[str, Any], *, side: bool) -> bool:
        """Whether the surroundings of a record are those of the records before it.

        Args:
            keys: its own.
            value: the record.
            side: it may be a subagent's.
        """
        told, effects = keys.around(value), self._effects
        if not all(type(one) in _SCALARS for one in told):
            return False
        if value.get("isSidechain") and not side:
            return False
        session = value.get("sessionId")
        if type(session) is str and session != effects.origins.session:
            return False
        if not effects.registers.knows(value):
            return False
        keys.told, keys.epoch = told, self.epoch
        return True
