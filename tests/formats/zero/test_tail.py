"""The end of the file: what the owner drops, and what counts though nothing ends it (RULES A3)."""

from pathlib import Path

import pytest

from inspector.tape.watch import Change
from tests.folding import fold_on
from tests.formats.zero.sessions import codes, event, line, log, session, surface, user


def append(path: Path, data: bytes) -> None:
    with path.open("ab") as file:
        file.write(data)


@pytest.mark.parametrize(
    "tail", [b'{"id":"s:2","sess', b'{"sequence":"99"}', b"[]", b"12", b"\x00\x00", b"nul"]
)
def test_what_is_no_event_and_not_ended_is_dropped(tmp_path: Path, tail: bytes) -> None:
    tape = session(log(user()) + tail, tmp_path)
    assert tape.timeline.events == 1
    assert tape.verdict().opens is True
    assert codes(tape) == ["torn-tail", "no-metadata"]
    assert tape.sums().pending == 1


def test_an_event_that_is_not_ended_counts(tmp_path: Path) -> None:
    tape = session(log(user()) + line(event(2, *user("last"))), tmp_path)
    assert surface(tape) == [0, 1]
    assert codes(tape) == ["unended-line", "no-metadata"]
    assert tape.sums().pending == 0


def test_blanks_behind_the_last_line_are_no_torn_tail(tmp_path: Path) -> None:
    assert codes(session(log(user()) + b"   ", tmp_path)) == ["no-metadata"]


def test_a_bad_last_line_is_passed_over_where_only_blanks_follow_it(tmp_path: Path) -> None:
    tape = session(log(user()) + b"nonsense\n  ", tmp_path)
    assert tape.verdict().opens is True
    assert "passed-line" in codes(tape)


def test_a_bad_last_line_with_its_newline_is_not(tmp_path: Path) -> None:
    for tail in (b"nonsense\n", b"nonsense\n\n"):
        assert session(log(user()) + tail, tmp_path).verdict().opens is False


def test_a_newline_behind_an_unended_event_changes_nothing(tmp_path: Path) -> None:
    tape = session(log(user()) + line(event(2, *user("last"))), tmp_path)
    append(tape.identity.path, b"\n" + line(event(3, *user("new"))) + b"\n")
    assert tape.changed() is Change.GROWN
    fold_on(tape)
    assert surface(tape) == [0, 1, 2]
    assert codes(tape) == ["no-metadata"]


def test_an_append_to_an_unended_event_makes_it_another_file(tmp_path: Path) -> None:
    tape = session(log(user()) + line(event(2, *user("last"))), tmp_path)
    append(tape.identity.path, line(event(3, *user("new"))) + b"\n")
    assert tape.changed() is Change.REPLACED


def test_a_torn_line_that_is_finished_is_fold_on(tmp_path: Path) -> None:
    last = line(event(2, *user("last")))
    tape = session(log(user()) + last[:30], tmp_path)
    append(tape.identity.path, last[30:] + b"\n")
    fold_on(tape)
    assert surface(tape) == [0, 1]
    assert tape.verdict().opens is True


def test_a_rewind_that_shortens_the_file_makes_it_another(tmp_path: Path) -> None:
    tape = session(log(user(), user(), user()), tmp_path)
    tape.identity.path.write_bytes(log(user()))
    assert tape.changed() is Change.REPLACED
