"""What Pi would fail on is foretold: nothing is appended there, and no move leads there."""

from pathlib import Path
from typing import Any

import pytest

from inspector.applying.journal import Deed
from inspector.export.deed_text import would_go_back
from inspector.formats.planning import How, PlanKind, View
from inspector.plans.plan import Asked
from tests.formats.pi import sessions
from tests.formats.pi.planning.planned import made, move, planned, said
from tests.formats.pi.sessions import (
    Json,
    answer,
    compaction,
    edit,
    entry,
    folded,
    opened,
    surface,
    text_of,
    user,
)

GONE = object()
NO_ROLE = "Cannot read properties of {} (reading 'role')"


def odd(said: Any) -> Json:
    return entry("message", "x", "b", **({} if said is GONE else {"message": said}))


def broken(target: str) -> Json:
    told = edit("x", "b", target)
    del told["replacement"]
    return told


@pytest.mark.parametrize(("value", "word"), [(GONE, "undefined"), (None, "null")])
def test_a_message_that_has_none_makes_pi_fail(tmp_path: Path, value: Any, word: str) -> None:
    tape = folded(tmp_path, user("a", None), answer("b", "a"), odd(value), user("c", "x"))
    verdict = tape.verdict()
    assert (verdict.opens, verdict.reason, verdict.event) == (False, NO_ROLE.format(word), 2)
    for kind in (PlanKind.REWIND, PlanKind.COMPACT):
        ways = tape.planner().ways(kind)
        assert str(ways[How.APPEND]).startswith("Pi does not open the session: Cannot read")
        assert ways[How.CREATE] is None
    assert made(planned(tape, Asked(PlanKind.FORK)), tmp_path).verdict().opens


def test_so_it_does_where_a_compaction_or_an_edit_hides_it(tmp_path: Path) -> None:
    start = [user("a", None), answer("b", "a"), odd(GONE)]
    assert folded(tmp_path, *start, compaction("k", "x", "k")).verdict().event == 2
    assert folded(tmp_path, *start, edit("e", "x", "x")).verdict().event == 2


def test_on_another_branch_it_does_no_harm(tmp_path: Path) -> None:
    tape = folded(tmp_path, user("a", None), answer("b", "a"), odd(None), user("c", "b"))
    assert tape.verdict().opens


def test_behind_a_last_line_whose_id_is_null_nothing_is_looked_at(tmp_path: Path) -> None:
    last = user("c", "x")
    last["id"] = None
    tape = folded(tmp_path, user("a", None), answer("b", "a"), odd(GONE), last)
    assert tape.verdict().opens


@pytest.mark.parametrize("value", ["", "said", 5, 0, False, [], {}, {"role": None}, {"role": {}}])
def test_a_message_that_is_something_else_is_no_failure(tmp_path: Path, value: Any) -> None:
    tape = folded(tmp_path, user("a", None), answer("b", "a"), odd(value), user("c", "x"))
    assert tape.verdict().opens
    plan = planned(tape, Asked(PlanKind.FORK))
    assert not plan.left
    assert plan.is_sound


def test_no_move_leads_to_a_place_at_which_pi_fails(tmp_path: Path) -> None:
    tape = folded(tmp_path, user("a", None), answer("b", "a"), odd(GONE), user("c", "b"))
    plan = move(tape, 3)
    assert not plan.is_sound
    ok, why = said(plan, "read-again")
    assert not ok
    assert why == (
        "Pi could not show it: Cannot read properties of undefined (reading 'role'); a new tape "
        "(`--how create`) leaves out what Pi fails on"
    )
    assert planned(tape, Asked(PlanKind.REWIND, 3, How.CREATE)).is_sound
    assert move(tape, 2).is_sound


def test_nor_to_one_where_an_edit_without_a_replacement_counts(tmp_path: Path) -> None:
    tape = folded(tmp_path, user("a", None), answer("b", "a"), broken("a"), user("c", "b"))
    assert not move(tape, 3).is_sound
    harmless = folded(tmp_path, user("a", None), answer("b", "a"), broken("no"), user("c", "b"))
    assert move(harmless, 3).is_sound


def turns(parent: str | None, count: int) -> list[Json]:
    found: list[Json] = []
    for number in range(count):
        found += [user(f"u{number}", parent), answer(f"v{number}", f"u{number}")]
        parent = f"v{number}"
    return found


def test_what_is_appended_is_read_with_the_file_as_it_stands(tmp_path: Path) -> None:
    tape = folded(tmp_path, *turns(None, 8), broken("no") | {"parentId": "v7"}, user("z", "x"))
    plan = planned(tape, Asked(PlanKind.COMPACT, degraded=True))
    assert plan.how is How.APPEND
    assert plan.is_sound
    assert made(plan, tmp_path).verdict().opens


def damaged(folder: Path) -> sessions.PiTape:
    lines = text_of(turns(None, 8)).splitlines(keepends=True)
    lines.insert(4, b'{"type":"message","id":"bad","par\n')
    return opened(b"".join(lines), folder)


