"""Calls of tools as cards: what they look like, what they tell, and how they ended."""

from typing import Any

import pytest

from inspector.formats.parts import Call, Edit, File, Result
from inspector.lenses.cards import Ending, Evidence, Return, card, ending_of
from inspector.lenses.tools import CardKind, kind_of
from inspector.lenses.transcript import Entry, Transcript
from inspector.timeline.spans import Span
from inspector.timeline.words import Outcome, SpanKind
from tests.lenses.tapes import opened

OK = Ending(Outcome.OK, None, Evidence.RECORDED)
DSH = "activities.jsonl"
ZERO = "zero/lantern"
CLAUDE = "claude/7c1d0a52-3b8e-4f60-9a17-5e2c64b90d31.jsonl"
CODEX = "codex/rollout-2026-05-04T09-00-00-019d4b20-1c00-7000-8000-0000000000a1.jsonl"


def cards(name: str, session: str | None = None, cursor: int | None = None) -> dict[int, Entry]:
    """The entries of a sample that are cards, children included, by the event of the call."""
    with opened(name, session) as tape:
        at = tape.timeline.events if cursor is None else cursor
        waiting = Transcript(tape).entries(at)
        found = {}
        while waiting:
            entry = waiting.pop()
            waiting.extend(entry.children)
            if entry.card is not None:
                found[entry.card.call] = entry
        return found


def ended(entry: Entry) -> tuple[Outcome, str | None, Evidence]:
    assert entry.card is not None
    ending = entry.card.ending
    return ending.outcome, ending.word, ending.evidence


# What a tool is.


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("bash", CardKind.TERMINAL),
        ("Bash", CardKind.TERMINAL),
        ("exec_command", CardKind.TERMINAL),
        ("run_terminal_cmd", CardKind.TERMINAL),
        ("mcp__files__read_file", CardKind.READ),
        ("view_image", CardKind.READ),
        ("Edit", CardKind.DIFF),
        ("MultiEdit", CardKind.DIFF),
        ("apply_patch", CardKind.DIFF),
        ("write_stdin", CardKind.TERMINAL),
        ("Grep", CardKind.SEARCH),
        ("web_search", CardKind.SEARCH),
        ("WebSearch", CardKind.SEARCH),
        ("TodoWrite", CardKind.TODO),
        ("update_plan", CardKind.TODO),
        ("ExitPlanMode", CardKind.GENERIC),
        ("Task", CardKind.SUBAGENT),
        ("spawn_agent", CardKind.SUBAGENT),
        ("multitasking", CardKind.GENERIC),
        ("catalogue", CardKind.GENERIC),
        ("", CardKind.GENERIC),
    ],
)
def test_a_tool_is_told_by_the_whole_words_of_its_name(name: str, kind: CardKind) -> None:
    assert kind_of(name, {}) is kind


@pytest.mark.parametrize(
    ("arguments", "kind"),
    [
        ({"old_string": "a", "new_string": "b"}, CardKind.DIFF),
        ({"command": "ls"}, CardKind.TERMINAL),
        ({"todos": [{"content": "a", "status": "pending"}]}, CardKind.TODO),
        ({"colour": "red"}, CardKind.GENERIC),
        (None, CardKind.GENERIC),
        ("text", CardKind.GENERIC),
        ([1, 2], CardKind.GENERIC),
    ],
)
def test_a_tool_of_an_unknown_name_is_told_by_its_arguments(arguments: Any, kind: CardKind) -> None:
    assert kind_of("lantern", arguments) is kind


# What a card tells.


def test_a_command_is_the_title_and_the_rest_are_arguments() -> None:
    made = card(Call("c", "bash", {"command": "ls -l", "timeout": 5, "description": "look"}), 3, OK)
    assert made.title == "ls -l"
    assert made.arguments == (("timeout", "5"), ("description", "look"))


def test_a_command_in_words_is_one_as_it_is_typed() -> None:
    assert card(Call("c", "shell", {"command": ["bash", "-lc", "ls"]}), 0, OK).title == "ls"
    assert card(Call("c", "shell", {"command": ["ls", "-l"]}), 0, OK).title == "ls -l"


