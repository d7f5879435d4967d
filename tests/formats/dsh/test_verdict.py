from collections.abc import Callable
from pathlib import Path

import pytest

from inspector.formats.contract import Verdict
from tests.dsh_tapes import HEADER, Json, Log, folded, line, text_block

TORN = "drops everything from event 2 on as a torn tail"
CORRUPT = "corrupt session log: unparsable committed event at line 3"
RANGES = "sourceEventSeqs must densely contain non-negative safe integers"


def good(header: Json | None = HEADER) -> Log:
    """Two events; the next line is line 3 to the owner, who leaves the header out."""
    log = Log(header)
    log.turn()
    log.user()
    return log


def unknown(log: Log) -> None:
    log.event("plugin/note", {})


def rejected(log: Log) -> None:
    log.event("todo/write", {}, more=1)


def damaged(log: Log) -> None:
    log.raw(b"garbage")


def null(log: Log) -> None:
    log.raw(b"null")


def blank(log: Log) -> None:
    log.raw(b"")


def jump(log: Log) -> None:
    log.user("far", seq=log.seq + 7)


def end(log: Log) -> None:
    log.turn_end()


def plain(log: Log) -> None:
    log.user("more")


def packed(log: Log) -> None:
    log.packed("a", "b")


def said(tmp_path: Path, *lines: Callable[[Log], None], header: Json | None = HEADER) -> Verdict:
    log = good(header)
    for write in lines:
        write(log)
    return folded(log, tmp_path).verdict()


def test_a_whole_tape_opens(tmp_path: Path) -> None:
    assert said(tmp_path, end) == Verdict("dsh", opens=True)


def test_an_open_turn_opens(tmp_path: Path) -> None:
    assert said(tmp_path) == Verdict("dsh", opens=True)


def test_an_open_compaction_opens(tmp_path: Path) -> None:
    log = good()
    log.compaction()
    log.summary()
    log.turn_end()
    assert folded(log, tmp_path).verdict() == Verdict("dsh", opens=True)


# What is wrong with the lines, by whether the end of a turn stands behind it.


@pytest.mark.parametrize("behind", [(), (plain,), (damaged,), (plain, plain), (packed,)])
def test_a_damaged_line_in_the_open_tail_is_dropped_with_what_follows(
    behind: tuple[Callable[[Log], None], ...], tmp_path: Path
) -> None:
    assert said(tmp_path, damaged, *behind) == Verdict("dsh", "partly", TORN, 2)


@pytest.mark.parametrize("between", [(), (plain,), (damaged,), (blank,), (jump,), (packed,)])
def test_a_damaged_line_before_the_end_of_a_turn_is_corruption(
    between: tuple[Callable[[Log], None], ...], tmp_path: Path
) -> None:
    assert said(tmp_path, damaged, *between, end) == Verdict("dsh", False, CORRUPT, 2)


def test_a_damaged_line_behind_the_last_end_of_a_turn_is_in_the_tail(tmp_path: Path) -> None:
    reason = "drops everything from event 3 on as a torn tail"
    assert said(tmp_path, end, damaged, plain) == Verdict("dsh", "partly", reason, 3)


@pytest.mark.parametrize(
    "last",
    [
        b'{"type":"turn/end","seq":2,"time":1,"data":{',
        b'[{"type":"turn/end","seq":2,"time":1,"data":{}}]',
        b'{"type":"text-chunks","seq0":2,"time0":1,"data":{"type":"turn/end"}}',
    ],
)
def test_an_end_of_a_turn_that_does_not_decode_does_not_count(last: bytes, tmp_path: Path) -> None:
    assert said(tmp_path, damaged, lambda log: log.raw(last)).opens == "partly"


def test_an_end_of_a_turn_counts_whatever_its_number(tmp_path: Path) -> None:
    for number in (0, 99):
        last = line({"type": "turn/end", "seq": number, "time": 1, "data": {}})
        assert said(tmp_path, damaged, lambda log, last=last: log.raw(last)).reason == CORRUPT


def test_a_jump_that_ends_a_turn_itself_is_corruption(tmp_path: Path) -> None:
    log = good()
    log.event("turn/end", {"turn": 1, "reason": {"kind": "completed"}}, seq=9)
    assert folded(log, tmp_path).verdict() == Verdict(
        "dsh",
        False,
        "corrupt session log: seq gap in committed region at line 3 (expected 2, got 9)",
        2,
    )


def test_a_jump_in_the_open_tail_is_dropped(tmp_path: Path) -> None:
    assert said(tmp_path, jump) == Verdict("dsh", "partly", TORN, 2)


@pytest.mark.parametrize("line_", [blank, lambda log: log.raw(b" \t\r")])
def test_blank_lines_at_the_end_are_harmless(line_: Callable[[Log], None], tmp_path: Path) -> None:
    assert said(tmp_path, end, line_, line_) == Verdict("dsh", opens=True)


def test_a_blank_line_before_the_end_of_a_turn_is_corruption(tmp_path: Path) -> None:
    assert said(tmp_path, blank, end) == Verdict("dsh", False, CORRUPT, 2)


@pytest.mark.parametrize("behind", [plain, damaged, jump, packed])
def test_what_stands_behind_a_blank_line_in_the_open_tail_is_dropped(
    behind: Callable[[Log], None], tmp_path: Path
) -> None:
    assert said(tmp_path, blank, behind) == Verdict("dsh", "partly", TORN, 2)


@pytest.mark.parametrize(
    "lines",
    [
        (null,),
        (null, plain),
        (null, end),
        (null, null, null),
        (null, damaged, end),
        (null, unknown),
    ],
)
def test_a_line_that_is_null_makes_the_reader_crash_wherever_it_stands(
    lines: tuple[Callable[[Log], None], ...], tmp_path: Path
) -> None:
    reason = "the reader crashes at line 3, which is null"
    assert said(tmp_path, *lines) == Verdict("dsh", False, reason, 2)


