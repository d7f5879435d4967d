"""Tokens that the provider reported, once for each message of the API (format page 1.5, 1.7)."""

from typing import Any, Final

from inspector.columns import Column, signed, wide
from inspector.formats.claude.tree.store import NONE
from inspector.formats.shapes import SAFE_INTEGER, natural
from inspector.formats.usage_figures import tell_unreadable
from inspector.timeline.builder import Builder

SYNTHETIC: Final = "<synthetic>"
"""The model of messages that the owner wrote itself."""

_FIGURES: Final = (
    "input_tokens",
    "cache_read_input_tokens",
    "cache_creation_input_tokens",
    "output_tokens",
)


class Usage:
    """Tells the builder of every message once: every line repeats the figures, and the output
    grows from line to line.
    """

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._report: Column = signed()
        self._output: Column = wide()
        # Whether the first line of each message was a subagent's.
        self._aside = bytearray()

    def line(self, message: dict[str, Any], number: int, *, side: bool) -> None:
        """A line of a message of the API; ``number`` is that of the message, or `NONE`."""
        usage = message.get("usage")
        if type(usage) is not dict or message.get("model") == SYNTHETIC:
            return
        output = _tokens(usage.get("output_tokens"))
        before: int | None = None
        if number != NONE:
            while number >= len(self._report):
                self._report.append(NONE)
                self._output.append(0)
                self._aside.append(0)
            if self._report[number] != NONE:
                if output <= self._output[number]:
                    return
                # One request, wherever its line is copied to later.
                before, side = self._report[number], self._aside[number] != 0
        cached = _tokens(usage.get("cache_read_input_tokens"))
        written = _tokens(usage.get("cache_creation_input_tokens"))
        sent = _tokens(usage.get("input_tokens"))
        tell_unreadable(self._builder, usage, _FIGURES)
        report = self._builder.spend(cached, sent, written, output, aside=side, of=before)
        if number != NONE:
            self._report[number] = report
            self._output[number] = output
            self._aside[number] = side


def _tokens(value: Any) -> int:
    """A number of tokens; none where there is no number."""
    if type(value) is int and 0 <= value <= SAFE_INTEGER:
        return value
    return 0 if value is None else natural(value) or 0
