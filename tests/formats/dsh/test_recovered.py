"""Damaged lines of which events can be read: where these stand, and how the records add up."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.formats.contract import Tape
from inspector.tape.records import Fate
from tests.dsh_tapes import (
    HEADER,
    Log,
    codes,
    findings,
    folded,
    line,
    replace,
    surface,
    user_data,
    visibility,
)

BOM = b"\xef\xbb\xbf"


def lines_of(count: int = 4) -> list[bytes]:
    """A header and some messages."""
    log = Log()
    for at in range(count):
        log.user(f"message {at}")
    return log.lines


def tape_of(lines: list[bytes], tmp_path: Path) -> Tape:
    tape = folded(b"".join(line + b"\n" for line in lines), tmp_path)
    sums = tape.sums()
    named = sums.carriers + sums.bookkeeping + sums.blank + sums.pending + sums.damaged
    assert sums.records == tape.records() == named
    assert sums.recovered <= sums.carriers
    for record in range(tape.records()):
        physical = tape.physical(record)
        assert (physical.events > 0) is (physical.fate is None)
        assert tape.raw_record(record) == lines[record]
    held = [tape.physical(record).events for record in range(tape.records())]
    assert sum(held) == sums.events == tape.timeline.events
    return tape


def texts(tape: Tape) -> list[str]:
    return [tape.headline(event).text for event in range(tape.timeline.events)]


def all_of(count: int) -> list[str]:
    return [f"message {at}" for at in range(count)]


# The header.


def test_a_mark_before_the_header(tmp_path: Path) -> None:
    header, *rest = lines_of()
    tape = tape_of([BOM + header, *rest], tmp_path)
    assert [(found.code, found.line, found.message) for found in findings(tape)] == [
        ("bad-header", 1, "header line is not valid JSON"),
        ("bom", 1, "byte order mark (byte 0 of the record)"),
    ]
    assert (tape.identity.id, tape.identity.cwd) == ("session", "/work/demo")
    assert texts(tape) == all_of(4)
    assert tape.timeline.reliable_to == 4
    assert (tape.sums().bookkeeping, tape.sums().recovered) == (1, 0)
    verdict = tape.verdict()
    assert (verdict.opens, verdict.reason) == (False, "header line is not valid JSON")


@pytest.mark.parametrize("glue", [b"", b",", b"\0\0", b" "])
@pytest.mark.parametrize("behind", [0, 1, 3])
def test_a_header_with_the_first_event_on_its_line(
    glue: bytes, behind: int, tmp_path: Path
) -> None:
    header, first, *rest = lines_of(behind + 1)
    tape = tape_of([header + glue + first, *rest], tmp_path)
    padding = ["nul-padding"] if b"\0" in glue else []
    assert codes(tape) == ["bad-header", *padding, "glued"]
    assert tape.identity.id == "session"
    assert texts(tape) == all_of(behind + 1)
    assert surface(tape) == list(range(behind + 1))
    assert tape.payload(0)["data"] == user_data("message 0")
    assert tape.raw(0) == header + glue + first
    assert tape.place(tape.timeline.table.record(0)) == (1, 0, None, None)
    assert (tape.sums().bookkeeping, tape.sums().recovered) == (0, 1)
    assert tape.verdict().reason == "header line is not valid JSON"


def test_a_header_with_all_events_on_its_line(tmp_path: Path) -> None:
    tape = tape_of([b"".join(lines_of(4))], tmp_path)
    assert texts(tape) == all_of(4)
    assert tape.physical(0).events == 4


def test_a_header_with_a_torn_event_on_its_line(tmp_path: Path) -> None:
    header, first, *rest = lines_of()
    tape = tape_of([header + first[:40], *rest], tmp_path)
    assert codes(tape) == ["bad-header", "torn-rest", "lost-bytes", "sequence-gap"]
    assert [tape.number(event) for event in range(3)] == [1, 2, 3]
    assert tape.timeline.reliable_to == 0
    assert tape.physical(0).fate is Fate.BOOKKEEPING


def test_a_damaged_header_of_another_version_is_that_of_another_version(tmp_path: Path) -> None:
    header = line(HEADER | {"version": 99})
    tape = tape_of([BOM + header, *lines_of()[1:]], tmp_path)
    assert tape.timeline.events == 0
    assert tape.verdict().reason == "header line is not valid JSON"
    assert "format version 99 is newer" in findings(tape)[0].message


def test_what_stands_on_the_line_of_the_header_of_another_version_is_not_folded(
    tmp_path: Path,
) -> None:
    _, event, *rest = lines_of()
    tape = tape_of([line(HEADER | {"version": 7}) + event, *rest], tmp_path)
    assert codes(tape) == ["other-version"]
    assert (tape.timeline.events, tape.sums().bookkeeping) == (0, 4)


def test_a_line_of_two_headers_is_damaged_once(tmp_path: Path) -> None:
    header, *rest = lines_of()
    tape = folded(b"\n".join([header * 3, *rest, b""]), tmp_path)
    sums = tape.sums()
    assert (sums.records, sums.carriers, sums.damaged) == (5, 4, 1)
    assert tape.physical(0).fate is Fate.DAMAGED


def test_a_header_a_second_one_and_an_event_on_a_line_carry_the_event(tmp_path: Path) -> None:
    header, event, *rest = lines_of()
    tape = tape_of([header * 2 + event, *rest], tmp_path)
    assert (tape.sums().damaged, tape.sums().carriers) == (0, 4)
    assert texts(tape) == all_of(4)
    assert "not-an-event" in codes(tape)


def test_a_damaged_first_event_without_a_header_can_be_read_again(tmp_path: Path) -> None:
    _, first, second, *rest = lines_of()
    tape = tape_of([BOM + first + second, *rest], tmp_path)
    assert codes(tape) == ["no-header", "bom", "glued"]
    assert texts(tape) == all_of(4)
    assert tape.sums().bookkeeping == 0


# Events.


@pytest.mark.parametrize("at", [1, 2, 4])
def test_a_mark_before_an_event(at: int, tmp_path: Path) -> None:
    lines = lines_of()
    lines[at] = BOM + lines[at]
    tape = tape_of(lines, tmp_path)
    assert [(found.code, found.line) for found in findings(tape)] == [("bom", at + 1)]
    assert texts(tape) == all_of(4)
    assert tape.timeline.reliable_to == 4


@pytest.mark.parametrize("at", [1, 2, 3])
def test_glued_events_wherever_they_stand(at: int, tmp_path: Path) -> None:
    lines = lines_of()
    lines[at : at + 2] = [lines[at] + lines[at + 1]]
    tape = tape_of(lines, tmp_path)
    assert codes(tape) == ["glued"]
    assert texts(tape) == all_of(4)
    assert surface(tape) == [0, 1, 2, 3]
    assert [tape.payload(event)["seq"] for event in range(4)] == [0, 1, 2, 3]
    table = tape.timeline.table
    assert [table.record(event) for event in (at - 1, at)] == [at, at]
    assert [table.member(event) for event in (at - 1, at)] == [0, 1]
    assert tape.raw(at - 1) == tape.raw(at) == lines[at]
    assert tape.place(at) == (at + 1, sum(len(line) + 1 for line in lines[:at]), None, None)
    assert tape.timeline.reliable_to == 4


def test_a_glued_event_is_found_by_number_and_by_name(tmp_path: Path) -> None:
    lines = lines_of()
    lines[2:4] = [lines[2] + lines[3]]
    tape = tape_of(lines, tmp_path)
    assert tape.numbered(2) == [2]
    assert tape.identified("u-message 2") == [2]
    assert tape.message_id(2) == "u-message 2"


def test_a_glued_event_may_be_replaced_by_its_neighbour(tmp_path: Path) -> None:
    log = Log()
    log.user("one")
    log.result("c1", "long")
    log.rewrite(1, "cut")
    log.checkpoint(0, 2, [0, 2])
    log.lines[2:] = [b"".join(log.lines[2:])]
    tape = tape_of(log.lines, tmp_path)
    assert codes(tape) == ["glued"]
    assert surface(tape, 3) == [0, 2]
    assert surface(tape) == [3]
    assert visibility(tape, 1) == ("pruned", 2)


def test_packed_rows_glued_to_each_other_and_to_an_event(tmp_path: Path) -> None:
    log = Log()
    log.packed("a", "b", "c")
    log.packed("{", "}", kind="tool-call-chunks")
    log.user("behind")
    lines = [log.lines[0], b"".join(log.lines[1:])]
    tape = tape_of(lines, tmp_path)
    assert codes(tape) == ["glued"]
    assert (tape.timeline.events, tape.physical(1).events) == (6, 6)
    chunks = [tape.payload(event)["data"]["chunk"] for event in range(5)]
    assert [chunk.get("text", chunk.get("argumentsDelta")) for chunk in chunks] == list("abc{}")
    assert [tape.payload(event)["seq"] for event in range(6)] == list(range(6))
    assert surface(tape) == [5]


def test_a_torn_event_before_a_whole_one(tmp_path: Path) -> None:
    lines = lines_of()
    torn = lines[2][:50]
    tape = tape_of([*lines[:2], torn + lines[3], lines[4]], tmp_path)
    assert [(found.code, found.line, found.event) for found in findings(tape)] == [
        ("torn-prefix", 3, None),
        ("lost-bytes", 3, None),
        ("sequence-gap", 3, 1),
    ]
    assert [tape.number(event) for event in range(3)] == [0, 2, 3]
    assert texts(tape) == ["message 0", "message 2", "message 3"]
    assert tape.timeline.reliable_to == 1


def test_an_event_written_again_behind_its_torn_half(tmp_path: Path) -> None:
    lines = lines_of()
    lines[2] = lines[2][:50] + lines[2]
    tape = tape_of(lines, tmp_path)
    assert codes(tape) == ["torn-prefix", "lost-bytes"]
    assert texts(tape) == all_of(4)
    assert tape.timeline.reliable_to == 1


def test_raw_control_characters_are_kept(tmp_path: Path) -> None:
    lines = lines_of()
    lines[2] = lines[2].replace(b"message 1", b"mess\tage\x01")
    tape = tape_of(lines, tmp_path)
    assert codes(tape) == ["raw-control"]
    assert tape.payload(1)["data"]["content"][0]["text"] == "mess\tage\x01"
    assert tape.timeline.reliable_to == 4


@pytest.mark.parametrize("count", [1, 4096])
def test_padding_with_nuls_is_no_event_and_no_loss(count: int, tmp_path: Path) -> None:
    before, after = lines_of()[:2], lines_of()[3:]
    padding, second = b"\0" * count, lines_of()[2]
    for padded in ([padding, second], [padding + second], [second + padding]):
        tape = tape_of([*before, *padded, *after], tmp_path)
        assert codes(tape) == ["nul-padding"]
        assert texts(tape) == all_of(4)
        assert tape.timeline.reliable_to == 4


def test_an_event_that_breaks_a_rule_is_rejected_in_a_damaged_line_too(tmp_path: Path) -> None:
    log = Log()
    log.user("one")
    log.user("two", surfaceOp=replace(7, 7), sourceEventSeqs=[0])
    log.user("three")
    log.lines[1:] = [b"".join(log.lines[1:])]
    tape = tape_of(log.lines, tmp_path)
    assert codes(tape) == ["glued", "bad-surface-op"]
    assert surface(tape) == [0, 2]
    assert (tape.verdict().opens, tape.verdict().event) == ("partly", 0)


def test_a_required_unknown_in_a_damaged_line_stops_the_fold(tmp_path: Path) -> None:
    log = Log()
    log.user("one")
    log.event("plugin/note", {})
    log.user("three")
    log.lines[2:] = [b"".join(log.lines[2:])]
    tape = tape_of(log.lines, tmp_path)
    assert codes(tape) == ["glued", "unknown-required"]
    assert (tape.timeline.stopped_at, surface(tape)) == (1, [0])
    # The owner does not read the line, so it does not know of the event.
    assert tape.verdict().opens == "partly"


def test_the_end_of_a_turn_in_a_damaged_line_commits_nothing(tmp_path: Path) -> None:
    log = Log()
    log.user("one")
    log.turn_end()
    log.lines[-1] = BOM + log.lines[-1]
    assert folded(log, tmp_path).verdict().opens == "partly"
    log.turn_end()
    assert folded(log, tmp_path).verdict().opens is False


def damaged(kind: int, line: bytes, other: bytes) -> bytes:
    """A line as a crash or an editor leaves it, with what another one left on it."""
    ways = (
        BOM + line,
        b"\0\0" + line + b"\0",
        line + other,
        line + b"," + other,
        other[:30] + line,
        line + other[:30],
        line[:30],
        line[:20] + b"\x01" + line[20:],
        b"garbage" + line,
        b"",
    )
    return ways[kind]


@given(st.integers(1, 6), st.integers(1, 6), st.integers(0, 9))
@settings(derandomize=True, deadline=None, max_examples=50)
def test_whatever_was_damaged_the_records_add_up_and_nothing_changes_before_it(
    tmp_path_factory: pytest.TempPathFactory, at: int, other: int, kind: int
) -> None:
    tmp_path = tmp_path_factory.mktemp("tapes")
    lines = lines_of(6)
    changed = [*lines[:at], damaged(kind, lines[at], lines[other]), *lines[at + 1 :]]
    whole, tape = tape_of(lines, tmp_path), tape_of(changed, tmp_path)
    before = at - 1
    for cursor in range(before + 1):
        assert tape.timeline.rows(cursor) == whole.timeline.rows(cursor)
        assert tape.timeline.tokens(cursor) == whole.timeline.tokens(cursor)
    assert texts(tape)[:before] == texts(whole)[:before]
    assert tape.timeline.reliable_to >= before
