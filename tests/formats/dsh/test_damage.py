from pathlib import Path
from typing import NamedTuple

import pytest

from inspector.tape import lines
from inspector.tape.records import Fate
from inspector.timeline.words import Mark
from tests.dsh_tapes import (
    HEADER,
    Found,
    Log,
    codes,
    findings,
    folded,
    line,
    opened,
    surface,
    user_data,
    visibility,
)
from tests.folding import fold_on

UNPARSABLE = "unparsable committed event at line 3"


class Damage(NamedTuple):
    """A line that holds no event, the finding it gives, and what the owner says of it."""

    record: bytes
    code: str
    message: str
    owner: str = UNPARSABLE


class Mended(NamedTuple):
    """A line that is no JSON and yet holds events, how many, and the findings it gives.

    If bytes of it are lost, what follows is not reliable.
    """

    record: bytes
    events: int
    codes: tuple[str, ...]
    message: str

    @property
    def lossy(self) -> bool:
        return "lost-bytes" in self.codes


GAP = "seq gap in committed region at line 3 (expected 2, got {})"
NO_NUMBER = "not an event: no whole number as seq"


def bad_json(record: bytes) -> Damage:
    return Damage(record, "not-json", "not JSON: ")


def not_an_object(record: bytes) -> Damage:
    return Damage(record, "not-an-event", "JSON, but ", GAP.format("undefined"))


DAMAGE = {
    "garbage": bad_json(b"garbage"),
    "cut": bad_json(b'{"type":"turn/start","seq":2,"ti'),
    "leading zero": bad_json(b'{"type":"step/end","seq":02,"time":1,"data":{}}'),
    "vertical tab": bad_json(b"\x0b"),
    "binary": bad_json(b"\xff\xfe\x00\x01"),
    "null": Damage(
        b"null",
        "not-an-event",
        "JSON, but null and not an event",
        "the reader crashes at line 3, which is null",
    ),
    "array": not_an_object(b"[1]"),
    "number": not_an_object(b"7"),
    "string": not_an_object(b'"x"'),
    "true": not_an_object(b"true"),
    "empty object": Damage(b"{}", "not-an-event", NO_NUMBER, GAP.format("undefined")),
    "no seq": Damage(
        b'{"type":"step/end","time":1,"data":{}}',
        "not-an-event",
        NO_NUMBER,
        GAP.format("undefined"),
    ),
    "text as seq": Damage(
        b'{"type":"step/end","seq":"2","time":1,"data":{}}',
        "not-an-event",
        NO_NUMBER,
        GAP.format("2"),
    ),
    "negative seq": Damage(
        b'{"type":"step/end","seq":-1,"time":1,"data":{}}',
        "not-an-event",
        NO_NUMBER,
        GAP.format("-1"),
    ),
    "fraction as seq": Damage(
        b'{"type":"step/end","seq":2.5,"time":1,"data":{}}',
        "not-an-event",
        NO_NUMBER,
        GAP.format("2.5"),
    ),
    "second header": Damage(
        line(HEADER), "not-an-event", "not an event: a second header", GAP.format("undefined")
    ),
    "bad packed row": Damage(
        b'{"type":"text-chunks","seq0":2,"time0":1,"data":{}}',
        "bad-packed-row",
        "packed row text-chunks: the keys of data are not exactly dt, index, step, texts, turn",
    ),
}

STEP_END = b'{"type":"step/end","seq":2,"time":1,"data":{}}'
NEXT = STEP_END.replace(b"2", b"3", 1)
ROW = (
    b'{"type":"text-chunks","seq0":2,"time0":1,'
    b'"data":{"turn":1,"step":1,"index":0,"dt":[1],"texts":["a","b"]}}'
)

