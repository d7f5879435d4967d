from pathlib import Path
from typing import Any

import pytest

from inspector.formats.contract import Tape
from tests.dsh_tapes import (
    Found,
    Json,
    Log,
    codes,
    findings,
    folded,
    line,
    surface,
    user_data,
    visibility,
)

SAFE = 2**53 - 1
BAD_TIME = "time is not a safe whole number"


def event_at_one(**keys: Any) -> Json:
    """A log-only event of seq 1; a key that is None here is left out."""
    event = {"type": "todo/write", "seq": 1, "time": 5, "data": {}, **keys}
    return {key: value for key, value in event.items() if value is not ...}


def folded_with(record: Json | bytes, tmp_path: Path) -> Tape:
    """The record between a prompt and another one."""
    log = Log()
    log.user("before")
    log.raw(record if isinstance(record, bytes) else line(record))
    log.seq = 2
    log.user("after")
    return folded(log, tmp_path)


def rejection(record: Json | bytes, tmp_path: Path) -> tuple[str, str]:
    """The code and message of the finding that rejects a record, which changes nothing else."""
    tape = folded_with(record, tmp_path)
    (found,) = findings(tape)
    assert (found.event, found.line) == (1, 3)
    assert tape.timeline.events == 3
    assert visibility(tape, 1) == ("not-applied", None)
    assert surface(tape) == [0, 2]
    assert tape.timeline.reliable_to == 1
    verdict = tape.verdict()
    assert (verdict.opens, verdict.event) == (False, 1)
    assert verdict.reason == f"invalid seed event at index 1: {found.message}"
    return found.code, found.message


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"more": 1}, "unknown key 'more' in the envelope"),
        ({"id": "x", "author": None}, "unknown key 'author' in the envelope"),
        ({"__proto__": {}}, "unknown key '__proto__' in the envelope"),
        ({"Data": {}}, "unknown key 'Data' in the envelope"),
        ({"time": ...}, BAD_TIME),
        ({"time": None}, BAD_TIME),
        ({"time": "5"}, BAD_TIME),
        ({"time": True}, BAD_TIME),
        ({"time": 1.5}, BAD_TIME),
        ({"time": SAFE + 1}, BAD_TIME),
        ({"time": -SAFE - 1}, BAD_TIME),
        ({"data": ...}, "no data"),
        ({"ignorable": False}, "ignorable is not true"),
        ({"ignorable": None}, "ignorable is not true"),
        ({"ignorable": 1}, "ignorable is not true"),
        ({"ignorable": "true"}, "ignorable is not true"),
    ],
)
def test_an_event_whose_envelope_is_wrong_is_rejected(
    keys: Json, message: str, tmp_path: Path
) -> None:
    assert rejection(event_at_one(**keys), tmp_path) == ("bad-envelope", message)


@pytest.mark.parametrize("data", [..., None, True, 7, "text", [1], [[]]])
@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("user/message", "message id must be a non-empty string"),
        ("assistant/message", "message must be an object"),
        ("tool/result", "message must be an object"),
    ],
)
def test_data_of_an_eligible_event_is_a_message_before_its_envelope_is_looked_at(
    kind: str, message: str, data: object, tmp_path: Path
) -> None:
    event = event_at_one(type=kind, data=data, surfaceOp="append", more=1)
    assert rejection(event, tmp_path) == ("bad-message", message)


@pytest.mark.parametrize("kind", [..., None, 7, ["turn/start"], {}])
def test_a_type_that_is_no_text_is_rejected_where_it_may_be_ignored(
    kind: object, tmp_path: Path
) -> None:
    event = event_at_one(type=kind, ignorable=True)
    assert rejection(event, tmp_path) == ("bad-envelope", "type is not a string")


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"more": 1, "time": None}, "unknown key 'more' in the envelope"),
        ({"time": None, "data": ...}, BAD_TIME),
        ({"data": ..., "ignorable": 1}, "no data"),
        ({"more": 1, "surfaceOp": "append"}, "unknown key 'more' in the envelope"),
        ({"ignorable": False, "sourceEventSeqs": [0]}, "ignorable is not true"),
    ],
)
def test_of_two_faults_the_first_is_told(keys: Json, message: str, tmp_path: Path) -> None:
    assert rejection(event_at_one(**keys), tmp_path) == ("bad-envelope", message)


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        ({"more": 1}, "unknown key 'more' in the envelope"),
        ({"ignorable": False}, "ignorable is not true"),
        ({"more": 1, "sourceEventSeqs": [0]}, "unknown key 'more' in the envelope"),
        ({"more": 1, "surfaceOp": "nonsense"}, "unknown key 'more' in the envelope"),
    ],
)
def test_the_envelope_comes_before_the_surface(keys: Json, message: str, tmp_path: Path) -> None:
    event = event_at_one(type="user/message", data=user_data(), **keys)
    assert rejection(event, tmp_path) == ("bad-envelope", message)


