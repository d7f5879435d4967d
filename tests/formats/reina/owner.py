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
    return _exercise(records, {})


def hidden(records: list[Json], policy: str) -> dict[int, list[int]]:
    """By the position of each compaction that holds, those of what it hides, summaries included."""
    found: dict[int, list[int]] = {}
    (_exercise if policy == "exercise" else _sequential)(records, found)
    return {at: sorted(gone) for at, gone in found.items()}


def _exercise(records: list[Json], hidden: dict[int, list[int]]) -> list[int]:
    shown = [at for at, record in enumerate(records) if record["type"] == "message"]
    for first, last, at in sorted(ranges(records), key=lambda one: -one[0]):
        if last < len(shown):
            hidden[at] = shown[first : last + 1]
            shown[first : last + 1] = [at]
    return shown


def sequential(records: list[Json]) -> list[int]:
    """Each compaction counts in the list as it is when it comes."""
    return _sequential(records, {})


def _sequential(records: list[Json], hidden: dict[int, list[int]]) -> list[int]:
    shown: list[int] = []
    places = {at: (first, last) for first, last, at in ranges(records)}
    for at, record in enumerate(records):
        if record["type"] == "message":
            shown.append(at)
        elif at in places and places[at][1] < len(shown):
            first, last = places[at]
            hidden[at] = shown[first : last + 1]
            shown[first : last + 1] = [at]
    return shown
