"""What a person does in the library, without a screen."""

from dataclasses import replace

import pytest

from inspector.library.keeping_up import Gone
from inspector.library.roots import Place
from inspector.library.row import Row
from inspector.library.shelf import Heading, identity
from inspector.ui.library.browsing import Browsing
from inspector.ui.library.learned import Facts
from inspector.ui.library.rows import bottom
from inspector.ui.library.words import verdict_word
from tests.ui.library.shelves import AT, HOME, NOW, ROWS, visit


def in_hand(browsing: Browsing) -> str:
    row = browsing.shelf.selected
    return "" if row is None else row.title or row.path.name


def write(browsing: Browsing, words: str) -> None:
    browsing.typing = True
    for letter in words:
        browsing.write(letter)


def test_the_latest_session_is_in_hand_until_the_person_takes_another() -> None:
    browsing = visit(ROWS[1:])
    assert in_hand(browsing) == "Look for clocks that are not faked"
    browsing.take(ROWS[:1])
    assert in_hand(browsing) == "Fix the flaky login suite"


def test_what_comes_later_moves_nothing_that_was_taken_in_hand() -> None:
    browsing = visit(ROWS[1:])
    browsing.move(1)
    before = browsing.line
    browsing.take(
        [replace(ROWS[0], title=f"new {n}", place=str(HOME / f"{n}.jsonl")) for n in range(9)]
    )
    assert in_hand(browsing).startswith("修复登录测试")
    assert browsing.line == (before or 0) + 9


def test_moving_passes_over_headings() -> None:
    browsing = visit(ROWS)
    seen = [in_hand(browsing)]
    for _ in range(10):
        browsing.move(1)
        seen.append(in_hand(browsing))
    assert len(set(seen)) == len(ROWS)
    browsing.edge(0)
    assert in_hand(browsing) == seen[0]
    browsing.edge(1)
    assert in_hand(browsing) == "A plan for the orchard"


def test_one_goes_from_group_to_group() -> None:
    browsing = visit(ROWS)
    assert browsing.heading(1)
    assert in_hand(browsing).startswith("修复登录测试")
    assert browsing.heading(1)
    assert browsing.heading(-1)
    assert in_hand(browsing).startswith("修复登录测试")
    assert browsing.heading(-1)
    assert not browsing.heading(-1)


def test_a_heading_is_not_taken_in_hand() -> None:
    browsing = visit(ROWS)
    assert isinstance(browsing.shelf.line(0), Heading)
    assert not browsing.pick(0)
    assert not browsing.pick(99)
    assert browsing.pick(2)


def test_groupings_go_round_both_ways_and_the_row_stays_in_hand() -> None:
    browsing = visit(ROWS)
    browsing.move(2)
    words = [browsing.grouping]
    for _ in range(3):
        browsing.regroup(1)
        words.append(browsing.grouping)
        assert in_hand(browsing).startswith("修复登录测试")
    assert words == [
        "by last activity",
        "by agent and project",
        "by project",
        "by last activity",
    ]
    browsing.regroup(-1)
    assert browsing.grouping == "by project"


def test_words_are_looked_for_as_they_are_typed_and_all_must_be_there() -> None:
    browsing = visit(ROWS)
    write(browsing, "LOGIN fla")
    assert (browsing.sought.words, browsing.sought.found) == ("LOGIN fla", 1)
    browsing.erase("word")
    assert browsing.sought.words == "LOGIN "
    browsing.erase("letter")
    browsing.erase("letter")
    assert browsing.sought.words == "LOGI"
    browsing.erase("all")
    assert (browsing.sought.words, browsing.lines) == ("", visit(ROWS).lines)


def test_a_search_that_is_cleared_leaves_the_list_as_it_was() -> None:
    browsing = visit(ROWS)
    browsing.move(3)
    before = in_hand(browsing)
    write(browsing, "clocks")
    assert in_hand(browsing) == "Look for clocks that are not faked"
    assert browsing.clear()
    assert in_hand(browsing) == before
    assert not browsing.clear()


def test_what_was_found_and_taken_stays_in_hand_when_the_search_is_cleared() -> None:
    browsing = visit(ROWS)
    browsing.move(3)
    write(browsing, "lantern")
    browsing.move(1)
    found = in_hand(browsing)
    browsing.clear()
    assert in_hand(browsing) == found


def test_what_is_gone_goes_with_a_word() -> None:
    browsing = visit(ROWS)
    browsing.move(1)
    said = browsing.take([Gone(ROWS[1].path, None)])
    assert said == "Look for clocks that are not faked is gone"
    assert in_hand(browsing).startswith("修复登录测试")
    said = browsing.take([Gone(ROWS[0].path, None), Gone(ROWS[3].path, None)])
    assert said == "2 sessions gone"


def test_what_could_not_be_read_is_no_session_that_is_gone() -> None:
    browsing = visit(ROWS)
    browsing.move(1)
    said = browsing.take([Gone(ROWS[0].path, None), Gone(ROWS[4].path, None)])
    assert said == "1 session gone"
    browsing = visit(ROWS)
    assert browsing.take([Gone(ROWS[4].path, None)]) == ""
    browsing = visit(ROWS)
    browsing.shelf.select(identity(ROWS[4]))
    said = browsing.take([Gone(ROWS[4].path, None)])
    assert said == "02/rollout-torn.jsonl is not listed any more"


