import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector import places
from inspector.formats.contract import Tape
from inspector.places import GRAMMAR, PlaceError
from tests.dsh_tapes import START, Log, folded, line

INDIA = timezone(timedelta(hours=5, minutes=30))


@pytest.fixture(scope="module")
def tape(tmp_path_factory: pytest.TempPathFactory) -> Tape:
    """Two turns in ten events; from position 3 on the seq is two more than the position.

    By position: 0 turn 1, 1 user, 2 answer | 3 4 5 packed, 6 end | 7 turn 2, 8 user, 9 result.
    Lines: 1 header, 2 3 4, 5 blank, 6 packed, 7 end, 8 garbage, 9 10 11.
    """
    log = Log()
    log.turn(1)
    log.user("hi")
    log.assistant()
    log.raw(b"")
    log.seq = 5
    log.packed("a", "b", "c")
    log.turn_end(1)
    log.raw(b"garbage")
    log.turn(2)
    log.user("more")
    log.result("c1")
    return folded(log, tmp_path_factory.mktemp("places"))


@pytest.fixture(scope="module")
def doubled(tmp_path_factory: pytest.TempPathFactory) -> Tape:
    """Seq 1, turn 1 and the message ``u-hi`` occur twice."""
    log = Log()
    log.turn(1)
    log.user("hi")
    log.user("hi", seq=1)
    log.turn(1)
    return folded(log, tmp_path_factory.mktemp("doubled"))


def refusal(find: Callable[..., int], text: str, tape: Tape) -> str:
    with pytest.raises(PlaceError) as caught:
        find(text, tape)
    return str(caught.value)


def found_or_refused(find: Callable[..., int], text: str, tape: Tape) -> int | str:
    try:
        return find(text, tape)
    except PlaceError as error:
        return str(error)


# Cursors.


@pytest.mark.parametrize(
    ("text", "cursor"),
    [
        ("0", 0),
        ("7", 7),
        ("10", 10),
        ("007", 7),
        ("  7 ", 7),
        ("head", 10),
        ("0%", 0),
        ("1%", 0),
        ("9.99%", 0),
        ("10%", 1),
        ("45%", 4),
        ("45.5%", 4),
        ("99%", 9),
        ("100%", 10),
        ("seq:0", 1),
        ("seq:2", 3),
        ("seq:5", 4),
        ("seq:11", 10),
        ("event:0", 1),
        ("event:9", 10),
        ("id:u-hi", 2),
        ("id:r-c1", 10),
        ("line:2", 1),
        ("line:6", 6),
        ("line:7", 7),
        ("line:11", 10),
        ("turn:1", 7),
        ("turn:1.start", 0),
        ("turn:2", 10),
        ("turn:2.start", 7),
    ],
)
def test_a_cursor_by_every_word_of_the_grammar(text: str, cursor: int, tape: Tape) -> None:
    assert places.cursor(text, tape) == cursor


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("11", "cursor 11 is beyond the head, 10"),
        ("9" * 20, f"cursor {'9' * 20} is beyond the head, 10"),
        ("101%", "101% is beyond the head, 10"),
        ("100.5%", "100.5% is beyond the head, 10"),
        ("event:10", "there is no event at position 10; the tape has 10"),
        ("seq:3", "seq:3: no such event"),
        ("seq:12", "seq:12: no such event"),
        ("seq:", "seq:: no such event"),
        ("seq:-1", "seq:-1: no such event"),
        ("seq:1.0", "seq:1.0: no such event"),
        ("line:0", "line:0: no such event"),
        ("line:1", "line:1: no such event"),
        ("line:5", "line:5: no such event"),
        ("line:8", "line:8: no such event"),
        ("line:12", "line:12: no such event"),
        ("line:x", "line:x: no such event"),
        ("id:nobody", "id:nobody: no such event"),
        ("id:", "id:: no such event"),
        ("turn:3", "turn:3: no such turn"),
        ("turn:0", "turn:0: no such turn"),
        ("turn:", "turn: is no place; write turn:N or turn:N.start"),
        ("turn:x", "turn:x is no place; write turn:N or turn:N.start"),
        ("turn:1.end", "turn:1.end is no place; write turn:N or turn:N.start"),
        ("turn:1.", "turn:1. is no place; write turn:N or turn:N.start"),
    ],
)
def test_a_cursor_that_does_not_exist(text: str, reason: str, tape: Tape) -> None:
    assert refusal(places.cursor, text, tape) == reason


