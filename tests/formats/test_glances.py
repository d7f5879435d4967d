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
    assert disagreements(found, open_tape(path, Options())) == []


@pytest.mark.parametrize(("name", "path"), samples())
def test_a_sample_is_of_no_other_agent(name: str, path: Path) -> None:
    data = text_of(path)
    assert [other for other in FORMATS if glance(other, data, path) is not None] == [name]


BEGINNINGS = {
    "mark": lambda text: b"\xef\xbb\xbf" + text,
    "carriage returns": lambda text: text.replace(b"\n", b"\r\n"),
    "both": lambda text: b"\xef\xbb\xbf" + text.replace(b"\n", b"\r\n"),
    "blank line": lambda text: b"\r\n" + text,
}
"""What editors make of a text, and where a file may begin."""


@pytest.mark.parametrize("how", BEGINNINGS)
@pytest.mark.parametrize(("name", "path"), samples())
def test_a_mark_before_a_text_and_its_line_ends_hide_nothing(
    name: str, path: Path, how: str
) -> None:
    data = text_of(path)
    plain, found = told(name, data, path), glance(name, BEGINNINGS[how](data), path)
    if name == "dsh" and (how == "blank line" or path.name.startswith("future")):
        # Its header is the first line, whatever stands there.
        return
    assert found is not None
    said = [found.id, found.title, found.project, found.started, found.last, found.parent]
    assert said == [plain.id, plain.title, plain.project, plain.started, plain.last, plain.parent]


@pytest.mark.parametrize("name", ["claude", "codex", "pi", "reina", "zero", "dsh"])
def test_of_a_text_whose_first_line_is_not_seen_whole_no_number_is_guessed(name: str) -> None:
    param = next(one for one in samples() if one.values[0] == name)
    first, _, rest = text_of(param.values[1]).partition(b"\n")
    record = orjson.loads(first)
    found = glance(name, orjson.dumps(record | {"zzz": "x" * 200_000}) + b"\n" + rest)
    assert found is not None
    assert found.estimated or found.events is None
    if name not in ("dsh", "zero"):
        # Their last number tells; of all others nothing does.
        assert found.events is None


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
