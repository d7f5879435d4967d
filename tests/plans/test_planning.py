"""From a question to a plan, with a planner of which the test says what it allows."""

import re
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.formats.contract import Headline, Verdict
from inspector.formats.cutting import CALL_WITHOUT_RESULT, WITHIN_TURN
from inspector.formats.logs.rules import TORN_TAIL
from inspector.formats.parts import Said
from inspector.formats.planning import (
    Check,
    Closer,
    Cuts,
    Draft,
    How,
    Making,
    PlanError,
    PlanKind,
    Repair,
    Restorable,
    Stop,
    View,
    Write,
)
from inspector.plans.cutting import cut_of, snapped, target_of
from inspector.plans.extracting import MARK
from inspector.plans.plan import Asked, Plan
from inspector.plans.planning import plan
from inspector.plans.splitting import QUOTED
from inspector.timeline.findings import Finding
from inspector.timeline.words import Kind, Reason, Role
from tests.plans.laws import MAKING, accounts_for_all
from tests.plans.planners import PATH, TARGET, Planned, content
from tests.plans.test_views import STEPS, folded
from tests.timeline.telling import LAW

FORK, REWIND = PlanKind.FORK, PlanKind.REWIND


def planned(tape: Planned, asked: Asked, *taken: object) -> Plan:
    return plan(tape.tape, asked, MAKING, lambda path: path in taken)


def check_of(found: Plan, rule: str) -> Check:
    return next(check for check in found.checks if check.rule == rule)


@pytest.fixture
def tape() -> Planned:
    """Two turns, the second one with a call."""
    made = Planned()
    made.human("please")
    made.assistant("done")
    made.human("and more")
    made.call("one")
    made.result("one")
    made.sets("model", "B")
    return made


# A cut.


@pytest.mark.parametrize("kind", [FORK, REWIND])
def test_a_cut_tells_all_that_it_comes_to(kind: PlanKind, tape: Planned) -> None:
    tape.owner.files = (Restorable("one", 1, "put back"),)
    found = planned(tape, Asked(kind, 2))
    accounts_for_all(tape.tape, found)
    assert (found.kind, found.how, found.owner, found.path) == (kind, How.CREATE, "the owner", PATH)
    assert (found.kept, found.left) == (2, {"behind the cut": 4})
    assert found.restorable == tuple(tape.owner.files)
    assert found.cut is not None
    assert (found.cut.before, found.cut.after, found.cut.why) == (1, 3, "")
    assert found.registers == {"model": ("B", None)}
    (call,) = found.not_undone
    assert (call.event, call.what, call.restorable) == (3, "one", None)
    assert [(write.to, size) for write, size in found.writes] == [(TARGET, 6)]
    assert target_of(found) == TARGET
    assert found.is_sound
    assert found.view is not None
    assert (found.view.tokens_before, found.view.tokens_after) == (50, 20)
    assert found == planned(tape, Asked(kind, 2))


def test_an_illegal_cut_is_planned_and_says_so(tape: Planned) -> None:
    found = planned(tape, Asked(FORK, 4))
    assert not check_of(found, "unanswered-calls").ok
    assert not found.is_sound
    assert found.cut == cut_of(tape.owner.cuts(FORK, How.CREATE), 4)
    assert found.cut is not None
    assert (found.cut.taken, found.cut.before, found.cut.after) == (4, 3, 5)


def test_a_cut_is_moved_only_by_who_asks_for_it(tape: Planned) -> None:
    asked = Asked(FORK, 4)
    assert snapped(tape.tape, asked, forward=True).cut == 5
    assert snapped(tape.tape, asked, forward=False).cut == 3
    found = planned(tape, snapped(tape.tape, asked, forward=True)).cut
    assert found is not None
    assert (found.asked, found.taken, found.before, found.after) == (4, 5, 3, 6)
    assert found.why == cut_of(tape.owner.cuts(FORK, How.CREATE), 4).why != ""
    assert snapped(tape.tape, Asked(FORK, 3), forward=True).cut == 3
    assert snapped(tape.tape, Asked(FORK), forward=True).cut is None
    assert snapped(tape.tape, Asked(PlanKind.REPAIR), forward=True).cut is None


