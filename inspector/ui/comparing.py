"""Comparing with another tape: asks for it where nothing says which, and opens the layer."""

from functools import partial
from typing import Final

from inspector.formats.contract import Tape
from inspector.text.gate import clean_line
from inspector.ui.lenses.choices import Choice, written
from inspector.ui.lenses.two_tapes import TwoTapesLayer
from inspector.ui.panes import PaneScreen
from inspector.ui.standing import Standing

_HINT: Final = "the path of a log, a session's folder, an archive or a database"


class Comparing:
    """Compares the tape of a screen with others.

    Args:
        screen: over which the layer lies, and which is led to a place by it.
    """

    def __init__(self, screen: PaneScreen) -> None:
        self._screen = screen

    def begin(self) -> None:
        """Compare with a tape that belongs to this one, or with any other."""
        self._open(None)

    def _open(self, chosen: Choice | None) -> None:
        inspection = self._screen.inspection
        # Two tapes are compared as they are at their heads.
        standing = Standing(inspection, inspection.head)
        layer = TwoTapesLayer(inspection.tape, chosen, standing)
        self._screen.app.push_screen(layer, partial(self._left, layer))

    def _left(self, layer: TwoTapesLayer, place: object) -> None:
        if layer.asks:
            tape = self._screen.inspection.tape
            self._screen.ask("compare with", "", _hint(tape), self._with)
        elif isinstance(place, int):
            self._screen.inspection.leap(place)

    def _with(self, text: str) -> None:
        if text.strip():
            self._open(written(text.strip()))


def _hint(tape: Tape) -> str:
    parent = tape.identity.parent
    return _HINT if parent is None else f"{_HINT}; parent {clean_line(parent, 60)}"
