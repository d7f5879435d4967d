"""The family of a session over the main screen, by real keys, and its rows by themselves."""

import shutil
from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest
from textual.pilot import Pilot

from inspector.formats.listing import Surroundings
from inspector.library import gathering
from inspector.library.family import Family, Looked, family_of
from inspector.library.members import Member, Named
from inspector.library.searching import Search
from inspector.tape.source import SourceError
from inspector.ui.app import InspectorApp
from inspector.ui.elsewhere import Elsewhere
from inspector.ui.lenses import family_layer
from inspector.ui.lenses.family import FamilyRows, Pointed, pointed
from tests.dsh_tapes import HEADER, Log
from tests.terminal import CONTROL
from tests.ui.driving import SAMPLES, running, sample, shows, text

SIZES = [(120, 40), (80, 24), (60, 20)]

LANTERN = SAMPLES / "zero" / "lantern" / "events.jsonl"
FORK = SAMPLES / "zero" / "lantern-fork" / "events.jsonl"
NAME, FORK_NAME, CHILD_NAME = (
    "zero_20260622080000_1782115200000000000_1",
    "zero_20260622100000_1782122400000000000_2",
    "zero_20260622081500_1782116100000000000_3",
)


async def settled(app: InspectorApp, pilot: Pilot[None]) -> None:
    """Wait until the family is on the screen."""
    for _ in range(3):
        await app.workers.wait_for_complete()
        await pilot.pause()


def in_hand(app: InspectorApp) -> str:
    """The row with the bar of the row in hand."""
    (row,) = (line for line in text(app) if "│▌" in line)
    return row


# On the screen.


@pytest.mark.parametrize("size", SIZES)
async def test_a_key_shows_the_family_with_the_session_itself_in_hand(
    size: tuple[int, int],
) -> None:
    async with running(FORK, "3", size=size) as (app, pilot):
        inspection = app.inspection
        inspection.seek(inspection.head)
        await pilot.press("J")
        await settled(app, pilot)
        assert shows(app, "Family  2 of 3")
        assert shows(app, "○ Light the pier at dusk")
        assert "├─ ● fork  Light the pier at dusk (fork)" in in_hand(app)
        assert "this one" in in_hand(app)
        assert shows(app, "└─ ? subagent  zero_2026062")
        assert shows(app, "not found")
        assert shows(app, "Enter open it")
        await pilot.press("enter")
        assert shows(app, "this is the session itself")
        await pilot.press("escape")
        assert not shows(app, "Family")


async def test_enter_ends_the_visit_for_the_parent_at_the_cursor_where_they_part() -> None:
    async with running(FORK) as (app, pilot):
        await pilot.press("J")
        await settled(app, pilot)
        await pilot.press("k", "enter")
        await pilot.pause()
    assert app.return_value == Elsewhere(LANTERN, None, "47")


async def test_enter_ends_the_visit_for_a_fork_at_the_end_of_its_copies() -> None:
    async with running(LANTERN) as (app, pilot):
        await pilot.press("J")
        await settled(app, pilot)
        # The fork left at the head, where the cursor is.
        assert FORK_NAME in "\n".join(text(app))
        assert "(fork)" in in_hand(app)
        await pilot.press("enter")
        await pilot.pause()
    assert app.return_value == Elsewhere(FORK, None, "42")


async def test_b_goes_to_what_tells_of_another_session_and_one_key_leads_there() -> None:
    async with running(LANTERN, "0") as (app, pilot):
        await pilot.press("b", "J")
        await settled(app, pilot)
        assert shows(app, f"@22 leads to {CHILD_NAME}, which is not to be found")
        assert "? subagent" in in_hand(app)
        assert shows(app, "it is named, and not found:")
        await pilot.press("enter")
        assert shows(app, "is not found: there is nothing to open")
        await pilot.press("escape", "B")
        assert shows(app, "no fork, rewind or subagent before 22")


async def test_a_copied_event_leads_to_the_session_that_it_comes_from() -> None:
    async with running(FORK, "5") as (app, pilot):
        await pilot.press("J")
        await settled(app, pilot)
        assert shows(app, f"@5 leads to {NAME}")
        assert "○ Light the pier at dusk" in in_hand(app)


async def test_a_why_card_of_a_subagents_call_leads_there() -> None:
    claude = SAMPLES / "claude" / "7c1d0a52-3b8e-4f60-9a17-5e2c64b90d31.jsonl"
    for cursor in ("17", "18"):
        async with running(claude, cursor) as (app, pilot):
            await pilot.press("w")
            await settled(app, pilot)
            assert shows(app, "J family")
            await pilot.press("J")
            await settled(app, pilot)
            assert "▸ subagent  " in in_hand(app)
            await pilot.press("enter")
            await pilot.pause()
        found = app.return_value
        assert isinstance(found, Elsewhere)
        assert found.path.name == "agent-b7e1.jsonl"
        # It has no copies: it opens where it was left.
        assert found.at is None
    async with running(claude, "3") as (app, pilot):
        await pilot.press("w")
        await settled(app, pilot)
        assert not shows(app, "J family")


