"""The sample sessions are what the generator makes, and show what the list promises."""

from pathlib import Path
from typing import Final

import pytest

from inspector.formats.pi.vocabulary import KNOWN, USAGE
from inspector.timeline.words import Form, SpanKind
from sample_tapes.pi import pi
from tests.folding import opened

SAMPLES: Final = Path(__file__).resolve().parents[3] / "sample_tapes"
OLD, HARBOUR, FORK = sorted(SAMPLES.glob("pi/*.jsonl"))


@pytest.mark.parametrize("name", pi())
def test_a_file_is_what_the_generator_makes(name: str) -> None:
    assert (SAMPLES / name).read_bytes() == pi()[name]


def test_every_type_is_there_but_bare_usage() -> None:
    with opened(HARBOUR) as tape:
        types = {tape.timeline.table.type(at) for at in range(tape.timeline.events)}
        assert types == KNOWN - {USAGE}
        assert list(tape.findings()) == []


def test_a_result_says_less_and_calls_end_in_different_ways() -> None:
    with opened(HARBOUR) as tape:
        nodes = tape.timeline.surface.nodes
        forms = [nodes.form(row.node) for row in tape.timeline.rows(tape.timeline.events)]
        assert forms.count(Form.REBUILT) == 1
        calls = tape.timeline.spans[SpanKind.TOOL_CALL]
        outcomes = [calls[at].outcome.label for at in range(len(calls))]
        assert outcomes == ["ok", "failed", "ok", "ok"]


def test_the_fork_has_entries_of_the_other() -> None:
    with opened(FORK) as tape:
        assert tape.identity.inherited == 6


def test_the_old_one_would_be_rewritten() -> None:
    with opened(OLD) as tape:
        assert "version 1 becomes version 3" in (tape.verdict().reason or "")
        assert tape.timeline.count(tape.timeline.events) == 4
