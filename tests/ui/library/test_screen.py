"""The library on the screen, by its text."""

import os
from contextlib import nullcontext
from dataclasses import replace
from pathlib import Path
from shutil import copytree
from threading import Event
from types import SimpleNamespace

import pytest

from inspector.formats.contract import Options
from inspector.library.keeping_up import Gone
from inspector.library.roots import Place, given
from inspector.library.shelf import identity
from inspector.ui.elsewhere import Elsewhere, Leaving
from inspector.ui.help import KeysScreen
from inspector.ui.library import reading, start
from inspector.ui.library.app import LibraryApp
from inspector.ui.library.learned import Facts
from inspector.ui.library.listing import LibraryListing
from tests.guarding import changing, guarded
from tests.ui.driving import SAMPLES, rows_made, text
from tests.ui.library.shelves import DEMO, HOME, NOW, ROWS, Found, Shown, library, real


def lines(shown: Shown) -> list[str]:
    return text(shown.app)


def in_hand(shown: Shown) -> str:
    return next(line for line in lines(shown) if line.startswith("▌"))[1:]


def footer(shown: Shown) -> str:
    return lines(shown)[-1]


@pytest.fixture(autouse=True)
def _nothing_read_at_rest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "REST", 1e9)


async def test_sessions_stand_in_groups_with_all_that_is_known_of_them() -> None:
    async with library() as shown:
        said = lines(shown)
        assert said[0].startswith(" LIBRARY  5 sessions · 4 agents · 1 unreadable")
        assert said[0].endswith("by last activity")
        assert said[2] == " today  2"
        assert said[3].startswith("▌Fix the flaky login suite")
        assert any("refused: format version 99" in line for line in said)
        assert any("rollout-torn.jsonl  unreadable: no format knows it" in line for line in said)
        assert footer(shown).startswith(" Enter open  / search")


async def test_keys_move_and_the_strip_tells_the_session_in_hand() -> None:
    async with library() as shown:
        await shown.press("j", "j", "j")
        assert in_hand(shown).startswith("Prepare release")
        assert any(
            line.startswith(" refused: format version 99 is newer than") for line in lines(shown)
        )
        await shown.press("G")
        assert in_hand(shown).startswith("A plan for the orchard")
        assert any("~/.config/DeepChat/app_db/chat.db  session s1" in line for line in lines(shown))
        await shown.press("g")
        assert in_hand(shown).startswith("Fix the flaky")
        await shown.press("pagedown", "up", "down", "pageup", "k", "right_curly_bracket")
        assert in_hand(shown).startswith("修复登录测试")


async def test_words_stay_in_sight_while_and_after_they_are_typed() -> None:
    async with library() as shown:
        await shown.press("slash", *"orchard")
        assert lines(shown)[1].startswith(" /orchard")
        assert lines(shown)[1].endswith("1 of 5 sessions")
        assert in_hand(shown).startswith("A plan")
        await shown.press("enter", "tab")
        assert lines(shown)[1].startswith(" /orchard   Esc clears")
        await shown.press("escape")
        assert not any("/orchard" in line for line in lines(shown))


async def test_letters_that_are_typed_are_no_keys_and_arrows_still_move() -> None:
    async with library() as shown:
        await shown.press("slash", *"lantern", "down")
        assert in_hand(shown).startswith("Look for clocks")
        await shown.press("ctrl+w", *"jqGd")
        assert lines(shown)[1].startswith(" /jqGd")
        assert any("no session says these words" in line for line in lines(shown))
        await shown.press("ctrl+u", "backspace", "escape")
        assert in_hand(shown).startswith("Look for clocks")


async def test_tab_groups_by_agent_by_project_and_by_time_again() -> None:
    async with library() as shown:
        await shown.press("tab")
        assert " claude  2" in lines(shown)
        assert "   ~/lantern  2" in lines(shown)
        assert in_hand(shown).startswith("Fix the flaky")
        await shown.press("o")
        assert " ~/lantern  2" in lines(shown)
        assert lines(shown)[0].endswith("by project")
        await shown.press("tab")
        assert " today  2" in lines(shown)
        await shown.press("shift+tab")
        assert lines(shown)[0].endswith("by project")


async def test_enter_leaves_for_the_session_in_hand() -> None:
    async with library() as shown:
        await shown.press("G", "enter")
    assert shown.app.return_value == Elsewhere(ROWS[5].path, "s1")


async def test_what_cannot_be_read_is_not_opened_and_why_is_said() -> None:
    async with library() as shown:
        await shown.press("j", "j", "j", "j", "enter")
        assert footer(shown) == f" cannot be opened: {ROWS[4].problem}"
        assert shown.app.is_running


