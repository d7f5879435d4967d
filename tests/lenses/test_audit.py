"""A summary beside what it hides: the literals that are missing, and what else is told of it."""

from collections import Counter
from pathlib import Path

import pytest

from inspector.formats.contract import Tape
from inspector.lenses.audit import Audit, audit, hidden_by, summary_at
from inspector.lenses.literals import LiteralClass
from inspector.lenses.retelling import Launch
from inspector.lenses.summaries import summaries, summarised_within
from inspector.lenses.texts import said
from inspector.timeline.words import Role
from tests.dsh_tapes import Log, folded, text_block
from tests.formats.codex import tapes as codex
from tests.lenses.tapes import TAPES, opened

CLAUDE = next(name for name, _ in TAPES if name.startswith("claude"))
CODEX = next(name for name, _ in TAPES if name.startswith("codex"))


def audited(tape: Tape, event: int) -> Audit:
    return audit(tape.timeline, event, lambda origin: said(tape, origin))


def missing(found: Audit) -> dict[str, int]:
    """Each missing literal and the original that has it."""
    return {literal.text: event for event, literal in found.missing}


def compacted(tmp_path: Path, summary: str, *texts: str) -> Tape:
    """A log whose messages are a person's first, then results of tools, hidden by a summary."""
    log = Log()
    events = [log.user(texts[0])]
    for at, text in enumerate(texts[1:]):
        log.assistant(text_block("look"))
        log.call(f"c{at}")
        events.append(log.result(f"c{at}", text))
    start, told = log.compaction(), log.summary()
    log.checkpoint(events[0], events[-1], [start, told, *range(events[0], start)], summary)
    log.compaction_end()
    return folded(log, tmp_path)


# The sample tapes.


def test_the_demo_lost_the_rules_of_the_person_and_the_error_of_the_upload() -> None:
    with opened("demo.jsonl") as tape:
        found = audited(tape, 189)
        lost = missing(found)
        assert (lost["vendor/"], lost["flaky"]) == (8, 8)
        assert lost["ci/logs/run-4181.log"] == 125
        errors = [one.text for _, one in found.missing if one.kind is LiteralClass.ERROR]
        assert any("[Errno 104] Connection reset by peer" in error for error in errors)
        assert found.launch == (8, Launch.ABSENT)
        assert not found.is_degraded


def test_the_second_summary_of_the_demo_has_the_rules_and_misses_what_the_first_lost() -> None:
    with opened("demo.jsonl") as tape:
        found = audited(tape, 346)
        assert "vendor/" not in missing(found)
        assert "vendor/" not in {lost.literal.text for lost in found.earlier}
        earlier = {lost.literal.text: (lost.event, lost.summary) for lost in found.earlier}
        assert earlier["ci/logs/run-4181.log"] == (125, 189)
        assert {lost.generation for lost in found.earlier} == {1}
        assert found.launch == (8, Launch.PARAPHRASED)


def test_a_compacted_claude_tape_lost_a_file_and_a_figure() -> None:
    with opened(CLAUDE) as tape:
        found = audited(tape, 20)
        assert missing(found) == {"motor.csv": 5, "15": 9}
        assert found.launch == (2, Launch.PARAPHRASED)


def test_a_compacted_codex_tape_lost_a_file_and_keeps_the_first_message() -> None:
    with opened(CODEX) as tape:
        found = audited(tape, 36)
        assert missing(found) == {"20": 8, "ovens.py": 12}
        assert found.launch == (4, Launch.VERBATIM)


@pytest.mark.parametrize(("name", "session"), TAPES)
def test_every_missing_literal_stands_in_its_original_and_not_in_the_summary(
    name: str, session: str | None
) -> None:
    with opened(name, session) as tape:
        for event in summaries(tape.timeline, tape.timeline.events):
            found = audited(tape, event)
            for original in found.originals:
                text = said(tape, original.event)
                for literal in original.missing:
                    assert literal.text in text[literal.at : literal.at + 400]
                    assert literal.text.casefold() not in found.text.casefold().split()


