"""What is mended of a log: in the request by the owner, and by a new log."""

from pathlib import Path

from inspector.formats.codex.reading import CodexTape
from inspector.formats.planning import Closer
from tests.formats.codex import tapes
from tests.formats.codex.planned import OPTIONS, PLAIN, content, records, repair, texts_of
from tests.plans.laws import accounts_for_all, carried_out, opened
from tests.untouched import untouched

IN_MEMORY = "Codex mends each request in memory, and writes nothing of it"


def over(folder: Path, data: bytes) -> CodexTape:
    return tapes.fold_on(tapes.over(folder / "rollout.jsonl", data))


def test_nothing_is_done_to_a_whole_log(tmp_path: Path) -> None:
    plan = repair(tapes.folded(tmp_path, *PLAIN))
    assert (plan.closers, plan.writes, plan.remarks) == ((), (), ())
    assert "nothing to repair" in [check.message for check in plan.checks]


def test_calls_and_outputs_are_paired_in_each_request(tmp_path: Path) -> None:
    patch = tapes.item("custom_tool_call", name="apply_patch", input="x", call_id="c2")
    said = [tapes.user("q"), tapes.call("c1"), patch, tapes.output("c0"), tapes.output("c2")]
    plan = repair(tapes.folded(tmp_path, *said))
    added, dropped = "an output that says “aborted”, behind its call", "an output of which no call"
    assert list(plan.closers) == [
        Closer("function_call_output", "added", added, "c1", "aborted", 1),
        Closer("custom_tool_call_output", "added", added, "c2", "aborted", 2),
        Closer("function_call_output", "dropped", f"{dropped} is in the history", "c0", None, 3),
        Closer("function_call_output", "dropped", f"{dropped} is in the history", "c2", None, 4),
    ]
    assert (plan.writes, plan.remarks) == ((), (IN_MEMORY,))


def test_a_torn_line_is_ended_by_the_owner(tmp_path: Path) -> None:
    tape = over(tmp_path, tapes.text([tapes.meta(), *PLAIN]) + b'{"timestamp":"20')
    plan = repair(tape)
    assert [(one.type, one.does, one.what) for one in plan.closers] == [
        ("line", "dropped", "the line that is not ended, 16 bytes")
    ]
    assert plan.writes == ()
    assert plan.remarks == (
        "Codex ends the torn line itself when it takes the session up, and then skips it",
    )


def test_two_records_on_one_line_get_a_line_each_in_a_new_log(tmp_path: Path) -> None:
    lines = tapes.lines([tapes.meta(), *PLAIN, tapes.user("q4"), tapes.call("c1")])
    glued = b"\n".join([*lines[:6], lines[6] + lines[7], *lines[8:], b'{"timestamp"'])
    tape = over(tmp_path, glued)
    assert "q2" not in tapes.texts(tape)
    with untouched(tmp_path):
        plan = repair(tape)
        made = content(plan)
    assert [(one.type, one.does, one.event) for one in plan.closers] == [
        ("function_call_output", "added", 13),
        ("line", "dropped", None),
        ("response_item/message", "altered", 5),
        ("response_item/message", "altered", 6),
    ]
    accounts_for_all(tape, plan)
    assert (plan.kept, dict(plan.left), plan.is_sound) == (14, {}, True)
    assert len(made.splitlines()) == 16
    assert plan.remarks[:-1] == (
        "a new thread, because Codex mends no line of a log that is written",
        IN_MEMORY,
    )
    said = texts_of(plan, tmp_path / "made")
    assert said[:7] == ["q1", "a1", "q2", "a2", "q3", "a3", "q4"]
    with opened(carried_out(plan, tmp_path / "made")[-1], OPTIONS) as new:
        assert isinstance(new, CodexTape)
        again = repair(new)
        assert ([one.does for one in again.closers], again.writes) == (["added"], ())


def test_a_torn_record_with_a_whole_one_behind_it_is_read(tmp_path: Path) -> None:
    lines = tapes.lines([tapes.meta(), *PLAIN])
    torn = b"\n".join([*lines[:2], lines[2][:40] + lines[2], *lines[3:], b""])
    plan = repair(over(tmp_path, torn))
    assert [one.does for one in plan.closers] == ["altered"]
    assert texts_of(plan, tmp_path / "made")[:2] == ["q1", "a1"]


