"""Tokens that the provider reported (format page 2.5)."""

from typing import Any, Final

from inspector.formats.codex.effects.registers import Registers
from inspector.formats.shapes import mapping, natural
from inspector.formats.usage_figures import tell_unreadable
from inspector.timeline.builder import Builder
from inspector.timeline.registers import IN_PAYLOAD

_FIGURES: Final = (
    "input_tokens",
    "cached_input_tokens",
    "cache_write_input_tokens",
    "output_tokens",
)


class Usage:
    """Tells the builder of every request once.

    A ``token_count`` holds the sums of the whole thread beside the figures of the last request, and
    is repeated whenever the limits change: only a new sum is a new request.

    Attributes:
        reports: how many there were, repeats included.
    """

    def __init__(self, builder: Builder, registers: Registers) -> None:
        self._builder = builder
        self._registers = registers
        self._sums: dict[str, Any] = {}
        self._limits: Any = None
        self.reports = 0

    def count(self, event: dict[str, Any], _record: int) -> None:
        """A ``token_count``."""
        self.reports += 1
        builder = self._builder
        limits = event.get("rate_limits")
        if limits and limits != self._limits:
            self._limits = limits
            builder.set("rate limits", IN_PAYLOAD)
        info = event.get("info")
        if type(info) is not dict:
            return
        self._registers.window(info)
        last, total = mapping(info.get("last_token_usage")), mapping(info.get("total_token_usage"))
        sums = total or last
        if not last or sums == self._sums:
            return
        self._sums = sums
        if total:
            builder.set("tokens so far", IN_PAYLOAD)
        sent = natural(last.get("input_tokens")) or 0
        cached = min(sent, natural(last.get("cached_input_tokens")) or 0)
        written = min(sent - cached, natural(last.get("cache_write_input_tokens")) or 0)
        output = natural(last.get("output_tokens")) or 0
        tell_unreadable(builder, last, _FIGURES)
        builder.spend(cached, sent - cached - written, written, output)
