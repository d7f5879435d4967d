from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.tape import lines
from inspector.tape.lines import LineSplitter, offsets
from inspector.tape.source import FileSource

Placed = list[tuple[int, bytes]]


def split(data: bytes, path: Path) -> tuple[Placed, bytes, int]:
    """The whole lines with their offsets, the pending bytes, and where they begin."""
    path.write_bytes(data)
    with FileSource(path) as source:
        splitter = LineSplitter(source)
        found = rest(splitter)
        assert splitter.pending == len(splitter.tail())
        return found, splitter.tail(), splitter.offset


def rest(splitter: LineSplitter) -> Placed:
    found: Placed = []
    while (batch := splitter.batch()) is not None:
        start, whole = batch
        found.extend(zip(offsets(start, whole), whole, strict=False))
    return found


def expected(data: bytes) -> tuple[Placed, bytes, int]:
    *whole, tail = data.split(b"\n")
    found: Placed = []
    at = 0
    for line in whole:
        found.append((at, line))
        at += len(line) + 1
    return found, tail, at


@pytest.mark.parametrize(
    "inside",
    [
        b"\r",
        b"\x0b",
        b"\x0c",
        b"\x00",
        b"\x1c\x1d\x1e",
        "\x85".encode(),
        "\u2028\u2029".encode(),
        b"\x85",
        b"\xff\xfe",
    ],
)
def test_only_a_line_feed_ends_a_line(inside: bytes, tmp_path: Path) -> None:
    first = b"a" + inside + b"b"
    data = first + b"\n" + inside + b"\n" + inside
    assert split(data, tmp_path / "tape") == (
        [(0, first), (len(first) + 1, inside)],
        inside,
        len(first) + len(inside) + 2,
    )


@pytest.mark.parametrize(
    ("data", "found", "tail"),
    [
        (b"", [], b""),
        (b"a", [], b"a"),
        (b"a\n", [(0, b"a")], b""),
        (b"\n", [(0, b"")], b""),
        (b"\n\n\nb", [(0, b""), (1, b""), (2, b"")], b"b"),
        (b"a\r\nb\r\n", [(0, b"a\r"), (3, b"b\r")], b""),
    ],
)
def test_lines_their_offsets_and_what_is_pending(
    data: bytes, found: Placed, tail: bytes, tmp_path: Path
) -> None:
    assert split(data, tmp_path / "tape") == (found, tail, len(data) - len(tail))


@pytest.mark.parametrize("chunk", [1, 2, 3, 4, 5, 7, 11])
def test_chunks_may_end_anywhere(
    chunk: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "CHUNK", chunk)
    data = b"one\n\ntwo three\n" + "größer\n".encode() + b"x" * 30 + b"\n\n\ntail"
    assert split(data, tmp_path / "tape") == expected(data)


@given(
    st.lists(st.sampled_from((b"\n", b"a", b"bc", b"\r", b"\x00", b"\n\n")), max_size=40),
    st.integers(1, 9),
)
@settings(derandomize=True, deadline=None)
def test_any_bytes_in_any_chunks_give_what_stands_between_line_feeds(
    tmp_path_factory: pytest.TempPathFactory, pieces: list[bytes], chunk: int
) -> None:
    data = b"".join(pieces)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "CHUNK", chunk)
        assert split(data, tmp_path_factory.getbasetemp() / "lines") == expected(data)


def test_a_batch_is_at_most_one_chunk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "CHUNK", 4)
    (tmp_path / "tape").write_bytes(b"ab\ncdefghi\nj")
    with FileSource(tmp_path / "tape") as source:
        splitter = LineSplitter(source)
        assert splitter.batch() == (0, [b"ab"])
        assert (splitter.offset, splitter.pending, splitter.tail()) == (3, 1, b"c")
        assert splitter.batch() == (3, [])
        assert (splitter.offset, splitter.pending, splitter.tail()) == (3, 5, b"cdefg")
        assert splitter.batch() == (3, [b"cdefghi"])
        assert (splitter.offset, splitter.pending, splitter.tail()) == (11, 1, b"j")
        assert splitter.batch() is None


def test_a_line_longer_than_a_chunk_is_one_line(tmp_path: Path) -> None:
    data = b"x" * (3 * lines.CHUNK + 17)
    found, tail, offset = split(b"a\n" + data + b"\nb", tmp_path / "tape")
    assert [(at, len(line)) for at, line in found] == [(0, 1), (2, len(data))]
    assert (tail, offset) == (b"b", len(data) + 3)


def test_a_file_that_grows_is_read_on_where_it_ended(tmp_path: Path) -> None:
    path = tmp_path / "tape"
    path.write_bytes(b"ab")
    with FileSource(path) as source, path.open("ab", buffering=0) as writer:
        splitter = LineSplitter(source)
        assert rest(splitter) == []
        assert (splitter.pending, splitter.tail()) == (2, b"ab")
        assert splitter.batch() is None
        writer.write(b"c")
        assert rest(splitter) == []
        assert (splitter.pending, splitter.tail()) == (3, b"abc")
        writer.write(b"\nde\nf")
        assert rest(splitter) == [(0, b"abc"), (4, b"de")]
        assert (splitter.offset, splitter.pending, splitter.tail()) == (7, 1, b"f")
        writer.write(b"\n")
        assert rest(splitter) == [(7, b"f")]
        assert (splitter.offset, splitter.pending, splitter.tail()) == (9, 0, b"")


def test_offsets_are_those_of_the_lines_and_of_what_follows() -> None:
    assert list(offsets(10, [b"ab", b"", b"c\r"])) == [10, 13, 14, 17]
    assert list(offsets(5, [])) == [5]
