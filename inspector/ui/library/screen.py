"""The screen of the library: keys from the registry, and nothing that decides."""

from collections.abc import Callable, Hashable
from functools import partial
from typing import Final

from textual import events
from textual.app import ComposeResult
from textual.screen import Screen

from inspector.actions import LIBRARY_SCREEN
from inspector.formats.contract import Options
from inspector.library.row import Row
from inspector.text import shell
from inspector.text.gate import clean_line, is_clean_line
from inspector.text.labels import plural
from inspector.ui import footing
from inspector.ui.ahead import passed_on
from inspector.ui.elsewhere import Elsewhere, Leaving
from inspector.ui.help import KeysScreen
from inspector.ui.layout import classes
from inspector.ui.library import rows, strip
from inspector.ui.library.browsing import Browsing
from inspector.ui.library.help import library_help
from inspector.ui.library.listing import LibraryListing
from inspector.ui.library.looking import Looking
from inspector.ui.library.reading import Reading
from inspector.ui.lines import Bar, Foot, Heads
from inspector.ui.listing import Listing
from inspector.ui.reader import Reader

_BY_KEY: Final = {key: action for action in LIBRARY_SCREEN for key in action.key_names}

_FRAME: Final = 1 / 30
"""Seconds between two looks at what was found."""

_ERASING: Final = {
    "backspace": "letter",
    "ctrl+h": "letter",
    "ctrl+w": "word",
    "ctrl+u": "all",
}
"""What keys take away of the words that are being typed."""

_MOVING: Final = ("up", "down", "pageup", "pagedown")
"""Keys that move while words are being typed."""