@pytest.mark.parametrize(
    "text",
    [
        "",
        "-1",
        "1.5",
        "tail",
        "Head",
        "%",
        "-5%",
        "5 %",
        "1000%",
        "event:x",
        "event:-1",
        "event:",
        "time:14:05",
        "25:00",
        "14:5",
        "2026-13-01",
        "²",
        "seq 5",
    ],
)
def test_what_is_no_place_is_told_the_grammar(text: str, tape: Tape) -> None:
    assert refusal(places.cursor, text, tape) == f"{text!r} is no place; write {GRAMMAR}"


def test_a_wrong_place_is_quoted_short_and_clean(tape: Tape) -> None:
    assert refusal(places.cursor, "\x1b[2J", tape).startswith("'␛[2J' is no place")
    assert refusal(places.cursor, "x" * 10_000, tape).startswith(f"'{'x' * 80}…' is no place")
    assert refusal(places.cursor, "id:\x1b[2J\n", tape) == "id:␛[2J: no such event"
    assert refusal(places.cursor, "turn:\u202e", tape).startswith("turn:<U+202E> is no place")


@pytest.mark.parametrize("word", ["", "seq:", "line:", "event:", "turn:"])
def test_a_number_of_any_length_is_no_crash(word: str, tape: Tape) -> None:
    refusal(places.cursor, word + "9" * 5_000, tape)
    if word not in ("event:", "turn:"):
        refusal(places.event, word + "9" * 5_000, tape)


def test_a_percentage_beyond_the_whole_is_no_place(tape: Tape) -> None:
    with pytest.raises(PlaceError, match="999% is beyond the head, 10"):
        places.cursor("999%", tape)


def test_places_on_an_empty_tape(tmp_path: Path) -> None:
    empty = folded(Log(), tmp_path)
    for text in ("0", "head", "0%", "50%", "100%"):
        assert places.cursor(text, empty) == 0
    assert refusal(places.cursor, "1", empty) == "cursor 1 is beyond the head, 0"
    assert refusal(places.cursor, "event:0", empty) == (
        "there is no event at position 0; the tape has 0"
    )
    assert refusal(places.cursor, "14:05", empty) == "the tape records no times"


def test_an_open_turn_ends_at_the_head(tmp_path: Path) -> None:
    log = Log()
    log.turn(1)
    log.user()
    log.user()
    assert places.cursor("turn:1", folded(log, tmp_path)) == 3


def test_a_turn_that_another_cut_off_ends_before_that_one_begins(tmp_path: Path) -> None:
    log = Log()
    log.turn(1)
    log.user()
    log.turn(2)
    log.user()
    cut_off = folded(log, tmp_path)
    assert places.cursor("turn:2.start", cut_off) == 2
    assert places.cursor("turn:1", cut_off) == 2


# Owner's words that occur more than once.


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("seq:1", "seq:1 occurs 2 times: event:1, event:2"),
        ("turn:1", "turn:1 occurs 2 times, beginning at event:0, event:3"),
        ("turn:1.start", "turn:1 occurs 2 times, beginning at event:0, event:3"),
    ],
)
def test_a_cursor_that_could_be_several_is_refused_with_the_list(
    text: str, reason: str, doubled: Tape
) -> None:
    assert refusal(places.cursor, text, doubled) == reason


def test_what_the_list_of_several_names_can_be_asked_for(doubled: Tape) -> None:
    for find, text in (
        (places.cursor, "seq:1"),
        (places.cursor, "turn:1"),
        (places.event, "seq:1"),
    ):
        reason = refusal(find, text, doubled)
        for word in reason.replace(",", "").split():
            if word.startswith("event:"):
                assert isinstance(find(word, doubled), int)


def test_a_long_list_of_several_is_cut(tmp_path: Path) -> None:
    log = Log()
    for _ in range(25):
        log.user("hi", seq=0)
    reason = refusal(places.event, "seq:0", folded(log, tmp_path))
    assert reason.startswith("seq:0 occurs 25 times: ")
    assert reason.endswith(" …")
    assert reason.count(",") == 19


def test_every_event_that_bears_an_id_is_found_by_it(tmp_path: Path) -> None:
    log = Log()
    log.user("hi")
    log.user("rejected", surfaceOp="nonsense")
    log.event("approval/asked", {"id": "ap-1", "toolName": "bash"})
    log.checkpoint(0, 0, [0], "short")
    log.event("plugin/stop", {})
    log.user("not applied")
    found = folded(log, tmp_path)
    ids = [found.message_id(event) for event in range(6)]
    assert ids == ["u-hi", "u-rejected", "ap-1", "u-short", None, "u-not applied"]
    assert [found.identified(identity) for identity in ids if identity is not None] == [
        [0],
        [1],
        [2],
        [3],
        [5],
    ]


