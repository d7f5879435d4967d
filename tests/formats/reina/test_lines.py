"""What the owner reads of a log, what it skips, and when it has no session at all."""

import gzip
from pathlib import Path

import pytest

from inspector.tape.records import Fate
from inspector.tape.watch import Change
from inspector.timeline.findings import Severity
from tests.folding import fold_on, opened
from tests.formats.reina.sessions import (
    answer,
    codes,
    compacted,
    line,
    log,
    messages,
    meta,
    session,
    surface,
    user,
    value,
    written,
)
from tests.untouched import untouched


def test_the_header_is_no_event_and_says_whose_log_it_is(tmp_path: Path) -> None:
    tape = session(log(user()), tmp_path)
    assert tape.timeline.events == 1
    assert tape.physical(0).fate is Fate.BOOKKEEPING
    assert tape.identity.id == "ses_mf0abc_k3x9"
    assert tape.identity.created == 1_777_629_600_000
    assert tape.identity.parent is None
    assert tape.identity.inherited == 0
    assert tape.verdict().opens is True
    assert tape.verdict().reason is None


def test_without_a_header_the_session_is_null_and_all_is_shown(tmp_path: Path) -> None:
    tape = session(written([user(), answer()]), tmp_path)
    assert surface(tape) == [0, 1]
    assert tape.verdict().opens is False
    assert tape.verdict().reason == "the session is null: there is no session_meta"
    assert codes(tape) == ["no-header"]


@pytest.mark.parametrize("meta_value", [None, "x", 7, []])
def test_a_first_header_without_meta_makes_the_session_null(
    tmp_path: Path, meta_value: object
) -> None:
    bad = {"type": "session_meta", "meta": meta_value}
    tape = session(written([bad, user()]), tmp_path)
    assert surface(tape) == [1]
    assert tape.verdict().opens is False
    assert "the first session_meta has no meta" in (tape.verdict().reason or "")
    assert codes(tape) == ["bad-header"]


def test_a_header_behind_other_records_is_one(tmp_path: Path) -> None:
    tape = session(written([user(), meta(), answer()]), tmp_path)
    assert tape.timeline.events == 2
    assert surface(tape) == [0, 1]
    assert tape.verdict().opens is True
    assert value(tape, "model", 0) is None
    assert value(tape, "model", 1) == "demo"


def test_a_later_header_is_an_event(tmp_path: Path) -> None:
    tape = session(log(user(), meta(id="ses_other", model="second")), tmp_path)
    assert tape.identity.id == "ses_mf0abc_k3x9"
    assert codes(tape) == ["repeated-header"]
    assert [value(tape, "model", cursor) for cursor in (0, 1, 2)] == ["demo", "demo", "second"]


def test_bad_lines_are_skipped_and_counted(tmp_path: Path) -> None:
    pieces = log(user(), answer()).splitlines(keepends=True)
    tape = session(pieces[0] + b"{bad\n" + pieces[1] + b"7\n" + pieces[2], tmp_path)
    assert surface(tape) == [0, 1]
    assert tape.verdict().opens is True
    assert tape.verdict().reason == "skips 2 malformed lines"
    assert codes(tape) == ["not-json", "not-an-event"]
    assert {found.kind.severity for found in tape.findings()} == {Severity.WARNING}
    assert {found.kind.effect for found in tape.findings()} == {
        "the owner skips the line, and so does the fold"
    }
    # The owner goes on without them too.
    assert tape.timeline.reliable_to == tape.timeline.events


def test_a_message_in_a_line_that_is_skipped_counts_for_no_index(tmp_path: Path) -> None:
    pieces = log(user("a"), user("b"), user("c"), compacted(0, 1)).splitlines(keepends=True)
    glued = pieces[1].removesuffix(b"\n") + pieces[2]
    tape = session(b"".join([pieces[0], glued, *pieces[3:]]), tmp_path)
    # Both are rows that change nothing, and the range ends behind the last message.
    assert surface(tape) == [2]
    assert [tape.timeline.is_rejected(event) for event in range(4)] == [True, True, False, False]
    assert "range-beyond" in codes(tape)
    assert codes(tape).count("skipped-line") == 2


