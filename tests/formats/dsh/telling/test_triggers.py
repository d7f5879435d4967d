"""What made DeepSeek Harness compact, as far as the bracket tells (format page 7.1)."""

from pathlib import Path

from inspector.formats.contract import EVIDENCE
from inspector.formats.dsh.telling.triggers import RULE
from tests.dsh_tapes import Log, folded


def compacted(log: Log, first: int, turn: int | None) -> int:
    """A compaction of one message; returns the seq of its checkpoint."""
    start, summary = log.compaction(turn=turn), log.summary()
    found = log.checkpoint(first, first, [start, summary, first])
    log.compaction_end()
    return found


def test_outside_of_a_turn_a_person_asked_for_it(tmp_path: Path) -> None:
    log = Log()
    checkpoint = compacted(log, log.user(), None)
    assert folded(log, tmp_path).trigger(checkpoint) == "manual"


def test_inside_a_turn_nothing_says_whether_it_was_the_pressure(tmp_path: Path) -> None:
    log = Log()
    log.turn()
    first = log.user()
    log.step()
    checkpoint = compacted(log, first, 1)
    assert folded(log, tmp_path).trigger(checkpoint) is None


def test_of_a_bracket_that_says_no_turn_at_all_nothing_is_known(tmp_path: Path) -> None:
    log = Log()
    first = log.user()
    log.event("compaction/start", {"compactionId": "cmp"})
    checkpoint = log.checkpoint(first, first, [first])
    assert folded(log, tmp_path).trigger(checkpoint) is None


def test_only_what_stands_in_a_bracket_has_one(tmp_path: Path) -> None:
    log = Log()
    first = log.user()
    compacted(log, first, None)
    later = log.user("more")
    tape = folded(log, tmp_path)
    assert (tape.trigger(first), tape.trigger(later)) == (None, None)


def test_what_the_model_saw_rests_on_recorded_operations(tmp_path: Path) -> None:
    tape = folded(Log(), tmp_path)
    assert (tape.evidence, tape.compaction_rule) == (EVIDENCE[1], RULE)
    assert RULE.threshold(131_072) == 104_857
