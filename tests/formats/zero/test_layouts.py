"""Lines that follow the layout of the one before, and lines that nearly do."""

import json
import random
import tempfile
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.formats.zero.event import Event, event_of_line
from inspector.formats.zero.golang import RefusedError
from inspector.formats.zero.plain import UNKNOWN, layout_of, plain_event
from inspector.formats.zero.times import milliseconds
from tests.formats.zero.sessions import compaction, event, line, session, surface, user, written
from tests.formats.zero.test_laws import LAW

ONE: Final = b'{"id":"s:3","sessionId":"s","sequence":3,"type":"message","createdAt":'
LINE: Final = ONE + b'"2026-08-22T09:00:03Z","payload":{"role":"user","content":"hi"}}'
BEFORE: Final = written(event(at, *user()) for at in (1, 2))
BEHIND: Final = written(event(at, *user()) for at in (4, 5))

ORDERS: Final = (
    ("id", "sequence", "type", "createdAt", "sessionId", "payload"),
    ("createdAt", "id", "payload", "sequence", "sessionId", "type"),
    ("payload", "type", "id", "sequence", "createdAt", "sessionId"),
    ("sequence", "sessionId", "id", "type", "createdAt", "payload"),
)


def of_owner(text: bytes) -> Event | None:
    """The event of a line by the owner's rules, or None if it takes none there."""
    try:
        return event_of_line(text)
    except RefusedError:
        return None


def agrees(text: bytes, folder: Path) -> None:
    """Hold a session with a line among well laid out ones against the owner's rules."""
    wanted = of_owner(text)
    tape = session(BEFORE + text + b"\n" + BEHIND, folder)
    try:
        refused = wanted is None and bool(text.strip(b" \t\r"))
        assert tape.verdict().opens is not refused
        if wanted is None:
            return
        assert tape.timeline.events == 5
        assert tape.payload(2) == wanted.as_value()
        assert tape.timeline.table.type(2) == wanted.type
        assert tape.timeline.table.time(2) == milliseconds(wanted.created)
        assert [tape.number(at) for at in range(5)] == [1, 2, wanted.number, 4, 5]
        ids = [tape.decoder.numbering.id(at) for at in range(5)]
        assert ids == ["s:1", "s:2", wanted.id, "s:4", "s:5"]
    finally:
        tape.close()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"hi", b"\\u003chi\\u0022\\u003e"),
        (b"hi", b'a \\" quote'),
        (b"}}", b'},"type":"error"}'),
        (b"}}", b'},"Type":"error"}'),
        (b"}}", b'},"type":7}'),
        (b"}}", b'},"sequence":"3"}'),
        (b"}}", b'},"sequence":9}'),
        (b"}}", b'},"id":null}'),
        (b"}}", b'},"payload":{"role":"assistant","content":"x"}}'),
        (b"}}", b'},"payload":null}'),
        (b"}}", b'},"note":"more"}'),
        (b"}}", b"}}}"),
        (b"}}", b"}"),
        (b"}}", b"}}\r"),
        (b"}}", b"}} "),
        (b"}}", b"},}"),
        (b'"type":"message"', b'"type":"mess\x01age"'),
        (b'"type":"message"', b'"type":"mess\\u0061ge"'),
        (b'"type":"message"', b'"type":"mess\\age"'),
        (b'"type":"message"', b'"type":"message","type":7'),
        (b'"type":"message"', b'"TYPE":"message"'),
        (b'"sequence":3', b'"sequence":3.0'),
        (b'"sequence":3', b'"sequence":03'),
        (b'"sequence":3', b'"sequence":-3'),
        (b'"sequence":3', b'"sequence":"4","sequence":3'),
        (b"s:3", b"s:03"),
        (b"s:3", b"S:3"),
        (b'"s",', b'"t",'),
        (b"T09", b"\\n09"),
        (b"T09", b"\x0109"),
        (b"T09", b" 09"),
        (b"03Z", b"03.250Z"),
        (b"03Z", b"03.25Z"),
        (b"03Z", b"60Z"),
        (b"03Z", b"03+02:00"),
        (b"2026-08-22T09:00:03Z", b""),
        (b"2026-08-22T09:00:03Z", b"2026-13-22T09:00:03Z"),
        (b'{"role":"user","content":"hi"}', b"[1]"),
        (b'{"role":"user","content":"hi"}', b"null"),
        (b'{"role":"user","content":"hi"}', b' {"role":"user"} '),
        (b',"payload":{"role":"user","content":"hi"}', b""),
        (b'{"role":"user","content":"hi"}', b'{"x":' + b"[" * 400 + b"]" * 400 + b"}"),
        (b"hi", b"\xff"),
        (b"hi", b"a\tb"),
        (b"hi", b"\\ud800"),
    ],
)
def test_a_line_is_read_by_the_owners_rules_however_near_it_is_to_the_usual(
    tmp_path: Path, old: bytes, new: bytes
) -> None:
    assert old in LINE
    agrees(LINE.replace(old, new), tmp_path)


