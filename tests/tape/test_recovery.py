import json
import math
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.tape import jsontokens, recovery
from inspector.tape.extents import Extents
from inspector.tape.notes import NOTES_KEPT
from inspector.tape.recovery import Recovery, recover

PROPERTY = settings(derandomize=True, deadline=None, max_examples=50)

BOM = b"\xef\xbb\xbf"
A = b'{"type":"a","n":1}'
B = b'{"type":"b","text":"two"}'
C = b'{"type":"c","data":{"deep":[1,{"x":2}]}}'


def is_record(value: Any) -> bool:
    return "type" in value


def pieces(line: bytes) -> list[bytes]:
    found = recover(line, is_record)
    return [line[start:stop] for start, stop, _ in found.pieces]


def codes(line: bytes) -> list[tuple[str, int]]:
    return [(note.code, note.at) for note in recover(line, is_record).notes]


def lost(line: bytes) -> list[bytes]:
    return [line[start:stop] for start, stop in recover(line, is_record).lost]


def test_a_whole_record_is_a_piece_without_a_note() -> None:
    assert recover(A, is_record) == Recovery(((0, len(A), {"type": "a", "n": 1}),), (), ())


def test_an_empty_line_holds_nothing() -> None:
    assert recover(b"", is_record) == Recovery((), (), ())
    assert recover(b" \t\r", is_record) == Recovery((), (), ())


# Marks and padding.


def test_a_byte_order_mark_before_a_record_is_passed() -> None:
    assert pieces(BOM + A) == [A]
    assert codes(BOM + A) == [("bom", 0)]
    assert lost(BOM + A) == []


def test_a_mark_between_records_is_passed() -> None:
    line = A + BOM + B
    assert pieces(line) == [A, B]
    assert codes(line) == [("bom", len(A)), ("glued", len(A) + 3)]
    assert lost(line) == []


@pytest.mark.parametrize("mark", [b"\xff\xfe", b"\xfe\xff"])
def test_utf_16_is_not_read_and_says_so(mark: bytes) -> None:
    line = mark + A
    found = recover(line, is_record)
    assert found.notes == (("bom", 0, "UTF-16, not read"),)
    assert (pieces(line), lost(line)) == ([A], [mark])


def test_a_line_in_utf_16_is_lost_in_full() -> None:
    line = A.decode().encode("utf-16")
    assert pieces(line) == []
    assert lost(line) == [line[:2], line[2:].rstrip(b"\0")]


def test_nul_bytes_alone_are_padding_and_no_loss() -> None:
    found = recover(b"\0" * 1_000_000, is_record)
    assert found == Recovery((), (("nul-padding", 0, "1,000,000 bytes of NUL padding"),), ())


def test_nul_padding_around_records_is_passed() -> None:
    line = b"\0\0" + A + b"\0" + B + b" \0\0"
    assert pieces(line) == [A, B]
    assert lost(line) == []
    assert codes(line) == [
        ("nul-padding", 0),
        ("nul-padding", 2 + len(A)),
        ("glued", 3 + len(A)),
        ("nul-padding", 4 + len(A) + len(B)),
    ]


# Glued records.


@pytest.mark.parametrize(
    "glue", [b"", b" ", b"\t\r", b",", b" , ", b"\0\0", b"\0,\0", BOM, b"," + BOM]
)
def test_glued_records_are_pieces_and_the_glue_is_no_loss(glue: bytes) -> None:
    line = glue.join((A, B, C))
    found = recover(line, is_record)
    assert pieces(line) == [A, B, C]
    assert found.lost == ()
    (glued,) = [note for note in found.notes if note.code == "glued"]
    assert glued == ("glued", len(A + glue), "3 whole records on one line")


def test_a_comma_that_glues_nothing_is_garbage() -> None:
    assert (pieces(A + b","), lost(A + b",")) == ([A], [b","])
    assert codes(A + b",") == [("garbage", len(A))]
    assert (pieces(b"," + A), lost(b"," + A)) == ([A], [b","])
    assert (pieces(A + b",," + B), lost(A + b",," + B)) == ([A, B], [b",,"])


# Torn records.


