"""Every request of a tape: its context, its cache, and what broke its prefix."""

from itertools import pairwise
from pathlib import Path

import pytest

from inspector.export import ledger as ledgers
from inspector.formats.contract import Tape
from inspector.lenses.composition import composition
from inspector.lenses.ledger import ledger, texts_at_break, totals
from inspector.lenses.prefix import Break, Part
from inspector.lenses.pressure import Pressure, pressure
from inspector.lenses.waste import Cause, Miss
from inspector.text.labels import percent
from tests.dsh_tapes import Log, folded
from tests.lenses.ledgers import PROMPTS, READS, asked, six_requests, system


@pytest.fixture
def six(tmp_path: Path) -> Tape:
    return folded(six_requests(), tmp_path)


def broken(tape: Tape) -> list[Break | None]:
    """Where each request but the first stops to repeat the one before."""
    entries = ledger(tape, tape.timeline.events)
    return [entry.prefix.broken for entry in entries if entry.prefix is not None]


def test_of_six_requests_two_pay_again_for_what_was_cached(six: Tape) -> None:
    entries = ledger(six, six.timeline.events)
    assert [entry.request.usage.context for entry in entries] == list(PROMPTS)
    assert [entry.request.usage.cache_read for entry in entries] == list(READS)
    assert [entry.miss for entry in entries] == [
        None,
        None,
        None,
        Miss(14_100, 2_280.0, Cause.TTL),
        None,
        Miss(12_500, 12.0, Cause.REWRITE),
    ]
    sums = totals(entries)
    assert (sums.waste, sums.misses, sums.requests) == (26_600, 2, 6)
    assert sums.hit_rate == sum(READS) / sum(PROMPTS)


def test_they_say_so(six: Tape) -> None:
    lines = list(ledgers.text(six, ledgers.document(six, six.timeline.events)))
    assert lines[-1].endswith("26,600 wasted in 2 misses")
    assert [line.partition("MISS ")[2] for line in lines if "MISS" in line] == [
        "14,100: expired after 38 min",
        "12,500: rewritten after 12 s",
    ]


def test_a_rate_never_says_all_where_it_is_nearly_all() -> None:
    parts = [0, 0.0003, 0.003, 0.48, 0.99, 0.9968, 0.99996, 1]
    assert [percent(part) for part in parts] == [
        *("0 %", "under 0.1 %", "0.3 %", "48 %", "99 %", "99.7 %", "over 99.9 %", "100 %"),
    ]


def test_up_to_a_cursor_nothing_behind_it_counts(six: Tape) -> None:
    assert [len(ledger(six, cursor)) for cursor in range(six.timeline.events + 1)] == [
        *(0, 0, 0),
        *range(1, 7),
    ]


def test_a_system_prompt_with_a_clock_is_blamed_at_each_request(tmp_path: Path) -> None:
    log = Log()
    log.user("please")
    prompts = [f"You help. It is 14:05:{second:02}." for second in range(10, 50, 10)]
    events = []
    for at, prompt in enumerate(prompts):
        events.append(system(log, prompt))
        asked(log, 9_000 + 500 * at, 0)
    tape = folded(log, tmp_path)
    assert broken(tape) == [
        Break(Part.SYSTEM, None, now, len("You help. It is 14:05:"), was)
        for was, now in pairwise(events)
    ]
    entries = ledger(tape, tape.timeline.events)
    assert {entry.prefix.tokens for entry in entries if entry.prefix is not None} == {0}
    assert texts_at_break(tape, entries[1], entries[2]) == (prompts[1], prompts[2])


def test_a_cut_old_tool_result_is_blamed_at_its_message(tmp_path: Path) -> None:
    log = Log()
    log.user("please")
    asked(log, 5_000, text="I look")
    log.call()
    result = log.result(text="one two three")
    asked(log, 9_000, 5_000)
    log.user("and now?")
    cut = log.rewrite(result, "one two 3")
    asked(log, 9_500, 4_000)
    tape = folded(log, tmp_path)
    first, second = broken(tape)
    assert first is None
    assert second == Break(Part.MESSAGE, 2, cut, len("one two "), result)
    entries = ledger(tape, tape.timeline.events)
    assert entries[-1].miss == Miss(5_000, 10.02, Cause.REWRITE)
    assert texts_at_break(tape, *entries[1:]) == ("one two three", "one two 3")
    remark = ledgers.remark(tape, ledgers.document(tape, tape.timeline.events)["requests"][-1])
    assert f"message 3 is @{cut} now from character 8 on" in remark


def test_a_request_that_only_goes_on_is_not_broken(six: Tape) -> None:
    assert broken(six) == [None] * 5
    entries = ledger(six, six.timeline.events)
    assert texts_at_break(six, entries[0], entries[1]) == ("", "")


def test_another_model_is_named_as_the_likely_cause(tmp_path: Path) -> None:
    log = Log()
    log.user("please")
    for model, read in (("flash", 0), ("flash", 8_000), ("pro", 0), ("pro", 8_000)):
        log.event("request/context", {"provider": "p", "model": model})
        asked(log, 8_000, read)
    tape = folded(log, tmp_path)
    found = ledgers.document(tape, tape.timeline.events)["requests"]
    assert [request["other_model"] for request in found] == [False, False, True, False]
    assert ledgers.remark(tape, found[2]).startswith("MISS 8,000: another model than before after")


def test_behind_a_compaction_nothing_is_lost(tmp_path: Path) -> None:
    log = Log()
    first = log.user("please")
    last = asked(log, 8_000, 4_000)
    start, summary = log.compaction(), log.summary()
    log.checkpoint(first, last, [start, summary, first, last])
    log.compaction_end()
    asked(log, 8_000, 0)
    tape = folded(log, tmp_path)
    assert [entry.miss for entry in ledger(tape, tape.timeline.events)] == [None, None]
    assert broken(tape)[0] is not None


def test_what_a_request_is_made_of(tmp_path: Path) -> None:
    log = Log()
    system(log, "You help.")
    log.user("please")
    log.context("remember")
    asked(log, 5_000)
    log.call()
    log.result()
    tape = folded(log, tmp_path)
    shares = composition(tape, tape.timeline.events)
    assert {share.kind: share.rows for share in shares} == {
        "preamble": 1,
        "user": 1,
        "context": 1,
        "assistant": 1,
        "tool": 1,
    }
    assert shares[0].kind == "preamble"
    weights = [share.tokens for share in shares[1:]]
    assert weights == sorted(weights, reverse=True)
    assert sum(weights) == tape.timeline.tokens(tape.timeline.events)


def test_whether_the_owner_would_compact_is_told_where_rule_and_window_are_known(
    six: Tape, tmp_path: Path
) -> None:
    head = six.timeline.events
    assert pressure(six, 15_999, head) == Pressure(15_999, 20_000, 16_000)
    assert [pressure(six, sent, head).compacts for sent in (15_999, 16_000)] == [False, True]
    assert pressure(six, 15_999, 0) == Pressure(15_999, None, None)
    assert pressure(six, 15_999, 0).compacts is None
    found = ledgers.document(six, head)["requests"]
    assert [request["pressure"]["would_compact"] for request in found] == [
        *(False, False, False),
        *(True, True, True),
    ]