MENDED = {
    "glued": Mended(
        STEP_END + NEXT, 2, ("glued",), "2 whole records on one line (byte 46 of the record)"
    ),
    "glued by a comma": Mended(
        STEP_END + b", " + NEXT,
        2,
        ("glued",),
        "2 whole records on one line (byte 48 of the record)",
    ),
    "glued packed row": Mended(
        ROW + NEXT.replace(b"3", b"4", 1), 3, ("glued",), "2 whole records on one line"
    ),
    "NaN": Mended(
        STEP_END.replace(b"{}", b"NaN"),
        1,
        ("not-a-number",),
        "NaN is no number of JSON (byte 43 of the record)",
    ),
    "Infinity": Mended(
        STEP_END.replace(b"{}", b"-Infinity"),
        1,
        ("not-a-number",),
        "-Infinity is no number of JSON (byte 43 of the record)",
    ),
    "raw control": Mended(
        STEP_END.replace(b"{}", b'"\x01"'),
        1,
        ("raw-control",),
        "raw control character 0x01 in a string (byte 44 of the record)",
    ),
    "BOM": Mended(
        b"\xef\xbb\xbf" + STEP_END, 1, ("bom",), "byte order mark (byte 0 of the record)"
    ),
    "NUL padding": Mended(
        b"\0\0" + STEP_END, 1, ("nul-padding",), "2 bytes of NUL padding (byte 0 of the record)"
    ),
    "form feed": Mended(
        b"\x0c" + STEP_END,
        1,
        ("garbage", "lost-bytes"),
        "1 byte without a record (byte 0 of the record)",
    ),
    "NBSP": Mended(
        "\u00a0".encode() + STEP_END,
        1,
        ("garbage", "lost-bytes"),
        "2 bytes without a record (byte 0 of the record)",
    ),
    "torn prefix": Mended(
        b'{"type":"step/end","seq":2,"ti' + STEP_END,
        1,
        ("torn-prefix", "lost-bytes"),
        "30 bytes of a broken record, then a whole one at byte 30 (byte 0 of the record)",
    ),
    "torn rest": Mended(
        STEP_END + b'{"type":"step/end","seq":3,"ti',
        1,
        ("torn-rest", "lost-bytes"),
        "30 bytes of a broken record, no whole one behind it (byte 46 of the record)",
    ),
}


def good() -> Log:
    """Two events, the second on the surface; the damage is the third line behind the header."""
    log = Log()
    log.turn()
    log.user("before")
    return log


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_line_holds_no_event_and_the_fold_goes_on(damage: Damage, tmp_path: Path) -> None:
    log = good()
    log.raw(damage.record)
    log.user("after")
    tape = folded(log, tmp_path)
    (found,) = findings(tape)
    byte = sum(len(record) + 1 for record in log.lines[:3])
    assert found[:4] == (damage.code, 4, byte, None)
    assert found.message.startswith(damage.message)
    assert damage.message.endswith(" ") or found.message == damage.message
    assert tape.timeline.events == 3
    assert [tape.number(event) for event in range(3)] == [0, 1, 2]
    assert surface(tape) == [1, 2]
    sums = tape.sums()
    assert (sums.records, sums.carriers, sums.damaged, sums.bookkeeping) == (5, 3, 1, 1)
    assert (sums.events, sums.recovered, sums.blank, sums.pending) == (3, 0, 0, 0)
    assert tape.timeline.reliable_to == 2
    assert list(tape.timeline.marks.events(Mark.DAMAGE)) == [2]


@pytest.mark.parametrize("damage", MENDED.values(), ids=MENDED)
def test_what_a_damaged_line_still_holds_is_folded(damage: Mended, tmp_path: Path) -> None:
    log = good()
    log.raw(damage.record)
    log.seq += damage.events
    log.user("after")
    tape = folded(log, tmp_path)
    found = findings(tape)
    byte = sum(len(record) + 1 for record in log.lines[:3])
    assert tuple(one.code for one in found) == damage.codes
    assert {one[1:4] for one in found} == {(4, byte, None)}
    assert found[0].message.startswith(damage.message)
    events = 3 + damage.events
    assert [tape.number(event) for event in range(events)] == list(range(events))
    assert [tape.payload(event)["seq"] for event in range(events)] == list(range(events))
    assert {tape.raw(event) for event in range(2, events - 1)} == {damage.record}
    assert surface(tape) == [1, events - 1]
    sums = tape.sums()
    assert (sums.records, sums.carriers, sums.damaged, sums.bookkeeping) == (5, 4, 0, 1)
    assert (sums.events, sums.recovered, sums.blank, sums.pending) == (events, 1, 0, 0)
    assert tape.timeline.reliable_to == (2 if damage.lossy else events)
    assert set(tape.timeline.marks.events(Mark.DAMAGE)) == {2}


