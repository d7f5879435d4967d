"""Makes the pictures of the README: ``python docs/screenshots.py``."""

import asyncio
from datetime import UTC
from pathlib import Path

from inspector.cli import demo_tape
from inspector.formats.contract import Options
from inspector.formats.opening import open_tape
from inspector.inspection import Inspection
from inspector.ui.app import InspectorApp

_HERE = Path(__file__).resolve().parent

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


def main() -> None:
    """Write all pictures."""
    for name, (size, place) in PICTURES.items():
        (_HERE / name).write_text(asyncio.run(picture(size, place)))


if __name__ == "__main__":
    main()
