"""Whether the owner would compact: its rule, the window, what is counted, and honest words."""

from pathlib import Path
from typing import Any

import pytest

from inspector.export import pressure as documents
from inspector.formats.compacting import CompactionRule
from inspector.formats.contract import Tape
from inspector.lenses.pressure import pressure, pressure_at
from inspector.lenses.prices import parse
from tests.formats.claude import transcripts as claude
from tests.formats.codex import tapes as codex
from tests.formats.zero import sessions as zero
from tests.lenses.tapes import TAPES, opened

WINDOWS = parse(b'[models."*"]\nwindow = 200000\n')
SENT = {"input_tokens": 150_000, "cached_input_tokens": 100_000, "output_tokens": 20_000}


def in_words(tape: Tape, cursor: int | None = None, **more: Any) -> list[str]:
    at = tape.timeline.events if cursor is None else cursor
    found = documents.document(tape, at, **more)
    return [documents.words(found), *documents.rule_words(tape, found)]


@pytest.mark.parametrize(
    ("rule", "window", "reserve", "threshold"),
    [
        (CompactionRule("", "", percent=80), 131_072, 0, 104_857),
        (CompactionRule("", "", percent=90, recorded=95), 258_400, 0, 244_800),
        (CompactionRule("", "", spare=33_000), 200_000, 0, 167_000),
        (CompactionRule("", "", percent=80, margin=120), 128_000, 8_000, 80_000),
        (CompactionRule("", "", spare=33_000), 33_000, 0, None),
        (CompactionRule("", "", percent=80, margin=120), 5, 8_000, None),
    ],
)
def test_a_rule_makes_a_threshold_of_a_window(
    rule: CompactionRule, window: int, reserve: int, threshold: int | None
) -> None:
    assert rule.threshold(window, reserve) == threshold


def test_a_window_that_a_person_tells_is_whole() -> None:
    rule = CompactionRule("", "", percent=90, recorded=95)
    assert rule.threshold(272_000, on_tape=False) == rule.threshold(258_400) == 244_800


def test_codex_counts_what_came_back_too_and_tells_its_window(tmp_path: Path) -> None:
    info = {"last_token_usage": SENT, "model_context_window": 190_000}
    tape = codex.folded(
        tmp_path, codex.user("q"), codex.event("token_count", info=info, rate_limits=None)
    )
    found = pressure_at(tape, 2)
    assert (found.tokens, found.window, found.threshold) == (170_000, 190_000, 180_000)
    assert found.compacts is False
    assert pressure_at(tape, 1).threshold is None
    assert in_words(tape)[:1] == [
        "170,000 of 190,000 tokens (89 %): the owner would not compact now, only from 180,000 on"
    ]
    assert "90 % of the model's window, of which the tape tells 95 %" in in_words(tape)[1]
    tape.close()


def test_zero_tells_no_window_and_a_price_file_may(tmp_path: Path) -> None:
    tape = zero.session(zero.log(zero.user()), tmp_path)
    assert in_words(tape)[0].endswith(
        "tokens of a window that is not recorded: no telling whether the owner would compact now"
    )
    assert in_words(tape)[1].startswith(
        "threshold: not recorded; the owner's default is 80 % of the window "
    )
    found = pressure(tape, 160_000, 1, WINDOWS)
    assert (found.window, found.on_tape, found.threshold) == (200_000, False, 160_000)
    assert found.compacts is False
    assert pressure(tape, 160_001, 1, WINDOWS).compacts is True
    told = documents.document_of(found)
    assert (told["window_from"], told["beyond"]) == ("price file", True)
    assert documents.words(told).endswith("only above 160,000")
    tape.close()


def test_claude_tells_at_how_many_tokens_it_compacted_by_itself(tmp_path: Path) -> None:
    def compacted(word: str, tokens: Any) -> list[dict[str, Any]]:
        boundary = claude.boundary(f"b{word}", trigger=word)
        boundary["compactMetadata"]["preTokens"] = tokens
        return [boundary, claude.summary(f"t{word}", f"b{word}")]

    records = [claude.user("u", None), *compacted("auto", 167_123), *compacted("manual", 9)]
    tape = claude.folded(tmp_path, records)
    assert [tape.compacted_at(event) for event in range(5)] == [None, 167_123, 167_123, None, None]
    found = documents.document(tape, 5, WINDOWS)
    assert found["compacted_at"] == {"event": 2, "tokens": 167_123}
    assert (found["threshold"], found["window_from"]) == (167_000, "price file")
    assert in_words(tape)[2] == (
        "recorded: it compacted by itself at 167,123 tokens, the last time as #2"
    )
    tape.close()


@pytest.mark.parametrize("tokens", [None, -1, "9", 0, 1.5, True])
def test_figures_that_are_none_are_not_told(tokens: Any, tmp_path: Path) -> None:
    boundary = claude.boundary("b", trigger="auto")
    boundary["compactMetadata"]["preTokens"] = tokens
    tape = claude.folded(tmp_path, [claude.user("u", None), boundary, claude.summary("t", "b")])
    assert tape.compacted_at(2) is None
    tape.close()


@pytest.mark.parametrize(("name", "session"), TAPES)
def test_every_owner_says_its_rule_and_no_tape_a_threshold(name: str, session: str | None) -> None:
    with opened(name, session) as tape:
        for cursor in range(0, tape.timeline.events + 1, 7):
            found = documents.document(tape, cursor)
            assert found["rule"]
            assert found["source"]
            assert (found["threshold"] is None) == (found["window"] is None)
            assert in_words(tape, cursor)[1].startswith("threshold: not recorded; ")