def facts(row: Row, **more: object) -> Facts:
    told = Facts(row.bytes, row.last, 12_345, False, "its header is none")
    return told._replace(**more)  # type: ignore[arg-type]


def test_facts_take_the_place_of_estimates() -> None:
    browsing = visit(ROWS)
    browsing.learn(ROWS[0], facts(ROWS[0]))
    row = browsing.shelf.selected
    assert row is not None
    assert (row.events, row.estimated, row.opens) == (12_345, False, False)
    assert row.reason == "its header is none"
    assert browsing.knows(row)


def held(browsing: Browsing) -> Row:
    row = browsing.shelf.row(identity(ROWS[0]))
    assert row is not None
    return row


def test_facts_stay_when_the_same_is_found_again() -> None:
    browsing = visit(ROWS)
    browsing.learn(ROWS[0], facts(ROWS[0]))
    browsing.take([ROWS[0]])
    assert held(browsing).events == 12_345
    assert browsing.knows(held(browsing))
    assert browsing.as_of(held(browsing)) is None


def test_a_session_that_grows_keeps_its_title_and_verdict_until_more_is_known() -> None:
    browsing = visit(ROWS)
    browsing.learn(ROWS[0], facts(ROWS[0], title="The owner's title", reason="too new"))
    size = ROWS[0].bytes or 0
    for more, events in ((1, 12_400), (2, 12_345), (3, 13_000)):
        browsing.take([replace(ROWS[0], last=NOW, bytes=size + more, events=events)])
        row = held(browsing)
        assert (row.title, row.opens, row.reason) == ("The owner's title", False, "too new")
        assert (row.events, row.estimated) == (max(events, 12_345), True)
        assert not browsing.knows(row)
        assert browsing.as_of(row) == 12_345
    strip = ["".join(cell.text for cell in line) for line in bottom(browsing, 120, 7)]
    assert any(" · read up to 12,345 events · " in line for line in strip)
    row = held(browsing)
    browsing.learn(row, facts(row, events=13_500, title="A later one", opens=True, reason=None))
    row = held(browsing)
    assert (row.title, row.events, row.estimated, row.opens) == ("A later one", 13_500, False, True)
    assert browsing.as_of(row) is None


def test_what_the_ends_of_a_grown_session_tell_for_sure_is_told() -> None:
    browsing = visit(ROWS)
    browsing.learn(ROWS[0], facts(ROWS[0], opens=True, reason=None))
    grown = replace(ROWS[0], last=NOW, bytes=(ROWS[0].bytes or 0) + 9)
    browsing.take([replace(grown, events=12_350, estimated=False, opens=False, reason="torn")])
    row = held(browsing)
    assert (row.events, row.estimated) == (12_350, False)
    assert (row.opens, row.reason) == (False, "torn")


@pytest.mark.parametrize(
    "other",
    [
        replace(ROWS[0], bytes=12),
        replace(ROWS[0], id="another", last=NOW),
        replace(ROWS[0], problem="permission denied", last=NOW),
    ],
)
def test_facts_go_when_it_is_another_session(other: Row) -> None:
    browsing = visit(ROWS)
    browsing.learn(ROWS[0], facts(ROWS[0]))
    browsing.take([other])
    assert held(browsing) == other
    assert (browsing.knows(other), browsing.as_of(other)) == (False, None)


def test_what_could_not_be_read_is_no_fact_of_what_grew() -> None:
    browsing = visit(ROWS)
    browsing.learn(ROWS[0], facts(ROWS[0], events=None, opens=None, problem="its header is torn"))
    assert held(browsing).problem == "its header is torn"
    browsing.take([replace(ROWS[0], last=NOW, bytes=(ROWS[0].bytes or 0) + 9)])
    assert held(browsing).problem is None


UNREADABLE = {"events": None, "opens": None, "reason": None, "problem": "permission denied"}


def test_why_it_could_not_be_read_does_not_outlast_a_look_that_finds_it_as_it_was() -> None:
    browsing = visit(ROWS)
    browsing.learn(ROWS[0], facts(ROWS[0], **UNREADABLE))
    assert held(browsing).problem == "permission denied"
    browsing.take([ROWS[0]])
    assert held(browsing) == ROWS[0]


def test_why_it_could_not_be_read_is_told_until_somebody_looks_again() -> None:
    browsing = visit(ROWS)
    browsing.learn(ROWS[0], facts(ROWS[0], **UNREADABLE))
    browsing.learn(ROWS[3], facts(ROWS[3], events=7))
    # It is no fact: it is read again in a while, as the one that was found.
    assert not browsing.knows(held(browsing))
    assert browsing.found(held(browsing)) == ROWS[0]
    assert browsing.forget_problems() == 1
    assert held(browsing) == ROWS[0]
    other = browsing.shelf.row(identity(ROWS[3]))
    assert other is not None
    assert other.events == 7


