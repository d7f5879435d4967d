"""What is mended of a transcript: calls and results, chains, lines; always in a new session."""

from pathlib import Path
from typing import Any

import pytest

from inspector.formats.planning import Closer, PlanKind
from inspector.plans.plan import Asked
from tests.formats.claude.planned import (
    broken,
    by_id,
    content,
    fork,
    made,
    records,
    renamed,
    repair,
    shown_by,
)
from tests.formats.claude.transcripts import (
    Record,
    answer,
    attachment,
    boundary,
    call,
    folded,
    held,
    record,
    result,
    summary,
    text,
    user,
    written,
)
from tests.plans.laws import accounts_for_all, planned
from tests.untouched import untouched

UNKNOWN = "Interrupted: there is no result of this call. It may have run; its outcome is unknown."
NOT_RUN = "Interrupted: the call was not run. This is no failure; it may be called again."
STOPPED = (
    "Interrupted by the user: there is no result of this call. It may have run; its outcome is "
    "unknown. This is no failure; it may be called again."
)
BEGUN = "Interrupted: the call had begun, and there is no result. Its outcome is unknown."


def progress(kind: str, **more: str) -> Record:
    return record("progress", "p2", "a1", data={"type": kind}, **more)


def hook(kind: str, **more: str) -> Record:
    return attachment("h2", "a1", kind, toolUseID="c1", **more)


def said(one: dict[str, Any]) -> str:
    return str(one["message"]["content"][0]["content"])


def whats(folder: Path, said: list[Record]) -> list[str]:
    return [one.what for one in repair(folded(folder, said)).closers]


def test_nothing_is_done_to_a_whole_transcript(tmp_path: Path) -> None:
    plan = repair(folded(tmp_path, [user("u0", None), answer("a1", "u0")]))
    assert (plan.closers, plan.writes, plan.remarks) == ((), (), ())


def test_a_call_without_a_result_gets_one_that_is_no_failure(tmp_path: Path) -> None:
    tape = folded(
        tmp_path,
        [
            user("u0", None),
            answer("a1", "u0", call("c1"), of="m"),
            answer("a2", "a1", call("c2"), of="m"),
            result("r3", "a2", "c2"),
            user("u4", "r3", "[Request interrupted by user]"),
            answer("a5", "u4", call("c5")),
        ],
    )
    with untouched(tmp_path):
        plan = repair(tape)
    assert list(plan.closers) == [
        Closer(
            "tool_result",
            "added",
            f"call {name} gets a result: interrupted, its outcome is unknown",
            name,
            "unknown",
            event,
        )
        for name, event in (("c1", 1), ("c5", 5))
    ]
    made_up = [one for one in records(plan) if "forkedFrom" not in one and one["type"] == "user"]
    assert [said(one) for one in made_up] == [UNKNOWN, UNKNOWN]
    assert not any("is_error" in one["message"]["content"][0] for one in made_up)
    assert made_up[0]["sourceToolAssistantUUID"] == renamed("a1")
    assert shown_by(plan, tmp_path / "made") == "u0 a1 a2 r3 made u4 a5 made"
    assert repair(made(plan, tmp_path / "made")).closers == ()
    accounts_for_all(tape, plan)


def test_a_call_that_was_not_allowed_did_not_run(tmp_path: Path) -> None:
    denied = attachment("x2", "a1", "hook_permission_decision", decision="deny", toolUseID="c1")
    plan = repair(folded(tmp_path, [user("u0", None), answer("a1", "u0", call("c1")), denied]))
    assert [one.code for one in plan.closers] == ["not-run"]
    assert NOT_RUN in map(said, (one for one in records(plan) if "toolUseResult" in one))