def test_a_change_is_told_by_the_lines_that_differ() -> None:
    given = {"path": "a.py", "old_string": "x\ny\nz", "new_string": "x\nY\nz"}
    made = card(Call("c", "edit", given), 0, OK)
    assert (made.title, made.body, made.arguments) == ("a.py", " x\n-y\n+Y\n z", ())


def test_a_written_file_is_all_new_lines() -> None:
    made = card(Call("c", "write", {"path": "a.py", "content": "x\ny"}), 0, OK)
    assert made.body == "+x\n+y"


def test_what_the_result_says_of_a_change_wins_over_the_arguments() -> None:
    result = Result("c", "done", edits=(Edit("a.py", "1", "2"),))
    made = card(Call("c", "edit", {"path": "a.py", "old": "x", "new": "y"}), 0, OK, result, 1)
    assert made.body == "a.py\n-1\n+2"


def test_a_patch_names_its_file_and_stands_as_it_is_written() -> None:
    patch = "*** Begin Patch\n*** Update File: ovens.py\n-1\n+2\n*** End Patch"
    made = card(Call("c", "apply_patch", patch), 0, OK)
    assert (made.title, made.body) == ("ovens.py", patch)


def test_a_list_of_things_to_do_has_its_marks() -> None:
    todos = [{"content": "a", "status": "completed"}, {"step": "b", "status": "pending"}, {}]
    assert card(Call("c", "todo_write", {"todos": todos}), 0, OK).body == "✓ a\n· b\n? {}"


def test_bytes_are_named_by_their_size() -> None:
    bytes_ = "QUJD" * 1_000
    result = Result("c", f"before data:image/png;base64,{bytes_} after", files=(File("a", "b", 1),))
    made = card(Call("c", "fetch", {"url": "u", "body": bytes_}), 0, OK, result, 1)
    assert made.result == "before [image/png, 3,000 bytes] after"
    assert made.arguments == (("body", "[3,000 bytes]"),)
    assert made.files == (File("a", "b", 1),)


@pytest.mark.parametrize(
    "arguments",
    [
        {"path": {"a": 1}, "old": [1], "new": None},
        {"edits": [None, {"old_string": 1}]},
        {"todos": [None]},
        {"command": [1, None]},
        {"plan": {"a": "b"}},
        [],
        3,
        True,
        "{broken",
    ],
)
@pytest.mark.parametrize("name", ["edit", "bash", "todo", "task", "grep", "read", "x"])
def test_arguments_of_any_shape_make_a_card(name: str, arguments: Any) -> None:
    made = card(Call(None, name, arguments), 0, OK)
    assert isinstance(made.title, str)
    assert isinstance(made.body, str)


# How it ended.


def span(kind: SpanKind, closed: int | None, outcome: Outcome, word: str | None = None) -> Span:
    return Span(kind, None, 1, closed, outcome, word)


CALL, APPROVAL = SpanKind.TOOL_CALL, SpanKind.APPROVAL
OPEN = span(CALL, None, Outcome.RUNNING)
FAILED = span(CALL, 5, Outcome.FAILED, "error")


@pytest.mark.parametrize(
    ("call", "approval", "result", "outcome", "evidence"),
    [
        (OPEN, None, None, Outcome.RUNNING, Evidence.RECORDED),
        (
            OPEN,
            span(APPROVAL, None, Outcome.AWAITING_APPROVAL),
            None,
            Outcome.AWAITING_APPROVAL,
            Evidence.RECORDED,
        ),
        (OPEN, span(APPROVAL, 3, Outcome.OK), None, Outcome.RUNNING, Evidence.RECORDED),
        (FAILED, None, Result("c", "", True), Outcome.FAILED, Evidence.RECORDED),
        (
            FAILED,
            span(APPROVAL, 3, Outcome.REJECTED),
            Result("c", "", True),
            Outcome.REJECTED,
            Evidence.RECORDED,
        ),
        (
            FAILED,
            span(APPROVAL, 3, Outcome.OK),
            Result("c", "", True, told_by_text=True),
            Outcome.FAILED,
            Evidence.RULE,
        ),
        (span(CALL, 5, Outcome.INTERRUPTED), None, None, Outcome.INTERRUPTED, Evidence.RULE),
        (None, None, None, Outcome.UNKNOWN, Evidence.RULE),
        (None, None, Result("c", "", False), Outcome.OK, Evidence.RECORDED),
        (None, None, Result("c", "", True), Outcome.FAILED, Evidence.RECORDED),
        (None, None, Result("c", ""), Outcome.OK, Evidence.RULE),
    ],
)
def test_how_a_call_ended(
    call: Span | None,
    approval: Span | None,
    result: Result | None,
    outcome: Outcome,
    evidence: Evidence,
) -> None:
    found = ending_of(call, approval, result, answered=result is not None)
    assert (found.outcome, found.evidence) == (outcome, evidence)


