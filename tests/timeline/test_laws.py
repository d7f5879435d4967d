"""Laws 1 to 3 on the effects themselves: a timeline against a plain list, at every cursor."""

import random
from array import array
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.timeline import order
from inspector.timeline.builder import Builder
from inspector.timeline.nodes import NodeDetails
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Form, Kind, Mark, Outcome, Reason, Role, SpanKind, Visibility
from tests.timeline.reference import longest_common
from tests.timeline.telling import (
    LAW,
    Both,
    Event,
    batches,
    quiet,
    same_changes,
    same_departures,
    same_rows,
    same_visibility,
    scripts,
    small_tables,
    so_many,
    told,
)


@given(scripts, batches)
@LAW
def test_every_cursor_is_the_plain_fold(script: list[Event], sizes: list[int]) -> None:
    with small_tables():
        both = told(script, sizes, quiet)
        for cursor in range(len(script) + 1):
            same_rows(both, cursor)
            same_visibility(both, cursor)


@given(scripts, batches)
@LAW
def test_a_reader_stays_right_while_more_is_told(script: list[Event], sizes: list[int]) -> None:
    def all_published(both: Both) -> None:
        for cursor in range(both.timeline.events + 1):
            same_rows(both, cursor)
        cursor = both.reference.event * 7 % (both.timeline.events + 1)
        same_visibility(both, cursor)

    with small_tables():
        told(script, sizes, all_published)


@given(scripts, batches)
@LAW
def test_batches_change_nothing(script: list[Event], sizes: list[int]) -> None:
    with small_tables():
        pieces, whole = told(script, sizes, quiet), told(script, [len(script)], quiet)
    for cursor in range(len(script) + 1):
        assert pieces.timeline.rows(cursor) == whole.timeline.rows(cursor)
        assert pieces.timeline.changes(0, cursor) == whole.timeline.changes(0, cursor)


@given(scripts, st.lists(st.integers(0, 60), min_size=2, max_size=40))
@LAW
def test_windows_are_slices(script: list[Event], borders: list[int]) -> None:
    with small_tables():
        both = told(script, [3], quiet)
        for cursor in range(len(script) + 1):
            for start, stop in pairwise(borders):
                window = both.timeline.rows(cursor, start, stop)
                assert window == both.reference.surfaces[cursor][start:stop]


@given(scripts)
@LAW
def test_ranks_are_places_of_the_list(script: list[Event]) -> None:
    with small_tables():
        both = told(script, [4], quiet)
        for cursor in range(len(script) + 1):
            for node in range(len(both.reference.nodes)):
                rank = both.timeline.surface.rank(node, cursor)
                assert rank == both.reference.rank(node, cursor)


@given(scripts)
@LAW
def test_changes_are_the_difference_of_two_surfaces(script: list[Event]) -> None:
    with small_tables():
        both = told(script, [2, 5], quiet)
        for later in range(len(script) + 1):
            for earlier in range(later + 1):
                same_changes(both, earlier, later)


@given(scripts)
@LAW
def test_a_node_that_is_not_there_tells_why(script: list[Event]) -> None:
    with small_tables():
        both = told(script, [1, 4], quiet)
        for cursor in range(len(script) + 1):
            same_departures(both, cursor)


@given(scripts)
@LAW
def test_steps_to_the_next_change_miss_none(script: list[Event]) -> None:
    with small_tables():
        both = told(script, [3], quiet)
    changing = both.reference.changing()
    for cursor in range(len(script) + 1):
        following = [at for at in changing if at > cursor]
        earlier = [at for at in changing if at < cursor]
        assert both.timeline.surface.next_change(cursor) == min(following, default=None)
        assert both.timeline.surface.previous_change(cursor) == max(earlier, default=None)


