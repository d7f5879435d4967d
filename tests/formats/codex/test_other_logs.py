"""Logs that go on from others, and logs that were copied from others (format page 2.10)."""

from pathlib import Path
from typing import Any

import pytest

from inspector.export import documents
from inspector.formats.codex.opening import opened
from inspector.formats.codex.reading import CodexTape
from inspector.formats.contract import Options
from inspector.tape.source import FileSource
from inspector.timeline.words import Life
from tests.folding import fold_on, keep
from tests.formats.codex import tapes
from tests.formats.codex.tapes import answer, meta, user
from tests.tape.packed import frame
from tests.untouched import untouched

PARENT, CHILD, THIRD = (f"0190000{number}-0000-7000-8000-000000000000" for number in "123")


def name(thread: str, day: int = 1) -> str:
    return f"rollout-2026-03-{day:02}T09-00-00-{thread}.jsonl"


def day_folder(home: Path, day: int) -> Path:
    folder = home / "sessions" / "2026" / "03" / f"{day:02}"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def write(path: Path, *records: tapes.Record) -> bytes:
    data = tapes.text(records)
    path.write_bytes(data)
    return data


def opening(path: Path) -> CodexTape:
    with untouched(path):
        tape = opened(FileSource(path), Options())
        assert isinstance(tape, CodexTape)
        return fold_on(keep(tape))


def based(thread: str, on: str, **more: Any) -> tapes.Record:
    return meta(id=thread, history_mode="paginated", history_base={"thread_id": on, **more})


def parent(folder: Path) -> bytes:
    return write(
        folder / name(PARENT), meta(id=PARENT), user("q1"), answer("a1"), user("q2"), answer("a2")
    )


def test_a_log_goes_on_from_a_part_of_another(tmp_path: Path) -> None:
    data = parent(day_folder(tmp_path, 1))
    end = data.index(b"\n", data.index(b"a1")) + 1
    path = day_folder(tmp_path, 2) / name(CHILD, 2)
    write(path, based(CHILD, PARENT, end_byte_offset=end), user("q3"))
    tape = opening(path)
    assert tapes.texts(tape) == ["q1", "a1", "q3"]
    assert tape.identity.id == CHILD
    assert tape.identity.inherited == 2
    assert [tape.timeline.life(at, 3) for at in range(3)] == [Life.INHERITED] * 2 + [Life.THIS]
    places = [tape.place(record) for record in range(tape.records())]
    assert [(place.file, place.line) for place in places] == [
        (name(PARENT), 1),
        (name(PARENT), 2),
        (name(PARENT), 3),
        (None, 1),
        (None, 2),
    ]
    assert places[3].byte == 0
    assert tape.raw(0) == data.split(b"\n")[1]
    assert tape.sums().bookkeeping == 2
    assert tapes.codes(tape) == []


def test_the_part_may_be_told_by_a_number_of_records(tmp_path: Path) -> None:
    numbered = [
        {**record, "ordinal": at}
        for at, record in enumerate((meta(id=PARENT), user("q"), answer("a")))
    ]
    write(tmp_path / name(PARENT), *numbered)
    path = tmp_path / name(CHILD, 2)
    write(path, based(CHILD, PARENT, end_ordinal_exclusive=2), user("on"))
    assert tapes.texts(opening(path)) == ["q", "on"]


def exact_to(tape: tapes.CodexTape) -> tuple[int, int]:
    return tape.timeline.reliable_to, tape.timeline.events


def numbered(count: int) -> list[tapes.Record]:
    records = [meta(id=PARENT), *(user(f"q{at}") for at in range(1, count))]
    return [{**record, "ordinal": at} for at, record in enumerate(records)]


def test_fewer_records_than_are_to_stand_before_it_are_told(tmp_path: Path) -> None:
    write(tmp_path / name(PARENT), *numbered(3))
    path = tmp_path / name(CHILD, 2)
    write(path, based(CHILD, PARENT, end_ordinal_exclusive=50), user("on"))
    tape = opening(path)
    (found,) = tape.findings()
    assert found.kind.code == "missing-base"
    wanted = "ends with record 2, and those up to 49 are to stand before this one"
    assert found.message == f"the log of thread {PARENT} {wanted}"
    assert found.kind.effect == "what should stand there is not folded; the history is not whole"
    assert tapes.texts(tape) == ["q1", "q2", "on"]
    assert tape.verdict().opens is False
    # What is there is exact, as far as it goes.
    assert exact_to(tape) == (2, 3)


def test_a_base_that_ends_where_it_should_is_whole(tmp_path: Path) -> None:
    write(tmp_path / name(PARENT), *numbered(3))
    path = tmp_path / name(CHILD, 2)
    write(path, based(CHILD, PARENT, end_ordinal_exclusive=3), user("on"))
    tape = opening(path)
    assert tapes.codes(tape) == []
    assert exact_to(tape) == (3, 3)