async def test_what_is_looked_for_is_told_and_esc_stops_it(monkeypatch: pytest.MonkeyPatch) -> None:
    begun, ended = Event(), Event()

    def forever(_tape: object, search: Search) -> Family:
        search.told("looking in the attic: 3 sessions")
        begun.set()
        while search.going():
            Event().wait(0.005)
        ended.set()
        raise SourceError("nobody hears this")

    monkeypatch.setattr(family_layer, "gather", forever)
    async with running("lives") as (app, pilot):
        await pilot.press("J")
        while not begun.is_set():
            await pilot.pause()
        await pilot.pause()
        assert shows(app, "looking in the attic: 3 sessions…   Esc stops")
        await pilot.press("escape")
        await settled(app, pilot)
        assert ended.wait(5)
        assert not shows(app, "attic")


@pytest.mark.parametrize(
    ("fault", "said"),
    [(SourceError("the tape\x1b is gone"), "the tape␛ is gone"), (KeyError("x"), "cannot be")],
)
async def test_a_failure_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch, fault: Exception, said: str
) -> None:
    def failing(*_: object) -> Family:
        raise fault

    monkeypatch.setattr(family_layer, "gather", failing)
    async with running("lives") as (app, pilot):
        await pilot.press("J")
        await settled(app, pilot)
        assert shows(app, said)
        await pilot.press("j", "enter", "y", "escape")
        assert app.return_value is None


async def test_names_and_titles_cannot_reach_the_terminal(tmp_path: Path) -> None:
    log = Log({**HEADER, "id": "bad\x1b[2J\u202eid", "parentSession": "p\x1b]0;x\x07\n"})
    log.event("session/title", {"title": "\x1b[31mred\n"})
    path = tmp_path / "s.jsonl"
    path.write_bytes(bytes(log))
    async with running(path) as (app, pilot):
        await pilot.press("J")
        await settled(app, pilot)
        assert shows(app, "bad␛[2J<U+202E>id")
        assert not any(CONTROL.search(line) for line in text(app))


# The rows.


def member(name: str, parent: str | None = None, **more: object) -> Member:
    return Member(name, Path(f"/tapes/{name}.jsonl"), parent=parent, **more)  # type: ignore[arg-type]


def drawn(rows: FamilyRows, width: int = 100) -> list[str]:
    return ["".join(cell.text for cell in rows.line(row, width)) for row in range(rows.count())]


def test_an_ancestor_opens_where_the_way_to_the_session_leaves_it() -> None:
    here = member("h", "p", relation="fork", boundary=5, copied=5, events=9)
    parent = member("p", "g", relation="fork", boundary=8, copied=8, events=20)
    other = member("o", "p", relation="resume", copied=3, events=4)
    sibling = member("s", "p", relation="subagent", copied=0, boundary=2)
    family = family_of([here, parent, other, sibling, member("g")], here)
    rows = FamilyRows(family)
    found = {one.member.id: rows.elsewhere(at) for at, one in enumerate(family.branches)}
    assert found == {
        "g": Elsewhere(Path("/tapes/g.jsonl"), None, "8"),
        "p": Elsewhere(Path("/tapes/p.jsonl"), None, "5"),
        "o": Elsewhere(Path("/tapes/o.jsonl"), None, "3"),
        "s": Elsewhere(Path("/tapes/s.jsonl"), None, None),
        "h": "this is the session itself",
    }
    assert rows.elsewhere(99) == "there is nothing to open"
    # Where the session is not open, as in the library, it is one to open as well.
    opening = FamilyRows(family, itself=True)
    assert opening.elsewhere(family.here) == Elsewhere(Path("/tapes/h.jsonl"), None, None)


@pytest.mark.parametrize("width", [200, 80, 40, 12])
def test_a_row_is_as_wide_as_there_is_room_however_deep_it_stands(width: int) -> None:
    chain = [member(f"m{at}", f"m{at - 1}" if at else None, events=1) for at in range(90)]
    chain[50] = member("m50", "m49", relation="字" * 50, title="漢" * 300, opens=False)
    rows = FamilyRows(family_of(chain, chain[-1]))
    assert all(len(line) <= width for line in drawn(rows, width))
    if width >= 40:
        assert "m89" in drawn(rows, width)[-1]


