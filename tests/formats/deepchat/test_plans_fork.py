"""A fork and a rewind as plans: what the owner's Fork would show, and why not (page 7B)."""

import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.formats.contract import Tape
from inspector.formats.planning import How, Making, PlanError, PlanKind, View
from inspector.plans.plan import Asked, Plan
from inspector.plans.views import views
from tests.formats.deepchat.databases import (
    Entry,
    Folded,
    anchor,
    append,
    call,
    event,
    fold,
    made,
    message,
    record,
    result,
    retracted,
)
from tests.formats.deepchat.forks import FORK, fork, owners_fork, surface_told, tape_of
from tests.plans.laws import MAKING, accounts_for_all, planned, told
from tests.untouched import untouched

TALK = [
    anchor("session/start", owner="human"),
    message("ask", 1, "please"),
    message("answer", 2, "done", role="assistant"),
    message("more", 3, "and more"),
    message("last", 4, "done too", role="assistant"),
]


def journal(name: str) -> Entry:
    """What the execution journal says of a call."""
    operation = {"runId": "r", "requestSeq": 1, "providerToolCallId": "c1"}
    return event(f"execution/{name}", {"operation": operation, "messageId": "later"})


def offered(plan: Plan) -> dict[str, str | None]:
    assert plan.view is not None
    return {view.value: why for view, why in plan.view.offered.items()}


def broken(plan: Plan) -> set[str]:
    return {check.rule for check in plan.checks if not check.ok}


# What is open, and that nothing is written.


@pytest.mark.parametrize("kind", [PlanKind.FORK, PlanKind.REWIND])
def test_it_is_a_plan_alone(kind: PlanKind, folded: Folded) -> None:
    plan = fork(folded(TALK), 3, kind=kind)
    assert plan.writes == ()
    assert broken(plan) == {"writes"}
    assert not plan.is_sound
    (check,) = (check for check in plan.checks if check.rule == "writes")
    assert check.message.startswith("plan only: the database is DeepChat's own")


@pytest.mark.parametrize(
    ("kind", "append", "create"),
    [
        (PlanKind.FORK, "a fork is a session of its own", None),
        (PlanKind.REWIND, "DeepChat's own way back appends retractions, and deletes", None),
        (PlanKind.COMPACT, "in one transaction", None),
        (PlanKind.REPAIR, "mends each request in memory", None),
        (PlanKind.RESUME, "", "DeepChat takes a session up in its own tables"),
    ],
)
def test_each_way_is_open_or_says_why_not(
    kind: PlanKind, append: str, create: str | None, folded: Folded
) -> None:
    ways = folded(TALK).planner().ways(kind)
    assert append in (ways[How.APPEND] or "")
    assert (ways[How.CREATE] is None) if create is None else (create in (ways[How.CREATE] or ""))


def test_a_fork_of_a_tape_is_no_session_that_could_be_forked(tmp_path: Path) -> None:
    path = made(tmp_path / "agent.db", TALK)
    start = anchor("fork/start", parentSessionId="s", parentHeadEntryId=3)
    append(path, [anchor("session/start"), start, message("own", 9, "hm")], "s::fork::way")
    tape = fold(path, "s::fork::way")
    for kind in (PlanKind.FORK, PlanKind.REWIND, PlanKind.COMPACT):
        with pytest.raises(PlanError, match="a fork of a tape is no session"):
            planned(tape, Asked(kind))
    assert planned(tape, Asked(PlanKind.REPAIR)).closers == ()
    tape.close()


def test_planning_touches_nothing(tmp_path: Path) -> None:
    path = made(tmp_path / "agent.db", TALK)
    with untouched(path):
        tape = fold(path)
        one, other = fork(tape, 3), fork(tape, 3)
        tape.close()
    assert one == other


# Where.

STOPPED = [
    ("user-boundary", TALK, 1),
    ("open-turn", TALK, 2),
    ("sent", [*TALK, message("steer", 5, "wait", status="pending")], 6),
    (
        "unanswered-calls",
        [*TALK, journal("dispatch_committed"), event("other"), journal("tool_outcome")],
        7,
    ),
    (
        "compaction-bracket",
        [
            *TALK,
            event("message/compaction_indicator", {"messageId": "i", "status": "compacting"}),
            event("other"),
            event("message/compaction_indicator", {"messageId": "i", "status": "compacted"}),
        ],
        7,
    ),
    (
        "settled",
        [*TALK, message("more", 4, "and more", reason="compaction_order_shifted"), *TALK[:1]],
        6,
    ),
]