def test_a_cut_is_not_moved_where_none_is_allowed(
    tape: Planned, monkeypatch: pytest.MonkeyPatch
) -> None:
    none = Cuts(6, [(Stop("never", "no", "yes"), [(0, 9)])])
    monkeypatch.setattr(tape.owner, "cuts", lambda _kind, _how: none)
    for forward, where in ((True, "behind"), (False, "before")):
        with pytest.raises(PlanError, match=f"no cut is allowed {where} 4"):
            snapped(tape.tape, Asked(FORK, 4), forward=forward)


def test_a_rewind_to_the_head_says_that_it_undoes_nothing(tape: Planned) -> None:
    check = check_of(planned(tape, Asked(REWIND)), "undoes")
    assert (check.ok, check.blocks) == (False, False)
    assert check.message == "the cut is the head: there is nothing behind it to undo"
    for asked in (Asked(REWIND, 5), Asked(FORK)):
        assert "undoes" not in {check.rule for check in planned(tape, asked).checks}


@pytest.mark.parametrize("at", [-1, 7])
def test_a_cursor_that_is_not_there_is_refused_with_the_owners_word(at: int, tape: Planned) -> None:
    for kind in (FORK, PlanKind.RESUME):
        with pytest.raises(PlanError, match=f"there is no cursor {at}: the head is 6") as raised:
            planned(tape, Asked(kind, at))
        assert raised.value.code == "NO_SUCH_CUT"


def test_a_way_that_is_not_open_is_refused_with_its_reason(tape: Planned) -> None:
    tape.owner.open = {How.CREATE: "no room", How.APPEND: None}
    assert planned(tape, Asked(FORK, 2)).how is How.APPEND
    with pytest.raises(PlanError, match="cannot be done by create: no room"):
        planned(tape, Asked(FORK, 2, How.CREATE))
    tape.owner.open = {How.CREATE: "no room", How.APPEND: "no room"}
    with pytest.raises(PlanError, match=r"\Ano room\Z"):
        planned(tape, Asked(FORK, 2))


def test_a_history_that_is_refused_makes_nothing(tape: Planned) -> None:
    tape.owner.refused = {View.ORIGINALS: "not here"}
    found = planned(tape, Asked(FORK, 2, view=View.ORIGINALS))
    assert check_of(found, "view") == Check("view", ok=False, message="originals cannot be given")
    assert (found.kept, found.writes) == (0, ())
    assert View.ORIGINALS.value not in tape.owner.asked
    accounts_for_all(tape.tape, found)


def test_a_leak_is_named_and_its_view_refused() -> None:
    made = Planned()
    for _ in range(4):
        made.human()
    rows = list(made.builder.sequence())
    made.builder.event = made.timeline.events
    made.builder.remove([rows[2]], Reason.COMPACTED)
    made.builder.replace([rows[0]], Reason.COMPACTED, Role.SUMMARY, Kind.SUMMARY, 1)
    made.nothing()
    view = planned(made, Asked(FORK, 2)).view
    assert view is not None
    assert view.leak == "the summary of #4 covers #2, behind the cut"
    assert view.offered[View.COMPACTED] == view.leak
    assert view.choice is View.AS_OF


def test_what_stands_at_the_target_is_told(tape: Planned) -> None:
    found = planned(tape, Asked(FORK, 2), TARGET)
    check = check_of(found, "target")
    assert (check.ok, check.code) == (False, "EXISTS")
    assert not found.is_sound


def test_what_the_format_looked_at_is_told_with_the_rest(tape: Planned) -> None:
    own = Check("own", ok=False, message="not so", blocks=False)
    draft = Draft((), 1, {"unseen": 1, "none": 0}, (own,), ("a remark",))
    tape.owner.draft = draft
    found = planned(tape, Asked(FORK, 2))
    assert check_of(found, "own") == own
    assert found.remarks == ("a remark",)
    assert found.left == {"unseen": 1, "behind the cut": 4}
    assert target_of(found) is None


@given(STEPS, st.integers(0, 24), st.sampled_from([FORK, REWIND]), st.sampled_from(list(How)))
@LAW
def test_every_plan_of_every_tape_accounts_for_all(
    steps: list[tuple[str, int]], cut: int, kind: PlanKind, how: How
) -> None:
    made = Planned()
    one, _ = folded(steps)
    made.timeline = one.timeline
    made.said, made.builder = one.said, one.builder
    made.owner.timeline = one.timeline
    at = min(cut, made.timeline.events)
    for view in View:
        found = planned(made, Asked(kind, at, how, view))
        accounts_for_all(made.tape, found)
        assert found == planned(made, Asked(kind, at, how, view))
        assert found.view is not None
        assert found.is_sound == all(check.ok for check in found.checks if check.blocks)
        if found.view.offered[view] is None:
            assert found.kept == at