def test_state_is_said_in_words() -> None:
    here = member(
        "h",
        names=(Named("fork", "m", "merged"), Named("fork", "d", "discarded"), Named("spec", "n")),
    )
    others = [
        member("m", "h", relation="fork", copied=2, events=3, started=1),
        member("r", "h", relation="subagent", opens=False, reason="too new", events=1, started=2),
        member("u", "h", relation="side", problem="torn", started=3),
        member("e", "h", relation="fork", events=1_200, estimated=True, started=4),
    ]
    rows = FamilyRows(family_of([here, *others], here, [Looked(Path("/tapes"), said_by="HOME")]))
    assert [" ".join(line.split()) for line in drawn(rows, 90)] == [
        "● h this one",
        "├─ ◆ fork, merged m 2 copied + 1 own event",
        "├─ ▸ subagent r 1 event refused",
        "├─ ◇ side session u cannot be read: torn",
        "├─ ◆ fork, open e ~1,200 events",
        "├─ ? fork, discarded d deleted",
        "└─ ? spec n not found",
    ]
    detail = ["".join(cell.text for cell in line) for line in rows.lines(2, 90)]
    assert detail[:3] == ["r", "subagent of h", "1 event"]
    deleted = ["".join(cell.text for cell in line) for line in rows.lines(5, 90)]
    assert deleted[-1] == "deleted when it was given up"
    missing = ["".join(cell.text for cell in line) for line in rows.lines(6, 90)]
    assert missing[-2:] == ["it is named, and not found:", "looked in /tapes (from HOME)"]


def test_an_event_leads_to_the_child_that_left_behind_it() -> None:
    here, child = member("h"), member("c", "h", relation="fork", boundary=7)
    family = family_of([here, child], here)
    assert FamilyRows(family, Pointed(6, "@6")).start() == 1
    assert FamilyRows(family, Pointed(5, "@5")).start() == 0
    assert FamilyRows(family, Pointed(5, "@5", ("c",))).start() == 1
    assert FamilyRows(family, Pointed(5, "@5", ("nobody",))).start() == 0


def test_of_one_that_parts_where_the_session_ends_it_is_not_said_that_an_event_leads_there() -> (
    None
):
    here = member("h", events=7, read=True)
    child = member("c", "h", relation="fork", boundary=7)
    family = family_of([here, child], here)

    def said(about: Pointed) -> str:
        return "".join(cell.text for line in FamilyRows(family, about).heads()[1:] for cell in line)

    assert said(Pointed(6, "@6")) == "c parts at the head"
    assert said(Pointed(5, "@5", ("c",))) == "@5 leads to c"
    detail = ["".join(cell.text for cell in line) for line in FamilyRows(family).lines(1, 90)]
    assert detail[1] == "fork of h, from its head (7)"


def test_one_that_was_not_looked_at_is_not_said_to_be_missing() -> None:
    here = member("h", names=(Named("fork", "f"), Named("fork", "away")))

    def absent(name: str) -> Member:
        return Member(name, Path("/f") if name == "f" else None, unlooked=True)

    family = family_of([here], here, absent=absent)
    rows = FamilyRows(family)
    assert [" ".join(line.split()) for line in drawn(rows, 90)][1:] == [
        "├─ ◆ fork f not looked at",
        "└─ ? fork away not looked at",
    ]
    assert rows.elsewhere(1) == Elsewhere(Path("/f"), None, None)
    assert rows.elsewhere(2) == "away is not looked for to the end: there is nothing to open"
    assert ["".join(cell.text for cell in line) for line in rows.lines(2, 90)][
        -1
    ] == "not looked at"


def test_a_path_in_the_folder_of_the_person_is_written_whole_or_from_there(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    here = Member("h", tmp_path / ".local" / "share" / "s.jsonl")
    project = Member("p", tmp_path / "work" / "s.jsonl")

    def path(member: Member) -> str:
        lines = list(FamilyRows(family_of([member], member)).lines(0, 200))
        return "".join(cell.text for cell in lines[-1])

    assert path(here) == "~/.local/share/s.jsonl"
    monkeypatch.chdir(tmp_path)
    assert path(here) == "~/.local/share/s.jsonl"
    assert path(project) == "work/s.jsonl"
    monkeypatch.setenv("HOME", "/nobody")
    assert path(here) == str(tmp_path / ".local" / "share" / "s.jsonl")


def test_what_an_event_has_to_do_with_others_is_asked_of_the_tape_alone() -> None:
    tape = sample(FORK)
    while tape.advance():
        pass
    assert pointed(tape, None, "") == Pointed()
    # Copied events tell what their original told; the first own one is the fork's own.
    assert [pointed(tape, event, "").copied for event in (0, 41, 42, 43)] == [
        True,
        True,
        True,
        False,
    ]


def test_the_text_of_the_rows_is_what_the_command_prints() -> None:
    here = member("h", "p", relation="fork")
    assert "? p  not found\n└─ ● fork  h  ← this one" in FamilyRows(family_of([here], here)).text()


def test_members_are_given_back(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    opened: list[Callable[[], None]] = []
    closed: list[object] = []
    opening = gathering.open_tape

    def counted(*call: object) -> object:
        tape = opening(*call)  # type: ignore[arg-type]
        close = tape.close

        def closing() -> None:
            closed.append(tape)
            close()

        monkeypatch.setattr(tape, "close", closing)
        opened.append(closing)
        return tape

    monkeypatch.setattr(gathering, "open_tape", counted)
    shutil.copytree(SAMPLES / "zero", tmp_path / "zero")
    surroundings = Surroundings({}, tmp_path, "linux")
    gathering.gather_at(tmp_path / "zero" / "lantern", None, Search(surroundings))
    assert len(opened) == len({id(tape) for tape in closed}) == 2