@pytest.mark.parametrize(
    "torn",
    [
        b'{"type":"user/mes',
        b'{"ty',
        b"{",
        b'{"',
        b'{"type"',
        b'{"type":',
        b'{"type":"a",',
        b'{"type":"a","n":12',
        b'{"type":"a","n":tr',
        b'{"type":"a","list":[1,2',
        b'{"type":"a","list":[{"x":1},',
        b'{"type":"a","child":{"type":"b"},"x":"',
        b'{"type":"a","text":"he said \\"{\\"a\\":{} \\\\',
        b'{"type":"a","text":"brace { and \\u00',
    ],
)
def test_a_torn_prefix_is_lost_and_the_whole_record_is_not(torn: bytes) -> None:
    line = torn + C
    assert pieces(line) == [C]
    assert lost(line) == [torn]
    found = recover(line, is_record)
    size = f"{len(torn)} byte{'s' * (len(torn) > 1)}"
    message = f"{size} of a broken record, then a whole one at byte {len(torn)}"
    assert found.notes == (("torn-prefix", 0, message),)


def test_a_record_torn_by_any_byte_costs_no_other() -> None:
    for cut in range(1, len(C)):
        assert pieces(A + C[:cut] + B) == [A, B], cut
        assert pieces(C[:cut] + b"\0" * 9 + B + A) == [B, A], cut


def test_padding_behind_a_torn_prefix_is_not_lost_with_it() -> None:
    line = b'{"type":"us' + b"\0" * 4096 + BOM + A
    assert (pieces(line), lost(line)) == ([A], [b'{"type":"us'])
    assert codes(line) == [("torn-prefix", 0), ("nul-padding", 11), ("bom", 11 + 4096)]


@pytest.mark.parametrize(
    "line",
    [
        b'{"type":"a","child":{"type":"b"},"x":"',
        b'{"type":"a","child":{"type":"b"},',
        b'{"type":"a","list":[{"type":"b"},{"type":"c"}],"x',
        b'{"type":"a","list":[{"type":"b"},{"type":"c"},{"ty',
        b'{"type":"a","child":{"child":{"type":"b"}},"bad" 1}',
        b'ype":"a","child":{"type":"b"},"x":1}',
        b'ype":"a","list":[{"type":"b"},{"type":"c"}]}',
        b'{"no":"record","child":{"type":"b"}}',
    ],
)
def test_an_object_inside_another_is_no_record(line: bytes) -> None:
    assert pieces(line) == []
    assert lost(line) == [line]


def test_the_format_says_what_a_record_is() -> None:
    line = b'{"type":"a","message":{"role":"user"}'
    assert pieces(line) == []
    assert len(recover(line, lambda value: "role" in value).pieces) == 1


def test_the_earliest_start_is_taken_that_gives_whole_records_to_the_end() -> None:
    assert pieces(b'{"x":{"x":' + A + b" " + B) == [A, B]


def test_what_may_be_inside_a_torn_record_counts_only_up_to_the_end_of_the_line() -> None:
    assert pieces(b'{"list":[' + A) == [A]
    assert pieces(b'{"list":[' + A + b'{"type":"us') == []
    assert pieces(b'{"list":[' + A + B + b'{"type":"us') == [B]


def test_a_torn_rest_is_lost_and_the_record_before_is_not() -> None:
    line = A + b'{"type":"us'
    assert (pieces(line), lost(line)) == ([A], [b'{"type":"us'])
    assert codes(line) == [("torn-rest", len(A))]
    assert codes(A + b',{"type":"us') == [("torn-rest", len(A))]


def test_a_record_between_two_torn_ones_is_kept() -> None:
    line = b'{"type":"us' + A + b'{"type":"us'
    assert (pieces(line), lost(line)) == ([A], [b'{"type":"us', b'{"type":"us'])
    assert codes(line) == [("torn-prefix", 0), ("torn-rest", 11 + len(A))]


def test_a_line_with_nothing_whole_is_a_torn_rest() -> None:
    assert codes(b'{"type":"us') == [("torn-rest", 0)]
    assert lost(b'{"type":"us') == [b'{"type":"us']


# Garbage.


def test_garbage_around_records_is_lost() -> None:
    line = b"oops" + A + b"x" + B + b" tail "
    assert (pieces(line), lost(line)) == ([A, B], [b"oops", b"x", b"tail"])
    assert [code for code, _ in codes(line)] == ["garbage", "garbage", "glued", "garbage"]


def test_a_whole_object_that_is_no_record_is_lost_and_said_to_be_whole() -> None:
    line = b'{"x":1}' + A
    assert (pieces(line), lost(line)) == ([A], [b'{"x":1}'])
    assert recover(line, is_record).notes == (
        ("garbage", 0, "7 bytes of a JSON object that is no record"),
    )


