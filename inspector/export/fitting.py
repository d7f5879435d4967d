"""How wide a text is on a terminal, and how it is cut to a width."""

from rich.cells import cell_len, set_cell_size


def width_of(text: str) -> int:
    """The columns that a text takes."""
    return len(text) if text.isascii() else cell_len(text)


def fit(text: str, width: int, *, right: bool = False) -> str:
    """A text cut or padded to exactly ``width`` columns; what is cut shows an ellipsis."""
    if width <= 0:
        return ""
    # A wide character takes two columns at the most, so more than this never fits.
    text = text[: width + 1] if text.isascii() else text[: 4 * width]
    used = width_of(text)
    if used > width:
        return set_cell_size(text, width - 1) + "…" if width > 1 else "…"
    padding = " " * (width - used)
    return padding + text if right else text + padding
