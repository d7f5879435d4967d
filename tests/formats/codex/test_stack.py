"""A history that is laid aside is the same when it is taken up again."""

from array import array

from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.formats.codex.stack import Packed


@settings(max_examples=50)
@given(st.lists(st.integers(0, 12), unique=True))
def test_what_is_packed_comes_back(nodes: list[int]) -> None:
    packed = Packed(array("I", nodes))
    assert (len(packed), list(packed)) == (len(nodes), nodes)
