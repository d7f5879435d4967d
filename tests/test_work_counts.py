"""What a question costs, counted and not timed."""

from array import array
from collections import Counter
from collections.abc import Callable, Iterator
from math import ceil, log2
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import orjson
import pytest

from inspector.formats.contract import Tape
from inspector.formats.dsh.sources import lines as text_lines
from inspector.formats.logs import tape as reading
from inspector.tape import jsonline, lines
from inspector.tape import watch as watching
from inspector.tape.source import FileSource
from inspector.timeline.builder import Builder
from inspector.timeline.nodes import Element
from inspector.timeline.order import BLOCK, Block
from inspector.timeline.surface import Surface
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Kind, Outcome, Reason, Role, SpanKind
from tests.dsh_tapes import Log, folded, line, opened

ROWS = 20_000
WINDOW = 60


# Folding.


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> Counter[bytes]:
    """Every line that is given to a JSON parser, and how often."""
    counter: Counter[bytes] = Counter()

    def loads(text: bytes) -> Any:
        counter[text] += 1
        return orjson.loads(text)

    wrapper = SimpleNamespace(loads=loads, JSONDecodeError=orjson.JSONDecodeError)
    for module in (text_lines, jsonline):
        monkeypatch.setattr(module, "orjson", wrapper)
    return counter


def ordinary() -> Log:
    """Some hundred records of every ordinary kind, each a different line."""
    log = Log()
    for turn in range(1, 21):
        log.turn(turn)
        log.step(1, turn)
        prompt = log.user(f"question {turn}")
        log.packed("a", "b", "c")
        log.assistant(usage={"inputTokens": turn})
        log.call(f"c{turn}")
        log.result(f"c{turn}")
        log.step_end(1, turn)
        log.turn_end(turn)
        start, summary = log.compaction(f"cmp-{turn}"), log.summary(f"cmp-{turn}")
        log.checkpoint(prompt, prompt, [prompt, start, summary], f"summary {turn}")
        log.compaction_end(f"cmp-{turn}")
    return log


def test_a_record_is_parsed_once_while_the_tape_is_folded(
    parsed: Counter[bytes], tmp_path: Path
) -> None:
    log = ordinary()
    folded(log, tmp_path)
    assert parsed == Counter(log.lines)


def test_a_record_is_parsed_once_in_whatever_chunks_it_comes(
    parsed: Counter[bytes], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "CHUNK", 64)
    log = ordinary()
    folded(log, tmp_path)
    assert parsed == Counter(log.lines)


def test_what_is_not_applied_is_parsed_once_too(parsed: Counter[bytes], tmp_path: Path) -> None:
    log = Log()
    log.event("plugin/note", {})
    for at in range(50):
        log.user(f"message {at}")
    folded(log, tmp_path)
    assert parsed == Counter(log.lines)


def test_a_pruned_result_is_parsed_once_more_to_compare_it(
    parsed: Counter[bytes], tmp_path: Path
) -> None:
    log = Log()
    for at in range(10):
        log.rewrite(log.result(f"c{at}"))
        log.user(f"message {at}")
    folded(log, tmp_path)
    results = Counter(log.lines[1::3])
    assert parsed == Counter(log.lines) + results


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """Offset and bytes of every read."""
    found: list[tuple[int, int]] = []
    read = FileSource.read

    def counted(source: FileSource, offset: int, length: int) -> bytes:
        data = read(source, offset, length)
        found.append((offset, len(data)))
        return data

    monkeypatch.setattr(FileSource, "read", counted)
    return found


