"""The fallback for a summary: pieces of what was said, marked, and never too long."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.plans.extracting import MARK, extract

MOST = 16_000


def test_it_says_first_that_no_model_wrote_it() -> None:
    text = extract([("user", "please"), ("assistant", "done")])
    assert text == f"{MARK}\n- user: please\n- assistant: done"
    assert "no model wrote it" in MARK
    assert extract([]) == MARK


def test_a_long_message_is_cut_and_says_so() -> None:
    line = extract([("user", "word " * 1_000)]).splitlines()[1]
    assert len(line) == len("- user: ") + 400
    assert line.endswith("…")
    whole = "x" * 400
    assert extract([("user", whole)]).endswith(f": {whole}")


def test_a_message_is_one_line_and_nothing_is_none() -> None:
    assert extract([("user", "a\n\n  b\tc\r"), ("user", " \n "), ("user", "")]) == (
        f"{MARK}\n- user: a b c"
    )


def test_the_first_and_the_last_are_quoted_before_those_in_the_middle() -> None:
    text = extract([("user", f"{at} " + "word " * 70) for at in range(100)])
    lines = text.splitlines()
    left_out = next(at for at, line in enumerate(lines) if "messages left out" in line)
    front, back = lines[1:left_out], lines[left_out + 1 :]
    assert front[0].startswith("- user: 0 ")
    assert back[-1].startswith("- user: 99 ")
    assert abs(len(front) - len(back)) <= 1
    assert lines[left_out] == f"[… {100 - len(front) - len(back)} messages left out …]"


@settings(max_examples=40, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(("user", "tool")), st.text(max_size=40)), max_size=30))
def test_it_is_never_longer_than_it_may_be(said: list[tuple[str, str]]) -> None:
    repeated = [(who, text * 40) for who, text in said] * 3
    text = extract(repeated)
    assert len(text) <= MOST
    lines = [line for who, line in repeated if line.split()]
    told = [line for line in text.splitlines() if line.startswith("- ")]
    left = 0
    if "messages left out" in text:
        left = int(text.split("[… ")[1].split(" ")[0])
    # Whether those in the middle say anything is not looked at.
    assert len(lines) <= len(told) + left <= len(repeated)
    assert left or len(told) == len(lines)


def test_what_is_not_quoted_is_not_read() -> None:
    read: list[int] = []

    class Sayings(list[tuple[str, str]]):
        def __getitem__(self, at: Any) -> Any:
            read.append(at)
            return super().__getitem__(at)

    text = extract(Sayings([("user", f"{at} " + "word " * 70) for at in range(10_000)]))
    assert len(read) == len(set(read)) < 100
    assert len(read) == len(text.splitlines()) - 1
