import io
import stat
import zipfile
from pathlib import Path

import pytest

from inspector.tape import zip_members
from inspector.tape.source import FileSource, SourceError
from inspector.tape.unpacking import UnpackedSource
from inspector.tape.zip_members import Member, members
from tests.tape.packed import Read, account, flipped, noise, said, unpacked

LINES = b'{"seq":0}\n' * 500


def archive(
    *files: tuple[str | zipfile.ZipInfo, bytes], method: int = zipfile.ZIP_DEFLATED
) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as writer:
        for name, plain in files:
            writer.writestr(name, plain)
    return buffer.getvalue()


def linked(name: str) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name)
    info.external_attr = (stat.S_IFLNK | 0o777) << 16
    return info


def listed(data: bytes, path: Path) -> list[Member]:
    path.write_bytes(data)
    with FileSource(path) as packed:
        return members(packed)


def of_member(data: bytes, name: str, path: Path) -> Read:
    path.write_bytes(data)
    with UnpackedSource.of_member(FileSource(path), name) as source:
        return account(source)


def test_only_regular_files_are_members(tmp_path: Path) -> None:
    data = archive(("a.jsonl", LINES), ("folder/", b""), (linked("link"), b"a.jsonl"), ("b", b""))
    assert listed(data, tmp_path / "zip") == [Member("a.jsonl", len(LINES)), Member("b", 0)]


@pytest.mark.parametrize("method", [zipfile.ZIP_DEFLATED, zipfile.ZIP_STORED])
def test_each_member_is_read_by_its_name(method: int, tmp_path: Path) -> None:
    plain = noise(300_000) + LINES
    data = archive(("one", LINES), ("two", plain), ("none", b""), method=method)
    for name, text in (("one", LINES), ("two", plain), ("none", b"")):
        read = of_member(data, name, tmp_path / "zip")
        assert (read.text, read.troubles, read.complete_to) == (text, [], len(text))
        assert len(read.frames) == 1


def test_the_only_member_needs_no_name(tmp_path: Path) -> None:
    assert unpacked(archive(("folder/", b""), ("a", LINES)), tmp_path / "zip").text == LINES


@pytest.mark.parametrize(
    ("files", "reason"),
    [
        ([("a", b""), ("b", b"")], "is a zip archive with 2 files: name one of them"),
        ([("folder/", b"")], "is a zip archive with no file in it"),
    ],
)
def test_an_archive_without_an_only_member_says_so(
    files: list[tuple[str, bytes]], reason: str, tmp_path: Path
) -> None:
    with pytest.raises(SourceError) as caught:
        unpacked(archive(*files), tmp_path / "zip")
    assert str(caught.value) == reason


def test_a_member_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="is not in the zip archive"):
        of_member(archive(("a", b"")), "b", tmp_path / "zip")


def test_an_encrypted_member_is_refused(tmp_path: Path) -> None:
    data = bytearray(archive(("a", LINES)))
    data[data.index(b"PK\x01\x02") + 8] |= 1
    with pytest.raises(SourceError, match="is encrypted in its zip archive"):
        of_member(bytes(data), "a", tmp_path / "zip")


def test_a_method_that_is_not_known_is_refused(tmp_path: Path) -> None:
    data = bytearray(archive(("a", LINES)))
    data[data.index(b"PK\x01\x02") + 10] = 97
    with pytest.raises(SourceError, match="is packed with method 97, which cannot be read"):
        of_member(bytes(data), "a", tmp_path / "zip")


def test_a_member_that_fails_its_checksum_is_a_trouble(tmp_path: Path) -> None:
    plain = noise(600_000)
    data = flipped(archive(("a", plain), method=zipfile.ZIP_STORED), 500_000)
    read = of_member(data, "a", tmp_path / "zip")
    assert said(read) == [("damaged-frame", 0, 0)]
    assert "fails its checksum; the text it gave before that stays" in read.troubles[0].message
    assert read.text
    assert plain.startswith(read.text[:400_000])


def test_a_member_whose_own_header_is_broken_is_a_trouble(tmp_path: Path) -> None:
    data = archive(("a", LINES), ("b", LINES))
    broken = flipped(data, data.rindex(b"PK\x03\x04"))
    read = of_member(broken, "b", tmp_path / "zip")
    assert (read.text, [trouble.code for trouble in read.troubles]) == (b"", ["damaged-frame"])


def test_bytes_changed_anywhere_get_an_answer(tmp_path: Path) -> None:
    data = archive(("größe", LINES), ("b", LINES))
    answers: set[str] = set()
    for at in range(4, len(data)):
        try:
            answers.update(
                code for code, _, _ in said(of_member(flipped(data, at), "b", tmp_path / "zip"))
            )
        except SourceError as error:
            answers.add(str(error).split(":")[0])
    assert {"damaged-frame", "zip archive without a readable directory"} <= answers


@pytest.mark.parametrize("cut", [4, 30, -1])
def test_an_archive_that_is_cut_has_no_directory(cut: int, tmp_path: Path) -> None:
    with pytest.raises(SourceError, match="zip archive without a readable directory: "):
        listed(archive(("a", LINES))[:cut], tmp_path / "zip")


def test_a_directory_that_is_too_large_is_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    data = archive(*((f"name {n}", b"") for n in range(500)))
    monkeypatch.setattr(zip_members, "_ONE_READ", 20_000)
    with pytest.raises(SourceError, match="directory is larger than 20000 bytes"):
        listed(data, tmp_path / "zip")