@pytest.mark.parametrize(("key", "left"), [("q", Leaving.BACK), ("ctrl+q", None)])
async def test_q_and_control_q_leave(key: str, left: Leaving | None) -> None:
    async with library() as shown:
        await shown.press(key)
    assert shown.app.return_value == left
    assert not shown.app.is_running


async def test_escape_and_keys_that_are_none_cost_nothing() -> None:
    async with library() as shown:
        await shown.press("escape")
        assert footer(shown) == " q quits"
        await shown.press("x")
        assert footer(shown) == " no key x; ? lists them"
        await shown.press("ctrl+c")
        assert footer(shown) == " Ctrl+Q quits, and so does q"


async def test_help_lists_the_keys_of_the_library_and_the_signs_of_its_rows() -> None:
    async with library(size=(120, 60)) as shown:
        await shown.press("question_mark")
        assert isinstance(shown.app.screen, KeysScreen)
        said = "\n".join(lines(shown))
        for words in ("In the library", "open the session where it was left", "~1.2k", "Ctrl+R"):
            assert words in said
        await shown.press("q")
        assert in_hand(shown).startswith("Fix the flaky")


async def test_the_path_and_the_command_are_copied() -> None:
    async with library() as shown:
        await shown.press("G", "y")
        assert shown.app.clipboard == str(ROWS[5].path)
        await shown.press("Y")
        assert shown.app.clipboard == f"inspector {ROWS[5].path} --session s1"
        assert "copied" in footer(shown)


async def test_what_is_copied_of_a_name_that_is_no_text_is_what_a_shell_takes() -> None:
    path = HOME / os.fsdecode(b"n\xff\x1b]0;x\x07.jsonl")
    async with library([replace(ROWS[0], place=str(path), session="-s\n")]) as shown:
        await shown.press("y")
        assert shown.app.clipboard == "$'/home/mara/n\\377\\033]0;x\\007.jsonl'"
        await shown.press("Y")
        assert shown.app.clipboard == (
            "inspector $'/home/mara/n\\377\\033]0;x\\007.jsonl' $'--session=-s\\012'"
        )
        assert shown.app.is_running


async def test_whatever_is_copied_passes_one_gate() -> None:
    async with library() as shown:
        shown.app.copy_to_clipboard("a\x1b[31m\udcff\ud800\nb\u202e")
        assert shown.app.clipboard == "a␛[31m��\nb<U+202E>"


async def test_a_click_takes_a_row_in_hand_and_two_open_it() -> None:
    async with library() as shown:
        await shown.pilot.click("#library-rows", offset=(5, 2))
        await shown.pilot.pause()
        assert in_hand(shown).startswith("Look for clocks")
        await shown.pilot.click("#library-rows", offset=(5, 0))
        await shown.pilot.pause()
        assert in_hand(shown).startswith("Look for clocks")
        await shown.pilot.click("#library-rows", offset=(5, 2), times=2)
        await shown.pilot.pause()
    assert shown.app.return_value == Elsewhere(ROWS[1].path, None)


async def test_rows_appear_as_they_are_found_and_it_is_said_where_is_looked() -> None:
    gate = Event()
    places = [Place(HOME / ".claude/projects", ("claude",))]
    async with library(Found(ROWS, gate), places=places) as shown:
        try:
            assert "looking" in lines(shown)[0]
            await shown.press("j")
        finally:
            gate.set()
        await shown.until(lambda: shown.browsing.done)
        assert "looking" not in lines(shown)[0]
        assert in_hand(shown).startswith("Fix the flaky")


async def test_new_sessions_appear_by_themselves_and_the_selection_stays() -> None:
    new = replace(ROWS[0], place=str(HOME / "new.jsonl"), id="n", title="Began just now", last=NOW)
    async with library() as shown:
        await shown.press("j")
        await shown.change(new)
        assert any("Began just now" in line for line in lines(shown))
        assert in_hand(shown).startswith("Look for clocks")
        await shown.change(Gone(ROWS[1].path, None))
        assert footer(shown) == " Look for clocks that are not faked is gone"
        assert in_hand(shown).startswith("修复登录测试")


async def test_what_is_gone_is_not_said_any_more_when_it_is_there_again() -> None:
    async with library() as shown:
        await shown.change(Gone(ROWS[0].path, None))
        assert footer(shown) == " Fix the flaky login suite is gone"
        await shown.change(ROWS[0])
        await shown.until(lambda: footer(shown).startswith(" Enter open"))
        await shown.change(Gone(ROWS[0].path, None))
        shown.browsing._now = lambda: NOW + 10_000
        await shown.until(lambda: footer(shown).startswith(" Enter open"))


