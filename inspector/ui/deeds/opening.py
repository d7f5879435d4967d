"""Asking on the screen before a plan is carried out, or a deed is taken back.

What it needs is imported when somebody asks: nobody waits for it at the start.
"""

import os
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from textual.screen import Screen

if TYPE_CHECKING:
    from inspector.applying.world import World
    from inspector.formats.contract import Tape
    from inspector.plans.plan import Plan
    from inspector.ui.deeds.question import Question

_NO_HOME = "there is no home in which the journal could be kept (HOME)"


class Deeds:
    """What is written for a person, asked for over a screen.

    Args:
        world: where, by how the tape is read now; None where nothing can be kept of it.
    """

    def __init__(self, world: "Callable[[], World | None]") -> None:
        self._world = world

    def apply(
        self, over: Screen[Any], tape: "Tape", plan: "Plan", left: Callable[[bool], None]
    ) -> str:
        """Ask before a plan is carried out; what is to be said where it cannot be.

        Args:
            over: the screen that is asked over.
            tape: of which the plan is.
            plan: which.
            left: told whether something was written.
        """
        from inspector.ui.deeds.asked import to_apply

        world = self._world()
        return _NO_HOME if world is None else _ask(over, to_apply(tape, plan, world), left)

    def undo(self, over: Screen[Any], tape: "Tape", left: Callable[[bool], None]) -> str:
        """Ask before the last deed of a tape is taken back; what is to be said where there is none.

        Args:
            over: the screen that is asked over.
            tape: which.
            left: told whether something was taken back.
        """
        from inspector.applying.refusal import ApplyError
        from inspector.ui.deeds.asked import last_of, to_undo

        world = self._world()
        if world is None:
            return _NO_HOME
        try:
            deed = last_of(world.journal.deeds(), tape.identity.path, os.path.lexists)
        except ApplyError as error:
            return str(error)
        if deed is None:
            return "nothing was made of this tape that stands"
        return _ask(over, to_undo(tape, deed, world), left)


def _ask(over: Screen[Any], question: "Question | str", left: Callable[[bool], None]) -> str:
    from inspector.ui.deeds.screen import DeedScreen

    if isinstance(question, str):
        return question
    over.app.push_screen(DeedScreen(question), lambda done: left(bool(done)))
    return ""
