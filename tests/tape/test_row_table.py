"""The keys of rows: kept as stretches that count up, told one by one."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.tape.records import RowTable

_KEYS = st.one_of(st.integers(0, 6), st.sampled_from((-(1 << 63), (1 << 63) - 1)))


@settings(max_examples=50, deadline=None)
@given(st.lists(st.lists(_KEYS, max_size=6).map(sorted), max_size=6))
def test_every_row_has_the_key_that_was_told(pages: list[list[int]]) -> None:
    table = RowTable()
    for page in pages:
        table.extend(page)
    keys = [key for page in pages for key in page]
    assert len(table) == len(keys)
    assert [table.key(record) for record in range(len(keys))] == keys
    with pytest.raises(IndexError):
        table.key(len(keys))
