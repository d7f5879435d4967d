"""What a lens on the screen is: a question put to a tape, and a report that answers it."""

from collections.abc import Callable
from typing import NamedTuple, Protocol, runtime_checkable

from inspector.formats.contract import Tape
from inspector.ui.cells import Line
from inspector.ui.report import Report


class Asked(NamedTuple):
    """What a person looked at when a lens was asked for; values that do not change.

    Attributes:
        tape: folded as far as the cursor at least.
        cursor: as of which.
        event: the position of the selected event, or None.
        anchor: the cursor of anchor A, or None.
        text: what was written, for a lens that looks for something.
    """

    tape: Tape
    cursor: int
    event: int | None
    anchor: int | None
    text: str = ""


class LensReport(Report, Protocol):
    """The rows of an answer, and what stands above them."""

    def heads(self) -> tuple[Line, ...]:
        """The answer in a few lines, the most important first."""

    def start(self) -> int:
        """The row in hand at first."""


@runtime_checkable
class LeadingReport(LensReport, Protocol):
    """An answer that tells of a summary, of which an audit can be asked for."""

    def summary(self) -> int | None:
        """The position of the summary that it tells of, or None."""


@runtime_checkable
class AwayReport(LensReport, Protocol):
    """An answer about an event that may tell of another session."""

    def leads_away(self) -> bool:
        """Whether it does."""


class Lens(NamedTuple):
    """A lens.

    Attributes:
        title: of its layer.
        waiting: what is said while it is asked.
        ask: answers with a report, or with one sentence why there is none; reads the tape, so it
            runs in a thread where that is long.

    ``ask`` raises SourceError if the tape cannot be read any more.
    """

    title: str
    waiting: str
    ask: Callable[[Asked], LensReport | str]