def test_a_byte_is_read_once_while_the_tape_is_folded(
    reads: list[tuple[int, int]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "CHUNK", 1_000)
    log = ordinary()
    folded(log, tmp_path)
    *while_folding, head, tail = reads
    end = 0
    for offset, length in while_folding:
        assert offset == end
        end += length
    assert end == len(bytes(log))
    # What is compared when somebody asks whether the file was changed.
    compared = watching._COMPARED
    assert [head, tail] == [(0, compared), (end - compared, compared)]


def test_opening_a_tape_reads_one_chunk(reads: list[tuple[int, int]], tmp_path: Path) -> None:
    log = Log()
    for at in range(3_000):
        log.user(f"message {at}")
    opened(log, tmp_path)
    assert reads == [(0, lines.CHUNK)]
    assert len(bytes(log)) > 2 * lines.CHUNK


# One payload.


def tape_of_messages(tmp_path: Path) -> tuple[Tape, Log]:
    log = Log()
    for at in range(600):
        log.user(f"message {at}")
    return folded(log, tmp_path), log


def test_a_payload_reads_its_record_and_nothing_else(
    reads: list[tuple[int, int]], tmp_path: Path
) -> None:
    tape, log = tape_of_messages(tmp_path)
    place = sum(len(record) + 1 for record in log.lines[:301])
    reads.clear()
    assert tape.payload(300)["seq"] == 300
    assert reads == [(place, len(log.lines[301]))]


def test_a_payload_looked_at_again_is_not_read_again(
    reads: list[tuple[int, int]], tmp_path: Path
) -> None:
    tape, _ = tape_of_messages(tmp_path)
    tape.payload(300)
    reads.clear()
    tape.payload(300)
    tape.headline(300)
    tape.sections(300)
    tape.message_id(300)
    assert reads == []


def test_a_window_of_rows_reads_its_records_once_each(
    reads: list[tuple[int, int]], tmp_path: Path
) -> None:
    tape, _ = tape_of_messages(tmp_path)
    reads.clear()
    for event in (*range(100, 160), *range(120, 180)):
        tape.headline(event)
    assert len(reads) == 80


def test_the_members_of_a_packed_row_share_one_read(
    reads: list[tuple[int, int]], tmp_path: Path
) -> None:
    log = Log()
    log.packed(*"abcdefgh")
    tape = folded(log, tmp_path)
    reads.clear()
    assert [tape.payload(event)["seq"] for event in range(8)] == list(range(8))
    assert len(reads) == 1


def test_a_large_record_is_kept_while_it_is_looked_at(
    reads: list[tuple[int, int]], tmp_path: Path
) -> None:
    log = Log()
    log.user("x" * 200_000)
    log.user("y")
    tape = folded(log, tmp_path)
    reads.clear()
    for event in (0, 0, 1, 0):
        tape.payload(event)
    assert len(reads) == 2


def test_of_large_records_only_the_last_is_kept(
    reads: list[tuple[int, int]], tmp_path: Path
) -> None:
    log = Log()
    log.user("x" * 200_000)
    log.user("y" * 200_000)
    tape = folded(log, tmp_path)
    reads.clear()
    for event in (0, 1, 0, 1):
        tape.payload(event)
    assert len(reads) == 4


def test_records_are_not_kept_without_end(
    reads: list[tuple[int, int]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "_CACHED", 10)
    tape, _ = tape_of_messages(tmp_path)
    for event in range(20):
        tape.payload(event)
    reads.clear()
    for event in range(19, -1, -1):
        tape.payload(event)
    assert len(reads) == 10


@pytest.mark.parametrize(
    "ask",
    [
        lambda tape: tape.timeline.rows(400, 100, 160),
        lambda tape: tape.timeline.tokens(400),
        lambda tape: tape.timeline.visibility(100, 400),
        lambda tape: tape.timeline.changes(100, 400),
        lambda tape: tape.timeline.context(400),
        lambda tape: tape.numbered(300),
        lambda tape: tape.place(300),
        lambda tape: tape.verdict(),
        lambda tape: tape.sums(),
    ],
    ids=[
        "rows",
        "tokens",
        "visibility",
        "changes",
        "context",
        "numbered",
        "place",
        "verdict",
        "sums",
    ],
)
def test_what_the_index_knows_is_not_read(
    ask: Callable[[Tape], object], reads: list[tuple[int, int]], tmp_path: Path
) -> None:
    tape, _ = tape_of_messages(tmp_path)
    reads.clear()
    ask(tape)
    assert reads == []


def test_a_damaged_line_is_not_read_again(reads: list[tuple[int, int]], tmp_path: Path) -> None:
    log = Log()
    log.user()
    log.raw(b"garbage")
    log.raw(line({"type": "user/message", "seq": 1, "time": None}))
    size = len(bytes(log))
    tape = folded(log, tmp_path)
    assert reads[:2] == [(0, size), (size, 0)]
    # A file so small is compared as a whole when somebody asks whether it was changed.
    assert reads[2:] == [(0, size), (0, size)]
    assert len(list(tape.findings())) == 2
    assert len(reads) == 4


# The surface.


def timeline_of(rows: int, compactions: int = 0) -> Timeline:
    """So many rows, one per event; then one event for each replacement of ten of them by one."""
    timeline = Timeline()
    builder = Builder(timeline)
    for event in range(rows):
        builder.event = event
        builder.append(Role.USER, Kind.MESSAGE, 1)
    for at in range(compactions):
        builder.event = rows + at
        first = at * (rows // max(compactions, 1))
        hidden = list(range(first, first + 10))
        builder.replace(hidden, Reason.COMPACTED, Role.SUMMARY, Kind.SUMMARY, 1)
    events = rows + compactions
    builder.publish(*(array(code, [0] * events) for code in "IHq"))
    return timeline


class Work:
    """What the surface did."""

    def __init__(self) -> None:
        self.counts = 0
        self.rows = 0
        self.blocks = 0


@pytest.fixture
def work(monkeypatch: pytest.MonkeyPatch) -> Work:
    """Blocks that are counted, and blocks and elements that are gone through."""
    found = Work()
    count, elements_of_block = Block.count, Surface._elements_of_block

    def counted(block: Block, cursor: int) -> int:
        found.counts += 1
        return count(block, cursor)

    def gone_through(surface: Surface, block: Block, cursor: int) -> Iterator[Element]:
        found.blocks += 1
        for element in elements_of_block(surface, block, cursor):
            found.rows += 1
            yield element

    monkeypatch.setattr(Block, "count", counted)
    monkeypatch.setattr(Surface, "_elements_of_block", gone_through)
    return found


@pytest.mark.parametrize("start", [0, 1, 1_000, 9_999, 10_001, 15_000, ROWS - WINDOW])
def test_a_window_of_rows_looks_at_few_blocks_and_few_rows(start: int, work: Work) -> None:
    timeline = timeline_of(ROWS)
    blocks = len(timeline.surface.order.blocks)
    assert blocks == ceil(ROWS / BLOCK)
    rows = timeline.rows(ROWS, start, start + WINDOW)
    assert [row.node for row in rows] == list(range(start, start + WINDOW))
    assert work.counts <= blocks // 2 + 1
    assert work.blocks <= 2
    assert work.rows <= BLOCK + WINDOW


def test_the_rows_at_the_end_are_found_from_the_end(work: Work) -> None:
    timeline = timeline_of(ROWS)
    timeline.rows(ROWS, ROWS - WINDOW)
    assert work.counts <= 2


@pytest.mark.parametrize("cursor", [100, 5_000, ROWS, ROWS + 50])
def test_a_window_costs_the_same_at_any_cursor(cursor: int, work: Work) -> None:
    timeline = timeline_of(ROWS, compactions=50)
    total = timeline.count(cursor)
    assert len(timeline.rows(cursor, total - WINDOW)) == WINDOW
    assert work.counts <= len(timeline.surface.order.blocks)
    assert work.blocks <= 2
    assert work.rows <= BLOCK + WINDOW


def test_the_place_of_a_row_is_counted_and_not_gone_to(work: Work) -> None:
    timeline = timeline_of(ROWS)
    assert timeline.surface.rank(15_000, ROWS) == 15_000
    assert work.counts <= len(timeline.surface.order.blocks)
    assert (work.blocks, work.rows <= BLOCK) == (1, True)


def test_a_count_looks_at_no_block_and_no_row(work: Work) -> None:
    timeline = timeline_of(ROWS, compactions=50)
    assert timeline.count(ROWS + 50) == ROWS - 50 * 9
    assert timeline.surface.messages(ROWS + 50) == ROWS - 50 * 9
    assert timeline.tokens(ROWS + 50) == ROWS - 50 * 9
    assert (work.counts, work.blocks, work.rows) == (0, 0, 0)


class Watched(array):  # type: ignore[type-arg]
    """A column that counts the entries that are taken from it."""

    taken = 0

    def __getitem__(self, key: Any) -> Any:
        value = super().__getitem__(key)
        Watched.taken += len(value) if isinstance(key, slice) else 1
        return value


def watch(timeline: Timeline) -> None:
    """Count from now on what is taken from the columns of stays and leavings."""
    surface = timeline.surface
    for owner in (surface, surface.nodes, surface.runs):
        for name, column in vars(owner).items():
            if type(column) is array:
                setattr(owner, name, Watched(column.typecode, column))
    Watched.taken = 0


@pytest.mark.parametrize("rows", [2_000, ROWS])
@pytest.mark.parametrize("changed", [0, 1, 5])
def test_changes_cost_what_changed(rows: int, changed: int) -> None:
    timeline = timeline_of(rows, compactions=10)
    watch(timeline)
    changes = timeline.changes(rows, rows + changed)
    assert (len(changes.entered), len(changes.left)) == (changed, 10 * changed)
    searches = 6 * ceil(log2(rows + 10) + 1)
    assert Watched.taken <= 6 * 11 * changed + searches


def test_changes_between_neighbours_cost_the_same_anywhere() -> None:
    timeline = timeline_of(ROWS)
    watch(timeline)
    taken = []
    for cursor in (10, 1_000, ROWS - 1):
        Watched.taken = 0
        assert len(timeline.changes(cursor, cursor + 1).entered) == 1
        taken.append(Watched.taken)
    assert max(taken) <= 6 * ceil(log2(ROWS) + 1)


@pytest.mark.parametrize("event", [0, 5, 10_000, ROWS - 1, ROWS + 3])
def test_what_became_of_an_event_is_a_few_looks(event: int) -> None:
    timeline = timeline_of(ROWS, compactions=10)
    watch(timeline)
    timeline.visibility(event, ROWS + 10)
    assert Watched.taken <= 2 * ceil(log2(ROWS) + 1) + 10


@pytest.mark.parametrize("cursor", [1, 5_000, ROWS, ROWS + 10])
def test_tokens_are_a_few_looks(cursor: int) -> None:
    timeline = timeline_of(ROWS, compactions=10)
    watch(timeline)
    timeline.tokens(cursor)
    assert Watched.taken <= 4 * 64 + 4 * ceil(log2(ROWS) + 1)


@pytest.mark.parametrize("open_", [0, 3])
def test_the_open_spans_are_found_without_going_through_those_that_are_done(open_: int) -> None:
    spans = Timeline().spans[SpanKind.TOOL_CALL]
    for at in range(ROWS):
        span = spans.open(2 * at + 1, None)
        if at >= open_:
            spans.close(span, 2 * at + 2, Outcome.OK)
    for name, column in vars(spans).items():
        if type(column) is array:
            setattr(spans, name, Watched(column.typecode, column))
    Watched.taken = 0
    assert len(list(spans.open_at(2 * ROWS))) == open_
    groups = ceil(ROWS / 256)
    assert Watched.taken <= 2 * groups + 2 * 256 + 50


@pytest.mark.parametrize("ask", [Surface.next_change, Surface.previous_change])
def test_the_next_change_is_a_few_looks(ask: Callable[[Surface, int], int | None]) -> None:
    timeline = timeline_of(ROWS, compactions=10)
    watch(timeline)
    assert ask(timeline.surface, 10_000) in (9_999, 10_001)
    assert Watched.taken <= 10 * ceil(log2(ROWS) + 2)
