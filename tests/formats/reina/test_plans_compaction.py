"""Compactions: the owner's split and prompt, and the record that is written."""

from pathlib import Path

import pytest

from inspector.formats.planning import How, PlanError, PlanKind
from inspector.formats.reina.reading import ReinaTape
from inspector.plans.plan import Asked
from tests.formats.reina.planned import broken, compact, content, lines, made, told
from tests.formats.reina.sessions import (
    Json,
    answer,
    call,
    codes,
    compacted,
    held,
    log,
    message,
    result,
    session,
    user,
    written,
)
from tests.plans import laws


def talk(turns: int) -> list[Json]:
    """A person's message and its answer, so many times."""
    return [one for at in range(turns) for one in (user(f"q{at}"), answer(f"a{at}"))]


def test_it_is_one_record_behind_the_log(tmp_path: Path) -> None:
    tape = session(log(*talk(7)), tmp_path)
    plan = compact(tape, "what was said")
    assert plan.how is How.APPEND
    assert plan.is_sound
    assert content(plan).count(b"\n") == 1
    (record,) = lines(plan)
    assert record["type"] == "compacted"
    assert record["ts"] == "2026-09-21T14:13:20.000Z"
    summary = record["record"].pop("summary")
    assert summary.endswith("what was said")
    assert "q0" in summary
    assert record["record"] == {
        "fromIndex": 0,
        "toIndex": 5,
        "originalLength": 6,
        "compressedAt": "2026-09-21T14:13:20.000Z",
    }
    assert told(made(plan, tmp_path / "made"))[1:] == told(tape)[6:]


def test_behind_an_earlier_compaction_its_indexes_are_those_of_the_list(tmp_path: Path) -> None:
    tape = session(log(*talk(7), compacted(0, 5), *talk(4)), tmp_path)
    plan = compact(tape)
    assert plan.how is How.APPEND
    assert plan.is_sound
    assert "indexes" in broken(plan)
    rows = len(told(tape))
    assert plan.compaction is not None
    assert lines(plan)[0]["record"]["toIndex"] == plan.compaction.safe - 1 == rows - 9
    for reading in ("exercise", "sequential"):
        found = made(plan, tmp_path / reading, reading)
        assert told(found)[1:] == told(tape)[rows - 8 :]
        assert "ambiguous-compaction" not in codes(found)


@pytest.mark.parametrize("policy", ["exercise", "sequential"])
def test_where_the_readings_differ_a_new_session_is_made_that_has_one_meaning(
    tmp_path: Path, policy: str
) -> None:
    records = [*talk(9), compacted(0, 2), compacted(3, 5), *talk(2)]
    tape = session(log(*records), tmp_path, policy)
    ways = tape.planner().ways(PlanKind.COMPACT)
    assert "different lists" in (ways[How.APPEND] or "")
    plan = compact(tape)
    assert plan.how is How.CREATE
    assert plan.is_sound
    expected = told(tape)[-8:]
    for reading in ("exercise", "sequential"):
        found = made(plan, tmp_path / reading, reading)
        assert told(found)[1:] == expected
        assert codes(found) == []


def test_nothing_is_appended_to_a_torn_line(tmp_path: Path) -> None:
    tape = session(log(*talk(8))[:-5], tmp_path)
    plan = compact(tape)
    assert plan.how is How.CREATE
    assert "torn line" in (plan.ways[How.APPEND] or "")
    assert told(made(plan, tmp_path / "made"))[1:] == told(tape)[-8:]


def test_a_last_line_that_nothing_ends_is_ended(tmp_path: Path) -> None:
    tape = session(log(*talk(8))[:-1], tmp_path)
    plan = compact(tape)
    assert plan.how is How.APPEND
    assert content(plan).startswith(b"\n")
    assert told(made(plan, tmp_path / "made"))[1:] == told(tape)[-8:]


