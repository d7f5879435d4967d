"""Who writes to a file is told by the machine."""

import subprocess
import sys
from pathlib import Path

import pytest

from inspector.applying.holders import writers

_HOLDS = "import sys; file = open(sys.argv[1], sys.argv[2]); print(flush=True); sys.stdin.read()"


@pytest.mark.skipif(not Path("/proc/self/fdinfo").is_dir(), reason="the machine does not tell")
@pytest.mark.parametrize(("mode", "count"), [("rb", 0), ("ab", 1), ("r+b", 1)])
def test_a_process_that_can_write_to_it_is_named(tmp_path: Path, mode: str, count: int) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"one\n")
    words = [sys.executable, "-c", _HOLDS, str(path), mode]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        process.stdout.readline()
        found = writers(path)
        process.communicate(b"")
    assert [name.split(" (")[0] for name in found] == [f"process {process.pid}"] * count


def test_our_own_hold_is_none(tmp_path: Path) -> None:
    path = tmp_path / "log"
    with path.open("wb"):
        assert writers(path) == []


def test_where_nothing_is_told_nobody_is_named(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"")
    assert writers(path, tmp_path / "none") == []
    assert writers(tmp_path / "gone") == []