@pytest.mark.parametrize(
    "line", [b"garbage", b"[1,2]", b"null", b'"text"', b"\xc2\xa0", b"\x0c", b"}"]
)
def test_what_is_no_object_is_garbage(line: bytes) -> None:
    assert (pieces(line), lost(line)) == ([], [line])
    assert codes(line) == [("garbage", 0)]


# Rules broken inside a record.


def test_raw_control_characters_stay_as_they_are() -> None:
    text = "".join(map(chr, range(0x20))).replace("\n", "")
    line = b'{"type":"a",\t"text":"' + text.encode() + b'"}'
    (piece,) = recover(line, is_record).pieces
    assert piece == (0, len(line), {"type": "a", "text": text})
    (note,) = recover(line, is_record).notes
    assert note == ("raw-control", 21, "raw control character 0x00 in a string")


def test_bytes_that_are_no_utf_8_are_replaced() -> None:
    line = A + b'{"type":"a\xff","s":"\\ud800"}'
    found = recover(line, is_record)
    assert found.pieces[1].value == {"type": "a\ufffd", "s": "\ud800"}
    assert found.notes[1] == ("not-utf8", len(A) + 10, "byte 0xFF is not UTF-8; replaced")


@pytest.mark.parametrize("word", ["NaN", "Infinity", "-Infinity"])
def test_words_for_no_number_are_read_as_doubles(word: str) -> None:
    line = b'{"type":"a","NaN":"Infinity","n":' + word.encode() + b"}"
    found = recover(line, is_record)
    number = found.pieces[0].value["n"]
    assert number == float(word) or math.isnan(number)
    assert found.notes == (("not-a-number", 33, f"{word} is no number of JSON"),)


def test_every_rule_may_be_broken_at_once() -> None:
    piece = b'{"type":"a\x01\xff","n":[NaN]}'
    line = b'\0{"type":"cut' + piece + BOM + b"," + A + b"x"
    assert pieces(line) == [piece, A]
    assert [code for code, _ in codes(line)] == [
        "nul-padding",
        "torn-prefix",
        "raw-control",
        "not-utf8",
        "not-a-number",
        "bom",
        "glued",
        "garbage",
    ]


def test_separators_of_unicode_end_no_line_and_no_string() -> None:
    line = '{"type":"\u2028\u2029\u0085"}'.encode()
    found = recover(line + line, is_record)
    assert [piece.value for piece in found.pieces] == [{"type": "\u2028\u2029\u0085"}] * 2
    assert [note.code for note in found.notes] == ["glued"]


def test_twenty_thousand_levels_are_a_record_like_any() -> None:
    deep = b'{"type":' + b"[" * 20_000 + b'"\x01"' + b"]" * 20_000 + b"}"
    found = recover(b'{"torn":"' + deep + A, is_record)
    assert [piece.start for piece in found.pieces] == [9, 9 + len(deep)]
    value = found.pieces[0].value["type"]
    for _ in range(20_000):
        (value,) = value
    assert value == "\x01"
    assert [note.code for note in found.notes] == ["torn-prefix", "raw-control", "glued"]


def test_a_torn_record_of_many_levels_is_lost_without_a_fault() -> None:
    torn = b'{"x":' * 20_000
    found = recover(torn + A, is_record)
    assert [piece.start for piece in found.pieces] == [len(torn)]
    assert found.lost == ((0, len(torn)),)


def test_notes_are_few_whatever_the_line() -> None:
    found = recover(BOM * 1000, is_record)
    assert len(found.notes) == NOTES_KEPT + 1
    assert found.notes[-1].message == "900 more: 900 bom"


# What it costs, counted.


HOSTILE = {
    "braces": b"{",
    "braces and quotes": b'{"',
    "keys": b'{"":',
    "keys and lists": b'{"":[',
    "broken members": b'{"":x',
    "escapes": b'{"\\"',
    "strings that swallow": b'{"a":"',
    "siblings": b'{"type":1},',
    "other objects": b'{"x":{"y":1}} x ',
    "closed": b'{"a":1}}',
    "quotes": b'"',
    "backslashes": b'{"a\\',
}


