"""Hostile text in every place that a tape has for text, seen on every screen."""

import re
from collections.abc import Iterator
from datetime import UTC
from pathlib import Path

import orjson
import pytest

from inspector.cli import main
from inspector.formats.contract import Options
from inspector.formats.opening import open_tape
from inspector.inspection import Inspection
from inspector.ui.app import InspectorApp
from inspector.ui.first_paint import frame
from tests.ui.driving import text

EVIL = "\x1b]52;c;aGk=\x07\x1b[31m\x9b2J\r\n\x00\x7f\u202e\u2066\u200b\ufeff[/foo][bold]@click"
FORBIDDEN = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200b\u202a-\u202e\u2066-\u2069\ufeff]")


def lines() -> Iterator[dict[str, object]]:
    yield {
        "type": "session",
        "version": 0,
        "id": EVIL,
        "createdAt": 1,
        "cwd": "/" + EVIL,
        "parentSession": EVIL,
        "delegationDepth": 0,
    }
    source = {"kind": "model", "provider": EVIL, "model": EVIL}
    call = {"type": "tool-call", "id": EVIL, "name": EVIL, "arguments": EVIL}
    result = {
        "type": "tool-result",
        "toolCallId": EVIL,
        "content": [{"type": "text", "text": EVIL}],
        "isError": True,
    }
    told: list[tuple[str, object, dict[str, object]]] = [
        ("turn/start", {"turn": 1}, {}),
        ("step/start", {"turn": 1, "step": EVIL}, {}),
        ("session/title", {"title": EVIL}, {}),
        (
            "request/header",
            {
                "header": {
                    "config": {"provider": EVIL, "model": EVIL},
                    "system": EVIL,
                    "tools": [{"name": EVIL, "description": EVIL}],
                },
                "reason": EVIL,
            },
            {},
        ),
        ("request/context", {"provider": EVIL, "model": EVIL, "contextWindow": 10}, {}),
        (
            "user/message",
            {
                "id": EVIL,
                "role": "user",
                "content": [{"type": "text", "text": EVIL}, {"type": EVIL}],
                "source": {"kind": EVIL, "plugin": EVIL},
            },
            {"surfaceOp": "append"},
        ),
        ("assistant/chunk", {"chunk": {"type": EVIL, "text": EVIL}}, {}),
        ("assistant/chunk", {"chunk": {"type": "text-delta", "text": EVIL}}, {}),
        (
            "assistant/message",
            {"message": {"id": EVIL, "role": "assistant", "content": [call], "source": source}},
            {"surfaceOp": "append"},
        ),
        ("tool/call", {"callId": EVIL, "name": EVIL, "arguments": EVIL}, {}),
        (
            "tool/result",
            {
                "message": {
                    "id": EVIL,
                    "role": "user",
                    "source": {"kind": "tool", "callId": EVIL},
                    "content": [result],
                },
                "error": {"name": EVIL, "code": EVIL},
                "meta": {"diffs": [{"path": EVIL, "newText": EVIL}]},
            },
            {"surfaceOp": "append"},
        ),
        ("todo/write", {"todos": [{"content": EVIL, "status": EVIL}, EVIL]}, {}),
        ("compaction/start", {"compactionId": EVIL, "turn": EVIL}, {}),
        ("compaction/end", {"compactionId": EVIL, "error": EVIL}, {}),
        ("hook/invoked", {EVIL: EVIL}, {}),
        ("turn/end", {"turn": 1, "reason": {"kind": EVIL, "error": {"message": EVIL}}}, {}),
        (EVIL, {EVIL: EVIL}, {"ignorable": True}),
        ("turn/start", {"turn": 2}, {EVIL: EVIL}),
        ("compaction/start", {"compactionId": EVIL, "turn": None}, {}),
        (EVIL + "required", EVIL, {}),
        ("session/title", {"title": EVIL}, {}),
    ]
    for number, (kind, data, more) in enumerate(told):
        yield {"type": kind, "seq": number, "time": number, "data": data, **more}


@pytest.fixture
def tape_file(tmp_path: Path) -> Path:
    path = tmp_path / f"{EVIL.replace('/', '').replace(chr(0), '')}.jsonl"
    path.write_bytes(b"".join(orjson.dumps(line) + b"\n" for line in lines()))
    return path


@pytest.mark.parametrize("past_unknown", [False, True])
async def test_no_screen_shows_a_control(tape_file: Path, past_unknown: bool) -> None:
    tape = open_tape(tape_file, Options(past_unknown=past_unknown))
    while tape.advance():
        pass
    inspection = Inspection(tape, "0", UTC)
    app = InspectorApp(inspection, lambda: tape, UTC)
    async with app.run_test(size=(120, 40), notifications=True) as pilot:
        for _ in range(inspection.head + 1):
            for key in ("r", "r"):
                await pilot.press(key)
                assert not [line for line in text(app) if FORBIDDEN.search(line)]
            codes = re.sub(r"\x1b\[[0-9;]*m|\r\n", "", frame(inspection, 120, 40, UTC).codes(256))
            assert not FORBIDDEN.search(codes)
            await pilot.press("l")
        for key in ("i", "tab", "k", "enter", "tab", "escape", "escape", "question_mark"):
            await pilot.press(key)
            assert not [line for line in text(app) if FORBIDDEN.search(line)]
        assert not [line for line in text(app) if FORBIDDEN.search(line)]


@pytest.mark.parametrize("words", [(), ("--json",), ("--past-unknown",)])
@pytest.mark.parametrize("command", ["show", "events", "check"])
def test_nothing_printed_holds_a_control(
    capsys: pytest.CaptureFixture[str], tape_file: Path, command: str, words: tuple[str, ...]
) -> None:
    with pytest.raises(SystemExit):
        main([command, str(tape_file), *words])
    out, err = capsys.readouterr()
    assert not FORBIDDEN.search(out)
    assert not FORBIDDEN.search(err)
