"""Logs of requests with the usage that their provider reports."""

from typing import Any, Final

from tests.dsh_tapes import START, Log, text_block

PROMPTS: Final = (8_200, 11_400, 14_100, 16_300, 18_000, 17_600)
READS: Final = (0, 8_200, 11_400, 0, 16_300, 5_100)
GAPS: Final = (0, 15, 20, 38 * 60, 10, 12)
"""Seconds before each of six requests: one behind a pause, one with another prefix."""


def asked(log: Log, prompt: int, read: int = 0, *, after: float = 10, text: str = "well") -> int:
    """A request so many seconds after the event before, and its answer; returns the answer."""
    log.time += int(after * 1_000) - 10
    usage = {"inputTokens": prompt - read, "cacheReadTokens": read, "outputTokens": 100}
    return log.assistant(text_block(text), usage=usage)


def six_requests() -> Log:
    """Six requests, of which two pay again for what was cached."""
    log = Log()
    log.time = START
    log.event("request/context", {"provider": "p", "model": "flash", "contextWindow": 20_000})
    log.user("please")
    for prompt, read, gap in zip(PROMPTS, READS, GAPS, strict=True):
        asked(log, prompt, read, after=gap)
    return log


def system(log: Log, prompt: str) -> int:
    """A system prompt, as it is sent from here on."""
    config = {"provider": "p", "model": "flash", "reasoningEffort": "high"}
    header: dict[str, Any] = {"config": config, "system": prompt, "tools": []}
    return log.event("request/header", {"header": header, "reason": "changed"})