@pytest.mark.parametrize(("rule", "entries", "at"), STOPPED, ids=[row[0] for row in STOPPED])
def test_each_rule_forbids_a_cut(rule: str, entries: list[Entry], at: int, folded: Folded) -> None:
    plan = fork(folded(entries), at)
    assert rule in broken(plan)
    assert plan.cut is not None
    assert plan.cut.why
    nearest = [cut for cut in (plan.cut.before, plan.cut.after) if cut is not None]
    assert nearest
    for cut in nearest:
        assert broken(fork(folded(entries), cut)) <= {"writes", "view"}


def test_a_pending_message_that_was_sent_since_forbids_nothing_behind(folded: Folded) -> None:
    entries = [
        *TALK,
        message("steer", 5, "wait", status="pending"),
        message("steer", 5, "wait"),
        message("ok", 6, "ok", role="assistant"),
    ]
    assert broken(fork(folded(entries), 8)) == {"writes"}


# Which history.

REFUSED: list[tuple[str, list[Entry], int]] = [
    (
        "copies no summary: what @6 hides comes back",
        [*TALK, anchor("compaction/manual", summary="so far", cursorOrderSeq=3)],
        6,
    ),
    (
        "brings back the message of @2, which this history does not have",
        [*TALK, anchor("compaction/manual", summary=" ", cursorOrderSeq=3)],
        6,
    ),
    ("the message of @4 was edited by @6", [*TALK, message("more", 3, "other")], 5),
    ("the message of @4 was taken back since", [*TALK, retracted("more")], 5),
    (
        "the message of @6 ended in an error",
        [*TALK, message("bad", 5, "", role="assistant", status="error")],
        6,
    ),
    (
        "the message of @6 is pending",
        [*TALK, message("steer", 5, "wait", status="pending")],
        6,
    ),
    (
        "the message of @6, behind the cut, stands before the target now",
        [*TALK, message("between", 2.5, "hm")],
        5,
    ),
    (
        "the message of @2 stands behind the target now",
        [*TALK, message("ask", 9, "please")],
        5,
    ),
    (
        "the messages stand in another order now",
        [*TALK, message("ask", 3.5, "please")],
        5,
    ),
]


@pytest.mark.parametrize(("why", "entries", "at"), REFUSED, ids=[row[0] for row in REFUSED])
def test_what_the_owners_fork_does_not_show_is_refused_in_words(
    why: str, entries: list[Entry], at: int, folded: Folded
) -> None:
    plan = fork(folded(entries), at, View.AS_OF)
    assert why in (offered(plan)["as-of"] or "")
    assert "view" in broken(plan)
    assert (plan.kept, plan.writes) == (0, ())
    accounts_for_all(folded(entries), plan)


def test_a_fork_behind_a_compaction_brings_all_back(folded: Folded) -> None:
    entries = [*TALK, anchor("compaction/manual", summary="so far", cursorOrderSeq=3)]
    plan = fork(folded(entries), 6)
    assert plan.view is not None
    assert plan.view.choice is View.ORIGINALS
    assert len(plan.view.after) == 4
    assert plan.view.tokens_after != plan.view.tokens_before


def test_a_message_that_only_got_another_place_is_the_same_one(folded: Folded) -> None:
    moved = message("more", 4, "and more", reason="compaction_order_shifted")
    last = message("last", 5, "done too", role="assistant", reason="compaction_order_shifted")
    plan = fork(folded([*TALK, moved, last, event("other")]), 5)
    assert offered(plan)["as-of"] is None
    assert plan.kept == 4


def test_a_view_that_is_refused_cannot_be_asked_of_the_format(folded: Folded) -> None:
    entries = [*TALK, message("more", 3, "other")]
    planner = folded(entries).planner()
    for view in (View.AS_OF, View.COMPACTED):
        with pytest.raises(PlanError, match=r"edited by @6|a row of @6, behind"):
            planner.cut(FORK, How.CREATE, 5, view, MAKING)


# What is kept.


