"""Forks of the corpus that are really made: each is folded to what its parent's model saw."""

import shutil
from contextlib import closing
from pathlib import Path

import pytest

from inspector.applying.carrying import carry_out
from inspector.formats.planning import PlanKind
from inspector.plans.foretelling import at_head
from inspector.plans.plan import Asked
from tests.applying.stores import Store, folded, planned
from tests.corpus.corpus import files, needs_corpus

pytestmark = needs_corpus


def store_of(folder: Path, source: Path) -> Store:
    store = Store(folder / "store", source.name)
    store.root.mkdir()
    shutil.copytree(source, store.root / source.name)
    return store


@pytest.mark.parametrize("source", files("tapes/zero/sessions/*"))
def test_a_fork_of_a_zero_session_is_folded_to_its_parents_view(
    source: Path, tmp_path: Path
) -> None:
    store = store_of(tmp_path, source)
    if not store.path.exists():
        return
    before = store.tree()
    with closing(folded(store.path)) as tape:
        plan = planned(tape, Asked(PlanKind.FORK))
        if not plan.is_sound:
            assert "compact" not in source.name
            assert not tape.planner().cuts(plan.kind, plan.how).legal(tape.timeline.events)
            return
        deed = carry_out(tape, plan, store.world())
        seen = at_head(tape)
    with closing(folded(deed.made[0].path)) as made:
        assert at_head(made) == seen
        assert made.verdict().opens is True
    assert store.tree().items() >= before.items()
