"""Pictures of the library: one per screen and state; everything else is tested by its text."""

from collections.abc import Callable, Sequence

import pytest

from inspector.formats.contract import Options
from inspector.library.roots import Place
from inspector.library.row import Row
from inspector.ui.library import reading
from inspector.ui.library.app import LibraryApp
from tests.ui.library.shelves import HOME, ROWS, Found, looking_for, visit

SnapCompare = Callable[..., bool]

PLACES = [
    Place(HOME / ".claude/projects", ("claude",), ("CLAUDE_CONFIG_DIR",)),
    Place(HOME / ".codex/sessions", ("codex",), there=False),
    Place(HOME / ".codex/archived_sessions", ("codex",), there=False),
    Place(HOME / ".dsh/sessions", ("dsh",), there=False),
]


@pytest.mark.parametrize(
    ("rows", "keys", "size"),
    [
        pytest.param(ROWS, (), (120, 40), id="library"),
        pytest.param(ROWS, ("j", "j", "j", "tab"), (80, 24), id="library-narrow"),
        pytest.param(ROWS, (*"jjjj",), (180, 40), id="library-wide"),
        pytest.param(ROWS, ("slash", *"lantern"), (80, 24), id="library-search"),
        pytest.param((), (), (80, 24), id="library-nothing"),
    ],
)
def test_picture(
    snap_compare: SnapCompare,
    monkeypatch: pytest.MonkeyPatch,
    rows: Sequence[Row],
    keys: tuple[str, ...],
    size: tuple[int, int],
) -> None:
    monkeypatch.setattr(reading, "REST", 1e9)
    looking = looking_for(Found(rows, places=PLACES))
    looking.start()
    looking.wait(99, 10)
    try:
        app = LibraryApp(visit(rows, PLACES), looking, Options())
        assert snap_compare(app, press=keys, terminal_size=size)
    finally:
        looking.stop()
