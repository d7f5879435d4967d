from collections.abc import Callable
from pathlib import Path

import pytest

from inspector.bookmarks import anchored
from inspector.formats.contract import Tape
from inspector.inspection import EVENTS_PER_SECOND, SPEEDS, Inspection, Stop
from inspector.tape import lines
from tests.dsh_tapes import Log, call_block, folded, opened

EVENT, TURN, SURFACE = Stop.EVENT, Stop.TURN, Stop.SURFACE


def session() -> Log:
    """Two turns with everything that one steps to.

    0 turn 1 · 1 user · 2 answer · 3 call · 4 result failed · 5 prune · 6 cut result · 7 end
    8 turn 2 · 9 user · 10 11 chunks · 12 compact · 13 summary · 14 checkpoint · 15 done · 16 end
    17 rejected
    """
    log = Log()
    log.turn(1)
    log.user("one")
    log.assistant(call_block("c1"))
    log.call("c1")
    log.result("c1", failed=True)
    log.event("compaction/prune", {"shadowedSeqs": [4]})
    log.rewrite(4)
    log.turn_end(1)
    log.turn(2)
    log.user("two")
    log.packed("a", "b")
    log.compaction()
    log.summary()
    log.checkpoint(1, 9, [1, 2, 6, 9])
    log.compaction_end()
    log.turn_end(2)
    log.event("todo/write", {}, more=1)
    return log


EVENTS = 18


@pytest.fixture
def tape(tmp_path: Path) -> Tape:
    return folded(session(), tmp_path)


@pytest.fixture
def visit(tape: Tape) -> Inspection:
    """A visit to the whole tape, at its head."""
    inspection = Inspection(tape)
    inspection.grown()
    return inspection


def stops(visit: Inspection, stop: Stop, direction: int) -> list[int]:
    """Every cursor at which one stops, from one end of the tape to the other."""
    visit.seek(0 if direction > 0 else visit.head)
    found: list[int] = []
    while visit.step(stop, direction):
        found.append(visit.cursor)
    return found


# The cursor.


def test_a_visit_begins_at_the_head(visit: Inspection) -> None:
    assert (visit.cursor, visit.head, visit.word) == (EVENTS, EVENTS, "HEAD")
    assert (visit.last_folded, visit.selected, visit.free) == (EVENTS - 1, EVENTS - 1, False)


@pytest.mark.parametrize(
    ("asked", "cursor", "word", "last"),
    [
        (0, 0, "before", None),
        (1, 1, "REPLAY", 0),
        (17, 17, "REPLAY", 16),
        (18, 18, "HEAD", 17),
        (99, 18, "HEAD", 17),
        (-5, 0, "before", None),
    ],
)
def test_seeking_goes_as_near_as_the_tape_allows(
    asked: int, cursor: int, word: str, last: int | None, visit: Inspection
) -> None:
    visit.seek(asked)
    assert (visit.cursor, visit.word, visit.last_folded) == (cursor, word, last)


def test_an_empty_tape_is_at_its_head(tmp_path: Path) -> None:
    visit = Inspection(folded(Log(), tmp_path))
    visit.grown()
    visit.seek(3)
    assert (visit.cursor, visit.head, visit.word) == (0, 0, "HEAD")
    assert (visit.last_folded, visit.selected, visit.turn()) == (None, None, None)
    assert [visit.step(stop, direction) for stop in Stop for direction in (1, -1)] == [
        False
    ] * 2 * len(Stop)
    visit.select(4)
    visit.move_selection(1)
    assert (visit.selected, visit.free, visit.enter()) == (None, False, False)


# Steps.

BY_CLASS = {
    Stop.EVENT: list(range(EVENTS + 1)),
    Stop.TURN: [1, 9],
    Stop.SURFACE: [2, 3, 5, 7, 10, 15],
    Stop.COMPACTION: [7, 15],
    Stop.ERROR: [5],
    Stop.USER: [2, 10],
    Stop.TOOL_CALL: [4],
    Stop.MARK: [2, 5, 7, 10, 15, 18],
    Stop.BRANCH: [],
}
"""The cursors of each class, without the ends of the tape where nothing is."""