@LAW
@given(st.randoms(use_true_random=True))
def test_a_line_with_any_byte_changed_is_read_by_the_owners_rules(throw: random.Random) -> None:
    changed = bytearray(LINE)
    at = throw.randrange(len(changed))
    swap = throw.choice(b'"\\{}[]:, 0123\x01\x7f\xc3aZT')
    changed[at : at + throw.randrange(2)] = bytes((swap,))
    text = bytes(changed)
    with tempfile.TemporaryDirectory() as folder:
        agrees(text, Path(folder))


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("separators", [(",", ":"), (", ", ": ")])
def test_keys_in_another_order_make_the_same_session(
    tmp_path: Path, order: tuple[str, ...], separators: tuple[str, str]
) -> None:
    drafts = [user(), user("more"), compaction("s:1"), user("on"), user("100 %d")]
    values = [event(at, *draft) for at, draft in enumerate(drafts, 1)]
    lines = [json.dumps({key: one[key] for key in order}, separators=separators) for one in values]
    tape = session("".join(f"{text}\n" for text in lines).encode(), tmp_path)
    assert surface(tape) == [2, 1, 3, 4]
    assert [tape.number(at) for at in range(5)] == [1, 2, 3, 4, 5]
    assert tape.verdict().opens is True


def test_a_layout_is_what_lines_have_in_common() -> None:
    for number, kind in ((3, "message"), (1_000, "tool_call")):
        start, middle, end = layout_of(line(event(number, kind, {})))
        assert start % (7, 7) == b'{"id":"s:7","sessionId":"s","sequence":7,"type":"'
        assert (middle, end) == (b'","createdAt":"', b'","payload":')


@pytest.mark.parametrize(
    "value",
    [
        event(3, "message"),
        event(3, "message", {}, id="odd"),
        event(3, "message", {}, id="s:4"),
        event(-3, "message", {}),
        {"more": 1, **event(3, "message", {})},
        event(3, 'a "quoted" type', {}),
        {key: event(3, "message", {})[key] for key in ORDERS[1]},
    ],
)
def test_a_line_that_says_otherwise_has_no_layout(value: Any) -> None:
    assert layout_of(line(value)) is UNKNOWN


def test_a_percent_sign_in_a_session_is_one(tmp_path: Path) -> None:
    values = [event(at, *user(), session="100%d%s") for at in range(1, 6)]
    tape = session(written(values), tmp_path)
    assert [tape.decoder.numbering.id(at) for at in range(5)] == [one["id"] for one in values]


@pytest.mark.parametrize(
    "text",
    [
        b'{"id":"a","id":"b"}',
        b'{"payload":{"a":1,"a":1}}',
        b'{"payload":{"\\u0061":1,"a":1}}',
        b'{"payload":"\\u0022"}',
        b'{"sequence":18446744073709551616}',
        b"[]",
        b"null",
        b"",
    ],
)
def test_what_a_fast_reader_reads_otherwise_needs_care(text: bytes) -> None:
    assert plain_event(text) is None
