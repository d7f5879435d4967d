"""What only some formats have, on the screen: several readers, branches, rows that are not whole,
requests that are not the surface.
"""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from inspector.ui.app import InspectorApp
from inspector.ui.layer import Layer
from inspector.ui.listing import Listing
from tests import notebooks
from tests.notebooks import say
from tests.ui.driving import running, shows, text

SIZES = [(200, 50), (120, 40), (80, 24)]


@pytest.fixture
def notebook(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    notebooks.installed(monkeypatch)
    return notebooks.everything(tmp_path / "plan.notebook")


@asynccontextmanager
async def reading(
    notebook: Path, at: str | None = None, size: tuple[int, int] = (200, 50)
) -> AsyncIterator[tuple[InspectorApp, Pilot[None]]]:
    async with running(notebook, at, size) as (app, pilot):
        yield app, pilot


async def type_in(pilot: Pilot[None], words: str) -> None:
    """Write something where a place is written."""
    await pilot.press("colon")
    for character in words:
        await pilot.press({".": "full_stop", ":": "colon"}.get(character, character))
    await pilot.press("enter")
    await pilot.app.workers.wait_for_complete()
    await pilot.pause()


# Readers.


async def test_the_next_reader_reads_the_tape_anew_at_the_same_event(notebook: Path) -> None:
    async with reading(notebook, "3") as (app, pilot):
        assert app.inspection.timeline.count(3) == 1
        for policy, rows in (("notebook:plain", 2), ("notebook", 1)):
            await type_in(pilot, "policy.next")
            tape = app.inspection.tape
            assert (tape.identity.policy, tape.timeline.count(3)) == (policy, rows)
            assert app.inspection.cursor == 3
            assert shows(app, f"now read as {policy}")


@pytest.mark.parametrize("size", SIZES)
async def test_the_top_line_says_which_reader_is_followed(
    notebook: Path, size: tuple[int, int]
) -> None:
    async with reading(notebook, "3", size) as (app, pilot):
        assert "read as" not in text(app)[0]
        await type_in(pilot, "policy.next")
        assert size[0] < 100 or "read as notebook:plain" in text(app)[0]
        await pilot.press("l", "i")
        assert shows(app, "read as notebook:plain")


async def test_a_format_with_one_reader_says_that_there_is_no_other() -> None:
    async with running("ten-events") as (app, pilot):
        tape = app.inspection.tape
        await type_in(pilot, "policy.next")
        assert shows(app, "there is no other to follow")
        assert app.inspection.tape is tape


async def test_the_reader_stays_when_the_tape_is_read_anew(notebook: Path) -> None:
    async with reading(notebook) as (app, pilot):
        await type_in(pilot, "policy.next")
        app.screen.action_past_unknown()  # type: ignore[attr-defined]
        app.on_past_unknown()
        await app.workers.wait_for_complete()
        assert app.inspection.tape.identity.policy == "notebook:plain"


async def test_any_action_is_done_by_its_name(notebook: Path) -> None:
    async with reading(notebook) as (app, pilot):
        await type_in(pilot, "seek.first")
        assert app.inspection.cursor == 0


# Rows that are not whole, and branches.


async def test_rows_that_are_not_whole_say_so(notebook: Path) -> None:
    async with reading(notebook) as (app, _):
        assert shows(app, "(cleared) first answer")
        assert shows(app, "(cut) a very long result")


async def test_a_row_that_was_put_back_says_so_as_long_as_it_stands(notebook: Path) -> None:
    async with reading(notebook, "5") as (app, pilot):
        assert any("first answer" in line and "◀ carried back" in line for line in text(app))
        app.inspection.select(1)
        await pilot.pause()
        assert shows(app, "visible to the model again since 5, carried back")
        await pilot.press("l")
        assert shows(app, "(carried) first answer")


@pytest.mark.parametrize(
    ("event", "words"),
    [
        (0, "visible to the model since 1"),
        (1, "cleared by #11: the model sees it cleared since 12"),
        (3, "rewound by #4 · visible 4 to 4"),
        (5, "aside: a side branch in the same file"),
        (6, "unlinked: the chain to it is broken · never seen"),
        (8, "pruned by #9: the model sees it cut since 10"),
    ],
)
async def test_what_became_of_an_event_is_a_sentence(
    notebook: Path, event: int, words: str
) -> None:
    async with reading(notebook) as (app, pilot):
        app.inspection.select(event)
        await pilot.pause()
        assert shows(app, words)


async def test_the_branch_and_what_it_reaches(notebook: Path) -> None:
    async with reading(notebook) as (app, pilot):
        assert shows(app, "Surface at 13  chain 6 of 7  6 messages")
        await pilot.press("i")
        assert shows(app, "chain covers 6 of 7 records, 6 of them visible")


async def test_what_it_reaches_is_not_said_where_it_is_all(notebook: Path) -> None:
    async with reading(notebook, "1") as (app, _):
        assert not shows(app, "chain")


async def test_the_file_and_the_message_of_an_event_are_said(notebook: Path) -> None:
    async with reading(notebook) as (app, pilot):
        assert shows(app, "other.notebook")
        assert shows(app, "byte 523 of")
        app.inspection.select(1)
        await pilot.pause()
        assert shows(app, "part of API message msg-1")
        await pilot.press("number_sign")
        assert any("(other.notebook)" in line for line in text(app))


# The request.


@pytest.mark.parametrize("size", SIZES)
async def test_the_request_is_a_layer_of_what_would_be_sent(
    notebook: Path, size: tuple[int, int]
) -> None:
    async with reading(notebook, None, size) as (app, pilot):
        await pilot.press("O")
        assert isinstance(app.screen, Layer)
        assert shows(app, "What would be sent  1 of 7")
        assert shows(app, "7 entries: 1 added, 1 dropped, 1 altered")
        assert shows(app, "added    aborted" if size[0] < 100 else "added: the call was never")
        assert shows(app, "sent as it stands")
        await pilot.press("j")
        assert shows(app, "altered: it was cleared")
        await pilot.press("escape")
        assert not isinstance(app.screen, Layer)


async def test_an_entry_leads_to_the_event_that_it_comes_from(notebook: Path) -> None:
    async with reading(notebook) as (app, pilot):
        await pilot.press("O", "j", "j", "enter")
        assert app.inspection.cursor == 8


async def test_an_added_entry_leads_nowhere_and_says_so(notebook: Path) -> None:
    async with reading(notebook) as (app, pilot):
        await pilot.press("O", *"jjjjj", "enter")
        assert shows(app, "there is no place to go to")


async def test_what_the_format_does_not_tell_is_said(notebook: Path) -> None:
    async with reading(notebook) as (app, pilot):
        await pilot.press("O", "j", "j", "j")
        assert shows(app, "what is sent of it is not told by the format")


async def test_before_the_first_event_nothing_would_be_sent(notebook: Path) -> None:
    async with reading(notebook, "0") as (app, pilot):
        await pilot.press("O")
        assert shows(app, "nothing would be sent")
        await pilot.press("y", "enter")
        assert shows(app, "there is no place to go to")


async def test_a_long_request_is_asked_for_beside_the_screen(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notebooks.installed(monkeypatch)
    rows = [say(f"row {at}") for at in range(1_100)]
    path = notebooks.write(tmp_path / "long.notebook", *rows)
    async with reading(path) as (app, pilot):
        await pilot.press("O")
        await app.workers.wait_for_complete()
        await pilot.pause()
        assert shows(app, "1,100 entries, all sent as they stand")
        assert app.screen.query_one("#layer-rows", Listing).source.count() == 1_100


async def test_the_layer_is_copied_as_text(notebook: Path) -> None:
    async with reading(notebook) as (app, pilot):
        await pilot.press("O", "y")
        assert "dropped: it says nothing" in app.clipboard
        assert len(app.clipboard.splitlines()) == 7


async def test_a_session_whose_file_is_named_after_it_is_named_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notebooks.installed(monkeypatch)
    path = tmp_path / "nb.notebook"
    path.write_bytes(b'{"notebook":1,"id":"nb"}\n{"say":"hello","by":"user"}\n')
    async with reading(path, None, (120, 40)) as (app, _):
        assert text(app)[0].startswith(" nb.notebook  notebook jsonl · 1 event")
