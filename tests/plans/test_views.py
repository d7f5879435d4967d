"""The three histories of a cut, against the same told plainly with lists in lists."""

from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from inspector.formats.planning import View
from inspector.plans.views import compacted, covers_from, default, originals, views
from inspector.timeline.surface import Changes
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Form, Kind, Reason, Role
from tests.lenses.handmade import Handmade
from tests.timeline.telling import LAW, Both, Event, batches, quiet, scripts, small_tables, told


@dataclass(eq=False)
class Shown:
    """A row, and what it hides: of a summary all that it stands for, of a prune the one result."""

    event: int
    summary: bool = False
    hides: list["Shown"] = field(default_factory=list)

    def flat(self) -> list[int]:
        """The rows without any summary."""
        if not self.summary and not self.hides:
            return [self.event]
        return [event for one in self.hides for event in one.flat()]

    def tells(self) -> list[int]:
        """The events of which a summary tells."""
        return [
            event for one in self.hides for event in (one.tells() if one.summary else [one.event])
        ]


Step = tuple[str, int]
STEPS = st.lists(
    st.tuples(
        st.sampled_from(("say", "say", "say", "result", "compact", "prune", "rewind", "nothing")),
        st.integers(0, 5),
    ),
    max_size=24,
)


def folded(steps: list[Step]) -> tuple[Handmade, list[list[Shown]]]:
    """A tape, and its surface at each cursor, told plainly."""
    tape = Handmade()
    surfaces: list[list[Shown]] = [[]]
    for name, number in steps:
        now = list(surfaces[-1])
        event = tape.timeline.events
        match name:
            case "say":
                tape.human()
                now.append(Shown(event))
            case "result":
                tape.result(f"call {event}")
                now.append(Shown(event))
            case "compact":
                tape.compacts(min(number, len(now)))
                keep = len(now) - min(number, len(now))
                hidden, now = now[:keep], now[keep:]
                # Nothing hidden, nothing replaced: a summary at the end.
                at = 0 if hidden else len(now)
                now.insert(at, Shown(event, summary=True, hides=hidden))
            case "prune" if now and not now[number % len(now)].summary:
                row = number % len(now)
                tape.prunes(row)
                now[row] = Shown(event, hides=[now[row]])
            case "rewind":
                tape.rewinds(min(number, len(now)))
                now = now[:number]
            case _:
                tape.nothing()
        surfaces.append(now)
    return tape, surfaces


def plain_compacted(surfaces: list[list[Shown]], cut: int) -> list[int] | None:
    """The definition: the head's rows up to the last of the cut, none of which knows more."""
    if not surfaces[cut]:
        return []
    head, last = surfaces[-1], surfaces[cut][-1]
    if last not in head:
        return None
    taken = head[: head.index(last) + 1]
    for one in taken:
        known = one.tells() if one.summary else [one.event]
        if any(event >= cut for event in known):
            return None
    return [one.event for one in taken]


@given(STEPS)
@LAW
def test_each_view_equals_its_definition_at_every_cut(steps: list[Step]) -> None:
    tape, surfaces = folded(steps)
    origin = tape.timeline.surface.nodes.origin
    for cut, surface in enumerate(surfaces):
        found = views(tape.timeline, cut)
        assert list(map(origin, found.as_of)) == [one.event for one in surface]
        unhidden = [event for one in surface for event in one.flat()]
        assert list(map(origin, found.originals)) == unhidden
        expected = plain_compacted(surfaces, cut)
        if expected is None:
            assert isinstance(found.compacted, str)
        else:
            assert not isinstance(found.compacted, str)
            assert list(map(origin, found.compacted)) == expected


@given(scripts, batches)
@LAW
def test_on_tapes_rewritten_in_every_way_nothing_is_shown_twice_or_leaks(
    script: list[Event], sizes: list[int]
) -> None:
    with small_tables():
        both = told(script, sizes, quiet)
    for cut in range(len(script) + 1):
        no_leak(both, cut)


def no_leak(both: Both, cut: int) -> None:
    timeline = both.timeline
    table = timeline.surface.nodes
    found = views(timeline, cut)
    assert list(found.as_of) == [row.node for row in both.reference.surfaces[cut]]
    unhidden = originals(timeline, cut)
    assert len(set(unhidden)) == len(unhidden)
    assert all(table.role(node) is not Role.SUMMARY for node in unhidden)
    given_back = compacted(timeline, cut)
    if isinstance(given_back, str):
        return
    head = [row.node for row in both.reference.surfaces[-1]]
    assert list(given_back) == head[: len(given_back)]
    for node in given_back:
        if table.role(node) is Role.SUMMARY:
            assert covers_from(timeline, [node], cut) is None


# Sentences.


