"""What is said of a fold that stops: the true reason, and a way past it only where there is one."""

from pathlib import Path

import pytest

from inspector.export.why_sentence import sentence as why_words
from inspector.formats.contract import Tape
from inspector.formats.pi import decoder
from inspector.inspection import Inspection
from inspector.lenses.links import links
from inspector.lenses.why import why
from inspector.timeline.words import Visibility
from inspector.ui.bars import banner
from inspector.ui.fates import sentence
from tests.formats.pi.sessions import folded, text_of
from tests.formats.pi.test_too_much_work import edited_branches
from tests.ui.driving import running, sample, shows


@pytest.fixture
def little_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decoder, "_MOST_WORK", 5_000)
    monkeypatch.setattr(decoder, "_MORE_WORK", 1)


def said(tape: Tape, event: int) -> tuple[str, str, str]:
    """By the banner, by the card of an event, and by ``why``."""
    inspection = Inspection(tape)
    inspection.cursor = tape.timeline.events
    found = why(tape.timeline, event, inspection.cursor)
    linked = links(tape, event, inspection.cursor)
    top = "".join(cell.text for cell in banner(inspection) or ())
    fate = sentence(inspection, event, Visibility.NOT_APPLIED, None)
    return top, fate, why_words(tape, found, None, linked, None)


@pytest.mark.usefixtures("little_work")
def test_too_much_work_is_said_and_no_way_past_it(tmp_path: Path) -> None:
    tape = folded(tmp_path, *edited_branches(200))
    stop = tape.timeline.stopped_at
    assert stop is not None
    for event in (stop, stop + 1):
        for words in said(tape, event):
            assert f"from cursor {stop} on the tree is not followed" in words
            assert "unknown" not in words
            assert "past" not in words


def test_an_unknown_event_can_be_gone_past() -> None:
    tape = sample("ten-events-unknown")
    while tape.advance():
        pass
    at, behind = said(tape, 6), said(tape, 7)
    assert "The fold stops at 6: " in at[0]
    assert "is unknown and required.  P folds on past it" in at[0]
    assert at[1] == "not applied: unknown and required, the fold stops before it"
    assert "it builds on" in behind[1]
    assert "(--past-unknown folds on)" in at[2]
    assert "(--past-unknown folds on)" in behind[2]


@pytest.mark.usefixtures("little_work")
async def test_the_key_says_where_it_can_do_nothing(tmp_path: Path) -> None:
    path = tmp_path / "2026-01-02T03-04-05-678Z_pi.jsonl"
    path.write_bytes(text_of(edited_branches(200)))
    async with running(path) as (app, pilot):
        before = app.inspection.tape
        await pilot.press("P")
        await pilot.pause()
        assert app.inspection.tape is before
        assert shows(app, "the fold cannot go past what it stops at here")
