"""When Pi compacts by itself."""

from typing import Final

from inspector.formats.compacting import CompactionRule

RULE: Final = CompactionRule(
    "the window less 16,384 tokens",
    "the owner's defaults; about 20,000 recent tokens are kept",
    counts="what went in and came out with the last answer",
    spare=16_384,
    answers=True,
    beyond=True,
)
"""Its settings may say otherwise; no session tells them (format page 4.4)."""
