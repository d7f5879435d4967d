from pathlib import Path

from inspector.tape.source import FileSource, Source


def test_the_share_of_a_plain_file_is_that_of_its_bytes(tmp_path: Path) -> None:
    (tmp_path / "tape").write_bytes(b"abcd")
    source: Source = FileSource(tmp_path / "tape")
    assert [source.share(offset) for offset in (0, 1, 4, 9)] == [0.0, 0.25, 1.0, 1.0]
    source.close()


def test_an_empty_file_is_all_behind(tmp_path: Path) -> None:
    (tmp_path / "tape").touch()
    with FileSource(tmp_path / "tape") as source:
        assert source.share(0) == 1.0
