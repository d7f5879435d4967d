"""Text that breaks readers of logs: odd ends of lines, huge ones, deep nesting, keys twice."""

import json
from pathlib import Path
from typing import Any, Final

import pytest

from inspector.export import documents
from inspector.formats.contract import Tape
from inspector.tape.source import FileSource
from tests.commands import run
from tests.dsh_tapes import Log, call_block, folded, line, surface, text_block, user_data
from tests.timelines import of_cursors, of_events, of_session

ENDS: Final = "\u2028\u2029\x85"
"""What `splitlines` cuts at, and a log does not."""

PRINTED: Final = (("show",), ("show", "--json"), ("events",), ("events", "--json"), ("check",))


def raw(log: Log, value: Any) -> int:
    """An event whose characters stand in the line as they are."""
    seq = log.seq
    log.raw(json.dumps(value | {"seq": seq}, ensure_ascii=False, separators=(",", ":")).encode())
    log.seq = seq + 1
    return seq


def message(text: str) -> dict[str, Any]:
    return {"type": "user/message", "time": 1, "data": user_data(text), "surfaceOp": "append"}


def everything(tape: Tape) -> None:
    """Ask all that can be asked, as text, documents and details do."""
    of_session(tape)
    of_events(tape)
    of_cursors(tape)
    head = tape.timeline.events
    for document in (documents.show(tape, head), *documents.events(tape, 0, head, head)):
        assert documents.dumps(document).isprintable()


# Characters that end lines for others.


def awkward_characters() -> Log:
    log = Log()
    log.turn()
    raw(log, message(f"one{ENDS}two"))
    log.event("session/title", {"title": "a\x0b\x0c\x1c\x1d\x1eb"})
    raw(log, message(f"{ENDS}last"))
    log.turn_end()
    return log


def test_only_a_line_feed_ends_a_line(tmp_path: Path) -> None:
    log = awkward_characters()
    assert len(bytes(log).decode().splitlines()) > len(log.lines)
    tape = folded(log, tmp_path)
    assert list(tape.findings()) == []
    assert tape.verdict().opens is True
    assert [tape.place(record).line for record in range(tape.records())] == [1, 2, 3, 4, 5, 6]
    assert surface(tape) == [1, 3]
    assert tape.payload(1)["data"]["content"] == [text_block(f"one{ENDS}two")]


@pytest.mark.parametrize("words", PRINTED, ids=" ".join)
def test_what_is_printed_has_no_character_that_ends_a_line(
    words: tuple[str, ...], tmp_path: Path
) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(bytes(awkward_characters()))
    done = run(words[0], path, *words[1:])
    assert done.code == 0
    assert done.out.splitlines() == done.out.removesuffix("\n").split("\n")
    assert done.out.replace("\n", "").isprintable()


# One huge line.

HUGE: Final = 1 << 20


