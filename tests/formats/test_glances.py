"""What the ends of any sample tell agrees with the open tape, and no end is too odd to be seen."""

from pathlib import Path
from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.formats.contract import Options
from inspector.formats.opening import open_tape
from inspector.tape.packing import packing
from inspector.tape.source import FileSource
from inspector.tape.unpacking import UnpackedSource
from tests.folding import SAMPLES, laid_out
from tests.formats.test_any_head import records
from tests.glances import FORMATS, disagreements, ends_of, glance, told

FOLDERS = {"claude": "claude", "codex": "codex", "pi": "pi", "zero": "zero", "reina": "reina"}
"""The folders of samples, by format; those of DeepSeek Harness lie beside them."""

DAMAGED = ("damaged-frame", "damaged-line", "recovered")
"""Samples whose numbers go on as if nothing had been lost."""


def samples() -> list[Any]:
    """Texts of every format."""
    found = [("dsh", path) for path in sorted(SAMPLES.glob("*.jsonl*"))]
    for name, folder in FOLDERS.items():
        found += [(name, path) for path in sorted(SAMPLES.glob(f"{folder}/**/*.jsonl"))]
    return [pytest.param(*one, id=f"{one[0]}-{one[1].name}") for one in found]


def text_of(path: Path) -> bytes:
    data = path.read_bytes()
    if packing(data[:16]) is None:
        return data
    source = UnpackedSource(FileSource(path))
    try:
        return source.read(0, 1 << 24)
    finally:
        source.close()


@pytest.mark.parametrize(("name", "path"), samples())
def test_the_ends_of_a_sample_say_what_is_on_the_tape(name: str, path: Path) -> None:
    found = told(name, text_of(path), path)
    said = disagreements(found, open_tape(path, Options()))
    if path.name.partition(".")[0] in DAMAGED:
        said = [one for one in said if not one.startswith("events")]
    assert said == []


@pytest.mark.parametrize(("name", "path"), samples())
def test_a_sample_is_of_no_other_agent(name: str, path: Path) -> None:
    data = text_of(path)
    assert [other for other in FORMATS if glance(other, data, path) is not None] == [name]


@pytest.mark.parametrize(("name", "path"), samples())
def test_a_text_may_end_anywhere(name: str, path: Path) -> None:
    data = text_of(path)[:12_000]
    for stop in range(0, len(data), 1 + len(data) // 40):
        for other in FORMATS.values():
            other.glance(ends_of(data[:stop]))
            other.glance(ends_of(data[stop:]))
    assert name in FORMATS


@pytest.mark.parametrize("name", list(FORMATS))
@settings(max_examples=50, deadline=None)
@given(st.lists(records, min_size=1, max_size=4), st.integers(0, 60))
def test_ends_of_any_shape_are_no_fault(name: str, lines: list[dict[str, Any]], cut: int) -> None:
    data = b"\n".join(map(orjson.dumps, lines))
    glance(name, data)
    glance(name, data[: len(data) - cut] + b"\n" + data)


@pytest.mark.parametrize("name", list(FORMATS))
@pytest.mark.parametrize(
    "data",
    [
        *(b"", b"\n", b"{}", b"null\n", b"\x00" * 9_000, b"\xff\xfe" * 5_000, b"{" * 70_000),
        *(b'{"type":"session"' * 9_000, b'{"payload":' * 9_000, b'{"uuid":' + b"[" * 90_000),
        b'{"id":"s:1","sessionId":"s","sequence":1,"type":"message","payload":' + b"[" * 90_000,
    ],
)
def test_bytes_of_any_kind_are_no_fault(name: str, data: bytes) -> None:
    found = glance(name, data)
    assert found is None or found.title is None


def test_looking_at_the_ends_opens_nothing_that_is_not_there() -> None:
    with laid_out(b"{}\n", "events.jsonl") as path:
        assert glance("zero", b"{}\n", path) is None