# A compaction.


def long_tape(rows: int = 20) -> Planned:
    made = Planned()
    made.row(Role.SYSTEM, Kind.MESSAGE, Said("be good"))
    made.human("launch: keep this word for word")
    for at in range(rows - 2):
        made.assistant(f"answer {at}")
    return made


def test_a_compaction_shows_both_splits_and_quotes_the_launching_message() -> None:
    tape = long_tape()
    found = planned(tape, Asked(PlanKind.COMPACT, summary="They answered."))
    compaction = found.compaction
    assert compaction is not None
    # A system prompt is no part of what is summarised, by the owner's division neither.
    assert (compaction.owner, compaction.safe) == ((2, "keeps None"), 11)
    assert tape.events(compaction.hides) == list(range(1, 12))
    assert compaction.launch is not None
    assert compaction.summary == (
        "The person's first message, word for word:\n\nlaunch: keep this word for word\n\n"
        "They answered."
    )
    assert compaction.prompt.text == "12 rows"
    assert tape.owner.asked[-1] == compaction.summary
    assert found.remarks == ("12 rows",)
    assert check_of(found, "worth-it").message == "there is enough to summarise"
    assert check_of(found, "summary").message == "as given"
    assert found.is_sound
    accounts_for_all(tape.tape, found)


def test_a_summary_that_quotes_the_launching_message_is_left_as_it_is() -> None:
    text = "At first:\r\n\r\nlaunch: keep this word for word\n\nThen answers."
    found = planned(long_tape(), Asked(PlanKind.COMPACT, summary=text))
    assert found.compaction is not None
    assert found.compaction.summary == text


def test_words_of_a_sentence_are_no_quote_of_the_launching_message() -> None:
    text = "At first: launch: keep this word for word. Then answers."
    found = planned(long_tape(), Asked(PlanKind.COMPACT, summary=text))
    assert found.compaction is not None
    assert found.compaction.summary == (
        f"The person's first message, word for word:\n\nlaunch: keep this word for word\n\n{text}"
    )


def test_a_summary_that_says_nothing_quotes_nothing() -> None:
    found = planned(long_tape(), Asked(PlanKind.COMPACT, summary=" "))
    assert found.compaction is not None
    assert found.compaction.launch is None
    assert found.compaction.summary == " "
    assert (found.writes, check_of(found, "summary").message) == ((), "the summary says nothing")


def test_without_a_summary_what_would_be_kept_is_told() -> None:
    tape = long_tape()
    head = tape.timeline.events
    tape.owner.draft = Draft((Write(TARGET, How.CREATE, content),), head - 2, {"usage": 2})
    found = planned(tape, Asked(PlanKind.COMPACT))
    assert (found.kept, found.left, found.writes) == (head - 2, {"usage": 2}, ())
    assert not check_of(found, "summary").ok


def test_no_row_at_all_cannot_be_kept() -> None:
    found = planned(long_tape(), Asked(PlanKind.COMPACT, keep_last=0))
    assert found.compaction is not None
    assert found.compaction.moved_because[0] == "0 rows cannot be kept: the last one always is"


# Where a tape is made.


@pytest.mark.parametrize(
    ("own", "to", "made"),
    [(1, "/s/new.jsonl", "/into/new.jsonl"), (2, "/s/new/log", "/into/new/log")],
)
def test_a_tape_is_made_in_the_folder_that_is_asked_for_with_its_own_names(
    own: int, to: str, made: str
) -> None:
    tape = long_tape()
    write = Write(Path(to), How.CREATE, content, own)
    tape.owner.draft = Draft((write,), 2, place=("beside it",))
    tape.owner.mends = Repair((Closer("x", "added", "x"),), tape.owner.draft)
    for asked in (
        Asked(FORK, 2, into=Path("/into")),
        Asked(PlanKind.COMPACT, summary="short", into=Path("/into")),
        Asked(PlanKind.REPAIR, into=Path("/into")),
    ):
        found = plan(tape.tape, asked, MAKING, lambda path: path == Path(made), lambda _path: True)
        assert [str(write.to) for write, _ in found.writes] == [made]
        assert check_of(found, "target").message == f"{made} exists already"
        assert check_of(found, "into").ok
        assert "beside it" not in found.remarks
    assert "beside it" in planned(tape, Asked(FORK, 2)).remarks