def test_every_event_is_accounted_for_with_its_why(folded: Folded) -> None:
    entries = [
        *TALK[:2],
        call("answer", "c1", status="pending"),
        call("answer", "c1"),
        result("answer", "c1"),
        event("provider/attempt_completed", {"messageId": "answer"}),
        TALK[2],
        message("wrong", 3, "typo"),
        retracted("wrong"),
        message("more", 3, "and mor"),
        message("more", 3, "and more"),
        call("failed", "c2"),
        message("failed", 4, "", role="assistant", status="error"),
        message("failed", 4, "well", role="assistant"),
        call("never", "c3"),
        Entry("message", "message/user", "{}"),
        anchor("compaction/manual", summary="so far", cursorOrderSeq=1),
        anchor("handoff/x", summary="", cursorOrderSeq=1),
    ]
    tape = folded(entries)
    plan = fork(tape, len(entries), View.AS_OF)
    accounts_for_all(tape, plan)
    assert plan.left == {
        "not copied (runs, attempts, views, anchors)": 4,
        "replaced by later rows": 3,
        "taken back": 1,
        "of tools of messages that are left out": 1,
        "ignored by the owner": 1,
        "not copied (summaries)": 1,
    }


def test_what_was_not_sent_is_left_out(folded: Folded) -> None:
    # A place below 1 is never shown, and so the copy lacks nothing.
    never = message("never", 0, "", role="assistant", status="error")
    plan = fork(folded([TALK[0], never, *TALK[1:]]), 6)
    assert plan.left["not sent"] == 1
    assert plan.kept == 4


def test_the_owners_fork_and_what_it_loses_are_told(folded: Folded) -> None:
    rewind = fork(folded(TALK), 3, kind=PlanKind.REWIND)
    own, tape_fork, back = rewind.remarks
    assert "Fork at the answer of @3 (id answer)" in own
    assert "2 sent messages copied with new ids" in own
    assert "no pointer to this session remains" in own
    assert "would start at @3 and copy no row" in tape_fork
    assert back.endswith("for good: here 2 messages")
    assert len(fork(folded(TALK), 3).remarks) == 2


# The law.

_RECORDS = st.tuples(
    st.sampled_from(("a", "b", "ä", "long-name-1", "long-name-2")),
    st.sampled_from((0, 1, 2, 2, 3, 4, 2.5)),
    st.sampled_from(("sent", "sent", "sent", "error", "pending", "odd")),
    st.sampled_from(("user", "assistant")),
)
_ANCHORS = st.tuples(
    st.sampled_from(("compaction/manual", "summary/reset", "HANDOFF/x", "custom/y")),
    st.sampled_from((1, 2, 3.9, 99)),
    st.sampled_from(("so far", "")),
)
_STEPS = st.lists(
    st.one_of(_RECORDS, _RECORDS, _RECORDS, _RECORDS, _ANCHORS, st.sampled_from(("a", "b"))),
    min_size=1,
    max_size=14,
)


def entries_of(steps: Sequence[object]) -> list[Entry]:
    """Rows of which each says something that no other says."""
    found: list[Entry] = []
    for at, step in enumerate(steps):
        match step:
            case str():
                found.append(retracted(step))
            case (name, cursor, summary):
                found.append(anchor(str(name), cursorOrderSeq=cursor, summary=summary))
            case (identity, order, status, role):
                content = f'{{"text":"text {at}"}}'
                if role == "assistant":
                    content = f'[{{"type":"content","content":"text {at}"}}]'
                found.append(record(identity, order, content, str(role), status))
    return found


@settings(max_examples=25, deadline=None)
@given(_STEPS, st.integers(0, 13))
def test_a_view_is_offered_where_the_owners_fork_shows_it_and_nowhere_else(
    steps: list[object], cut: int
) -> None:
    entries = entries_of(steps)
    at = min(cut, len(entries))
    with tempfile.TemporaryDirectory() as folder, tape_of(Path(folder) / "one", entries) as tape:
        copied = owners_fork(entries, at)
        shown = [] if copied is None else surface_told(Path(folder) / "two", copied)
        for view in View:
            plan = fork(tape, at, view)
            accounts_for_all(tape, plan)
            assert plan == fork(tape, at, view)
            nodes = nodes_of(tape, at, view)
            if nodes is not None:
                assert (offered(plan)[view.value] is None) == (told(tape, nodes) == shown)
            if offered(plan)[view.value] is None:
                assert plan.view is not None
                assert told(tape, plan.view.after) == shown


def nodes_of(tape: Tape, at: int, view: View) -> tuple[int, ...] | None:
    found = views(tape.timeline, at).nodes(view)
    return None if isinstance(found, str) else found


def test_nothing_that_is_made_needs_an_id() -> None:
    # Nothing is written, so two makings give one plan but for what they are.
    with tempfile.TemporaryDirectory() as folder, tape_of(Path(folder), TALK) as tape:
        planner = tape.planner()
        other = Making("other", 1)
        one = planner.cut(FORK, How.CREATE, 3, View.AS_OF, MAKING)
        assert one == planner.cut(FORK, How.CREATE, 3, View.AS_OF, other)
