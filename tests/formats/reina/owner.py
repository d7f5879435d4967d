"""A small slow reader of whole logs, from the first record on every time, by each policy."""

from typing import Any

Json = dict[str, Any]


def surface(records: list[Json], policy: str) -> list[int]:
    """The positions of what stands there after these records, in order."""
    return exercise(records) if policy == "exercise" else sequential(records)


def ranges(records: list[Json]) -> list[tuple[int, int, int]]:
    """First and last index and position of every compaction with a range that could hold."""
    found = []
    for at, record in enumerate(records):
        if record["type"] == "compacted":
            first, last = record["record"]["fromIndex"], record["record"]["toIndex"]
            if type(first) is int and type(last) is int and 0 <= first <= last:
                found.append((first, last, at))
    return found


def exercise(records: list[Json]) -> list[int]:
    """All messages are read, then the compactions from the one that begins furthest on."""
    shown = [at for at, record in enumerate(records) if record["type"] == "message"]
    for first, last, at in sorted(ranges(records), key=lambda one: -one[0]):
        if last < len(shown):
            shown[first : last + 1] = [at]
    return shown


def sequential(records: list[Json]) -> list[int]:
    """Each compaction counts in the list as it is when it comes."""
    shown: list[int] = []
    places = {at: (first, last) for first, last, at in ranges(records)}
    for at, record in enumerate(records):
        if record["type"] == "message":
            shown.append(at)
        elif at in places and places[at][1] < len(shown):
            first, last = places[at]
            shown[first : last + 1] = [at]
    return shown
