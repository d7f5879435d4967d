"""The work of a session grows as its entries do, whatever they do to the path."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from inspector.formats.pi.effects.rows import Rows
from inspector.formats.pi.tree.store import Tree
from inspector.timeline.runs import RunTable
from tests.formats.pi.sessions import (
    Json,
    answer,
    compaction,
    edit,
    label,
    opened,
    text_of,
    user,
)

FEW, MANY = 400, 1_600


def straight(entries: int) -> list[Json]:
    return [
        (user if at % 2 else answer)(f"e{at}", f"e{at - 1}" if at else None)
        for at in range(entries)
    ]


def two_branches(entries: int) -> list[Json]:
    made = straight(4)
    ends = ["e3", "e3"]
    for at in range(entries):
        made.append(user(f"b{at}", ends[at % 2]))
        ends[at % 2] = f"b{at}"
    return made


def two_compacted_branches(entries: int) -> list[Json]:
    made = straight(entries // 4)
    ends = [made[-1]["id"]] * 2
    for at in range(entries):
        identity, end = f"b{at}", ends[at % 2]
        made.append(compaction(identity, end, "e0") if at < 2 else user(identity, end))
        ends[at % 2] = identity
    return made


def a_compaction_in_every_branch(entries: int) -> list[Json]:
    made = straight(entries)
    return [*made, *(compaction(f"c{at}", made[-1]["id"], "e0") for at in range(entries))]


def compactions_that_keep_everything(entries: int) -> list[Json]:
    made: list[Json] = []
    for at in range(entries):
        parent = f"e{at - 1}" if at else None
        made.append(compaction(f"e{at}", parent, "e0") if at % 2 else user(f"e{at}", parent))
    return made


def edits(entries: int) -> list[Json]:
    made = straight(entries)
    for at in range(entries):
        parent = made[-1]["id"]
        made.append(edit(f"x{at}", parent, f"e{at}", "other" if at % 2 else None))
    return made


def edits_of_one_entry(entries: int) -> list[Json]:
    made = straight(entries)
    for at in range(entries):
        made.append(edit(f"x{at}", made[-1]["id"], "e3", f"other {at}"))
    return made


def a_deep_path_of_single_entries(entries: int) -> list[Json]:
    made: list[Json] = [user("e0", None)]
    for at in range(1, entries):
        made += [label(f"l{at}", f"e{at - 1}", "e0"), user(f"e{at}", f"e{at - 1}")]
    return made


def two_branches_below_an_id_that_came_twice(entries: int) -> list[Json]:
    return [user("d", None), user("d", None), *two_branches(entries)]


def a_path_below_an_id_that_came_twice(entries: int) -> list[Json]:
    first = [user("d", None), user("d", None), user("e0", "d")]
    return [*first, *(user(f"e{at}", f"e{at - 1}") for at in range(1, entries))]


def ids_that_come_again_and_again(entries: int) -> list[Json]:
    return [user(f"x{at % 20}", f"x{(7 * at + 1) % 20}") for at in range(entries)]


def counted(entries: list[Json], folder: Path, patch: pytest.MonkeyPatch) -> int:
    """Steps up the tree, questions whether an edit counts, stretches of rows carried back."""
    done: Counter[str] = Counter()

    def counting(within: pytest.MonkeyPatch, kind: type, name: str) -> None:
        whole: Callable[..., Any] = getattr(kind, name)

        def call(*given: Any) -> Any:
            done[name] += 1
            return whole(*given)

        within.setattr(kind, name, call)

    with patch.context() as within:
        counting(within, Tree, "above")
        counting(within, RunTable, "add")
        counting(within, Rows, "is_edited")
        tape = opened(text_of(entries), folder)
        tape.close()
    return done.total() + tape.decoder.tree.work


@pytest.mark.parametrize(
    "made",
    [
        straight,
        two_branches,
        two_compacted_branches,
        a_compaction_in_every_branch,
        compactions_that_keep_everything,
        edits,
        edits_of_one_entry,
        a_deep_path_of_single_entries,
        two_branches_below_an_id_that_came_twice,
        a_path_below_an_id_that_came_twice,
        ids_that_come_again_and_again,
    ],
)
def test_four_times_the_entries_are_about_four_times_the_work(
    made: Callable[[int], list[Json]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    few = counted(made(FEW), tmp_path, monkeypatch)
    many = counted(made(MANY), tmp_path, monkeypatch)
    assert many <= 5 * few + 100