def test_a_null_behind_another_fault_crashes_the_reader_too(tmp_path: Path) -> None:
    reason = "the reader crashes at line 5, which is null"
    assert said(tmp_path, damaged, end, null) == Verdict("dsh", False, reason, 3)


def test_a_torn_last_line_is_dropped(tmp_path: Path) -> None:
    log = good()
    log.turn_end()
    torn = bytes(log) + b'{"type":"turn/start","seq":3'
    assert folded(torn, tmp_path).verdict() == Verdict(
        "dsh", opens=True, reason="drops the torn last line"
    )


def test_a_torn_end_of_a_turn_does_not_make_damage_corruption(tmp_path: Path) -> None:
    log = good()
    log.raw(b"garbage")
    log.turn_end()
    assert folded(bytes(log)[:-1], tmp_path).verdict() == Verdict("dsh", "partly", TORN, 2)


# Which of two faults is told.


@pytest.mark.parametrize(
    ("lines", "event", "words"),
    [
        ((damaged, unknown, end), 2, "unparsable committed event at line 3"),
        ((unknown, damaged, end), 3, "unparsable committed event at line 4"),
        ((damaged, rejected, end), 2, "unparsable committed event at line 3"),
        ((damaged, jump, end), 2, "unparsable committed event at line 3"),
        ((jump, damaged, end), 2, "seq gap in committed region at line 3"),
        ((rejected, unknown, end), 3, 'contains event type "plugin/note" (seq 3)'),
        ((unknown, rejected, end), 2, 'contains event type "plugin/note" (seq 2)'),
        ((unknown, unknown, end), 2, 'contains event type "plugin/note" (seq 2)'),
        ((rejected, rejected, end), 2, "invalid seed event at index 2"),
        ((unknown, damaged), 2, 'contains event type "plugin/note" (seq 2)'),
        ((rejected, damaged), 2, "invalid seed event at index 2"),
        ((plain, end, unknown), 4, 'contains event type "plugin/note" (seq 4)'),
        ((plain, end, rejected), 4, "invalid seed event at index 4"),
    ],
)
def test_lines_come_before_unknown_events_and_they_before_the_replay(
    lines: tuple[Callable[[Log], None], ...], event: int, words: str, tmp_path: Path
) -> None:
    verdict = said(tmp_path, *lines)
    assert (verdict.opens, verdict.event) == (False, event)
    assert words in (verdict.reason or "")


@pytest.mark.parametrize("fault", [unknown, rejected])
def test_a_fault_behind_damage_in_the_tail_is_dropped_before_it_is_looked_at(
    fault: Callable[[Log], None], tmp_path: Path
) -> None:
    assert said(tmp_path, damaged, fault) == Verdict("dsh", "partly", TORN, 2)


def test_cited_ranges_are_refused(tmp_path: Path) -> None:
    log = good()
    log.assistant(text_block("x"), sourceEventSeqs=[[0, 1]])
    reason = f"invalid seed event at index 2: {RANGES}"
    assert folded(log, tmp_path).verdict() == Verdict("dsh", False, reason, 2)


# The header.


def test_no_header(tmp_path: Path) -> None:
    reason = "first line is not a session header"
    assert said(tmp_path, damaged, end, header=None) == Verdict("dsh", False, reason)


def test_no_newline(tmp_path: Path) -> None:
    reason = "empty or header-less session log"
    assert folded(line(HEADER), tmp_path).verdict() == Verdict("dsh", False, reason)


@pytest.mark.parametrize("lines", [(), (end,), (damaged, end), (unknown,), (rejected,)])
@pytest.mark.parametrize(
    ("header", "reason"),
    [
        (
            HEADER | {"version": 6},
            "format version 6 is newer than the supported 0 to 5 - written by a newer harness",
        ),
        (HEADER | {"id": 7}, "first line is not a session header"),
        (HEADER | {"sandboxMode": 1}, "retired policy baseline fields: sandboxMode"),
    ],
)
def test_the_shape_of_the_header_comes_before_everything(
    header: Json, reason: str, lines: tuple[Callable[[Log], None], ...], tmp_path: Path
) -> None:
    assert said(tmp_path, *lines, header=header) == Verdict("dsh", False, reason)


LINEAGE = HEADER | {"seedLength": None}
LINEAGE_PROBLEM = "seedLength is not a non-negative safe integer"


@pytest.mark.parametrize("lines", [(), (rejected,)])
def test_the_lineage_in_the_header_comes_before_the_replay(
    lines: tuple[Callable[[Log], None], ...], tmp_path: Path
) -> None:
    assert said(tmp_path, *lines, header=LINEAGE) == Verdict("dsh", False, LINEAGE_PROBLEM)


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        ((damaged, end), "unparsable committed event at line 3"),
        ((unknown,), 'contains event type "plugin/note" (seq 2)'),
    ],
)
def test_the_lineage_in_the_header_comes_after_lines_and_unknown_events(
    lines: tuple[Callable[[Log], None], ...], words: str, tmp_path: Path
) -> None:
    assert words in (said(tmp_path, *lines, header=LINEAGE).reason or "")


# As far as it is folded.


def test_the_verdict_is_on_what_is_folded_so_far(tmp_path: Path) -> None:
    log = good()
    whole = len(bytes(log))
    log.raw(b"garbage")
    log.turn_end()
    content = bytes(log)
    assert folded(content[:whole], tmp_path).verdict() == Verdict("dsh", opens=True)
    assert folded(content, tmp_path).verdict().reason == CORRUPT
