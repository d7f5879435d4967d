"""Messages while they stream: what their pieces make at every cursor."""

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.formats.contract import Tape
from inspector.lenses.stream import BLOCKS, State, Streamed, being_assembled, streams
from tests.dsh_tapes import Json, Log, call_block, opened, text_block
from tests.folding import fold_on
from tests.lenses.tapes import TAPES
from tests.lenses.tapes import opened as sample

TOLD = ("demo.jsonl", "packed-rows.jsonl", "activities.jsonl", "interrupted.jsonl", "errors.jsonl")


def chunk(log: Log, kind: str, **body: Any) -> int:
    data = {"turn": 1, "step": 1, "chunk": {"type": kind, **body}}
    return log.event("assistant/chunk", data)


def retry(log: Log) -> int:
    return log.event("llm/retry", {"turn": 1, "step": 1, "retryId": "r", "failure": {}})


def begun() -> Log:
    log = Log()
    log.turn()
    log.step()
    log.user()
    return log


def folded(log: Log, folder: Path) -> Tape:
    tape = opened(log, folder)
    return fold_on(tape)


def texts(found: list[Streamed]) -> list[list[str]]:
    return [[block.text for block in one.blocks] for one in found]


@pytest.mark.parametrize("name", TOLD)
def test_what_was_put_together_at_a_cursor_begins_what_is_there_in_the_end(name: str) -> None:
    with sample(name) as tape:
        head = tape.timeline.events
        last = {one.since: one for one in streams(tape, head)}
        seen = 0
        for cursor in range(head + 1):
            for one in being_assembled(tape, cursor):
                # What was given up for a retry has no end.
                whole = last.get(one.since)
                for block in one.blocks if whole is not None else ():
                    (end,) = (other for other in whole.blocks if other.index == block.index)
                    assert end.text.startswith(block.text)
                    assert end.type == block.type
                    seen += bool(block.text)
        assert seen or name == "errors.jsonl"


@pytest.mark.parametrize("name", TOLD)
def test_what_is_being_put_together_is_what_is_open_of_all(name: str) -> None:
    going = (State.STREAMING, State.FAILED, State.RETRYING)
    with sample(name) as tape:
        for cursor in range(0, tape.timeline.events + 1, 7):
            found = being_assembled(tape, cursor)
            assert all(one.state in going for one in found)
            every = list(streams(tape, cursor))
            assert found == every[len(every) - len(found) :]


def test_a_whole_message_says_what_its_pieces_say() -> None:
    with sample("demo.jsonl") as tape:
        found = [one for one in streams(tape, tape.timeline.events) if one.state is State.DONE]
        assert [one.message for one in found if one.blocks] == [
            "answer-1",
            "answer-12",
            "answer-31",
        ]
        assert not any(one.differs for one in found)
        assert [block.type for block in found[0].blocks] == [
            "reasoning",
            "text",
            "tool_call",
            "tool_call",
            "tool_call",
        ]
        assert all(block.complete for block in found[0].blocks)


def test_arguments_are_there_while_they_are_still_broken(tmp_path: Path) -> None:
    log = begun()
    first = chunk(log, "block-start", index=0, blockType="tool-call")
    log.packed('{"comm', 'and": "l', 's"}', kind="tool-call-chunks")
    tape = folded(log, tmp_path)
    (one,) = being_assembled(tape, first + 2)
    (block,) = one.blocks
    assert (block.type, block.text, block.complete) == ("tool_call", '{"comm', False)
    assert (block.call, one.since, one.until) == ("c1", first + 1, first + 2)
    (one,) = being_assembled(tape, tape.timeline.events)
    assert texts([one]) == [['{"command": "ls"}']]
    tape.close()


def test_blocks_stand_by_their_index_however_they_come(tmp_path: Path) -> None:
    log = begun()
    for index, text in ((2, "c"), (0, "a"), (2, "C"), (1, "b")):
        chunk(log, "text-delta", index=index, text=text)
    tape = folded(log, tmp_path)
    (one,) = being_assembled(tape, tape.timeline.events)
    assert [(block.index, block.text) for block in one.blocks] == [(0, "a"), (1, "b"), (2, "cC")]
    tape.close()


def test_a_retry_begins_anew(tmp_path: Path) -> None:
    log = begun()
    chunk(log, "text-delta", index=0, text="No")
    failed = chunk(
        log, "finish", reason={"kind": "error", "failure": {"message": "busy", "code": "SERVER"}}
    )
    again = retry(log)
    more = chunk(log, "text-delta", index=0, text="Yes")
    tape = folded(log, tmp_path)
    (one,) = being_assembled(tape, failed + 1)
    assert (one.state, one.word, texts([one])) == (State.FAILED, "busy", [["No"]])
    (one,) = being_assembled(tape, again + 1)
    assert (one.state, one.blocks, one.attempt) == (State.RETRYING, (), 2)
    (one,) = being_assembled(tape, more + 1)
    assert (one.state, texts([one]), one.attempt) == (State.STREAMING, [["Yes"]], 2)
    assert one.since == more + 1
    tape.close()


@pytest.mark.parametrize(
    ("blocks", "differs"),
    [
        ([text_block("Hello")], False),
        ([text_block(""), text_block("Hello")], False),
        ([text_block("Hell")], True),
        ([text_block("Hello"), call_block("c1")], True),
        ([], True),
    ],
)
def test_a_message_that_says_something_else_is_told(
    blocks: list[Json], differs: bool, tmp_path: Path
) -> None:
    log = begun()
    chunk(log, "text-delta", index=0, text="Hel")
    chunk(log, "text-delta", index=0, text="lo")
    whole = log.assistant(*blocks)
    tape = folded(log, tmp_path)
    assert being_assembled(tape, whole + 1) == []
    (one,) = streams(tape, whole + 1)
    assert (one.state, one.event, one.message) == (State.DONE, whole, "a")
    assert one.differs is differs
    tape.close()