def test_a_folder_that_is_not_there_is_a_broken_check() -> None:
    asked = Asked(FORK, 2, into=Path("/into"))
    found = plan(long_tape().tape, asked, MAKING, lambda _path: False, lambda _path: False)
    assert check_of(found, "into") == Check("into", ok=False, message="/into is no folder")
    assert not found.is_sound


def test_a_name_that_leads_out_of_the_folder_is_refused() -> None:
    tape = long_tape()
    tape.owner.draft = Draft((Write(Path("/s/../x"), How.CREATE, content, 2),), 2)
    with pytest.raises(PlanError, match="leads out of its folder"):
        planned(tape, Asked(FORK, 2, into=Path("/into")))


def test_what_is_appended_is_made_in_no_folder() -> None:
    tape = long_tape()
    for asked in (Asked(FORK, 2, How.APPEND), Asked(PlanKind.RESUME)):
        with pytest.raises(PlanError, match="it is an append"):
            planned(tape, replace(asked, into=Path("/into")))


@pytest.mark.parametrize(
    "making",
    [
        *(Making(name, 1) for name in ("", "a/b", "..", "../x", "a\\b", "a\0", "a..b", "-a")),
        *(Making("a" * 129, 1), Making("a", -1), Making("a", 10**18)),
    ],
)
def test_an_identity_that_names_no_file_is_refused(making: Making) -> None:
    with pytest.raises(PlanError, match="no such id or time"):
        plan(long_tape().tape, Asked(FORK, 2), making, lambda _path: False)


def test_the_launching_message_is_quoted_up_to_a_limit() -> None:
    tape = Planned()
    tape.human("x" * (QUOTED + 5))
    for _ in range(15):
        tape.assistant()
    found = planned(tape, Asked(PlanKind.COMPACT, summary="short"))
    assert found.compaction is not None
    quoted = re.search("x+", found.compaction.summary or "")
    assert quoted is not None
    assert len(quoted[0]) == QUOTED
    assert (found.compaction.summary or "").startswith("The first 40,000 of 40,005 characters of")
    assert "[the message goes on]\n\nshort" in (found.compaction.summary or "")


KEY = "ghp_0123456789abcdefghijABCDEFGHIJ012345"


@pytest.mark.parametrize("shown", [4, 10, 20, 39])
@pytest.mark.parametrize("degraded", [True, False])
def test_a_secret_at_the_end_of_a_quoted_launch_is_not_shown(shown: int, degraded: bool) -> None:
    tape = Planned()
    tape.human("x" * (QUOTED - shown - 1) + f" {KEY} and more")
    for at in range(19):
        tape.assistant(f"answer {at}")
    summary = None if degraded else "short"
    found = planned(tape, Asked(PlanKind.COMPACT, summary=summary, degraded=degraded))
    assert found.compaction is not None
    told = found.compaction.summary or ""
    assert told.startswith("The first 40,000 of ")
    assert "x [REDACTED]\n\n[the message goes on]" in told
    assert KEY[:4] not in told
    # What would be written is word for word.
    assert any(f"x {KEY[:shown]}\n\n" in asked for asked in tape.owner.asked)


@pytest.mark.parametrize("length", range(360, 401, 4))
def test_a_secret_at_the_end_of_a_line_is_not_in_the_fallback(length: int) -> None:
    class Short(Planned):
        def node_headline(self, node: int) -> Headline:
            found = super().node_headline(node)
            return replace(found, text=found.text[:400])

    tape = Short()
    tape.human("please")
    for at in range(19):
        tape.assistant(f"{at:>2}{'x' * (length - 3)} {KEY} and more")
    found = planned(tape, Asked(PlanKind.COMPACT, degraded=True))
    assert found.compaction is not None
    assert KEY[:4] not in (found.compaction.summary or "")
    assert all(KEY[:4] not in asked for asked in tape.owner.asked)


def test_the_fallback_is_marked_degraded() -> None:
    found = planned(long_tape(), Asked(PlanKind.COMPACT, degraded=True))
    assert found.compaction is not None
    assert found.compaction.degraded
    assert MARK in (found.compaction.summary or "")
    assert check_of(found, "summary").message.startswith("degraded")
    given_one = planned(long_tape(), Asked(PlanKind.COMPACT, summary="so", degraded=True))
    assert given_one.compaction is not None
    assert not given_one.compaction.degraded


