"""Where things stand on a screen of a given size, as far as more than the style sheet must know.

Knows no Textual.
"""

from typing import Final, NamedTuple

_MARGIN: Final = 3
"""Rows kept in sight above and below the selected one."""


def classes(width: int, height: int) -> dict[str, bool]:
    """The layout classes of the style sheet and whether each is on at a size."""
    return {
        "-wide": width >= 160,
        "-narrow": width < 100,
        "-slim": width < 72,
        "-short": height < 30 or width < 100,
        "-shorter": height < 20,
        "-tiny": width < 40 or height < 10,
    }


def top_row(selected: int | None, top: int, height: int, rows: int) -> int:
    """The first row to show so that the selected one is in sight.

    Scrolls no further than needed, but to the middle when the row was far out of sight.
    """
    if selected is None:
        return 0
    margin = min(_MARGIN, height // 3)
    if selected < top - height or selected > top + 2 * height:
        top = selected - height // 2
    elif selected < top + margin:
        top = selected - margin
    elif selected >= top + height - margin:
        top = selected - height + 1 + margin
    return max(0, min(top, rows - height))


class Box(NamedTuple):
    """A rectangle of the screen: left, top, width and height in cells."""

    x: int
    y: int
    width: int
    height: int


class Boxes(NamedTuple):
    """The panes of the layout with all three in sight, and the rows of transport and footer."""

    events: Box
    surface: Box
    detail: Box
    transport: Box
    footer: int


def boxes(width: int, height: int, banner: bool) -> Boxes:
    """Where the panes of a screen of at least 100 columns stand; the style sheet's own sums."""
    on = classes(width, height)
    transport = 4
    for name, rows in (("-short", 3), ("-shorter", 2), ("-slim", 1)):
        transport = rows if on[name] else transport
    border = 0 if on["-short"] else 1
    top = 2 if banner else 1
    body = height - top - transport - border - 1
    events = int(width * (0.40 if on["-wide"] else 0.54))
    right = width - events - 1
    if on["-wide"]:
        half = right // 2
        surface = Box(events + 1, top, half, body)
        detail = Box(events + 1 + half + 1, top, right - half - 1, body)
    else:
        half = body // 2
        surface = Box(events + 1, top, right, half)
        detail = Box(events + 1, top + half + 1, right, body - half - 1)
    return Boxes(
        Box(0, top, events, body),
        surface,
        detail,
        Box(0, height - 1 - transport, width, transport),
        height - 1,
    )
