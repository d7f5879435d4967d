"""The sample sessions are what the generator makes, and show what the list promises."""

from pathlib import Path
from typing import Final

import pytest

from inspector.formats.reina.vocabulary import SNAPSHOT, WORDS
from inspector.timeline.words import SpanKind
from sample_tapes.reina import reina
from tests.formats.reina.sessions import codes, held, spans, surface, value
from tests.untouched import untouched

SAMPLES: Final = Path(__file__).resolve().parents[3] / "sample_tapes"
ORDERS: Final = SAMPLES / "reina/ses_motrojk0_h4vz.jsonl"
TWICE: Final = SAMPLES / "reina/ses_mov74e80_p8ke.jsonl"


@pytest.mark.parametrize("name", reina())
def test_a_file_is_what_the_generator_makes(name: str) -> None:
    assert (SAMPLES / name).read_bytes() == reina()[name]


def test_nearly_every_kind_is_there() -> None:
    with untouched(ORDERS):
        tape = held(ORDERS)
    types = {tape.timeline.table.type(at) for at in range(tape.timeline.events)}
    assert WORDS.keys() - types == {"session_meta", "tool_update", SNAPSHOT}


def test_calls_end_in_every_way_and_two_are_approved_or_not() -> None:
    tape = held(ORDERS)
    outcomes = [outcome for *_, outcome, _ in spans(tape, SpanKind.TOOL_CALL)]
    assert {*outcomes} == {"ok", "failed", "rejected"}
    assert [outcome for *_, outcome, _ in spans(tape, SpanKind.APPROVAL)] == ["ok", "rejected"]


def test_the_model_is_replaced() -> None:
    tape = held(ORDERS)
    assert value(tape, "model", 30) == "deepseek-chat"
    assert value(tape, "model") == "deepseek-reasoner"


def test_the_second_compaction_means_other_messages_to_each_reader() -> None:
    one, other = held(TWICE), held(TWICE, "sequential")
    assert len(surface(one)) == len(surface(other))
    assert surface(one) != surface(other)
    assert {*codes(one)} == {
        "ambiguous-compaction",
        "overlapping-compactions",
        "range-beyond",
    }
