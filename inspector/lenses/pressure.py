"""How full the model's window is, and whether the owner would compact for it."""

from typing import Final, NamedTuple

from inspector.formats.contract import Tape
from inspector.lenses.prices import Prices
from inspector.lenses.summaries import summaries
from inspector.timeline.marks import Usage

_LOOKED_AT: Final = 8
"""Summaries that are looked through for one that the owner wrote by itself."""


class Pressure(NamedTuple):
    """How far a context fills its window.

    Attributes:
        tokens: that the owner counts: what was sent, and what came back if its rule says so.
        window: of the model, or None where nothing says it.
        threshold: the tokens from which on the owner compacts unless told otherwise; None where
            its rule or the window is not known.
        estimated: whether ``tokens`` is more than what a provider reported.
        on_tape: whether the tape tells the window; else the user's price file does.
        beyond: whether the threshold itself is not yet enough.
    """

    tokens: int
    window: int | None
    threshold: int | None
    estimated: bool = False
    on_tape: bool = True
    beyond: bool = False

    @property
    def compacts(self) -> bool | None:
        """Whether the owner would compact now by its own rule; None where that is not known."""
        if self.threshold is None:
            return None
        return self.tokens > self.threshold if self.beyond else self.tokens >= self.threshold


def pressure(
    tape: Tape,
    tokens: int,
    cursor: int,
    prices: Prices | None = None,
    *,
    estimated: bool = False,
) -> Pressure:
    """How far so many tokens fill the window that the model has at a cursor.

    Args:
        tape: folded at least up to the cursor.
        tokens: as the owner counts them, see `counted`.
        cursor: 0 to the head.
        prices: the user's file, which may tell windows that the tape does not.
        estimated: whether the tokens are.
    """
    window, rule = window_at(tape, cursor), tape.compaction_rule
    told = None
    if window is None and prices is not None:
        told = prices.window(model_at(tape, cursor))
    on_tape, threshold = told is None, None
    window = told or window
    if window is not None and rule is not None:
        threshold = rule.threshold(window, tape.reserve(cursor), on_tape=on_tape)
    beyond = rule is not None and rule.beyond
    return Pressure(tokens, window, threshold, estimated, on_tape, beyond)


def pressure_at(tape: Tape, cursor: int, prices: Prices | None = None) -> Pressure:
    """How far the context at a cursor fills the window: as reported, and what came since."""
    timeline = tape.timeline
    tokens, estimated = timeline.context(cursor)
    usage = timeline.usage.last(cursor)
    if usage is not None and timeline.tokens(cursor) >= timeline.tokens(usage.event + 1):
        tokens += counted(tape, usage) - usage.context
    return pressure(tape, tokens, cursor, prices, estimated=estimated)


def counted(tape: Tape, usage: Usage) -> int:
    """The tokens of a request that the owner's rule counts."""
    rule = tape.compaction_rule
    return usage.context + (usage.output if rule is not None and rule.answers else 0)


def window_at(tape: Tape, cursor: int) -> int | None:
    """The tokens of the model's window as of a cursor, or None where the tape does not say."""
    setting = tape.timeline.registers.at("window", cursor)
    window = None if setting is None else tape.value("window", setting)
    if not isinstance(window, int) or isinstance(window, bool) or window <= 0:
        return None
    return window


def model_at(tape: Tape, cursor: int) -> str | None:
    """The model as of a cursor, or None where the tape does not name it."""
    setting = tape.timeline.registers.at("model", cursor)
    value = None if setting is None else tape.value("model", setting)
    return value if isinstance(value, str) else None


def compacted_before(tape: Tape, cursor: int) -> tuple[int, int] | None:
    """The last summary up to a cursor that the owner wrote by itself, and the tokens that it
    counted; None where none is told.
    """
    for event in reversed(summaries(tape.timeline, cursor)[-_LOOKED_AT:]):
        found = tape.compacted_at(event)
        if found is not None:
            return event, found
    return None
