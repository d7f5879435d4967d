"""Opening the menu and the dialog of plans over the main screen.

What they need is imported when somebody plans: nobody waits for it at the start.
"""

import time
import uuid
from functools import partial
from typing import TYPE_CHECKING

from inspector.formats.planning import Making, PlanKind
from inspector.ui.deeds.opening import Deeds

if TYPE_CHECKING:
    from inspector.ui.panes import PaneScreen
    from inspector.ui.plans.menu_layer import MenuLayer
    from inspector.ui.plans.screen import PlanScreen


def new_making() -> Making:
    """A new identity for what would be made, now."""
    return Making(str(uuid.uuid4()), int(time.time() * 1_000))


class Planning:
    """Plans of the tape of a screen.

    Args:
        screen: over which they lie, and which is led to a place by them.
        deeds: carries them out.
    """

    def __init__(self, screen: "PaneScreen", deeds: Deeds) -> None:
        self._screen = screen
        self._deeds = deeds
        self._open: PlanScreen | None = None

    def begin(self, kind: str) -> None:
        """Open the plan of a kind at the cursor; the menu where no kind is named."""
        inspection = self._screen.inspection
        if not inspection.tape.complete:
            self._screen.say("still reading: a plan is of the whole tape")
            return
        inspection.pause()
        if not kind:
            self._menu()
            return
        from inspector.ui.plans.menu import choice

        wanted = PlanKind(kind)
        why_not = choice(inspection.tape, wanted, inspection.cursor).why_not
        if why_not is not None:
            self._screen.say(f"{kind}: no, {why_not}")
        else:
            self._plan(wanted)

    def follow(self) -> None:
        """The tape may have grown, or be read anew."""
        if self._open is not None:
            self._open.follow()

    def _menu(self) -> None:
        from inspector.ui.plans.menu import MenuRows, choices
        from inspector.ui.plans.menu_layer import MenuLayer

        inspection = self._screen.inspection
        layer = MenuLayer(MenuRows(choices(inspection.tape, inspection.cursor)))
        self._screen.app.push_screen(layer, partial(self._chosen, layer))

    def _chosen(self, layer: "MenuLayer", place: int | None) -> None:
        if layer.wish is not None:
            self._plan(layer.wish)
        elif place is not None:
            self._screen.inspection.leap(place)

    def _plan(self, kind: PlanKind) -> None:
        from inspector.ui.plans.screen import PlanScreen
        from inspector.ui.plans.state import PlanState

        state = PlanState(self._screen.inspection, kind, new_making())
        self._open = PlanScreen(state, self._screen.zone, self._deeds)
        self._screen.app.push_screen(self._open, self._left)

    def _left(self, cursor: int | None) -> None:
        self._open = None
        if cursor is not None:
            self._screen.inspection.leap(cursor)