def test_what_the_model_sees_otherwise_of_a_mended_log_is_told(tmp_path: Path) -> None:
    lines = tapes.lines([tapes.meta(), *PLAIN, tapes.rolled_back(1)])
    # The rollback is in a line that the owner skips: mended, it takes the last turn back.
    glued = b"\n".join([*lines[:-2], lines[-2] + lines[-1], b""])
    tape = over(tmp_path, glued)
    assert tapes.texts(tape) == ["q1", "a1", "q2", "a2", "q3", "a3"]
    with untouched(tmp_path):
        plan = repair(tape)
    (check,) = [check for check in plan.checks if check.rule == "model-view"]
    assert (check.ok, check.blocks) == (False, False)
    assert check.message == (
        "the model sees 6 rows, 6 tokens, now, and 4 rows, 4 tokens, by the new log, in which "
        "Codex reads the records that it skips now"
    )
    assert texts_of(plan, tmp_path / "made") == ["q1", "a1", "q2", "a2"]


def test_that_the_model_sees_the_same_of_a_mended_log_is_told(tmp_path: Path) -> None:
    lines = tapes.lines([tapes.meta(), *PLAIN])
    plan = repair(over(tmp_path, b"\n".join([*lines[:-1], lines[-1] + lines[-1], b""])))
    assert plan.writes
    (check,) = [check for check in plan.checks if check.rule == "model-view"]
    assert (check.ok, check.message) == (True, "the model sees the same: 6 rows, 6 tokens")


def test_what_is_damaged_for_good_is_left_out(tmp_path: Path) -> None:
    lines = tapes.lines([tapes.meta(), *PLAIN])
    bad = b'{"type":"event_msg","payload":{}}'
    plan = repair(over(tmp_path, b"\n".join([*lines[:6], bad, lines[6] + lines[7], b""])))
    assert dict(plan.left) == {"in lines that Codex cannot read": 1}


def test_a_log_that_is_refused_for_its_bytes_is_made_anew(tmp_path: Path) -> None:
    data = tapes.text([tapes.meta(), *PLAIN]).replace(b"a2", b"a\xff")
    plan = repair(over(tmp_path, data))
    assert [(one.type, one.does, one.event) for one in plan.closers] == [
        ("session_meta", "altered", None),
        ("response_item/message", "altered", 6),
    ]
    assert plan.closers[1].what == "what is no UTF-8 in the line is replaced"
    with opened(carried_out(plan, tmp_path / "made")[-1], OPTIONS) as new:
        assert new.verdict().opens is True
        assert isinstance(new, CodexTape)
        assert repair(new).closers == ()


def test_a_header_behind_a_mark_is_found_in_a_new_log(tmp_path: Path) -> None:
    plan = repair(over(tmp_path, b"\xef\xbb\xbf" + tapes.text([tapes.meta(), *PLAIN])))
    assert [one.what.split(" (")[0] for one in plan.closers] == ["a log that is refused"]
    assert [record["type"] for record in records(plan)[:2]] == ["session_meta"] * 2
    assert texts_of(plan, tmp_path / "made") == ["q1", "a1", "q2", "a2", "q3", "a3"]


def test_a_log_that_nothing_is_made_of_says_why(tmp_path: Path) -> None:
    header = tapes.meta(history_mode="other")
    plan = repair(tapes.folded(tmp_path, *PLAIN, tapes.call("c1"), header=header))
    assert [one.does for one in plan.closers] == ["added"]
    assert (plan.writes, plan.remarks) == (
        (),
        ("Codex refuses the log: unknown history mode other",),
    )


def test_words_of_a_log_are_cleaned(tmp_path: Path) -> None:
    plan = repair(tapes.folded(tmp_path, tapes.call("c\x1b[2J\n1")))
    assert plan.closers[0].call_id is not None
    assert not {"\x1b", "\n"} & set(plan.closers[0].call_id)
