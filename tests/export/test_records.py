from pathlib import Path

import pytest

from inspector.export import records
from tests.dsh_tapes import Log, folded


def every_fate() -> bytes:
    """A record of every fate, one a line.

    1 header · 2 #0 · 3 three events · 4 blank · 5 damaged · 6 two events glued · 7 torn
    """
    log = Log()
    log.user("first")
    log.packed("a", "b", "c")
    log.raw(b"")
    log.raw(b"garbage")
    log.user("left")
    log.user("right")
    right, left = log.lines.pop(), log.lines.pop()
    log.raw(left + right)
    return bytes(log) + b'{"type":"user/mess'


def test_every_record_says_what_became_of_it_and_which_events_it_holds(tmp_path: Path) -> None:
    rows = list(records.records(folded(every_fate(), tmp_path)))
    assert [(row["line"], row["fate"], row["event"], row["events"]) for row in rows] == [
        (1, "bookkeeping", None, 0),
        (2, "carrier", 0, 1),
        (3, "carrier", 1, 3),
        (4, "blank", None, 0),
        (5, "damaged", None, 0),
        (6, "recovered", 4, 2),
        (7, "pending", None, 0),
    ]
    assert [row["record"] for row in rows] == list(range(7))
    assert {(row["row"], row["frame"]) for row in rows} == {(None, None)}


def test_records_and_what_ends_them_fill_the_file(tmp_path: Path) -> None:
    content = every_fate()
    rows = list(records.records(folded(content, tmp_path)))
    end = 0
    for row in rows:
        assert row["byte"] == end
        end += row["length"] + 1
    assert end - 1 == len(content)


def test_the_drift_is_how_far_counting_lines_is_off(tmp_path: Path) -> None:
    log = Log()
    log.user("first")
    log.packed("a", "b", "c")
    log.user("behind the packed row")
    rows = list(records.records(folded(log, tmp_path)))
    assert [(row["seq"], row["drift"]) for row in rows] == [(None, None), (0, 0), (1, 0), (4, 2)]


def test_without_a_header_the_first_line_counts(tmp_path: Path) -> None:
    log = Log(None)
    log.user("first")
    log.packed("a", "b")
    log.user("last")
    rows = list(records.records(folded(log, tmp_path)))
    assert [row["drift"] for row in rows] == [0, 0, 1]


def test_a_preview_is_of_the_event_or_of_the_bytes(tmp_path: Path) -> None:
    rows = list(records.records(folded(every_fate(), tmp_path)))
    assert [row["preview"].split()[0] for row in rows if row["event"] is not None] == [
        "user/message",
        "assistant/chunk",
        "user/message",
    ]
    assert [row["preview"] for row in rows[3:5]] == ["", "garbage"]
    assert rows[6]["preview"] == '{"type":"user/mess'


def test_the_text_has_a_line_a_record(tmp_path: Path) -> None:
    lines = list(records.text(records.records(folded(every_fate(), tmp_path))))
    assert [line.split()[:2] for line in lines] == [["line", str(at)] for at in range(1, 8)]
    assert "#1-#3 (3)" in lines[2]
    assert lines[3].endswith("-")


@pytest.mark.parametrize(
    ("document", "span"),
    [
        ({"event": None, "events": 0, "drift": None}, "-"),
        ({"event": 4, "events": 1, "drift": 0}, "#4"),
        ({"event": 4, "events": 3, "drift": 2}, "#4-#6 (3) +2"),
        ({"event": 4, "events": 1, "drift": -1}, "#4 -1"),
    ],
)
def test_the_span_of_a_record_in_words(document: dict[str, int | None], span: str) -> None:
    assert records.span(document) == span


@pytest.mark.parametrize(
    ("document", "place"),
    [
        ({"line": 1204, "frame": None, "row": None}, "line 1,204"),
        ({"line": 3, "frame": 2, "row": None}, "line 3 f2"),
        ({"line": None, "frame": None, "row": "seq 7\x1b[2J"}, "row seq 7␛[2J"),
    ],
)
def test_the_place_of_a_record_in_words(document: dict[str, object], place: str) -> None:
    assert records.place(document) == place


def test_no_control_gets_through(tmp_path: Path) -> None:
    log = Log()
    log.user("\x1b]0;PWN\x07")
    log.raw(b"\x1b[2J\x07 not json")
    lines = "".join(records.text(records.records(folded(log, tmp_path))))
    assert "PWN" in lines
    assert not [c for c in lines if ord(c) < 32 or 127 <= ord(c) < 160]