@pytest.mark.parametrize(("name", "session"), TAPES)
def test_every_text_is_read_a_few_times_at_the_most(name: str, session: str | None) -> None:
    with opened(name, session) as tape:
        timeline = tape.timeline
        for event in summaries(timeline, timeline.events):
            reads: Counter[int] = Counter()

            def text_of(origin: int, reads: Counter[int] = reads) -> str:
                reads[origin] += 1
                return said(tape, origin)

            found = audit(timeline, event, text_of)
            known = {timeline.surface.nodes.origin(node) for node in hidden_by(timeline, event)}
            known |= {event, *(lost.event for lost in found.earlier)}
            assert reads[event] == 1
            assert max(reads.values()) <= 3
            if not found.earlier:
                first = [] if found.launch is None else [found.launch[0]]
                assert reads.keys() <= known | set(first) | set(summaries(timeline, event))


# What is missing.


def test_what_a_tool_printed_counts_if_it_is_an_error_or_was_spoken_of(tmp_path: Path) -> None:
    tape = compacted(
        tmp_path,
        "We looked at it.",
        "Why does conf/site.toml fail?",
        "conf/site.toml conf/other.toml\nValueError: bad port",
    )
    lost = missing(audited(tape, 6))
    assert set(lost) == {"conf/site.toml", "ValueError: bad port"}
    assert lost["conf/site.toml"] == 0


def test_what_is_told_is_kept_and_counted(tmp_path: Path) -> None:
    tape = compacted(tmp_path, "site.toml, port 8080.", "Set conf/site.toml to port 8080 please")
    found = audited(tape, 3)
    assert (missing(found), found.kept) == ({}, 2)


def test_a_literal_that_many_have_is_missing_once(tmp_path: Path) -> None:
    tape = compacted(tmp_path, "nothing", "see a/b/c.py", "a/b/c.py", "a/b/c.py")
    found = audited(tape, 9)
    assert [(event, literal.text) for event, literal in found.missing] == [(0, "a/b/c.py")]
    assert [len(original.missing) for original in found.originals if original.missing] == [1] * 3


def test_who_speaks_is_told_of_every_original(tmp_path: Path) -> None:
    found = audited(compacted(tmp_path, "nothing", "hello", "ok"), 6)
    assert [original.role for original in found.originals] == [
        Role.USER,
        Role.ASSISTANT,
        Role.TOOL,
    ]


def test_a_summary_put_together_of_its_originals_is_degraded(tmp_path: Path) -> None:
    text = "The login tests are flaky on the build machine."
    tape = compacted(tmp_path, f"user: {text}", text)
    assert audited(tape, 3).is_degraded
    assert not audited(compacted(tmp_path, "They are flaky.", text), 3).is_degraded


# Which compaction.


def test_every_event_of_a_compaction_leads_to_its_summary(tmp_path: Path) -> None:
    tape = compacted(tmp_path, "short", "hello")
    assert [summary_at(tape.timeline, event) for event in range(5)] == [None, 3, 3, 3, 3]


def test_a_log_without_a_compaction_has_no_summary(tmp_path: Path) -> None:
    log = Log()
    log.user()
    tape = folded(log, tmp_path)
    assert summaries(tape.timeline, 1) == []
    assert summary_at(tape.timeline, 0) is None
    assert not summarised_within(tape.timeline, 0, 1)


def test_a_compaction_that_brings_no_bracket_is_its_own_event(tmp_path: Path) -> None:
    kept = codex.message("user", codex.PREFIX + "the sum")
    tape = codex.folded(tmp_path, codex.user("q1"), codex.answer("a1"), codex.compacted(kept))
    assert summaries(tape.timeline, 3) == [2]
    assert summary_at(tape.timeline, 2) == 2
    assert summarised_within(tape.timeline, 2, 3)
    assert not summarised_within(tape.timeline, 0, 2)
    tape.close()
