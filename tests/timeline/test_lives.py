from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.timeline.lives import Lives
from inspector.timeline.words import Life


def words(lives: Lives, events: int, cursor: int) -> str:
    """A letter for each event: inherited, earlier, this."""
    return "".join(lives.of(event, cursor).label[0] for event in range(events))


def test_one_life_is_this_one() -> None:
    assert words(Lives(), 3, 3) == "ttt"


def test_a_fork_that_was_resumed_keeps_its_boundary() -> None:
    lives = Lives()
    lives.inherited = 3
    for event in (1, 3, 6):
        lives.begin(event)
    assert words(lives, 8, 8) == "iiieeett"
    assert words(lives, 6, 6) == "iiittt", "the later resume is not there yet"
    assert words(lives, 3, 3) == "iii"


def test_an_event_of_a_life_that_begins_with_it_is_of_that_life() -> None:
    lives = Lives()
    lives.begin(2)
    assert [lives.of(2, cursor) for cursor in (2, 3)] == [Life.THIS, Life.THIS]
    assert [lives.of(1, cursor) for cursor in (2, 3)] == [Life.THIS, Life.EARLIER]


@given(st.sets(st.integers(0, 9)), st.integers(0, 10))
@settings(derandomize=True, deadline=None, max_examples=50)
def test_the_life_of_an_event_is_that_of_the_last_beginning(began: set[int], cursor: int) -> None:
    lives = Lives()
    for event in sorted(began):
        lives.begin(event)
    seen = [event for event in began if event < cursor]
    for event in range(cursor):
        later = any(event < beginning for beginning in seen)
        assert lives.of(event, cursor) is (Life.EARLIER if later else Life.THIS)
