"""What is said once and written twice (format page 2.7)."""

from pathlib import Path

import pytest

from inspector.formats.codex.reading import CodexTape
from inspector.formats.parts import File
from inspector.lenses.transcript import Transcript
from inspector.timeline.words import Kind, Mark, Role, Visibility
from tests.formats.codex import tapes
from tests.formats.codex.tapes import answer, event, heard, user


@pytest.mark.parametrize("records", [[user("hi"), heard("hi")], [heard("hi"), user("hi")]])
def test_a_message_and_its_twin_are_one_row_and_one_step(
    tmp_path: Path, records: list[tapes.Record]
) -> None:
    tape = tapes.folded(tmp_path, *records)
    assert tapes.texts(tape) == ["hi"]
    assert list(tape.timeline.marks.events(Mark.USER)) == [0]


def test_a_twin_that_came_first_is_the_source_of_the_message(tmp_path: Path) -> None:
    tape = tapes.folded(tmp_path, heard("hi"), user("hi"))
    assert list(tape.timeline.surface.nodes.sources(0)) == [0]


def test_equal_messages_are_two(tmp_path: Path) -> None:
    said = [answer("hi"), event("agent_message", message="hi")]
    tape = tapes.folded(tmp_path, *said, *said)
    assert tapes.texts(tape) == ["hi", "hi"]


def test_a_message_that_only_the_person_sees_is_a_step_and_no_row(tmp_path: Path) -> None:
    tape = tapes.folded(tmp_path, heard("hi"))
    assert tapes.texts(tape) == []
    assert list(tape.timeline.marks.events(Mark.USER)) == [0]


@pytest.mark.parametrize(
    "text",
    [
        "<environment_context>x</environment_context>",
        " <TURN_ABORTED>\nx</turn_aborted> ",
        "# AGENTS.md instructions for /w\n<INSTRUCTIONS>x</INSTRUCTIONS>",
        "<external_notes>x</external_notes>",
        '<hook_prompt hook_run_id="7">x</hook_prompt>',
        "Warning: Your account was flagged",
    ],
)
def test_what_the_owner_puts_in_is_context_and_no_step(tmp_path: Path, text: str) -> None:
    tape = tapes.folded(tmp_path, user(text))
    nodes = tape.timeline.surface.nodes
    assert (nodes.kind(0), nodes.role(0), nodes.meta(0)) == (Kind.CONTEXT, Role.USER, True)
    assert list(tape.timeline.marks.events(Mark.USER)) == []
    assert tape.headline(0).kind == "context"


@pytest.mark.parametrize(
    "text",
    [
        "<user_instructions>x",
        "<environment_context>x",
        "see <environment_context>x</environment_context>",
        "<external_a>x</external_b>",
        "",
    ],
)
def test_what_only_looks_like_it_is_the_persons(tmp_path: Path, text: str) -> None:
    tape = tapes.folded(tmp_path, user(text))
    assert tape.timeline.surface.nodes.kind(0) is Kind.MESSAGE
    assert list(tape.timeline.marks.events(Mark.USER)) == [0]


def test_instructions_of_old_builds_are_nobodys_words_though_a_rollback_counts_them(
    tmp_path: Path,
) -> None:
    text = "<user_instructions>\n\nbe kind\n\n</user_instructions>\n"
    tape = tapes.folded(tmp_path, user(text), user("hi"), tapes.rolled_back(1))
    nodes = tape.timeline.surface.nodes
    assert (nodes.kind(0), nodes.role(0), nodes.meta(0)) == (Kind.MESSAGE, Role.USER, True)
    assert list(tape.timeline.marks.events(Mark.USER)) == [1]
    assert tapes.texts(tape) == [text]
    tape = tapes.folded(tmp_path, user(text), user("hi"), tapes.rolled_back(2))
    assert tapes.texts(tape) == []


def test_a_summary_of_the_owner_is_told_by_its_first_words(tmp_path: Path) -> None:
    tape = tapes.folded(tmp_path, user(tapes.PREFIX + "we did things"))
    assert tape.timeline.surface.nodes.kind(0) is Kind.SUMMARY
    assert tape.headline(0).speaker == "summary"
    assert list(tape.timeline.marks.events(Mark.USER)) == []


def told(text: str) -> tapes.Record:
    return event("agent_message", message=text)


def seen(tape: CodexTape) -> list[tuple[str, str, tuple[int, ...]]]:
    entries = Transcript(tape).entries(tape.timeline.events)
    return [(entry.kind.value, entry.text, entry.events) for entry in entries]


@pytest.mark.parametrize(
    "records",
    [
        [user("hi"), heard("hi"), answer("yes"), told("yes")],
        [heard("hi"), user("hi"), told("yes"), answer("yes")],
    ],
)
def test_what_is_written_for_both_is_seen_once(tmp_path: Path, records: list[tapes.Record]) -> None:
    tape = tapes.folded(tmp_path, *records)
    assert seen(tape) == [("human", "hi", (0, 1)), ("assistant", "yes", (2, 3))]
    assert {entry.visibility for entry in Transcript(tape).entries(4)} == {Visibility.VISIBLE}


def test_what_only_the_person_is_told_is_seen(tmp_path: Path) -> None:
    picture = event("user_message", message="hi", images=["data:image/png;base64,QUJD"])
    tape = tapes.folded(tmp_path, picture, told("working"), answer("done"))
    assert [said[:2] for said in seen(tape)] == [
        ("human", "hi"),
        ("assistant", "working"),
        ("assistant", "done"),
    ]
    human, *_ = Transcript(tape).entries(3)
    assert (human.files, human.visibility) == ((File("", "image/png", 3),), Visibility.LOG_ONLY)


def test_an_answer_of_parts_that_is_told_part_by_part_is_seen_once(tmp_path: Path) -> None:
    both = tapes.said("assistant", "one", "two")
    tape = tapes.folded(tmp_path, both, told("one"), told("two"))
    assert seen(tape) == [("assistant", "one\ntwo", (0, 1, 2))]


def test_an_answer_is_rewound_with_words_that_stood_before_their_item(tmp_path: Path) -> None:
    first = tapes.turn("t1", heard("hi"), user("hi"), answer("yes"))
    tape = tapes.folded(tmp_path, *first, tapes.rolled_back(1))
    entries = Transcript(tape).entries(tape.timeline.events)
    assert [entry.gone_by for entry in entries] == [5, 5]


def test_empty_words_are_a_twin_of_anything(tmp_path: Path) -> None:
    tape = tapes.folded(tmp_path, user("hi"), heard(""))
    assert seen(tape) == [("human", "hi", (0, 1))]
