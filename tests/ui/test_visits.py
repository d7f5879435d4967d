"""From the library to a session and back, from one session to another and back; no screen."""

from collections.abc import Callable, Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

from inspector.formats.contract import Options
from inspector.formats.opening import open_tape
from inspector.places import PlaceError
from inspector.tape.source import SourceError
from inspector.ui import start, visits
from inspector.ui.app import InspectorApp
from inspector.ui.elsewhere import Elsewhere, Leaving, Left, Resuming
from inspector.ui.visits import Opened, Visit
from inspector.userdata import NotesFile
from tests.ui.following import session

Act = Callable[[InspectorApp], Left]


class Stage:
    """What is shown, in order, and what the person does in each."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.seen: list[str] = []
        self.acts: list[Any] = []

    def path(self, name: str) -> Path:
        return self.folder / f"{name}.jsonl"

    def open(self, place: Elsewhere) -> Opened:
        def again(_past: bool, _policy: str | None) -> Any:
            return open_tape(place.path, Options(session=place.session))

        tape = again(False, None)
        return Opened(tape, again, NotesFile(self.folder / "notes", tape.identity), None)

    def library(self, said: str) -> tuple[Left, int]:
        self.seen.append(f"library {said}".strip())
        left = self.acts.pop(0)
        return (left, 0) if not isinstance(left, int) else (None, left)

    def shown(self, app: InspectorApp) -> Left:
        visit = app.inspection
        word = f"{visit.tape.identity.path.stem} {visit.word} {visit.cursor}"
        said = visit.complaint or visit.news
        self.seen.append(f"{word}: {said}" if said else word)
        left: Left = self.acts.pop(0)(app)
        return left


@pytest.fixture
def stage(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Stage]:
    there = Stage(tmp_path)
    for name in ("a", "b", "c"):
        there.path(name).write_bytes(
            bytes(session(5)).replace(b'"id":"session"', f'"id":"{name}"'.encode())
        )
    monkeypatch.setattr(start, "painted", lambda _visit: nullcontext())
    monkeypatch.setattr(start, "settle_memory", lambda: None)
    monkeypatch.setattr(start, "steady_memory", lambda: None)
    monkeypatch.setattr(InspectorApp, "run", lambda app: there.shown(app))  # noqa: PLW0108 - a method binds
    yield there
    assert there.acts == []


def seek(cursor: int, then: Left) -> Act:
    def act(app: InspectorApp) -> Left:
        app.inspection.seek(cursor)
        return then

    return act


def to(stage: Stage, name: str, at: str | None = None) -> Elsewhere:
    return Elsewhere(stage.path(name), None, at)


BACK = Leaving.BACK


def test_a_session_knows_where_one_goes_back_to(stage: Stage) -> None:
    back: list[str] = []

    def noting(then: Left) -> Act:
        return lambda app: back.append(app._back) or then  # type: ignore[func-returns-value]

    stage.acts = [to(stage, "a"), noting(to(stage, "b")), noting(BACK), noting(BACK), BACK]
    visits.go(None, stage.open, stage.library)
    assert back == ["the library", "the session before", "the library"]
    stage.acts = [noting(BACK)]
    visits.go(first(stage), stage.open, None)
    assert back[3:] == [""]


def test_from_the_library_to_a_session_and_back(stage: Stage) -> None:
    stage.acts = [to(stage, "a"), seek(3, BACK), BACK]
    assert visits.go(None, stage.open, stage.library) == 0
    assert stage.seen == ["library", "a HEAD 5", "library"]


def test_a_session_of_the_library_opens_where_it_was_left(stage: Stage) -> None:
    stage.acts = [to(stage, "a"), seek(3, BACK), to(stage, "a"), seek(4, BACK), BACK]
    visits.go(None, stage.open, stage.library)
    assert stage.seen[1:4] == ["a HEAD 5", "library", "a REPLAY 3: where it was left"]


def test_control_q_quits_all_from_wherever_one_is(stage: Stage) -> None:
    stage.acts = [to(stage, "a"), lambda _app: to(stage, "b"), lambda _app: None]
    assert visits.go(None, stage.open, stage.library) == 0
    assert stage.seen == ["library", "a HEAD 5", "b HEAD 5"]


def test_one_goes_back_through_sessions_to_where_each_was_left(stage: Stage) -> None:
    stage.acts = [
        to(stage, "a"),
        seek(2, to(stage, "b", "1")),
        seek(4, to(stage, "c")),
        lambda _app: BACK,
        lambda _app: BACK,
        lambda _app: BACK,
        BACK,
    ]
    visits.go(None, stage.open, stage.library)
    assert stage.seen == [
        "library",
        "a HEAD 5",
        "b REPLAY 1",
        "c HEAD 5",
        "b REPLAY 4",
        "a REPLAY 2",
        "library",
    ]


def test_a_session_that_cannot_be_opened_is_told_where_one_came_from(stage: Stage) -> None:
    nowhere = Elsewhere(stage.path("none"))
    stage.acts = [
        nowhere,
        to(stage, "a"),
        seek(2, Elsewhere(stage.path("a"), "other")),
        lambda _app: BACK,
        BACK,
    ]
    assert visits.go(None, stage.open, stage.library) == 0
    first, told, opened, again, last = stage.seen
    assert (first, opened, last) == ("library", "a HEAD 5", "library")
    assert told.startswith("library cannot be opened: ")
    assert told.endswith("none.jsonl: does not exist")
    assert again.startswith("a REPLAY 2: cannot be opened: ")
    assert "no such session: other" in again


def test_a_place_that_is_not_there_is_told_in_the_session(stage: Stage) -> None:
    stage.acts = [to(stage, "a", "99"), lambda _app: BACK, BACK]
    visits.go(None, stage.open, stage.library)
    assert stage.seen[1] == "a HEAD 5: cursor 99 is beyond the head, 5"


def first(stage: Stage, at: str | None = None) -> Visit:
    place = to(stage, "a", at)
    opened = stage.open(place)
    return Visit(place, False, Resuming.NO, strict=True, opened=opened)


def test_one_session_alone_ends_the_program(stage: Stage) -> None:
    stage.acts = [lambda _app: BACK]
    assert visits.go(first(stage), stage.open, None) == 0
    assert stage.seen == ["a HEAD 5"]


def test_one_session_alone_is_come_back_to_where_one_jumped_from_it(stage: Stage) -> None:
    stage.acts = [seek(1, to(stage, "b")), lambda _app: BACK, lambda _app: BACK]
    assert visits.go(first(stage), stage.open, None) == 0
    assert stage.seen == ["a HEAD 5", "b HEAD 5", "a REPLAY 1"]


def test_a_wrong_place_of_the_call_ends_it(stage: Stage) -> None:
    with pytest.raises(PlaceError, match="beyond the head"):
        visits.go(first(stage, "99"), stage.open, None)


def test_a_code_that_ends_the_program_ends_it(stage: Stage) -> None:
    stage.acts = [143]
    assert visits.go(None, stage.open, stage.library) == 143


def test_what_is_left_at_the_head_keeps_no_notes_of_its_own(stage: Stage) -> None:
    stage.acts = [to(stage, "a"), lambda _app: BACK, to(stage, "b"), seek(2, BACK), BACK]
    visits.go(None, stage.open, stage.library)
    assert len(list((stage.folder / "notes" / "tapes").iterdir())) == 1


def test_every_tape_is_closed_behind_a_visit(stage: Stage) -> None:
    tapes: list[Any] = []
    open_ = stage.open

    def opened(place: Elsewhere) -> Opened:
        found = open_(place)
        tapes.append(found.tape)
        return found

    stage.acts = [to(stage, "a"), lambda _app: to(stage, "b"), lambda _app: BACK]
    stage.acts += [lambda _app: BACK, BACK]
    visits.go(None, opened, stage.library)
    assert len(tapes) == 3
    for tape in tapes:
        with pytest.raises((SourceError, ValueError, OSError)):
            list(tape.mentions("message"))
