"""Whatever stands where a format expects something else, every answer is given, none raises."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import orjson
import pytest

from inspector.export import documents
from inspector.formats.contract import OptionError, Options
from inspector.formats.opening import open_tape
from inspector.tape.source import SourceError
from tests.commands import SAMPLES
from tests.folding import fold_on

LOGS: Final = (
    *sorted(SAMPLES.glob("claude/*.jsonl")),
    *sorted(SAMPLES.glob("codex/*.jsonl"))[:1],
    SAMPLES / "zero/lantern/events.jsonl",
    *sorted(SAMPLES.glob("pi/*.jsonl")),
    *sorted(SAMPLES.glob("reina/*.jsonl"))[:1],
    SAMPLES / "demo.jsonl",
    SAMPLES / "activities.jsonl",
)

ODD: Final[tuple[Any, ...]] = (["odd"], {"odd": 1}, 1.5, None, True, "odd", -1, 2**70, [[]], "")

Keys = tuple[str | int, ...]

DEEP: Final = 7
PLACES: Final = 30
"""Keys of one log that are tried, other ones for every log."""

VALUES: Final = 2
"""Odd values that are tried in one place."""


def keys_of(value: Any, keys: Keys = ()) -> Iterator[Keys]:
    """The keys that lead to every value within a value."""
    if len(keys) > DEEP:
        return
    within: list[tuple[str | int, Any]] = []
    if isinstance(value, dict):
        within = list(value.items())
    elif isinstance(value, list):
        within = list(enumerate(value[:3]))
    for key, inner in within:
        yield (*keys, key)
        yield from keys_of(inner, (*keys, key))


def with_odd(line: bytes, keys: Keys, odd: Any) -> bytes:
    """A record with something else at the end of some keys."""
    record = inner = orjson.loads(line)
    for key in keys[:-1]:
        inner = inner[key]
    inner[keys[-1]] = odd
    return json.dumps(record).encode()


def places(lines: list[bytes]) -> list[tuple[int, Keys]]:
    """One place for every shape of record and keys."""
    found: dict[tuple[str, Keys], tuple[int, Keys]] = {}
    for at, line in enumerate(lines):
        record = orjson.loads(line)
        kinds = str(record.get("type"))
        payload = record.get("payload")
        if isinstance(payload, dict):
            kinds += str(payload.get("type"))
        for keys in keys_of(record):
            found.setdefault((kinds, keys), (at, keys))
    return list(found.values())


@pytest.mark.parametrize("log", LOGS, ids=lambda log: f"{log.parent.name}/{log.name[:20]}")
def test_every_answer_is_given_of_a_log_with_an_odd_value(log: Path, tmp_path: Path) -> None:
    lines = log.read_bytes().splitlines()
    chance = random.Random(log.name)  # noqa: S311 - the same at every run
    for at, keys in chance.sample(places(lines), PLACES):
        for odd in chance.sample(ODD, VALUES):
            mended = [*lines[:at], with_odd(lines[at], keys, odd), *lines[at + 1 :]]
            path = tmp_path / log.name
            path.write_bytes(b"\n".join(mended) + b"\n")
            ask(path, at)


def ask(path: Path, around: int) -> None:
    """Everything that is asked of a tape, the records near one looked at in full."""
    try:
        tape = open_tape(path, Options())
    except (SourceError, OptionError):
        return
    try:
        fold_on(tape)
        head = tape.timeline.events
        documents.dumps(documents.show(tape, head))
        documents.dumps(documents.check(tape))
        for event in range(max(0, around - 2), min(head, around + 3)):
            documents.dumps(documents.event(tape, event, head))
            assert tape.sections(event) is not None
        assert tape.request(head) is not None
    finally:
        tape.close()