def test_where_a_folder_can_be_listed_again_all_in_it_may_be_read() -> None:
    browsing = visit(ROWS)
    browsing.learn(ROWS[0], facts(ROWS[0], **UNREADABLE))
    browsing.take([Gone(ROWS[4].path, None)])
    assert held(browsing) == ROWS[0]


def test_facts_do_not_hide_that_it_cannot_be_read_any_more() -> None:
    browsing = visit(ROWS)
    browsing.learn(ROWS[0], facts(ROWS[0]))
    worse = replace(ROWS[0], problem="permission denied")
    browsing.take([worse])
    assert held(browsing) == worse


def test_what_was_not_known_when_it_was_found_stays_said() -> None:
    browsing = visit([replace(ROWS[0], reason="metadata.json cannot be read"), *ROWS[1:]])
    assert verdict_word(held(browsing)) == ("metadata.json cannot be read", "notice")
    browsing.learn(held(browsing), facts(ROWS[0], opens=True, reason=None))
    assert verdict_word(held(browsing)) == ("opens, metadata.json cannot be read", "notice")
    assert held(browsing).events == 12_345


def test_what_grew_while_it_was_read_is_not_shown_as_it_was() -> None:
    browsing = visit(ROWS)
    grown = replace(ROWS[0], last=NOW, bytes=(ROWS[0].bytes or 0) + 9)
    browsing.take([grown])
    browsing.learn(ROWS[0], facts(ROWS[0]))
    row = held(browsing)
    assert (row.last, row.bytes, row.estimated) == (NOW, grown.bytes, True)
    assert browsing.as_of(row) == 12_345
    browsing.take([Gone(grown.path, None)])
    browsing.learn(ROWS[0], facts(ROWS[0]))
    assert browsing.shelf.row(identity(ROWS[0])) is None


def test_what_was_read_in_part_is_never_exact() -> None:
    browsing = visit(ROWS)
    told = facts(ROWS[0], opens=True, reason="read in part: the limit", part=True)
    browsing.learn(ROWS[0], told)
    row = held(browsing)
    assert (row.events, row.estimated) == (12_345, True)
    assert verdict_word(row)[0] == "opens, read in part: the limit"


def test_of_what_comes_and_goes_at_once_the_last_counts() -> None:
    browsing = visit(ROWS)
    new = replace(ROWS[0], place=str(HOME / "new.jsonl"))
    assert browsing.take([new, Gone(new.path, None)]) == "1 session gone"
    assert browsing.shelf.row(identity(new)) is None
    assert browsing.take([Gone(ROWS[0].path, None), ROWS[0]]) == ""
    assert browsing.shelf.row(identity(ROWS[0])) == ROWS[0]


def test_that_something_is_gone_is_said_for_a_while_or_until_it_is_there_again() -> None:
    browsing = visit(ROWS)
    said = browsing.take([Gone(ROWS[0].path, None)])
    assert said == "Fix the flaky login suite is gone"
    assert not browsing.is_over(said)
    assert not browsing.is_over("another message")
    browsing.take([ROWS[0]])
    assert browsing.is_over(said)
    said = browsing.take([Gone(ROWS[0].path, None)])
    browsing._now = lambda: NOW + 10_000
    assert browsing.is_over(said)


def test_whether_a_place_is_there_is_what_was_seen_last() -> None:
    places = [Place(HOME / ".dsh/sessions", there=False), Place(HOME / ".codex/sessions")]
    browsing = visit(places=places)
    assert [one.found for one in browsing.looked] == ["not there", "empty"]
    browsing.found_there = {HOME / ".dsh/sessions": "permission denied"}
    assert [one.found for one in browsing.looked] == ["permission denied", "empty"]


def test_headings_are_told_where_they_are_out_of_sight() -> None:
    browsing = visit(ROWS)
    assert browsing.above(0) == []
    assert [heading.text for heading in browsing.above(2)] == ["today"]
    assert browsing.above(99) == []


def test_the_header_counts_what_was_found() -> None:
    browsing = visit(ROWS)
    tally = browsing.tally
    assert (tally.sessions, tally.agents, tally.unreadable) == (5, 4, 1)
    assert tally.looking is None
    browsing.done, browsing.looking = False, ROWS[0].path
    assert browsing.tally.looking == "~/.claude/projects/-home-mara-lantern"


def test_nothing_is_there_only_when_all_was_looked_at() -> None:
    browsing = visit()
    assert browsing.nothing
    browsing.done = False
    assert not browsing.nothing
    assert not visit(ROWS[4:5]).nothing


@pytest.mark.parametrize(("minutes", "drawn"), [(0, False), (1, True), (60 * 24, True)])
def test_times_are_told_anew_when_a_minute_is_over(minutes: int, drawn: bool) -> None:
    browsing = visit(ROWS)
    before = browsing.state
    now = NOW + minutes * 60_000
    browsing._now = lambda: now
    browsing.pass_time()
    assert (browsing.state != before) is drawn
    assert browsing.at == AT._replace(now=now)
