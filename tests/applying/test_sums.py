"""A file is known again by how many bytes it has, and their SHA-256."""

from hashlib import sha256
from pathlib import Path

import pytest

from inspector.applying.sums import Sum, pieces_of, sum_of


def test_the_sum_is_that_of_all_pieces() -> None:
    assert sum_of([b"ab", b"", b"c"]) == Sum(3, sha256(b"abc").hexdigest())
    assert sum_of([]) == Sum(0, sha256().hexdigest())


@pytest.mark.parametrize(("most", "found"), [(None, b"abcdef"), (4, b"abcd"), (9, b"abcdef")])
def test_a_file_is_read_whole_or_its_first_bytes(
    tmp_path: Path, most: int | None, found: bytes
) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"abcdef")
    assert b"".join(pieces_of(path, most)) == found


def test_no_first_bytes_are_none(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"abc")
    assert list(pieces_of(path, 0)) == []
