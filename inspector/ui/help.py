"""The help: every action with its keys, from the registry."""

from collections.abc import Iterable, Iterator
from typing import ClassVar, Final

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from inspector.actions import Action, by_group
from inspector.export.fitting import fit
from inspector.export.wording import SILENT
from inspector.formats.contract import Tape
from inspector.text.gate import clean_line
from inspector.ui.cells import Cell, Line
from inspector.ui.reader import Composer, Reader
from inspector.ui.rows import GLYPHS, HIDER_WORDS, SILENT_GLYPH
from inspector.ui.track import BOOKMARKS, BRANCHES, HITS, MARK_GLYPHS
from inspector.ui.wrapping import wrapped

_NAMES: Final = "@655 is the owner's number of an event; #655 its position, where it has no number"


def help_lines(tape: Tape, width: int, first: str = "") -> Iterator[Line]:
    """All keys by group, that of where the person is before the others, then the signs of rows and
    slider.
    """
    yield (Cell("Keys", "strong"), Cell("   a number before a key repeats it: 10l, 3}", "dim"))
    for group, actions in sorted(by_group().items(), key=lambda pair: pair[0] != first):
        yield from group_lines(group, actions)
    yield ()
    yield (Cell("Rows", "accent"),)
    for visibility, glyph in GLYPHS.items():
        yield (Cell(f"  {glyph} {visibility.label}", "dim"),)
    silent = f"{SILENT_GLYPH} {SILENT}: on the surface, but no message is made of it"
    yield from wrapped(silent, width, "dim", "  ")
    for sign, words in HIDER_WORDS.items():
        yield from wrapped(f"{sign}@655  {words} by event @655", width, "dim", "  ")
    yield from wrapped(_NAMES, width, "dim", "  ")
    yield ()
    yield (Cell("Slider", "accent"),)
    for mark, (glyph, tone) in MARK_GLYPHS.items():
        yield (Cell(f"  {glyph} ", tone), Cell(mark.label, "dim"))
    glyph, tone, word = BRANCHES
    yield (Cell(f"  {glyph} ", tone), Cell(f"{word}: fork, rewind, subagent", "dim"))
    for glyph, tone, word in (BOOKMARKS, HITS):
        yield (Cell(f"  {glyph} ", tone), Cell(f"{word}; on its row as well", "dim"))
    yield (Cell("  ━ folded   ┄ not yet   ░ beyond what is reliable   ● the cursor", "dim"),)
    yield (Cell("  A anchor A   ▒ between it and the cursor, which D compares", "dim"),)
    yield ()
    yield from wrapped(f"tape: {clean_line(str(tape.identity.path), 300)}", width, "faint")


def group_lines(group: str, actions: Iterable[Action]) -> Iterator[Line]:
    """The keys of a group."""
    yield ()
    yield (Cell(group, "accent"),)
    for action in actions:
        yield (Cell(f"  {fit(action.shown_keys, 18)}", "strong"), Cell(action.label))


class KeysScreen(ModalScreen[None]):
    """Keys and signs over everything else.

    Args:
        lines: what it says, for a width.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,question_mark,f1", "dismiss", "close", show=False),
        Binding("j,down", "scroll(1)", show=False),
        Binding("k,up", "scroll(-1)", show=False),
        Binding("ctrl+d,pagedown,space", "scroll(15)", show=False),
        Binding("ctrl+u,pageup", "scroll(-15)", show=False),
        Binding("g,home", "scroll(-100000)", show=False),
        Binding("G,end", "scroll(100000)", show=False),
    ]

    def __init__(self, lines: Composer) -> None:
        super().__init__()
        self._lines = lines

    def compose(self) -> ComposeResult:
        """One reader."""
        yield Reader(id="help")

    def on_mount(self) -> None:
        """Fill it."""
        reader = self.query_one(Reader)
        reader.sync("help", self._lines)
        reader.focus()

    def action_scroll(self, rows: int) -> None:
        """Scroll the help."""
        self.query_one(Reader).scroll_rows(rows)


class HelpScreen(KeysScreen):
    """The help of a tape; the keys of a group come first if one is named."""

    def __init__(self, tape: Tape, first: str = "") -> None:
        super().__init__(lambda width: help_lines(tape, width, first))
