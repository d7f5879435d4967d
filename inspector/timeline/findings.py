"""Findings: what a reader must know about a tape, with its place and its effect on the fold."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final

from inspector.columns import NEVER, codes, unsigned

MESSAGES_KEPT: Final = 1_000
"""Messages kept word for word per kind; of the others the place is kept and the kind speaks."""


class Severity(Enum):
    """How much a finding weighs; an error makes ``check`` exit with 1."""

    INFO = "info"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class FindingKind:
    """One code of finding. ``effect`` says what it does to the fold."""

    code: str
    severity: Severity
    effect: str


_LOOKED_BACK: Final = 1_000
"""Records before an event that are looked at for what was found in them."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One finding with its place: a physical record, an event position, or the tape as a whole."""

    kind: FindingKind
    record: int | None
    event: int | None
    message: str


class FindingTable:
    """All findings of a tape, in the order in which they were found; a few bytes each."""

    def __init__(self) -> None:
        self._kinds: list[FindingKind] = []
        self._kind_numbers: dict[FindingKind, int] = {}
        self._kind = codes()
        self._record = unsigned()
        self._event = unsigned()
        self._messages: dict[int, str] = {}
        self._eventless: dict[int, int] = {}
        self._per_kind: Counter[FindingKind] = Counter()
        self._per_severity: Counter[Severity] = Counter()

    def __len__(self) -> int:
        return len(self._event)

    def __iter__(self) -> Iterator[Finding]:
        return (self[at] for at in range(len(self)))

    def __getitem__(self, at: int) -> Finding:
        kind = self._kinds[self._kind[at]]
        record, event = self._record[at], self._event[at]
        return Finding(
            kind,
            None if record == NEVER else record,
            None if event == NEVER else event,
            self._messages.get(at, f"one more {kind.code}; the first {MESSAGES_KEPT} say more"),
        )

    def count(self, severity: Severity) -> int:
        """How many findings weigh this much."""
        return self._per_severity[severity]

    def around(self, event: int, first: int, record: int) -> list[Finding]:
        """What was found at an event, and before it at records that carry none.

        Args:
            event: the position of the event.
            first: the record behind that of the event before.
            record: the event's own record.
        """
        between = [
            self[self._eventless[lost]]
            for lost in range(max(first, record - _LOOKED_BACK), record)
            if lost in self._eventless
        ]
        return [*between, *self.of_event(event)]

    def of_event(self, event: int) -> list[Finding]:
        """The findings at one event position."""
        found: list[Finding] = []
        at = -1
        while True:
            try:
                at = self._event.index(event, at + 1)
            except ValueError:
                return found
            found.append(self[at])

    def add(self, kind: FindingKind, record: int | None, event: int | None, message: str) -> None:
        """Note one finding."""
        number = self._kind_numbers.get(kind)
        if number is None:
            number = self._kind_numbers[kind] = len(self._kinds)
            self._kinds.append(kind)
        self._per_kind[kind] += 1
        self._per_severity[kind.severity] += 1
        if self._per_kind[kind] <= MESSAGES_KEPT:
            self._messages[len(self._kind)] = message
        if event is None and record is not None and len(self._eventless) < MESSAGES_KEPT:
            self._eventless[record] = len(self._kind)
        self._kind.append(number)
        self._record.append(NEVER if record is None else record)
        self._event.append(NEVER if event is None else event)
