"""The menu of plans over the main screen."""

from dataclasses import replace
from typing import ClassVar

from inspector.actions import LAYER, Action
from inspector.formats.planning import PlanKind
from inspector.ui.layer import Layer
from inspector.ui.plans.menu import MenuRows


class MenuLayer(Layer):
    """The kinds of plans; left with the wish for one.

    Attributes:
        wish: the kind that was chosen, or None.
    """

    KEYS: ClassVar[tuple[Action, ...]] = tuple(
        replace(action, footer="plan it") if action.id == "layer.go" else action for action in LAYER
    )

    def __init__(self, rows: MenuRows) -> None:
        super().__init__("Plan", rows, rows.heads(), rows.start())
        self._menu = rows
        self.wish: PlanKind | None = None

    def action_go(self) -> None:
        """Close, and plan what is in hand; what cannot be planned says why."""
        choice = self._menu.choices[self._row]
        if choice.why_not is not None:
            self._message = f"{choice.kind.value}: no, {choice.why_not}"
            self._show()
            return
        self.wish = choice.kind
        self.dismiss(None)
