"""Compressed tapes of the corpus, against what their owner says of the very same files."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.tape.source import FileSource, SourceError
from inspector.tape.unpacking import UnpackedSource
from tests.corpus.corpus import ROOT, files, needs_corpus
from tests.tape.packed import Read, account, said

pytestmark = needs_corpus

TWINS = ROOT / "oracle" / "dsh" / "twins" / "damaged"
CASE = ROOT / "cases" / "case-15"


def read(path: Path) -> Read:
    with UnpackedSource(FileSource(path)) as source:
        return account(source)


def verdict(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((TWINS / "verdicts.json").read_bytes())[path.name[:3]]
    return found


PLAIN = ("z11.session.jsonl.zstd", "z26.session.jsonl.zstd")
"""An empty file and plain text."""


@pytest.mark.parametrize("path", files("oracle/dsh/twins/damaged/z*.zstd", without=PLAIN))
def test_the_owner_and_we_find_the_same_frames_bad(path: Path) -> None:
    message = (verdict(path)["error"] or {}).get("message", "")
    codes = {code for code, _, _ in said(read(path))}
    if "failed validation" in message:
        assert codes == {"damaged-frame"}
    elif "invalid frame magic" in message:
        assert codes <= {"not-a-frame", "skipped-frame"}
        assert codes
    else:
        # Whatever else the owner finds is in the text.
        assert codes <= {"torn-frame"}


@pytest.mark.parametrize("path", files("oracle/dsh/twins/damaged/z*.zstd", without=PLAIN))
def test_a_trouble_is_at_the_byte_that_the_owner_names(path: Path) -> None:
    message = (verdict(path)["error"] or {}).get("message", "")
    for trouble in read(path).troubles:
        if "at byte" in message:
            assert f"at byte {trouble.packed}" in message
            assert f"at byte {trouble.packed}" in trouble.message


@pytest.mark.parametrize("name", PLAIN)
def test_what_is_not_compressed_is_not_unpacked(name: str) -> None:
    with pytest.raises(SourceError, match="is not a compressed file"):
        read(TWINS / name)


@pytest.mark.parametrize(
    ("name", "lines", "troubles"),
    [
        ("multi-frame.jsonl.zstd", 13, []),
        ("torn-last-frame.jsonl.zstd", 14, [("torn-frame", 696, 1594)]),
        ("corrupt-middle-frame.jsonl.zstd", 7, [("damaged-frame", 101, 98)]),
        ("skippable-frame.jsonl.zstd", 13, [("skipped-frame", 101, 98)]),
        ("rollout-cold.jsonl.zst", 7, []),
        ("misnamed-zstd.jsonl", 7, []),
        ("transcript.jsonl.gz", 2, []),
        ("truncated.jsonl.gz", 3, [("torn-stream", 0, 0)]),
    ],
)
def test_every_compressed_tape_gives_its_lines_and_its_troubles(
    name: str, lines: int, troubles: list[tuple[str, int, int]]
) -> None:
    found = read(CASE / name)
    assert found.text.count(b"\n") == lines
    assert said(found) == troubles


def test_the_torn_tape_says_so_in_the_words_of_the_case() -> None:
    found = read(CASE / "torn-last-frame.jsonl.zstd")
    assert [trouble.message for trouble in found.troubles] == ["torn zstd frame at byte 696"]
    assert found.complete_to == 1594
