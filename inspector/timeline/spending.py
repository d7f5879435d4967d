"""What the requests of a tape cost in tokens: those of its own against those that it inherited."""

from typing import NamedTuple

from inspector.timeline.timeline import Timeline


class Spent(NamedTuple):
    """Tokens of several requests, each counted once, as their providers reported them.

    Attributes:
        requests: how many there are.
        aside: how many of them were not made of the surface: a compaction's, a subagent's.
        input: tokens sent that were neither read from a cache nor written to one.
        cache_read: tokens sent that were read from a cache.
        cache_write: tokens sent that were written to a cache.
        output: tokens that came back.
    """

    requests: int = 0
    aside: int = 0
    input: int = 0
    cache_read: int = 0
    cache_write: int = 0
    output: int = 0

    @property
    def sent(self) -> int:
        """All tokens that were sent."""
        return self.input + self.cache_read + self.cache_write

    def without(self, part: "Spent") -> "Spent":
        """What is left without a part of it."""
        return Spent(*(whole - less for whole, less in zip(self, part, strict=True)))


class Spending(NamedTuple):
    """What a tape's own requests cost, and those that it has from the tape it was copied from."""

    own: Spent
    inherited: Spent


def spending(timeline: Timeline, cursor: int) -> Spending:
    """What was spent by the events folded at a cursor."""
    everything = _spent(timeline, cursor)
    inherited = _spent(timeline, min(cursor, timeline.lives.inherited))
    return Spending(everything.without(inherited), inherited)


def _spent(timeline: Timeline, cursor: int) -> Spent:
    usage, side = timeline.usage.total(cursor), timeline.side_usage.total(cursor)
    aside = timeline.side_usage.count(cursor)
    return Spent(
        timeline.usage.count(cursor) + aside,
        aside,
        usage.input + side.input,
        usage.cache_read + side.cache_read,
        usage.cache_write + side.cache_write,
        usage.output + side.output,
    )
