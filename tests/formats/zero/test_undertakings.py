"""Goals, specs, other sessions, forks and rewinds (page 4, 6 and 7)."""

from pathlib import Path
from typing import Any

import pytest

from inspector.timeline.words import Life, SpanKind
from tests.formats.zero.sessions import (
    Draft,
    answer,
    call,
    compaction,
    event,
    log,
    messages,
    result,
    session,
    spans,
    surface,
    user,
    value,
    written,
)


def test_a_goal_is_a_register_and_a_span(tmp_path: Path) -> None:
    tape = session(
        log(
            ("goal_created", {"objective": "ship", "status": "active", "tokenBudget": 9}),
            ("goal_updated", {"objective": "ship", "status": "paused"}),
            ("goal_updated", {"objective": "ship", "status": "complete", "statusReason": "green"}),
            ("goal_cleared", {"objective": "ship", "status": "complete"}),
        ),
        tmp_path,
    )
    assert value(tape, "goal", 1) == {"objective": "ship", "status": "active", "token budget": 9}
    assert value(tape, "goal", 2) == {"objective": "ship", "status": "paused"}
    assert value(tape, "goal") is None
    assert spans(tape, SpanKind.GOAL) == [(1, 3, "ok", "complete: green")]


def test_a_goal_that_is_given_up_is_cancelled(tmp_path: Path) -> None:
    tape = session(
        log(("goal_created", {"status": "active"}), ("goal_cleared", {"status": "active"})),
        tmp_path,
    )
    assert spans(tape, SpanKind.GOAL) == [(1, 2, "cancelled", "cleared")]


@pytest.mark.parametrize(
    ("kind", "more", "outcome"),
    [
        ("spec_approved", {"specUserComment": "go"}, (1, 2, "ok", "approved: go")),
        ("spec_rejected", {"specRejectReason": "no"}, (1, 2, "rejected", "rejected: no")),
    ],
)
def test_a_spec_waits_for_the_person(
    tmp_path: Path, kind: str, more: dict[str, Any], outcome: tuple[Any, ...]
) -> None:
    draft = {"specId": "spec-1", "specStatus": "draft"}
    tape = session(log(("spec_draft", draft), (kind, {**draft, **more})), tmp_path)
    assert spans(tape, SpanKind.APPROVAL) == [outcome]
    assert value(tape, "spec", 1) == {"id": "spec-1", "status": "draft"}


def specialist(**more: Any) -> dict[str, Any]:
    return {"childSessionId": "c", "taskId": "t", **more}


@pytest.mark.parametrize(
    ("stop", "outcome"),
    [
        (specialist(status="ok"), (1, 2, "ok", "ok")),
        (specialist(status="failed", error="lost"), (1, 2, "failed", "failed: lost")),
    ],
)
def test_a_specialist_works_in_a_session_of_its_own(
    tmp_path: Path, stop: dict[str, Any], outcome: tuple[Any, ...]
) -> None:
    tape = session(log(("specialist_start", specialist()), ("specialist_stop", stop)), tmp_path)
    assert spans(tape, SpanKind.SUBAGENT) == [outcome]
    assert [(kin.relation, kin.tape) for kin in tape.timeline.kin] == [("subagent", "c")]


def test_a_child_is_told_once_and_knows_its_parent(tmp_path: Path) -> None:
    made = ("session_child", {"childSessionId": "c", "parentSessionId": "s", "agentName": "look"})
    tape = session(log(made, made), tmp_path)
    assert [(kin.relation, kin.tape) for kin in tape.timeline.kin] == [("subagent", "c")]
    own = {"childSessionId": "s", "parentSessionId": "p"}
    tape = session(log(("session_child", own)), tmp_path)
    assert [(kin.relation, kin.tape) for kin in tape.timeline.kin] == [("parent", "p")]


def test_a_fork_begins_a_new_life_behind_what_it_copied(tmp_path: Path) -> None:
    fork = ("session_fork", {"parentSessionId": "p", "copiedEventCount": 2})
    tape = session(log(user(), answer(), fork, user()), tmp_path)
    lives = [tape.timeline.life(at, 4) for at in range(4)]
    assert lives == [Life.INHERITED, Life.INHERITED, Life.THIS, Life.THIS]
    assert [(kin.relation, kin.tape, kin.boundary) for kin in tape.timeline.kin] == [
        ("fork", "p", 2)
    ]


@pytest.mark.parametrize("kind", ["fork", "side"])
def test_a_copy_is_told_once_with_its_metadata(tmp_path: Path, kind: str) -> None:
    fork = ("session_fork", {"parentSessionId": "p", "copiedEventCount": 1})
    tape = session(log(user(), fork), tmp_path, sessionKind=kind, parentSessionId="p")
    assert [(kin.relation, kin.tape, kin.boundary) for kin in tape.timeline.kin] == [(kind, "p", 1)]


FORKED: Draft = ("session_fork", {"parentSessionId": "p", "copiedEventCount": 2})


def test_a_fork_without_metadata_comes_from_the_session_that_its_event_names(
    tmp_path: Path,
) -> None:
    tape = session(log(user(), answer(), FORKED, user()), tmp_path)
    assert (tape.identity.parent, tape.identity.inherited) == ("p", 2)
    assert tape.timeline.origins == ["p"]