def test_a_message_and_its_pruned_copy_bear_one_id(tmp_path: Path) -> None:
    log = Log()
    log.result("c1")
    log.rewrite(0)
    pruned = folded(log, tmp_path)
    assert refusal(places.event, "id:r-c1", pruned).startswith("id:r-c1 occurs 2 times")


# Events.


@pytest.mark.parametrize(
    ("text", "event"),
    [
        ("0", 0),
        ("9", 9),
        (" 3 ", 3),
        ("seq:2", 2),
        ("seq:5", 3),
        ("id:u-hi", 1),
        ("line:2", 0),
        ("line:6", 5),
        ("line:11", 9),
    ],
)
def test_an_event_by_every_word_of_the_grammar(text: str, event: int, tape: Tape) -> None:
    assert places.event(text, tape) == event


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("10", "there is no event at position 10; the tape has 10"),
        ("seq:3", "seq:3: no such event"),
        ("line:5", "line:5: no such event"),
        ("id:nobody", "id:nobody: no such event"),
    ],
)
def test_an_event_that_does_not_exist(text: str, reason: str, tape: Tape) -> None:
    assert refusal(places.event, text, tape) == reason


@pytest.mark.parametrize("text", ["", "head", "40%", "turn:1", "14:05", "x" * 3, "-1"])
def test_what_names_no_event_is_told_what_does(text: str, tape: Tape) -> None:
    assert refusal(places.event, text, tape) == (
        f"{text!r} names no event; write K for its position, seq:N, id:ID or line:N"
    )


def test_the_cursor_of_an_event_is_one_more_than_its_position(tape: Tape) -> None:
    for text in ("seq:2", "id:u-hi", "line:6", "line:11"):
        assert places.cursor(text, tape) == places.event(text, tape) + 1


# Times.


@pytest.fixture(scope="module")
def timed(tmp_path_factory: pytest.TempPathFactory) -> Tape:
    """From 20:53:20 UTC on: at 0 s, 10 s, 5 s (back), 70 s, 1 h later, and the next day."""
    log = Log()
    for seconds in (0, 10, 5, 70, 3_600, 86_400):
        log.user(time=START + 1000 * seconds)
    return folded(log, tmp_path_factory.mktemp("timed"))


@pytest.mark.parametrize(
    ("text", "cursor"),
    [
        ("20:53:19", 0),
        ("20:53:20", 1),
        ("20:53:24", 1),
        ("20:53:25", 1),
        ("20:53:29.999", 1),
        ("20:53:30", 3),
        ("20:53", 0),
        ("20:54", 3),
        ("20:54:30", 4),
        ("21:53:20", 5),
        ("23:59:59", 5),
        ("00:00", 0),
        ("2026-08-17", 0),
        ("2026-08-17T20:53:30", 3),
        ("2026-08-17 20:53:30", 3),
        ("2026-08-17T20:53:30Z", 3),
        ("2026-08-17T22:53:30+02:00", 3),
        ("2026-08-18", 5),
        ("2026-08-18T20:53:20Z", 6),
        ("2030-01-01", 6),
        ("1970-01-01", 0),
        ("0001-01-01T00:00:00Z", 0),
        ("9999-12-31T23:59:59Z", 6),
    ],
)
def test_a_time_is_before_the_first_event_that_is_later(
    text: str, cursor: int, timed: Tape
) -> None:
    assert places.cursor(text, timed) == cursor


@pytest.mark.parametrize(
    ("text", "zone", "cursor"),
    [
        ("20:53:30", UTC, 3),
        ("02:23:30", INDIA, 3),
        ("20:53:30", INDIA, 5),
        ("2026-08-18T02:23:30", INDIA, 3),
        ("2026-08-17T20:53:30Z", INDIA, 3),
        ("20:53:30Z", UTC, 3),
        ("22:53:30+02:00", UTC, 3),
        ("20:53:30", None, 3),
        ("2026-08-17T20:53:30", None, 3),
    ],
)
def test_a_time_without_a_zone_is_meant_in_the_one_that_is_shown(
    text: str, zone: tzinfo | None, cursor: int, timed: Tape
) -> None:
    assert places.cursor(text, timed, zone) == cursor


