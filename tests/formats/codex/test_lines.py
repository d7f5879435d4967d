"""Which lines count (RULES R0), and what becomes of the others."""

import json
from pathlib import Path

import pytest

from inspector.formats.codex.reading import CodexTape
from tests.folding import fold_on
from tests.formats.codex import tapes
from tests.untouched import untouched


def of_lines(folder: Path, *lines: bytes, end: bytes = b"\n") -> CodexTape:
    """A log of a header and lines as they are."""
    path = folder / "rollout.jsonl"
    data = tapes.text([tapes.meta()]) + b"\n".join(lines) + end
    tape = tapes.over(path, data)
    with untouched(path):
        return fold_on(tape)


def line(record: tapes.Record) -> bytes:
    return tapes.lines([record])[0]


HELLO = line(tapes.user("hello"))


def test_a_last_line_that_is_whole_counts_without_its_newline(tmp_path: Path) -> None:
    tape = of_lines(tmp_path, HELLO, line(tapes.user("again")), end=b"")
    assert tapes.texts(tape) == ["hello", "again"]
    assert tapes.codes(tape) == []


def test_a_torn_last_line_waits(tmp_path: Path) -> None:
    tape = of_lines(tmp_path, HELLO, line(tapes.user("again"))[:-9], end=b"")
    assert tapes.texts(tape) == ["hello"]
    assert tapes.codes(tape) == ["torn-tail"]
    assert tape.errors() == 0


@pytest.mark.parametrize(
    ("bad", "code"),
    [
        (b"{", "not-json"),
        (b"[1]", "not-an-event"),
        (HELLO.replace(b'"hello"', b'"\\ud800"'), "skipped-line"),
        (HELLO[:-1] + b',"x":NaN}', "skipped-line"),
        (b'{"type":"response_item","payload":{}}', "bad-envelope"),
        (HELLO.replace(b'"2026', b'7,"x":"2026'), "bad-envelope"),
        (line(tapes.item("novel_item")), "unknown-item"),
        (line({"type": "new_kind", "payload": {}}), "unknown-kind"),
    ],
)
def test_a_line_that_the_owner_skips_is_no_row_of_the_surface(
    tmp_path: Path, bad: bytes, code: str
) -> None:
    tape = of_lines(tmp_path, HELLO, bad, line(tapes.answer("hi")))
    assert tapes.texts(tape) == ["hello", "hi"]
    assert code in tapes.codes(tape)
    assert tape.verdict().opens is True


@pytest.mark.parametrize(
    "payload",
    [
        {"type": "message", "role": "user", "content": "hello"},
        {"type": "message", "content": [tapes.part("hello")]},
        {"type": "message", "role": "user", "content": [{"type": "novel", "text": "x"}]},
        {"type": "function_call", "name": "shell", "arguments": {}, "call_id": "c"},
        {"type": "function_call", "name": "shell", "arguments": "{}"},
        {"type": "function_call_output", "call_id": "c", "output": {"a": 1}},
        {"type": "function_call_output", "call_id": "c"},
        {"type": 7},
        {},
    ],
)
def test_an_item_that_the_owner_cannot_decode_is_dropped(
    tmp_path: Path, payload: tapes.Record
) -> None:
    tape = tapes.folded(tmp_path, {"type": "response_item", "payload": payload})
    assert tapes.texts(tape) == []
    assert tapes.codes(tape) == ["bad-item"]
    assert tape.headline(0).kind
    assert tape.timeline.is_rejected(0)


def test_one_byte_that_is_no_text_makes_the_owner_refuse_the_log(tmp_path: Path) -> None:
    tape = of_lines(tmp_path, HELLO, HELLO.replace(b"hello", b"h\xffllo"))
    assert tape.verdict().opens is False
    assert tape.verdict().reason == "stream did not contain valid UTF-8 (line 3)"
    assert len(tapes.texts(tape)) == 2, "all that can be read is shown"


def test_the_last_of_equal_keys_wins(tmp_path: Path) -> None:
    doubled = HELLO.replace(b'"role": "user"', b'"role": "assistant", "role": "user"')
    assert doubled != HELLO
    assert tapes.texts(of_lines(tmp_path, doubled)) == ["hello"]


def test_a_log_without_a_header_is_read_and_refused(tmp_path: Path) -> None:
    tape = fold_on(tapes.over(tmp_path / "rollout.jsonl", tapes.text([tapes.user("hello")])))
    assert tapes.texts(tape) == ["hello"]
    assert tapes.codes(tape) == ["no-header"]
    assert tape.verdict().opens is False


def test_a_later_header_is_an_event_without_effect(tmp_path: Path) -> None:
    tape = tapes.folded(tmp_path, tapes.meta(id="another"), tapes.user("hello"))
    assert tape.identity.id == tapes.THREAD
    assert (tape.timeline.events, tapes.texts(tape)) == (2, ["hello"])


def test_an_unknown_history_mode_is_refused(tmp_path: Path) -> None:
    tape = tapes.folded(tmp_path, header=tapes.meta(history_mode="novel"))
    assert tape.verdict().reason == "unknown history mode novel"
    assert tape.errors() == 1


def test_a_log_of_the_older_era_holds_its_items_bare(tmp_path: Path) -> None:
    bare = [
        {"id": "old", "timestamp": "2025-05-01T10:00:00.000Z", "instructions": "be kind"},
        {"record_type": "state"},
        tapes.message("user", "hello"),
        {"type": "reasoning", "summary": []},
        tapes.message("assistant", "hi"),
    ]
    data = b"".join(json.dumps(value).encode() + b"\n" for value in bare)
    tape = fold_on(tapes.over(tmp_path / "rollout.jsonl", data))
    assert tape.identity.variant == "bare/jsonl"
    assert tapes.texts(tape) == ["hello", "reasoning", "hi"]
    assert [part.preview for part in tape.preamble(4)] == ["be kind"]
    assert tapes.codes(tape) == ["old-header"]
    assert tape.verdict().opens is False


@pytest.mark.parametrize("before", [b"", HELLO])
def test_a_header_glued_to_events_is_none_of_them(tmp_path: Path, before: bytes) -> None:
    header = tapes.lines([tapes.meta()])[0]
    behind = HELLO.replace(b"hello", b"behind")
    path = tmp_path / "rollout.jsonl"
    tape = fold_on(tapes.over(path, before + header + behind + b"\n"))
    table = tape.timeline.table
    assert [table.type(at) for at in range(tape.timeline.events)] == (
        ["response_item/message"] * tape.timeline.events
    )
    said = [tape.headline(at).text for at in range(tape.timeline.events)]
    assert said == (["hello", "behind"] if before else ["behind"])


def test_a_log_of_nothing_but_its_header_says_nothing_of_what_is_beside(tmp_path: Path) -> None:
    assert tapes.folded(tmp_path).verdict().reason == "nothing of a conversation is in it"
    beside = tapes.folded(tmp_path, tapes.started("t"))
    assert beside.verdict().reason == "nothing of a conversation is in it, only 1 record beside one"
