"""What compactions hide by each reading of their indexes, and what is told of the difference."""

from pathlib import Path
from typing import Any

import pytest

from inspector.export.documents import show
from inspector.formats.contract import OPERATIONS, RULE
from inspector.formats.reina.reading import ReinaTape
from inspector.lenses.audit import audit, summary_at
from inspector.lenses.summaries import summaries
from inspector.lenses.why import why
from inspector.timeline.words import Kind, Mark, Reason, Role, SpanKind, Visibility
from tests.formats.reina import owner
from tests.formats.reina.sessions import (
    Json,
    answer,
    codes,
    compacted,
    log,
    messages,
    session,
    spans,
    surface,
    user,
)

POLICIES = pytest.mark.parametrize("policy", ["exercise", "sequential"])


def said(count: int) -> list[Json]:
    return [user(f"m{at}") for at in range(count)]


@POLICIES
def test_a_summary_stands_for_a_range_with_its_last_message(tmp_path: Path, policy: str) -> None:
    tape = session(log(*said(5), compacted(1, 3), answer()), tmp_path, policy)
    assert surface(tape, 5) == [0, 1, 2, 3, 4]
    assert surface(tape) == [0, 5, 4, 6]
    assert tape.timeline.visibility(2, 6) == (Visibility.SHADOWED, 5)
    nodes = tape.timeline.surface.nodes
    summary = nodes.of_event(5)
    assert summary is not None
    assert (nodes.role(summary), nodes.kind(summary)) == (Role.SUMMARY, Kind.SUMMARY)
    assert nodes.sources(summary) == [1, 2, 3]
    assert spans(tape, SpanKind.COMPACTION) == [(6, 6, "ok", None)]
    assert list(tape.timeline.marks.events(Mark.COMPACTION)) == [5]
    assert tape.grounds(2, 7) == (OPERATIONS, 5)
    assert codes(tape) == []


def test_the_row_reads_as_the_loader_makes_it(tmp_path: Path) -> None:
    tape = session(log(*said(3), compacted(0, 1, "what was said")), tmp_path)
    summary = tape.timeline.rows(4)[0].node
    assert tape.node_headline(summary).text == "[历史摘要] what was said"
    assert tape.node_sections(summary)[0].text == "[历史摘要] what was said"
    assert tape.request(4)[0].text == "[历史摘要] what was said"
    assert tape.request(4)[0].role == "assistant"


@POLICIES
@pytest.mark.parametrize(
    ("first", "last"),
    [(-1, 1), (2, 1), (None, 1), (0, None), (0.5, 1), ("0", 1), (True, 2), ([0], 1), (0, {})],
)
def test_what_is_no_range_hides_nothing(tmp_path: Path, policy: str, first: Any, last: Any) -> None:
    tape = session(log(*said(3), compacted(first, last)), tmp_path, policy)
    assert surface(tape) == [0, 1, 2]
    assert codes(tape) == ["bad-range"]
    assert spans(tape, SpanKind.COMPACTION)[0][2] == "failed"


def test_whole_numbers_may_be_written_with_a_point(tmp_path: Path) -> None:
    tape = session(log(*said(3), compacted(0.0, 1.0)), tmp_path)
    assert surface(tape) == [3, 2]


@pytest.mark.parametrize("record", [None, [], "x", {}])
def test_a_compaction_that_says_nothing_hides_nothing(tmp_path: Path, record: Any) -> None:
    tape = session(log(*said(3), {"type": "compacted", "record": record}), tmp_path)
    assert surface(tape) == [0, 1, 2]
    assert codes(tape) == ["bad-range"]


def test_a_range_that_is_skipped_holds_once_so_many_messages_came(tmp_path: Path) -> None:
    records = [*said(3), compacted(1, 4), user("m3"), user("m4"), user("m5")]
    tape = session(log(*records), tmp_path)
    assert surface(tape, 4) == [0, 1, 2]
    assert surface(tape, 5) == [0, 1, 2, 4]
    assert surface(tape, 6) == [0, 3]
    assert surface(tape) == [0, 3, 6]
    left = tape.timeline.changes(5, 6).left
    assert [(one.reason, one.by) for one in left] == [(Reason.COMPACTED, 3)] * 3
    assert codes(tape) == ["range-beyond", "late-compaction", "ambiguous-compaction"]


LATE: list[Json] = [*said(3), compacted(1, 4), user("m3"), user("m4"), user("m5")]


