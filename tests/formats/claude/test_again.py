"""Records that come again under their uuid, over and over: each takes as long as the one before."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from inspector.formats.claude.tree.children import Children
from inspector.formats.claude.tree.circles import Circles
from tests.formats.claude.odd import odd_tape
from tests.formats.claude.test_laws import at_cursor, tape_of
from tests.formats.claude.transcripts import Record, answer, folded, user


@contextmanager
def looking_at_all() -> Iterator[None]:
    """Circles are looked for among all records whenever one comes again."""

    def came_again(circles: Circles, entry: int, *, elsewhere: bool) -> None:
        del entry, elsewhere
        circles.changed()

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Circles, "came_again", came_again)
        yield


def told(records: list[Record]) -> list[dict[str, Any]]:
    with tape_of(records, "sdk-js") as tape:
        return [at_cursor(tape, cursor) for cursor in range(len(records) + 1)]


def test_circles_are_known_as_by_a_look_at_all_records() -> None:
    for seed in range(60):
        throw = random.Random(seed)  # noqa: S311 - the same tapes each time
        records = [one for _ in range(3) for one in odd_tape(throw)]
        with looking_at_all():
            wanted = told(records)
        assert told(records) == wanted, seed


def again_and_again(times: int) -> list[Record]:
    """Answers under one uuid, each below the last prompt, and prompts that hang on it."""
    said = [user("u", None)]
    for number in range(times):
        said.append(answer("same", said[-1]["uuid"], of=f"m{number}"))
        said.append(user(f"u{number}", "same"))
    return said


def test_a_uuid_that_comes_again_and_again_takes_as_many_steps_each_time(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = 0
    add = Children.add

    def counted(children: Children, entry: int, parent: int) -> None:
        nonlocal steps
        steps += 1
        add(children, entry, parent)

    monkeypatch.setattr(Children, "add", counted)
    taken = []
    for times in (100, 200):
        steps = 0
        folder = tmp_path / str(times)
        folder.mkdir()
        folded(folder, again_and_again(times))
        taken.append(steps)
    assert 0 < taken[1] <= 2 * taken[0] + 4 < 1_000
