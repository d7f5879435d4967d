"""What a model would be asked for a summary, and the summary, in full."""

from collections.abc import Iterator
from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from inspector.export import plan_compaction
from inspector.plans.plan import Compaction
from inspector.ui.cells import Cell, Line
from inspector.ui.reader import Reader
from inspector.ui.wrapping import wrapped


def prompt_lines(found: Compaction, width: int) -> Iterator[Line]:
    """The prompt, redacted and cut as it would be sent, then the summary if there is one."""
    yield (Cell("The prompt", "strong"), Cell("   no model is called", "dim"))
    yield from wrapped(plan_compaction.prompt_line(found.prompt), width, "dim")
    yield ()
    yield from wrapped(found.prompt.text, width, "text")
    if found.summary is None:
        return
    yield ()
    how = "degraded: pieces of the originals" if found.degraded else "as given"
    yield (Cell("The summary", "strong"), Cell(f"   {how}", "notice" if found.degraded else "dim"))
    yield ()
    yield from wrapped(found.summary, width, "text")


class PromptScreen(ModalScreen[None]):
    """The prompt over the dialog."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape,q,p", "dismiss", "close", show=False),
        Binding("j,down", "scroll(1)", show=False),
        Binding("k,up", "scroll(-1)", show=False),
        Binding("ctrl+d,pagedown,space", "scroll(15)", show=False),
        Binding("ctrl+u,pageup", "scroll(-15)", show=False),
        Binding("g,home", "scroll(-10000000)", show=False),
        Binding("G,end", "scroll(10000000)", show=False),
    ]

    def __init__(self, found: Compaction) -> None:
        super().__init__()
        self._found = found

    def compose(self) -> ComposeResult:
        """One reader."""
        yield Reader(id="plan-prompt")

    def on_mount(self) -> None:
        """Fill it."""
        reader = self.query_one(Reader)
        reader.sync("prompt", lambda width: prompt_lines(self._found, width))
        reader.focus()

    def action_scroll(self, rows: int) -> None:
        """Scroll it."""
        self.query_one(Reader).scroll_rows(rows)