@pytest.mark.parametrize(("end", "texts"), [(3, ["q1", "a1", "on"]), (5, ["q1", "a1", "q2", "a2"])])
def test_records_without_numbers_are_counted(tmp_path: Path, end: int, texts: list[str]) -> None:
    parent(tmp_path)
    path = tmp_path / name(CHILD, 2)
    write(path, based(CHILD, PARENT, end_ordinal_exclusive=end), user("on"))
    tape = opening(path)
    assert tapes.texts(tape)[:4] == texts
    (found,) = tape.findings()
    assert found.kind.code == "counted-base"
    how = "have no numbers: they are counted, the header as 0"
    assert found.message == f"the records of the log of thread {PARENT} {how}"
    assert tape.verdict().opens is True


def test_fewer_records_without_numbers_are_told_too(tmp_path: Path) -> None:
    parent(tmp_path)
    path = tmp_path / name(CHILD, 2)
    write(path, based(CHILD, PARENT, end_ordinal_exclusive=9), user("on"))
    tape = opening(path)
    assert tapes.codes(tape) == ["missing-base", "counted-base"]
    assert exact_to(tape) == (4, 5)


def test_nothing_is_exact_where_the_beginning_is_missing(tmp_path: Path) -> None:
    path = tmp_path / name(CHILD, 2)
    write(path, based(CHILD, PARENT), user("on"), answer("and on"))
    assert exact_to(opening(path)) == (0, 2)


def test_what_stands_before_a_short_log_is_read_too(tmp_path: Path) -> None:
    parent(tmp_path)
    write(tmp_path / name(CHILD, 2), based(CHILD, PARENT), user("q3"))
    path = tmp_path / name(THIRD, 3)
    write(path, based(THIRD, CHILD, end_byte_offset=10**6), user("q4"))
    tape = opening(path)
    assert tapes.texts(tape) == ["q1", "a1", "q2", "a2", "q3", "q4"]
    assert tapes.codes(tape) == ["missing-base"]
    assert exact_to(tape) == (5, 6)


def test_the_log_that_it_goes_on_from_is_its_parent(tmp_path: Path) -> None:
    parent(tmp_path)
    path = tmp_path / name(CHILD, 2)
    write(path, based(CHILD, PARENT), user("on"))
    tape = opening(path)
    assert tape.identity.parent == PARENT
    kin = [{"relation": "parent", "tape": PARENT, "boundary": 4}]
    assert documents.show(tape, 5)["kin"] == kin


def test_a_log_of_its_own_thread_is_no_parent(tmp_path: Path) -> None:
    parent(tmp_path)
    path = tmp_path / name(PARENT, 2)
    write(path, based(PARENT, PARENT), user("on"))
    assert documents.show(opening(path), 5)["kin"] == []


def test_a_fork_shares_the_events_that_are_there_and_no_header(tmp_path: Path) -> None:
    write(tmp_path / name(PARENT), *numbered(6))
    path = tmp_path / name(CHILD, 2)
    more = {"forked_from_id": PARENT, "forked_from_ordinal_exclusive": 4}
    header = based(CHILD, PARENT, end_ordinal_exclusive=4)
    write(path, {**header, "payload": {**header["payload"], **more}}, user("on"))
    tape = opening(path)
    assert tape.identity.inherited == 3
    kin = [{"relation": "fork", "tape": PARENT, "boundary": 3}]
    assert documents.show(tape, 4)["kin"] == kin


def test_logs_stand_on_each_other(tmp_path: Path) -> None:
    parent(tmp_path)
    write(tmp_path / name(CHILD, 2), based(CHILD, PARENT), user("q3"))
    path = tmp_path / name(THIRD, 3)
    write(path, based(THIRD, CHILD), user("q4"))
    tape = opening(path)
    assert tapes.texts(tape) == ["q1", "a1", "q2", "a2", "q3", "q4"]
    assert tape.identity.inherited == 5
    assert tape.verdict().opens is True


def test_a_thread_may_go_on_from_an_older_log_of_its_own(tmp_path: Path) -> None:
    parent(tmp_path)
    path = tmp_path / name(PARENT, 2)
    write(path, based(PARENT, PARENT), user("q3"))
    assert tapes.texts(opening(path)) == ["q1", "a1", "q2", "a2", "q3"]


def test_a_compressed_log_may_stand_before_another(tmp_path: Path) -> None:
    data = parent(tmp_path)
    (tmp_path / name(PARENT)).unlink()
    (tmp_path / f"{name(PARENT)}.zst").write_bytes(frame(data))
    path = tmp_path / name(CHILD, 2)
    write(path, based(CHILD, PARENT, end_byte_offset=len(data)), user("q3"))
    assert tapes.texts(opening(path)) == ["q1", "a1", "q2", "a2", "q3"]