@pytest.mark.parametrize(
    ("rows", "summary", "rule", "message"),
    [
        (11, "so", "worth-it", "nothing worth it: 11 rows, fewer than 12"),
        (20, None, "summary", "no summary yet: give one in a file, or ask for the degraded one"),
        (20, " \n", "summary", "the summary says nothing"),
    ],
)
def test_each_check_of_a_compaction_is_seen_broken(
    rows: int, summary: str | None, rule: str, message: str
) -> None:
    found = planned(long_tape(rows), Asked(PlanKind.COMPACT, summary=summary))
    assert check_of(found, rule) == Check(rule, ok=False, message=message)
    assert not found.is_sound
    accounts_for_all(long_tape(rows).tape, found)


def test_as_many_rows_are_kept_as_asked_for() -> None:
    found = planned(long_tape(), Asked(PlanKind.COMPACT, keep_last=3, summary="so"))
    assert found.compaction is not None
    assert (found.compaction.safe, found.compaction.owner[1]) == (16, "keeps 3")


# Repair and resume.


def test_a_repair_of_a_whole_tape_does_nothing(tape: Planned) -> None:
    found = planned(tape, Asked(PlanKind.REPAIR))
    assert (found.closers, found.writes, found.kept, found.left) == ((), (), 6, {})
    assert check_of(found, "needed").message == "nothing to repair"
    assert found.is_sound


def test_a_repair_tells_what_is_mended_and_where(tape: Planned) -> None:
    closer = Closer("turn/end", "added", "ends the turn")
    write = Write(PATH, How.APPEND, lambda: iter((b"end",)))
    tape.owner.mends = Repair((closer,), Draft((write,), 5, {"dropped": 1}, remarks=("so",)))
    found = planned(tape, Asked(PlanKind.REPAIR))
    assert found.closers == (closer,)
    assert (found.how, found.kept, found.left) == (How.APPEND, 5, {"dropped": 1})
    assert [size for _, size in found.writes] == [3]
    assert check_of(found, "torn-tail").ok
    assert check_of(found, "needed").message == "1 to be mended"
    accounts_for_all(tape.tape, found)
    tape.found = [Finding(TORN_TAIL, 6, None, "the tape ends inside a record")]
    assert not planned(tape, Asked(PlanKind.REPAIR)).is_sound


def test_a_repair_in_memory_says_why_nothing_is_written(tape: Planned) -> None:
    closer = Closer("call", "dropped", "has no result")
    tape.owner.mends = Repair((closer,), None, "in memory alone")
    found = planned(tape, Asked(PlanKind.REPAIR))
    assert (found.writes, found.remarks, found.kept) == ((), ("in memory alone",), 6)


def test_a_tape_that_nobody_mends_is_not_said_to_need_nothing(tape: Planned) -> None:
    tape.owner.mends = Repair((), None, "the owner refuses it: a frame is corrupt")
    found = planned(tape, Asked(PlanKind.REPAIR))
    check = check_of(found, "needed")
    assert (check.ok, check.message) == (False, "the owner refuses it: a frame is corrupt")
    assert not found.is_sound
    assert found.remarks == ()


def test_a_call_that_nobody_closes_is_told_by_the_repair() -> None:
    made = Planned()
    made.human("please")
    made.call("one")
    found = planned(made, Asked(PlanKind.REPAIR))
    assert check_of(found, "needed").message == "nothing to repair"
    check = check_of(found, "pairing")
    assert (check.ok, check.blocks) == (False, False)
    assert check.message == (
        "1 row makes a call without a result, the first of #1: the owner adds none"
    )
    closer = Closer("tool/result", "added", "interrupted", "one")
    made.owner.mends = Repair((closer,), None, "in memory alone")
    rules = {check.rule for check in planned(made, Asked(PlanKind.REPAIR)).checks}
    assert "pairing" not in rules
    other = made.call("two")
    check = check_of(planned(made, Asked(PlanKind.REPAIR)), "pairing")
    assert f"1 row makes a call without a result, the first of #{other}" in check.message


def test_a_result_of_no_call_about_which_nothing_is_done_is_told_by_the_repair() -> None:
    made = Planned()
    made.human("please")
    stray = made.result("none")
    check = check_of(planned(made, Asked(PlanKind.REPAIR)), "pairing")
    assert (check.ok, check.blocks) == (False, False)
    assert check.message == (
        f"1 result stands without a call, the first of #{stray}: nothing is done about that"
    )
    made.owner.mends = Repair((Closer("line", "dropped", "gone", event=stray),), None, "in memory")
    rules = {check.rule for check in planned(made, Asked(PlanKind.REPAIR)).checks}
    assert "pairing" not in rules


