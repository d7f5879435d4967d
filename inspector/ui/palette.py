"""The colours: what each tone of a cell looks like, in the words of a theme. Knows no Textual.

Few colours with one meaning each: the accent is where you are, dim is beside the point, ghosts are
struck. Tones are resolved here and not by style sheet, because a component class costs a virtual
node per widget and that is half of the first frame.
"""

from typing import Final, NamedTuple

COLOURS: Final[dict[str, str]] = {
    "primary": "#7aa2f7",
    "secondary": "#a9b1d6",
    "accent": "#bb9af7",
    "success": "#9ece6a",
    "warning": "#e0af68",
    "error": "#f7768e",
    "foreground": "#c8d0e8",
    "background": "#11141c",
    "surface": "#1b2030",
    "panel": "#1b2030",
}
"""The program's own theme; a person may choose another."""


class Look(NamedTuple):
    """A tone: a theme's variable, how much of it shows, and what else it does to the text."""

    colour: str = "foreground"
    strength: float = 1.0
    bold: bool = False
    strike: bool = False
    ground: str | None = None


TONES: Final[dict[str, Look]] = {
    "text": Look(),
    "strong": Look(bold=True),
    "dim": Look(strength=0.65),
    "faint": Look(strength=0.45),
    "ghost": Look(strength=0.45, strike=True),
    "accent": Look("primary"),
    "user": Look("success"),
    "assistant": Look("secondary"),
    "tool": Look("warning"),
    "summary": Look("accent"),
    "error": Look("error", bold=True),
    "notice": Look("warning", bold=True),
    "added": Look("success"),
    "removed": Look("error"),
    "rule": Look(strength=0.15),
    "replay": Look("background", bold=True, ground="accent"),
    "head": Look("background", bold=True, ground="primary"),
}
"""Every tone that a cell may have."""

PLAIN: Final = frozenset(
    name for name, look in TONES.items() if look.ground is None and not look.strike
)
"""The tones in which a blank is a blank."""

GROUNDS: Final[dict[str, tuple[str, float]]] = {
    "selected": ("primary", 0.25),
    "free": ("warning", 0.22),
    "banner": ("warning", 0.2),
}
"""The backgrounds of rows: a theme's variable and how much of it shows."""