def test_a_last_line_without_its_newline_ends_where_the_next_log_begins(tmp_path: Path) -> None:
    path = tmp_path / name(PARENT)
    path.write_bytes(tapes.text([meta(id=PARENT), user("q1")])[:-1])
    write(tmp_path / name(CHILD, 2), based(CHILD, PARENT), user("q2"))
    assert tapes.texts(opening(tmp_path / name(CHILD, 2))) == ["q1", "q2"]


@pytest.mark.parametrize("where", ["missing", "circle", "short"])
def test_what_is_missing_before_a_log_is_told(tmp_path: Path, where: str) -> None:
    path = tmp_path / name(CHILD, 2)
    end = {"end_byte_offset": 10**6} if where == "short" else {}
    write(path, based(CHILD, PARENT, **end), user("on"))
    if where == "circle":
        write(tmp_path / name(PARENT), based(PARENT, CHILD), user("q"))
    elif where == "short":
        parent(tmp_path)
    tape = opening(path)
    assert tapes.codes(tape) == ["missing-base"]
    assert tape.errors() == 1
    assert tapes.texts(tape)[-1] == "on"
    assert tape.verdict().opens is False


def test_a_log_that_names_itself_as_what_stands_before_it_is_told(tmp_path: Path) -> None:
    path = tmp_path / name(CHILD)
    write(path, based(CHILD, CHILD), user("on"))
    reason = opening(path).verdict().reason
    assert reason == f"the log of thread {CHILD} names itself as what stands before it"


def test_an_older_log_of_the_same_thread_may_be_missing(tmp_path: Path) -> None:
    path = tmp_path / name(CHILD, 2)
    write(path, based(CHILD, CHILD, rollout_id=PARENT), user("on"))
    reason = opening(path).verdict().reason
    assert reason is not None
    assert reason.endswith("is not found beside it")


def test_a_log_that_grows_goes_on_behind_the_others(tmp_path: Path) -> None:
    parent(tmp_path)
    path = tmp_path / name(CHILD, 2)
    write(path, based(CHILD, PARENT), user("q3"))
    tape = opening(path)
    with path.open("ab") as file:
        file.write(tapes.text([answer("a3")]))
    fold_on(tape)
    assert tapes.texts(tape)[-2:] == ["q3", "a3"]


def test_copies_of_the_parents_records_are_inherited(tmp_path: Path) -> None:
    parent(tmp_path)
    path = tmp_path / name(CHILD, 2)
    copied = [meta(id=PARENT), user("q1"), answer("a1")]
    write(path, meta(id=CHILD, forked_from_id=PARENT), *copied, user("mine"), answer("yours"))
    tape = opening(path)
    assert tape.identity.inherited == 3
    assert tape.identity.parent == PARENT
    assert [kin.relation for kin in tape.timeline.kin] == ["fork"]
    assert tapes.codes(tape) == []


def test_a_fork_without_copies_inherits_nothing(tmp_path: Path) -> None:
    parent(tmp_path)
    path = tmp_path / name(CHILD, 2)
    write(path, meta(id=CHILD, forked_from_id=PARENT), user("mine"))
    assert opening(path).identity.inherited == 0


def test_a_subagent_names_its_parent(tmp_path: Path) -> None:
    spawn = {"parent_thread_id": PARENT, "depth": 1, "agent_role": "explorer"}
    header = meta(id=CHILD, source={"subagent": {"thread_spawn": spawn}})
    path = tmp_path / name(CHILD)
    write(path, header, user("look"))
    tape = opening(path)
    assert [(kin.relation, kin.tape) for kin in tape.timeline.kin] == [("subagent", PARENT)]
    source = tape.timeline.registers.at("source", 1)
    assert source is not None
    assert source.value == "subagent explorer"


def test_a_hostile_name_of_a_thread_is_cleaned(tmp_path: Path) -> None:
    path = tmp_path / name(CHILD)
    write(path, based(CHILD, "../\x1b[31m\u202eevil"), user("on"))
    message = next(iter(opening(path).findings())).message
    assert "\x1b" not in message
    assert "\u202e" not in message


def test_places_in_messages_are_those_of_the_logs_own_file(tmp_path: Path) -> None:
    parent(tmp_path)
    path = tmp_path / name(CHILD, 2)
    data = write(path, based(CHILD, PARENT), answer("a3"))
    path.write_bytes(data + tapes.text([user("q3")]).replace(b"q3", b"\xff") + b'{"torn')
    tape = opening(path)
    assert tape.verdict().reason == "stream did not contain valid UTF-8 (line 3)"
    torn = [found.message for found in tape.findings() if found.kind.code == "torn-tail"]
    byte = path.stat().st_size - len(b'{"torn')
    assert torn == [f"the tape ends inside a record: 6 bytes from byte {byte} have no newline yet"]