@pytest.mark.parametrize("stop", Stop)
def test_steps_go_from_place_to_place_both_ways(stop: Stop, visit: Inspection) -> None:
    places = BY_CLASS[stop]
    assert stops(visit, stop, 1) == [place for place in places if place > 0]
    assert stops(visit, stop, -1) == [place for place in reversed(places) if place < EVENTS]


def test_a_mark_of_any_class_is_a_bookmark_too(visit: Inspection) -> None:
    for letter, event in (("a", 10), ("b", 4), ("c", 12)):
        visit.bookmarks.set(letter, anchored(visit.tape, event))
    places = [2, 5, 7, 10, 11, 13, 15, 18]
    assert stops(visit, Stop.MARK, 1) == places
    assert stops(visit, Stop.MARK, -1) == places[-2::-1]
    visit.bookmarks.remove("a")
    assert 11 not in stops(visit, Stop.MARK, 1)


def test_a_branching_is_where_another_tape_is_told_of_and_where_copies_end(
    visit: Inspection,
) -> None:
    branchings = visit.timeline.branchings
    branchings.tell(9, "child")
    branchings.tell(9, "other")
    branchings.tell(12, "child")
    branchings.add(3)
    assert stops(visit, Stop.BRANCH, 1) == [4, 10, 13]
    assert stops(visit, Stop.BRANCH, -1) == [13, 10, 4]
    assert branchings.tapes(9) == ("child", "other")
    assert (branchings.teller("child"), branchings.teller("nobody")) == (9, None)


def test_every_class_is_tried_above() -> None:
    assert set(BY_CLASS) == set(Stop)


@pytest.mark.parametrize(
    ("start", "stop", "count", "went", "cursor"),
    [
        (0, EVENT, 5, True, 5),
        (5, EVENT, -3, True, 2),
        (5, EVENT, -99, True, 0),
        (5, EVENT, 99, True, 18),
        (5, EVENT, 0, False, 5),
        (0, EVENT, -1, False, 0),
        (18, EVENT, 1, False, 18),
        (0, TURN, 2, True, 9),
        (0, TURN, 99, True, 9),
        (9, TURN, 1, False, 9),
        (9, TURN, -1, True, 1),
        (12, TURN, -1, True, 9),
        (12, TURN, -2, True, 1),
        (12, TURN, -99, True, 1),
        (1, TURN, -1, False, 1),
        (0, TURN, 0, False, 0),
        (0, SURFACE, 3, True, 5),
        (6, SURFACE, 1, True, 7),
        (6, SURFACE, -2, True, 3),
        (15, SURFACE, 1, False, 15),
        (2, SURFACE, -1, False, 2),
        (18, Stop.MARK, -1, True, 15),
        (16, Stop.MARK, 5, True, 18),
        (3, Stop.USER, 1, True, 10),
        (3, Stop.USER, -1, True, 2),
        (0, Stop.ERROR, 1, True, 5),
        (18, Stop.TOOL_CALL, -1, True, 4),
    ],
)
def test_steps_with_a_count(
    start: int, stop: Stop, count: int, went: bool, cursor: int, visit: Inspection
) -> None:
    visit.seek(start)
    assert (visit.step(stop, count), visit.cursor) == (went, cursor)


def test_a_step_that_goes_nowhere_tells_nobody_and_keeps_the_selection(visit: Inspection) -> None:
    visit.select(3)
    calls: list[int] = []
    visit.watch(lambda: calls.append(visit.cursor))
    assert visit.step(Stop.EVENT, 1) is False
    assert (calls, visit.selected) == ([], 3)


def test_no_class_leads_beyond_what_is_published(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines, "CHUNK", 100)
    tape = opened(session(), tmp_path)
    visit = Inspection(tape)
    while tape.advance():
        visit.grown()
        for stop in Stop:
            visit.seek(0)
            while visit.step(stop, 1):
                assert visit.cursor <= tape.timeline.events


# The selection.


def test_the_selection_follows_the_cursor_until_it_is_freed(visit: Inspection) -> None:
    visit.seek(5)
    assert (visit.selected, visit.free) == (4, False)
    visit.select(9)
    assert (visit.selected, visit.free, visit.cursor) == (9, True, 5)
    visit.select(None)
    assert (visit.selected, visit.free) == (4, False)