@pytest.mark.parametrize(
    ("behind", "code", "output"),
    [
        ([user("u2", "a1", "[Request interrupted by user for tool use]")], "unknown", STOPPED),
        ([user("u2", "a1", "[Request interrupted by user]")], "unknown", UNKNOWN),
        ([user("u2", "a1", "go on")], "unknown", UNKNOWN),
        ([progress("bash_progress", parentToolUseID="c1")], "unknown", BEGUN),
        ([progress("mcp_progress", toolUseID="c1")], "unknown", BEGUN),
        ([progress("hook_progress", toolUseID="c1", parentToolUseID="c1")], "unknown", UNKNOWN),
        ([progress("bash_progress", parentToolUseID="c9")], "unknown", UNKNOWN),
        ([hook("hook_success", hookEvent="PostToolUse")], "unknown", BEGUN),
        ([hook("hook_success", hookEvent="PreToolUse")], "unknown", UNKNOWN),
        ([hook("hook_blocking_error", hookEvent="PreToolUse")], "not-run", NOT_RUN),
        ([hook("hook_permission_decision", decision="allow")], "unknown", UNKNOWN),
        (
            [
                progress("bash_progress", parentToolUseID="c1"),
                user("u2", "a1", "[Request interrupted by user for tool use]"),
            ],
            "unknown",
            BEGUN,
        ),
        (
            [
                user("u2", "a1", "go on"),
                answer("a3", "u2"),
                user("u4", "a3", "[Request interrupted by user for tool use]"),
            ],
            "unknown",
            UNKNOWN,
        ),
    ],
)
def test_what_is_known_of_a_call_without_a_result(
    tmp_path: Path, behind: list[Record], code: str, output: str
) -> None:
    plan = repair(folded(tmp_path, [user("u0", None), answer("a1", "u0", call("c1")), *behind]))
    assert [one.code for one in plan.closers] == [code]
    assert [said(one) for one in records(plan) if "toolUseResult" in one] == [output]
    assert repair(made(plan, tmp_path / "made")).closers == ()


def test_each_of_two_calls_with_one_id_has_its_own_result(tmp_path: Path) -> None:
    tape = folded(
        tmp_path,
        [
            user("u0", None),
            answer("a1", "u0", call("c1")),
            answer("a2", "a1"),
            answer("a3", "a2", call("c1")),
            result("r4", "a3", "c1"),
            answer("a5", "r4"),
        ],
    )
    plan = repair(tape)
    assert [(one.does, one.call_id, one.event) for one in plan.closers] == [("added", "c1", 1)]
    assert shown_by(plan, tmp_path / "made") == "u0 a1 made a2 a3 r4 a5"
    assert repair(made(plan, tmp_path / "made")).closers == ()
    accounts_for_all(tape, plan)
    assert fork(tape, 2).is_sound
    assert not fork(tape, 4).is_sound


def test_two_calls_of_one_message_with_one_id_have_two_results(tmp_path: Path) -> None:
    plan = repair(
        folded(
            tmp_path,
            [
                user("u0", None),
                answer("a1", "u0", call("c1"), of="m"),
                answer("a2", "a1", call("c1"), of="m"),
                result("r3", "a2", "c1"),
                answer("a4", "r3"),
            ],
        )
    )
    assert [(one.does, one.event) for one in plan.closers] == [("added", 2)]
    assert shown_by(plan, tmp_path / "made") == "u0 a1 a2 r3 made a4"
    assert repair(made(plan, tmp_path / "made")).closers == ()


def test_a_persons_words_stay_where_they_were_said(tmp_path: Path) -> None:
    both = result("r3", "a2", "c1", "c9")
    both["message"]["content"].insert(0, text("the person's words"))
    plan = repair(
        folded(
            tmp_path,
            [
                user("u0", None),
                answer("a1", "u0", call("c1")),
                answer("a2", "a1"),
                both,
                answer("a4", "r3"),
            ],
        )
    )
    assert [(one.does, one.call_id) for one in plan.closers] == [
        ("altered", "c1"),
        ("dropped", "c9"),
    ]
    assert shown_by(plan, tmp_path / "made") == "u0 a1 made a2 r3 a4"
    assert by_id(plan)["r3"]["message"]["content"] == [text("the person's words")]


def test_results_without_calls_are_left_out(tmp_path: Path) -> None:
    tape = folded(
        tmp_path,
        [
            user("u0", None),
            result("r1", "u0", "c0"),
            answer("a2", "r1", call("c2")),
            result("r3", "a2", "c2", "c9"),
            result("r4", "r3", "c2"),
        ],
    )
    plan = repair(tape)
    assert [one.call_id for one in plan.closers] == ["c0", "c9", "c2"]
    assert shown_by(plan, tmp_path / "made") == "u0 a2 r3"
    blocks = by_id(plan)["r3"]["message"]["content"]
    assert [block["tool_use_id"] for block in blocks] == ["c2"]
    assert plan.left == {"results without a call": 2}
    accounts_for_all(tape, plan)


