"""How the metadata of a session stand to its log; the log wins (format page 2 and 3, RULES A2)."""

from collections.abc import Iterator
from typing import Protocol

from inspector.formats.zero import rules
from inspector.formats.zero.metadata import EVENTS, NAME, Metadata
from inspector.text.gate import clean_line
from inspector.timeline.findings import Finding

_SAID = 200


class Log(Protocol):
    """What is asked of the log."""

    @property
    def name(self) -> str:
        """The name of its file."""

    @property
    def session(self) -> str:
        """The session of its first event; empty if it has none."""

    @property
    def last(self) -> int | None:
        """The number of its last event, or None without any."""

    def has(self, number: int) -> bool:
        """Whether an event has this number."""

    def ended(self) -> int:
        """The number on the last line that a newline ends; 0 if it is blank or no event."""


def findings(known: Metadata, log: Log) -> Iterator[Finding]:
    """What is wrong with the metadata beside a log."""
    if log.name != EVENTS:
        return
    if known.missing:
        yield Finding(rules.NO_METADATA, None, None, f"there is no {NAME} beside the events")
        return
    if known.problem is not None:
        problem = clean_line(known.problem, _SAID)
        kind = rules.LONG_METADATA if known.long else rules.BAD_METADATA
        yield Finding(kind, None, None, f"{NAME} {problem}")
        return
    if log.last is None:
        return
    if log.session not in ("", known.session):
        named = clean_line(known.session or "", _SAID)
        message = (
            f"{NAME} is of session {named}, the events are of {clean_line(log.session, _SAID)}"
        )
        yield Finding(rules.OTHER_SESSION, None, None, message)
    yield from _numbers(known.count, log.last, log)


def _numbers(count: int | None, last: int, log: Log) -> Iterator[Finding]:
    if count is None:
        return
    coming = max(count, log.ended()) + 1
    if count != last:
        kind = rules.METADATA_LEADS if count > last else rules.METADATA_LAGS
        message = f"{NAME} ends at sequence {count}, the log at {last}"
        yield Finding(kind, None, None, message)
    if log.has(coming):
        message = f"the owner's next event gets sequence {coming}, which is there"
        yield Finding(rules.NUMBER_TAKEN, None, None, message)
