from pathlib import Path
from typing import Any

import pytest

from inspector.timeline.words import Mark
from tests.dsh_tapes import (
    Found,
    Json,
    Log,
    codes,
    findings,
    folded,
    line,
    opened,
    replace,
    surface,
    visibility,
)

STOPS = "the fold stops before it; later events are not applied"
PASSED = "folded past it as asked; replay beyond is not reliable"


def with_unknown(**envelope: Any) -> Log:
    """0 turn, 1 user, 2 unknown, 3 user, 4 in the place of 1, 5 end."""
    log = Log()
    log.turn()
    log.user("before")
    log.event("plugin/note", {"text": "x"}, **envelope)
    log.user("after")
    log.checkpoint(1, 1, [1])
    log.turn_end()
    return log


def test_a_required_unknown_event_stops_the_fold(tmp_path: Path) -> None:
    log = with_unknown()
    tape = folded(log, tmp_path)
    timeline = tape.timeline
    byte = tape.place(3).byte
    message = "seq 2 plugin/note is unknown and not marked ignorable"
    assert findings(tape) == [Found("unknown-required", 4, byte, 2, message)]
    (finding,) = timeline.findings
    assert finding.kind.effect == STOPS
    assert (timeline.stopped_at, timeline.reliable_to, timeline.events) == (2, 2, 6)
    assert surface(tape, 2) == surface(tape, 3) == surface(tape, 6) == [1]
    assert [visibility(tape, event) for event in range(6)] == [
        ("log-only", None),
        ("visible", None),
        *[("not-applied", None)] * 4,
    ]
    assert list(timeline.rejected) == []
    assert list(timeline.marks.events(Mark.DAMAGE)) == [2]
    assert (timeline.generation(6), timeline.replacements.tolist()) == (0, [])


def test_the_rows_behind_it_are_there_and_not_yet_before_their_cursor(tmp_path: Path) -> None:
    tape = folded(with_unknown(), tmp_path)
    assert [tape.number(event) for event in range(6)] == list(range(6))
    assert [tape.timeline.table.type(event) for event in (2, 3, 5)] == [
        "plugin/note",
        "user/message",
        "turn/end",
    ]
    assert tape.payload(3)["data"]["content"] == [{"type": "text", "text": "after"}]
    assert visibility(tape, 3, 3) == ("not-yet", None)
    assert visibility(tape, 3, 4) == ("not-applied", None)


def test_nothing_behind_it_is_told_of_registers_spans_and_usage(tmp_path: Path) -> None:
    log = with_unknown()
    log.event("session/title", {"title": "later"})
    log.turn(2)
    log.assistant(usage={"inputTokens": 1})
    timeline = folded(log, tmp_path).timeline
    assert not any(setting.since for setting in timeline.registers.state(timeline.events).values())
    assert [len(spans) for spans in timeline.spans.values() if len(spans)] == [1]
    assert len(timeline.usage) == 0


def test_what_the_owner_says_of_it(tmp_path: Path) -> None:
    verdict = folded(with_unknown(), tmp_path).verdict()
    assert (verdict.opens, verdict.event) == (False, 2)
    assert verdict.reason == (
        'contains event type "plugin/note" (seq 2) unknown to this harness and not marked '
        "ignorable - likely written by a newer harness or a missing plugin"
    )


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"ignorable": False},
        {"ignorable": None},
        {"ignorable": 1},
        {"ignorable": "true"},
        {"ignorable": [True]},
        {"ignorable": {}},
    ],
)
def test_only_the_json_true_makes_it_ignorable(more: Json, tmp_path: Path) -> None:
    tape = folded(with_unknown(**more), tmp_path)
    assert codes(tape) == ["unknown-required"]
    assert tape.timeline.stopped_at == 2


@pytest.mark.parametrize("kind", ["plugin/note", "", "Turn/Start", "turn/start ", "x" * 10_000])
def test_any_type_that_is_not_in_the_list_is_unknown(kind: str, tmp_path: Path) -> None:
    log = Log()
    log.event(kind, {})
    tape = folded(log, tmp_path)
    assert codes(tape) == ["unknown-required"]
    assert tape.timeline.table.type(0) == kind


@pytest.mark.parametrize("more", [{"more": 1}, {"time": None}, {"surfaceOp": "append"}])
def test_a_required_unknown_event_stops_the_fold_whatever_its_envelope(
    more: Json, tmp_path: Path
) -> None:
    tape = folded(with_unknown(**more), tmp_path)
    assert codes(tape) == ["unknown-required"]
    assert tape.timeline.stopped_at == 2


def test_an_ignorable_unknown_event_is_skipped_and_said(tmp_path: Path) -> None:
    tape = folded(with_unknown(ignorable=True), tmp_path)
    timeline = tape.timeline
    byte = tape.place(3).byte
    message = "seq 2 plugin/note is unknown and may be ignored"
    assert findings(tape) == [Found("unknown-ignorable", 4, byte, 2, message)]
    assert (timeline.stopped_at, timeline.reliable_to) == (None, 6)
    assert surface(tape) == [4, 3]
    assert visibility(tape, 2) == ("log-only", None)
    assert list(timeline.marks.events(Mark.DAMAGE)) == []
    assert tape.verdict().opens is True


