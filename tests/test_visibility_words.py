"""What is told of an event never contradicts the surface, whatever the tape and the cursor."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from inspector.formats.contract import Options
from inspector.formats.opening import open_tape, session_entries
from inspector.formats.registry import all_formats
from tests.folding import fold_on
from tests.visibility import contradictions

SAMPLES: Final = Path(__file__).resolve().parents[1] / "sample_tapes"
CURSORS: Final = 12


def tapes() -> Iterator[object]:
    """Every sample that is a tape, a folder or a session of a database, by every reader."""
    for format_ in all_formats():
        for policy in format_.policies:
            for path in sorted(places(format_.name)):
                for session in sessions(path):
                    name = session or path.stem
                    yield pytest.param(path, policy, session, id=f"{policy}-{name}")


def places(format_name: str) -> Iterator[Path]:
    match format_name:
        case "zero":
            yield from (path for path in (SAMPLES / "zero").iterdir() if path.is_dir())
        case "dsh":
            yield from SAMPLES.glob("*.jsonl")
        case "deepchat":
            yield SAMPLES / "deepchat.db"
        case _:
            yield from (SAMPLES / format_name).glob("*.jsonl")


def sessions(path: Path) -> list[str | None]:
    return [entry.id for entry in session_entries(path)] if path.suffix == ".db" else [None]


@pytest.mark.parametrize(("path", "policy", "session"), tapes())
def test_words_agree_with_the_surface(path: Path, policy: str, session: str | None) -> None:
    tape = open_tape(path, Options(policy=policy, session=session))
    try:
        fold_on(tape)
        head = tape.timeline.events
        for cursor in {*range(0, head, max(1, head // CURSORS)), head}:
            assert list(contradictions(tape.timeline, cursor)) == []
    finally:
        tape.close()
