"""Our split of a surface for a compaction: the last that cuts nothing in two, by trying all."""

from hypothesis import given
from hypothesis import strategies as st

from inspector.formats.parts import Said
from inspector.lenses.holding import holder_of
from inspector.plans.splitting import FEWEST, KEEP_LAST, launching, safe_split
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Kind, Role
from tests.lenses.handmade import Handmade
from tests.timeline.telling import LAW

STEPS = st.lists(
    st.tuples(
        st.sampled_from(("human", "assistant", "call", "apart", "result", "both", "none")),
        st.integers(0, 3),
    ),
    min_size=8,
    max_size=30,
)


def folded(steps: list[tuple[str, int]]) -> Handmade:
    """A tape whose results answer the last calls, some of them events later."""
    tape = Handmade()
    waiting: list[str] = []
    for name, number in steps:
        calls = [f"{tape.timeline.events}.{at}" for at in range(1 + number)]
        match name:
            case "human":
                tape.human()
            case "assistant":
                tape.assistant()
            case "call":
                tape.call(*calls)
                waiting += calls
            case "apart":
                tape.assistant()
                tape.call(*calls, rows=False)
                waiting += calls
            case "result" if waiting:
                tape.result(waiting.pop(number % len(waiting)))
            case "both" if waiting:
                tape.result(waiting.pop(0))
            case _:
                tape.nothing()
    return tape


def rows_of(tape: Handmade) -> tuple[int, ...]:
    return tuple(row.node for row in tape.timeline.rows(tape.timeline.events))


def group_of(event: int) -> str | None:
    """Messages of which a few events in a row are parts."""
    return None if event % 5 > 2 else f"message {event // 5}"


def cuts_nothing(
    timeline: Timeline, nodes: tuple[int, ...], split: int, *, grouped: bool = False
) -> bool:
    """Whether each result behind a split has its call there, and no event stands on both sides."""
    table = timeline.surface.nodes
    events = [table.origin(node) for node in nodes]
    if set(events[:split]) & set(events[split:]):
        return False
    parts, others = (
        {group_of(event) for event in some} for some in (events[:split], events[split:])
    )
    if grouped and (parts & others) - {None}:
        return False
    for node in nodes[split:]:
        if table.kind(node) is Kind.TOOL_RESULT:
            call = timeline.pairs.call_of(table.origin(node))
            if call is not None and holder_of(timeline, call) in events[:split]:
                return False
    return True


@given(STEPS, st.integers(0, 12))
@LAW
def test_it_is_the_last_split_that_cuts_nothing(steps: list[tuple[str, int]], keep: int) -> None:
    tape = folded(steps)
    nodes = rows_of(tape)
    found = safe_split(tape.timeline, nodes, keep)
    if len(nodes) < FEWEST:
        assert (found.rows, found.moved_because) == (0, ())
        assert found.not_worth == f"nothing worth it: {len(nodes)} rows, fewer than 12"
        return
    wanted = max(0, len(nodes) - max(1, keep))
    best = max(at for at in range(wanted + 1) if cuts_nothing(tape.timeline, nodes, at))
    assert found.rows == (0 if best <= 1 else best)
    assert bool(found.not_worth) == (best <= 1)
    assert bool(found.moved_because) == (best < wanted)


@given(STEPS, st.integers(0, 12))
@LAW
def test_parts_of_one_message_of_the_api_stay_together(
    steps: list[tuple[str, int]], keep: int
) -> None:
    tape = folded(steps)
    nodes = rows_of(tape)
    if len(nodes) < FEWEST:
        return
    found = safe_split(tape.timeline, nodes, keep, group_of)
    wanted = max(0, len(nodes) - max(1, keep))
    best = max(
        at for at in range(wanted + 1) if cuts_nothing(tape.timeline, nodes, at, grouped=True)
    )
    assert found.rows == (0 if best <= 1 else best)


def test_it_keeps_eight_rows_unless_told() -> None:
    tape = Handmade()
    for _ in range(20):
        tape.human()
    assert KEEP_LAST == 8
    assert safe_split(tape.timeline, rows_of(tape), KEEP_LAST).rows == 12
    assert safe_split(tape.timeline, rows_of(tape), 0).rows == 19
    assert safe_split(tape.timeline, rows_of(tape), 50).rows == 0


def test_it_says_why_it_was_moved() -> None:
    tape = Handmade()
    for _ in range(6):
        tape.human()
    tape.call("one")
    for _ in range(6):
        tape.human()
    tape.result("one")
    found = safe_split(tape.timeline, rows_of(tape), 3)
    assert found.rows == 6
    assert found.moved_because == ("moved back to row 6: #13 answers a call of #6",)


def test_the_rows_of_one_event_stay_together() -> None:
    tape = Handmade()
    for _ in range(10):
        tape.human()
    tape.builder.event = tape.timeline.events
    for part in range(4):
        tape.builder.append(Role.ASSISTANT, Kind.MESSAGE, 1, {"part": part})
    tape.nothing()
    found = safe_split(tape.timeline, rows_of(tape), 2)
    assert found.rows == 10
    assert found.moved_because == ("moved back to row 10: #10 is one message",)


# The launching message.


def test_the_launching_message_is_the_first_that_a_person_wrote() -> None:
    tape = Handmade()
    tape.row(Role.SYSTEM, Kind.MESSAGE, Said("be good"))
    tape.row(Role.USER, Kind.CONTEXT, Said("the time is now"))
    tape.row(Role.USER, Kind.MESSAGE, Said("a reminder"), details={"meta": True})
    tape.assistant()
    wanted = tape.human("do it")
    tape.human("now")
    node = launching(tape.timeline, rows_of(tape))
    assert node is not None
    assert tape.timeline.surface.nodes.origin(node) == wanted


def test_what_a_compaction_wrote_anew_as_the_persons_is_not_the_persons() -> None:
    tape = Handmade()
    tape.human()
    tape.compacts()
    assert launching(tape.timeline, rows_of(tape)) is None
    tape.human("more")
    node = launching(tape.timeline, rows_of(tape))
    assert node is not None
    assert tape.timeline.surface.nodes.origin(node) == 2
