"""What a call without a path, or with a folder of several sessions, comes to."""

from pathlib import Path

import pytest

from inspector.cli import screen
from inspector.formats.contract import Options
from tests.commands import run
from tests.guarding import guarded
from tests.ui.driving import SAMPLES
from tests.ui.library.shelves import real

ALL = Options()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ((), "the full screen needs a terminal; ls, show"),
        (("--follow",), "--follow is of one session: name its path"),
        (("--at", "3"), "--at is of one session: name its path"),
        (("--session", "x"), "--session is of one session: name its path"),
        (("--policy", "dsh"), "--policy is of one session: name its path"),
    ],
)
def test_the_library_needs_a_terminal_and_what_is_of_one_session_a_path(
    words: tuple[str, ...], message: str
) -> None:
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_a_script_is_told_the_sessions_of_a_folder(tmp_path: Path) -> None:
    code, out, err = run(real(tmp_path, "demo.jsonl", "compaction.jsonl"))
    assert code == 2
    assert set(out.split()) == {"demo.jsonl", "compaction.jsonl"}
    assert "holds 2 sessions" in err


def test_what_holds_several_sessions_is_a_shelf_and_one_session_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(screen, "_MOMENT", 60)
    several = real(tmp_path / "several", "demo.jsonl", "compaction.jsonl")
    one = real(tmp_path / "one", "demo.jsonl")
    (tmp_path / "empty").mkdir()
    with guarded(tmp_path):
        assert screen._is_shelf(several, ALL)
        assert screen._is_shelf(tmp_path, ALL)
        assert screen._is_shelf(tmp_path / "empty", ALL)
        assert screen._is_shelf(SAMPLES / "sessions.db", ALL)
        assert not screen._is_shelf(one, ALL)
        assert not screen._is_shelf(SAMPLES / "zero" / "lantern", ALL)
        assert not screen._is_shelf(several / "demo.jsonl", ALL)
        assert not screen._is_shelf(tmp_path / "none", ALL)
        assert not screen._is_shelf(several, Options(session="demo.jsonl"))
        assert not screen._is_shelf(Path("-"), ALL)


def test_a_folder_that_takes_long_to_look_through_is_a_shelf(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(screen, "_MOMENT", 0)
    assert screen._is_shelf(real(tmp_path, "demo.jsonl"), ALL)
