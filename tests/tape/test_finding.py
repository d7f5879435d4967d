"""Lines that hold some bytes are found wherever pieces are cut, at the cost of one reading."""

from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from inspector.tape.finding import found_in
from inspector.tape.source import FileSource

pieces = st.binary(max_size=6).map(lambda some: bytes(b"ab\n"[byte % 3] for byte in some))
wanted = st.lists(
    st.binary(min_size=1, max_size=3).map(lambda some: bytes(b"ab"[byte % 2] for byte in some)),
    min_size=1,
    max_size=3,
)


class _Bytes:
    """Bytes as a source, which count what is read of them."""

    path = Path("tape")

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.was_read = 0

    def size(self) -> int:
        return len(self._data)

    def read(self, offset: int, length: int) -> bytes:
        found = self._data[offset : offset + length]
        self.was_read += len(found)
        return found

    def share(self, offset: int) -> float:
        return offset / max(1, len(self._data))

    def close(self) -> None:
        pass


@given(st.lists(pieces, max_size=8).map(b"".join), wanted, st.integers(1, 9))
def test_every_line_that_holds_one_is_found(data: bytes, some: list[bytes], chunk: int) -> None:
    source = _Bytes(data)
    found = list(found_in(source, some, chunk))
    assert found == sorted(found)
    lines = {data.count(b"\n", 0, at) for at in found}
    held = {at for at, line in enumerate(data.split(b"\n")) if any(one in line for one in some)}
    assert lines == held
    assert source.was_read == len(data)
    assert all(any(data.startswith(one, at) for one in some) for at in found)


def test_of_a_line_full_of_hits_few_are_told(tmp_path: Path) -> None:
    path = tmp_path / "tape"
    path.write_bytes(b"a" * 100_000 + b"\n" + b"a" * 10)
    with FileSource(path) as source:
        assert len(list(found_in(source, (b"a",), 10_000))) <= 12