class LibraryScreen(Screen[None]):
    """The list, and the session in hand in full below it.

    Args:
        browsing: the visit, which outlasts this screen.
        looking: what finds sessions.
        how: how tapes are read.
    """

    AUTO_FOCUS = "#library-rows"

    def __init__(self, browsing: Browsing, looking: Looking, how: Options) -> None:
        super().__init__()
        self.browsing = browsing
        self._looking = looking
        self._message = browsing.message
        self._asked: int | None = None
        self._changes = self._anew = 0
        self._reading = Reading(self, browsing, how, self.sync)
        browsing.message = ""

    def compose(self) -> ComposeResult:
        """Top to bottom."""
        yield Bar(id="library-head")
        yield Heads(id="library-names")
        yield LibraryListing(self.browsing, id="library-rows")
        yield Reader(id="library-nothing")
        yield Heads(id="library-strip")
        yield Foot(id="library-footer")
        yield Bar(id="too-small")

    def on_mount(self) -> None:
        """Show what was found, and look what more is."""
        self._fit(self.app.size.width, self.app.size.height)
        self.set_interval(_FRAME, self._look)
        self._look()
        self.sync()

    def on_resize(self, event: events.Resize) -> None:
        """Choose the layout of the size."""
        self._fit(event.size.width, event.size.height)
        self.sync()

    def _fit(self, width: int, height: int) -> None:
        self.set_class(classes(width, height)["-tiny"], "-tiny")
        self.set_class(not strip.height(height), "-stripless")
        self.query_one("#too-small", Bar).show(footing.too_small(width, height))

    # From the state to the screen.

    def sync(self) -> None:
        """Show the visit as it is now."""
        if not self.app.is_running:
            return
        browsing, size = self.browsing, self.app.size
        self.set_class(browsing.nothing, "-nothing")
        self.query_one(LibraryListing).show()
        self._show_top()
        if browsing.nothing:
            nothing = self.query_one("#library-nothing", Reader)
            nothing.sync(tuple(browsing.looked), partial(rows.nothing, browsing))
        below = rows.bottom(browsing, size.width, strip.height(size.height))
        self.query_one("#library-strip", Heads).show(below)
        footer = rows.footer(browsing, size.width, self._message)
        self.query_one("#library-footer", Foot).show(footer)

    def _show_top(self) -> None:
        head, *names = rows.top(self.browsing, self.app.size.width)
        self.query_one("#library-head", Bar).show(head)
        self.query_one("#library-names", Heads).show(names)

    def on_library_listing_scrolled(self) -> None:
        """The headings above the list are those of its first line."""
        if self.app.is_running:
            self._show_top()

    def say(self, message: str) -> None:
        """Say something in the footer, until the next key."""
        self._message = clean_line(message, 500)
        self.sync()

    # What is found.

    def _look(self) -> None:
        """Have what was found meanwhile."""
        browsing, looking = self.browsing, self._looking
        before = self._seen()
        found = looking.taken()
        self._changes += len(found)
        said = browsing.take(found)
        browsing.looking, browsing.found_there = looking.at, looking.found_there
        browsing.done = looking.done and not looking.pending
        browsing.trouble = looking.trouble
        browsing.pass_time()
        if self._asked is not None and looking.rounds > self._asked and not looking.pending:
            self._asked = None
            said = said or f"looked again: {self._became()}"
        if said or browsing.is_over(self._message):
            self._message = said
            self.sync()
        elif before != self._seen():
            self.sync()
        self._reading.go_on()

    def _became(self) -> str:
        """What became of it that somebody asked to look again."""
        if self._changes:
            return plural(self._changes, "change")
        anew = plural(self._anew, "unreadable session")
        return f"{anew} to be read anew" if self._anew else "nothing changed"

    def _seen(self) -> Hashable:
        """What the screen depends on that comes by itself."""
        browsing = self.browsing
        came = browsing.looking, browsing.done, browsing.trouble, *browsing.found_there.values()
        return browsing.state, came

    def action_again(self) -> None:
        """Look now at what changed."""
        self._asked, self._changes = self._looking.rounds, 0
        self._anew = self.browsing.forget_problems()
        self._reading.again()
        self._looking.again()
        self.say("looking again …")

    # Keys.

    async def on_key(self, event: events.Key) -> None:
        """Obey a key at once and in order: a letter of the words that are typed, or an action."""
        if passed_on(self, event):
            return
        if self.browsing.typing and self._typed(event):
            event.stop()
            self._message = ""
            self.sync()
            return
        action = _BY_KEY.get(event.key)
        if action is not None:
            event.stop()
            self._message = ""
            await self.run_action(action.call)
            self.sync()
        elif event.is_printable:
            event.stop()
            self.say(f"no key {clean_line(event.character or '', 4)}; ? lists them")

    def _typed(self, event: events.Key) -> bool:
        """Take a key for the words that are looked for; False if it is none of theirs."""
        browsing = self.browsing
        if event.key == "enter":
            browsing.typing = False
        elif event.key in _ERASING:
            browsing.erase(_ERASING[event.key])
        elif event.is_printable and event.character:
            browsing.write(event.character)
        else:
            return False
        return True

    def on_paste(self, event: events.Paste) -> None:
        """What is pasted is looked for."""
        event.stop()
        self.browsing.typing = True
        self.browsing.write(event.text)
        self.sync()

    def action_search(self) -> None:
        """Type words to look for."""
        self.browsing.typing = True

    def action_clear(self) -> None:
        """Look for nothing any more; never quits."""
        if not self.browsing.clear():
            self.say("q quits")

    def action_row(self, count: int) -> None:
        """Take another row in hand."""
        self.browsing.move(count)

    def action_page(self, pages: int) -> None:
        """Take a row a page away in hand."""
        self.browsing.move(pages * self.query_one(LibraryListing).page())

    def action_edge(self, end: int) -> None:
        """Take the first or the last row in hand."""
        self.browsing.edge(end)

    def action_heading(self, direction: int) -> None:
        """Take the first row of another group in hand."""
        if not self.browsing.heading(direction):
            self.say(f"no group {'below' if direction > 0 else 'above'}")

    def action_group(self, direction: int) -> None:
        """Group in another way."""
        self.browsing.regroup(direction)

    def on_listing_picked(self, message: Listing.Picked) -> None:
        """A row was clicked."""
        if self.browsing.pick(message.row):
            self.sync()

    def on_library_listing_opened(self) -> None:
        """A row was clicked twice."""
        self.action_open()

    # What leaves the library.

    def action_open(self) -> None:
        """Open the session in hand; the demo where there is none."""
        row = self.browsing.shelf.selected
        if self.browsing.nothing:
            self.action_demo()
        elif row is None:
            self.say("no session is in hand")
        elif row.format is None:
            self.say(f"cannot be opened: {row.problem}")
        else:
            self.app.exit(Elsewhere(row.path, row.session))

    def action_demo(self) -> None:
        """Open the demo."""
        self.app.exit(Elsewhere(self.browsing.demo))

    def action_family(self) -> None:
        """Show the family of the session in hand."""
        row = self.browsing.shelf.selected
        if row is None or row.format is None:
            self.say("no session is in hand" if row is None else "it cannot be read")
            return
        from inspector.ui.lenses.family_layer import FamilyLayer, of_path  # seldom needed

        layer = FamilyLayer(
            of_path(row.path, row.session), None, self.browsing.at.zone, itself=True
        )
        self.app.push_screen(layer, lambda _cursor: self._go(layer.chosen))

    def _go(self, chosen: Elsewhere | None) -> None:
        """Open the relative for which the family was left."""
        if chosen is not None:
            self.app.exit(chosen)

    def action_copy(self) -> None:
        """Copy the path of the session in hand."""
        self._copy(_path)

    def action_copy_command(self) -> None:
        """Copy the command that opens the session in hand."""
        self._copy(_command)

    def _copy(self, words: Callable[[Row], str]) -> None:
        row = self.browsing.shelf.selected
        if row is None:
            self.say("no session is in hand")
            return
        text = words(row)
        self.app.copy_to_clipboard(text)
        self.say(f"copied, if the terminal allows it: {clean_line(text, 300)}")

    def action_help(self) -> None:
        """Show all keys."""
        self.app.push_screen(KeysScreen(library_help))

    def action_quit(self) -> None:
        """Quit."""
        self.app.exit(Leaving.BACK)


def _path(row: Row) -> str:
    """A path that leads there from everywhere; one that no line can hold as a shell takes it."""
    text = str(row.path.absolute())
    return text if is_clean_line(text) else shell.word(text)


def _command(row: Row) -> str:
    named: list[str] = []
    if row.session is not None:
        option = "--session"
        dashed = row.session.startswith("-")
        named = [f"{option}={row.session}"] if dashed else [option, row.session]
    return shell.words(["inspector", str(row.path.absolute()), *named])