@pytest.mark.parametrize(
    "keys",
    [
        {"time": 0},
        {"time": -7},
        {"time": 5.0},
        {"time": SAFE},
        {"time": -SAFE},
        {"seq": 1.0},
        {"ignorable": True},
        {"data": {"todos": [], "more": 1}},
        {"type": "session/title", "data": {"title": 7}},
    ],
)
def test_an_envelope_that_the_owner_takes(keys: Json, tmp_path: Path) -> None:
    tape = folded_with(event_at_one(**keys), tmp_path)
    assert findings(tape) == []
    assert tape.timeline.events == 3
    assert visibility(tape, 1) == ("log-only", None)
    assert tape.verdict().opens is True


@pytest.mark.parametrize("data", [None, True, 7, "text", [], [1]])
@pytest.mark.parametrize("kind", ["turn/end", "session/title", "todo/write", "compaction/prune"])
def test_data_of_a_log_only_event_may_be_anything(kind: str, data: object, tmp_path: Path) -> None:
    tape = folded_with(event_at_one(type=kind, data=data), tmp_path)
    assert findings(tape) == []
    assert visibility(tape, 1) == ("log-only", None)


def test_an_ignorable_event_of_an_eligible_type_stands_on_the_surface(tmp_path: Path) -> None:
    event = event_at_one(type="user/message", data=user_data(), surfaceOp="append", ignorable=True)
    tape = folded_with(event, tmp_path)
    assert findings(tape) == []
    assert surface(tape) == [0, 1, 2]


def test_the_order_of_keys_is_free(tmp_path: Path) -> None:
    event = event_at_one(type="user/message", data=user_data(), surfaceOp="append")
    tape = folded_with(dict(reversed(event.items())), tmp_path)
    assert findings(tape) == []
    assert surface(tape) == [0, 1, 2]


def test_of_a_key_that_is_there_twice_the_last_counts(tmp_path: Path) -> None:
    record = b'{"type":"todo/write","seq":9,"time":"x","seq":1,"time":5,"data":1,"data":{}}'
    tape = folded_with(record, tmp_path)
    assert findings(tape) == []
    assert (tape.number(1), tape.timeline.table.time(1)) == (1, 5)


def test_an_escaped_key_is_the_key_that_it_spells(tmp_path: Path) -> None:
    tape = folded_with(b'{"typ\\u0065":"todo/write","seq":1,"time":5,"data":{}}', tmp_path)
    assert findings(tape) == []
    record = b'{"type":"todo/write","seq":1,"time":5,"data":{},"\\u006dore":1}'
    assert rejection(record, tmp_path)[0] == "bad-envelope"


@pytest.mark.parametrize("time", ["null", '"x"', "1.5", "1e400", "1" * 400])
def test_a_rejected_event_has_no_time_if_it_records_none(time: str, tmp_path: Path) -> None:
    record = f'{{"type":"todo/write","seq":1,"time":{time},"data":{{}}}}'
    tape = folded_with(record.encode(), tmp_path)
    assert tape.timeline.table.time(1) is None
    assert [(found.code, found.message) for found in findings(tape)] == [("bad-envelope", BAD_TIME)]


def test_an_event_rejected_in_the_middle_has_its_place(tmp_path: Path) -> None:
    tape = folded_with(event_at_one(more=1), tmp_path)
    byte = tape.place(2).byte
    assert findings(tape) == [
        Found("bad-envelope", 3, byte, 1, "unknown key 'more' in the envelope")
    ]
    assert tape.raw(1) == line(event_at_one(more=1))
    assert tape.payload(1)["more"] == 1


def test_every_rejected_event_is_found_and_the_first_decides_the_verdict(tmp_path: Path) -> None:
    log = Log()
    log.user()
    log.event("todo/write", {}, more=1)
    log.event("todo/write", {}, time=None)
    log.event("todo/write", {}, ignorable=False)
    tape = folded(log, tmp_path)
    assert codes(tape) == ["bad-envelope"] * 3
    assert list(tape.timeline.rejected) == [1, 2, 3]
    assert tape.timeline.reliable_to == 1
    assert tape.verdict().event == 1
