"""What two sequences of unique numbers have in common."""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import islice
from operator import lt

from inspector.columns import Column


def common_start(one: Column, other: Column) -> int:
    """How many numbers at the start of two columns are the same."""
    shorter = min(len(one), len(other))
    same, step = 0, shorter
    # Slices are compared at once, so that a number is not looked at by itself.
    while step:
        if one[same : same + step] == other[same : same + step]:
            same += step
            step = min(step, shorter - same)
        else:
            step //= 2
    return same


def common_end(one: Column, other: Column) -> int:
    """How many numbers at the end of two columns are the same."""
    shorter = min(len(one), len(other))
    same, step = 0, shorter
    while step:
        ends = len(one) - same, len(other) - same
        if one[ends[0] - step : ends[0]] == other[ends[1] - step : ends[1]]:
            same += step
            step = min(step, shorter - same)
        else:
            step //= 2
    return same


def longest_common(current: Sequence[int], wanted: Sequence[int]) -> Sequence[int]:
    """The longest common subsequence of two sequences of unique numbers."""
    if not current or not wanted:
        return ()
    place = {number: at for at, number in enumerate(current)}
    common = [number for number in wanted if number in place]
    places = [place[number] for number in common]
    if all(map(lt, places, islice(places, 1, None))):
        return common
    return [common[at] for at in longest_rising(places)]


def longest_rising(numbers: Sequence[int]) -> list[int]:
    """Where the numbers of a longest rising subsequence stand."""
    ends: list[int] = []
    chain: list[int] = []
    previous: list[int] = []
    for at, number in enumerate(numbers):
        length = bisect_left(ends, number)
        if length == len(ends):
            ends.append(number)
            chain.append(at)
        else:
            ends[length] = number
            chain[length] = at
        previous.append(chain[length - 1] if length else -1)
    found: list[int] = []
    at = chain[-1] if chain else -1
    while at >= 0:
        found.append(at)
        at = previous[at]
    found.reverse()
    return found