def test_a_step_locks_the_selection_again(visit: Inspection) -> None:
    visit.seek(5)
    visit.select(9)
    visit.step(Stop.EVENT, 1)
    assert (visit.selected, visit.free) == (5, False)


@pytest.mark.parametrize(("asked", "selected"), [(-1, 0), (0, 0), (17, 17), (18, 17), (99, 17)])
def test_only_what_is_there_is_selected(asked: int, selected: int, visit: Inspection) -> None:
    visit.select(asked)
    assert visit.selected == selected


@pytest.mark.parametrize(
    ("start", "rows", "selected"), [(5, 1, 5), (5, -1, 3), (5, 99, 17), (5, -99, 0), (0, 3, 0)]
)
def test_moving_the_selection_frees_it(
    start: int, rows: int, selected: int, visit: Inspection
) -> None:
    visit.seek(start)
    visit.move_selection(rows)
    assert (visit.selected, visit.free, visit.cursor) == (selected, True, start)


def test_a_free_selection_moves_on_from_where_it_is(visit: Inspection) -> None:
    visit.select(5)
    visit.move_selection(2)
    visit.move_selection(-1)
    assert visit.selected == 6


def test_the_lock_is_toggled(visit: Inspection) -> None:
    visit.seek(5)
    visit.toggle_lock()
    assert (visit.selected, visit.free) == (4, True)
    visit.toggle_lock()
    assert (visit.selected, visit.free) == (4, False)


def test_entering_seeks_to_a_free_selection(visit: Inspection) -> None:
    visit.seek(5)
    assert visit.enter() is False
    visit.select(9)
    assert visit.enter() is True
    assert (visit.cursor, visit.selected, visit.free) == (10, 9, False)


# Playing.


def test_a_visit_does_not_move_by_itself(visit: Inspection) -> None:
    visit.seek(0)
    visit.pass_time(60.0)
    assert (visit.cursor, visit.playing) == (0, False)


def test_time_moves_a_playing_visit(visit: Inspection) -> None:
    visit.seek(0)
    visit.toggle_play()
    visit.pass_time(1.0)
    assert (visit.playing, visit.cursor) == (True, EVENTS_PER_SECOND)


def test_parts_of_an_event_add_up(visit: Inspection) -> None:
    visit.seek(0)
    visit.toggle_play()
    cursors = []
    for _ in range(8):
        visit.pass_time(1 / 32)
        cursors.append(visit.cursor)
    assert cursors == [0, 0, 0, 1, 1, 1, 1, 2]


@pytest.mark.parametrize(("steps", "speed", "cursor"), [(0, 1.0, 8), (1, 2.0, 16), (-1, 0.5, 4)])
def test_the_speed_says_how_fast(steps: int, speed: float, cursor: int, visit: Inspection) -> None:
    visit.seek(0)
    visit.change_speed(steps)
    visit.toggle_play()
    visit.pass_time(1.0)
    assert (visit.speed, visit.cursor) == (speed, cursor)


def test_the_speed_has_two_ends(visit: Inspection) -> None:
    visit.change_speed(-99)
    assert visit.speed == SPEEDS[0]
    visit.change_speed(99)
    assert visit.speed == SPEEDS[-1]
    visit.change_speed(-1)
    assert visit.speed == SPEEDS[-2]


def test_playing_stops_at_the_head(visit: Inspection) -> None:
    visit.seek(16)
    visit.toggle_play()
    visit.pass_time(60.0)
    assert (visit.cursor, visit.playing) == (EVENTS, False)


def test_playing_from_the_head_begins_before_the_first_event(visit: Inspection) -> None:
    visit.toggle_play()
    assert (visit.cursor, visit.playing) == (0, True)


def test_pausing_stays_where_it_is_and_forgets_the_part_of_an_event(visit: Inspection) -> None:
    visit.seek(0)
    visit.toggle_play()
    visit.pass_time(3.9 / EVENTS_PER_SECOND)
    visit.pause()
    assert (visit.cursor, visit.playing) == (3, False)
    visit.pause()
    assert visit.playing is False
    visit.toggle_play()
    visit.pass_time(0.5 / EVENTS_PER_SECOND)
    assert visit.cursor == 3


# A tape that is still folded.


