"""When Claude Code compacts by itself."""

from typing import Final

from inspector.formats.compacting import CompactionRule

RULE: Final = CompactionRule(
    "the window less 33,000 tokens",
    "read from the program by others: 20,000 for the summary, 13,000 to spare",
    counts="what went in and came out with the last answer",
    spare=33_000,
    answers=True,
)
"""The program is closed and its settings may lower it; a boundary tells only what was counted."""
