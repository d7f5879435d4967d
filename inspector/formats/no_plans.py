"""A planner that knows nothing: how an agent's sessions are cut or written is not known."""

from collections.abc import Sequence

from inspector.formats.planning import (
    Cuts,
    Draft,
    How,
    Making,
    OwnTools,
    PlanError,
    PlanKind,
    Problem,
    Prompt,
    Repair,
    Restorable,
    Split,
    View,
)


class NoPlans(OwnTools):
    """Nothing is known of how the agent's sessions could be cut or written.

    Args:
        owner: the agent, as people call it.
        why: completes "no plan: …".
    """

    def __init__(self, owner: str, why: str = "how its sessions are written is not known") -> None:
        self.owner = owner
        self._why = why

    def code(self, problem: Problem) -> str | None:
        """No word is known."""
        del problem
        return None

    def ways(self, kind: PlanKind) -> dict[How, str | None]:
        """None is open."""
        del kind
        return dict.fromkeys(How, self._why)

    def cuts(self, kind: PlanKind, how: How) -> Cuts:
        """Nothing is told of any cursor."""
        del kind, how
        raise PlanError(self._why)

    def views(self, kind: PlanKind, how: How, cut: int) -> dict[View, str | None]:
        """None can be given."""
        del kind, how, cut
        return dict.fromkeys(View, self._why)

    def cut(self, kind: PlanKind, how: How, at: int, view: View, making: Making) -> Draft:
        """Nothing would be made."""
        del kind, how, at, view, making
        raise PlanError(self._why)

    def repair(self, making: Making) -> Repair:
        """Nothing is known."""
        del making
        raise PlanError(self._why)

    def split(self, keep_last: int | None) -> Split:
        """Nothing is known."""
        del keep_last
        raise PlanError(self._why)

    def prompt(self, rows: int) -> Prompt:
        """Nothing is known."""
        del rows
        raise PlanError(self._why)

    def compact(self, rows: int, summary: str, making: Making) -> Draft:
        """Nothing would be made."""
        del rows, summary, making
        raise PlanError(self._why)

    def keeps_by_default(self) -> str:
        """Nothing is known."""
        return self._why

    def restorable(self, cut: int) -> Sequence[Restorable]:
        """None."""
        del cut
        return ()
