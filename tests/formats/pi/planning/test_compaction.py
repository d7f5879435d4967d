"""A compaction is appended as Pi appends one, and Pi's own division is told beside ours."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

from inspector.formats.planning import How, PlanKind
from inspector.plans.plan import Asked
from tests.formats.pi import sessions
from tests.formats.pi.planning.planned import lines, made, planned, said, summarised
from tests.formats.pi.sessions import (
    answer,
    compaction,
    edit,
    entry,
    folded,
    message,
    opened,
    result,
    surface,
    text_of,
    user,
)
from tests.plans.laws import MAKING

Json = dict[str, Any]


def turns(count: int, size: int = 1) -> list[Json]:
    """Prompts, each with an answer that calls, its result, and an answer."""
    found: list[Json] = []
    for at in range(count):
        above = f"d{at - 1}" if at else None
        found += [
            user(f"a{at}", above, f"prompt {at} ".ljust(size, "x")),
            answer(f"b{at}", f"a{at}", f"call {at}"),
            result(f"c{at}", f"b{at}", f"call {at}"),
            answer(f"d{at}", f"c{at}"),
        ]
    assert all(one["id"] == other["parentId"] for one, other in pairwise(found))
    return found


def compacted(tape: sessions.PiTape, rows: int) -> list[Json]:
    draft = tape.planner().compact(rows, "short", MAKING)
    text = b"".join(draft.writes[0].content())
    return [json.loads(line) for line in text.splitlines()]


def test_the_compaction_stands_below_the_last_entry_and_keeps_from_a_row_on(
    tmp_path: Path,
) -> None:
    tape = folded(tmp_path, *turns(4))
    plan = planned(tape, Asked(PlanKind.COMPACT, summary="short"))
    assert plan.is_sound
    (last,) = lines(plan)
    assert (plan.how, plan.writes[0][0].to) == (How.APPEND, tmp_path / sessions.NAME)
    assert {**last, "id": "?", "summary": "?"} == {
        "type": "compaction",
        "id": "?",
        "parentId": "d3",
        "timestamp": "2026-09-21T14:13:20.000Z",
        "summary": "?",
        "firstKeptEntryId": "a2",
        "tokensBefore": tape.timeline.tokens(16),
        "details": {"readFiles": [], "modifiedFiles": []},
    }
    assert last["summary"].endswith("short")
    assert surface(made(plan, tmp_path))[1:] == surface(tape)[8:]


def test_where_nothing_can_be_appended_a_copy_ends_with_the_compaction(tmp_path: Path) -> None:
    tape = opened(text_of(turns(1)) + b'{"type"', tmp_path)
    assert "torn" in str(tape.planner().ways(PlanKind.COMPACT)[How.APPEND])
    *copies, last = compacted(tape, 2)
    assert [one["id"] for one in copies[1:]] == ["a0", "b0", "c0", "d0"]
    assert (last["parentId"], last["firstKeptEntryId"]) == ("d0", "c0")
    assert surface(summarised(tape, 2, tmp_path)) == [last["id"], "c0", "d0"]


def test_nothing_hangs_on_an_entry_without_an_id(tmp_path: Path) -> None:
    last = user("x", "a")
    del last["id"]
    tape = folded(tmp_path, user("a", None), last)
    assert "has no id" in str(tape.planner().ways(PlanKind.COMPACT)[How.APPEND])
    assert len(surface(summarised(tape, 1, tmp_path))) == 2


def test_what_keeps_nothing_names_itself(tmp_path: Path) -> None:
    tape = folded(tmp_path, user("a", None), user("b", "a"))
    last = compacted(tape, 2)[-1]
    assert last["firstKeptEntryId"] == last["id"]


def test_a_compaction_of_a_compacted_session_hides_the_older_summary(tmp_path: Path) -> None:
    tape = folded(
        tmp_path, user("a", None), user("b", "a"), compaction("c", "b", "b"), user("d", "c")
    )
    assert surface(summarised(tape, 2, tmp_path))[1:] == ["d"]


def test_tokens_before_are_those_that_the_last_answer_reports_and_what_follows(
    tmp_path: Path,
) -> None:
    usage = {"totalTokens": 1_000}
    entries = [user("a", None), answer("b", "a", usage=usage), user("c", "b", "x" * 40)]
    assert compacted(folded(tmp_path, *entries), 1)[-1]["tokensBefore"] == 1_010
    entries.append(edit("e", "c", "a", "other"))
    tape = folded(tmp_path, *entries)
    assert compacted(tape, 1)[-1]["tokensBefore"] == tape.timeline.tokens(4)


def test_an_answer_that_failed_reports_nothing(tmp_path: Path) -> None:
    usage = {"totalTokens": 1_000}
    tape = folded(tmp_path, user("a", None), answer("b", "a", stop="error", usage=usage))
    assert compacted(tape, 1)[-1]["tokensBefore"] == tape.timeline.tokens(2)


def test_details_name_the_files_of_calls_that_are_hidden(tmp_path: Path) -> None:
    def calls(*made: tuple[str, str]) -> list[Json]:
        return [
            {"type": "toolCall", "id": path, "name": name, "arguments": {"path": path}}
            for name, path in made
        ]

    nested = {"calls": [{"name": "edit", "arguments": {"path": "by-script"}}]}
    told = {"readFiles": ["earlier"], "modifiedFiles": ["changed"]}
    tape = folded(
        tmp_path,
        compaction("o", None, details=told),
        message("a", "o", "assistant", calls(("read", "seen"), ("read", "both"), ("edit", "both"))),
        message("b", "a", "toolResult", [], toolCallId="x", nestedCalls=nested),
        message("c", "b", "assistant", calls(("write", "kept"))),
    )
    assert compacted(tape, 3)[-1]["details"] == {
        "readFiles": ["earlier", "seen"],
        "modifiedFiles": ["both", "by-script", "changed"],
    }


def test_what_the_system_said_becomes_one_message_before_the_summary(tmp_path: Path) -> None:
    tape = folded(
        tmp_path,
        message(
            *("s", None, "system", "one"),
            sections={"a": "1", "b": "2"},
            toolsAdded=[{"name": "read"}, {"name": "write"}],
        ),
        user("u", "s"),
        message(
            *("t", "u", "system", [{"type": "text", "text": "two"}]),
            sections={"b": None, "c": "3"},
            toolsRemoved=[{"name": "write"}],
        ),
        user("v", "t"),
    )
    last = compacted(tape, 2)[-1]
    assert last["systemMessage"] == {
        "role": "system",
        "content": "one\n\ntwo",
        "sections": {"a": "1", "c": "3"},
        "toolsAdded": [{"name": "read"}],
        "timestamp": MAKING.time,
    }
    assert surface(summarised(tape, 2, tmp_path)) == [last["id"], last["id"], "v"]


def test_an_edit_that_counts_no_more_behind_the_split_does_not_come_back(tmp_path: Path) -> None:
    tape = folded(tmp_path, edit("e", None, "b", "other"), user("a", "e"), user("b", "a"))
    assert surface(tape) == ["a", "b*"]
    assert "places are not sure" in str(tape.planner().ways(PlanKind.COMPACT)[How.APPEND])
    assert surface(summarised(tape, 1, tmp_path))[1:] == ["b*"]


# Pi's own division.


def test_pi_keeps_about_twenty_thousand_tokens(tmp_path: Path) -> None:
    tape = folded(tmp_path, *turns(6, size=20_000))
    found = tape.planner().split(None)
    # Four turns of more than 5,000 tokens each.
    assert found.rows == 8
    assert found.why.endswith("(format page 4.4): 16 rows")
    assert tape.planner().split(3) == found


def test_pi_never_begins_with_a_result_and_may_split_a_turn(tmp_path: Path) -> None:
    tape = folded(
        tmp_path,
        user("a", None),
        answer("b", "a", "one"),
        message("c", "b", "toolResult", "x" * 100_000, toolCallId="one"),
        answer("d", "c"),
    )
    found = tape.planner().split(None)
    assert found.rows == 3
    assert "a turn is split there" in found.why


def test_a_result_that_is_too_large_itself_is_kept_with_its_call(tmp_path: Path) -> None:
    tape = folded(
        tmp_path,
        user("a", None),
        answer("b", "a", "one"),
        message("c", "b", "toolResult", "x" * 100_000, toolCallId="one"),
    )
    assert tape.planner().split(None).rows == 1


def test_what_pi_would_keep_whole_is_not_divided(tmp_path: Path) -> None:
    tape = folded(tmp_path, *turns(3))
    assert tape.planner().split(None).why.startswith("nothing: all of it is kept")
    tape = folded(tmp_path, user("a", None), compaction("c", "a", "a"))
    assert "the last entry is a compaction already" in tape.planner().split(None).why


def test_an_answer_that_was_taken_away_again_is_summarised_too(tmp_path: Path) -> None:
    tape = folded(
        tmp_path,
        user("a", None),
        user("b", "a", "x" * 100_000),
        answer("c", "b", stop="error"),
        edit("e", "c", "c"),
    )
    assert surface(tape) == ["a", "b"]
    assert tape.planner().split(None).rows == 2


# What would be sent.


def test_the_conversation_is_one_text_and_a_summary_before_it_apart(tmp_path: Path) -> None:
    content = [
        {"type": "thinking", "thinking": "hm"},
        {"type": "text", "text": "yes"},
        {"type": "toolCall", "id": "1", "name": "read", "arguments": {"path": "f", "n": 1}},
    ]
    bash = {"role": "bashExecution", "command": "ls", "output": "f", "exitCode": 0}
    tape = folded(
        tmp_path,
        compaction("o", None),
        user("a", "o", "do it"),
        message("b", "a", "assistant", content),
        message("c", "b", "toolResult", [{"type": "text", "text": "found"}], toolCallId="1"),
        entry("message", "d", "c", message=bash),
        entry("message", "e", "d", message={**bash, "excludeFromContext": True}),
        entry("custom_message", "f", "e", customType="x", content="told"),
    )
    found = tape.planner().prompt(7)
    assert found.text.startswith(
        "<conversation>\n[User]: do it\n\n[Assistant]: yes\n\n"
        '[Assistant tool calls]: read(path="f", n=1)\n\n[Tool result]: found\n\n'
        "[User]: Ran `ls`\n```\nf\n```\n\n[User]: told\n</conversation>\n\n"
        "<previous-summary>\nsummary o\n</previous-summary>\n\n(and behind it"
    )
    assert (found.unit, found.limit, found.truncated) == ("characters", None, False)


def test_long_results_are_cut_at_two_thousand_units_and_never_within_a_character(
    tmp_path: Path,
) -> None:
    tape = folded(
        tmp_path,
        answer("a", None, "one"),
        message("b", "a", "toolResult", "x" * 1_999 + "😀yz", toolCallId="one"),
    )
    found = tape.planner().prompt(2)
    cut = "x" * 1_999 + "\n\n[... 3 more characters truncated]\n</conversation>"
    assert cut in found.text
    assert found.truncated


def test_secrets_are_masked(tmp_path: Path) -> None:
    secret = "sk-ant-" + "a1b2c3d4" * 6
    tape = folded(tmp_path, user("a", None, f"key {secret}"))
    assert secret not in tape.planner().prompt(1).text


def test_edited_rows_are_sent_as_edited(tmp_path: Path) -> None:
    tape = folded(tmp_path, user("a", None, "before"), edit("e", "a", "a", "after"))
    text = tape.planner().prompt(1).text
    assert "[User]: after" in text
    assert "before" not in text


def test_a_session_without_an_entry_has_nothing_to_compact_and_no_other_obstacle(
    tmp_path: Path,
) -> None:
    for content in (text_of([]), text_of([]) + b'{"id" broken\n'):
        tape = opened(content, tmp_path)
        assert tape.planner().ways(PlanKind.COMPACT)[How.APPEND] is None
        plan = planned(tape, Asked(PlanKind.COMPACT, degraded=True))
        assert plan.compaction is not None
        assert plan.compaction.owner[1].startswith("nothing: there is no row to summarise")
        assert [check.rule for check in plan.broken] == ["worth-it"]
        assert said(plan, "worth-it") == (False, "nothing worth it: 0 rows, fewer than 12")


def test_a_session_without_a_message_has_nothing_to_compact_either(tmp_path: Path) -> None:
    tape = folded(tmp_path, entry("model_change", "a", None, provider="p", modelId="m"))
    plan = planned(tape, Asked(PlanKind.COMPACT, degraded=True))
    assert (plan.how, [check.rule for check in plan.broken]) == (How.APPEND, ["worth-it"])
    assert plan.compaction is not None
    assert plan.compaction.owner[1].startswith("nothing: there is no row to summarise")


def with_systems() -> list[Json]:
    """Twenty-four messages, and before every sixth of them one of the system."""
    found: list[Json] = []
    for at, one in enumerate(turns(6, 20_000)):
        above = found[-1]["id"] if found else None
        if at % 6 == 0:
            found.append(message(f"s{at}", above, "system", f"system {at}"))
            above = f"s{at}"
        found.append({**one, "parentId": above})
    return found


def test_what_the_system_says_is_counted_once_and_the_same_everywhere(tmp_path: Path) -> None:
    tape = folded(tmp_path, *with_systems())
    nodes = tape.timeline.surface.nodes
    without = planned(tape, Asked(PlanKind.COMPACT))
    plan = planned(tape, Asked(PlanKind.COMPACT, summary="short"))
    assert plan.compaction is not None
    assert plan.is_sound
    hidden, (owners, why) = plan.compaction.hides, plan.compaction.owner
    assert {nodes.role(node).label for node in hidden} == {"user", "assistant", "tool"}
    # Eight rows of twenty-eight are kept; three of the others are the system's.
    assert plan.compaction.safe == len(hidden) == 17
    assert why.endswith(f": {24 - owners} rows")
    assert plan.effect.after.rows == len(surface(made(plan, tmp_path))) == 2 + 24 - 17
    # The same without a summary: what becomes of the system's rows is told by Pi's rule.
    assert (without.effect.after.rows, without.effect.summary) == (plan.effect.after.rows, None)
    assert plan.effect.summary is not None
    assert without.effect.after.tokens == plan.effect.after.tokens - plan.effect.summary
