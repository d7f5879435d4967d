"""Law 4: the same session as lines, zstd frames, gzip or database rows gives the same timeline."""

import gzip
import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from hypothesis import Phase, assume, given, settings
from hypothesis import strategies as st

from inspector.formats.contract import Options, Tape
from inspector.formats.opening import open_tape
from tests import folding
from tests.formats.dsh import databases
from tests.formats.dsh.generated import logs, with_broken
from tests.tape.packed import frame
from tests.timelines import same_session

LAW: Final = settings(
    derandomize=True,
    deadline=None,
    max_examples=20,
    phases=(Phase.generate, Phase.shrink),
    report_multiple_bugs=False,
)

STAY: Final = Options()
PAST: Final = Options(past_unknown=True)


@contextmanager
def folded(path: Path, options: Options = STAY) -> Iterator[Tape]:
    with folding.folded(open_tape(path, options)) as tape:
        yield tape


@contextmanager
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        yield Path(name)


def told(tape: Tape) -> list[tuple[str, int | None, int | None, str]]:
    """The findings of a text, wherever it is kept."""
    return [
        (found.kind.code, found.record, found.event, found.message) for found in tape.findings()
    ]


def same_text(one: Tape, other: Tape) -> None:
    """Assert that two tapes have the same lines, too."""
    same_session(one, other)
    assert told(one) == told(other)
    assert replace(one.sums(), frames=None) == replace(other.sums(), frames=None)
    for event in range(one.timeline.events):
        record = one.timeline.table.record(event)
        assert record == other.timeline.table.record(event)
        assert one.place(record) == other.place(record)
        assert one.raw(event) == other.raw(event)


# Frames.


def cut(data: bytes, places: list[int]) -> list[bytes]:
    """The bytes in pieces, the first of which is the first line."""
    first = data.find(b"\n") + 1
    rest = len(data) - first
    ends = sorted({first + place % (rest + 1) for place in places} | {first, len(data)})
    return [data[start:end] for start, end in zip([0, *ends], ends, strict=False) if end]


cuts: Final = st.lists(st.integers(0, 20_000), max_size=6)


@given(logs(), cuts, st.booleans(), st.sampled_from((STAY, PAST)))
@LAW
def test_frames_give_the_timeline_of_their_text(
    data: bytes, places: list[int], checksum: bool, options: Options
) -> None:
    assume(data.strip())
    with folder() as there:
        plain = there / "plain.jsonl"
        plain.write_bytes(data)
        packed = there / "frames.jsonl.zstd"
        pieces = cut(data, places)
        packed.write_bytes(b"".join(frame(piece, checksum=checksum) for piece in pieces))
        with folded(plain, options) as one, folded(packed, options) as other:
            same_text(one, other)
            assert other.sums().frames == len(pieces)


@given(logs(damage=False), cuts)
@LAW
def test_the_owner_opens_frames_wherever_lines_are_cut(data: bytes, places: list[int]) -> None:
    """A line may run over two frames; only the header has one for itself (rules page A3)."""
    with folder() as there:
        packed = there / "frames.jsonl.zstd"
        packed.write_bytes(b"".join(frame(piece) for piece in cut(data, places)))
        plain = there / "plain.jsonl"
        plain.write_bytes(data)
        with folded(plain) as one, folded(packed) as other:
            assert other.verdict() == one.verdict()


@given(logs(), cuts)
@LAW
def test_gzip_gives_the_timeline_of_its_text(data: bytes, places: list[int]) -> None:
    assume(data.strip())
    with folder() as there:
        plain = there / "plain.jsonl"
        plain.write_bytes(data)
        packed = there / "members.jsonl.gz"
        packed.write_bytes(b"".join(gzip.compress(piece, mtime=0) for piece in cut(data, places)))
        with folded(plain) as one, folded(packed) as other:
            same_text(one, other)
            assert other.verdict().reason == "the owner reads no gzip"


# Rows.


def written_out(data: bytes) -> bytes:
    """A log without what rows cannot hold: ranges of sources, and bytes that are no UTF-8."""
    text = data.decode("utf-8", "replace")
    return "\n".join(map(plain_sources, text.split("\n"))).encode()