def test_an_end_that_says_something_else_is_told(tmp_path: Path) -> None:
    log = begun()
    chunk(log, "text-delta", index=0, text="Hello")
    chunk(log, "block-end", index=0, block=text_block("Goodbye"))
    chunk(log, "block-end", index=1, block=text_block("in one"))
    tape = folded(log, tmp_path)
    (one,) = being_assembled(tape, tape.timeline.events)
    assert [(block.text, block.differs) for block in one.blocks] == [
        ("Hello", True),
        ("in one", False),
    ]
    assert one.differs
    tape.close()


def test_an_interrupted_message_may_say_less() -> None:
    with sample("interrupted.jsonl") as tape:
        (one,) = streams(tape, tape.timeline.events)
        assert (one.state, one.differs) == (State.CUT_OFF, False)
        assert one.event is not None


@pytest.mark.parametrize("over", ["turn_end", "step_end", "turn"])
def test_what_nobody_goes_on_with_is_cut_off(over: str, tmp_path: Path) -> None:
    log = begun()
    chunk(log, "text-delta", index=0, text="Hel")
    getattr(log, over)()
    tape = folded(log, tmp_path)
    head = tape.timeline.events
    assert texts(being_assembled(tape, head - 1)) == [["Hel"]]
    assert being_assembled(tape, head) == []
    assert [one.state for one in streams(tape, head)] == [State.CUT_OFF]
    tape.close()


def test_a_message_without_pieces_is_not_listed(tmp_path: Path) -> None:
    log = begun()
    log.assistant(text_block("Hello"))
    tape = folded(log, tmp_path)
    assert list(streams(tape, tape.timeline.events)) == []
    tape.close()


def test_a_log_of_a_later_version_keeps_the_pieces_with_the_message(tmp_path: Path) -> None:
    header = {
        "type": "session",
        "version": 2,
        "id": "session",
        "createdAt": 1,
        "cwd": "/work/demo",
        "isSeeded": False,
        "delegationDepth": 0,
    }
    log = Log(header)
    log.turn()
    log.step()
    log.user()
    stream = [
        {"type": "text-chunks", "time0": 1, "index": 0, "dt": [1], "texts": ["Hel", "lo"]},
        {"type": "chunk", "time": 3, "chunk": {"type": "finish", "reason": {"kind": "stop"}}},
    ]
    log.event("assistant/attempt", {"turn": 1, "step": 1, "stream": stream[:1]})
    data = {
        "turn": 1,
        "step": 1,
        "stream": stream,
        "message": {
            "id": "a",
            "role": "assistant",
            "content": [text_block("Hello")],
            "source": {"kind": "model", "provider": "deepseek", "model": "flash"},
        },
    }
    log.event("assistant/message", data, surfaceOp="append")
    tape = folded(log, tmp_path)
    (one,) = streams(tape, tape.timeline.events)
    assert (one.state, texts([one]), one.differs, one.attempt) == (
        State.DONE,
        [["Hello"]],
        False,
        2,
    )
    tape.close()


@pytest.mark.parametrize(("name", "session"), TAPES[3:])
def test_a_format_that_keeps_no_pieces_says_so(name: str, session: str | None) -> None:
    with sample(name, session) as tape:
        assert not tape.stream_types
        assert being_assembled(tape, tape.timeline.events) == []
        assert list(streams(tape, tape.timeline.events)) == []


def test_only_the_events_of_this_answer_are_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = begun()
    for _ in range(200):
        chunk(log, "text-delta", index=0, text="x")
    log.step_end()
    log.step()
    chunk(log, "text-delta", index=0, text="y")
    tape = folded(log, tmp_path)
    read: list[int] = []
    payload = tape.payload
    monkeypatch.setattr(tape, "payload", lambda event: read.append(event) or payload(event))
    assert texts(being_assembled(tape, tape.timeline.events)) == [["y"]]
    assert len(read) < 6
    tape.close()


ODD = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=9), inner),
    max_leaves=8,
)
CHUNKS = st.dictionaries(
    st.sampled_from(["type", "index", "text", "block", "reason", "id", "argumentsDelta"]),
    ODD | st.sampled_from(["text-delta", "tool-call-delta", "block-end", "block-start", "finish"]),
)


@settings(max_examples=40, deadline=None)
@given(st.lists(CHUNKS, max_size=6))
def test_no_shape_of_a_piece_is_a_fault(
    tmp_path_factory: pytest.TempPathFactory, bodies: list[Json]
) -> None:
    log = begun()
    for body in bodies:
        log.event("assistant/chunk", {"turn": 1, "step": 1, "chunk": body})
    tape = folded(log, tmp_path_factory.getbasetemp())
    for cursor in range(tape.timeline.events + 1):
        assert len(being_assembled(tape, cursor)) <= 1
    tape.close()


def test_a_message_of_very_many_blocks_is_followed_so_far(tmp_path: Path) -> None:
    log = begun()
    for index in range(BLOCKS + 5):
        chunk(log, "text-delta", index=index, text="x")
    tape = folded(log, tmp_path)
    (one,) = being_assembled(tape, tape.timeline.events)
    assert len(one.blocks) == BLOCKS
    tape.close()