def test_an_answer_that_comes_when_the_call_was_given_up_counts() -> None:
    unknown, result = span(CALL, 5, Outcome.UNKNOWN, "never answered"), Result("c", "", False)
    assert ending_of(unknown, None, result, answered=True, late=True) == OK
    assert ending_of(unknown, None, result, answered=True).outcome is Outcome.UNKNOWN
    assert ending_of(unknown, None, None, answered=False).word == "never answered"


def test_an_outcome_is_as_of_the_cursor() -> None:
    told = [ended(cards(DSH, cursor=at)[59])[0] for at in (60, 61, 62, 63)]
    assert told == [
        Outcome.RUNNING,
        Outcome.AWAITING_APPROVAL,
        Outcome.RUNNING,
        Outcome.REJECTED,
    ]


def test_the_person_refused_or_let_go_where_the_log_keeps_the_question() -> None:
    found = cards(DSH)
    assert [ended(found[at])[0] for at in (52, 59, 66, 73)] == [
        Outcome.OK,
        Outcome.REJECTED,
        Outcome.CANCELLED,
        Outcome.FAILED,
    ]


def test_a_question_about_a_call_is_found_by_its_id() -> None:
    assert ended(cards(ZERO, cursor=10)[7])[0] is Outcome.AWAITING_APPROVAL
    assert ended(cards(ZERO, cursor=11)[7])[0] is Outcome.RUNNING
    assert ended(cards(CODEX, cursor=25)[23])[0] is Outcome.AWAITING_APPROVAL


def test_what_only_the_text_of_a_result_tells_is_graded_so() -> None:
    assert ended(cards(CLAUDE)[12]) == (
        Outcome.REJECTED,
        "rejected by the user",
        Evidence.RULE,
    )
    assert ended(cards(CLAUDE)[23]) == (Outcome.OK, None, Evidence.RECORDED)
    assert ended(cards(CODEX)[62])[::2] == (Outcome.INTERRUPTED, Evidence.RULE)


def test_calls_that_ran_together_tell_the_order_of_their_return() -> None:
    def returned(cursor: int) -> dict[int, Return | None]:
        found = cards("parallel-calls.jsonl", cursor=cursor)
        return {at: entry.card.returned for at, entry in found.items() if entry.card}

    assert returned(19) == {8: Return(2, 3), 9: Return(3, 3), 10: Return(1, 3)}
    assert returned(12) == {8: Return(None, 3), 9: Return(None, 3), 10: Return(1, 3)}
    assert returned(9)[8] is None


def test_calls_that_came_one_after_the_other_are_no_batch() -> None:
    assert all(entry.card and entry.card.returned is None for entry in cards(ZERO).values())


def test_a_card_has_its_result_and_the_event_that_brought_it() -> None:
    made = cards(ZERO)[12].card
    assert made is not None
    assert (made.kind, made.title, made.result, made.answer) == (
        CardKind.TERMINAL,
        "python -m pytest -q pier",
        "1 failed: NameError: name 'zone' is not defined",
        14,
    )
    assert cards(ZERO, cursor=14)[12].card != made


def test_a_call_of_which_the_journal_tells_only_the_name_is_told_by_its_row() -> None:
    made = cards("deepchat.db", "sample-orchard")[6].card
    assert made is not None
    assert (made.name, made.title, made.answer) == ("read", "trees.csv", 8)


def test_a_subagent_is_a_card_of_its_own_kind() -> None:
    made = cards(CLAUDE)[16].card
    assert made is not None
    assert (made.kind, made.title, made.body) == (
        CardKind.SUBAGENT,
        "Search the stores",
        "Find spare wheels.",
    )
    made = cards(ZERO)[22].card
    assert made is not None
    assert (made.kind, made.ending.outcome) == (CardKind.SUBAGENT, Outcome.OK)
