"""The laws of plans, for logs that rewrite their history in every way."""

import json
from itertools import pairwise
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.formats.contract import Options
from inspector.formats.planning import How, PlanKind, View
from inspector.plans.plan import Asked, Plan
from inspector.timeline.findings import Severity
from tests.formats.codex import owner, tapes
from tests.formats.codex.generated import logs
from tests.plans.laws import (
    Told,
    accounts_for_all,
    carried_out,
    cut_plans,
    gives_its_view,
    opened,
    planned,
)

LAW: Final = settings(max_examples=25, deadline=None)
OPTIONS: Final = Options()


def same(found: list[Told], foretold: list[Told]) -> bool:
    """Whether the items are the same: what tells a summary from what a person says is our guess
    where the owner's words do not stand before it.
    """
    return list(map(_as_item, found)) == list(map(_as_item, foretold))


def _as_item(row: Told) -> Told:
    return ("user", "message", row[2]) if row[:2] == ("summary", "summary") else row


def is_accepted(plan: Plan, folder: Path) -> None:
    """The owner opens what is written, and nothing in it is an error."""
    with opened(carried_out(plan, folder)[-1], OPTIONS) as made:
        assert made.verdict().opens is True
        assert [one for one in made.findings() if one.kind.severity is Severity.ERROR] == []


def written(plan: Plan) -> list[bytes]:
    return [b"".join(write.content()) for write, _ in plan.writes]


@given(st.data(), st.integers(1, 30))
@LAW
def test_every_offered_view_is_given(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, length: int
) -> None:
    tape = tapes.folded(tmp_path_factory.mktemp("log"), *data.draw(logs(length, length)))
    at = data.draw(st.integers(0, tape.timeline.events))
    seen: list[list[bytes]] = []
    for plan in cut_plans(tape, at):
        accounts_for_all(tape, plan)
        # A fork and a rewind as a new log are the same.
        if plan.writes and written(plan) not in seen:
            seen.append(written(plan))
            gives_its_view(tape, plan, tmp_path_factory.mktemp("made"), OPTIONS, same=same)
            is_accepted(plan, tmp_path_factory.mktemp("accepted"))
        assert written(planned(tape, plan.asked)) == written(plan)
    tape.close()


@given(st.data(), st.integers(1, 30))
@LAW
def test_a_new_log_is_to_the_owner_what_was_foretold(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, length: int
) -> None:
    records = data.draw(logs(length, length))
    tape = tapes.folded(tmp_path_factory.mktemp("log"), *records)
    at = data.draw(st.integers(0, len(records)))
    for view in View:
        plan = planned(tape, Asked(PlanKind.FORK, at, How.CREATE, view))
        assert plan.view is not None
        if plan.writes:
            made = owner.rebuilt([json.loads(line) for line in written(plan)[0].splitlines()])
            foretold = [tape.item(node) for node in plan.view.after]
            assert list(map(owner.plain, made)) == list(map(owner.plain, foretold))
        if view is View.AS_OF:
            assert list(map(owner.plain, made)) == list(
                map(owner.plain, owner.rebuilt(records[:at]))
            )
    tape.close()


@given(st.data(), st.integers(1, 30))
@LAW
def test_a_cut_is_legal_for_a_rollback_where_one_leaves_what_was_there(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, length: int
) -> None:
    records = data.draw(logs(length, length))
    tape = tapes.folded(tmp_path_factory.mktemp("log"), *records)
    after = [owner.rebuilt([*records, tapes.rolled_back(turns)]) for turns in range(length + 3)]
    cuts = tape.planner().cuts(PlanKind.REWIND, How.APPEND)
    for cursor in range(len(records) + 1):
        allowed = "user-boundary" not in {stop.rule for stop in cuts.stops(cursor)}
        # A copy that a compaction stores is another node than what it is a copy of.
        if allowed:
            assert owner.rebuilt(records[:cursor]) in after
    tape.close()


@given(st.data(), st.integers(1, 30))
@LAW
def test_a_plan_that_was_carried_out_finds_nothing_more_to_do(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, length: int
) -> None:
    tape = tapes.folded(tmp_path_factory.mktemp("log"), *data.draw(logs(length, length)))
    at = data.draw(st.integers(0, tape.timeline.events))
    plan = planned(tape, Asked(PlanKind.REWIND, at, How.APPEND, View.AS_OF))
    if plan.is_sound and plan.writes:
        path = carried_out(plan, tmp_path_factory.mktemp("made"))[-1]
        with opened(path, OPTIONS) as made:
            again = planned(made, plan.asked)
            assert (again.is_sound, again.writes) == (True, ())
    tape.close()


@given(st.data(), st.integers(1, 30))
@LAW
def test_what_is_not_paired_is_what_the_owner_drops_and_makes_up(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, length: int
) -> None:
    tape = tapes.folded(tmp_path_factory.mktemp("log"), *data.draw(logs(length, length)))
    events = tape.timeline.events
    for cursor in {events, data.draw(st.integers(0, events))}:
        request = tape.request(cursor)
        nodes = [row.node for row in tape.timeline.rows(cursor)]
        found = tape.planner().unpaired(nodes)
        assert found is not None
        assert found.results == [entry.node for entry in request if entry.note == "dropped"]
        assert found.calls == [
            before.node for before, entry in pairwise(request) if entry.note == "added"
        ]
    closers = planned(tape, Asked(PlanKind.REPAIR)).closers
    noted = [entry for entry in tape.request(events) if entry.note is not None]
    assert [one.call_id for one in closers] == [entry.call_id for entry in noted]
    tape.close()


@given(st.data(), st.integers(1, 30))
@LAW
def test_a_sound_compaction_loses_no_output(
    tmp_path_factory: pytest.TempPathFactory, data: st.DataObject, length: int
) -> None:
    turns = [tapes.user(str(number)) for number in range(12)]
    tape = tapes.folded(tmp_path_factory.mktemp("log"), *turns, *data.draw(logs(length, length)))
    keep = data.draw(st.integers(1, 6))
    plan = planned(tape, Asked(PlanKind.COMPACT, keep_last=keep, summary="S"))
    if plan.is_sound and plan.writes:
        assert plan.compaction is not None
        planner = tape.planner()
        nodes = [row.node for row in tape.timeline.rows(tape.timeline.events)]
        hidden = frozenset(plan.compaction.hides)
        stay = [node for node in nodes if node not in hidden]
        whole, kept = planner.unpaired(nodes), planner.unpaired(stay)
        assert whole is not None
        assert kept is not None
        assert set(kept.results) <= set(whole.results)
        path = carried_out(plan, tmp_path_factory.mktemp("made"))[-1]
        with opened(path, OPTIONS) as made:
            request = made.request(made.timeline.events)
        assert sum(entry.note == "dropped" for entry in request) == len(kept.results)
    tape.close()
