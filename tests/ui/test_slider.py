"""What the line under the track says of a cursor."""

from pathlib import Path

from tests.formats.claude.transcripts import SESSION, user, written
from tests.ui.driving import running, shows


async def test_what_was_done_aside_is_counted_as_the_filter_counts_it(tmp_path: Path) -> None:
    tape = tmp_path / f"{SESSION}.jsonl"
    side = [
        user("s1", None, isSidechain=True),
        user("s2", "s1", isSidechain=True),
    ]
    tape.write_bytes(written([user("u1", None), *side, user("u2", "u1")]))
    async with running(tape) as (app, pilot):
        assert shows(app, "2 hidden (2 aside)")
        await pilot.press("v", "v")
        assert shows(app, "Events  2 of 4  only hidden")
        await pilot.press("h", "h")
        assert shows(app, "1 hidden (1 aside)")
        assert shows(app, "Events  1 of 4  only hidden")