async def test_the_heading_of_the_first_row_stays_in_sight_while_one_scrolls() -> None:
    many = [
        replace(
            ROWS[0], place=str(HOME / f"{n}.jsonl"), id=str(n), title=f"session {n}", last=NOW - n
        )
        for n in range(200)
    ]
    async with library(many) as shown:
        assert lines(shown)[1].startswith(" title")
        await shown.press("G")
        assert lines(shown)[1].startswith(" today  200  ")
        shown.app.screen.query_one(LibraryListing).scroll_to(y=0, animate=False)
        await shown.until(lambda: lines(shown)[1].startswith(" title"))


async def test_r_looks_again_and_says_what_came_of_it() -> None:
    async with library() as shown:
        await shown.press("r")
        await shown.until(lambda: "looked again" in footer(shown))
        assert footer(shown) == " looked again: nothing changed"
        shown.found.changes = [replace(ROWS[0], title="Another title")]
        await shown.press("ctrl+r")
        await shown.until(lambda: "1 change" in footer(shown))
        assert in_hand(shown).startswith("Another title")


async def test_a_fault_of_the_one_who_looks_is_told_and_ends_nothing() -> None:
    found = Found(ROWS)
    found.changes = [SimpleNamespace()]  # type: ignore[list-item]
    async with library() as shown:
        shown.looking._keeping = SimpleNamespace(again=lambda _going: 1 / 0)  # type: ignore[assignment]
        await shown.press("r")
        await shown.until(lambda: "stopped looking: division by zero" in lines(shown)[0])
        assert shown.app.is_running


async def test_only_rows_in_sight_are_made_of_twenty_thousand() -> None:
    many = [
        replace(
            ROWS[0], place=str(HOME / f"{n}.jsonl"), id=str(n), title=f"session {n}", last=NOW - n
        )
        for n in range(20_000)
    ]
    async with library(many) as shown:
        made = rows_made(shown.app.screen.query_one(LibraryListing))
        height = shown.app.screen.query_one(LibraryListing).size.height
        await shown.press("pagedown")
        assert 0 < len(made) <= 2 * height
        made.clear()
        await shown.press("j")
        assert len(made) <= 3
        await shown.press("G")
        assert in_hand(shown).startswith("session 19999")
        made.clear()
        await shown.change(replace(many[5], title="told anew"))
        assert len(made) <= height


async def test_what_comes_above_does_not_scroll_what_one_looks_at() -> None:
    many = [
        replace(
            ROWS[0], place=str(HOME / f"{n}.jsonl"), id=str(n), title=f"session {n}", last=NOW - n
        )
        for n in range(500)
    ]
    async with library(many) as shown:
        await shown.press("G", *("pageup",) * 3)
        at, row = lines(shown).index(f"▌{in_hand(shown)}"), in_hand(shown)
        await shown.change(
            *(replace(many[0], place=str(HOME / f"new{n}.jsonl"), last=NOW) for n in range(7))
        )
        assert in_hand(shown) == row
        assert lines(shown).index(f"▌{row}") == at


async def test_the_list_is_shown_again_as_it_was_left() -> None:
    many = [
        replace(
            ROWS[0], place=str(HOME / f"{n}.jsonl"), id=str(n), title=f"session {n}", last=NOW - n
        )
        for n in range(500)
    ]
    async with library(many) as shown:
        await shown.press("slash", *"session", "enter", "G", *("pageup",) * 3, "k", "k", "k")
        before = lines(shown)
        await shown.press("enter")
    async with library(many, browsing=shown.browsing) as again:
        assert lines(again) == before


async def test_nothing_found_says_where_was_looked_and_opens_the_demo() -> None:
    places = [
        Place(HOME / ".claude/projects", ("claude",), ("CLAUDE_CONFIG_DIR",), there=False),
        Place(HOME / ".codex/sessions", ("codex",)),
    ]
    async with library((), (80, 24), places=places) as shown:
        said = "\n".join(lines(shown))
        assert "No session was found." in said
        assert "claude  ~/.claude/projects  not there  named by CLAUDE_CONFIG_DIR" in said
        assert "codex   ~/.codex/sessions   empty" in said
        assert footer(shown).startswith(" d demo  r look again")
        shown.found.places = [place._replace(there=not place.there) for place in places]
        await shown.change()
        await shown.until(lambda: "claude  ~/.claude/projects  empty" in "\n".join(lines(shown)))
        assert "codex   ~/.codex/sessions   not there" in "\n".join(lines(shown))
        await shown.change(ROWS[0])
        assert in_hand(shown).startswith("Fix the flaky")
        await shown.change(Gone(ROWS[0].path, None))
        await shown.press("enter")
    assert shown.app.return_value == Elsewhere(DEMO)