def test_a_log_without_a_header_gets_a_new_session(tmp_path: Path) -> None:
    tape = session(written(talk(8)), tmp_path)
    plan = compact(tape)
    assert plan.how is How.CREATE
    assert made(plan, tmp_path / "made").verdict().opens is True


def test_one_way_is_open_and_the_other_says_why(tmp_path: Path) -> None:
    tape = session(log(*talk(8)), tmp_path)
    with pytest.raises(PlanError, match="behind its own log"):
        laws.planned(tape, Asked(PlanKind.COMPACT, how=How.CREATE, summary="x"))


def test_a_call_that_waits_is_told_and_stays_behind(tmp_path: Path) -> None:
    tape = session(log(*talk(7), user("q"), call("c1")), tmp_path)
    plan = compact(tape)
    assert "unanswered-calls" in broken(plan)
    assert told(made(plan, tmp_path / "made"))[-1] == "{}"


def test_a_system_message_is_never_hidden(tmp_path: Path) -> None:
    tape = session(log(message("system", "rules"), *talk(8)), tmp_path)
    with pytest.raises(PlanError, match="a system message"):
        compact(tape)


def test_nothing_is_worth_it_below_twelve_messages(tmp_path: Path) -> None:
    tape = session(log(*talk(5)), tmp_path)
    plan = compact(tape)
    assert "worth-it" in broken(plan)
    assert plan.writes == ()
    assert plan.compaction is not None
    assert plan.compaction.owner[0] == 0


# The owner's split.


def owners(tape_records: list[Json], folder: Path, keep: int | None = None) -> int:
    return session(log(*tape_records), folder).planner().split(keep).rows


def test_the_owner_keeps_eight_messages(tmp_path: Path) -> None:
    assert owners([answer(f"a{at}") for at in range(20)], tmp_path) == 12
    assert owners([answer(f"a{at}") for at in range(20)], tmp_path, 5) == 15


def test_and_from_the_persons_last_one_on(tmp_path: Path) -> None:
    records = [*talk(3), user("do it"), *(answer(f"a{at}") for at in range(12))]
    assert owners(records, tmp_path) == 6


def test_but_not_more_than_forty_thousand_characters(tmp_path: Path) -> None:
    def records(length: int) -> list[Json]:
        return [*talk(3), user("x" * length), *(answer("y") for _ in range(12))]

    assert owners(records(40_000 - 12), tmp_path) == 6
    assert owners(records(40_000 - 11), tmp_path) == 11


@pytest.mark.parametrize("said", ["[上下文压缩] earlier", "自动纠偏触发：stop"])
def test_what_no_person_said_is_no_anchor(tmp_path: Path, said: str) -> None:
    records = [*talk(3), user(said), *(answer(f"a{at}") for at in range(12))]
    assert owners(records, tmp_path) == 4


def test_no_result_is_parted_from_its_call(tmp_path: Path) -> None:
    records = [*(answer(f"a{at}") for at in range(10)), call("a", "b"), result("a"), result("b")]
    assert owners([*records, *(answer("x") for _ in range(6))], tmp_path) == 10


def test_the_prompt_has_a_line_for_each_message_cut_as_the_owner_does(tmp_path: Path) -> None:
    records = [
        user("please"),
        call("c1", arguments='{"command":"' + "x" * 400 + '"}', content="I look"),
        result("c1", "y" * 2_000),
        *talk(6),
    ]
    prompt = session(log(*records), tmp_path).planner().prompt(3)
    lines_of = prompt.text.split("\n")
    assert lines_of[0] == "[user] please"
    assert lines_of[1] == "[assistant] I look"
    assert lines_of[2].startswith('[assistant calls] bash({"command":"xxx')
    assert lines_of[2].endswith("…(截断))")
    assert lines_of[3].startswith("[tool result] yyy")
    assert lines_of[3].endswith("…(截断)")
    assert prompt.truncated
    assert (prompt.unit, prompt.length) == ("characters", len(prompt.text))