@pytest.mark.parametrize("damage", MENDED.values(), ids=MENDED)
def test_the_owner_reads_nothing_of_a_line_that_is_no_json(damage: Mended, tmp_path: Path) -> None:
    log = good()
    log.raw(damage.record)
    verdict = folded(log, tmp_path).verdict()
    assert (verdict.opens, verdict.event) == ("partly", 2)
    assert verdict.reason == "drops everything from event 2 on as a torn tail"
    log.seq += damage.events
    log.turn_end()
    verdict = folded(log, tmp_path).verdict()
    assert (verdict.opens, verdict.event) == (False, 2)
    assert verdict.reason == f"corrupt session log: {UNPARSABLE}"


def test_a_line_of_nuls_is_blank_and_told(tmp_path: Path) -> None:
    log = good()
    log.raw(b"\0\0\0\0")
    tape = folded(log, tmp_path)
    message = "4 bytes of NUL padding (byte 0 of the record)"
    assert [(found.code, found.line, found.message) for found in findings(tape)] == [
        ("nul-padding", 4, message)
    ]
    sums = tape.sums()
    assert (sums.carriers, sums.blank, sums.recovered, sums.damaged) == (2, 1, 0, 0)
    assert tape.timeline.reliable_to == 2
    assert tape.verdict().opens is True
    log.turn_end()
    tape = folded(log, tmp_path)
    assert tape.timeline.reliable_to == tape.timeline.events == 3
    assert tape.verdict().reason == f"corrupt session log: {UNPARSABLE}"


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_damage_before_the_end_of_a_turn_is_corruption_to_the_owner(
    damage: Damage, tmp_path: Path
) -> None:
    log = good()
    log.raw(damage.record)
    log.turn_end()
    verdict = folded(log, tmp_path).verdict()
    assert (verdict.opens, verdict.event) == (False, 2)
    prefix = "" if damage.record == b"null" else "corrupt session log: "
    assert verdict.reason == prefix + damage.owner


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_damage_in_the_open_tail_is_dropped_by_the_owner(damage: Damage, tmp_path: Path) -> None:
    log = good()
    log.raw(damage.record)
    tape = folded(log, tmp_path)
    verdict = tape.verdict()
    assert verdict.event == 2
    if damage.record == b"null":
        assert (verdict.opens, verdict.reason) == (False, damage.owner)
    else:
        assert verdict.opens == "partly"
        assert verdict.reason == "drops everything from event 2 on as a torn tail"
    assert tape.timeline.reliable_to == tape.timeline.events == 2


@pytest.mark.parametrize("damage", [*DAMAGE.values(), *MENDED.values()], ids=[*DAMAGE, *MENDED])
def test_damage_never_changes_the_fold_before_it(damage: Damage | Mended, tmp_path: Path) -> None:
    log = good()
    log.assistant()
    log.checkpoint(1, 2, [1, 2])
    whole = folded(log, tmp_path)
    log.raw(damage.record)
    log.user("after")
    tape = folded(log, tmp_path)
    for cursor in range(5):
        assert tape.timeline.rows(cursor) == whole.timeline.rows(cursor)
        assert tape.timeline.tokens(cursor) == whole.timeline.tokens(cursor)
        for event in range(4):
            assert visibility(tape, event, cursor) == visibility(whole, event, cursor)


@pytest.mark.parametrize("kind", [b"", b'"type":7,', b'"type":null,', b'"type":["step/end"],'])
def test_an_event_whose_type_is_no_text_is_of_an_unknown_type(kind: bytes, tmp_path: Path) -> None:
    log = good()
    log.raw(b"{" + kind + b'"seq":2,"time":1,"data":{}}')
    tape = folded(log, tmp_path)
    (found,) = findings(tape)
    assert (found.code, found.line, found.event) == ("unknown-required", 4, 2)
    assert found.message == "seq 2 (no type) is unknown and not marked ignorable"
    assert tape.timeline.table.type(2) == "(no type)"
    assert (tape.timeline.stopped_at, tape.sums().damaged) == (2, 0)


# What is no damage.


