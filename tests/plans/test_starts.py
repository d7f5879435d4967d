"""The start of a text has no secret in it, wherever the start ends."""

import pytest

from inspector.export.plan_compaction import hidden_line
from inspector.formats.contract import Headline
from inspector.formats.parts import Said
from inspector.plans.changes import not_undone
from inspector.plans.starts import line_of, line_of_event, start_of, without_cut
from inspector.timeline.words import SpanKind
from tests.plans.planners import Planned

KEY = "ghp_0123456789abcdefghijABCDEFGHIJ012345"
URL = "https://someone:hunter2xyzzy@host.example/a"


@pytest.mark.parametrize(("secret", "piece"), [(KEY, "ghp_"), (URL, "hunt"), (KEY, "0123")])
@pytest.mark.parametrize("around", ["{} {}", '{{"a": "{}\\n{}"}}', "{}\n{} and\nmore", "({}={})"])
def test_a_secret_across_the_end_is_masked(secret: str, piece: str, around: str) -> None:
    text = around.format("word", secret)
    for length in range(len(text) + 1):
        shown = start_of(text, length)
        assert piece not in shown
        assert shown.startswith(text[: min(length, 4)])


def test_a_line_of_pieces_is_masked_at_the_end_of_each() -> None:
    whole = f"bash\nuse {KEY}\nthen {KEY} and more"
    shown = without_cut(f"bash use {KEY[:12]} · then {KEY[:9]}… and\\n{KEY[:8]}", whole)
    assert shown == "bash use [REDACTED] · then [REDACTED]… and\\n[REDACTED]"


def test_a_text_without_secrets_stays() -> None:
    text = "write ghp_ and the name of the thing " * 20
    for length in (0, 3, 100, 700, 10_000):
        assert start_of(text, length) == text[:length]
    assert without_cut("short ghp_", f"short {text}") == "short ghp_"


def test_what_is_told_already_stays_beside_a_secret() -> None:
    assert without_cut("look at the token", f"look at the token {KEY}") == "look at the token"


def test_a_tape_made_by_hand_tells_rows_in_the_same_way() -> None:
    tape = Planned()
    tape.human(f"use {KEY} please")
    (node,) = tape.rows
    assert line_of(tape.tape, node) == "use [REDACTED] please"


def test_a_mask_brings_no_cut_secret_into_what_is_shown() -> None:
    class Short(Planned):
        def node_headline(self, node: int) -> Headline:
            return Headline("event", None, super().node_headline(node).text[:400])

    tape = Short()
    tape.human(f"{f'{KEY} ' * 9}{'x' * 20} {KEY} please")
    tape.human("word " * 100)
    first, second = tape.rows
    assert "ghp_" in tape.node_headline(first).text[390:]
    assert line_of(tape.tape, first, 120) == f"{'[REDACTED] ' * 9}{'x' * 20} [REDACTED]"
    assert hidden_line(tape.tape, first).count("ghp_") == 0
    assert line_of(tape.tape, second, 120) == ("word " * 100)[:240]


def test_an_event_that_starts_a_subagent_is_told_without_a_cut_secret() -> None:
    class Short(Planned):
        def headline(self, event: int) -> Headline:
            return Headline("subagent", None, f"{'look' if not event else ''} {KEY[:9]}")

    tape = Short()
    tape.opens(SpanKind.SUBAGENT, "child", Said(f"look {KEY}"))
    assert line_of_event(tape.tape, 0) == "look [REDACTED]"
    assert [one.what for one in not_undone(tape.tape, tape.owner, 0, ())] == ["look [REDACTED]"]
