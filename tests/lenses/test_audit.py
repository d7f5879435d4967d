"""A summary beside what it hides: the literals that are missing, and what else is told of it."""

from collections import Counter
from pathlib import Path

import pytest

from inspector.formats.contract import Tape
from inspector.lenses.audit import Audit, Auditor, audit, in_order, summary_at
from inspector.lenses.literals import LiteralClass
from inspector.lenses.retelling import Launch
from inspector.lenses.summaries import summaries, summarised_within
from inspector.lenses.texts import said, said_of_node
from inspector.timeline.words import Role
from tests.dsh_tapes import Log, folded, text_block
from tests.formats.codex import tapes as codex
from tests.lenses.tapes import TAPES, opened

CLAUDE = next(name for name, _ in TAPES if name.startswith("claude"))
CODEX = next(name for name, _ in TAPES if name.startswith("codex"))


def audited(tape: Tape, event: int) -> Audit:
    return audit(
        tape.timeline,
        event,
        lambda origin: said(tape, origin),
        lambda node: said_of_node(tape, node),
    )


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
        assert missing(found) == {"20": 8, "ovens.py": 8, "/work/bakery": 1}
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
def test_the_originals_of_all_summaries_are_read_about_once(name: str, session: str | None) -> None:
    with opened(name, session) as tape:
        timeline = tape.timeline
        reads: Counter[int] = Counter()

        def text_of(event: int) -> str:
            reads[event] += 1
            return said(tape, event)

        auditor = Auditor(timeline, text_of, lambda node: said_of_node(tape, node))
        found = [auditor.audit(event) for event in summaries(timeline, timeline.events)]
        hidden: Counter[int] = Counter()
        for one in found:
            hidden.update(original.event for original in one.originals)
        launch = {one.launch[0] for one in found if one.launch is not None}
        assert all(reads[event] <= hidden[event] + (event in launch) for event in reads)


def chained(tmp_path: Path, rounds: int) -> Tape:
    """A log that is compacted again and again, each summary hiding the one before."""
    log = Log()
    first = log.user("look at a/b/c-0.py")
    for at in range(rounds):
        last = log.user(f"look at a/b/c-{at + 1}.py")
        start, told = log.compaction(), log.summary()
        first = log.checkpoint(first, last, [start, told, first, last], "nothing")
        log.compaction_end()
    return folded(log, tmp_path)


def test_the_texts_that_are_read_grow_with_the_log_and_not_with_its_square(tmp_path: Path) -> None:
    tape = chained(tmp_path, 60)
    timeline = tape.timeline
    read: list[int] = []

    def text_of(event: int) -> str:
        read.append(event)
        return said(tape, event)

    auditor = Auditor(timeline, text_of, lambda node: said_of_node(tape, node))
    events = summaries(timeline, timeline.events)
    assert len(events) == 60
    for event in events:
        auditor.audit(event)
    assert len(read) <= timeline.events
    read.clear()
    last = audit(timeline, events[-1], text_of, lambda node: said_of_node(tape, node))
    assert len(read) <= 40
    assert last.earlier_from == events[-14]
    assert auditor.audit(events[-1]).earlier == last.earlier


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


def test_each_literal_counts_once_told_or_missing(tmp_path: Path) -> None:
    tape = compacted(
        tmp_path, "see a/b/c.py", "a/b/c.py and d/e/f.py", "a/b/c.py d/e/f.py", "a/b/c.py"
    )
    found = audited(tape, 9)
    assert (found.kept, len(list(found.missing))) == (1, 1)


def test_injected_context_is_counted_and_looked_through() -> None:
    with opened("demo.jsonl") as tape:
        found = audited(tape, 189)
        assert found.rows == (42, 2)
        assert [one.event for one in found.originals if one.is_context] == [6, 7]
        assert missing(found)["ruff check"] == 7


def test_what_its_own_originals_say_was_not_lost_before() -> None:
    with opened("demo.jsonl") as tape:
        found = audited(tape, 346)
        own = set(missing(found))
        assert {"tests/auth/test_login.py", "signpost/auth/session.py"} <= own
        assert own.isdisjoint(lost.literal.text for lost in found.earlier)


def test_the_error_at_the_end_of_a_long_output_is_found_and_the_rest_is_told(
    tmp_path: Path,
) -> None:
    output = "row of words\n" * 30_000 + "TypeError: last line"
    found = audited(compacted(tmp_path, "nothing", "go on", output), 6)
    assert missing(found) == {"TypeError: last line": 3}
    assert [one.event for one in found.originals if not one.whole] == [3]


def test_the_launching_message_stands_first_and_those_that_miss_something_before_the_others(
    tmp_path: Path,
) -> None:
    tape = compacted(tmp_path, "nothing", "hello", "fine", "ValueError: bad port", "see")
    assert [one.event for one in in_order(audited(tape, 12))][:2] == [0, 6]


def test_the_line_numbers_of_a_listing_are_no_figures_that_were_spoken_of(tmp_path: Path) -> None:
    tape = compacted(tmp_path, "nothing", "it failed 17 times", "  16 import x\n  17 import y")
    found = audited(tape, 6)
    assert [len(one.missing) for one in found.originals] == [1, 0, 0]


def test_what_the_owner_keeps_word_for_word_beside_the_summary_is_told(tmp_path: Path) -> None:
    kept = codex.message("user", "look at a/b/c.py")
    summary = codex.message("user", codex.PREFIX + "the sum")
    tape = codex.folded(
        tmp_path,
        codex.user("look at a/b/c.py"),
        codex.answer("d/e/f.py is broken"),
        codex.compacted(kept, summary),
    )
    assert missing(audited(tape, 2)) == {"d/e/f.py": 1}
    tape.close()


def test_of_an_encrypted_summary_nothing_can_be_read(tmp_path: Path) -> None:
    sealed = {"type": "compaction", "encrypted_content": "gAAAA"}
    tape = codex.folded(
        tmp_path, codex.user("q1"), codex.answer("see d/e/f.py"), codex.compacted(sealed)
    )
    found = audited(tape, 2)
    assert (found.is_opaque, found.text, missing(found)) == (True, "", {"d/e/f.py": 1})
    tape.close()


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


def test_only_what_a_summary_says_counts_as_told() -> None:
    with opened("zero/lantern") as tape:
        told = said(tape, 30)
    assert told.startswith("The pier's dusk was an hour late")
    assert not set("0123456789") & set(told)
