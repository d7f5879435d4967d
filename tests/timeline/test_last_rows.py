"""The last rows of a surface are the end of its rows, and no more is walked than they reach."""

from hypothesis import given

from tests.timeline.telling import LAW, Event, batches, quiet, scripts, small_tables, told


@given(scripts, batches)
@LAW
def test_last_rows_are_the_end_of_all_rows(script: list[Event], sizes: list[int]) -> None:
    with small_tables():
        timeline = told(script, sizes, quiet).timeline
        for cursor in range(len(script) + 1):
            rows = timeline.rows(cursor)
            for count in {0, 1, 2, len(rows), len(rows) + 1}:
                assert timeline.last_rows(cursor, count) == (rows[-count:] if count else [])
