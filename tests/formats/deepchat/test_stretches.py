"""Messages that leave and come back with the cursors of anchors: each move costs what it must."""

import tempfile
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from inspector.formats.deepchat.effects import history, standing, stretches
from tests.formats.deepchat import databases, owner
from tests.formats.deepchat.databases import Entry, Folded, anchor, message, retracted, surface
from tests.formats.deepchat.test_laws import expected

_IDS = st.sampled_from([f"m{at}" for at in range(14)])
_ORDERS = st.integers(1, 14)
_STEPS = st.one_of(
    st.builds(message, _IDS, _ORDERS),
    st.builds(message, _IDS, _ORDERS),
    st.builds(retracted, _IDS),
    st.builds(
        lambda cursor, summary: anchor("compaction/auto", cursorOrderSeq=cursor, summary=summary),
        st.sampled_from((1, 1, 4, 9, 99)),
        st.sampled_from(("so far", "")),
    ),
)


@settings(
    max_examples=50, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(_STEPS, min_size=1, max_size=40), st.sampled_from((1, 100)))
def test_what_comes_back_stands_where_the_owner_has_it(
    monkeypatch: pytest.MonkeyPatch, entries: list[Entry], many: int
) -> None:
    monkeypatch.setattr(standing, "_LONGEST", 4)
    monkeypatch.setattr(stretches, "_MANY", many)
    with tempfile.TemporaryDirectory() as folder:
        tape = databases.fold(databases.made(Path(folder) / "agent.db", entries))
        for cursor in range(len(entries) + 1):
            seen = owner.view(entries[:cursor])
            assert surface(tape, cursor) == expected(entries[:cursor], pending_counts=True)
            words = databases.visibilities(tape, cursor)
            effective = {
                at
                for at, word in enumerate(words)
                if entries[at].kind == "message" and word in ("shadowed", "unlinked", "visible")
            }
            assert effective == set(seen.effective)
        tape.close()


def runs_of(folded: Folded, entries: list[Entry]) -> int:
    """How many slices of rows were carried back."""
    return len(folded(entries).timeline.surface.runs)


def back_and_forth(anchors: int, summary: str) -> list[Entry]:
    return [
        anchor("compaction/auto", cursorOrderSeq=1 if at % 2 else 10_000, summary=summary)
        for at in range(anchors)
    ]


@pytest.mark.parametrize("summary", ["so far", ""])
def test_messages_in_order_come_back_as_one(folded: Folded, summary: str) -> None:
    said = [message(f"m{at}", at) for at in range(1, 601)]
    # A summary that is put before a row that came back takes it from those behind it.
    each = 3 if summary else 1
    assert runs_of(folded, [*said, *back_and_forth(20, summary)]) == 10 * each


def test_messages_between_anchors_come_back_as_one(folded: Folded) -> None:
    rows: list[Entry] = []
    for at, move in enumerate(back_and_forth(20, "so far")):
        rows += [message(f"m{at}-{place}", 20 * at + place) for place in range(1, 20)]
        rows.append(move)
    assert runs_of(folded, rows) <= 30


def test_messages_in_another_order_come_back_by_blocks(folded: Folded) -> None:
    said = [message(f"m{at}", 1_000 - at) for at in range(600)]
    runs = runs_of(folded, [*said, *back_and_forth(20, "")])
    assert runs <= 10 * 8


def test_what_was_hidden_before_is_told_as_one_source(folded: Folded) -> None:
    said = [message(f"m{at}", at) for at in range(1, 11)]
    tape = folded([*said, *back_and_forth(3, "so far")])
    nodes = tape.timeline.surface.nodes
    [last] = [row.node for row in tape.timeline.rows(tape.timeline.events)]
    assert nodes.origin(last) == 12
    # The summary before it is not said to be part of it.
    assert nodes.sources(last) == list(range(10))


def test_more_than_can_be_followed_is_told_and_the_fold_before_it_stands(
    folded: Folded, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(history, "_PIECES", 30)
    monkeypatch.setattr(standing, "_LONGEST", 4)
    orders = [1 + at * 7 % 60 for at in range(60)]
    entries = [message(f"m{at}", order) for at, order in enumerate(orders)]
    for at in range(90):
        cursor = (1, 99)[at % 2]
        entries.append(anchor("compaction/auto", cursorOrderSeq=cursor, summary="so far"))
    tape = folded(entries)
    reliable = tape.timeline.doubtful_from
    assert 60 < reliable < 150
    for cursor in range(reliable + 1):
        assert surface(tape, cursor) == expected(entries[:cursor], pending_counts=True)
    told = [found for found in tape.findings() if found.kind.code == "anchor-not-followed"]
    assert len(told) == len(tape.timeline.rejected) > 0
    assert told[0].message == "too many messages came and went with the anchors before it"
    assert surface(tape, reliable + 1) == surface(tape, reliable)
