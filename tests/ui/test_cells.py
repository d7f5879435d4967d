"""Lines of cells broken at blanks."""

from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.ui.cells import Cell, Line, broken

lines = st.lists(
    st.builds(Cell, st.text(alphabet="ab 漢 ", max_size=12), st.sampled_from(["text", "dim"])),
    max_size=6,
).map(tuple)


def said(line: Line) -> str:
    return "".join(cell.text for cell in line)


@given(lines, st.integers(4, 30))
@settings(max_examples=50, deadline=None)
def test_nothing_but_blanks_is_lost(line: Line, width: int) -> None:
    found = broken(line, width, 99)
    assert "".join(map(said, found)).replace(" ", "") == said(line).replace(" ", "")
    tones = [cell.tone for piece in found for cell in piece for _ in cell.text.replace(" ", "")]
    assert tones == [cell.tone for cell in line for _ in cell.text.replace(" ", "")]


def test_it_is_broken_at_a_blank_and_keeps_its_tones() -> None:
    line = (Cell("one two ", "strong"), Cell("three four", "dim"))
    assert broken(line, 10, 2) == [
        (Cell("one ", "strong"), Cell("two ", "strong")),
        (Cell("three ", "dim"), Cell("four", "dim")),
    ]


def test_there_are_no_more_lines_than_wanted() -> None:
    found = broken((Cell("one two three four five"),), 6, 2)
    assert [said(line).strip() for line in found] == ["one", "two three four five"]


def test_a_line_that_fits_is_one() -> None:
    assert broken((Cell("one two"),), 7, 2) == [(Cell("one "), Cell("two"))]
    assert broken((), 7, 2) == [()]
