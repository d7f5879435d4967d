"""A report from which another question follows, and the layer that asks it."""

from typing import ClassVar

from textual.binding import Binding, BindingType

from inspector.actions import LAYER, LEADING_LAYER, Action
from inspector.ui.layer import Layer
from inspector.ui.lenses.lens import LeadingReport
from inspector.ui.standing import Standing


class LeadingLayer(Layer):
    """A report; may be left with the wish to ask what follows from it.

    Attributes:
        wish: the event to ask about, or None.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(action.keys, action.call, action.label, show=False) for action in LEADING_LAYER
    ]

    def __init__(self, title: str, report: LeadingReport, standing: Standing | None = None) -> None:
        super().__init__(title, report, report.heads(), report.start(), standing)
        self._summary = report.summary()
        self.wish: int | None = None

    def keys(self) -> tuple[Action, ...]:
        """What the footer shows."""
        return LAYER if self._summary is None else (*LEADING_LAYER, *LAYER)

    def action_lead(self) -> None:
        """Close, to ask for the audit of the summary."""
        self.wish = self._summary
        if self._standing is not None and self._standing.gone:
            self._message = self._standing.refusal(0) or ""
            self.wish = None
            self._show()
        elif self.wish is None:
            self._message = "no summary stands for this here"
            self._show()
        else:
            self.dismiss(None)
