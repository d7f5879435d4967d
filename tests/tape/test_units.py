from pathlib import Path

import pytest

from inspector.tape.source import FileSource
from inspector.tape.units import Window
from tests.tape.packed import noise

DATA = noise(100_000)


def test_small_reads_near_each_other_are_one_of_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "packed").write_bytes(DATA)
    with FileSource(tmp_path / "packed") as packed:
        window = Window(packed)
        assert window.read(10, 5) == DATA[10:15]
        with monkeypatch.context() as patch:
            patch.setattr(FileSource, "read", lambda *_: pytest.fail("it was read"))
            assert window.read(12, 9_000) == DATA[12:9_012]
        assert window.read(5, 3) == DATA[5:8]
        assert window.read(20_000, 70_000) == DATA[20_000:90_000]
        assert window.read(99_990, 100) == DATA[99_990:]
        assert window.read(100_000, 1) == b""


def test_what_is_appended_is_there_after_a_look_at_the_size(tmp_path: Path) -> None:
    path = tmp_path / "packed"
    path.write_bytes(DATA[:10])
    with FileSource(path) as packed:
        window = Window(packed)
        assert window.read(5, 10) == DATA[5:10]
        path.write_bytes(DATA[:20])
        assert window.read(5, 10) == DATA[5:10]
        assert window.refresh() == 20
        assert window.read(5, 10) == DATA[5:15]