def test_a_result_is_put_behind_its_call(tmp_path: Path) -> None:
    plan = repair(
        folded(
            tmp_path,
            [
                user("u0", None),
                answer("a1", "u0", call("c1")),
                user("u2", "a1", "and this"),
                answer("a3", "u2"),
                result("r4", "a3", "c1"),
            ],
        )
    )
    assert [one.what for one in plan.closers] == ["the result of call c1 is put behind its call"]
    assert shown_by(plan, tmp_path / "made") == "u0 a1 r4 u2 a3"


def test_a_result_above_its_call_is_put_behind_it(tmp_path: Path) -> None:
    tape = folded(
        tmp_path,
        [
            user("u0", None),
            result("r1", "u0", "c1"),
            answer("a2", "r1", call("c1")),
            answer("a3", "a2"),
        ],
    )
    plan = repair(tape)
    assert [(one.does, one.what, one.event) for one in plan.closers] == [
        ("altered", "the result of call c1 is put behind its call", 1)
    ]
    assert shown_by(plan, tmp_path / "made") == "u0 a2 r1 a3"
    assert said(by_id(plan)["r1"]) == "done"
    assert repair(made(plan, tmp_path / "made")).closers == ()
    accounts_for_all(tape, plan)


def test_of_a_row_above_that_says_more_only_the_result_is_put_behind_its_call(
    tmp_path: Path,
) -> None:
    both = result("r2", "a1", "c1", "c3", "c9")
    both["message"]["content"].append(text("and the person's words"))
    tape = folded(
        tmp_path,
        [
            user("u0", None),
            answer("a1", "u0", call("c1")),
            both,
            answer("a3", "r2", call("c3")),
            answer("a4", "a3"),
        ],
    )
    plan = repair(tape)
    assert [(one.does, one.call_id) for one in plan.closers] == [
        ("dropped", "c9"),
        ("altered", "c3"),
    ]
    assert shown_by(plan, tmp_path / "made") == "u0 a1 r2 a3 made a4"
    blocks = by_id(plan)["r2"]["message"]["content"]
    assert [block.get("tool_use_id") for block in blocks] == ["c1", None]
    made_up = [one for one in records(plan) if "forkedFrom" not in one and "message" in one]
    assert [said(one) for one in made_up] == ["done"]
    assert repair(made(plan, tmp_path / "made")).closers == ()
    accounts_for_all(tape, plan)


def test_results_above_of_calls_of_two_messages_are_parted(tmp_path: Path) -> None:
    tape = folded(
        tmp_path,
        [
            user("u0", None),
            result("r1", "u0", "c2", "c3"),
            answer("a2", "r1", call("c2")),
            answer("a3", "a2", call("c3")),
        ],
    )
    plan = repair(tape)
    assert shown_by(plan, tmp_path / "made") == "u0 a2 made a3 made"
    assert [one.does for one in plan.closers] == ["altered", "altered"]
    assert b"outcome is unknown" not in content(plan)
    assert [why for why in plan.left if "put behind" in why]
    accounts_for_all(tape, plan)


def test_of_a_row_far_below_only_the_result_is_put_behind_its_call(tmp_path: Path) -> None:
    late = result("r4", "a3", "c1")
    late["message"]["content"].insert(0, text("the person's words"))
    tape = folded(
        tmp_path,
        [
            user("u0", None),
            answer("a1", "u0", call("c1")),
            user("u2", "a1"),
            answer("a3", "u2", call("c3")),
            late,
            result("r5", "r4", "c3"),
        ],
    )
    plan = repair(tape)
    assert shown_by(plan, tmp_path / "made") == "u0 a1 made u2 a3 r5 r4"
    assert [block["type"] for block in by_id(plan)["r4"]["message"]["content"]] == ["text"]
    assert repair(made(plan, tmp_path / "made")).closers == ()
    accounts_for_all(tape, plan)


def test_a_result_of_another_call_with_the_same_id_answers_no_later_one(tmp_path: Path) -> None:
    plan = repair(
        folded(
            tmp_path,
            [
                user("u0", None),
                answer("a1", "u0", call("c1")),
                result("r2", "a1", "c1"),
                answer("a3", "r2", call("c1")),
            ],
        )
    )
    assert [(one.does, one.code) for one in plan.closers] == [("added", "unknown")]


