"""The sample tapes are what their generator makes, and stand alone."""

from pathlib import Path

import pytest

from inspector.formats.contract import Options
from inspector.formats.opening import open_tape
from inspector.timeline.words import Mark, SpanKind
from sample_tapes.generate import tapes

SAMPLES = Path(__file__).resolve().parents[1] / "sample_tapes"


def test_the_files_are_what_the_generator_makes() -> None:
    made = tapes()
    assert {path.name for path in SAMPLES.glob("*.jsonl")} == made.keys()
    for name, content in made.items():
        assert (SAMPLES / name).read_bytes() == content, name


def test_every_tape_is_in_the_list_of_tapes() -> None:
    listed = (SAMPLES / "README.md").read_text()
    assert not [name for name in tapes() if name not in listed]


@pytest.mark.parametrize(
    ("kind", "least"),
    [(Mark.USER, 10), (Mark.ERROR, 3), (Mark.COMPACTION, 3), (Mark.TOOL_CALL, 20), (Mark.TURN, 14)],
)
def test_the_demo_has_one_of_everything(kind: Mark, least: int) -> None:
    tape = open_tape(SAMPLES / "demo.jsonl", Options())
    while tape.advance():
        pass
    timeline = tape.timeline
    assert len(timeline.marks.events(kind)) >= least
    assert len(timeline.spans[SpanKind.COMPACTION]) == 3
    assert tape.verdict().opens is True
    assert timeline.reliable_to == timeline.events
