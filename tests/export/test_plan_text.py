"""The text of a plan: its sections in one order, each thing said once, secrets masked."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from inspector.export import plan_compaction, plan_request, plan_text
from inspector.export.plan import document
from inspector.formats.contract import Options, RequestEntry
from inspector.formats.parts import Call, Result
from inspector.formats.planning import Closer, How, PlanKind, Repair
from inspector.plans.cutting import snapped
from inspector.plans.plan import Asked, NotUndone, Seen
from inspector.timeline.words import Outcome, SpanKind
from tests.commands import SAMPLES
from tests.plans.laws import opened, planned
from tests.plans.planners import Planned
from tests.plans.test_changes import calls

DEMO = SAMPLES / "demo.jsonl"
TELLING = "curl --token hunter2xyz https://x"


def lines(tape: Planned, asked: Asked) -> list[str]:
    return list(plan_text.text(tape.tape, planned(tape.tape, asked)))


def talk(rows: int) -> Planned:
    tape = Planned()
    for at in range(rows):
        tape.human(f"question {at}")
    return tape


def starting(found: list[str], start: str) -> list[str]:
    return [line for line in found if line.startswith(start)]


def test_the_sections_come_in_their_order() -> None:
    with opened(DEMO, Options()) as tape:
        plan = planned(tape, Asked(PlanKind.FORK, 208))
        parts = [line for name in plan_text.ORDER for line in plan_text.section(tape, plan, name)]
        assert parts == list(plan_text.text(tape, plan))
    words = ["PLAN ", "cut at ", "how: ", "history ", "keep ", "model view ", "✓ ", "changes "]
    words += ["NOT undone", "would create", "secrets are masked", "bound to", "inspector plan "]
    places = [next(at for at, one in enumerate(parts) if one.startswith(word)) for word in words]
    assert places == sorted(places)


KINDS: list[Callable[[int], Asked]] = [
    lambda _head: Asked(PlanKind.FORK),
    lambda head: Asked(PlanKind.FORK, head // 2),
    lambda head: Asked(PlanKind.REWIND, head // 3),
    lambda _head: Asked(PlanKind.COMPACT),
    lambda _head: Asked(PlanKind.COMPACT, degraded=True, keep_last=2),
    lambda _head: Asked(PlanKind.REPAIR),
    lambda head: Asked(PlanKind.RESUME, head // 2),
]


@pytest.mark.parametrize(
    "path",
    [
        DEMO,
        SAMPLES / "open-turn.jsonl",
        SAMPLES / "torn-tail.jsonl",
        SAMPLES / "zero" / "lantern-fork",
        *(SAMPLES / "claude").glob("*.jsonl"),
        *(SAMPLES / "codex").glob("*a1.jsonl"),
    ],
    ids=lambda path: str(path.name)[:20],
)
def test_no_sentence_is_said_twice(path: Path) -> None:
    with opened(path, Options()) as tape:
        for asked in (kind(tape.timeline.events) for kind in KINDS):
            found = list(plan_text.text(tape, planned(tape, asked)))
            told = [line.removeprefix("note: ").split(": ", 1)[-1] for line in found]
            # What a history weighs, what is said by several people and what is free may be alike.
            told = [one for one in told if not one.startswith(("history", " ")) and len(one) > 30]
            assert len(told) == len(set(told)), sorted(told)


def test_both_ways_that_are_not_open_for_one_reason_give_it_once() -> None:
    tape = talk(2)
    tape.owner.open = dict.fromkeys(How, "nothing is written")
    found = lines(tape, Asked(PlanKind.RESUME))
    words = "how: a new tape and append to the tape: no, nothing is written"
    assert starting(found, "how: ")[0] in (
        words,
        words.replace("a new tape and append to the tape", "append to the tape and a new tape"),
    )


# A compaction.


def test_a_compaction_says_what_it_hides_and_what_the_model_sees_then() -> None:
    tape = talk(20)
    found = lines(tape, Asked(PlanKind.COMPACT))
    (effect,) = starting(found, "model view ")
    assert effect.startswith("model view 20 -> 9 rows, ")
    assert " and the summary's (" in effect
    at = found.index(starting(found, "hides ")[0])
    assert found[at].endswith(", from #0 to #11")
    assert found[at].startswith("hides 12 rows, ")
    assert found[at + 1] == "  first     #0  user       question 0"
    assert found[at + 2] == "  last     #11  user       question 11"
    assert "the launching message, #0, would be quoted word for word in the summary" in found


def test_a_compaction_says_what_its_summary_weighs() -> None:
    tape = talk(20)
    found = lines(tape, Asked(PlanKind.COMPACT, summary="x" * 2_000))
    assert ", 514 of the summary (" in starting(found, "model view ")[0]
    assert "the launching message, #0, is quoted word for word in the summary" in found


@pytest.mark.parametrize(
    ("before", "after", "words"),
    [
        (951, 919, "951 -> 919 tokens (-32, "),
        (41_213, 41_184, "41,213 -> 41,184 tokens (-29, "),
        (41_213, 41_213, "41.2k -> 41.2k tokens (+0, "),
        (41_213, 20_100, "41.2k -> 20.1k tokens (-21.1k, "),
        (12, 1, "12 -> 1 token (-11, "),
    ],
)
def test_both_sides_of_a_change_tell_it(before: int, after: int, words: str) -> None:
    tape = talk(2)
    plan = planned(tape.tape, Asked(PlanKind.FORK))
    effect = replace(plan.effect, before=Seen(2, before), after=Seen(2, after))
    (line,) = plan_text.section(tape.tape, replace(plan, effect=effect), "effect")
    assert line.startswith(f"model view 2 -> 2 rows, {words}estimate")


def test_a_compaction_that_saves_nothing_says_so() -> None:
    tape = talk(20)
    long, short = (
        starting(lines(tape, Asked(PlanKind.COMPACT, summary="x" * size)), "! smaller: ")
        for size in (9_000, 4)
    )
    assert long[0].endswith(" tokens more than now: nothing is saved")
    assert short == []
    assert starting(lines(tape, Asked(PlanKind.COMPACT)), "! smaller") == []


def test_a_cut_that_was_moved_says_from_where_and_why() -> None:
    with opened(DEMO, Options()) as tape:
        plan = planned(tape, snapped(tape, Asked(PlanKind.FORK, 200), forward=False))
        (line,) = plan_text.section(tape, plan, "cut")
        assert "cut at 158, behind @157; asked for 200: a turn is open there; moved back" in line
        cut = document(tape, plan)["cut"]
    assert (cut["asked"], cut["taken"], cut["why"]) == (200, 158, "a turn is open there")


def test_what_writes_nothing_takes_no_way() -> None:
    tape = talk(2)
    (line,) = starting(lines(tape, Asked(PlanKind.REPAIR)), "how: ")
    assert "(taken)" not in line
    (line,) = starting(lines(tape, Asked(PlanKind.FORK)), "how: ")
    assert "a new tape (taken)" in line


def test_all_rows_that_are_hidden_are_in_the_document() -> None:
    tape = talk(20)
    plan = planned(tape.tape, Asked(PlanKind.COMPACT))
    hidden = document(tape.tape, plan)["hidden"]
    assert (hidden["first_event"], hidden["last_event"]) == (0, 11)
    assert [row["preview"] for row in hidden["rows"]] == [f"question {at}" for at in range(12)]
    assert hidden["tokens"] == sum(row["tokens"] for row in hidden["rows"])


def test_a_compaction_of_nothing_hides_nothing() -> None:
    tape = talk(3)
    plan = planned(tape.tape, Asked(PlanKind.COMPACT))
    assert plan.compaction is not None
    assert not list(plan_compaction.hides_lines(tape.tape, plan.compaction))
    assert not plan_compaction.launch_line(tape.tape, plan.compaction)
    assert document(tape.tape, plan)["hidden"]["rows"] == []


# A request.


def request(tape: Planned, *entries: RequestEntry) -> list[str]:
    tape.request = lambda _cursor: list(entries)  # type: ignore[method-assign]
    plan = planned(tape.tape, Asked(PlanKind.RESUME))
    return list(plan_request.request_lines(tape.tape, plan))


def test_a_resume_lists_the_next_request_with_what_is_done_and_why() -> None:
    tape = talk(2)
    found = request(
        tape,
        RequestEntry(tape.rows[0], role="user"),
        RequestEntry(tape.rows[1], "dropped", role="user", why="it is empty"),
        RequestEntry(None, "added", "result", "tool", "a" * 8, why="its call has none"),
    )
    weight = tape.timeline.surface.nodes.tokens[tape.rows[0]]
    total = weight + 2
    assert found[0] == f"next request: 3 entries: 1 added, 1 dropped; {total} tokens in all"
    assert found[1] == f"  1       #0  user       {'message':<20}  {weight:>5}  question 0"
    assert found[2].endswith("    0  [dropped: it is empty] question 1")
    added = f"  3        -  tool       {'result':<20}  {2:>5}  [added: its call has none] aaaaaaaa"
    assert found[3:] == [added]


def test_the_middle_of_a_long_request_is_told_by_its_number() -> None:
    tape = talk(100)
    entries = [RequestEntry(node, role="user") for node in tape.rows]
    entries[50] = RequestEntry(tape.rows[50], "dropped", role="user")
    found = request(tape, *entries)
    assert len(found) == 1 + 10 + 1 + 1 + 1 + 10
    assert found[11] == "  … between: 40 entries, all sent as they stand"
    assert found[12].split()[:2] == ["51", "#50"]
    assert found[13] == "  … between: 39 entries, all sent as they stand"
    assert found[-1].split()[0] == "100"


def test_many_that_are_dropped_are_counted() -> None:
    tape = talk(200)
    entries = [RequestEntry(node, "dropped", role="user") for node in tape.rows]
    found = request(tape, *entries)
    assert len(found) < 60
    assert any("between: 160 entries: 160 dropped" in line for line in found)


def test_a_request_that_the_owner_never_makes_says_so() -> None:
    with opened(SAMPLES / "future-version.jsonl", Options()) as tape:
        plan = planned(tape, Asked(PlanKind.RESUME))
        heading = plan_request.request_heading(plan)
    assert "so nothing is sent" in heading


def test_a_request_of_nothing_has_no_weight() -> None:
    assert request(Planned()) == ["next request: nothing would be sent"]


def test_a_cursor_that_is_past_is_called_so() -> None:
    tape = talk(5)
    found = lines(tape, Asked(PlanKind.RESUME, 2))
    assert "at 2, behind #1, which is past: the head is 5" in found
    assert any("to go on from 2 make a fork there" in line for line in found)
    assert "at 5, behind #4, which is the head" in lines(tape, Asked(PlanKind.RESUME, 5))


# Secrets.


def test_a_page_says_once_that_secrets_are_masked_and_shows_none() -> None:
    tape = talk(14)
    calls(tape, Call("one", "bash", {"command": TELLING}))
    tape.human(f"run {TELLING}")
    tape.builder.close(SpanKind.TOOL_CALL, "one", Outcome.OK)
    tape.owner.mends = Repair((Closer("x", "added", f"quotes {TELLING}"),), None, "in memory")
    for asked in (
        Asked(PlanKind.FORK, 14),
        Asked(PlanKind.COMPACT, degraded=True, keep_last=1),
        Asked(PlanKind.COMPACT, summary=f"they ran {TELLING}"),
        Asked(PlanKind.REPAIR),
        Asked(PlanKind.RESUME),
    ):
        found = lines(tape, asked)
        plan = planned(tape.tape, asked)
        told = {key: value for key, value in document(tape.tape, plan).items() if key != "asked"}
        assert "hunter2xyz" not in "\n".join(found), asked
        assert "hunter2xyz" not in str(told), asked
        assert sum("secrets are masked" in line for line in found) == 1
    plain = lines(tape, Asked(PlanKind.FORK, tape.timeline.events))
    assert not any("secrets are masked" in line for line in plain)


def test_a_call_that_was_declined_is_marked_in_its_line_and_in_the_document() -> None:
    tape = Planned()
    for name, outcome in (("one", Outcome.REJECTED), ("two", Outcome.FAILED)):
        tape.opens(SpanKind.TOOL_CALL, name, Call(name, "bash", {"command": f"rm {name}"}))
        tape.closes(SpanKind.TOOL_CALL, name, Result(name, "no"), outcome=outcome)
    plan = planned(tape.tape, Asked(PlanKind.REWIND, 0))
    first, second = plan_text.call_lines(tape.tape, plan.not_undone)
    assert first.endswith("rm one  (declined, as the tape tells)")
    assert second.endswith("rm two")
    told = document(tape.tape, plan)["not_undone"]
    assert [call["declined"] for call in told] == [True, False]


def test_a_call_that_nobody_has_allowed_yet_is_marked_in_its_line() -> None:
    tape = Planned()
    tape.human()
    (line,) = plan_text.call_lines(
        tape.tape, [NotUndone(0, "bash", "terminal", "rm x", None, waits=True)]
    )
    assert line.endswith("rm x  (not allowed yet, as the tape tells)")
