"""What is mended of a log: in the request by the owner, and by a new log."""

from pathlib import Path
from typing import Any

import pytest

from inspector.formats.codex.reading import CodexTape
from inspector.formats.planning import Closer
from tests.formats.codex import tapes
from tests.formats.codex.planned import OPTIONS, PLAIN, content, records, repair, texts_of
from tests.plans.laws import accounts_for_all, carried_out, opened
from tests.untouched import untouched

NOT_BEGUN = (
    "nothing says that it had begun: interrupted, and not run as far as the log tells; it may be "
    "called again"
)
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
    added = f"an output that says “aborted”, behind its call; {NOT_BEGUN}"
    other = (
        "an output that says “aborted”, behind its call; an output with its id stands on the log "
        "as #4, in another kind: its outcome is not known"
    )
    dropped = "an output of which no call"
    assert list(plan.closers) == [
        Closer("function_call_output", "added", added, "c1", "aborted", 1),
        Closer("custom_tool_call_output", "added", other, "c2", "aborted", 2),
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
        "the model sees other rows by the new log: Codex reads in it what it skips now"
    )
    assert (plan.effect.before, plan.effect.after) == ((6, 6), (4, 4))
    assert texts_of(plan, tmp_path / "made") == ["q1", "a1", "q2", "a2"]


def test_that_the_model_sees_the_same_of_a_mended_log_is_told(tmp_path: Path) -> None:
    lines = tapes.lines([tapes.meta(), *PLAIN])
    plan = repair(over(tmp_path, b"\n".join([*lines[:-1], lines[-1] + lines[-1], b""])))
    assert plan.writes
    (check,) = [check for check in plan.checks if check.rule == "model-view"]
    assert (check.ok, check.message) == (True, "the model sees the same rows by the new log")


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
    assert (plan.writes, plan.is_sound) == ((), False)
    whys = {check.rule: check.message for check in plan.checks if not check.ok}
    assert whys == {
        "verdict": "Codex does not open the tape: unknown history mode other; nothing is written",
        "mendable": "it cannot be mended: Codex refuses the log: unknown history mode other",
    }


def test_words_of_a_log_are_cleaned(tmp_path: Path) -> None:
    plan = repair(tapes.folded(tmp_path, tapes.call("c\x1b[2J\n1")))
    assert plan.closers[0].call_id is not None
    assert not {"\x1b", "\n"} & set(plan.closers[0].call_id)


# Calls without an output.


def course(folder: Path, *records: tapes.Record) -> str:
    """What is said of a call without an output, behind what is always said."""
    plan = repair(tapes.folded(folder, tapes.user("q"), tapes.call("c"), *records))
    (closer,) = (one for one in plan.closers if one.call_id == "c")
    always, _, told = closer.what.partition("; ")
    assert (always, closer.code) == ("an output that says “aborted”, behind its call", "aborted")
    return told


@pytest.mark.parametrize(
    ("records", "told"),
    [
        ([], NOT_BEGUN),
        ([tapes.event("exec_command_begin", call_id="other")], NOT_BEGUN),
        (
            [tapes.event("exec_command_begin", call_id="c")],
            "it had begun: its outcome is not known",
        ),
        (
            [tapes.event("exec_command_begin", call_id="c"), tapes.started("t2")],
            "it had begun: its outcome is not known",
        ),
        (
            [tapes.event("exec_command_end", call_id="c", exit_code=3)],
            "it had ended (exit 3), and its output is not in the history",
        ),
        (
            [tapes.event("patch_apply_end", call_id="c", success=False)],
            "it had ended (not applied), and its output is not in the history",
        ),
        (
            [tapes.event("mcp_tool_call_end", call_id="c", result={"Err": "no"})],
            "it had ended (failed), and its output is not in the history",
        ),
        (
            [tapes.event("exec_approval_request", call_id="c")],
            "nobody had allowed it: it was not run, and may be called again",
        ),
        (
            [
                tapes.event("exec_approval_request", call_id="c"),
                tapes.event("exec_command_begin", call_id="c"),
            ],
            "it had begun: its outcome is not known",
        ),
        (
            [tapes.event("guardian_assessment", id="c", status="denied")],
            "nobody had allowed it: it was not run, and may be called again",
        ),
        ([tapes.event("guardian_assessment", id="c", status=["denied"])], NOT_BEGUN),
        (
            [tapes.item("function_call_output", call_id="c", output=7, extra=1), tapes.user("x")],
            None,
        ),
    ],
)
def test_how_far_a_call_without_an_output_came_is_told(
    tmp_path: Path, records: list[tapes.Record], told: str | None
) -> None:
    if told is not None:
        assert course(tmp_path, *records) == told
    else:
        # The output is mended, so that none is made up.
        plan = repair(tapes.folded(tmp_path, tapes.user("q"), tapes.call("c"), *records))
        assert [one.does for one in plan.closers] == ["altered"]


