"""A compaction as a plan: what the owner would do and ask, and the log that is made."""

from pathlib import Path

import pytest

from inspector.formats.codex.reading import CodexTape
from inspector.formats.planning import How, PlanKind
from inspector.plans.plan import Asked, Plan
from tests.formats.codex import tapes
from tests.formats.codex.planned import OPTIONS, broken, records
from tests.plans.laws import accounts_for_all, carried_out, opened, planned

TURNS = [
    record
    for number in range(8)
    for record in tapes.turn(f"t{number}", tapes.user(f"q{number}"), tapes.answer(f"a{number}"))
]
"""Eight turns, sixteen rows."""


def compact(tape: CodexTape, summary: str | None = "S", keep: int = 4) -> Plan:
    return planned(tape, Asked(PlanKind.COMPACT, summary=summary, keep_last=keep))


def test_the_owner_divides_nothing(tmp_path: Path) -> None:
    plan = compact(tapes.folded(tmp_path, *TURNS))
    assert plan.compaction is not None
    rows, why = plan.compaction.owner
    assert rows == 16
    assert why == (
        "Codex summarises the whole history; of the rows it keeps the person's newest messages, up "
        "to 20,000 tokens in all, and counts no rows (format page 2.9)"
    )
    assert plan.compaction.safe == 12
    assert plan.remarks[0] == (
        "Codex keeps the person's newest messages, up to 20,000 tokens in all, and nothing else "
        "(format page 2.9)"
    )


def test_a_summary_stands_for_the_first_rows_of_a_new_log(tmp_path: Path) -> None:
    tape = tapes.folded(tmp_path, *TURNS)
    plan = compact(tape)
    accounts_for_all(tape, plan)
    assert (plan.how, plan.kept, plan.is_sound) == (How.CREATE, 32, True)
    stored = records(plan)[-3]["payload"]
    assert stored["message"].startswith(tapes.PREFIX)
    assert [item["role"] for item in stored["replacement_history"]] == [
        *("user", "user", "assistant", "user", "assistant")
    ]
    with opened(carried_out(plan, tmp_path / "made")[-1], OPTIONS) as made:
        assert isinstance(made, CodexTape)
        said = tapes.texts(made)
        assert said[0] == stored["message"]
        assert said[1:] == ["q6", "a6", "q7", "a7"]
        assert made.verdict().opens is True
        nodes = made.timeline.surface.nodes
        roles = [nodes.role(row.node).label for row in made.timeline.rows(made.timeline.events)]
        assert roles == ["summary", "user", "assistant", "user", "assistant"]


def test_a_rollback_behind_it_does_not_count_the_summary(tmp_path: Path) -> None:
    path = carried_out(compact(tapes.folded(tmp_path, *TURNS)), tmp_path / "made")[-1]
    more = [*tapes.turn("n", tapes.user("q9")), tapes.rolled_back(1)]
    path.write_bytes(path.read_bytes() + tapes.text(more))
    with opened(path, OPTIONS) as made:
        assert isinstance(made, CodexTape)
        assert tapes.texts(made)[1:] == ["q6", "a6", "q7", "a7"]


def test_words_of_the_owner_before_a_summary_are_not_doubled(tmp_path: Path) -> None:
    quoted = f"{tapes.PREFIX}\n\nq0\n\nand so on"
    tape = tapes.folded(tmp_path, *TURNS)
    assert records(compact(tape, quoted))[-3]["payload"]["message"] == quoted
    made = records(compact(tape, f"{tapes.PREFIX}and so on"))[-3]["payload"]["message"]
    assert made == (f"{tapes.PREFIX}The person's first message, word for word:\n\nq0\n\nand so on")


def test_a_compaction_behind_a_rollback_holds(tmp_path: Path) -> None:
    tape = tapes.folded(tmp_path, *TURNS, tapes.rolled_back(1), tapes.user("q9"))
    with opened(carried_out(compact(tape), tmp_path / "made")[-1], OPTIONS) as made:
        assert isinstance(made, CodexTape)
        assert tapes.texts(made)[1:] == ["a5", "q6", "a6", "q9"]


def test_what_would_be_asked_is_the_history_as_it_is_sent(tmp_path: Path) -> None:
    key = "ghp_" + "a" * 36
    said = [tapes.user(f"use {key}"), tapes.call("c1", "ls"), tapes.output("c0"), *TURNS]
    plan = compact(tapes.folded(tmp_path, *said), None)
    assert plan.compaction is not None
    prompt = plan.compaction.prompt
    pieces = prompt.text.split("\n\n")
    assert pieces[0].startswith("[user]\nuse ")
    assert key not in prompt.text
    assert pieces[1:3] == ['[function_call c1]\nshell ["ls"]', "[function_call_output c1]\naborted"]
    assert pieces[3] == "[user]\nq0"
    assert pieces[-1].startswith("(and last, as a message of the user")
    assert (prompt.unit, prompt.limit, prompt.truncated) == ("bytes", None, False)
    assert prompt.length == len(prompt.text.encode())
    assert broken(plan) == ["summary"]


