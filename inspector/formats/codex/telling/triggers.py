"""When Codex compacts by itself."""

from typing import Final

from inspector.formats.compacting import CompactionRule

RULE: Final = CompactionRule(
    "90 % of the model's window, of which the tape tells 95 %",
    "defaults of its model catalogue in version 0.154",
    counts="what the last answer reported as its total",
    percent=90,
    recorded=95,
    answers=True,
)
"""`model_auto_compact_token_limit` may only lower it."""
