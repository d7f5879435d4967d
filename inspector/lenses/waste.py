"""What a provider's prompt cache could have served and did not: pure arithmetic over requests."""

from collections.abc import Sequence
from enum import Enum
from typing import Final, NamedTuple

FLOOR: Final = 1_024
"""Tokens below which a provider caches nothing, so that nothing below was lost."""

TTL: Final = 300.0
"""Seconds for which a provider keeps a prefix unless it is told otherwise."""


class Cause(Enum):
    """Why a prefix that was cached was paid for again.

    Figures alone tell an expiry; all else is taken for a rewrite until the texts are looked at.
    """

    TTL = "ttl"
    REWRITE = "rewrite"
    UNKNOWN = "unknown"


class Prompt(NamedTuple):
    """What one request sent and what its provider served from its cache, in tokens.

    Attributes:
        tokens: all that was sent.
        cache_read: what of it the provider said it had.
        cache_write: what the provider said it kept of it.
        time: when it was reported, in milliseconds since the epoch; None if that is not recorded.
        anew: whether a compaction stands between this request and the one before.
    """

    tokens: int
    cache_read: int
    cache_write: int
    time: int | None
    anew: bool

    @property
    def reports(self) -> bool:
        """Whether the provider said anything of a cache."""
        return self.cache_read > 0 or self.cache_write > 0


class Miss(NamedTuple):
    """Tokens that were sent before and were paid for again.

    ``idle`` is the time since the request before, in seconds; None if that is not recorded.
    """

    tokens: int
    idle: float | None
    cause: Cause


def misses(prompts: Sequence[Prompt], ttl: float = TTL) -> list[Miss | None]:
    """What each request paid for again, None for nothing.

    What a request shares with the one before is at most the smaller of both; what of that was not
    read from the cache was lost. The first request cannot lose anything, nor can one behind a
    compaction, nor one of a provider that has reported no caching so far. Once it has, a report of
    0 is a miss.

    Args:
        prompts: the requests of one tape, in order.
        ttl: seconds for which the provider keeps a prefix.
    """
    found: list[Miss | None] = []
    reports = False
    before: Prompt | None = None
    for prompt in prompts:
        reports = reports or prompt.reports
        found.append(miss(before, prompt, ttl) if reports else None)
        before = prompt
    return found


def miss(before: Prompt | None, prompt: Prompt, ttl: float = TTL) -> Miss | None:
    """What a request of a provider that reports caching paid for again; None for nothing."""
    if before is None or prompt.anew:
        return None
    tokens = min(before.tokens, prompt.tokens) - prompt.cache_read
    if tokens <= FLOOR:
        return None
    idle = None
    if before.time is not None and prompt.time is not None:
        idle = max(0, prompt.time - before.time) / 1_000
    expired = idle is not None and idle > ttl
    return Miss(tokens, idle, Cause.TTL if expired else Cause.REWRITE)
