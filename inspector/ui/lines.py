"""Widgets that draw lines of cells: the one place where cells become what Textual shows."""

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.strip import Strip
from textual.widget import Widget

from inspector.ui.cells import Line, filled, joined
from inspector.ui.palette import GROUNDS, TONES


class Toned(Widget):
    """A widget whose lines are cells; the theme says what their tones look like."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own word
        super().__init__(id=id)
        self._styles: dict[tuple[str, str], Style] = {}

    def notify_style_update(self) -> None:
        """The theme or a class changed."""
        super().notify_style_update()
        self._styles.clear()

    def tone(self, tone: str, ground: str = "") -> Style:
        """The style of a tone, on one of the grounds of the palette if named."""
        key = (tone, ground)
        style = self._styles.get(key)
        if style is None:
            style = self._styles[key] = self._blend(tone, ground)
        return style

    def _blend(self, tone: str, ground: str) -> Style:
        """Tones and grounds may be transparent; what the terminal gets is opaque."""
        behind = self.background_colors[1]
        if ground:
            behind += self._theme_colour(*GROUNDS[ground])
        look = TONES[tone]
        if look.ground is not None:
            behind += self._theme_colour(look.ground)
        return Style(
            color=(behind + self._theme_colour(look.colour, look.strength)).rich_color,
            bgcolor=behind.rich_color,
            bold=look.bold,
            strike=look.strike,
        )

    def _theme_colour(self, variable: str, strength: float = 1.0) -> Color:
        return Color.parse(self.app.theme_variables[variable]).with_alpha(strength)

    def strip(self, line: Line, width: int, ground: str = "") -> Strip:
        """A line as Textual draws it, exactly ``width`` columns."""
        segments = [
            Segment(text, self.tone(tone, ground)) for text, tone in joined(filled(line, width))
        ]
        return Strip(segments, width)


class Heads(Toned):
    """A few lines that somebody else composes."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own word
        super().__init__(id=id)
        self._lines: list[Line] = []

    def show(self, lines: list[Line]) -> None:
        """Draw these from now on, and be as high."""
        if lines != self._lines:
            self._lines = lines
            self.styles.height = len(lines)
            self.refresh()

    def render_line(self, y: int) -> Strip:
        """One of the lines."""
        return self.strip(self._lines[y] if y < len(self._lines) else (), self.size.width)


class Foot(Heads):
    """The last line of a screen, which grows upwards where a message takes more lines."""

    _MOST = 0.5
    """The part of the screen that it takes at the most."""

    def show(self, lines: list[Line]) -> None:
        """Draw these from now on, and be as high."""
        most = max(1, int(self.app.size.height * self._MOST))
        super().show(lines if len(lines) <= most else [*lines[: most - 1], lines[-1]])


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