def test_a_resume_shows_the_next_request(tape: Planned) -> None:
    found = planned(tape, Asked(PlanKind.RESUME, 2))
    assert [entry.node for entry in found.request] == list(tape.rows[:2])
    assert (found.kept, found.left, found.writes) == (2, {"behind the cursor": 4}, ())
    assert check_of(found, "verdict").message == "the owner opens the tape"
    assert check_of(found, "settled").ok
    assert found.is_sound
    # Whose request it is: that of a cursor, at which the owner does not go on itself.
    assert found.cut is not None
    assert (found.cut.asked, found.cut.taken, found.cut.before, found.cut.after) == (2, 2, 1, 3)
    check = check_of(found, "at-head")
    assert (check.ok, check.blocks) == (False, False)
    assert "cursor 2 is past: the owner goes on at the head, 6, alone" in check.message
    assert "to go on from 2 make a fork there" in check.message
    accounts_for_all(tape.tape, found)


def test_a_session_that_the_owner_does_not_take_up_is_not_resumed(tape: Planned) -> None:
    assert "resumable" not in {check.rule for check in planned(tape, Asked(PlanKind.RESUME)).checks}
    tape.owner.open = {How.APPEND: "it is a child", How.CREATE: "the owner goes on in its log"}
    found = planned(tape, Asked(PlanKind.RESUME))
    check = check_of(found, "resumable")
    assert (check.ok, check.blocks) == (False, True)
    assert check.message == "it is a child; the request is what would be sent otherwise"
    assert not found.is_sound


def test_a_resume_at_the_head_is_one_of_its_cursor(tape: Planned) -> None:
    found = planned(tape, Asked(PlanKind.RESUME))
    assert found.cut == planned(tape, Asked(PlanKind.RESUME, 6)).cut
    assert (found.kept, found.remarks) == (6, ())
    assert "at-head" not in {check.rule for check in found.checks}


def test_a_resume_within_a_turn_says_so(tape: Planned, monkeypatch: pytest.MonkeyPatch) -> None:
    within = Cuts(6, [(WITHIN_TURN, [(2, 4)]), (CALL_WITHOUT_RESULT, [(2, 4)])])
    monkeypatch.setattr(tape.owner, "cuts", lambda _kind, _how: within)
    found = planned(tape, Asked(PlanKind.RESUME, 3))
    check = check_of(found, "open-turn")
    assert (check.ok, check.blocks, found.is_sound) == (False, False, True)
    rules = {check.rule for check in planned(tape, Asked(PlanKind.RESUME, 4)).checks}
    assert rules == {"verdict", "settled", "at-head"}


@pytest.mark.parametrize(
    ("verdict", "at", "ok"),
    [
        (Verdict("the owner", opens=False, reason="too old"), 2, False),
        (Verdict("the owner", "partly", "bad line", 3), 3, True),
        (Verdict("the owner", "partly", "bad line", 3), 4, False),
        (Verdict("the owner", "partly", "bad line"), 6, True),
    ],
)
def test_a_tape_that_the_owner_refuses_is_not_resumed(
    verdict: Verdict, at: int, ok: bool, tape: Planned
) -> None:
    tape.judged = verdict
    found = planned(tape, Asked(PlanKind.RESUME, at))
    check = check_of(found, "verdict")
    assert (check.ok, found.is_sound) == (ok, ok)
    if not ok:
        assert check.message == verdict.reason


def test_a_cursor_that_is_not_settled_is_told(tape: Planned) -> None:
    tape.builder.event = tape.timeline.events
    tape.builder.settle(False)
    tape.nothing()
    check = check_of(planned(tape, Asked(PlanKind.RESUME)), "settled")
    assert (check.ok, check.blocks) == (False, False)


def test_a_resume_says_what_it_goes_past(tape: Planned) -> None:
    tape.builder.doubt(1)
    check = check_of(planned(tape, Asked(PlanKind.RESUME)), "reliable")
    assert (check.ok, check.blocks) == (False, False)
    assert "past something unread at cursor 1" in check.message
    rules = {check.rule for check in planned(tape, Asked(PlanKind.RESUME, 1)).checks}
    assert rules == {"verdict", "settled", "at-head"}