def test_the_machines_own_zone_is_that_of_the_machine(
    timed: Tape, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TZ", "Asia/Kolkata")
    time.tzset()
    assert places.cursor("02:23:30", timed, None) == 3
    assert places.cursor("2026-08-18T02:23:30", timed, None) == 3
    assert places.cursor("2026-08-17T20:53:30Z", timed, None) == 3


def test_events_without_a_time_are_never_later(tmp_path: Path) -> None:
    log = Log()
    log.user(time=START)
    log.raw(line({"type": "todo/write", "seq": 1, "time": None, "data": {}}))
    log.seq = 2
    log.user(time=START + 1000)
    tape = folded(log, tmp_path)
    assert places.cursor("20:53:20", tape) == 2


def test_a_time_of_day_is_of_the_day_of_the_first_event_that_has_a_time(tmp_path: Path) -> None:
    log = Log()
    log.raw(line({"type": "todo/write", "seq": 0, "time": None, "data": {}}))
    log.seq = 1
    log.user(time=START)
    log.user(time=START + 1000)
    assert places.cursor("20:53:20", folded(log, tmp_path)) == 2


@pytest.mark.parametrize("moment", [2**53 - 1, 1 - 2**53])
def test_a_tape_whose_times_are_no_dates_has_no_times_of_day(moment: int, tmp_path: Path) -> None:
    log = Log()
    log.user(time=moment)
    assert refusal(places.cursor, "14:05", folded(log, tmp_path)) == "the tape records no times"


def test_every_millisecond_is_told_apart(tmp_path: Path) -> None:
    log = Log()
    for milliseconds in range(0, 1000, 7):
        log.user(time=START + milliseconds)
    tape = folded(log, tmp_path)
    for at, milliseconds in enumerate(range(0, 1000, 7)):
        assert places.cursor(f"2026-08-17T20:53:20.{milliseconds:03d}Z", tape) == at + 1


# Anything at all.

WORDS = ("seq:", "id:", "line:", "event:", "turn:", ".start", "head", "%", ":", "-", "T", "Z", "7")


@given(
    st.one_of(
        st.text(st.characters(exclude_categories=()), max_size=12),
        st.lists(st.sampled_from((*WORDS, "0", "14:05", "²", "٣", " ", ".")), max_size=5).map(
            "".join
        ),
    )
)
@settings(derandomize=True, deadline=None, max_examples=300)
def test_any_text_is_a_place_or_is_refused_in_one_line(tape: Tape, text: str) -> None:
    for find in (places.cursor, places.event):
        found = found_or_refused(find, text, tape)
        if isinstance(found, str):
            assert found.isprintable()
            assert len(found) < 400
        else:
            assert 0 <= found <= 10


ODD = [
    *("", " ", "²", "٣", "٤%", "١٢:٠٠", "-1", "1e5", "nan%", "%", ":", "::", "a:b", "HEAD"),
    *("seq:", "seq:x", "seq:-1", "id:", "id:\x00", "id:\ud800", "line:", "line:0", "event:²"),
    *("turn:", "turn:1.", "turn:.start", "turn:1.end", "turn:²", "event:1:2", "\x1b[2J", "\ud800"),
    *("24:00", "23:59:60", "14:05+23:59", "0001-01-01", "9999-12-31T23:59:59", "2026-13-01"),
    *("0001-01-01T00:00-23:59", "9999-12-31T23:59-23:59", "T14:05", "9" * 5000, "9" * 5000 + "%"),
    *(f"{kind}:{'9' * 5000}" for kind in ("seq", "line", "event", "turn")),
]


def answer(find: Callable[[], int]) -> int | str:
    """The place that is found, or the sentence that says why there is none."""
    try:
        return find()
    except PlaceError as error:
        return str(error)


def is_answer(found: int | str, places: range) -> bool:
    return found in places if isinstance(found, int) else bool(found) and "\n" not in found


@pytest.mark.parametrize("zone", [None, UTC, INDIA], ids=str)
@pytest.mark.parametrize("text", ODD, ids=lambda text: ascii(text)[:24])
def test_every_odd_text_is_a_place_or_refused_in_a_sentence(
    tape: Tape, text: str, zone: tzinfo | None
) -> None:
    events = tape.timeline.events
    assert is_answer(answer(lambda: places.cursor(text, tape, zone)), range(events + 1))
    assert is_answer(answer(lambda: places.event(text, tape)), range(events))


@pytest.mark.parametrize("month", [1, 12])
@pytest.mark.parametrize("hours", [-14, 0, 14])
@pytest.mark.parametrize("text", ["00:00", "23:59"])
def test_a_time_of_day_on_the_first_and_last_day_there_is(
    tmp_path: Path, month: int, hours: int, text: str
) -> None:
    year, day = (1, 1) if month == 1 else (9999, 31)
    noon = datetime(year, month, day, 12, tzinfo=UTC)
    log = Log()
    log.user("edge", time=int(noon.timestamp()) * 1000)
    edge = folded(log, tmp_path)
    zone = timezone(timedelta(hours=hours))
    assert is_answer(answer(lambda: places.cursor(text, edge, zone)), range(2))
