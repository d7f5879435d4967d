"""The library as an application: it ends with the session to open, or for good."""

from textual.screen import Screen

from inspector.actions import LIBRARY_SCREEN, Action
from inspector.formats.contract import Options
from inspector.ui.library.browsing import Browsing
from inspector.ui.library.looking import Looking
from inspector.ui.library.screen import LibraryScreen
from inspector.ui.program import Program


class LibraryApp(Program):
    """One time that the library is shown.

    Args:
        browsing: the visit, which outlasts this.
        looking: what finds sessions.
        how: how tapes are read.
    """

    def __init__(self, browsing: Browsing, looking: Looking, how: Options) -> None:
        super().__init__()
        self.browsing = browsing
        self._looking = looking
        self._how = how

    def get_default_screen(self) -> Screen[None]:
        """The library's screen."""
        return LibraryScreen(self.browsing, self._looking, self._how)

    def on_mount(self) -> None:
        """End as one is told to."""
        self.end_when_told()

    def actions_of(self, screen: Screen[object]) -> tuple[Action, ...]:
        """Those of the library."""
        return LIBRARY_SCREEN if isinstance(screen, LibraryScreen) else ()

    def action_help_quit(self) -> None:
        """Say how to quit where everything is said."""
        if isinstance(self.screen, LibraryScreen):
            self.screen.say("Ctrl+Q quits, and so does q")
