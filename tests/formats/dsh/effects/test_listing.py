import pytest

from inspector.formats.dsh.effects import listing
from inspector.formats.dsh.effects.listing import Listed, Queue


def test_a_list_shows_few_lines_and_says_how_many_there_are_more() -> None:
    listed = Listed()
    for number in range(14):
        listed.put(str(number), f"thing {number}")
    assert listed.shown() == (*(f"thing {number}" for number in range(12)), "and 2 more")
    listed.drop("3")
    listed.put("0", "other")
    assert listed.shown()[:4] == ("other", "thing 1", "thing 2", "thing 4")


def test_a_long_line_is_cut_and_says_so() -> None:
    listed = Listed()
    listed.put("a", "x" * 1_000)
    assert listed.shown() == ("x" * 79 + "…",)


def test_a_list_that_is_full_says_that_it_follows_no_more(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "_KEPT", 2)
    listed = Listed()
    for name in "abc":
        listed.put(name, name)
    listed.put("b", "B")
    assert listed.shown() == ("a", "B", "and others that came later")
    listed.clear()
    assert listed.shown() == ()


def test_a_queue_counts_what_it_does_not_follow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(listing, "_KEPT", 3)
    queue = Queue()
    queue.splice(0, 0, "abcde", str)
    assert queue.shown() == ("a", "b", "c", "and 2 more")
    queue.splice(4, 1, "xyz", str)
    assert queue.shown() == ("a", "b", "c", "and 4 more")
    queue.splice(0, 2, "", str)
    assert queue.shown() == ("c", "and 4 more")
    queue.splice(1, 4, "d", str)
    assert queue.shown() == ("c", "d")


def test_a_splice_beyond_the_end_takes_what_is_there() -> None:
    queue = Queue()
    queue.splice(99, 99, "a", str)
    queue.splice(0, 1 << 60, "", str)
    assert queue.shown() == ()
