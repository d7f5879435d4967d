"""What two texts have apart, and that nothing of either is lost on the way."""

from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.lenses.text_difference import text_difference

texts = st.lists(st.sampled_from("abcde"), max_size=30).map("\n".join)


def signs(before: str, after: str) -> str:
    return "".join(piece.sign for piece in text_difference(before, after))


@given(texts, texts)
@settings(max_examples=50, deadline=None)
def test_the_lines_of_both_are_told_or_counted(before: str, after: str) -> None:
    pieces = list(text_difference(before, after))
    for text, sign in ((before, "-"), (after, "+")):
        lines = sum(piece.number for piece in pieces if piece.sign in (sign, " ", "…"))
        assert lines == len(text.split("\n"))
        told = [line for piece in pieces if piece.sign in (sign, " ") for line in piece.lines]
        rest = iter(text.split("\n"))
        assert all(line in rest for line in told)


def test_a_line_in_the_middle() -> None:
    before = "\n".join("abcdefghij")
    pieces = list(text_difference(before, before.replace("f", "F")))
    assert [(piece.sign, "".join(piece.lines)) for piece in pieces] == [
        ("…", ""),
        (" ", "cde"),
        ("-", "f"),
        ("+", "F"),
        (" ", "ghi" + "j"),
    ]
    assert pieces[0].number == 2


def test_the_same_text_has_no_change() -> None:
    assert signs("a\nb", "a\nb") == " "


def test_a_text_that_was_cut() -> None:
    assert signs("a\nb\nc", "a") == " -"
    assert signs("", "a") == "-+"


def test_texts_of_very_many_lines_are_told_as_one_that_left_and_one_that_came() -> None:
    before = "\n".join(["start", *(f"old {at}" for at in range(9_000)), "end"])
    after = "\n".join(["start", *(f"new {at}" for at in range(9_000)), "end"])
    assert signs(before, after) == " -+ "