def test_what_a_range_that_holds_late_hid_is_told_of_its_compaction(tmp_path: Path) -> None:
    timeline = session(log(*LATE), tmp_path).timeline
    assert [timeline.visibility(event, 7) for event in (1, 4, 5)] == [
        (Visibility.SHADOWED, 3),
        (Visibility.SHADOWED, 3),
        (Visibility.SHADOWED, 3),
    ]
    origin = timeline.surface.nodes.origin
    assert [origin(one.node) for one in timeline.hides(3, 7)] == [1, 2, 4, 5]
    assert [origin(one.node) for one in timeline.hid(3)] == [1, 2, 4, 5]
    assert [list(timeline.replacing(cursor)) for cursor in (4, 5, 6, 7)] == [[], [], [3], [3]]
    assert [timeline.generation(cursor) for cursor in (4, 5, 6)] == [0, 0, 1]
    assert [timeline.compactions(cursor) for cursor in (4, 5, 6)] == [0, 0, 1]
    assert [timeline.holds(3, cursor) for cursor in (4, 5, 6)] == [False, False, True]


def test_a_range_that_holds_late_is_a_compaction_of_that_moment(tmp_path: Path) -> None:
    tape = session(log(*LATE), tmp_path)
    assert spans(tape, SpanKind.COMPACTION) == [
        (4, 4, "failed", "1 to 4 ends behind the last message"),
        (6, 6, "ok", "#3, whose range holds now"),
    ]
    assert list(tape.timeline.marks.events(Mark.COMPACTION)) == [5]


def test_a_range_that_holds_late_is_audited_from_either_event(tmp_path: Path) -> None:
    tape = session(log(*LATE), tmp_path)
    timeline = tape.timeline
    assert summaries(timeline, 5) == []
    assert summaries(timeline, 7) == [3]
    assert [summary_at(timeline, event) for event in (3, 5)] == [3, 3]
    found = audit(timeline, 3, lambda event: tape.headline(event).text, lambda _: "")
    assert [original.event for original in found.originals] == [1, 2, 4, 5]


def test_what_is_hidden_by_another_compaction_than_before_says_so(tmp_path: Path) -> None:
    records = [*said(4), compacted(1, 5), compacted(0, 2), user("m4"), user("m5"), user("m6")]
    tape = session(log(*records), tmp_path)
    timeline = tape.timeline
    assert surface(tape, 7) == [5, 3, 6]
    assert [timeline.visibility(event, 7)[1] for event in (0, 1, 2)] == [5, 5, 5]
    # The first one is come to first, and leaves too few for the second.
    assert surface(tape, 8) == [0, 4]
    assert [timeline.visibility(event, 8) for event in (1, 2, 3, 6, 7)] == [
        (Visibility.SHADOWED, 4)
    ] * 5
    assert timeline.visibility(5, 8) == (Visibility.SUPERSEDED, 7)
    assert [timeline.holds(event, 8) for event in (4, 5)] == [True, False]
    assert timeline.surface.undone.by(5, 8) == 7
    assert codes(tape).count("revised-compactions") == 1
    # With one more message there are enough again.
    assert surface(tape, 9) == [5]
    assert timeline.visibility(4, 9) == (Visibility.SHADOWED, 5)
    assert timeline.surface.undone.by(5, 9) is None


def test_by_the_other_reading_it_is_skipped_for_good(tmp_path: Path) -> None:
    records = [*said(3), compacted(1, 4), user("m3"), user("m4")]
    tape = session(log(*records), tmp_path, "sequential")
    assert surface(tape) == [0, 1, 2, 4, 5]
    assert codes(tape) == ["bad-range", "ambiguous-compaction"]


SECOND = [*said(8), compacted(0, 2), compacted(3, 5)]
"""Of eight messages the first three, and then those at 3 to 5 of them or of what is left."""


def test_indexes_are_those_of_the_messages_as_written(tmp_path: Path) -> None:
    assert surface(session(log(*SECOND), tmp_path)) == [8, 9, 6, 7]


def test_or_those_of_the_list_as_it_is_by_then(tmp_path: Path) -> None:
    assert surface(session(log(*SECOND), tmp_path, "sequential")) == [8, 3, 4, 9]


