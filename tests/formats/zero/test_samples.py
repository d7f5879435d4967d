"""The sample sessions are what the generator makes, and show what the list promises."""

from pathlib import Path
from typing import Final

import pytest

from inspector.formats.zero.vocabulary import WORDS
from inspector.timeline.words import Mark, SpanKind
from sample_tapes.zero import zero
from tests.formats.zero.sessions import held, spans, surface
from tests.untouched import untouched

SAMPLES: Final = Path(__file__).resolve().parents[3] / "sample_tapes"
LANTERN: Final = SAMPLES / "zero/lantern/events.jsonl"


@pytest.mark.parametrize("name", zero())
def test_a_file_is_what_the_generator_makes(name: str) -> None:
    assert (SAMPLES / name).read_bytes() == zero()[name]


def test_nearly_every_type_is_there() -> None:
    with untouched(LANTERN):
        tape = held(LANTERN)
    types = {tape.timeline.table.type(at) for at in range(tape.timeline.events)}
    assert WORDS.keys() - types == {"permission", "session_fork", "spec_rejected"}


def test_a_failed_call_a_question_and_an_approval_can_be_stepped_to() -> None:
    tape = held(LANTERN)
    assert [outcome for *_, outcome, _ in spans(tape, SpanKind.TOOL_CALL)].count("failed") == 1
    assert len(spans(tape, SpanKind.APPROVAL)) == 2
    assert 17 in tape.timeline.marks.events(Mark.USER)


def test_the_readers_differ_after_the_rewind() -> None:
    assert surface(held(LANTERN, "exec"))[0] == 30
    assert surface(held(LANTERN, "tui"))[0] == 0


def test_the_fork_has_everything_back() -> None:
    fork = held(SAMPLES / "zero/lantern-fork/events.jsonl")
    assert surface(fork)[:2] == [27, 0]
