"""Laws 1 to 3 on the effects themselves: a timeline against a plain list, at every cursor."""

import random
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from itertools import pairwise
from typing import Final, TypeVar

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from inspector.timeline import nodes, order, spans, surface
from inspector.timeline.builder import Builder
from inspector.timeline.nodes import NodeDetails
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Form, Kind, Mark, Outcome, Reason, Role, SpanKind, Visibility
from tests.timeline.reference import Node, Reference, longest_common

_T = TypeVar("_T")

LAW: Final = settings(
    derandomize=True,
    deadline=None,
    max_examples=70,
    phases=(Phase.generate, Phase.shrink),
    report_multiple_bugs=False,
)

Effect = tuple[str, list[int]]
Event = list[Effect]

EFFECTS: Final = (
    *("append",) * 5,
    "insert",
    "replace",
    "replace",
    "remove",
    "resurface",
    "resurface",
)

digits = st.integers(0, 64**3 - 1).map(
    lambda number: [number % 64, number // 64 % 64, number // 64**2]
)
"""Three numbers in one draw: most of the time goes into drawing."""

effects = st.builds(
    lambda name, some, more: (name, some + more), st.sampled_from(EFFECTS), digits, digits
)


def so_many(one: st.SearchStrategy[_T], most: int) -> st.SearchStrategy[list[_T]]:
    """Lists of every length alike; those of hypothesis are mostly short."""
    return st.integers(0, most).flatmap(lambda size: st.lists(one, min_size=size, max_size=size))


scripts = so_many(so_many(effects, 4), 24)
batches = st.lists(st.integers(1, 5), min_size=1, max_size=4)


@contextmanager
def small_tables() -> Iterator[None]:
    """Few entries per block, group, checkpoint and filling, so that every border is crossed."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(order, "BLOCK", 4)
        patch.setattr(surface, "_CHECKPOINT", 4)
        patch.setattr(nodes, "FILL", 8)
        patch.setattr(spans, "FILL", 4)
        patch.setattr(spans, "_GROUP", 4)
        yield


class Both:
    """A builder and the reference, told the same; numbers choose among what is possible."""

    def __init__(self) -> None:
        self.timeline = Timeline()
        self.builder = Builder(self.timeline)
        self.reference = Reference()
        self._resurfaced = False

    def fold(self, event: Event) -> None:
        self.builder.event = self.reference.event
        self._resurfaced = False
        for name, numbers in event:
            tell = getattr(self, f"_{name}")
            tell((numbers * 12)[:12])
        self.reference.end()

    def publish(self) -> None:
        events = self.reference.event - self.timeline.events
        columns = (array(code, [0] * events) for code in "IHq")
        self.builder.publish(*columns)

    def _append(self, numbers: list[int]) -> None:
        node = self._node(numbers, None)
        made = self.reference.append(node)
        assert self.builder.append(*_words(node), _details(node, self.reference.event)) == made

    def _insert(self, numbers: list[int]) -> None:
        here = self.reference.current
        if not here:
            return
        before = here[numbers[0] % len(here)]
        node = self._node(numbers[1:], before)
        made = self.reference.insert(before, node)
        details = _details(node, self.reference.event)
        assert self.builder.insert(before, *_words(node), details) == made

    def _replace(self, numbers: list[int]) -> None:
        leaving = self._some(numbers)
        if not leaving:
            return
        node = self._node(numbers[2:], leaving[0])
        reason = _reason(numbers[3])
        made = self.reference.replace(leaving, reason.label, node)
        details = _details(node, self.reference.event)
        assert self.builder.replace(leaving, reason, *_words(node), details) == made

    def _remove(self, numbers: list[int]) -> None:
        leaving, reason, cause = self._some(numbers), _reason(numbers[3]), self._cause(numbers[4])
        self.reference.remove(leaving, reason.label, cause)
        self.builder.remove(leaving, reason, cause)

    def _resurface(self, numbers: list[int]) -> None:
        if self._resurfaced:
            return  # Which rows stayed could not be seen after a second one.
        self._resurfaced = True
        before = set(self.reference.rows)
        wanted = self._sequence(numbers)
        reason, cause = _reason(numbers[3]), self._cause(numbers[4])
        self.builder.resurface(wanted, reason, cause)
        rows = self.timeline.surface.rows(self.reference.event + 1)
        kept = {row.node for row in rows if row in before}
        self.reference.resurface(wanted, reason.label, cause, kept)

    def _some(self, numbers: list[int]) -> list[int]:
        """Nodes that are there: a slice, or a few apart, in the order of the surface."""
        here = self.reference.current
        if not here:
            return []
        first = numbers[0] % len(here)
        some = here[first : first + 1 + numbers[1] % 5]
        return some[:: 1 + numbers[2] % 2]

    def _sequence(self, numbers: list[int]) -> list[int]:
        """A surface to become: an earlier one, a mix of all nodes, or the present one turned."""
        made = range(len(self.reference.nodes))
        here = self.reference.current
        match numbers[0] % 6:
            case 0:  # Back to an earlier surface.
                surfaces = self.reference.surfaces
                return [row.node for row in surfaces[numbers[1] % len(surfaces)]]
            case 1:  # Back to the start of one.
                surfaces = self.reference.surfaces
                rows = surfaces[numbers[1] % len(surfaces)]
                return [row.node for row in rows[: numbers[2] % (len(rows) + 1)]]
            case 2:  # Any nodes in any order.
                pool, wanted = list(made), list[int]()
                while pool and len(wanted) < numbers[1]:
                    wanted.append(pool.pop(numbers[len(wanted) % len(numbers)] % len(pool)))
                return wanted
            case 3:  # Most nodes in the order of birth: long runs.
                return [node for node in made if node not in numbers[1:4]]
            case 4:  # The present surface with a slice moved.
                start, stop = sorted(number % (len(here) + 1) for number in numbers[1:3])
                rest = here[:start] + here[stop:]
                at = numbers[3] % (len(rest) + 1)
                return rest[:at] + here[start:stop] + rest[at:]
            case _:  # Without a slice, and another slice of all nodes before it.
                start, stop = sorted(number % (len(made) + 1) for number in numbers[1:3])
                moved = list(made[start:stop])
                return moved + [node for node in here if node not in moved]

    def _node(self, numbers: list[int], instead: int | None) -> Node:
        """A new node; it may be a change of form of one that is there."""
        origin, form = self.reference.event, Form.FULL
        if instead is not None and numbers[0] % 3 == 0:
            origin, form = self.reference.nodes[instead].origin, Form(numbers[1] % len(Form))
        sources = tuple(
            range(number, number + numbers[1] % 3) for number in numbers[2 : 2 + numbers[0] % 4]
        )
        return Node(
            origin=origin,
            role=Role(numbers[2] % len(Role)).label,
            kind=Kind(numbers[3] % len(Kind)).label,
            tokens=numbers[4],
            part=numbers[5] % 3,
            form=form.label,
            silent=numbers[5] % 4 == 0,
            meta=numbers[6] % 4 == 0,
            sources=sources,
        )

    def _cause(self, number: int) -> int | None:
        event = self.reference.event
        return number % event if event and number % 2 else None


def _words(node: Node) -> tuple[Role, Kind, int]:
    return Role[node.role.upper()], Kind[node.kind.upper()], node.tokens


def _details(node: Node, event: int) -> NodeDetails | None:
    """As sparse as a format tells them."""
    details: NodeDetails = {}
    if node.origin != event:
        details["origin"] = node.origin
    if node.part:
        details["part"] = node.part
    if node.form != "full":
        details["form"] = Form[node.form.upper()]
    if node.sources:
        details["sources"] = node.sources
    if node.silent:
        details["silent"] = True
    if node.meta:
        details["meta"] = True
    return details or None


def _reason(number: int) -> Reason:
    return Reason(number % len(Reason))


def told(script: Sequence[Event], sizes: Sequence[int], during: Callable[[Both], None]) -> Both:
    """Fold a script in batches of the given sizes; ``during`` is called after every event."""
    both = Both()
    left = sizes[0]
    for at, event in enumerate(script):
        both.fold(event)
        left -= 1
        if not left or at == len(script) - 1:
            both.publish()
            left = sizes[(at + 1) % len(sizes)]
        during(both)
    return both


def quiet(_both: Both) -> None:
    pass


def same_rows(both: Both, cursor: int) -> None:
    timeline, reference = both.timeline, both.reference
    assert timeline.rows(cursor) == reference.surfaces[cursor]
    assert timeline.count(cursor) == reference.count(cursor)
    assert timeline.tokens(cursor) == reference.tokens(cursor)
    assert timeline.surface.messages(cursor) == reference.messages(cursor)
    assert timeline.generation(cursor) == reference.generation(cursor)


def same_visibility(both: Both, cursor: int) -> None:
    for event in range(both.timeline.events):
        word, by = both.timeline.visibility(event, cursor)
        assert (word.label, by) == both.reference.visibility(event, cursor), (event, cursor)


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
                found = both.timeline.changes(earlier, later)
                entered, left = both.reference.changes(earlier, later)
                assert sorted(found.entered) == sorted(entered)
                assert [(gone.node, gone.reason.label, gone.by) for gone in sorted(found.left)] == (
                    sorted(left)
                )


@given(scripts)
@LAW
def test_a_node_that_is_not_there_tells_why(script: list[Event]) -> None:
    with small_tables():
        both = told(script, [1, 4], quiet)
        reference = both.reference
        for cursor in range(len(script) + 1):
            for node in range(len(reference.nodes)):
                found = both.timeline.surface.departure(node, cursor)
                told_ = None if found is None else (found.node, found.reason.label, found.by)
                assert told_ == reference.departure(node, cursor)


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
        assert made.sources(number) == [event for span in node.sources for event in span]


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
