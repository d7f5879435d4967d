"""How full the model's window is, and whether the owner would compact for it."""

from typing import NamedTuple

from inspector.formats.contract import Tape


class Pressure(NamedTuple):
    """How far a context fills its window.

    Attributes:
        tokens: of the context.
        window: of the model, or None where the tape does not say.
        threshold: the tokens from which on the owner compacts unless told otherwise; None where
            its rule or the window is not known.
    """

    tokens: int
    window: int | None
    threshold: int | None

    @property
    def compacts(self) -> bool | None:
        """Whether the owner would compact now by its own rule; None where that is not known."""
        return None if self.threshold is None else self.tokens >= self.threshold


def pressure(tape: Tape, tokens: int, cursor: int) -> Pressure:
    """How far so many tokens fill the window that the model has at a cursor."""
    window, ratio = window_at(tape, cursor), tape.fills_at
    threshold = None if window is None or ratio is None else int(window * ratio)
    return Pressure(tokens, window, threshold)


def window_at(tape: Tape, cursor: int) -> int | None:
    """The tokens of the model's window as of a cursor, or None where the tape does not say."""
    setting = tape.timeline.registers.at("window", cursor)
    window = None if setting is None else tape.value("window", setting)
    if not isinstance(window, int) or isinstance(window, bool) or window <= 0:
        return None
    return window
