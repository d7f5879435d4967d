"""Libraries of invented sessions and of small real ones, and the program over them."""

import os
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from threading import Event

from textual.pilot import Pilot

from inspector.formats.contract import Options
from inspector.library.keeping_up import Gone, KeepingUp
from inspector.library.roots import Place, given
from inspector.library.row import Row
from inspector.ui.elsewhere import Left
from inspector.ui.library.app import LibraryApp
from inspector.ui.library.browsing import Browsing
from inspector.ui.library.looking import Looking
from inspector.ui.library.words import Standpoint
from tests.guarding import guarded
from tests.ui.driving import SAMPLES

HOME = Path("/home/mara")
DEMO = SAMPLES / "demo.jsonl"


def time(text: str) -> int:
    """Milliseconds since the epoch of a time of UTC."""
    return int(datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp() * 1000)


NOW = time("2026-11-30T18:00")
AT = Standpoint(NOW, UTC, HOME)

ROWS = (
    Row(
        str(HOME / ".claude/projects/-home-mara-lantern/7c1d.jsonl"),
        format="claude",
        id="7c1d",
        title="Fix the flaky login suite",
        project="/home/mara/lantern",
        started=time("2026-11-30T15:00"),
        last=time("2026-11-30T17:55"),
        bytes=9_120_400,
        events=12_400,
        estimated=True,
    ),
    Row(
        str(HOME / ".claude/projects/-home-mara-lantern/7c1d/subagents/agent-a1.jsonl"),
        format="claude",
        id="a1",
        title="Look for clocks that are not faked",
        project="/home/mara/lantern",
        last=time("2026-11-30T16:12"),
        bytes=20_400,
        events=31,
        parent="7c1d",
        relation="subagent",
        opens=True,
    ),
    Row(
        str(HOME / ".codex/sessions/2026/11/29/rollout-b2.jsonl.zst"),
        format="codex",
        id="b2",
        title="修复登录测试 and all that was left of it from the day before",
        project="/home/mara/work/somewhere/very/deep/signpost",
        started=time("2026-11-29T09:00"),
        last=time("2026-11-29T14:05"),
        bytes=188_000,
        events=1_204,
        opens=True,
    ),
    Row(
        str(HOME / ".dsh/sessions/0f3a/session.v6.jsonl"),
        format="dsh",
        id="0f3a",
        title="Prepare release 2.4.0",
        last=time("2026-11-26T10:00"),
        bytes=45_400,
        events=154,
        parent="gone-parent",
        relation="fork",
        opens=False,
        reason="format version 99 is newer than the supported 0 to 5",
    ),
    Row(
        str(HOME / ".codex/sessions/2026/11/02/rollout-torn.jsonl"),
        last=time("2026-11-02T08:00"),
        bytes=12,
        problem="no format knows it: a file of 12 bytes without a line end",
    ),
    Row(
        str(HOME / ".config/DeepChat/app_db/chat.db"),
        session="s1",
        format="deepchat",
        id="s1",
        title="A plan for the orchard",
        last=time("2025-08-11T08:00"),
        events=42,
        opens=True,
    ),
)


class Found:
    """What is found: rows at once, then what a test says changed."""

    def __init__(
        self, rows: Sequence[Row], before: Event | None = None, places: Sequence[Place] = ()
    ) -> None:
        self.rows = rows
        self.places = places
        self.changes: list[Row | Gone] = []
        self._before = before

    def find(self, going: Callable[[], bool] = lambda: True) -> Iterator[Row]:
        for row in self.rows:
            if self._before is not None:
                self._before.wait(20)
            if not going():
                return
            yield row

    def again(self, going: Callable[[], bool] = lambda: True) -> Iterator[Row | Gone]:
        while self.changes and going():
            yield self.changes.pop(0)


def looking_for(keeping: Found | KeepingUp) -> Looking:
    """What finds them, and looks again only when it is told to."""
    if isinstance(keeping, Found):
        said_of = {True: "empty", False: "not there"}
        return Looking(keeping, 3600, lambda place: said_of[place.there])  # type: ignore[arg-type]
    return Looking(keeping, 3600)


def visit(rows: Sequence[Row] = (), places: Sequence[Place] = ()) -> Browsing:
    """A visit to a library in which these rows were found."""
    browsing = Browsing(places, lambda: NOW, UTC, HOME, DEMO)
    browsing.take(rows)
    browsing.done = True
    return browsing


def real(folder: Path, *names: str) -> Path:
    """A folder with sample tapes, changed at times that are told, the first the latest."""
    for number, name in enumerate(names):
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes((SAMPLES / name).read_bytes())
        changed = NOW / 1000 - 3600 * number
        os.utime(path, (changed, changed))
    return folder


class Shown:
    """A library on a screen."""

    def __init__(self, app: LibraryApp, pilot: Pilot[Left], looking: Looking, found: Found) -> None:
        self.app, self.pilot, self.looking, self.found = app, pilot, looking, found
        self.browsing = app.browsing

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def until(self, happened: Callable[[], bool]) -> None:
        """Let the program go on until something happened."""
        for _ in range(2_000):
            if happened():
                await self.pilot.pause()
                return
            await self.pilot.pause(0.005)
        raise AssertionError("it never happened")

    async def change(self, *changes: Row | Gone) -> None:
        """Something changed, and the library looked again."""
        self.found.changes += changes
        before = self.looking.rounds
        self.looking.again()
        await self.until(lambda: self.looking.rounds > before and not self.looking.pending)


@asynccontextmanager
async def library(
    found: Sequence[Row] | Path | Found = ROWS,
    size: tuple[int, int] = (120, 40),
    *,
    places: Sequence[Place] = (),
    browsing: Browsing | None = None,
) -> AsyncIterator[Shown]:
    """The library of rows, or of a folder, once all was looked at."""
    if isinstance(found, Path):
        places = given([found])
        keeping: Found | KeepingUp = KeepingUp(places)
    else:
        keeping = found if isinstance(found, Found) else Found(found)
        keeping.places = places
    visited = browsing or Browsing(places, lambda: NOW, UTC, HOME, DEMO)
    with guarded(*([found] if isinstance(found, Path) else [])):
        looking = looking_for(keeping)
        looking.start()
        try:
            app = LibraryApp(visited, looking, Options())
            async with app.run_test(size=size, notifications=True, tooltips=True) as pilot:
                stand_in = keeping if isinstance(keeping, Found) else Found(())
                shown = Shown(app, pilot, looking, stand_in)
                if not isinstance(found, Found):
                    await shown.until(lambda: visited.done)
                yield shown
        finally:
            looking.stop()