def test_a_note_before_a_call_is_not_of_it(tmp_path: Path) -> None:
    begun = tapes.event("exec_command_begin", call_id="c")
    plan = repair(tapes.folded(tmp_path, begun, tapes.call("c")))
    assert plan.closers[0].what.endswith(NOT_BEGUN)


def test_an_output_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    unread = tapes.item("function_call_output", call_id="c")
    told = course(tmp_path, unread)
    assert told == "it had ended: its output stands on the log as #2, and Codex cannot read it"


def test_an_open_turn_is_told(tmp_path: Path) -> None:
    plan = repair(tapes.folded(tmp_path, *PLAIN, tapes.started("t4"), tapes.user("q4")))
    (told,) = plan.remarks
    assert told == "a turn is open: Codex never ends it, and begins another one behind it"


# What is said in no text.


def test_calls_and_outputs_that_are_no_text_are_spelled_in_a_new_log(tmp_path: Path) -> None:
    given: list[Any] = [{"command": ["ls"]}, True, None]
    calls = [
        tapes.item("function_call", name="shell", arguments=value, call_id=f"c{number}")
        for number, value in enumerate(given)
    ]
    outputs = [
        tapes.item("function_call_output", call_id=f"c{number}", output={"output": "done"})
        for number in range(3)
    ]
    custom = tapes.item("custom_tool_call", name="apply_patch", input={"p": 1}, call_id="k")
    tape = tapes.folded(tmp_path, tapes.user("q"), *calls, *outputs, custom)
    assert tape.timeline.count(tape.timeline.events) == 1
    with untouched(tmp_path):
        plan = repair(tape)
        made = [record["payload"] for record in records(plan)[2:]]
    accounts_for_all(tape, plan)
    assert [item.get("arguments") for item in made[1:4]] == ['{"command":["ls"]}', "{}", "{}"]
    assert [item["output"] for item in made[4:7]] == ['{"output":"done"}'] * 3
    assert made[7]["input"] == '{"p":1}'
    assert (plan.kept, dict(plan.left)) == (8, {})
    assert [(one.does, one.event) for one in plan.closers] == [
        ("added", 7),
        *(("altered", event) for event in range(1, 8)),
    ]
    become = "its arguments are no text, so that Codex skips the line: they become {}"
    assert [one.event for one in plan.closers if one.what == become] == [2, 3]
    assert (plan.effect.before.rows, plan.effect.after.rows) == (1, 8)
    with opened(carried_out(plan, tmp_path / "made")[-1], OPTIONS) as new:
        assert isinstance(new, CodexTape)
        assert tapes.codes(new) == ["missing-parent"]
        assert repair(new).writes == ()


@pytest.mark.parametrize(
    "broken",
    [
        tapes.item("function_call", name="shell", arguments={}),
        tapes.item("function_call", arguments={}, call_id="c"),
        tapes.item("function_call_output", call_id="c"),
        tapes.item("function_call_output", call_id="c", output=None),
        tapes.item("function_call_output", output={}),
        tapes.item("message", role="user", content="q"),
        {"type": "event_msg", "payload": {"type": "function_call", "arguments": {}}},
    ],
)
def test_what_cannot_be_spelled_stays_as_it_is(tmp_path: Path, broken: tapes.Record) -> None:
    plan = repair(tapes.folded(tmp_path, *PLAIN, broken))
    assert (plan.closers, plan.writes) == ((), ())


def test_arguments_that_are_no_json_are_told_and_sent_as_they_stand(tmp_path: Path) -> None:
    def asked(call: str, given: str) -> tapes.Record:
        return tapes.item("function_call", name="shell", arguments=given, call_id=call)

    given = ['{"command": ["rm"', "NaN", "{}", "", '"x"']
    calls = [asked(str(number), value) for number, value in enumerate(given)]
    outputs = [tapes.output(str(number)) for number in range(len(given))]
    plan = repair(tapes.folded(tmp_path, tapes.user("q"), *calls, *outputs))
    assert (plan.closers, plan.writes) == ((), ())
    (told,) = plan.remarks
    assert told == (
        "2 calls have arguments that are no JSON, the first #1: Codex sends them as they stand, "
        "and so nothing is altered"
    )


def test_what_is_missing_in_a_new_log_is_told_of_that(tmp_path: Path) -> None:
    lines = tapes.lines(
        [tapes.meta(), tapes.user("q"), tapes.call("c"), tapes.user("x"), tapes.output("c")]
    )
    # The call is in a line that is skipped: mended, it has its output.
    glued = b"\n".join([lines[0], lines[1], lines[2] + lines[3], lines[4], b""])
    tape = over(tmp_path, glued)
    assert [entry.note for entry in tape.request(tape.timeline.events)] == [None, "dropped"]
    plan = repair(tape)
    assert [(one.does, one.event) for one in plan.closers] == [("altered", 1), ("altered", 2)]
    assert IN_MEMORY not in plan.remarks
