"""Where hashes occurred."""

from collections import defaultdict

from inspector.formats.zero.hashes import Hashes


def test_every_position_of_a_hash_is_found_in_order() -> None:
    hashes, wanted = Hashes(), defaultdict[int, list[int]](list)
    for position in range(5_000):
        one = position * position % 797 - 400
        hashes.add(one, position)
        wanted[one].append(position)
        if position % 97 == 0:
            assert list(hashes.positions(one)) == wanted[one]
    assert len(hashes) == 5_000
    assert {one: list(hashes.positions(one)) for one in wanted} == wanted


def test_what_never_occurred_is_not_found() -> None:
    hashes = Hashes()
    assert not hashes
    for position in range(1_000):
        hashes.add(position * 2, position)
    assert list(hashes.positions(77)) == []
    assert list(hashes.positions(1 << 62)) == []