@POLICIES
def test_where_the_readings_differ_both_outcomes_are_told(tmp_path: Path, policy: str) -> None:
    tape = session(log(*SECOND), tmp_path, policy)
    (told,) = messages(tape, "ambiguous-compaction")
    assert told.startswith(f"{policy} leaves ")
    assert (
        "exercise leaves 4 rows (the summary of event 8, the summary of event 9, messages 6 to 7)"
        in told
    )
    assert (
        "sequential leaves 4 rows (the summary of event 8, messages 3 to 4, the summary of event 9)"
        in told
    )
    surface_of = tape.fold.surface
    assert [surface_of.differ(cursor) for cursor in range(11)] == [False] * 10 + [True]
    assert tape.grounds(0, 9).grade == OPERATIONS
    assert tape.grounds(0, 10).grade == RULE


def test_readings_that_come_together_again_are_not_told_apart(tmp_path: Path) -> None:
    records = [*said(4), compacted(0, 9), *said(6), compacted(0, 3), user()]
    tape = session(log(*records), tmp_path)
    for cursor in range(tape.timeline.events + 1):
        assert tape.fold.surface.differ(cursor) == (
            surface(tape, cursor) != surface(session(log(*records), tmp_path, "sequential"), cursor)
        )


def test_overlapping_ranges_are_told(tmp_path: Path) -> None:
    tape = session(log(*said(9), compacted(0, 3), compacted(5, 6), compacted(3, 5)), tmp_path)
    assert messages(tape, "overlapping-compactions") == [
        "messages 3 to 5 are claimed, and of these some by the compaction of event 9 already"
    ]
    # The last one is come to second and hides a summary, the first one last and hides that too.
    assert surface(tape) == [9, 7, 8]


def test_an_earlier_compaction_is_revised_by_one_that_is_come_to_before_it(tmp_path: Path) -> None:
    records = [*said(10), compacted(4, 8), compacted(0, 5), compacted(6, 7)]
    tape = session(log(*records), tmp_path)
    # 4 to 8 leave six rows, of which all are hidden; with 6 to 7 hidden first both change.
    assert surface(tape, 12) == [11]
    assert "revised-compactions" in codes(tape)
    assert tape.fold.surface.revised


def test_ranges_in_any_order_are_told_of_at_once_while_they_are_apart(tmp_path: Path) -> None:
    records = [*said(12), compacted(8, 9), compacted(0, 1), compacted(4, 5)]
    tape = session(log(*records), tmp_path)
    assert surface(tape) == [13, 2, 3, 14, 6, 7, 12, 10, 11]
    assert not tape.fold.surface.revised


def test_a_summary_by_how_it_begins_hides_nothing(tmp_path: Path) -> None:
    tape = session(log(*said(2), user("[上下文压缩] earlier"), user()), tmp_path)
    assert surface(tape) == [0, 1, 2, 3]
    nodes = tape.timeline.surface.nodes
    assert (nodes.role(2), nodes.kind(2)) == (Role.SUMMARY, Kind.SUMMARY)
    assert tape.headline(2).kind == "summary"
    assert tape.grounds(2, 4).grade == RULE


def test_what_the_watchdog_says_is_no_persons_word(tmp_path: Path) -> None:
    tape = session(log(user("自动纠偏触发：stop"), user("do it")), tmp_path)
    nodes = tape.timeline.surface.nodes
    assert (nodes.role(0), nodes.kind(0)) == (Role.USER, Kind.CONTEXT)
    assert tape.headline(0).kind == "context"
    assert list(tape.timeline.marks.events(Mark.USER)) == [1]


@pytest.mark.parametrize("message", [None, "x", [], 7])
def test_a_message_that_is_no_object_counts_as_one(tmp_path: Path, message: Any) -> None:
    odd = {"type": "message", "message": message}
    tape = session(log(user(), odd, user("last"), compacted(1, 2)), tmp_path)
    assert surface(tape) == [0, 3]
    assert "odd-message" in codes(tape)


# What hides what, where ranges overlap.


def hidden(tape: ReinaTape, cursor: int) -> dict[int, list[int]]:
    """What each compaction hides at a cursor, by positions."""
    timeline, origin = tape.timeline, tape.timeline.surface.nodes.origin
    return {
        event: sorted(
            origin(one.node)
            for one in timeline.hides(event, cursor)
            if one.reason is Reason.COMPACTED
        )
        for event in timeline.replacing(cursor)
        if timeline.holds(event, cursor)
    }


OVERLAPPING: list[Json] = [*said(12), compacted(0, 5), compacted(4, 9), user(), compacted(2, 3)]
"""The second is come to first, so the first one hides its summary and what stands behind it."""


