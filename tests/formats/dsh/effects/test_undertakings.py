from typing import Any

import pytest

from inspector.timeline.words import SpanKind
from tests.formats.dsh.told import NEW_LIFE, Telling, Told


def goal(operation: str, phase: str = "active", rounds: int = 0, **more: Any) -> Told:
    shape = {"id": "g1", "objective": "Finish", "phase": phase, "maxGoalRounds": 2, **more}
    return "goal/change", {"operation": operation, "goal": shape, "roundsStarted": rounds}


CLEAR: Told = ("goal/change", {"operation": "clear", "cleared": {"id": "g1", "revision": 2}})


def schedule(identity: str, **more: Any) -> Told:
    shape = {"id": identity, "kind": "after", "prompt": "ping", "afterSeconds": 60, **more}
    return "schedule/change", {"version": 1, "operation": "create", "schedule": shape}


def changed(operation: str, identity: str) -> Told:
    return "schedule/change", {"operation": operation, "id": identity}


def test_plan_mode_is_entered_once_and_left() -> None:
    told = Telling([("plan/mode", {"active": active}) for active in (True, True, False, False)])
    assert told.spans(SpanKind.PLAN_MODE) == [(1, 3, "ok", "left")]
    assert told.values("plan mode") == [True, True, False, False]


@pytest.mark.parametrize("active", [None, 1, "true"])
def test_plan_mode_that_is_no_truth_value_changes_nothing(active: Any) -> None:
    told = Telling([("plan/mode", {"active": active})])
    assert (told.spans(SpanKind.PLAN_MODE), told.values("plan mode")) == ([], ["-"])


def test_a_goal_with_its_rounds_until_it_is_complete() -> None:
    told = Telling([goal("create"), goal("pause", "paused", 1), goal("complete", "complete", 2)])
    assert told.spans(SpanKind.GOAL) == [(1, 3, "ok", "complete")]
    assert told.values("goal") == [
        {"objective": "Finish", "phase": phase, "rounds at most": 2, "rounds started": rounds}
        for phase, rounds in (("active", 0), ("paused", 1), ("complete", 2))
    ]


def test_a_goal_that_is_blocked_and_taken_up_again_and_cleared() -> None:
    reason = {"code": "X", "message": "no key"}
    told = Telling(
        [goal("create"), goal("block", "blocked", blockedReason=reason), goal("resume"), CLEAR]
    )
    assert told.spans(SpanKind.GOAL) == [
        (1, 2, "failed", "blocked: no key"),
        (3, 4, "cancelled", "cleared"),
    ]
    assert told.value("goal", 2)["blocked by"] == "no key"
    assert told.value("goal") is None
    assert told.errors == [1]


def test_a_goal_outlives_the_process() -> None:
    told = Telling([goal("create"), ("plan/mode", {"active": True}), schedule("s1"), NEW_LIFE])
    for kind in (SpanKind.GOAL, SpanKind.PLAN_MODE, SpanKind.SCHEDULE):
        assert [span[1] for span in told.spans(kind)] == [None]


def test_schedules_that_stand_at_every_cursor() -> None:
    every = schedule("s2", kind="every", everySeconds=5, afterSeconds=None, prompt="look")
    at = schedule("s3", kind="at", afterSeconds=None, scheduledAt="2026-08-17T20:54:20.000Z")
    told = Telling(
        [
            schedule("s1"),
            every,
            at,
            changed("dispatch", "s2"),
            changed("dispatch", "s3"),
            changed("delete", "s1"),
            changed("delete", "nobody"),
        ]
    )
    one, two = "after 60 s: ping", "every 5 s: look"
    three = "at 2026-08-17T20:54:20.000Z: ping"
    assert told.values("schedules") == [
        (one,),
        (one, two),
        (one, two, three),
        (one, two, three),
        (one, two),
        (two,),
        (two,),
    ]
    assert told.spans(SpanKind.SCHEDULE) == [
        (1, 6, "cancelled", "deleted"),
        (2, None, "running", None),
        (3, 5, "ok", "dispatched"),
    ]