def test_a_cut_result_that_was_rewound_to_the_full_one_is_visible() -> None:
    builder = Builder(timeline := Timeline())
    full = builder.append(Role.TOOL, Kind.TOOL_RESULT, 9)
    builder.event = 1
    details: NodeDetails = {"origin": 0, "form": Form.CUT}
    builder.replace([full], Reason.PRUNED, Role.TOOL, Kind.TOOL_RESULT, 1, details)
    builder.event = 2
    builder.resurface([full], Reason.REWOUND)
    builder.publish(array("I", [0, 1, 2]), array("H", [0, 0, 0]), array("q", [0, 0, 0]))
    assert timeline.rows(3) == [(full, 3, True)]
    assert timeline.visibility(0, 2)[0].label == "pruned"
    assert timeline.visibility(0, 3) == (Visibility.VISIBLE, None)


def test_a_node_that_its_own_event_moves_is_visible() -> None:
    builder = Builder(timeline := Timeline())
    old = builder.append(Role.USER, Kind.MESSAGE, 1)
    builder.event = 1
    new = builder.append(Role.USER, Kind.MESSAGE, 1)
    builder.resurface([new, old], Reason.UNLINKED)
    builder.publish(array("I", [0, 1]), array("H", [0, 0]), array("q", [0, 0]))
    assert [row.node for row in timeline.rows(2)] == [new, old]
    assert [timeline.visibility(event, 2)[0].label for event in (0, 1)] == ["visible", "visible"]


def test_an_event_with_one_of_two_nodes_there_is_visible() -> None:
    builder = Builder(timeline := Timeline())
    builder.append(Role.USER, Kind.MESSAGE, 1)
    second = builder.append(Role.USER, Kind.MESSAGE, 1, {"part": 1})
    builder.event = 1
    builder.remove([second], Reason.CLEARED)
    builder.publish(array("I", [0, 1]), array("H", [0, 0]), array("q", [0, 0]))
    assert timeline.count(2) == 1
    assert timeline.visibility(0, 2) == (Visibility.VISIBLE, None)


@given(scripts)
@LAW
def test_nodes_are_what_was_told(script: list[Event]) -> None:
    with small_tables():
        both = told(script, [5], quiet)
    made = both.timeline.surface.nodes
    assert len(made) == len(both.reference.nodes)
    for number, node in enumerate(both.reference.nodes):
        assert (made.role(number).label, made.kind(number).label) == (node.role, node.kind)
        assert (made.origin(number), made.part(number)) == (node.origin, node.part)
        assert made.form(number).label == node.form
        assert (made.silent(number), made.meta(number)) == (node.silent, node.meta)
        assert made.sources(number) == both.reference.cited(number)


@given(scripts, st.integers(0, 63), st.integers(0, 63))
@LAW
def test_the_builder_knows_what_is_there_now(script: list[Event], one: int, other: int) -> None:
    with small_tables():
        both = told(script, [2], quiet)
        here = both.reference.current
        for node in range(len(both.reference.nodes)):
            assert both.builder.is_live(node) == (node in here)
        if here:
            first, last = one % len(here), other % len(here)
            wanted = here[first : last + 1] if first <= last else None
            assert both.builder.between(here[first], here[last]) == wanted
            same_rows(both, len(script))
            for node in set(range(len(both.reference.nodes))) - set(here):
                with pytest.raises(ValueError, match="not on the surface"):
                    both.builder.remove([node], Reason.PRUNED)


@given(st.permutations(range(12)), st.permutations(range(12)), st.integers(0, 12))
@LAW
def test_as_many_rows_stay_as_can(one: list[int], other: list[int], length: int) -> None:
    timeline = Timeline()
    builder = Builder(timeline)
    for _ in one:
        builder.append(Role.USER, Kind.MESSAGE, 1)
    for event, wanted in enumerate((one, other[:length]), 1):
        builder.event = event
        builder.resurface(wanted, Reason.REWOUND)
    before, after = timeline.rows(2), timeline.rows(3)
    stayed = len(set(before) & set(after))
    assert [row.node for row in before] == one
    assert [row.node for row in after] == other[:length]
    assert stayed == longest_common(one, other[:length])
    changes = timeline.changes(2, 3)
    assert (len(changes.entered), len(changes.left)) == (len(after) - stayed, 12 - stayed)


