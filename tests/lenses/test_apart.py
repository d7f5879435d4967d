"""Why a row is at one head and not at the other's: each side, and the forms in between."""

from pathlib import Path

import pytest

from inspector.formats.contract import Options, Tape
from inspector.formats.opening import open_tape
from inspector.lenses.apart import SINCE, STRANGE, Apart, apart
from inspector.lenses.parting import parting
from inspector.timeline.words import Reason
from tests.commands import SAMPLES
from tests.lenses.tapes import opened


def between(one: Tape, other: Tape) -> Apart:
    return apart(one, other, parting(one, other))


def start(tmp_path: Path, records: int) -> Tape:
    """The first records of the sample in which a result is cut afterwards, folded."""
    lines = (SAMPLES / "prune.jsonl").read_bytes().splitlines(keepends=True)
    path = tmp_path / f"{records}.jsonl"
    path.write_bytes(b"".join(lines[:records]))
    tape = open_tape(path, Options())
    while tape.advance():
        pass
    return tape


@pytest.mark.parametrize("turned", [False, True])
def test_what_one_tape_compacted_is_told_of_the_other(turned: bool) -> None:
    names = ("zero/lantern", "zero/lantern-fork")
    with opened(names[turned]) as one, opened(names[not turned]) as other:
        found = between(one, other)
    rows = found.only_a if turned else found.only_b
    assert (found.only_b if turned else found.only_a) == ()
    whys = [why for _, why in rows]
    assert [why.departed for why in whys[:13]] == [Reason.COMPACTED] * 13
    assert {(why.words, why.by, why.of_other) for why in whys[:13]} == {("compacted", 30, turned)}
    assert [why.words for why in whys[13:]] == [SINCE, SINCE]


@pytest.mark.parametrize("turned", [False, True])
def test_a_row_that_one_tape_cut_is_one_row_in_two_forms(tmp_path: Path, turned: bool) -> None:
    tapes = [start(tmp_path, 17), start(tmp_path, 18)]
    one, other = reversed(tapes) if turned else tapes
    found = between(one, other)
    (pair,) = found.changed
    assert (found.only_a, found.only_b) == ((), ())
    assert (pair.why.departed, pair.why.by, pair.why.of_other) == (Reason.PRUNED, 16, not turned)
    whole, cut = (pair.b, pair.a) if turned else (pair.a, pair.b)
    nodes = tapes[0].timeline.surface.nodes, tapes[1].timeline.surface.nodes
    assert nodes[0].origin(whole.node) == 9
    assert nodes[1].tokens[cut.node] < nodes[0].tokens[whole.node]
    for tape in tapes:
        tape.close()


def test_strangers_have_nothing_in_common() -> None:
    with opened("demo.jsonl") as one, opened("prune.jsonl") as other:
        found = between(one, other)
    assert {why.words for _, why in (*found.only_a, *found.only_b)} == {STRANGE}


@pytest.mark.parametrize(
    ("names", "sessions"),
    [
        (("demo.jsonl", "demo.jsonl"), (None, None)),
        (("zero/lantern", "zero/lantern-fork"), (None, None)),
        (("deepchat.db", "deepchat.db"), ("sample-orchard", "sample-orchard::fork::weekly")),
    ],
)
def test_every_row_that_only_one_head_has_is_told_once(
    names: tuple[str, str], sessions: tuple[str | None, str | None]
) -> None:
    with opened(names[0], sessions[0]) as one, opened(names[1], sessions[1]) as other:
        found = parting(one, other)
        told = apart(one, other, found)
        weights = [tape.timeline.surface.nodes.tokens for tape in (one, other)]
        gained = other.timeline.tokens(found.heads[1]) - one.timeline.tokens(found.heads[0])
    here = [row.node for row, _ in told.only_a] + [pair.a.node for pair in told.changed]
    there = [row.node for row, _ in told.only_b] + [pair.b.node for pair in told.changed]
    assert sorted(here) == sorted(row.node for row in found.only_a)
    assert sorted(there) == sorted(row.node for row in found.only_b)
    # The balance adds up: what is in both weighs the same in both.
    gone, come = sum(weights[0][node] for node in here), sum(weights[1][node] for node in there)
    assert come - gone == gained
