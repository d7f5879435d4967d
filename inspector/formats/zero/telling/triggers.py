"""When Zero compacts by itself."""

from typing import Final

from inspector.formats.compacting import CompactionRule

RULE: Final = CompactionRule(
    "80 % of the window",
    "compactionTriggerRatio of version 0.8.0",
    counts="its own estimate of messages and tools",
    percent=80,
    beyond=True,
)
"""What it does in memory, in the middle of a run, and never writes (format page 5)."""
