from inspector.tape.extents import Extents


def test_an_object_is_whole_up_to_its_closing_brace() -> None:
    extents = Extents(b'x{"a":[{"b":1}]} y')
    assert extents.stop(1) == 16
    assert extents.stop(7) == 14


def test_an_object_that_breaks_is_not_whole_and_neither_is_what_holds_it() -> None:
    extents = Extents(b'{"a":{"b":{"c":1},"d')
    assert [extents.stop(start) for start in (0, 5, 10)] == [None, None, 17]


def test_what_a_walk_passed_over_is_inner_and_is_not_walked_again() -> None:
    extents = Extents(b'{"a":{"b":{"c":1},"d')
    extents.stop(0)
    walked = extents.tokens
    assert [extents.inner(start) for start in (0, 5, 10)] == [False, True, True]
    extents.stop(5)
    extents.stop(10)
    assert extents.tokens == walked == 8


def test_a_brace_in_a_string_is_walked_on_its_own() -> None:
    extents = Extents(b'{"a":"x{"b":1}')
    assert [extents.stop(0), extents.stop(7)] == [None, 14]
    assert not extents.inner(7)


def test_no_more_tokens_are_looked_at_than_allowed() -> None:
    extents = Extents(b'{"a":1}{"b":2}', limit=6)
    assert extents.stop(0) == 7
    assert extents.broke_off is None
    assert extents.stop(7) is None
    assert (extents.broke_off, extents.tokens) == (7, 6)