@pytest.mark.parametrize("size", [(39, 24), (80, 9)])
async def test_a_screen_that_is_too_small_says_so(size: tuple[int, int]) -> None:
    async with library(size=size) as shown:
        assert lines(shown)[0] == f"too small: {size[0]}x{size[1]}, need 40x10"
        await shown.pilot.resize_terminal(80, 24)
        await shown.pilot.pause()
        assert in_hand(shown).startswith("Fix the flaky")


async def test_what_is_pasted_is_looked_for() -> None:
    from textual.events import Paste

    async with library() as shown:
        shown.app.post_message(Paste("orchard\nrm -rf\x1b[2J"))
        await shown.pilot.pause()
        await shown.until(lambda: lines(shown)[1].startswith(" /orchard"))


async def test_what_an_agent_wrote_is_opened_even_if_not_all_of_it_can_be_read() -> None:
    async with library([replace(ROWS[0], problem="cannot be unpacked")]) as shown:
        await shown.press("enter")
    assert shown.app.return_value == Elsewhere(ROWS[0].path, None)


async def test_looking_again_forgets_why_a_session_could_not_be_read() -> None:
    async with library() as shown:
        browsing, row = shown.browsing, ROWS[2]
        browsing.learn(row, Facts(row.bytes, row.last, None, None, None, "permission denied"))
        assert browsing.tally.unreadable == 2
        await shown.press("r")
        await shown.until(lambda: "looked again" in footer(shown))
        assert "looked again: 1 unreadable session to be read anew" in footer(shown)
        assert browsing.shelf.row(identity(row)) == row


def test_coming_back_forgets_why_a_session_could_not_be_read(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(start, "shown", lambda _drawn: nullcontext())
    monkeypatch.setattr(start, "settle_memory", lambda: None)
    monkeypatch.setattr(start, "steady_memory", lambda: None)
    monkeypatch.setattr(LibraryApp, "run", lambda _app: None)
    row = ROWS[2]
    with start.Showing(given([tmp_path]), Options(), None, DEMO) as showing:
        showing.browsing.take(ROWS)
        showing.browsing.learn(row, Facts(row.bytes, row.last, None, None, None, "no permission"))
        showing.show("")
    assert showing.browsing.shelf.row(identity(row)) == row


# Real sessions.


async def test_estimates_near_the_one_in_hand_become_facts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "REST", 0)
    folder = real(tmp_path, "compaction.jsonl", "future-version.jsonl", "demo.jsonl")
    with guarded(folder):
        async with library(folder) as shown:
            await shown.until(
                lambda: all(shown.browsing.knows(row) for row in shown.browsing.shelf.rows())
            )
            rows = {row.path.name: row for row in shown.browsing.shelf.rows()}
            assert (rows["demo.jsonl"].events, rows["demo.jsonl"].estimated) == (434, False)
            assert rows["demo.jsonl"].opens
            assert rows["future-version.jsonl"].opens is False


async def test_the_family_of_the_session_in_hand_leads_to_a_relative(tmp_path: Path) -> None:
    copytree(SAMPLES / "zero", tmp_path / "zero")
    async with library(tmp_path) as shown:
        await shown.press("slash", *"fork", "enter", "f")
        await shown.until(lambda: any("this one" in line for line in lines(shown)))
        await shown.press("k", "enter")
    assert isinstance(shown.app.return_value, Elsewhere)
    assert shown.app.return_value.path == tmp_path / "zero" / "lantern" / "events.jsonl"


async def test_a_folder_is_listed_and_kept_up_with(tmp_path: Path) -> None:
    folder = real(tmp_path / "sessions", "compaction.jsonl", "sessions.db")
    (folder / "empty.jsonl").touch()
    async with library(folder, (160, 40)) as shown:
        said = "\n".join(lines(shown))
        assert "unreadable: " in said
        assert "sessions · 1 agent · 1 unreadable" in said
        with changing():
            real(folder, "demo.jsonl")
            (folder / "empty.jsonl").unlink()
        await shown.press("r")
        await shown.until(lambda: "looked again" in footer(shown) or "any more" in footer(shown))
        said = "\n".join(lines(shown))
        assert "unreadable" not in said
        assert "The login tests are flaky" in said or "Finding the flaky" in said
