"""Scripts of effects, and a builder that is told them beside the plain reference."""

from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Final, TypeVar

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st

from inspector.timeline import lanes, nodes, order, slices, spans, sums
from inspector.timeline.builder import Builder
from inspector.timeline.nodes import NodeDetails
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Form, Kind, Reason, Role
from tests.timeline.reference import Node, Reference

_T = TypeVar("_T")

LAW: Final = settings(
    derandomize=True,
    deadline=None,
    max_examples=50,
    phases=(Phase.generate, Phase.shrink),
    report_multiple_bugs=False,
)

Effect = tuple[str, list[int]]
Event = list[Effect]

EFFECTS: Final = (
    *("append",) * 5,
    "insert",
    "hold",
    "aside",
    "replace",
    "replace",
    "reform",
    "remove",
    "carry",
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
        patch.setattr(sums, "CHECKPOINT", 4)
        patch.setattr(nodes, "CHECKPOINT", 4)
        patch.setattr(slices, "GROUP", 2)
        patch.setattr(lanes, "STEP", 4)
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
        self.resurfaced = False

    def fold(self, event: Event) -> None:
        self.builder.event = self.reference.event
        self.resurfaced = False
        for name, numbers in event:
            tell = getattr(self, f"_{name}")
            tell((numbers * 12)[:12])
        self.reference.end()

    def place(self) -> None:
        """Have told all effects so far, but not the events."""
        self.builder.publish(array("I"), array("H"), array("q"))

    def publish(self) -> None:
        events = self.reference.event - self.timeline.events
        columns = (array(code, [0] * events) for code in "IHq")
        self.builder.publish(*columns)

    def _append(self, numbers: list[int]) -> None:
        node = self.node(numbers, None)
        made = self.reference.append(node)
        assert self.builder.append(*words_of(node), details_of(node, self.reference.event)) == made

    def _hold(self, numbers: list[int]) -> int:
        node, reason, cause = (
            self.node(numbers, None),
            reason_of(numbers[3]),
            self.cause(numbers[4]),
        )
        made = self.reference.hold(node, reason.label, cause)
        details = details_of(node, self.reference.event)
        assert self.builder.hold(*words_of(node), details, reason, cause) == made
        return made

    def _aside(self, _numbers: list[int]) -> None:
        self.reference.aside()
        self.builder.aside()

    def _insert(self, numbers: list[int]) -> None:
        here = self.reference.current
        if not here:
            return
        before = here[numbers[0] % len(here)]
        node = self.node(numbers[1:], before)
        made = self.reference.insert(before, node)
        details = details_of(node, self.reference.event)
        assert self.builder.insert(before, *words_of(node), details) == made

    def _replace(self, numbers: list[int]) -> None:
        leaving = self._some(numbers)
        if not leaving:
            return
        node = self.node(numbers[2:], leaving[0])
        reason = reason_of(numbers[3])
        made = self.reference.replace(leaving, reason.label, node)
        details = details_of(node, self.reference.event)
        assert self.builder.replace(leaving, reason, *words_of(node), details) == made

    def _reform(self, numbers: list[int]) -> None:
        here = self.reference.current
        if not here:
            return
        node, form, reason = (
            here[numbers[0] % len(here)],
            Form(numbers[1] % len(Form)),
            reason_of(numbers[3]),
        )
        made = self.reference.reform(node, form.label, numbers[2], reason.label)
        assert self.builder.reform(node, form, numbers[2], reason) == made

    def _remove(self, numbers: list[int]) -> None:
        leaving, reason, cause = self._some(numbers), reason_of(numbers[3]), self.cause(numbers[4])
        self.reference.remove(leaving, reason.label, cause)
        self.builder.remove(leaving, reason, cause)

    def _carry(self, numbers: list[int]) -> None:
        """Nodes that are not there come back, before one that is or at the end."""
        here = self.reference.current
        away = [node for node in range(len(self.reference.nodes)) if node not in here]
        if not away:
            return
        self.resurfaced = True  # Which rows stayed could not be seen after it.
        first = numbers[0] % len(away)
        back = away[first : first + 1 + numbers[1] % 5][:: 1 if numbers[2] % 2 else -1]
        before = here[numbers[3] % len(here)] if here and numbers[2] % 3 else None
        self.reference.carry(back, before)
        self.builder.carry(back, before)

    def _resurface(self, numbers: list[int]) -> None:
        if self.resurfaced:
            return  # Which rows stayed could not be seen after a second one.
        self.resurface(self._sequence(numbers), reason_of(numbers[3]), self.cause(numbers[4]))

    def resurface(self, wanted: list[int], reason: Reason, cause: int | None) -> None:
        self.resurfaced = True
        before = set(self.reference.rows)
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

    def node(self, numbers: list[int], instead: int | None) -> Node:
        """A new node; it may be a change of form of one that is there."""
        origin, form = self.reference.event, Form.FULL
        if instead is not None and numbers[0] % 3 == 0:
            origin, form = self.reference.nodes[instead].origin, Form(numbers[1] % len(Form))
        made = len(self.reference.nodes)
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
            sources_of=numbers[7] % made if made and numbers[7] % 4 == 0 else None,
        )

    def cause(self, number: int) -> int | None:
        event = self.reference.event
        return number % event if event and number % 2 else None


def words_of(node: Node) -> tuple[Role, Kind, int]:
    return Role[node.role.upper()], Kind[node.kind.upper()], node.tokens


def details_of(node: Node, event: int) -> NodeDetails | None:
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
    if node.sources_of is not None:
        details["sources_of"] = node.sources_of
    if node.silent:
        details["silent"] = True
    if node.meta:
        details["meta"] = True
    return details or None


def reason_of(number: int) -> Reason:
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


def same_changes(both: Both, earlier: int, later: int) -> None:
    found = both.timeline.changes(earlier, later)
    entered, left = both.reference.changes(earlier, later)
    assert sorted(found.entered) == sorted(entered)
    assert [(gone.node, gone.reason.label, gone.by) for gone in sorted(found.left)] == sorted(left)


def same_departures(both: Both, cursor: int) -> None:
    for node in range(len(both.reference.nodes)):
        found = both.timeline.surface.departure(node, cursor)
        told_ = None if found is None else (found.node, found.reason.label, found.by)
        assert told_ == both.reference.departure(node, cursor)