def plain_sources(line: str) -> str:
    value = json.loads(line) if line.strip() else {}
    sources = value.get("sourceEventSeqs")
    if not isinstance(sources, list) or all(isinstance(item, int) for item in sources):
        return line
    return json.dumps(value | {"sourceEventSeqs": numbers(sources)})


def numbers(sources: list[Any]) -> list[int]:
    found: list[int] = []
    for item in sources:
        found += range(item[0], item[1] + 1) if isinstance(item, list) else [item]
    return found


def header_of(data: bytes) -> dict[str, Any]:
    header: dict[str, Any] = json.loads(data.split(b"\n", 1)[0])
    return header


@given(logs(damage=False), st.sampled_from((0, 200, databases.LONG)))
@settings(LAW, max_examples=30)
def test_rows_give_the_timeline_of_lines(data: bytes, long: int) -> None:
    data = written_out(data)
    with folder() as there:
        plain = there / "plain.jsonl"
        plain.write_bytes(data)
        with folded(plain) as one:
            events = [one.payload(event) for event in range(one.timeline.events)]
            rows = databases.database(there / "store.db", events, header_of(data), long)
            with folded(rows) as other:
                same_session(one, other)
                assert other.verdict() == one.verdict()
                assert other.verdict().opens is True
                assert other.sums().events == one.sums().events


STORED: Final = ("unmarked", "bad_operation", "bad_place", "bad_rewrite")
"""Rules that a row can break: its columns hold whatever the event did."""


@given(st.sampled_from(STORED).flatmap(with_broken))
@LAW
def test_rows_break_the_rules_that_lines_break(written: tuple[bytes, list[int]]) -> None:
    data = databases.line(databases.HEADER) + written_out(written[0])
    with folder() as there:
        plain = there / "plain.jsonl"
        plain.write_bytes(data)
        with folded(plain) as one:
            events = [one.payload(event) for event in range(one.timeline.events)]
            with folded(databases.database(there / "store.db", events)) as other:
                same_session(one, other)
                assert list(other.timeline.rejected) == written[1]
                assert other.verdict() == one.verdict()


def test_what_a_file_is_goes_by_its_bytes_and_not_by_its_name(tmp_path: Path) -> None:
    data = b"".join(map(databases.line, [databases.HEADER]))
    for name, content, variant in (
        ("plain.jsonl.zstd", data, "jsonl"),
        ("frames.jsonl", frame(data), "jsonl.zstd"),
        ("frames.jsonl.gz", frame(data), "jsonl.zstd"),
        ("members.jsonl.zstd", gzip.compress(data, mtime=0), "jsonl.gzip"),
    ):
        path = tmp_path / name
        path.write_bytes(content)
        with folded(path) as tape:
            assert tape.identity.variant == f"v0/{variant}"
            assert [found.kind.code for found in tape.findings()] == ["misnamed"]


def test_runs_of_deltas_are_packed_and_long_data_is_compressed(tmp_path: Path) -> None:
    """What the law stands on: the rows of a store are of every kind."""
    deltas = [
        {
            "type": "assistant/chunk",
            "seq": seq,
            "time": 1787000000000 + seq % 7,
            "data": {
                "turn": 1,
                "step": 1,
                "chunk": {"type": "text-delta", "index": 0, "text": f"{seq} größer "},
            },
        }
        for seq in range(1_100)
    ]
    rows = list(databases.rows(deltas))
    assert [row[0] for row in rows] == [0, 1024]
    assert [row[6] for row in rows] == [0, 0]
    assert [type(row[3]) for row in rows] == [bytes, str]
    plain = tmp_path / "session.jsonl"
    plain.write_bytes(b"".join(map(databases.line, [databases.HEADER, *deltas])))
    path = databases.database(tmp_path / "store.db", deltas)
    with folded(plain) as one, folded(path) as other:
        same_session(one, other)
        assert (other.sums().records, other.sums().events) == (2, 1_100)