def test_a_fork_of_a_fork_comes_from_the_one_that_it_names_last(tmp_path: Path) -> None:
    last = ("session_fork", {"parentSessionId": "p2", "copiedEventCount": 4})
    tape = session(log(user(), answer(), FORKED, user(), last), tmp_path)
    assert (tape.identity.parent, tape.identity.inherited) == ("p2", 4)


def test_a_child_without_metadata_comes_from_the_session_that_made_it(tmp_path: Path) -> None:
    own = ("session_child", {"childSessionId": "s", "parentSessionId": "p"})
    below = ("session_child", {"childSessionId": "c", "parentSessionId": "s"})
    tape = session(log(own, user(), below), tmp_path)
    assert tape.identity.parent == "p"
    assert tape.timeline.origins == ["p"]


def test_where_a_session_comes_from_the_metadata_know_better(tmp_path: Path) -> None:
    tape = session(log(user(), answer(), FORKED), tmp_path, parentSessionId="q")
    assert tape.identity.parent == "q"
    assert "p" in tape.timeline.origins


# Rewinds.


def rewound(target: Any = 2, **report: int) -> tuple[str, Any]:
    return "session_rewind", {"targetSequence": target, "report": report}


def test_a_rewind_is_told_and_dropped_events_are_not_invented(tmp_path: Path) -> None:
    tape = session(log(user(), answer(), rewound(2, filesRestored=1), user("new")), tmp_path)
    assert messages(tape, "rewound") == [
        "rewound to sequence 2 (files: 1 restored): later numbers and ids are used again"
    ]
    assert value(tape, "rewound to") == 2
    assert list(tape.timeline.branchings.events) == [2]
    assert surface(tape) == [0, 1, 3]


@pytest.mark.parametrize("payload", [None, [], {}, {"targetSequence": None}])
def test_a_rewind_may_not_say_where_it_went(tmp_path: Path, payload: Any) -> None:
    tape = session(log(user(), ("session_rewind", payload)), tmp_path)
    assert messages(tape, "rewound") == [
        "rewound, and it does not say to which sequence: later numbers and ids are used again"
    ]
    assert "sequence" not in tape.headline(1).text


@pytest.mark.parametrize(
    ("target", "said"), [(True, "true"), ("5", '"5"'), ([None], "[null]"), (1.5, "1.5")]
)
def test_the_target_of_a_rewind_is_told_as_it_is_written(
    tmp_path: Path, target: Any, said: str
) -> None:
    tape = session(log(user(), rewound(target)), tmp_path)
    [message] = messages(tape, "rewound")
    assert message.startswith(f"rewound to sequence {said}: ")


def test_a_rewind_that_a_fork_copied_says_nothing_of_the_numbers_of_the_fork(
    tmp_path: Path,
) -> None:
    fork = ("session_fork", {"parentSessionId": "p", "copiedEventCount": 3})
    values = log(user(), answer(), rewound(2), fork, rewound(1))
    tape = session(values, tmp_path, sessionKind="fork", parentSessionId="p")
    copied = "it was the session copied that was, and the number is one of its own"
    assert messages(tape, "rewound") == [
        f"rewound to sequence 2: {copied}",
        "rewound to sequence 1: later numbers and ids are used again",
    ]


def test_after_a_rewind_the_screen_goes_back_to_the_raw_events(tmp_path: Path) -> None:
    values = log(user(), answer(), compaction("s:1"), rewound(3), user("new"))
    assert surface(session(values, tmp_path, "exec")) == [2, 1, 4]
    tape = session(values, tmp_path, "tui")
    assert surface(tape, 3) == [2, 1]
    assert surface(tape) == [0, 1, 2, 4]


def test_a_compaction_behind_a_rewind_counts_on_the_screen_too(tmp_path: Path) -> None:
    values = log(user(), compaction("s:1"), rewound(), user("new"), compaction("s:1", "s:2"))
    assert surface(session(values, tmp_path, "tui")) == [4, 3]


def test_a_broken_compaction_before_a_rewind_does_not_matter_on_the_screen(tmp_path: Path) -> None:
    values = log(user(), ("session_compaction", {}), rewound())
    assert session(values, tmp_path, "exec").verdict().reason
    assert session(values, tmp_path, "tui").verdict().reason is None


def test_a_number_may_come_again_and_means_both(tmp_path: Path) -> None:
    values = [event(at, *user(f"{at}")) for at in (1, 2, 3, 2, 3)]
    tape = session(written(values), tmp_path)
    assert tape.numbered(2) == [1, 3]
    assert tape.identified("s:3") == [2, 4]
    assert messages(tape, "repeated-sequence") == ["sequence 2 comes again, behind 3"]


def test_a_gap_is_no_damage(tmp_path: Path) -> None:
    tape = session(written([event(at, *user()) for at in (1, 2, 10)]), tmp_path)
    assert messages(tape, "sequence-gap") == ["sequence 2 is followed by 10: 7 left out"]
    assert tape.timeline.reliable_to == 3
    assert [tape.number(at) for at in range(3)] == [1, 2, 10]


# Long ids.


def test_ids_that_differ_only_far_behind_are_different(tmp_path: Path) -> None:
    one, two = "c" * 200 + "1", "c" * 200 + "2"
    drafts = [user(), call(one), call(two), result(one, status="error"), result(two)]
    tape = session(log(*drafts), tmp_path)
    assert [tape.timeline.pairs.call_of(at) for at in (3, 4)] == [1, 2]
    outcomes = [outcome for _, _, outcome, _ in spans(tape, SpanKind.TOOL_CALL)]
    assert outcomes == ["failed", "ok"]
