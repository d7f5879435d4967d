"""What every format says a value with: rows are cut, full texts are laid out, files are sized."""

from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.formats import telling
from inspector.formats.contract import Section

FILE: Final = "QUJD" * 1_000


@pytest.mark.parametrize(
    ("given_", "line"),
    [
        ({"path": "a.py", "n": 7}, "edit a.py 7"),
        ('{"path":"a.py","n":7}', "edit a.py 7"),
        (' \n{"path":"a.py"}', "edit a.py"),
        ({"a": None, "b": ""}, "edit null "),
        ("[1,2]", "edit [1,2]"),
        ('"quoted"', "edit quoted"),
        ("1e3", "edit 1e3"),
        ('{"torn', 'edit {"torn'),
        ('{"n":"\\ud800"}', "edit \ud800"),
        ({str(n): n for n in range(9)}, "edit 0 1 2 3 4 5"),
        ("", "edit"),
        (None, "edit"),
    ],
)
def test_a_call_is_its_tool_and_the_values_of_its_arguments(given_: Any, line: str) -> None:
    assert telling.call_line("edit", given_) == line


def test_long_arguments_are_not_read_for_a_row() -> None:
    written = f'{{"text":"{"x" * 20_000}"}}'
    assert telling.call_line("edit", written) == f"edit {written[: telling.ROW]}"


def test_a_call_without_a_name_is_its_arguments() -> None:
    assert telling.call_line(None, {"n": 1}) == "1"


def test_what_says_nothing_takes_no_place_and_a_record_tells_eight_members() -> None:
    record = {"type": "x", "a": None, "b": "", "c": 0, **{f"k{n}": n for n in range(9)}}
    told = telling.listed(record, frozenset({"type"}))
    assert told == "c 0, k0 0, k1 1, k2 2, k3 3, k4 4, k5 5, k6 6"


def test_counts_are_told_in_the_order_of_their_words() -> None:
    words = {"in": "input", "out": "output", "more": "thinking"}
    assert telling.usage_line({"out": 5, "in": 0, "other": 3, "more": None}, words) == (
        "input 0 · output 5"
    )


@pytest.mark.parametrize(
    ("head", "tail", "said"),
    [("a", "b", "a: b"), ("a", None, "a"), ("", 5, "5"), ("a", "", "a"), ("", None, "")],
)
def test_one_thing_behind_another(head: str, tail: Any, said: str) -> None:
    assert telling.behind(head, tail) == said


@pytest.mark.parametrize(
    ("steps", "said"),
    [
        ([], "0 of 0 done"),
        ([{"status": "completed", "step": "a"}, {"status": 5}], "1 of 2 done"),
        (
            [{"status": "completed"}, {"status": "in_progress", "step": "b"}],
            "1 of 2 done · now: b",
        ),
    ],
)
def test_how_far_a_todo_list_is(steps: list[dict[str, Any]], said: str) -> None:
    assert telling.progress_line(steps, "step") == said


@pytest.mark.parametrize(("most", "said"), [(2, "a, b and 1 more"), (3, "a, b, c"), (4, "a, b, c")])
def test_the_first_of_many(most: int, said: str) -> None:
    assert telling.some(["a", "b", "c"], most) == said


@pytest.mark.parametrize(("value", "said"), [("x" * 500, "x" * 400), (5, "5"), (None, "")])
def test_the_start_of_a_member(value: Any, said: str) -> None:
    assert telling.start_of("key")({"key": value, "other": 1}) == said


def test_only_texts_make_sections() -> None:
    assert telling.texts("error", a="x", b="", c=None, d=5, e="y") == [
        Section("a", "x", "error"),
        Section("e", "y", "error"),
    ]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ({"a": [1]}, '{\n  "a": [\n    1\n  ]\n}'),
        ('{"a":1}', '{\n  "a": 1\n}'),
        ('"quoted"', "quoted"),
        ("1e3", "1e3"),
        ("{torn", "{torn"),
        ('{"a":"\\ud800"}', '{\n  "a": "\ud800"\n}'),
        (None, "null"),
    ],
)
def test_a_value_is_laid_out(value: Any, shown: str) -> None:
    assert telling.pretty(value) == shown


@pytest.mark.parametrize("before", ["", "data:image/png;base64,", "see "])
@pytest.mark.parametrize(
    ("file", "size"), [(FILE, "3,000"), (f"{FILE[:-1]}=", "2,999"), (f"{FILE[:-2]}==", "2,998")]
)
def test_a_file_is_told_by_its_size(before: str, file: str, size: str) -> None:
    sized = f"{before}[4,000 base64 characters = {size} bytes; r shows them]"
    assert telling.pretty(before + file) == sized
    assert telling.pretty({"a": before + file}) == f'{{\n  "a": "{sized}"\n}}'


def test_a_shorter_run_of_such_characters_is_no_file() -> None:
    shorter = f"{'A' * 2_047}!" * 10
    assert telling.pretty(shorter) == shorter


def test_of_a_very_long_value_the_start_is_laid_out() -> None:
    shown = telling.pretty(["x y"] * 50_000)
    assert len(shown) < 100_100
    assert shown.endswith("… the first 100,000 characters; r shows the record")


ANY: Final = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text()),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=3), inner, max_size=3)
    ),
    max_leaves=6,
)


@settings(max_examples=50)
@given(ANY, ANY)
def test_any_value_is_told_and_a_row_is_short(name: Any, value: Any) -> None:
    for row in (
        telling.short(value),
        telling.said(value),
        telling.behind(telling.said(name), value),
        telling.call_line(name, value),
        telling.listed(value if isinstance(value, dict) else {}),
    ):
        assert len(row) <= 2 * telling.ROW
    assert isinstance(telling.pretty(value), str)
