"""Makes the pictures of the README: ``python docs/screenshots.py``."""

import asyncio
import os
import shutil
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from inspector.cli import demo_tape
from inspector.formats.contract import Options
from inspector.formats.listing import Surroundings
from inspector.formats.opening import open_tape
from inspector.inspection import Inspection
from inspector.library.keeping_up import KeepingUp
from inspector.library.roots import known
from inspector.library.row import Row
from inspector.ui.app import InspectorApp
from inspector.ui.library.app import LibraryApp
from inspector.ui.library.browsing import Browsing
from inspector.ui.library.facts import is_worth_reading
from inspector.ui.library.looking import Looking

_HERE = Path(__file__).resolve().parent
_SAMPLES = _HERE.parent / "sample_tapes"

PICTURES: dict[str, tuple[tuple[int, int], str]] = {
    "demo-120x40.svg": ((120, 40), "seq:189"),
}
"""File name to the size of the terminal and the place on the demo tape."""


async def picture(size: tuple[int, int], place: str) -> str:
    """The screen at a place of the demo tape, as SVG."""
    tape = open_tape(demo_tape(), Options())
    while tape.advance():
        pass
    app = InspectorApp(Inspection(tape, place, UTC), lambda _past, _policy: tape, UTC)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        return app.export_screenshot(title=f"inspector demo --at {place}")


LIBRARY = "library-120x40.svg"
"""The library of the sample tapes, where each agent keeps its own."""

_NOW = datetime(2026, 6, 22, 18, 40, tzinfo=UTC)

_KEPT = {
    "demo.jsonl": ".dsh/sessions/demo.jsonl",
    "activities.jsonl": ".dsh/sessions/activities.jsonl",
    "nested-compaction.jsonl": ".dsh/sessions/nested-compaction.jsonl",
    "frames.jsonl.zstd": ".dsh/sessions/frames.jsonl.zstd",
    "ten-events-unknown.jsonl": ".dsh/sessions/ten-events-unknown.jsonl",
    "unicode.jsonl": ".dsh/sessions/unicode.jsonl",
    "claude": ".claude/projects/-srv-lighthouse",
    "codex": ".codex/sessions/2026/05",
    "zero": ".local/share/zero/sessions",
    "reina": "wind/.reina/sessions",
}
"""Where each of the samples is put, below the home."""


def _furnish(home: Path) -> None:
    """Put the samples where their agents would, and a session that was never written."""
    for name, place in _KEPT.items():
        sample, target = _SAMPLES / name, home / place
        target.parent.mkdir(parents=True, exist_ok=True)
        (shutil.copytree if sample.is_dir() else shutil.copy2)(sample, target)
    (home / ".codex/sessions/2026/05/rollout-2026-05-06T09-00-00.jsonl").touch()
    at = _NOW.timestamp() - 14 * 86_400
    for path in home.rglob("*"):
        os.utime(path, (at, at))


async def library(size: tuple[int, int]) -> str:
    """The library of a home with the samples in it, as SVG."""
    with TemporaryDirectory() as folder:
        home = Path(folder)
        _furnish(home)
        places = known(Surroundings({"HOME": folder}, home / "wind", "linux"))
        now = int(_NOW.timestamp() * 1000)
        browsing = Browsing(places, lambda: now, UTC, home, demo_tape())
        looking = Looking(KeepingUp(places), pause=3600)
        looking.start()
        try:
            app = LibraryApp(browsing, looking, Options())
            async with app.run_test(size=size) as pilot:
                while not (browsing.done and all(map(browsing.knows, _near(browsing)))):
                    await pilot.pause(0.05)
                await pilot.press("j")
                return app.export_screenshot(title="inspector")
        finally:
            looking.stop()


def _near(browsing: Browsing) -> list[Row]:
    """The rows near the one in hand that are read in full."""
    return [row for row in browsing.shelf.rows()[:4] if is_worth_reading(row)]


def main() -> None:
    """Write all pictures."""
    for name, (size, place) in PICTURES.items():
        (_HERE / name).write_text(asyncio.run(picture(size, place)))
    (_HERE / LIBRARY).write_text(asyncio.run(library((120, 40))))


if __name__ == "__main__":
    main()