def test_a_compaction_tells_also_of_what_it_hides_by_the_coming_of_another(tmp_path: Path) -> None:
    tape = session(log(*OVERLAPPING), tmp_path)
    assert surface(tape) == [12, 14]
    assert [hidden(tape, cursor) for cursor in (13, 14, 15, 16)] == [
        {12: [0, 1, 2, 3, 4, 5]},
        {12: [0, 1, 2, 3, 10, 13], 13: [4, 5, 6, 7, 8, 9]},
        {12: [0, 1, 2, 3, 10, 13], 13: [4, 5, 6, 7, 8, 9]},
        {12: [0, 1, 10, 11, 13, 15], 13: [4, 5, 6, 7, 8, 9], 15: [2, 3]},
    ]
    document = show(tape, 16)
    assert [(one["event"], len(one["hidden"])) for one in document["replacements"]] == [
        (12, 6),
        (13, 6),
        (15, 2),
    ]


def test_a_summary_that_another_one_hides_at_once_is_a_compaction_all_the_same(
    tmp_path: Path,
) -> None:
    tape = session(log(*OVERLAPPING), tmp_path)
    timeline = tape.timeline
    assert timeline.visibility(13, 14) == (Visibility.SHADOWED, 12)
    assert [
        timeline.surface.rank(node, 16) for node in timeline.surface.nodes.all_of_event(13)
    ] == [None]
    assert summaries(timeline, 16) == [12, 13, 15]
    assert [summary_at(timeline, event) for event in (12, 13, 15)] == [12, 13, 15]
    found = audit(timeline, 13, lambda event: tape.headline(event).text, lambda _: "")
    assert [original.event for original in found.originals] == [4, 5, 6, 7, 8, 9]


@pytest.mark.parametrize(
    "ranges",
    [
        # The list is the same before and behind the last one, and what hides what is not.
        ["m", "m", "m", (0, 1), "m", (1, 1)],
        # The summary of the last one but one is hidden from its beginning to the end.
        ["m", "m", (2, 5), (2, 6), (1, 2), "m", (4, 4), (2, 3), (2, 2), "m"],
        # One that held does not, and then is hidden when it does again.
        [(0, 1), "m", "m", (2, 6), "m", "m", (5, 7), (1, 4), (1, 2), (4, 8), "m", "m"],
    ],
)
def test_at_every_cursor_what_hides_what_is_what_the_owner_hides(
    tmp_path: Path, ranges: list[Any]
) -> None:
    records = [user() if one == "m" else compacted(*one) for one in ranges]
    tape = session(log(*records), tmp_path)
    for cursor in range(len(records) + 1):
        assert hidden(tape, cursor) == owner.hidden(records[:cursor], "exercise"), cursor


def test_one_that_only_hides_what_is_hidden_is_not_skipped(tmp_path: Path) -> None:
    tape = session(log(*said(3), compacted(0, 1), user(), compacted(1, 1)), tmp_path)
    assert surface(tape) == [3, 2, 4]
    assert hidden(tape, 6) == {3: [0, 5], 5: [1]}
    assert spans(tape, SpanKind.COMPACTION)[-1][2] == "ok"
    assert "range-beyond" not in codes(tape)


def test_nothing_is_told_of_a_compaction_that_holds_later_before_it_does(tmp_path: Path) -> None:
    timeline = session(log(*LATE), tmp_path).timeline
    assert [why(timeline, 3, cursor).hides for cursor in (4, 5)] == [(), ()]
    assert [why(timeline, 3, cursor).built_from for cursor in (4, 5, 6)] == [(), (), (1, 2, 4, 5)]
    assert [one for one, _ in why(timeline, 3, 6).hides] == [1, 2, 4, 5]
    # Before its event what comes of it is told.
    assert [timeline.surface.nodes.origin(one.node) for one in timeline.hides(3, 2)] == [1, 2, 4, 5]


@pytest.mark.parametrize("summary", [None, ["x"], 7, {"text": "x"}])
def test_a_summary_that_is_no_text_is_told(tmp_path: Path, summary: Any) -> None:
    tape = session(log(*said(3), compacted(0, 1, summary)), tmp_path)
    assert surface(tape) == [3, 2]
    (message,) = messages(tape, "unreadable-summary")
    assert message.startswith("a compaction whose summary is no text: ")
    assert codes(session(log(*said(3), compacted(0, 1, "")), tmp_path)) == []


def test_a_compaction_without_a_summary_is_told(tmp_path: Path) -> None:
    record = {"type": "compacted", "record": {"fromIndex": 0, "toIndex": 1}}
    tape = session(log(*said(3), record), tmp_path)
    assert messages(tape, "unreadable-summary") == [
        "a compaction whose summary is no text: it has none"
    ]