def huge_line() -> Log:
    log = Log()
    log.user("take a picture")
    log.assistant(call_block("c1", "screenshot", "{}"))
    picture = {"type": "image", "data": "QUJD" * (HUGE // 4)}
    blocks = [text_block("NEEDLE-BEFORE"), picture, text_block("NEEDLE-AFTER")]
    block = {"type": "tool-result", "toolCallId": "c1", "content": blocks, "isError": False}
    source = {"kind": "tool", "callId": "c1"}
    result = {"id": "r1", "role": "user", "source": source, "content": [block]}
    log.event("tool/result", {"turn": 1, "step": 1, "message": result}, surfaceOp="append")
    log.assistant(text_block("a chart"))
    return log


def test_a_huge_line_is_an_event_like_another(tmp_path: Path) -> None:
    tape = folded(huge_line(), tmp_path)
    assert tape.timeline.events == 4
    assert surface(tape) == [0, 1, 2, 3]
    assert list(tape.findings()) == []
    assert tape.physical(3).length > HUGE
    assert len(tape.payload(2)["data"]["message"]["content"][0]["content"][1]["data"]) == HUGE


def test_a_huge_line_is_short_in_a_list(tmp_path: Path) -> None:
    tape = folded(huge_line(), tmp_path)
    headline = tape.headline(2)
    assert len(headline.text) < 5_000
    assert headline.text.startswith("NEEDLE-BEFORE")
    assert len(documents.event(tape, 2, 4)["preview"]) <= documents.PREVIEW


def test_what_stands_around_a_picture_is_in_the_detail(tmp_path: Path) -> None:
    tape = folded(huge_line(), tmp_path)
    text = "\n".join(section.text for section in tape.sections(2))
    assert 0 <= text.index("NEEDLE-BEFORE") < text.index("NEEDLE-AFTER")


def test_a_huge_line_is_read_as_often_as_a_short_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []
    read = FileSource.read

    def counting(source: FileSource, offset: int, length: int) -> bytes:
        found = read(source, offset, length)
        asked.append(len(found))
        return found

    monkeypatch.setattr(FileSource, "read", counting)
    log = huge_line()
    tape = folded(log, tmp_path)
    assert sum(asked) < 2 * len(bytes(log))
    asked.clear()
    for _ in range(20):
        tape.headline(2)
        tape.sections(2)
    assert sum(asked) < 2 * len(bytes(log)), "the last one read is kept"


# Deep nesting.

LEVELS: Final = (100, 500, 1_500, 20_000)


def nested(levels: int) -> str:
    return '{"a":' * levels + "1" + "}" * levels


def deep_tape() -> Log:
    """At each depth: an argument as a string, one as a value, a list of todos, and a rewrite."""
    log = Log()
    log.turn()
    for levels in LEVELS:
        call = f"c{levels}"
        log.assistant(call_block(call, arguments=nested(levels)))
        deep = "[" * levels + "]" * levels
        ids = f'"rootCallId":"{call}","parentCallId":"{call}","subCallId":"{call}:1"'
        verbatim(log, "tool/code-dispatch-start", f'{{{ids},"name":"bash","arguments":{deep}}}')
        verbatim(log, "todo/write", f'{{"todos":{deep}}}')
        result = log.seq
        data = line({"id": "r", "role": "user", "source": {"kind": "tool", "callId": call}})
        block = f'{{"type":"tool-result","toolCallId":"{call}","content":[]}}'
        data_text = (
            f'{{"turn":1,"step":1,"meta":{deep},'
            f'"message":{data.decode()[:-1]},"content":[{block}]}}}}'
        )
        verbatim(log, "tool/result", data_text, ',"surfaceOp":"append"')
        operation = f'{{"op":"replace","start":{result},"end":{result}}}'
        more = f',"surfaceOp":{operation},"sourceEventSeqs":[{result}]'
        verbatim(log, "tool/result", data_text, more)
    log.turn_end()
    return log


def verbatim(log: Log, kind: str, data: str, more: str = "") -> None:
    log.raw(f'{{"type":"{kind}","seq":{log.seq},"time":1,"data":{data}{more}}}'.encode())
    log.seq += 1


def test_deep_values_are_events_and_their_rewrites_are_compared(tmp_path: Path) -> None:
    tape = folded(deep_tape(), tmp_path)
    assert tape.timeline.events == 22
    assert tape.verdict().opens is True
    assert tape.timeline.generation(22) == len(LEVELS)
    assert surface(tape) == [1, 5, 6, 10, 11, 15, 16, 20]


def test_a_check_tells_what_is_deep_and_where(tmp_path: Path) -> None:
    tape = folded(deep_tape(), tmp_path)
    found = documents.check(tape)["findings"]
    assert {(finding["code"], finding["severity"]) for finding in found} == {("deep", "info")}
    assert [finding["line"] for finding in found] == [14, 15, 16, 17, 19, 20, 21, 22]
    assert "20,002 levels" in found[-1]["message"]


def test_every_question_about_deep_values_has_an_answer(tmp_path: Path) -> None:
    tape = folded(deep_tape(), tmp_path)
    everything(tape)
    arguments = tape.payload(16)["data"]["message"]["content"][0]["arguments"]
    assert arguments == nested(20_000)


@pytest.mark.parametrize("words", PRINTED, ids=" ".join)
def test_deep_values_are_printed(words: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(bytes(deep_tape()))
    done = run(words[0], path, *words[1:])
    assert (done.code, done.err) == (0, "")


# Keys that come twice.


def test_of_a_key_that_comes_twice_the_last_value_counts_and_a_check_tells_the_first(
    tmp_path: Path,
) -> None:
    log = Log()
    log.user("go")
    arguments = '{"command":"ls","command":"rm -rf demo"}'
    verbatim(
        log,
        "tool/code-dispatch-start",
        '{"rootCallId":"c","parentCallId":"c","subCallId":"s","name":"bash",'
        f'"arguments":{arguments}}}',
    )
    log.raw(b'{"type":"turn/start","type":"turn/end","seq":7,"seq":2,"time":1,"data":{"turn":1,')
    log.lines[-1] += b'"reason":{"kind":"completed"}}}'
    tape = folded(log, tmp_path)
    assert tape.timeline.events == 3
    assert tape.payload(1)["data"]["arguments"] == {"command": "rm -rf demo"}
    assert [tape.timeline.table.type(2), tape.number(2)] == ["turn/end", 2]
    found = documents.check(tape)["findings"]
    assert [(finding["code"], finding["line"], finding["severity"]) for finding in found] == [
        ("duplicate-key", 3, "warning"),
        ("duplicate-key", 4, "warning"),
        ("duplicate-key", 4, "warning"),
    ]
    told = [finding["message"] for finding in found]
    assert '"command" stands 2 times' in told[0]
    assert 'the first is "ls"' in told[0]
    assert '"type"' in told[1]
    assert '"turn/start"' in told[1]
    assert '"seq"' in told[2]
    assert "7" in told[2]
    for finding in found:
        at = finding["byte"] - tape.place(finding["line"] - 1).byte
        assert tape.raw_record(finding["line"] - 1)[at : at + 1] == b'"'


def test_a_check_of_keys_that_come_twice_is_a_warning_and_no_error(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    log = Log()
    log.turn()
    verbatim(log, "session/title", '{"title":"one","title":"two"}')
    path.write_bytes(bytes(log))
    done = run("check", path)
    assert done.code == 0
    assert '"title" stands 2 times in data; the first is "one"' in done.out


# Ids and types that no language can look up, and numbers that none can print.


@pytest.mark.parametrize("levels", LEVELS)
def test_the_id_of_an_open_call_may_be_anything(levels: int, tmp_path: Path) -> None:
    log = Log()
    log.turn()
    deep = "[" * levels + "]" * levels
    log.assistant(call_block("here"))
    log.lines[-1] = log.lines[-1].replace(b'"here"', deep.encode())
    verbatim(log, "tool/call", f'{{"turn":1,"step":1,"callId":{deep},"name":"b","arguments":""}}')
    tape = folded(log, tmp_path)
    everything(tape)
    verdict = tape.verdict()
    assert verdict.opens is False
    assert "an open call without an id" in (verdict.reason or "")


@pytest.mark.parametrize("number", ["9" * 5_000, "-" + "9" * 5_000, "1e400", "9" * 400])
def test_a_number_that_is_too_large_is_shown_and_printed(number: str, tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    log = Log()
    log.turn()
    verbatim(log, "todo/write", f'{{"todos":[{{"content":{number},"status":"pending"}}]}}')
    verbatim(log, "plan/mode", f'{{"active":{number}}}')
    verbatim(log, "turn/start", f'{{"turn":{number}}}')
    verbatim(log, "hook/result", f'{{"turn":1,"point":"P","durationMs":{number}}}')
    path.write_bytes(bytes(log))
    everything(folded(log, tmp_path))
    for words in PRINTED:
        done = run(words[0], path, *words[1:])
        assert (done.code, done.err) == (0, "")


@pytest.mark.parametrize("kind", ["[]", "{}", "[7]", "null", "1.5", "true"])
def test_a_type_that_is_no_text_is_an_event_all_the_same(kind: str, tmp_path: Path) -> None:
    log = Log()
    log.turn()
    log.raw(f'{{"type":{kind},"seq":1,"time":1,"data":{{}}}}'.encode())
    tape = folded(log, tmp_path)
    assert tape.timeline.events == 2
    assert tape.payload(1)["seq"] == 1
    everything(tape)
