import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.formats.dsh.sources.folders import current, generation, leftovers, others, twins


@pytest.mark.parametrize(
    ("name", "number", "packed"),
    [
        ("session.jsonl", 0, False),
        ("session.jsonl.zstd", 0, True),
        ("session.jsonl.zst", 0, True),
        ("session.v1.jsonl", 1, False),
        ("session.v4.jsonl.zstd", 4, True),
        ("session.v10.jsonl.zst", 10, True),
    ],
)
def test_a_log_says_its_generation_in_its_name(name: str, number: int, packed: bool) -> None:
    assert generation(name) == (number, packed)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "session",
        "session.json",
        "session.v.jsonl",
        "session.v-1.jsonl",
        "session.v٣.jsonl",
        pytest.param(f"session.v{'9' * 5000}.jsonl", id="a number of 5,000 digits"),
        "session.jsonl.gz",
        "session.jsonl\n",
        "session.jsonl.zstd.0123456789ab.tmp",
        "Session.jsonl",
        "my-session.jsonl",
        "session.lock",
    ],
)
def test_another_name_is_no_log(name: str) -> None:
    assert generation(name) is None


def test_the_highest_number_is_current() -> None:
    names = ["session.v9.jsonl", "session.v10.jsonl", "session.jsonl.zstd", "session.lock", "x"]
    assert current(names) == "session.v10.jsonl"
    assert others(names, "session.v10.jsonl") == ["session.v9.jsonl", "session.jsonl.zstd"]
    assert twins(names, "session.v10.jsonl") == []


def test_a_folder_without_a_log_has_no_current_one() -> None:
    assert current(["session.lock", "notes.txt"]) is None
    assert current([]) is None


def test_of_two_encodings_both_are_known() -> None:
    names = ["session.v4.jsonl", "session.v4.jsonl.zstd", "session.jsonl"]
    assert current(names) == "session.v4.jsonl.zstd"
    assert twins(names, "session.v4.jsonl.zstd") == ["session.v4.jsonl"]
    assert twins(names, "session.v4.jsonl") == ["session.v4.jsonl.zstd"]
    assert others(names, "session.v4.jsonl") == ["session.jsonl"]


def test_a_lock_and_temporary_files_are_named() -> None:
    names = ["session.lock", "session.jsonl.zstd", "session.jsonl.zstd.0123456789ab.tmp"]
    assert [tuple(leftover) for leftover in leftovers(names)] == [
        (
            "session.jsonl.zstd.0123456789ab.tmp",
            "left by a first write that was cut off; no part of the session",
        ),
        ("session.lock", "a writer has the session open, or had when it ended"),
    ]


NAMES = st.lists(
    st.builds(
        "session{}.jsonl{}".format,
        st.sampled_from(["", ".v1", ".v2", ".v10", ".vx"]),
        st.sampled_from(["", ".zstd", ".zst", ".tmp"]),
    )
)


@settings(max_examples=50, deadline=None)
@given(NAMES)
def test_every_log_is_the_current_one_a_twin_or_another(names: list[str]) -> None:
    chosen = current(names)
    logs = {name for name in names if generation(name)}
    if chosen is None:
        assert logs == set()
    else:
        told = [chosen, *twins(names, chosen), *others(names, chosen)]
        assert sorted(told) == sorted(logs)
        assert current(reversed(names)) == chosen
