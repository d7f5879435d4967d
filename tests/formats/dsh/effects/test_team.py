from typing import Any

from inspector.timeline.words import SpanKind
from tests.formats.dsh.told import Telling, Told


def member(identity: str, phase: str, team: str = "t1", **more: Any) -> Told:
    shape = {"id": identity, "name": f"name of {identity}", "phase": phase, **more}
    return "team/member", {"version": 1, "teamId": team, "member": shape}


def task(identity: str, status: str) -> Told:
    shape = {"id": identity, "subject": f"do {identity}", "status": status}
    return "team/task", {"version": 1, "teamId": "t1", "task": shape}


def message(identity: str) -> Told:
    shape = {"id": identity, "senderName": "lead", "targetId": "m1", "content": []}
    return "team/message/queued", {"teamId": "t1", "message": shape}


def test_members_are_made_ready_and_may_fail_to_come() -> None:
    told = Telling(
        [
            member("m1", "provisioning"),
            member("m2", "provisioning"),
            member("m1", "active"),
            member("m2", "failed", error={"message": "no room"}),
            member("m1", "active", team="t2"),
        ]
    )
    assert told.spans(SpanKind.TEAM_MEMBER) == [
        (1, 3, "ok", "active"),
        (2, 4, "failed", "failed: no room"),
    ]
    assert told.value("team members", 3) == ("name of m1: active", "name of m2: provisioning")
    assert told.value("team members") == (
        "name of m1: active",
        "name of m2: failed",
        "name of m1: active",
    )
    assert told.errors == [3]


def test_messages_wait_until_they_are_delivered() -> None:
    delivered: Told = ("team/message/delivered", {"teamId": "t1", "messageId": "a"})
    told = Telling([message("a"), message("b"), delivered, delivered])
    assert told.spans(SpanKind.TEAM_MESSAGE) == [
        (1, 3, "ok", "delivered"),
        (2, None, "running", None),
    ]
    one = "lead → m1"
    assert told.values("team messages") == [(one,), (one, one), (one,), (one,)]


def test_tasks_by_id_at_every_cursor() -> None:
    told = Telling(
        [
            task("a", "pending"),
            task("a", "in_progress"),
            task("b", "pending"),
            task("a", "completed"),
            task("b", "deleted"),
        ]
    )
    assert told.spans(SpanKind.TEAM_TASK) == [
        (1, 4, "ok", "completed"),
        (3, 5, "cancelled", "deleted"),
    ]
    assert told.values("team tasks") == [
        ("do a: pending",),
        ("do a: in progress",),
        ("do a: in progress", "do b: pending"),
        ("do a: completed", "do b: pending"),
        ("do a: completed",),
    ]
