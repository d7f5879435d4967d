"""A report from which another question follows, and the layer that asks it."""

from typing import ClassVar

from textual.binding import Binding, BindingType

from inspector.actions import LAYER, LEADING_LAYER, Action
from inspector.ui.layer import Layer
from inspector.ui.lenses.lens import AwayReport, LeadingReport
from inspector.ui.standing import Standing


class LeadingLayer(Layer):
    """A report; may be left with the wish to ask what follows from it.

    Attributes:
        wish: the event to ask about, or None.
        relative: the event whose relative to go to, or None.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(action.keys, action.call, action.label, show=False) for action in LEADING_LAYER
    ]

    def __init__(self, title: str, report: LeadingReport, standing: Standing | None = None) -> None:
        super().__init__(title, report, report.heads(), report.start(), standing)
        self._summary = report.summary()
        self._leads_away = isinstance(report, AwayReport) and report.leads_away()
        self.wish: int | None = None
        self.relative: int | None = None

    def keys(self) -> tuple[Action, ...]:
        """What the footer shows."""
        lead, family = LEADING_LAYER
        leading = () if self._summary is None else (lead,)
        away = (family,) if self._leads_away else ()
        return (*leading, *away, *LAYER)

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

    def action_relative(self) -> None:
        """Close, to go to the session that the event in hand leads to."""
        cursor = self._report.cursor(self._row)
        if cursor is None or (self._standing is not None and self._standing.gone):
            self._message = self.NOWHERE
            self._show()
            return
        self.relative = cursor - 1
        self.dismiss(None)