@pytest.mark.parametrize("blank", [b"", b" ", b"\t\t", b"\r", b" \t\r"])
def test_a_blank_line_is_no_damage(blank: bytes, tmp_path: Path) -> None:
    log = good()
    log.raw(blank)
    log.user("after")
    tape = folded(log, tmp_path)
    assert findings(tape) == []
    assert surface(tape) == [1, 2]
    sums = tape.sums()
    assert (sums.records, sums.carriers, sums.blank, sums.damaged) == (5, 3, 1, 0)
    assert tape.timeline.reliable_to == 3
    assert list(tape.timeline.marks.events(Mark.DAMAGE)) == []


@pytest.mark.parametrize(
    "record",
    [
        b' {"type":"step/end","seq":2,"time":1,"data":{}}\t\r',
        b'{"type":"step/end",\t"seq":2, "time":1 ,"data":{}}',
        b'{"type":"step/end","seq":2.0,"time":1e1,"data":{}}',
        '{"type":"step/end","seq":2,"time":1,"data":{"x":"\u0085\u2028\u2029"}}'.encode(),
        b'{"type":"step/end","seq":2,"time":1,"data":{"x":"\x7f"}}',
        b'{"type":"step/end","seq":2,"time":1,"data":{"x":1e400}}',
        b'{"type":"step/end","seq":2,"time":1,"data":{"x":' + b"9" * 5000 + b"}}",
        b'{"type":"step/end","seq":2,"time":1,"data":{"x":' + b"[" * 900 + b"]" * 900 + b"}}",
    ],
    ids=["blanks", "inner blanks", "doubles", "separators", "DEL", "1e400", "long", "900 levels"],
)
def test_a_line_that_the_owner_reads_is_an_event(record: bytes, tmp_path: Path) -> None:
    log = good()
    log.raw(record)
    log.seq = 3
    log.user("after")
    tape = folded(log, tmp_path)
    assert findings(tape) == []
    assert tape.timeline.table.type(2) == "step/end"
    assert surface(tape) == [1, 3]
    assert tape.payload(2)["type"] == "step/end"
    assert tape.verdict().opens is True


@pytest.mark.parametrize("levels", [1500, 20_000])
def test_a_deeply_nested_line_is_an_event(levels: int, tmp_path: Path) -> None:
    log = good()
    nested = b"[" * levels + b"]" * levels
    log.raw(b'{"type":"step/end","seq":2,"time":1,"data":{"x":' + nested + b"}}")
    log.seq = 3
    log.user("after")
    tape = folded(log, tmp_path)
    assert codes(tape) == []
    assert surface(tape) == [1, 3]


def test_bytes_that_are_no_utf_8_are_replaced_and_the_event_is_recovered(tmp_path: Path) -> None:
    log = good()
    record = line(
        {
            "type": "user/message",
            "seq": 2,
            "time": 1,
            "data": user_data("x?z"),
            "surfaceOp": "append",
        }
    ).replace(b"x?z", b"x\xffz")
    log.raw(record)
    tape = folded(log, tmp_path)
    (found,) = findings(tape)
    at = record.index(b"\xff")
    assert (found.code, found.line, found.event) == ("repaired-text", 4, None)
    assert found.message == f"byte {at} of the line is not UTF-8; replaced"
    assert surface(tape) == [1, 2]
    assert tape.headline(2).text == "x\ufffdz"
    assert tape.raw(2) == record
    sums = tape.sums()
    assert (sums.carriers, sums.recovered, sums.damaged) == (3, 1, 0)
    assert tape.timeline.reliable_to == 3
    assert tape.verdict().opens is True


def test_lone_surrogates_stay(tmp_path: Path) -> None:
    log = good()
    log.user("\ud83d")
    tape = folded(log, tmp_path)
    assert findings(tape) == []
    assert tape.headline(2).text == "\ud83d"
    assert tape.sums().recovered == 0


# Numbers that jump.


def test_a_number_that_jumps_forward_is_a_gap_and_the_fold_goes_on_from_it(
    tmp_path: Path,
) -> None:
    log = good()
    log.user("five", seq=5)
    log.user("six")
    tape = folded(log, tmp_path)
    byte = tape.place(3).byte
    assert findings(tape) == [
        Found("sequence-gap", 4, byte, 2, "seq 5 follows 1: 3 events missing")
    ]
    assert [tape.number(event) for event in range(4)] == [0, 1, 5, 6]
    assert surface(tape) == [1, 2, 3]
    assert tape.timeline.reliable_to == 2
    assert list(tape.timeline.marks.events(Mark.DAMAGE)) == [2]
    sums = tape.sums()
    assert (sums.records, sums.carriers, sums.events, sums.damaged) == (5, 4, 4, 0)
    assert [tape.numbered(number) for number in (1, 2, 5, 6, 7)] == [[1], [], [2], [3], []]