@pytest.mark.parametrize("data", [None, True, 7, "text", [], {"surfaceOp": "append"}])
def test_an_ignorable_unknown_event_may_hold_anything(data: object, tmp_path: Path) -> None:
    log = Log()
    log.event("plugin/note", data, ignorable=True)
    log.event("", data, ignorable=True)
    assert codes(folded(log, tmp_path)) == ["unknown-ignorable"] * 2


def test_an_ignorable_unknown_event_needs_a_good_envelope(tmp_path: Path) -> None:
    log = Log()
    log.event("plugin/note", {}, ignorable=True, more=1)
    log.raw(line({"type": "plugin/note", "seq": 1, "time": 1, "ignorable": True}))
    tape = folded(log, tmp_path)
    assert codes(tape) == ["bad-envelope", "bad-envelope"]
    assert list(tape.timeline.rejected) == [0, 1]


def test_an_ignorable_unknown_event_cannot_stand_on_the_surface(tmp_path: Path) -> None:
    tape = folded(with_unknown(ignorable=True, surfaceOp=replace(1, 1)), tmp_path)
    assert codes(tape) == ["bad-surface-op"]
    assert surface(tape) == [4, 3]


def test_behind_it_damage_is_still_found_and_numbers_still_counted(tmp_path: Path) -> None:
    log = Log()
    log.event("plugin/note", {})
    log.raw(b"garbage")
    log.user("five", seq=5)
    log.user("five again", seq=5)
    log.seq = 6
    log.user("six", more=1)
    tape = folded(log, tmp_path)
    assert codes(tape) == ["unknown-required", "not-json", "sequence-gap", "sequence-repeat"]
    assert [tape.number(event) for event in range(4)] == [0, 5, 5, 6]
    assert [visibility(tape, event) for event in range(4)] == [("not-applied", None)] * 4


def test_a_second_one_behind_it_is_not_told_again(tmp_path: Path) -> None:
    log = with_unknown()
    log.event("plugin/other", {})
    tape = folded(log, tmp_path)
    assert codes(tape) == ["unknown-required"]
    assert tape.timeline.stopped_at == 2


def test_packed_rows_behind_it_are_events_not_applied(tmp_path: Path) -> None:
    log = Log()
    log.event("plugin/note", {})
    log.packed("a", "b")
    tape = folded(log, tmp_path)
    assert tape.timeline.events == 3
    assert [visibility(tape, event) for event in (1, 2)] == [("not-applied", None)] * 2


# Folding on past it.


def test_folded_past_it_everything_behind_is_applied_and_not_reliable(tmp_path: Path) -> None:
    tape = folded(with_unknown(), tmp_path, past_unknown=True)
    timeline = tape.timeline
    assert [(found.code, found.event) for found in findings(tape)] == [("unknown-required", 2)]
    (finding,) = timeline.findings
    assert finding.kind.effect == PASSED
    assert (timeline.stopped_at, timeline.reliable_to) == (None, 2)
    assert surface(tape) == [4, 3]
    assert [visibility(tape, event)[0] for event in range(6)] == [
        "log-only",
        "shadowed",
        "log-only",
        "visible",
        "visible",
        "log-only",
    ]
    assert timeline.generation(6) == 1


def test_folded_past_it_the_owner_still_refuses(tmp_path: Path) -> None:
    refused = folded(with_unknown(), tmp_path).verdict()
    assert folded(with_unknown(), tmp_path, past_unknown=True).verdict() == refused


def test_folded_past_the_first_every_other_one_is_told(tmp_path: Path) -> None:
    log = with_unknown()
    log.event("plugin/other", {}, ignorable=False)
    log.event("plugin/note", {})
    tape = folded(log, tmp_path, past_unknown=True)
    assert [(found.code, found.event) for found in findings(tape)] == [
        ("unknown-required", 2),
        ("unknown-required", 6),
        ("unknown-required", 7),
    ]
    assert (tape.timeline.reliable_to, tape.verdict().event) == (2, 2)


def test_a_tape_with_nothing_unknown_is_the_same_either_way(tmp_path: Path) -> None:
    log = with_unknown(ignorable=True)
    one, other = folded(log, tmp_path), folded(log, tmp_path, past_unknown=True)
    assert surface(one) == surface(other)
    assert [found[:5] for found in findings(one)] == [found[:5] for found in findings(other)]
    assert one.timeline.reliable_to == other.timeline.reliable_to == 6


def test_before_anything_is_folded_nothing_has_stopped(tmp_path: Path) -> None:
    tape = opened(with_unknown(), tmp_path)
    assert (tape.timeline.stopped_at, tape.timeline.events) == (None, 0)
    assert codes(tape) == []
