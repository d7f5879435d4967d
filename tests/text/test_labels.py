from datetime import UTC, timedelta, timezone

import pytest

from inspector.text import labels

MOMENT = 1787000000123
"""2026-08-17T20:53:20.123Z."""


@pytest.mark.parametrize(
    ("number", "label"), [(0, "0"), (999, "999"), (1204, "1,204"), (1_000_000, "1,000,000")]
)
def test_thousands_stand_apart(number: int, label: str) -> None:
    assert labels.count(number) == label


@pytest.mark.parametrize(
    ("number", "label"), [(0, "0 turns"), (1, "1 turn"), (2, "2 turns"), (1204, "1,204 turns")]
)
def test_only_one_is_singular(number: int, label: str) -> None:
    assert labels.plural(number, "turn") == label


@pytest.mark.parametrize(
    ("number", "label"),
    [
        (0, "0"),
        (49, "49"),
        (50, "0.1k"),
        (449, "0.4k"),
        (999, "1.0k"),
        (41_249, "41.2k"),
        (131_072, "131.1k"),
        (999_949, "999.9k"),
        (999_950, "1.0M"),
        (1_234_567, "1.2M"),
    ],
)
def test_tokens_are_told_in_thousands(number: int, label: str) -> None:
    assert labels.tokens(number) == label


@pytest.mark.parametrize(
    ("number", "label"),
    [
        (0, "0 B"),
        (962, "962 B"),
        (999, "999 B"),
        (1000, "1.0 kB"),
        (999_949, "999.9 kB"),
        (40_100_000, "40.1 MB"),
        (750_000_000, "750.0 MB"),
        (5_000_000_000, "5.0 GB"),
        (2_500_000_000_000, "2.5 TB"),
        (7_000_000_000_000_000, "7000.0 TB"),
    ],
)
def test_bytes_are_told_in_the_unit_that_is_short(number: int, label: str) -> None:
    assert labels.size(number) == label


@pytest.mark.parametrize(
    ("milliseconds", "label"),
    [
        (0, "+0 ms"),
        (38, "+38 ms"),
        (999, "+999 ms"),
        (1000, "+1.0 s"),
        (4_200, "+4.2 s"),
        (59_949, "+59.9 s"),
        (60_000, "+00:01:00"),
        (728_000, "+00:12:08"),
        (360_000_000, "+100:00:00"),
        (-38, "-38 ms"),
        (-4_200, "-4.2 s"),
        (-728_000, "-00:12:08"),
    ],
)
def test_durations_have_a_sign_and_the_unit_that_fits(milliseconds: int, label: str) -> None:
    assert labels.duration(milliseconds) == label


def test_no_size_says_a_thousand_of_a_unit_that_has_a_greater_one() -> None:
    assert [n for n in range(999_900, 1_000_001) if labels.size(n).startswith("1000")] == []


def test_no_duration_says_sixty_seconds() -> None:
    assert [n for n in range(59_900, 60_001) if labels.duration(n) == "+60.0 s"] == []


def test_a_clock_shows_the_time_of_day_in_its_zone() -> None:
    assert labels.clock(MOMENT) == "20:53:20"
    assert labels.clock(MOMENT, UTC) == "20:53:20"
    assert labels.clock(MOMENT, timezone(timedelta(hours=5, minutes=30))) == "02:23:20"
    assert labels.clock(MOMENT, None) == "20:53:20"
    assert labels.clock(-1) == "23:59:59"


def test_a_stamp_is_iso_8601_with_milliseconds_and_zone() -> None:
    assert labels.stamp(MOMENT) == "2026-08-17T20:53:20.123+00:00"
    zone = timezone(timedelta(hours=-4))
    assert labels.stamp(MOMENT, zone) == "2026-08-17T16:53:20.123-04:00"


def test_a_stamp_keeps_every_millisecond() -> None:
    start = MOMENT - MOMENT % 1000
    for milliseconds in range(1000):
        stamp = labels.stamp(start + milliseconds)
        assert stamp is not None
        assert stamp.endswith(f".{milliseconds:03d}+00:00")


@pytest.mark.parametrize("milliseconds", [None, 1 << 53, -(1 << 53), 10**18, -(10**18)])
def test_what_is_no_date_has_no_label(milliseconds: int | None) -> None:
    assert labels.clock(milliseconds) == ""
    assert labels.stamp(milliseconds) is None