@pytest.fixture
def folding(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Tape:
    """A tape that is folded a few lines at a time."""
    monkeypatch.setattr(lines, "CHUNK", 200)
    return opened(session(), tmp_path)


def fold_until(tape: Tape, visit: Inspection, events: int) -> None:
    while tape.timeline.events < events:
        assert tape.advance()
        visit.grown()


def fold_all(tape: Tape, visit: Inspection) -> None:
    while tape.advance():
        visit.grown()
    visit.grown()


def test_before_anything_is_folded_there_is_nothing(folding: Tape) -> None:
    visit = Inspection(folding)
    visit.grown()
    assert (visit.cursor, visit.head, visit.selected) == (0, 0, None)


def test_the_cursor_follows_the_head_while_the_tape_is_folded(folding: Tape) -> None:
    visit = Inspection(folding)
    cursors: list[int] = []
    visit.watch(lambda: cursors.append(visit.cursor))
    fold_all(folding, visit)
    assert cursors == sorted(cursors)
    assert len(set(cursors)) > 5
    assert (visit.cursor, visit.word) == (EVENTS, "HEAD")


def test_a_cursor_that_was_moved_stays(folding: Tape) -> None:
    visit = Inspection(folding)
    fold_until(folding, visit, 6)
    visit.seek(3)
    fold_all(folding, visit)
    assert (visit.cursor, visit.head, visit.word) == (3, EVENTS, "REPLAY")


def test_a_cursor_that_was_moved_to_the_head_follows_again(folding: Tape) -> None:
    visit = Inspection(folding)
    fold_until(folding, visit, 6)
    visit.seek(3)
    visit.seek(visit.head)
    fold_all(folding, visit)
    assert visit.cursor == EVENTS


def test_a_free_selection_stays_while_the_cursor_follows(folding: Tape) -> None:
    visit = Inspection(folding)
    fold_until(folding, visit, 6)
    visit.select(2)
    fold_all(folding, visit)
    assert (visit.cursor, visit.selected, visit.free) == (EVENTS, 2, True)


def test_playing_waits_at_the_head_of_a_tape_that_is_still_folded(folding: Tape) -> None:
    visit = Inspection(folding)
    fold_until(folding, visit, 6)
    visit.seek(0)
    visit.toggle_play()
    head = visit.head
    visit.pass_time(60.0)
    assert (visit.cursor, visit.playing) == (head, True)


def test_playing_goes_on_at_its_own_speed_when_the_tape_has_grown(folding: Tape) -> None:
    visit = Inspection(folding)
    fold_until(folding, visit, 4)
    visit.seek(0)
    visit.toggle_play()
    visit.pass_time(60.0)
    waited_at = visit.cursor
    fold_all(folding, visit)
    assert visit.cursor == waited_at
    visit.pass_time(1 / EVENTS_PER_SECOND)
    assert visit.cursor == waited_at + 1


# A place asked for at the beginning.


@pytest.mark.parametrize(
    ("at", "cursor"), [("3", 3), ("0", 0), ("head", EVENTS), ("seq:4", 5), ("turn:2.start", 8)]
)
def test_a_visit_goes_to_the_place_asked_for(at: str, cursor: int, folding: Tape) -> None:
    visit = Inspection(folding, at)
    fold_all(folding, visit)
    assert (visit.cursor, visit.complaint) == (cursor, None)


def test_a_number_is_gone_to_as_soon_as_it_is_folded(folding: Tape) -> None:
    visit = Inspection(folding, "3")
    fold_until(folding, visit, 3)
    assert visit.cursor == 3
    assert folding.complete is False
    fold_all(folding, visit)
    assert visit.cursor == 3


def test_until_then_it_follows_the_head(folding: Tape) -> None:
    visit = Inspection(folding, "seq:2")
    fold_until(folding, visit, 6)
    assert visit.cursor == visit.head


def test_who_moves_meanwhile_stays_where_they_went(folding: Tape) -> None:
    visit = Inspection(folding, "17")
    fold_until(folding, visit, 6)
    visit.seek(2)
    fold_all(folding, visit)
    assert visit.cursor == 2


@pytest.mark.parametrize(
    ("at", "complaint"),
    [
        ("99", f"cursor 99 is beyond the head, {EVENTS}"),
        ("seq:99", "seq:99: no such event"),
        ("9" * 5_000, "cursor 9"),
    ],
    ids=["beyond the head", "no such event", "5000 digits"],
)
def test_a_place_that_is_not_there_is_complained_of(at: str, complaint: str, folding: Tape) -> None:
    visit = Inspection(folding, at)
    fold_all(folding, visit)
    assert visit.cursor == EVENTS
    assert (visit.complaint or "").startswith(complaint)


# A tape that grows while somebody looks.


@pytest.fixture
def growing(tape: Tape) -> Path:
    """The file of the visit's tape, which its writer goes on with."""
    return tape.identity.path


def write(path: Path, events: int) -> None:
    """So many events more, as the writer appends them."""
    log = session()
    written = len(log.lines)
    for at in range(events):
        log.user(f"later {at}")
    with path.open("ab") as file:
        file.write(b"".join(line + b"\n" for line in log.lines[written:]))


def test_what_is_written_is_there_and_the_cursor_stays(visit: Inspection, growing: Path) -> None:
    write(growing, 2)
    fold_all(visit.tape, visit)
    assert (visit.cursor, visit.head, visit.unseen) == (EVENTS, EVENTS + 2, 2)
    assert visit.word == "REPLAY"


def test_what_is_new_adds_up_until_somebody_goes_to_the_head(
    visit: Inspection, growing: Path
) -> None:
    write(growing, 2)
    fold_all(visit.tape, visit)
    visit.seek(3)
    assert visit.unseen == 2
    visit.seek(visit.head)
    assert (visit.unseen, visit.word) == (0, "HEAD")
    visit.seek(3)
    assert visit.unseen == 0


def test_nothing_is_new_on_a_tape_that_is_folded_for_the_first_time(folding: Tape) -> None:
    visit = Inspection(folding)
    fold_until(folding, visit, 6)
    visit.seek(2)
    assert visit.unseen == 0
    fold_all(folding, visit)
    assert (visit.cursor, visit.unseen) == (2, 0)


def test_a_live_visit_goes_with_the_head(visit: Inspection, growing: Path) -> None:
    visit.go_live()
    assert visit.word == "LIVE"
    write(growing, 2)
    fold_all(visit.tape, visit)
    assert (visit.cursor, visit.word, visit.unseen) == (EVENTS + 2, "LIVE", 0)


def test_a_live_visit_that_was_moved_is_paused_and_counts_what_is_new(
    visit: Inspection, growing: Path
) -> None:
    visit.go_live()
    visit.seek(5)
    write(growing, 2)
    fold_all(visit.tape, visit)
    assert (visit.cursor, visit.word, visit.unseen) == (5, "LIVE (paused)", 2)


@pytest.mark.parametrize("back", [lambda visit: visit.seek(visit.head), Inspection.go_live])
def test_at_the_head_again_it_goes_on(
    back: Callable[[Inspection], None], visit: Inspection, growing: Path
) -> None:
    visit.go_live()
    visit.seek(5)
    back(visit)
    assert visit.word == "LIVE"
    write(growing, 2)
    fold_all(visit.tape, visit)
    assert (visit.cursor, visit.word) == (EVENTS + 2, "LIVE")


def test_going_live_goes_to_the_head(visit: Inspection) -> None:
    visit.seek(5)
    visit.go_live()
    assert (visit.cursor, visit.word) == (EVENTS, "LIVE")


def test_going_live_at_the_head_of_a_live_visit_ends_it(visit: Inspection, growing: Path) -> None:
    visit.go_live()
    visit.go_live()
    assert visit.word == "HEAD"
    write(growing, 1)
    fold_all(visit.tape, visit)
    assert visit.cursor == EVENTS


def test_a_free_selection_stays_while_a_live_visit_goes_on(
    visit: Inspection, growing: Path
) -> None:
    visit.go_live()
    visit.select(2)
    write(growing, 2)
    fold_all(visit.tape, visit)
    assert (visit.cursor, visit.selected, visit.free) == (EVENTS + 2, 2, True)


def test_a_live_visit_stays_at_the_head_of_the_tape_read_anew(
    visit: Inspection, folding: Tape
) -> None:
    visit.go_live()
    write(folding.identity.path, 3)
    visit.turn_to(folding)
    fold_all(folding, visit)
    assert (visit.cursor, visit.word, visit.complaint) == (EVENTS + 3, "LIVE", None)


def test_a_paused_one_stays_at_its_event(visit: Inspection, folding: Tape) -> None:
    visit.go_live()
    visit.seek(5)
    visit.turn_to(folding)
    fold_all(folding, visit)
    assert (visit.cursor, visit.word) == (5, "LIVE (paused)")


def test_the_event_is_found_by_its_number_where_others_stand_before_it(
    visit: Inspection, tmp_path: Path
) -> None:
    visit.seek(10)
    log = session()
    kept = folded(b"".join(line + b"\n" for line in (log.lines[0], *log.lines[5:])), tmp_path)
    visit.turn_to(kept)
    fold_all(kept, visit)
    assert kept.number(visit.cursor - 1) == 9
    assert visit.cursor == 6
    assert visit.complaint is None


def test_an_event_that_is_gone_is_told_and_the_cursor_is_as_near_as_it_can_be(
    visit: Inspection, tmp_path: Path
) -> None:
    visit.seek(10)
    log = session()
    short = folded(b"".join(line + b"\n" for line in log.lines[:5]), tmp_path)
    visit.turn_to(short)
    fold_all(short, visit)
    assert (visit.cursor, visit.head) == (4, 4)
    assert visit.complaint == "seq:9: no such event"


def test_playing_ends_when_the_tape_is_read_anew(visit: Inspection, folding: Tape) -> None:
    visit.toggle_play()
    visit.turn_to(folding)
    assert visit.playing is False


# The same tape read in another way.


@pytest.mark.parametrize("cursor", [0, 5, EVENTS])
def test_the_tape_read_again_is_gone_on_with_at_the_same_cursor(
    cursor: int, visit: Inspection, folding: Tape
) -> None:
    visit.seek(cursor)
    visit.select(2)
    visit.turn_to(folding)
    assert (visit.tape, visit.head, visit.selected, visit.free) == (folding, 0, None, False)
    fold_all(folding, visit)
    assert (visit.cursor, visit.complaint, visit.reading) == (cursor, None, 1)


def test_who_moves_while_it_is_read_again_stays_where_they_went(
    visit: Inspection, folding: Tape
) -> None:
    visit.seek(15)
    visit.turn_to(folding)
    fold_until(folding, visit, 6)
    visit.seek(2)
    fold_all(folding, visit)
    assert visit.cursor == 2


def test_playing_goes_on_where_it_was_when_the_tape_is_read_again(
    visit: Inspection, folding: Tape
) -> None:
    visit.seek(10)
    visit.toggle_play()
    visit.turn_to(folding)
    fold_until(folding, visit, 3)
    visit.pass_time(1 / EVENTS_PER_SECOND)
    fold_all(folding, visit)
    assert visit.cursor >= 10


# Who watches.


def test_everybody_who_watches_hears_of_every_change(visit: Inspection) -> None:
    heard: list[str] = []
    visit.watch(lambda: heard.append("one"))
    visit.watch(lambda: heard.append("two"))
    changes = (
        lambda: visit.seek(3),
        lambda: visit.step(Stop.EVENT, 1),
        lambda: visit.select(2),
        lambda: visit.move_selection(1),
        visit.enter,
        visit.toggle_lock,
        visit.toggle_play,
        lambda: visit.pass_time(1.0),
        visit.pause,
        lambda: visit.change_speed(1),
        visit.grown,
        lambda: visit.turn_to(visit.tape),
    )
    for change in changes:
        heard.clear()
        change()
        assert heard == ["one", "two"], change


# The turn at the cursor.


def test_the_turn_at_the_cursor_is_the_last_that_began(visit: Inspection) -> None:
    found = []
    for cursor in (0, 1, 8, 9, 18):
        visit.seek(cursor)
        found.append(visit.turn())
    assert found == [None, 1, 1, 2, 2]


def test_a_turn_without_a_number_is_counted(tmp_path: Path) -> None:
    log = Log()
    log.event("turn/start", {})
    log.event("turn/start", {"turn": 7})
    log.event("turn/start", {})
    visit = Inspection(folded(log, tmp_path))
    visit.grown()
    found = []
    for cursor in range(4):
        visit.seek(cursor)
        found.append(visit.turn())
    assert found == [None, 1, 7, 3]