@given(st.lists(st.permutations(range(8)), min_size=1, max_size=6), st.integers(0, 8))
@LAW
def test_the_last_of_several_resurfaces_counts(orders: list[list[int]], length: int) -> None:
    with small_tables():
        timeline = Timeline()
        builder = Builder(timeline)
        for _ in range(8):
            builder.append(Role.USER, Kind.MESSAGE, 5)
        builder.event = 1
        for wanted in orders:
            builder.resurface(wanted[:length], Reason.UNLINKED)
        assert [row.node for row in timeline.rows(1)] == list(range(8))
        last = orders[-1][:length]
        assert [row.node for row in timeline.rows(2)] == last
        assert timeline.tokens(2) == 5 * timeline.count(2) == 5 * length
        assert [timeline.surface.rank(node, 2) for node in last] == list(range(length))


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("block", [2, 7, 64])
def test_long_tapes_with_many_blocks(
    seed: int, block: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(order, "BLOCK", block)
    chance = random.Random(seed)  # noqa: S311
    names = ("append",) * 12 + ("insert", "replace", "replace", "remove", "resurface")
    script: list[Event] = [
        [
            (chance.choice(names), [chance.randrange(64) for _ in range(8)])
            for _ in range(chance.randrange(4))
        ]
        for _ in range(250)
    ]
    both = told(script, [13, 40], quiet)
    blocks = both.timeline.surface.order.blocks
    assert len(blocks) > len(both.reference.nodes) / (2 * block)
    assert max(len(one.elements) for one in blocks) <= block
    for cursor in range(0, 251, 5):
        same_rows(both, cursor)
        rows = both.reference.surfaces[cursor]
        for rank in range(0, len(rows), 9):
            assert both.timeline.rows(cursor, rank, rank + 3) == rows[rank : rank + 3]
            assert both.timeline.surface.rank(rows[rank].node, cursor) == rank
        other = chance.randrange(cursor + 1)
        found, (entered, left) = (
            both.timeline.changes(other, cursor),
            both.reference.changes(other, cursor),
        )
        assert sorted(found.entered) == sorted(entered)
        assert [gone.node for gone in sorted(found.left)] == [gone.node for gone in sorted(left)]


# What stands beside the surface.

Deed = tuple[str, int, int]

deed = st.tuples(
    st.sampled_from(("open", "open", "close", "all", "set", "set", "mark", "spend", "settle")),
    st.integers(0, 5),
    st.integers(0, 5),
)
deeds = so_many(so_many(deed, 4), 30)


class Beside:
    """The plain histories beside the surface."""

    def __init__(self) -> None:
        self.spans: list[dict[str, int | str | None]] = []
        self.values: dict[str, dict[int, int]] = {}
        self.marks: dict[Mark, list[int]] = {mark: [] for mark in Mark}
        self.usage: list[int] = []
        self.settled: list[bool] = [True]

    def end_span(self, kind: SpanKind, identity: str | None, cursor: int, outcome: str) -> bool:
        ended = [
            span
            for span in self.spans
            if span["kind"] == kind.label
            and span["closed"] is None
            and identity in (None, span["identity"])
        ]
        for span in ended:
            span |= {"closed": cursor, "outcome": outcome}
        return bool(ended)

    def open_at(self, kind: SpanKind, cursor: int) -> list[tuple[int | str | None, ...]]:
        """Latest first, all of them still running."""
        return [
            (span["number"], span["opened"], None, "running")
            for span in reversed(self.spans)
            if span["kind"] == kind.label
            and int(span["opened"] or 0) <= cursor
            and (span["closed"] is None or int(span["closed"]) > cursor)
        ]

    def setting(self, name: str, cursor: int) -> tuple[int, int] | None:
        """The value of a register, and since when it has been the same."""
        found: tuple[int, int] | None = None
        for at, value in self.values[name].items():
            if at <= cursor and (found is None or found[0] != value):
                found = (value, at)
        return found


def _tell(builder: Builder, plain: Beside, cursor: int, deed: Deed) -> None:
    name, one, other = deed
    kind, identity = SpanKind(one % 2), f"span {other % 3}"
    outcome = Outcome(other % len(Outcome))
    match name:
        case "open":
            plain.end_span(kind, identity, cursor, "unknown")
            plain.spans.append(
                {
                    "kind": kind.label,
                    "identity": identity,
                    "number": other or None,
                    "opened": cursor,
                    "closed": None,
                    "outcome": "running",
                }
            )
            builder.open(kind, identity, other or None)
        case "close":
            was_open = plain.end_span(kind, identity, cursor, outcome.label)
            assert builder.close(kind, identity, outcome) == was_open
        case "all":
            plain.end_span(kind, None, cursor, outcome.label)
            builder.close_all(kind, outcome)
        case "set":
            name, value = f"register {one % 2}", other % 2
            plain.values.setdefault(name, {})[cursor] = value
            builder.set(name, value)
        case "mark":
            mark = Mark(one % len(Mark))
            if cursor - 1 not in plain.marks[mark]:
                plain.marks[mark].append(cursor - 1)
            builder.mark(mark)
        case "spend":
            plain.usage.append(cursor - 1)
            builder.spend(one, other, 7, cursor)
        case "settle":
            plain.settled[-1] = bool(one % 2)
            builder.settle(bool(one % 2))


@given(deeds)
@LAW
def test_histories_are_what_was_told(script: list[list[Deed]]) -> None:
    timeline, plain = Timeline(), Beside()
    builder = Builder(timeline)
    with small_tables():
        for event, done in enumerate(script):
            builder.event = event
            plain.settled.append(plain.settled[-1])
            for deed in done:
                _tell(builder, plain, event + 1, deed)
            builder.publish(array("I", [0]), array("H", [0]), array("q", [0]))
        for cursor in range(len(script) + 1):
            for kind in (SpanKind.TURN, SpanKind.STEP):
                found = [
                    (span.number, span.opened, span.closed, span.outcome.label)
                    for span in timeline.spans[kind].open_at(cursor)
                ]
                assert found == plain.open_at(kind, cursor)
            assert timeline.settled.at(cursor) == plain.settled[cursor]
            for name in plain.values:
                setting = timeline.registers.at(name, cursor)
                assert (setting and setting[:2]) == plain.setting(name, cursor)
            usage = timeline.usage.last(cursor)
            told_ = [event for event in plain.usage if event < cursor]
            assert (usage and usage.event) == (told_[-1] if told_ else None)
            for mark in Mark:
                within = [event for event in plain.marks[mark] if cursor <= event < cursor + 5]
                assert timeline.marks.within(mark, cursor, cursor + 5) == len(within)
    for kind in (SpanKind.TURN, SpanKind.STEP):
        wanted = [span for span in plain.spans if span["kind"] == kind.label]
        spans = timeline.spans[kind]
        assert len(spans) == len(wanted)
        for at, span in enumerate(wanted):
            found_span = spans[at]
            assert (found_span.opened, found_span.closed) == (span["opened"], span["closed"])
            assert (found_span.number, found_span.outcome.label) == (
                span["number"],
                span["outcome"],
            )
        for event in range(len(script)):
            opened = [at for at, span in enumerate(wanted) if span["opened"] == event + 1]
            assert spans.opened_by(event) == min(opened, default=None)
            before = [at for at, span in enumerate(wanted) if int(span["opened"] or 0) <= event]
            assert spans.last(event) == max(before, default=None)
