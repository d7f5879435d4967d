"""Widgets that draw lines of cells: the one place where cells become what Textual shows."""

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from inspector.ui.cells import TONES, Line, cut


class Toned(Widget):
    """A widget whose lines are cells; every tone is a component class of the style sheet."""

    COMPONENT_CLASSES = {f"tone--{tone}" for tone in TONES} | {"row--selected", "row--free"}

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own word
        super().__init__(id=id)
        self._styles: dict[tuple[str, str], Style] = {}

    def notify_style_update(self) -> None:
        """The theme or a class changed."""
        super().notify_style_update()
        self._styles.clear()

    def tone(self, tone: str, background: str = "") -> Style:
        """The style of a tone, on the background of a component class if named."""
        key = (tone, background)
        style = self._styles.get(key)
        if style is None:
            style = self._styles[key] = self._blend(tone, background)
        return style

    def _blend(self, tone: str, background: str) -> Style:
        """Tones and backgrounds may be transparent; what the terminal gets is opaque."""
        ground, _ = self.background_colors[1], None
        if background:
            ground += self.get_component_styles(background).background
        look = self.get_component_styles(f"tone--{tone}")
        if look.background.a:
            ground += look.background
        return Style(
            color=(ground + look.color).rich_color,
            bgcolor=ground.rich_color,
            bold=look.text_style.bold,
            strike=look.text_style.strike,
        )

    def strip(self, line: Line, width: int, background: str = "") -> Strip:
        """A line as Textual draws it, exactly ``width`` columns."""
        segments = [
            Segment(cell.text, self.tone(cell.tone, background)) for cell in cut(line, width)
        ]
        return Strip(segments).adjust_cell_length(width, self.tone("text", background))


class Bar(Toned):
    """A widget of one line that somebody else composes."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own word
        super().__init__(id=id)
        self._line: Line = ()

    def show(self, line: Line) -> None:
        """Draw this line from now on."""
        if line != self._line:
            self._line = line
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """The line, and blanks below it."""
        return self.strip(self._line if y == 0 else (), self.size.width)