def test_one_missing_event_is_one_event(tmp_path: Path) -> None:
    log = good()
    log.user("three", seq=3)
    assert [found.message for found in findings(folded(log, tmp_path))] == [
        "seq 3 follows 1: 1 event missing"
    ]


def test_a_number_given_before_rejects_the_event_and_the_fold_goes_on(tmp_path: Path) -> None:
    log = good()
    log.user("one again", seq=1)
    log.user("two")
    tape = folded(log, tmp_path)
    byte = tape.place(3).byte
    assert findings(tape) == [Found("sequence-repeat", 4, byte, 2, "seq 1 again, expected 2")]
    assert [tape.number(event) for event in range(4)] == [0, 1, 1, 2]
    assert surface(tape) == [1, 3]
    assert visibility(tape, 2) == ("not-applied", None)
    assert tape.timeline.reliable_to == 2
    assert tape.numbered(1) == [1, 2]
    assert tape.sums().carriers == 4


def test_what_is_written_again_in_full_is_rejected_in_full(tmp_path: Path) -> None:
    log = good()
    log.turn_end()
    log.lines += log.lines[1:]
    log.user("three")
    tape = folded(log, tmp_path)
    assert codes(tape) == ["sequence-repeat"] * 3
    assert list(tape.timeline.rejected) == [3, 4, 5]
    assert surface(tape) == [1, 6]
    assert [tape.number(event) for event in range(7)] == [0, 1, 2, 0, 1, 2, 3]
    assert tape.numbered(2) == [2, 5]


def test_a_gap_after_a_gap_and_a_repeat_between(tmp_path: Path) -> None:
    log = Log()
    for number in (0, 4, 2, 5, 9, 9, 10):
        log.user(str(number), seq=number)
    tape = folded(log, tmp_path)
    assert [(found.code, found.event) for found in findings(tape)] == [
        ("sequence-gap", 1),
        ("sequence-repeat", 2),
        ("sequence-gap", 4),
        ("sequence-repeat", 5),
    ]
    assert [tape.number(event) for event in range(7)] == [0, 4, 2, 5, 9, 9, 10]
    assert surface(tape) == [0, 1, 3, 4, 6]


@pytest.mark.parametrize(
    ("number", "got"),
    [
        ("5", "5"),
        ("1", "1"),
        ("5.0", "5"),
        ("2.5", "2.5"),
        ('"2"', "2"),
        ("true", "true"),
        ("null", "null"),
    ],
)
def test_a_jump_before_the_end_of_a_turn_is_corruption_in_the_owners_words(
    number: str, got: str, tmp_path: Path
) -> None:
    log = good()
    log.raw(f'{{"type":"step/end","seq":{number},"time":1,"data":{{}}}}'.encode())
    log.turn_end()
    verdict = folded(log, tmp_path).verdict()
    assert (verdict.opens, verdict.event) == (False, 2)
    assert verdict.reason == (
        f"corrupt session log: seq gap in committed region at line 3 (expected 2, got {got})"
    )


# The end.


def test_a_torn_tail_is_pending_and_no_damage(tmp_path: Path) -> None:
    log = good()
    log.turn_end()
    tape = folded(bytes(log) + b'{"type":"user/me', tmp_path)
    byte = len(bytes(log))
    message = f"the tape ends inside a record: 16 bytes from byte {byte} have no newline yet"
    assert findings(tape) == [Found("torn-tail", 5, byte, None, message)]
    sums = tape.sums()
    assert (sums.records, sums.carriers, sums.pending, sums.damaged) == (5, 3, 1, 0)
    assert tape.timeline.reliable_to == tape.timeline.events == 3
    verdict = tape.verdict()
    assert (verdict.opens, verdict.reason, verdict.event) == (
        True,
        "drops the torn last line",
        None,
    )


