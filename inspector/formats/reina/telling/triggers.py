"""When Reina compacts by itself."""

from typing import Final

from inspector.formats.compacting import CompactionRule

RULE: Final = CompactionRule(
    "75 % of the window",
    "format page 3.3; from 12 messages on",
    counts="what the provider reported as the total of the last request",
    percent=75,
    answers=True,
)