def test_what_is_not_given_says_why() -> None:
    tape = Handmade()
    for _ in range(4):
        tape.human()
    tape.compacts(1)
    tape.human()
    timeline = tape.timeline
    # The summary took the place of the last row kept, and knows what came behind it.
    assert compacted(timeline, 2) == "the summary of #4 covers #2, behind the cut"
    assert compacted(timeline, 3) == (
        "the last row kept, of #2, is not there any more: compacted by #4"
    )
    assert not isinstance(compacted(timeline, 5), str)
    # The last row of the cut stays, and the summary before it tells of no later one.
    assert not isinstance(compacted(timeline, 4), str)


def test_a_summary_that_covers_what_is_undone_is_a_leak() -> None:
    tape = Handmade()
    for _ in range(4):
        tape.human()
    event = tape.timeline.events
    rows = list(tape.builder.sequence())
    tape.builder.event = event
    # It stands for the first and the third row: the second one is kept.
    tape.builder.remove([rows[2]], Reason.COMPACTED)
    tape.builder.replace([rows[0]], Reason.COMPACTED, Role.SUMMARY, Kind.SUMMARY, 1)
    tape.nothing()
    found = compacted(tape.timeline, 2)
    assert found == "the summary of #4 covers #2, behind the cut"
    # What it hides did not stand together, and each row is at its place again.
    assert list(map(tape.timeline.surface.nodes.origin, originals(tape.timeline, 5))) == [
        0,
        1,
        2,
        3,
    ]
    (summary, *_) = [row.node for row in tape.timeline.rows(5)]
    assert covers_from(tape.timeline, [summary], 2) == 2
    assert covers_from(tape.timeline, [summary], 3) is None


def test_what_a_summary_names_is_covered_though_it_does_not_hide_it() -> None:
    tape = Handmade()
    first = tape.human()
    later = tape.human()
    named = tape.human()
    rows = list(tape.builder.sequence())
    tape.builder.event = tape.timeline.events
    tape.builder.replace(
        [rows[first]],
        Reason.COMPACTED,
        Role.SUMMARY,
        Kind.SUMMARY,
        1,
        {"sources": [range(named, named + 1)]},
    )
    tape.nothing()
    assert compacted(tape.timeline, later + 1) == (
        f"the summary of #3 covers #{named}, behind the cut"
    )


def test_a_row_that_came_later_and_stands_before_is_not_kept() -> None:
    tape = Handmade()
    tape.human()
    tape.human()
    (_, last) = list(tape.builder.sequence())
    tape.builder.event = tape.timeline.events
    tape.builder.insert(last, Role.USER, Kind.MESSAGE, 1)
    tape.nothing()
    assert compacted(tape.timeline, 2) == (
        "a row of #2, behind the cut, stands before the last one kept"
    )


def test_a_form_that_is_less_is_given_back_in_full() -> None:
    tape = Handmade()
    tape.human()
    (node,) = list(tape.builder.sequence())
    tape.builder.event = tape.timeline.events
    cut = tape.builder.reform(node, Form.CUT, 1, Reason.PRUNED)
    tape.nothing()
    assert originals(tape.timeline, 2) == [node]
    assert views(tape.timeline, 2).as_of == (cut,)


@pytest.mark.parametrize(
    ("refused", "expected"),
    [
        ({}, View.COMPACTED),
        ({View.COMPACTED: "no"}, View.AS_OF),
        ({View.COMPACTED: "no", View.AS_OF: "no"}, View.ORIGINALS),
        (dict.fromkeys(View, "no"), View.AS_OF),
    ],
)
def test_the_default_is_compacted_where_that_is_another(
    refused: dict[View, str], expected: View
) -> None:
    tape = Handmade()
    for _ in range(4):
        tape.human()
    tape.compacts(2)
    offered = {view: refused.get(view) for view in View}
    assert default(offered, views(tape.timeline, 4)) is expected


def test_the_default_is_as_of_where_compacted_is_the_same() -> None:
    tape = Handmade()
    tape.human()
    assert default(dict.fromkeys(View), views(tape.timeline, 1)) is View.AS_OF


def test_a_plain_row_is_not_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    tape = Handmade()
    for at in range(20):
        tape.human(f"{at}")
        if at == 9:
            tape.compacts(keep=6)
    asked: list[int] = []
    changes = Timeline.changes

    def counted(timeline: Timeline, earlier: int, later: int) -> Changes:
        asked.append(earlier)
        return changes(timeline, earlier, later)

    monkeypatch.setattr(Timeline, "changes", counted)
    found = views(tape.timeline, tape.timeline.events)
    assert len(found.as_of) == 17
    assert len(found.originals) == 20
    assert set(asked) == {10}
