"""Records that come again as something else, circles that linking anew makes, ties that cross."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from tests.formats.claude.reference import Reader
from tests.formats.claude.transcripts import (
    Record,
    answer,
    attachment,
    boundary,
    call,
    codes,
    folded,
    line,
    record,
    result,
    summary,
    text,
    user,
)

RELOADED: Final = ("sdk-js:reload", "cli-leaf:reload")
LIVE: Final = ("sdk-js", "cli-leaf")


def kept(uuid: str, anchor: str, *uuids: str, parent: str | None = None) -> Record:
    return boundary(uuid, parent, preservedMessages={"anchorUuid": anchor, "uuids": list(uuids)})


def used(output: int, sent: int = 10) -> dict[str, int]:
    return {"input_tokens": sent, "output_tokens": output}


def reloaded(folder: Path, records: Sequence[Record]) -> str:
    """What the reader lists, which two of its policies and the rules agree on."""
    first, second = (line(folded(folder, records, policy)) for policy in RELOADED)
    assert first == second == " ".join(Reader(records).listed())
    return first


# One message on the main line and on a sidechain.


@pytest.mark.parametrize("policy", [*LIVE, "sdk-py", *RELOADED])
def test_a_copy_of_a_message_aside_is_no_second_request(tmp_path: Path, policy: str) -> None:
    records = [
        user("u1", None),
        answer("a0", "u1", of="m0", usage=used(5)),
        answer("s0", "a0", of="s0", usage=used(300, 1_000), isSidechain=True),
        answer("s1", "a0", of="s1", usage=used(400, 2_000), isSidechain=True),
        answer("a1", "a0", of="m1", usage=used(1, 20)),
        answer("b1", "a0", of="m1", usage=used(50, 20), isSidechain=True),
    ]
    timeline = folded(tmp_path, records, policy).timeline
    usage, aside = timeline.usage.total(6), timeline.side_usage.total(6)
    assert (usage.input, usage.output) == (30, 55)
    assert (aside.input, aside.output) == (3_000, 700)
    assert timeline.usage.total(5).output == 6
    assert timeline.usage.count(6) == timeline.side_usage.count(6) == 2


# Circles.


def test_a_result_whose_line_stands_further_down_in_its_message(tmp_path: Path) -> None:
    records = [
        record("progress", "u0", "nobody"),
        answer("u1", "u0", call("c1"), of="m1"),
        result("u2", "u3", "c1"),
        answer("u3", "nowhere", of="m1"),
        answer("u6", "u1", call("c6"), of="m1"),
    ]
    assert reloaded(tmp_path, records) == "u1 u6 u3 u2"


def test_a_circle_of_what_was_kept_and_its_anchor_is_walked_once(tmp_path: Path) -> None:
    records = [user("u0", None), kept("b", "u2", "u0", parent="u0"), result("u2", "u0", "c")]
    more = [*records, user("u3", "u0")]
    # Nobody is without a child in a circle (rules page R4); one below it ends the walk.
    assert reloaded(tmp_path, records) == "u2 u0"
    assert reloaded(tmp_path, more) == "u2 u0 u3"


def test_a_summary_that_hangs_on_what_was_kept(tmp_path: Path) -> None:
    records = [
        user("u1", None),
        answer("a1", "u1"),
        kept("b", "s1", "u1", "a1"),
        summary("s1", "a1"),
        user("u2", "s1"),
        answer("a2", "u2"),
    ]
    assert reloaded(tmp_path, records) == "s1 u1 a1 u2 a2"
    for policy in LIVE:
        tape = folded(tmp_path, records, policy)
        told = [line(tape, cursor) for cursor in (2, 4, 5, 6)]
        assert told == ["u1 a1", "s1 u1 a1", "s1 u1 a1 u2", "s1 u1 a1 u2 a2"]
        assert tape.coverage(6).on_chain == 5
        assert "cycle" not in codes(tape)


def test_a_record_that_is_named_twice_among_the_kept_hangs_on_itself(tmp_path: Path) -> None:
    queued = attachment("u2", "u0", "queued_command", prompt="then")
    records = [answer("u0", None), queued, kept("u4", "u5", "u2", "u0", "u0", parent="u2")]
    assert reloaded(tmp_path, records) == ""


# Records that come again as something else (rules page R2).


def test_a_line_that_comes_again_as_a_prompt_is_no_line_any_more(tmp_path: Path) -> None:
    records = [
        answer("u9", "nobody", call("c9"), of="m9"),
        user("u9", "nowhere"),
        answer("u23", "missing", call("c23"), of="m9"),
    ]
    assert reloaded(tmp_path, records) == "u23"


def test_a_line_that_comes_again_as_a_command_typed_ahead(tmp_path: Path) -> None:
    records = [
        answer("u0", "nobody", call("c0"), of="m0"),
        user("u11", "u0"),
        answer("u17", "missing", of="m0"),
        attachment("u17", "u11", "queued_command", prompt="then"),
    ]
    assert reloaded(tmp_path, records) == "u0 u11 u17"


@pytest.mark.parametrize("policy", [*LIVE, "sdk-py", "sdk-py:reload", *RELOADED])
def test_a_line_that_comes_again_as_a_result_of_itself(tmp_path: Path, policy: str) -> None:
    records = [
        answer("u2", "u1", call("c2"), of="m2"),
        result("u2", "u2", "c2"),
        user("u7", "u1"),
    ]
    tape = folded(tmp_path, records, policy)
    assert line(tape) == "u7"
    assert "duplicate-uuid" in codes(tape)


def test_a_boundary_that_comes_again_as_a_prompt_keeps_nothing(tmp_path: Path) -> None:
    records = [
        user("u0", None),
        answer("a0", "u0"),
        kept("b", "s", "a0"),
        summary("s", "b"),
    ]
    assert reloaded(tmp_path, records) == "s a0"
    assert reloaded(tmp_path, [*records, user("b", None)]) == "b s"


def test_a_boundary_that_comes_again_keeps_what_it_says_then(tmp_path: Path) -> None:
    records = [
        *(user("u0", None), answer("a0", "u0"), kept("b", "s", "a0")),
        *(summary("s", "b"), kept("b", "s", "u0"), user("u1", "s")),
    ]
    assert reloaded(tmp_path, records) == "s u0 u1"


# What belongs to one message (rules page R6).


def test_a_result_is_added_to_the_message_whose_call_it_answers(tmp_path: Path) -> None:
    records = [
        answer("u1", "u0", of="m1"),
        attachment("u3", "u1", "file", filename="a"),
        answer("u4", "u3", call("c4"), of="m4"),
        result("u6", "u3", "c4", sourceToolAssistantUUID="u1"),
        user("u15", "u4"),
    ]
    rows = line(folded(tmp_path, records, "sdk-js:reload"))
    assert rows.replace("u3 ", "") == "u1 u4 u6 u15"
    assert Reader(records).listed() == ["u1", "u4", "u6", "u15"]


def test_a_result_of_two_messages_stands_behind_the_last_line_of_the_first(tmp_path: Path) -> None:
    records = [
        answer("u5", "u0", call("c1"), call("c2"), of="m2"),
        answer("u6", "u5", of="m6"),
        answer("u8", "u6", of="m8"),
        result("u9", "u8", "c3", "c2"),
        answer("u20", "u8", call("c4"), of="m2"),
    ]
    assert reloaded(tmp_path, records) == "u5 u6 u8 u20 u9"


def test_a_command_typed_ahead_is_not_listed_beside_the_message_it_became(tmp_path: Path) -> None:
    records = [
        answer("u4", "u1", call("c4"), of="m4"),
        attachment("u5", "u0", "queued_command", prompt="then", source_uuid="u4"),
        answer("u6", "u5", of="m4"),
    ]
    assert reloaded(tmp_path, records) == "u6 u4"


# What is hidden from the person (rules page R7).


@pytest.mark.parametrize(
    ("block", "more", "meta"),
    [
        (text("No response requested."), {"closesQuietTurn": True}, True),
        (text(" "), {"closesQuietTurn": True}, True),
        (text("done"), {"closesQuietTurn": True}, False),
        (call("c1"), {"closesQuietTurn": True}, False),
        ({"type": "thinking", "thinking": "so"}, {"closesQuietTurn": True}, False),
        (text("done"), {"isMeta": True}, True),
        (text("done"), {"isMeta": True, "origin": {"kind": "peer"}}, False),
    ],
)
def test_which_answers_are_hidden(
    tmp_path: Path, block: Record, more: dict[str, Any], meta: bool
) -> None:
    records = [user("u1", None), answer("a1", "u1", block, **more)]
    for policy in ("sdk-js", "sdk-js:reload"):
        timeline = folded(tmp_path, records, policy).timeline
        nodes = [row.node for row in timeline.rows(2)]
        assert [timeline.surface.nodes.meta(node) for node in nodes] == [False, meta]
        assert Reader(records).listed() == (["u1"] if meta else ["u1", "a1"])
