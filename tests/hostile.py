"""What a hostile tape may hold, and such a tape: each kind of evil in each place for text."""

import json
import os
from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any, Final

INVISIBLE: Final = (
    "\xad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ud800-\udfff\ufeff"
    "\ufff9-\ufffb\ufe00-\ufe0f\u3164\u115f\u1160\uffa0\U000e0001\U000e0020-\U000e007f"
)
"""Characters that deceive an eye, as the inside of a character class."""

WORDS: Final = (
    "\x1b]52;c;UFdO\x07",  # writes the clipboard
    "\x1b]0;PWN\x1b\\",  # the title of the window
    "\x1b]8;;http://pwn\x1b\\PWN\x1b]8;;\x1b\\",  # a link
    "\x1bP1$rPWN\x1b\\",  # a device control string
    "\x1b_PWN\x1b\\\x1b^PWN\x1b\\",
    "\x1b[?1049l",  # leaves the screen
    "\x1b[31;5mPWN",
    "\x1b[2J\x1b[1;1H\x1b[6n",
    "\x1bc",  # resets the terminal
    "\x9d52;c;UFdO\x9c",
    "\x9b2J\x90PWN\x9c",
    "[/foo]",
    "[red]PWN",
    "[@click=app.quit]PWN[/]",
    "[link=http://pwn]PWN",
    "\u202eNWP\u202c\u2066PWN\u2069",
    "a\u200bb\u200c\u200d\u200e\u200f\u061c\xad\u2060\ufeff",
    "\ufeffPWN",
    "\u2028\u2029\x85\x0b\x0c",
    "\r\nforged row\n\tPWN\r",
    "\ud83dPWN\udc00",
    "\U000e0041\ufe0f\u3164",
    "".join(map(chr, range(0x20))),
    "".join(map(chr, range(0x7F, 0xA0))),
)

FILE_NAME: Final = os.fsdecode(
    b"\n\x1b]0;PWN\x07\x1b[31m\x9b\xff\xe2\x80\xae\xe2\x80\x8b\xc2\x9d[@click=app.quit][red]\t.jsonl"
)
"""A name that a file may have."""


def evil(start: int) -> str:
    """Every word, beginning with one of them: a short field shows the first only."""
    at = start % len(WORDS)
    return "".join(WORDS[at:] + WORDS[:at])


def write_tape(folder: Path) -> Path:
    """A tape of which every text is hostile, in a file whose name is.

    It has a line that is no JSON, and at its end an event of a required unknown type.
    """
    path = folder / FILE_NAME
    with path.open("wb") as file:
        for number, line in enumerate(_lines()):
            file.write(_written(line, escaped=number % 2 == 0) + b"\n")
        file.write(b'{"type":"' + bytes(byte for byte in range(256) if byte != 0x0A) + b"\n")
        file.write(_written({"type": "turn/end", "seq": 0}, escaped=True))
    return path


def _written(line: Any, *, escaped: bool) -> bytes:
    """JSON with everything escaped, or with all that may stand in it as it is."""
    if escaped:
        return json.dumps(line).encode()
    return json.dumps(line, ensure_ascii=False).encode("utf-8", "replace")


def _lines() -> Iterator[dict[str, Any]]:
    starts = count()

    def word() -> str:
        return evil(next(starts))

    yield {
        "type": "session",
        "version": 0,
        "id": word(),
        "createdAt": 1,
        "cwd": "/" + word(),
        "parentSession": word(),
        "delegationDepth": 0,
        "agentPreset": word(),
    }
    for number, (kind, data, more) in enumerate(_events(word)):
        yield {"type": kind, "seq": number, "time": number, "data": data, **more}


_Event = tuple[str, Any, dict[str, Any]]


def _events(word: Callable[[], str]) -> Iterator[_Event]:
    """Type, data and what else stands in the envelope."""
    yield from _story(word)
    for start in range(len(WORDS)):
        # Each kind of evil at the start of a row and of the title.
        message = {
            "id": word(),
            "role": "user",
            "content": [{"type": "text", "text": evil(start)}],
            "source": {"kind": "user"},
        }
        yield "user/message", message, {"surfaceOp": "append"}
        yield "session/title", {"title": evil(start)}, {}
    yield f"{word()}required", word(), {}
    yield "session/title", {"title": word()}, {}


def _story(word: Callable[[], str]) -> Iterator[_Event]:
    call_id = word()
    source = {"kind": "model", "provider": word(), "model": word()}
    call = {"type": "tool-call", "id": call_id, "name": word(), "arguments": word()}
    result = {
        "type": "tool-result",
        "toolCallId": call_id,
        "content": [{"type": "text", "text": word()}],
        "isError": True,
    }
    story: list[_Event] = [
        ("turn/start", {"turn": 1}, {}),
        ("step/start", {"turn": 1, "step": word()}, {}),
        ("session/title", {"title": word()}, {}),
        (
            "request/header",
            {
                "header": {
                    "config": {"provider": word(), "model": word()},
                    "system": word(),
                    "tools": [{"name": word(), "description": word()}],
                },
                "reason": word(),
            },
            {},
        ),
        ("request/context", {"provider": word(), "model": word(), "contextWindow": 10}, {}),
        (
            "user/message",
            {
                "id": word(),
                "role": "user",
                "content": [{"type": "text", "text": word()}, {"type": word()}],
                "source": {"kind": word(), "plugin": word()},
            },
            {"surfaceOp": "append"},
        ),
        ("assistant/chunk", {"chunk": {"type": word(), "text": word()}}, {}),
        ("assistant/chunk", {"chunk": {"type": "text-delta", "text": word()}}, {}),
        (
            "assistant/message",
            {"message": {"id": word(), "role": "assistant", "content": [call], "source": source}},
            {"surfaceOp": "append"},
        ),
        ("tool/call", {"callId": call_id, "name": word(), "arguments": word()}, {}),
        (
            "tool/result",
            {
                "message": {
                    "id": word(),
                    "role": "user",
                    "source": {"kind": "tool", "callId": call_id},
                    "content": [result],
                },
                "error": {"name": word(), "code": word()},
                "meta": {"diffs": [{"path": word(), "newText": word()}]},
            },
            {"surfaceOp": "append"},
        ),
        ("todo/write", {"todos": [{"content": word(), "status": word()}, word()]}, {}),
        ("compaction/start", {"compactionId": word(), "turn": word()}, {}),
        ("compaction/end", {"compactionId": word(), "error": word()}, {}),
        ("hook/invoked", {word(): word()}, {}),
        ("turn/end", {"turn": 1, "reason": {"kind": word(), "error": {"message": word()}}}, {}),
        (word(), {word(): word()}, {"ignorable": True}),
        ("turn/start", {"turn": 2}, {word(): word()}),
        ("compaction/start", {"compactionId": word(), "turn": None}, {}),
    ]
    yield from story
