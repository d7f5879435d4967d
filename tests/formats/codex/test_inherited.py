"""Which records are the parent's, where no parent is there to compare (format page 2.10)."""

from pathlib import Path
from typing import Any

import pytest

from inspector.export import documents, text
from inspector.timeline.words import Life
from tests.formats.codex import tapes
from tests.formats.codex.tapes import answer, meta, started, user
from tests.formats.codex.test_other_logs import CHILD, PARENT, name, opening, write

OWN = "own-part-guess"


def subagent(first: Any) -> tapes.Record:
    spawn = {"parent_thread_id": PARENT, "depth": 1, "agent_role": "explorer"}
    source = {"subagent": {"thread_spawn": spawn}}
    return meta(id=CHILD, source=source, subagent_history_start_ordinal=first)


def numbered(*records: tapes.Record) -> list[tapes.Record]:
    return [{**record, "ordinal": at} for at, record in enumerate(records)]


def lives(tape: tapes.CodexTape) -> str:
    """A letter for each event: inherited, this."""
    events = tape.timeline.events
    return "".join(tape.timeline.life(at, events).label[0] for at in range(events))


def test_the_header_says_the_number_of_a_subagents_first_own_record(tmp_path: Path) -> None:
    path = tmp_path / name(CHILD)
    records = numbered(user("parent q"), answer("parent a"), user("task for you"), answer("done"))
    write(path, subagent(2), *records)
    tape = opening(path)
    assert lives(tape) == "iitt"
    assert tape.identity.inherited == 2
    assert tape.timeline.life(0, 4) is Life.INHERITED
    shown = documents.show(tape, 4)
    assert shown["kin"] == [{"relation": "subagent", "tape": PARENT, "boundary": 2}]
    assert f"subagent of {PARENT}, sharing 2 events" in list(text.show(shown))
    assert tapes.codes(tape) == []


def test_copies_of_headers_and_settings_need_no_number(tmp_path: Path) -> None:
    path = tmp_path / name(CHILD)
    copies = [meta(id=PARENT), *numbered(user("q"), answer("a")), tapes.context("t")]
    write(path, subagent(2), *copies, {**user("mine"), "ordinal": 2}, tapes.context("t2"))
    assert lives(opening(path)) == "iiittt"


@pytest.mark.parametrize("first", [0, None, "2", -1])
def test_a_number_that_names_no_copies_makes_none(tmp_path: Path, first: Any) -> None:
    path = tmp_path / name(CHILD)
    write(path, subagent(first), *numbered(user("mine"), answer("yours")))
    assert lives(opening(path)) == "tt"


def test_records_without_numbers_are_not_taken_for_copies(tmp_path: Path) -> None:
    path = tmp_path / name(CHILD)
    write(path, subagent(2), user("mine"), answer("yours"))
    tape = opening(path)
    assert lives(tape) == "tt"
    assert documents.show(tape, 2)["kin"] == [
        {"relation": "subagent", "tape": PARENT, "boundary": None}
    ]
    assert [(one.kind.code, one.message) for one in tape.findings()] == [
        ("missing-parent", "its records have no numbers, and its parent's log is away")
    ]


def test_records_without_numbers_are_compared_with_the_parents(tmp_path: Path) -> None:
    parent = [meta(id=PARENT), started("t"), user("q"), answer("a")]
    write(tmp_path / name(PARENT), *parent, user("later"))
    path = tmp_path / name(CHILD)
    write(path, subagent(4), *parent, user("mine"), answer("yours"))
    tape = opening(path)
    assert lives(tape) == "iiiitt"
    assert documents.show(tape, 6)["kin"] == [
        {"relation": "subagent", "tape": PARENT, "boundary": 4}
    ]
    assert tapes.codes(tape) == []


def test_without_numbers_and_copies_nothing_is_missing(tmp_path: Path) -> None:
    path = tmp_path / name(CHILD)
    write(path, subagent(0), user("mine"))
    assert tapes.codes(opening(path)) == []


def test_records_behind_the_copies_go_their_known_way_again(tmp_path: Path) -> None:
    path = tmp_path / name(CHILD)
    write(path, subagent(1), *numbered(user("q"), *(answer(str(at)) for at in range(50))))
    tape = opening(path)
    assert lives(tape) == "i" + 50 * "t"
    assert "message" in tape._fold.ways["response_item"]


# Without the parent, by a guess.


def turn_id(second: int) -> str:
    """An id of a turn that began so long after the first record of a log was written."""
    milliseconds = 1_772_355_600_007 + second * 1_000
    digits = f"{milliseconds:012x}"
    return f"{digits[:8]}-{digits[8:]}-7000-8000-000000000000"


def a_fork(folder: Path, *turns: str) -> tapes.CodexTape:
    """A fork of a parent that is away, with turns of one message, records a second apart."""
    records = [record for turn in turns for record in (started(turn), user(turn))]
    path = folder / name(CHILD)
    write(path, meta(id=CHILD, forked_from_id=PARENT), meta(id=PARENT), *records)
    return opening(path)


def guesses(tape: tapes.CodexTape) -> list[tuple[int | None, str]]:
    return [
        (one.event, one.message.partition(": ")[2])
        for one in tape.findings()
        if one.kind.code == OWN
    ]


def test_a_turn_whose_id_is_later_than_the_fork_is_its_own(tmp_path: Path) -> None:
    tape = a_fork(tmp_path, turn_id(-900), turn_id(-800), turn_id(6), turn_id(8))
    assert guesses(tape) == [(5, "the id of its turn is later than the fork")]
    assert tapes.codes(tape) == ["missing-parent", OWN]


def test_a_turn_that_was_written_later_than_copies_are_is_its_own(tmp_path: Path) -> None:
    reason = "it was written later than copies are, which are written at once"
    # The first turn is written two seconds behind the header, the second one four.
    assert guesses(a_fork(tmp_path, "t1", "n1", "n2")) == [(3, reason)]


def test_a_guess_takes_no_record_for_inherited(tmp_path: Path) -> None:
    tape = a_fork(tmp_path, "t1", "n1")
    assert set(lives(tape)) == {"t"}
    (found,) = [one for one in tape.findings() if one.kind.code == OWN]
    assert "by a guess" in found.message
    assert found.kind.effect == "none; by a guess no record is taken for inherited"


def test_where_nothing_tells_copies_apart_nothing_is_guessed(tmp_path: Path) -> None:
    assert guesses(a_fork(tmp_path, turn_id(-900), turn_id(-1))) == []
    assert guesses(a_fork(tmp_path)) == []


def test_no_guess_is_made_where_the_parent_is_there_or_none_is_named(tmp_path: Path) -> None:
    write(tmp_path / name(PARENT), meta(id=PARENT), user("q"))
    assert guesses(a_fork(tmp_path, "t1", "n1")) == []
    other = tmp_path / "other.jsonl"
    write(other, meta(), *(started(str(at)) for at in range(9)))
    assert guesses(opening(other)) == []