def test_a_byte_order_mark_is_white_space_to_the_owner(tmp_path: Path) -> None:
    tape = session(b"\xef\xbb\xbf" + log(user()), tmp_path)
    assert tape.identity.id == "ses_mf0abc_k3x9"
    assert tape.verdict().opens is True
    assert tape.verdict().reason is None
    assert codes(tape) == ["bom"]
    assert tape.payload(0)["message"]["content"] == "hi"


def test_bytes_that_are_no_text_are_replaced_as_the_owner_does(tmp_path: Path) -> None:
    tape = session(log(user("AB")).replace(b"AB", b"A\xffB"), tmp_path)
    assert surface(tape) == [0]
    assert tape.headline(0).text == "A\ufffdB"
    assert tape.verdict().reason is None


def test_line_separators_within_strings_end_no_line(tmp_path: Path) -> None:
    tape = session(log(user("a\u2028b\u0085c")), tmp_path)
    assert tape.timeline.events == 1
    assert tape.headline(0).text == "a\u2028b\u0085c"


def test_lone_halves_of_characters_are_read(tmp_path: Path) -> None:
    tape = session(log(user("x")).replace(b'"x"', b'"\\ud83d"'), tmp_path)
    assert surface(tape) == [0]
    assert tape.verdict().reason is None


def test_a_torn_last_line_waits(tmp_path: Path) -> None:
    data = log(user(), answer())
    tape = session(data[:-9], tmp_path)
    assert surface(tape) == [0]
    assert codes(tape) == ["torn-tail"]
    assert tape.verdict().reason is None
    with tape.identity.path.open("ab") as file:
        file.write(data[-9:])
    assert surface(fold_on(tape)) == [0, 1]
    assert codes(tape) == []


def test_a_whole_last_line_counts_and_the_next_record_would_ruin_it(tmp_path: Path) -> None:
    tape = session(log(user())[:-1], tmp_path)
    assert surface(tape) == [0]
    assert codes(tape) == ["unended-line"]
    with tape.identity.path.open("ab") as file:
        file.write(line(answer()))
    assert tape.changed() is Change.REPLACED or not tape.advance()


@pytest.mark.parametrize("kind", [None, 7, ["x"], {}])
def test_a_record_without_a_type_is_passed_over(tmp_path: Path, kind: object) -> None:
    tape = session(log(user(), {"type": kind, "message": {}}), tmp_path)
    assert tape.timeline.events == 2
    assert surface(tape) == [0]
    assert codes(tape) == ["bad-envelope"]
    assert tape.verdict().reason is None


def test_unknown_kinds_are_bookkeeping_and_told_ten_times_each(tmp_path: Path) -> None:
    future = [{"type": "future_event", "x": at} for at in range(30)]
    tape = session(log(user(), *future, {"type": "other"}), tmp_path)
    assert tape.timeline.events == 32
    assert surface(tape) == [0]
    told = messages(tape, "unknown-kind")
    assert len(told) == 11
    assert told[0] == "a kind of record that is not known: future_event"
    assert tape.timeline.reliable_to == 32


def test_a_list_of_all_messages_is_not_followed_and_told(tmp_path: Path) -> None:
    tape = session(log(user(), {"type": "compaction", "messages": []}), tmp_path)
    assert surface(tape) == [0]
    assert codes(tape) == ["snapshot-not-followed"]


def test_times_are_those_of_the_append(tmp_path: Path) -> None:
    data = log(user(), user(), user()).replace(b"10:00:02.000Z", b"yesterday")
    tape = session(data, tmp_path)
    table = tape.timeline.table
    assert table.time(0) == 1_777_629_601_000
    assert table.time(1) is None
    assert table.time(2) == 1_777_629_603_000


def test_a_packed_log_is_read_here_and_by_nobody_else(tmp_path: Path) -> None:
    path = tmp_path / "ses_a.jsonl.gz"
    path.write_bytes(gzip.compress(log(user())))
    with opened(path) as tape:
        assert tape.timeline.events == 1
        assert tape.verdict().opens is False
        assert "jsonl.gzip, which the owner does not read" in (tape.verdict().reason or "")


def test_nothing_is_written(tmp_path: Path) -> None:
    tape = session(log(user(), answer()), tmp_path)
    with untouched(tape.identity.path):
        tape.request(2)
        tape.sections(0)