def test_arguments_that_are_no_object_are_none(tmp_path: Path) -> None:
    torn = {"type": "tool_use", "id": "c1", "name": "Bash", "input": '{"command": "l'}
    plan = repair(
        folded(tmp_path, [user("u0", None), answer("a1", "u0", torn), result("r2", "a1", "c1")])
    )
    assert [one.does for one in plan.closers] == ["altered"]
    assert by_id(plan)["a1"]["message"]["content"][0]["input"] == {}


def test_a_broken_chain_is_joined_by_a_guess_that_is_named(tmp_path: Path) -> None:
    tape = folded(
        tmp_path,
        [user("u0", None), answer("a1", "u0"), user("u2", "ghost"), answer("a3", "u2")],
    )
    plan = repair(tape)
    assert [(one.code, one.event) for one in plan.closers] == [("file-order-neighbour", 2)]
    assert plan.closers[0].what == (
        "its parent ghost is not in this file; it is hung on line 2, its neighbour in the file: "
        "a guess"
    )
    for policy in ("sdk-js", "sdk-js:reload", "sdk-py"):
        assert shown_by(plan, tmp_path / policy, policy) == "u0 a1 u2 a3"
    assert repair(made(plan, tmp_path / "again")).closers == ()


def test_a_parent_that_is_not_there_and_nothing_before_it(tmp_path: Path) -> None:
    assert whats(tmp_path, [user("u0", "ghost"), answer("a1", "u0")]) == [
        "its parent ghost is not in this file; nothing stands before it, and it names none"
    ]


def test_a_torn_tail_and_a_damaged_line_are_mended(tmp_path: Path) -> None:
    lines = written([user("u0", None), answer("a1", "u0"), user("u2", "a1")]).splitlines()
    path = tmp_path / "torn.jsonl"
    path.write_bytes(lines[0] + lines[1] + b"\n" + lines[2] + b"\n" + b'{"type":"us')
    plan = repair(held(path))
    assert [(one.type, one.does) for one in plan.closers] == [
        ("user", "altered"),
        ("assistant", "altered"),
        ("line", "dropped"),
    ]
    assert shown_by(plan, tmp_path / "made", "sdk-js:reload") == "u0 a1 u2"
    assert repair(made(plan, tmp_path / "made")).closers == ()


def test_a_boundary_on_which_the_reader_fails_keeps_nothing(tmp_path: Path) -> None:
    bad = boundary("b2", preservedMessages={"anchorUuid": "s3"})
    plan = repair(
        folded(tmp_path, [user("u0", None), answer("a1", "u0"), bad, summary("s3", "b2")])
    )
    assert [one.type for one in plan.closers] == ["compact_boundary"]
    new = made(plan, tmp_path / "made")
    assert (new.verdict().opens, repair(new).closers) == (True, ())


def test_what_a_compaction_hid_travels_in_a_repair(tmp_path: Path) -> None:
    plan = repair(
        folded(
            tmp_path,
            [
                user("u0", None),
                answer("a1", "u0"),
                boundary("b2"),
                summary("s3", "b2"),
                answer("a4", "s3", call("c4")),
            ],
        )
    )
    assert list(by_id(plan)) == ["u0", "a1", "b2", "s3", "a4"]
    assert shown_by(plan, tmp_path / "made") == "s3 a4 made"
    assert broken(plan) == []


def test_a_subagents_transcript_is_told_of_and_not_mended(tmp_path: Path) -> None:
    said = [user("u0", None), answer("a1", "u0", call("c1"))]
    plan = repair(folded(tmp_path, [{**one, "isSidechain": True} for one in said]))
    assert ([one.call_id for one in plan.closers], plan.writes) == (["c1"], ())
    assert (broken(plan), plan.is_sound) == (["session"], False)
    why = next(one.message for one in plan.checks if not one.ok)
    assert why.startswith("it cannot be mended: it is the transcript of a subagent")


@pytest.mark.parametrize("cut", [1, 2])
def test_a_resume_writes_nothing(tmp_path: Path, cut: int) -> None:
    tape = folded(tmp_path, [user("u0", None), answer("a1", "u0")])
    plan = planned(tape, Asked(PlanKind.RESUME, cut))
    assert (len(plan.request), plan.writes) == (cut, ())