def test_a_whole_last_line_without_its_newline_is_pending_too(tmp_path: Path) -> None:
    log = good()
    tape = folded(bytes(log)[:-1], tmp_path)
    assert codes(tape) == ["torn-tail"]
    assert (tape.timeline.events, surface(tape)) == (1, [])


def test_asking_a_tape_at_its_end_to_go_on_finds_nothing_more(tmp_path: Path) -> None:
    tape = folded(bytes(good()) + b"{", tmp_path)
    assert tape.advance() is False
    assert codes(tape) == ["torn-tail"]
    assert tape.sums().pending == 1


def test_a_tail_that_grew_to_a_whole_line_is_no_longer_torn(tmp_path: Path) -> None:
    log = good()
    whole = bytes(log)
    tape = folded(whole[:-10], tmp_path)
    assert (tape.timeline.events, codes(tape)) == (1, ["torn-tail"])
    with tape.identity.path.open("ab") as writer:
        writer.write(whole[-10:])
    fold_on(tape)
    assert surface(tape) == [1]
    assert (tape.sums().pending, tape.sums().records) == (0, 3)
    assert tape.verdict().reason is None
    assert codes(tape) == []


def test_a_header_that_grew_to_a_whole_line_is_the_header(tmp_path: Path) -> None:
    log = good()
    whole = bytes(log)
    tape = folded(whole[:100], tmp_path)
    assert tape.sums().pending == 1
    with tape.identity.path.open("ab") as writer:
        writer.write(whole[100:])
    fold_on(tape)
    assert surface(tape) == [1]
    assert tape.identity.id == "session"
    assert (tape.sums().bookkeeping, tape.sums().damaged) == (1, 0)
    assert tape.verdict().opens is True


# In whatever pieces it is read.


@pytest.mark.parametrize("chunk", [1, 13, 100])
def test_damage_is_the_same_in_any_chunks(
    chunk: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = good()
    for damage in DAMAGE.values():
        log.raw(damage.record)
        log.user()
        log.raw(b"")
    for mended in MENDED.values():
        log.raw(mended.record)
    at_once = folded(bytes(log) + b"{", tmp_path)
    monkeypatch.setattr(lines, "CHUNK", chunk)
    in_pieces = folded(bytes(log) + b"{", tmp_path)
    assert findings(in_pieces) == findings(at_once)
    assert in_pieces.sums() == at_once.sums()
    assert in_pieces.verdict() == at_once.verdict()
    assert surface(in_pieces) == surface(at_once) == list(range(1, 2 + len(DAMAGE)))
    recovered = sum(mended.events for mended in MENDED.values())
    assert in_pieces.sums().events == 2 + len(DAMAGE) + recovered


def test_half_a_tape_has_half_its_findings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "CHUNK", 100)
    log = good()
    log.raw(b"garbage")
    log.user("x" * 300)
    log.raw(b"more garbage")
    tape = opened(log, tmp_path)
    while tape.timeline.events < 2:
        assert tape.advance()
    assert len(findings(tape)) <= 1
    fold_on(tape)
    assert [found.line for found in findings(tape)] == [4, 6]


def test_every_record_has_one_fate(tmp_path: Path) -> None:
    log = good()
    log.raw(b"")
    log.packed("a", "b", "c")
    log.raw(b"garbage")
    log.raw(b"null")
    log.raw(b" \t")
    log.turn_end()
    tape = folded(bytes(log) + b"torn", tmp_path)
    assert tape.sums().as_dict() == {
        "records": 10,
        "carriers": 4,
        "events": 6,
        "recovered": 0,
        "bookkeeping": 1,
        "blank": 2,
        "pending": 1,
        "damaged": 2,
        "frames": None,
    }
    assert [fate.value for fate in Fate] == ["bookkeeping", "blank", "pending", "damaged"]


def test_many_damaged_lines_are_counted_and_the_first_are_told(tmp_path: Path) -> None:
    log = good()
    for _ in range(1_005):
        log.raw(b"garbage")
    found = findings(folded(log, tmp_path))
    assert len(found) == 1_005
    assert found[999].message.startswith("not JSON: ")
    assert found[1_000].message == "one more not-json; the first 1000 say more"
    assert found[1_004].line == 1_008
