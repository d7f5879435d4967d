"""Chains that break: what is missing, what cannot be reached, and guesses at a repair."""

from pathlib import Path

import pytest
from hypothesis import given, settings

from inspector.formats.claude.policies import POLICIES
from inspector.formats.claude.reading import ClaudeTape
from tests.formats.claude.generated import transcripts
from tests.formats.claude.test_laws import tape_of
from tests.formats.claude.test_readers import batch
from tests.formats.claude.transcripts import (
    Record,
    answer,
    codes,
    folded,
    held,
    seen,
    text,
    user,
    written,
)


def messages(tape: ClaudeTape, code: str) -> list[str]:
    return [one.message for one in tape.findings() if one.kind.code == code]


def test_the_neighbour_in_the_file_is_a_guess_at_a_repair(tmp_path: Path) -> None:
    tape = folded(tmp_path, [user("u1", None), answer("a1", "u1"), user("u2", "ghost")])
    (told,) = messages(tape, "broken-chain")
    assert told == "parent ghost is not in this file; a guess at a repair: line 2"


def damaged(folder: Path, line: bytes) -> str:
    path = folder / "t.jsonl"
    start = written([user("u1", None), answer("a1", "u1")])
    path.write_bytes(start + line + b"\n" + written([user("u2", "lost")]))
    (told,) = messages(held(path), "broken-chain")
    return told.partition("; ")[2]


def test_a_damaged_line_between_them_comes_first(tmp_path: Path) -> None:
    guess = damaged(tmp_path, b'{"type":"assistant","parentUuid":"a1","uu')
    assert guess == "a guess at a repair: probably the damaged line 3, else line 2"


def test_a_damaged_line_that_bears_the_id_is_no_guess(tmp_path: Path) -> None:
    assert damaged(tmp_path, b'{"uuid":"lost","type":') == "the damaged line 3 bears this id"


def test_a_line_that_is_json_was_no_parent(tmp_path: Path) -> None:
    assert damaged(tmp_path, b"17") == "a guess at a repair: line 2"


def test_a_copy_without_a_parent_is_told_and_what_it_cuts_off(tmp_path: Path) -> None:
    records = [
        user("u1", None),
        answer("a1", "u1", text("lol"), of="m"),
        answer("a2", None, text("lol"), of="m"),
        user("u2", "a2"),
    ]
    tape = folded(tmp_path, records)
    (copy,) = messages(tape, "repeated-block")
    assert copy.startswith("a copy of line 2: the same block of message m; a guess at a repair")
    assert messages(tape, "unreachable") == [
        "2 records cannot be reached from the end of the conversation"
    ]
    assert seen(tape) == ["unlinked", "unlinked", "visible", "visible"]


def test_another_block_of_the_message_is_no_copy(tmp_path: Path) -> None:
    records = [
        user("u1", None),
        answer("a1", "u1", text("one"), of="m"),
        answer("a2", None, text("two"), of="m"),
    ]
    tape = folded(tmp_path, records)
    assert "repeated-block" not in codes(tape)
    assert messages(tape, "second-root") == [
        "1 message names no parent, and begins a tree anew, with no prompt at its top"
    ]


def test_the_first_prompt_said_anew_cuts_nothing_off(tmp_path: Path) -> None:
    tape = folded(tmp_path, [user("u1", None), answer("a1", "u1"), user("u2", None)])
    assert codes(tape) == ["rewound"]


@pytest.mark.parametrize("policy", POLICIES)
@settings(deadline=None, max_examples=20)
@given(records=transcripts(plain=True))
def test_no_more_records_are_visible_than_the_branch_reaches(
    policy: str, records: list[Record]
) -> None:
    with tape_of(records, policy) as tape:
        for cursor in range(len(records) + 1):
            found = tape.coverage(cursor)
            assert found is not None
            assert 0 <= found.visible <= found.on_chain <= found.records


def test_what_a_reader_recovers_is_on_no_chain(tmp_path: Path) -> None:
    for policy, expected in (("sdk-js", (6, 6, 6, 0)), ("sdk-js:reload", (6, 4, 4, 2))):
        tape = folded(tmp_path, batch(), policy)
        found = tape.coverage(6)
        assert found is not None
        told = (found.records, found.on_chain, found.visible, found.recovered)
        assert told == expected
