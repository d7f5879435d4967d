"""Going to a relative: opens the family over a screen, and leaves it for what is chosen."""

from functools import partial

from inspector.ui.lenses.family import pointed
from inspector.ui.lenses.family_layer import FamilyLayer, of_tape
from inspector.ui.panes import PaneScreen
from inspector.ui.rows import number


class Kinship:
    """Leads from the tape of a screen to those that belong to it.

    Args:
        screen: over which the layer lies.
    """

    def __init__(self, screen: PaneScreen) -> None:
        self._screen = screen

    def begin(self, event: int | None) -> str | None:
        """Show the family, the relative in hand that an event leads to; or say why not."""
        inspection = self._screen.inspection
        inspection.pause()
        if not inspection.tape.complete:
            return "still reading"
        named = "" if event is None else number(inspection, event).strip()
        about = pointed(inspection.tape, event, named)
        layer = FamilyLayer(of_tape(inspection.tape), about, self._screen.zone)
        self._screen.app.push_screen(layer, partial(self._left, layer))
        return None

    def _left(self, layer: FamilyLayer, _place: object) -> None:
        if layer.chosen is not None:
            self._screen.app.exit(layer.chosen)