def test_a_log_in_which_a_turn_is_open_is_not_compacted(tmp_path: Path) -> None:
    tape = tapes.folded(tmp_path, *TURNS, tapes.started("t9"), tapes.user("q"), tapes.call("c"))
    plan = compact(tape)
    found = {check.rule: check for check in plan.checks if not check.ok}
    assert sorted(found) == ["open-turn", "pairing", "smaller", "unanswered-calls"]
    assert [rule for rule, check in found.items() if check.blocks] == ["open-turn"]
    assert found["open-turn"].message.startswith("a turn is open and would never end in the new")
    assert found["unanswered-calls"].message == (
        "1 call waits for its output: where none comes Codex puts “aborted” there in each request "
        "(RULES R5)"
    )
    assert not plan.is_sound
    whole = compact(tapes.folded(tmp_path, *TURNS))
    kept = {check.rule for check in whole.checks if check.ok}
    assert {"open-turn", "unanswered-calls"} <= kept


def test_the_same_is_looked_at_with_and_without_a_summary(tmp_path: Path) -> None:
    tape = tapes.folded(tmp_path, *TURNS, tapes.started("t9"), tapes.user("q"), tapes.call("c"))
    going_on = ("open-turn", "unanswered-calls", "pairing")
    without, given = (
        [check for check in compact(tape, summary).checks if check.rule in going_on]
        for summary in (None, "S")
    )
    assert without == given


def test_the_same_is_said_of_an_open_turn_where_too_little_is_there(tmp_path: Path) -> None:
    behind = (tapes.started("t9"), tapes.user("q"), tapes.call("c"))
    going_on = ("open-turn", "unanswered-calls")
    few, many = (
        [check for check in compact(tape).checks if check.rule in going_on]
        for tape in (tapes.folded(tmp_path, *turns, *behind) for turns in ((), TURNS))
    )
    assert few == many


def test_no_output_before_its_call_is_parted_from_it(tmp_path: Path) -> None:
    tape = tapes.folded(tmp_path, *TURNS, tapes.output("c"), tapes.call("c"))
    plan = compact(tape, keep=1)
    assert plan.compaction is not None
    assert (plan.compaction.safe, "pairing" in broken(plan)) == (16, False)
    assert plan.compaction.moved_because == ("moved back to row 16: #32 answers a call of #33",)
    with opened(carried_out(plan, tmp_path / "made")[-1], OPTIONS) as made:
        notes = [entry.note for entry in made.request(made.timeline.events)]
    assert notes == [None, None, None]


def test_instructions_are_not_the_launching_message(tmp_path: Path) -> None:
    text = "<user_instructions>\n\nbe kind\n\n</user_instructions>"
    tape = tapes.folded(tmp_path, tapes.user(text), tapes.user("deploy it please"), *TURNS)
    plan = compact(tape)
    assert plan.compaction is not None
    assert plan.compaction.launch == tape.timeline.surface.nodes.of_event(1)


@pytest.mark.parametrize(
    "text",
    [
        "<environment_context>\n<cwd>/w</cwd>\n</environment_context>",
        "# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nbe kind\n</INSTRUCTIONS>",
        "<user_instructions>be kind</user_instructions>\n",
        "<skill>s</skill>",
        "<user_shell_command>\n<command>\nls\n</command>\n</user_shell_command>",
        "<turn_aborted>\nby the user\n</turn_aborted>",
        "<subagent_notification>done</subagent_notification>",
        "<recommended_plugins>p</recommended_plugins>",
        "<goal_context>g</goal_context>",
        "<external_memory>m</external_memory>",
        '<hook_prompt hook_run_id="h">p</hook_prompt>',
        '<codex_internal_context source="s">c</codex_internal_context>',
        "<hook_prompt>p</hook_prompt>",
        "<collaboration_mode>m</collaboration_mode>",
        "<model_switch>m</model_switch>",
        "<personality_spec>p</personality_spec>",
        "<INSTRUCTIONS>be kind</INSTRUCTIONS>",
        "Warning: Your account was flagged",
        tapes.PREFIX + "an older summary",
        f"{tapes.PREFIX.partition('.')[0]}. It said: …",
    ],
)
def test_what_the_owner_puts_there_is_not_the_launching_message(tmp_path: Path, text: str) -> None:
    records = [tapes.user(text), tapes.heard(text), tapes.user("deploy it please"), *TURNS]
    tape = tapes.folded(tmp_path, *records)
    plan = compact(tape)
    assert plan.compaction is not None
    assert plan.compaction.launch == tape.timeline.surface.nodes.of_event(2)