def test_the_prompt_is_redacted(tmp_path: Path) -> None:
    secret = "sk-" + "a1B2" * 10
    tape = session(log(user(f"my key is {secret}"), *talk(6)), tmp_path)
    assert secret not in tape.planner().prompt(1).text


# A range that is passed over.


def test_a_range_that_waits_is_told_and_blocks_nothing(tmp_path: Path) -> None:
    plan = compact(session(log(*talk(7), compacted(2, 20)), tmp_path))
    assert plan.is_sound
    (check,) = [check for check in plan.checks if check.rule == "waiting-range"]
    assert (check.ok, check.blocks) == (False, False)
    assert check.message.startswith(
        "the compaction of #14 was passed over, and holds with 7 more messages"
    )


def undone_by_the_next(folder: Path) -> ReinaTape:
    return session(log(*talk(7), compacted(2, 14), compacted(1, 60)), folder)


def test_a_range_by_which_the_next_message_undoes_the_new_one_blocks_an_append(
    tmp_path: Path,
) -> None:
    tape = undone_by_the_next(tmp_path)
    plan = laws.planned(tape, Asked(PlanKind.COMPACT, how=How.APPEND, summary="In short."))
    assert not plan.is_sound
    (check,) = [check for check in plan.checks if check.rule == "waiting-range"]
    assert check.message.endswith("the next message would take this one away again")
    assert plan.ways == {How.APPEND: None, How.CREATE: None}
    assert any("`--how create`" in remark for remark in plan.remarks)
    rows = len(lines(plan)) and told(made(plan, tmp_path / "made"))
    assert rows
    with (tmp_path / "made" / "ses_mf0abc_k3x9.jsonl").open("ab") as file:
        file.write(written([user("one more")]))
    assert rows[0] not in told(held(tmp_path / "made" / "ses_mf0abc_k3x9.jsonl"))


@pytest.mark.parametrize("how", [None, How.CREATE])
def test_then_a_new_session_is_made(how: How | None, tmp_path: Path) -> None:
    asked = Asked(PlanKind.COMPACT, how=how, summary="In short.")
    plan = laws.planned(undone_by_the_next(tmp_path), asked)
    assert (plan.how, plan.is_sound) == (How.CREATE, True)
    assert [write.how for write, _ in plan.writes] == [How.CREATE]
    assert plan.remarks[-1].startswith("nothing is appended to the tape itself: the compaction of")
    tape = made(plan, tmp_path / "made")
    rows = told(tape)
    path = tape.log.path
    with path.open("ab") as file:
        file.write(written([user("one more")]))
    assert told(held(path))[: len(rows)] == rows


def test_nor_is_there_an_append_before_a_summary_is_given(tmp_path: Path) -> None:
    plan = laws.planned(undone_by_the_next(tmp_path), Asked(PlanKind.COMPACT))
    assert (plan.how, [check.rule for check in plan.broken]) == (How.CREATE, ["summary"])


def test_where_none_waits_nothing_is_told(tmp_path: Path) -> None:
    assert "waiting-range" not in broken(compact(session(log(*talk(7), compacted(0, 3)), tmp_path)))


def test_a_prompt_in_which_arguments_are_cut_says_so(tmp_path: Path) -> None:
    records = [call("c1", arguments='{"command":"' + "x" * 400 + '"}'), result(), *talk(6)]
    tape = session(log(*records), tmp_path)
    assert tape.planner().prompt(1).truncated
    whole = session(log(user("as the owner says …(截断)"), *talk(7)), tmp_path)
    assert not whole.planner().prompt(3).truncated


def test_content_in_parts_counts_by_its_texts(tmp_path: Path) -> None:
    parts = [{"type": "text", "text": "T" * 50_000}]
    kept = [record for at in range(8) for record in (call(f"k{at}"), result(f"k{at}"))]
    long, short = (
        session(log(*talk(5), user(said), *kept, answer()), tmp_path).planner().split(None)
        for said in (parts, "the task")
    )
    # From the person's last message on is more than is kept.
    assert (long.rows, short.rows) == (19, 10)
