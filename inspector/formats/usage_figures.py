"""Figures of a provider's report that are no numbers of tokens: counted as nothing, and told."""

from collections.abc import Sequence
from typing import Any, Final

from inspector.formats.shapes import natural
from inspector.text.gate import clean_line
from inspector.text.jsontext import json_text
from inspector.timeline.builder import Builder
from inspector.timeline.findings import FindingKind, Severity

UNREADABLE: Final = FindingKind(
    "unreadable-usage", Severity.INFO, "counted as nothing; the sums are too small"
)

_SHOWN: Final = 40


def tell_unreadable(builder: Builder, usage: dict[str, Any], keys: Sequence[str]) -> None:
    """Find the figures of a report that are there and are no numbers of tokens.

    Args:
        builder: at the event that reports.
        usage: the report.
        keys: where its figures are.
    """
    for key in keys:
        value = usage.get(key)
        if value is None or (type(value) is int and value >= 0 and natural(value) is not None):
            continue
        if natural(value) is None:
            said = clean_line(json_text(value, limit=_SHOWN), _SHOWN)
            builder.find(
                UNREADABLE,
                f"{key} {said} is no number of tokens",
                record=None,
                event=builder.event,
            )