def test_behind_a_line_that_pi_passes_over_a_compaction_is_appended(tmp_path: Path) -> None:
    plan = planned(damaged(tmp_path), Asked(PlanKind.COMPACT, degraded=True))
    assert (plan.how, plan.is_sound) == (How.APPEND, True)
    ok, why = said(plan, "reliable")
    assert not ok
    assert why == (
        "the fold went past something unread at cursor 3: a line that is no JSON, which Pi passes "
        "over"
    )
    assert len(surface(made(plan, tmp_path))) == 9


def test_so_is_a_move(tmp_path: Path) -> None:
    plan = planned(damaged(tmp_path), Asked(PlanKind.REWIND, 6))
    assert (plan.how, plan.is_sound) == (How.APPEND, True)
    assert surface(made(plan, tmp_path)) == ["u0", "v0", "u1", "v1", "u2", "v2"]


def test_the_way_back_from_a_move_is_another_move(tmp_path: Path) -> None:
    tape = folded(tmp_path, user("a", None), answer("b", "a"), user("c", "b"))
    moved = made(move(tape, 1), tmp_path)
    back = planned(moved, Asked(PlanKind.FORK, 3))
    assert any("`inspector plan rewind --after 3`" in remark for remark in back.remarks)
    assert surface(made(move(moved, 3), tmp_path)) == ["a", "b", "c"]
    other = folded(tmp_path, user("a", None), user("c", "a"), sessions.label("l", "c", "a"))
    assert not any("rewind" in one for one in planned(other, Asked(PlanKind.FORK, 2)).remarks)


def test_who_undoes_a_move_is_told_so(tmp_path: Path) -> None:
    tape = folded(tmp_path, user("a", None), answer("b", "a"), user("c", "b"))
    moved = made(move(tape, 1), tmp_path)
    asked = Asked(PlanKind.FORK, cut=3, view=View.AS_OF)
    deed = Deed("d", "p", 0, "rewind", "Pi", tape.log.path, None, None, 3)
    told = list(would_go_back(deed, planned(moved, asked)))
    assert any("a rewind to the same cut" in line for line in told)


@pytest.mark.parametrize("kind", list(PlanKind))
def test_every_plan_says_that_pi_does_not_open_the_session_as_it_is(
    kind: PlanKind, tmp_path: Path
) -> None:
    tape = folded(tmp_path, user("a", None), answer("b", "a"), odd(GONE), user("c", "x"))
    ok, why = said(planned(tape, Asked(kind)), "verdict")
    assert not ok
    assert NO_ROLE.format("undefined") in why


def test_what_is_made_of_such_a_session_pi_opens(tmp_path: Path) -> None:
    tape = folded(tmp_path, user("a", None), answer("b", "a"), odd(GONE), user("c", "x"))
    plan = planned(tape, Asked(PlanKind.FORK))
    assert plan.is_sound
    assert said(plan, "verdict")[1].endswith("(reading 'role'); it opens what is made")
    assert made(plan, tmp_path).verdict().opens


def test_nothing_is_mended_of_a_session_that_pi_does_not_open(tmp_path: Path) -> None:
    calls = [user("a", None), answer("b", "a", "x")]
    heads: list[Json] = [{"type": "title", "title": "t"}, {"type": "session"}]
    for content in (text_of(calls, heads[0]), text_of(calls, heads[1])[:-1]):
        plan = planned(opened(content, tmp_path), Asked(PlanKind.REPAIR))
        assert (plan.closers, plan.writes, plan.is_sound) == ((), (), False)
        assert said(plan, "needed")[1].startswith("Pi does not open the session, and mends nothing")
        why = "Session file is not a valid pi session; the file is left as it is"
        message = f"Pi does not open the tape: {why}; nothing is written"
        assert said(plan, "verdict") == (False, message)


def test_of_a_session_on_which_pi_fails_later_the_line_end_is_still_told(tmp_path: Path) -> None:
    plan = planned(
        opened(text_of([user("a", None), {**odd(GONE), "parentId": "a"}])[:-1], tmp_path),
        Asked(PlanKind.REPAIR),
    )
    assert [one.type for one in plan.closers] == ["line end"]
    assert not plan.is_sound
    assert plan.remarks[0].startswith("Pi does not open the session, and mends nothing of that")


def test_a_repair_says_what_pi_does_when_it_opens_the_session(tmp_path: Path) -> None:
    plan = planned(folded(tmp_path, user("a", None)), Asked(PlanKind.REPAIR))
    assert said(plan, "verdict") == (True, "Pi opens the tape")
    old = opened(text_of([user("a", None)], sessions.header(version=2)), tmp_path)
    assert said(planned(old, Asked(PlanKind.REPAIR)), "verdict") == (
        True,
        "Pi opens the tape: rewrites the file on open: version 2 becomes version 3",
    )
