"""The sample database is what its generator makes, and shows what the list of samples promises."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from inspector.formats.contract import Tape
from inspector.formats.opening import session_entries
from inspector.timeline.words import SpanKind
from sample_tapes.deepchat import deepchat
from tests.formats.deepchat.databases import codes, fold, spans, surface, visibilities

SAMPLE = Path(__file__).resolve().parents[3] / "sample_tapes" / "deepchat.db"


@pytest.fixture
def tape() -> Tape:
    tape = fold(SAMPLE, "sample-orchard")
    tape.close()
    return tape


def test_it_holds_the_rows_that_the_generator_makes() -> None:
    # The bytes differ with the version of SQLite.
    read_only = sqlite3.connect(f"file:{SAMPLE}?immutable=1", uri=True)
    with closing(sqlite3.connect(":memory:")) as made, closing(read_only) as there:
        made.deserialize(deepchat())
        assert list(there.iterdump()) == list(made.iterdump())


def test_it_holds_a_tape_a_fork_a_subagent_and_a_chat_without_a_tape() -> None:
    assert [(entry.id, entry.parent) for entry in session_entries(SAMPLE)] == [
        ("sample-orchard", None),
        ("sample-frost", "sample-orchard"),
        ("sample-old-chat", None),
        ("sample-orchard::fork::weekly", "sample-orchard"),
    ]


def test_a_bit_of_everything_is_on_the_tape(tape: Tape) -> None:
    assert surface(tape, 31) == [23, 20, 21, 26, 30]
    assert {"shadowed", "superseded", "retracted", "log-only"} <= set(visibilities(tape))
    assert codes(tape) == ["unknown-kind", "unfinished-run"]
    assert [span[2] for span in spans(tape, SpanKind.RUN)] == ["ok", "running"]
    assert [span[2] for span in spans(tape, SpanKind.RETRY)] == ["ok"]
    assert spans(tape, SpanKind.COMPACTION) == [(23, 25, "ok", None)]
    assert [kin.relation for kin in tape.timeline.kin] == ["subagent"]


def test_the_manifest_is_what_its_hash_says() -> None:
    tape = fold(SAMPLE, "sample-orchard")
    assert [s.text for s in tape.sections(3) if s.heading == "hash"] == [
        "valid: the manifest is what its hash says"
    ]
    tape.close()


def test_the_fork_goes_another_way() -> None:
    tape = fold(SAMPLE, "sample-orchard::fork::weekly")
    assert tape.identity.inherited == 13
    assert [tape.headline(at).text[:14] for at in surface(tape, 17)[2:]] == [
        "Make it a plan",
        "Week 1: sharpe",
    ]
    tape.close()
