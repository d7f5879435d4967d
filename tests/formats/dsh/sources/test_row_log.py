"""A log in the rows of a database: places, raw text, damage, and what a writer adds meanwhile."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from inspector.export import documents
from inspector.formats.contract import Options, Tape
from inspector.formats.opening import open_tape
from inspector.tape.records import Fate
from inspector.tape.watch import Change
from tests.dsh_tapes import Log, codes, findings, surface, text_block
from tests.folding import fold_on
from tests.formats.dsh import databases
from tests.formats.dsh.databases import HEADER, Columns, Json, append, database, run, scalar
from tests.timelines import same_session
from tests.untouched import untouched


@pytest.fixture
def opened(tmp_path: Path) -> Iterator[Callable[[Path], Tape]]:
    """Opens and folds; closed behind the test."""
    tapes: list[Tape] = []

    def fold(path: Path) -> Tape:
        tape = open_tape(path, Options())
        tapes.append(tape)
        return fold_on(tape)

    yield fold
    for tape in tapes:
        tape.close()


def events(log: Log) -> list[Json]:
    """The events of a log that holds no packed rows."""
    return [json.loads(line) for line in log.lines[1:]]


def session() -> Log:
    """Two turns, the second open: user, deltas, answer, call, result; user."""
    log = Log()
    log.turn()
    log.user("one")
    log.step()
    for text in ("a", "b", "c", "d"):
        chunk = {"type": "text-delta", "index": 0, "text": text}
        log.event("assistant/chunk", {"turn": 1, "step": 1, "chunk": chunk})
    log.assistant(text_block("abcd"), sourceEventSeqs=[3, 4, 5, 6])
    log.step_end()
    log.turn_end()
    log.turn(2)
    log.user("two")
    return log


def stored(tmp_path: Path, log: Log | None = None) -> Path:
    return database(tmp_path / "store.db", events(log or session()))


def change(path: Path, seq: int, **columns: Any) -> None:
    """Other values in the columns of one row."""
    for name, value in columns.items():
        run(path, f"UPDATE events SET {name} = ? WHERE seq = ?", value, seq)  # noqa: S608 - names


Opened = Callable[[Path], Tape]


# Records and their places.


def test_a_row_is_a_record_and_may_hold_many_events(tmp_path: Path, opened: Opened) -> None:
    tape = opened(stored(tmp_path))
    sums = tape.sums()
    assert (sums.records, sums.carriers, sums.events) == (9, 9, 12)
    assert (sums.bookkeeping, sums.pending, sums.frames) == (0, 0, None)
    assert [tape.place(record).row for record in range(5)] == [
        "seq 0",
        "seq 1",
        "seq 2",
        "seq 3",
        "seq 7",
    ]
    assert [tape.timeline.table.member(event) for event in range(3, 7)] == [0, 1, 2, 3]
    assert surface(tape) == [1, 7, 11]


def test_a_row_has_no_line_and_no_byte(tmp_path: Path, opened: Opened) -> None:
    tape = opened(stored(tmp_path))
    place = tape.place(0)
    assert (place.line, place.byte) == (None, None)
    document = documents.event(tape, 4, 12)
    assert (document["line"], document["byte"], document["row"]) == (None, None, "seq 3")


def test_the_raw_text_of_a_row_is_its_columns(tmp_path: Path, opened: Opened) -> None:
    tape = opened(stored(tmp_path))
    lines = tape.raw(7).split(b"\n")
    assert lines[0] == b"seq: 7"
    assert lines[1] == b"type: assistant/message"
    assert lines[3].startswith(b'data: {"turn":1')
    assert lines[4] == b"source_event_seqs: blob of 4 bytes, 03 02 02 02"
    assert lines[5] == b'surface_op: "append"'
    assert lines[6] == b"ignorable: NULL"


def test_the_length_of_a_row_is_that_of_its_data_as_stored(tmp_path: Path, opened: Opened) -> None:
    path = stored(tmp_path)
    text = '{"turn":  2}'
    change(path, 10, data=databases.blob(text))
    tape = opened(path)
    physical = tape.physical(7)
    assert physical.length == len(databases.blob(text))
    assert (physical.first, physical.events, physical.frame, physical.fate) == (10, 1, None, None)


def test_the_identity_is_that_of_the_row_of_the_session(tmp_path: Path, opened: Opened) -> None:
    header = HEADER | {"id": "child", "parentSession": "mother", "seedLength": 2}
    path = database(tmp_path / "store.db", events(session()), header)
    tape = opened(path)
    identity = tape.identity
    assert (identity.id, identity.variant, identity.parent) == ("child", "v0/sqlite-17", "mother")
    assert (identity.created, identity.cwd) == (HEADER["createdAt"], "/work/demo")
    assert identity.how is not None
    assert identity.path == path
    assert [(kin.relation, kin.tape, kin.boundary) for kin in tape.timeline.kin] == [
        ("fork", "mother", 2)
    ]


def test_events_are_found_by_the_id_of_their_message(tmp_path: Path, opened: Opened) -> None:
    path = stored(tmp_path)
    tape = opened(path)
    assert tape.identified("u-two") == [11]
    assert tape.identified("nobody") == []


def test_what_a_reader_loses_in_silence_is_noted_by_row(tmp_path: Path, opened: Opened) -> None:
    path = stored(tmp_path)
    twice = '{"turn":1,"turn":2}'
    change(path, 10, data=databases.blob(twice))
    tape = opened(path)
    assert tape.payload(10)["data"] == {"turn": 2}
    (finding,) = documents.check(tape)["findings"]
    assert (finding["code"], finding["row"], finding["byte"]) == ("duplicate-key", "seq 10", None)


# Rows that are no events.


@pytest.mark.parametrize("column", [{"data": "{"}, {"data": b"x"}, {"surface_op": "append"}])
def test_a_row_that_does_not_decode_is_damage_and_the_fold_goes_on(
    column: Json, tmp_path: Path, opened: Opened
) -> None:
    path = stored(tmp_path)
    change(path, 7, **column)
    tape = opened(path)
    damage, gap = documents.check(tape)["findings"]
    assert (damage["code"], damage["row"], damage["severity"]) == ("bad-row", "seq 7", "error")
    assert (gap["code"], gap["row"], gap["event"]) == ("sequence-gap", "seq 8", 7)
    assert tape.timeline.reliable_to == 7
    assert surface(tape) == [1, 10]
    assert tape.number(10) == 11
    sums = tape.sums()
    assert (sums.records, sums.carriers, sums.damaged) == (9, 8, 1)
    verdict = tape.verdict()
    assert (verdict.opens, verdict.reason) == (
        False,
        "corrupt session log: invalid committed physical row at seq 7",
    )


def test_a_row_that_does_not_decode_in_the_open_turn_is_dropped(
    tmp_path: Path, opened: Opened
) -> None:
    path = stored(tmp_path)
    change(path, 11, data="{")
    tape = opened(path)
    verdict = tape.verdict()
    assert (verdict.opens, verdict.event, tape.timeline.events) == ("partly", 11, 11)
    assert tape.physical(8).fate is Fate.DAMAGED


def test_a_row_that_is_missing_in_the_open_turn_drops_what_follows(
    tmp_path: Path, opened: Opened
) -> None:
    path = stored(tmp_path)
    run(path, "DELETE FROM events WHERE seq = 10")
    tape = opened(path)
    verdict = tape.verdict()
    assert (verdict.opens, verdict.event) == ("partly", 10)
    assert codes(tape) == ["sequence-gap"]


def test_a_packed_row_of_two_is_damage_here(tmp_path: Path, opened: Opened) -> None:
    path = stored(tmp_path)
    data = {"turn": 1, "step": 1, "index": 0, "dt": [1], "texts": ["a", "b"]}
    change(path, 3, data=json.dumps(data))
    tape = opened(path)
    (damage, gap) = findings(tape)
    assert damage.code == "bad-row"
    assert damage.message == "row seq 3: a packed row of 2 members, not 3 to 1024"
    assert gap.code == "sequence-gap"


@pytest.mark.parametrize("seq", [7, 11])
def test_a_column_of_a_wrong_class_refuses_the_log_in_the_tail_too(
    seq: int, tmp_path: Path, opened: Opened
) -> None:
    path = stored(tmp_path)
    change(path, seq, source_event_seqs="[1]")
    assert opened(path).verdict().reason == "stored source_event_seqs must be a blob or null"


def test_a_row_named_as_a_packed_one_is_an_event_of_that_name(
    tmp_path: Path, opened: Opened
) -> None:
    path = stored(tmp_path)
    append(path, "session", [(12, "text-chunks", 1, '{"note":1}', None, None, 1)])
    tape = opened(path)
    assert codes(tape) == ["unknown-ignorable"]
    assert tape.payload(12) == {
        "type": "text-chunks",
        "seq": 12,
        "time": 1,
        "data": {"note": 1},
        "ignorable": True,
    }
    assert tape.headline(12).kind
    assert tape.sections(12)


@pytest.mark.parametrize("version", [1, 7])
def test_rows_of_another_version_are_counted_and_not_read(
    version: int, tmp_path: Path, opened: Opened
) -> None:
    path = stored(tmp_path)
    run(path, "UPDATE sessions SET version = ?", version)
    tape = opened(path)
    verdict = tape.verdict()
    assert verdict.opens is False
    assert verdict.reason == (
        f"format version {version} is newer than the supported 0 - written by a newer harness"
    )
    assert tape.sums().records == 9


def test_a_bad_page_costs_the_rows_on_it(tmp_path: Path, opened: Opened) -> None:
    log = Log()
    for number in range(60):
        log.user(f"<{number:03}>" * 60)
    path = tmp_path / "store.db"
    connection = databases.connect(path)
    connection.execute("PRAGMA page_size=1024")
    connection.close()
    database(path, events(log))
    raw = bytearray(path.read_bytes())
    page = raw.index(b"<030><030>") // 1024
    raw[page * 1024 : (page + 1) * 1024] = b"\xee" * 1024
    path.write_bytes(raw)
    with untouched(path):
        tape = opened(path)
        assert "unreadable-rows" in codes(tape)
        assert 40 < tape.timeline.events < 60
        assert tape.timeline.reliable_to < tape.timeline.events
        assert [tape.number(0), tape.number(tape.timeline.events - 1)] == [0, 59]
        assert set(codes(tape)) <= {"unreadable-rows", "sequence-gap", "bad-row"}
        assert all(tape.payload(event) for event in range(tape.timeline.events))


# A writer adds to it.


def more(seq: int) -> list[Columns]:
    log = Log()
    log.seq = seq
    log.user("three")
    log.turn_end(2)
    return [scalar(event) for event in events(log)]


def looked_again(tape: Tape) -> Change:
    """What became of a database, once what was written to it is opened."""
    assert tape.changed() is Change.GROWN
    fold_on(tape)
    return tape.changed()


def test_what_a_writer_adds_is_folded_once(tmp_path: Path, opened: Opened) -> None:
    path = stored(tmp_path)
    tape = opened(path)
    assert tape.changed() is Change.NONE
    append(path, "session", more(12))
    assert tape.changed() is Change.GROWN
    fold_on(tape)
    assert tape.timeline.events == 14
    assert surface(tape) == [1, 7, 11, 12]
    same_session(tape, opened(path))
    assert tape.changed() is Change.NONE


def test_what_is_added_to_another_session_is_no_news(tmp_path: Path, opened: Opened) -> None:
    path = stored(tmp_path)
    tape = opened(path)
    databases.add_session(path, HEADER | {"id": "other"}, more(0))
    assert looked_again(tape) is Change.NONE
    assert tape.timeline.events == 12


def test_a_session_that_was_made_again_was_replaced(tmp_path: Path, opened: Opened) -> None:
    path = stored(tmp_path)
    tape = opened(path)
    other = "33333333-3333-4333-8333-333333333333"
    run(path, "UPDATE sessions SET incarnation = ?", other)
    assert looked_again(tape) is Change.REPLACED


def test_a_session_whose_last_rows_a_repair_took_was_replaced(
    tmp_path: Path, opened: Opened
) -> None:
    path = stored(tmp_path)
    tape = opened(path)
    run(path, "DELETE FROM events WHERE seq = 11")
    assert looked_again(tape) is Change.REPLACED


def test_a_session_that_was_deleted_is_gone(tmp_path: Path, opened: Opened) -> None:
    path = stored(tmp_path)
    tape = opened(path)
    run(path, "DELETE FROM sessions")
    assert looked_again(tape) is Change.GONE


def test_a_database_that_was_deleted_is_gone_and_can_still_be_asked(
    tmp_path: Path, opened: Opened
) -> None:
    path = stored(tmp_path)
    tape = opened(path)
    path.unlink()
    assert tape.changed() is Change.GONE
    assert tape.payload(1)["type"] == "user/message"


def test_a_row_that_was_changed_meanwhile_says_so(tmp_path: Path, opened: Opened) -> None:
    path = stored(tmp_path)
    tape = opened(path)
    change(path, 3, data="{")
    looked_again(tape)
    assert tape.payload(4) == {}
    assert tape.headline(4).text == "the file was changed since it was read; open it again"
    assert tape.sections(4)[0].tone == "error"


def test_a_closed_tape_answers_without_a_traceback(tmp_path: Path, opened: Opened) -> None:
    tape = opened(stored(tmp_path))
    tape.close()
    assert tape.payload(0) == {}
    assert tape.headline(0).error is True