@pytest.mark.parametrize("start", [b"", b'{"a":[', b'{"a":"', b"x"], ids=repr)
@pytest.mark.parametrize("unit", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_line_costs_what_any_line_costs(
    unit: bytes, start: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    line = start + unit * (20_000 // len(unit))
    made: list[Extents] = []
    looked_at = read = 0

    def extents(of: bytes) -> Extents:
        made.append(Extents(of))
        return made[-1]

    def string_end(of: bytes, place: int) -> int:
        nonlocal looked_at
        stop = len(of)
        try:
            stop = of_the_module(of, place)
        finally:
            looked_at += stop - place
        return stop

    def counted(value: Any) -> bool:
        nonlocal read
        read += len(json.dumps(value, separators=(",", ":")))
        return "type" in value

    of_the_module = jsontokens.string_end
    monkeypatch.setattr(recovery, "Extents", extents)
    monkeypatch.setattr(jsontokens, "string_end", string_end)
    recover(line, counted)
    assert made[0].tokens <= 2 * len(line)
    assert looked_at <= 3 * len(line)
    assert read <= 2 * len(line)


def test_a_line_of_too_many_tokens_is_given_up_and_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(recovery, "Extents", lambda line: Extents(line, limit=12))
    line = A * 2 + C + A
    found = recover(line, is_record)
    assert [piece.start for piece in found.pieces] == [0, len(A)]
    assert found.lost == ((2 * len(A), len(line)),)
    assert found.notes[-2].message == "58 bytes of a broken record, not looked through"
    assert found.notes[-1] == (
        "gave-up",
        2 * len(A),
        "12 JSON tokens were looked at, and no further",
    )


# Laws.

texts = st.text(st.characters(exclude_categories=["Cs"]) | st.sampled_from('{}"\\[]:,\0\n'))
values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=8,
)
records = st.builds(
    lambda kind, members: {"type": kind} | {f"k{key}": value for key, value in members.items()},
    texts,
    st.dictionaries(texts, values, max_size=3),
)
glues = st.sampled_from(
    [b"", b" ", b"\t", b",", b" ,\r", b"\0\0\0", b"\0,", BOM, BOM + b"\0", b" "]
)
torn = st.sampled_from([b"", b'{"type":"us', b'{"t', b'{"a":1,"b":[2', b"{", b'{"q":"\\"{\\"x\\":'])


def written(record: Any) -> bytes:
    return json.dumps(record, ensure_ascii=False).encode()


@given(torn, st.lists(st.tuples(records, glues), min_size=1, max_size=5), torn)
@PROPERTY
def test_glued_records_come_back_from_between_torn_ones(
    prefix: bytes, glued: list[tuple[Any, bytes]], rest: bytes
) -> None:
    *others, (last, _) = glued
    line = prefix + b"".join(written(record) + glue for record, glue in others)
    line += written(last) + rest
    found = recover(line, is_record)
    assert [piece.value for piece in found.pieces] == [record for record, _ in glued]
    assert lost(line) == [part for part in (prefix, rest) if part]


def check(line: bytes, found: Recovery) -> None:
    """What holds of any line."""
    ranges = sorted([(piece.start, piece.stop) for piece in found.pieces] + list(found.lost))
    place, between = 0, b""
    for start, stop in ranges:
        assert place <= start < stop
        between += line[place:start] + b"|"
        place = stop
    assert place <= len(line)
    between = (between + line[place:]).replace(BOM, b"")
    assert between.translate(None, b" \t\r\n\0,|") == b""
    assert between.translate(None, b" \t\r\n\0").count(b",") < max(1, len(found.pieces))
    assert list(found.pieces) == sorted(found.pieces, key=lambda piece: piece.start)
    assert list(found.lost) == sorted(found.lost)
    for start, stop, value in found.pieces:
        text = line[start:stop].decode("utf-8", "replace")
        assert repr(json.loads(text, strict=False)) == repr(value)
    for note in found.notes:
        assert 0 <= note.at <= len(line)
        assert note.code


fragments = st.sampled_from(
    [
        *(
            A,
            B,
            C,
            BOM,
            b"\0",
            b" ",
            b",",
            b"{",
            b"}",
            b"[",
            b"]",
            b'"',
            b"\\",
            b":",
            b"x",
            b"\xff",
        ),
        *(b'{"', b'":', b'{"type":', b"NaN", b"\x01", b"1", b"\\u12", b'\\"', b"\xe2\x80"),
        b'{"a":1}',
    ]
)


@given(st.lists(fragments, max_size=25).map(b"".join))
@PROPERTY
def test_nothing_is_lost_in_silence(line: bytes) -> None:
    check(line, recover(line, is_record))


@given(st.binary(max_size=60))
@PROPERTY
def test_any_bytes_are_accounted_for(line: bytes) -> None:
    check(line, recover(line, lambda _: True))
