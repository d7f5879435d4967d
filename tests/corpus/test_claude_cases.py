"""The awkward transcripts of this format: the outcome that each case states."""

from typing import Any

import pytest

from inspector.export import documents, text
from inspector.formats.contract import Options, Tape
from inspector.formats.opening import open_tape
from inspector.timeline.words import Mark, SpanKind
from tests.corpus.corpus import ROOT, folded, needs_corpus
from tests.folding import fold_on, keep, kept

pytestmark = needs_corpus

CASES = ROOT / "cases"


def tape_of(case: int, name: str = "input.jsonl") -> Tape:
    return folded(CASES / f"case-{case:02}" / name)


def ids(tape: Tape, cursor: int | None = None) -> str:
    """The uuids of the surface, in order."""
    nodes = tape.timeline.surface.nodes
    at = tape.timeline.events if cursor is None else cursor
    rows = tape.timeline.rows(at)
    return " ".join(str(tape.message_id(nodes.origin(row.node))) for row in rows)


def codes(tape: Tape) -> list[str]:
    return [finding["code"] for finding in documents.check(tape)["findings"]]


def lines(tape: Tape, code: str) -> list[int]:
    """The lines at which something was found."""
    found = documents.check(tape)["findings"]
    return [finding["line"] for finding in found if finding["code"] == code]


def seen(tape: Tape) -> dict[str, str]:
    """What became of every record with an id."""
    timeline = tape.timeline
    return {
        name: timeline.visibility(event, timeline.events)[0].label
        for event in range(timeline.events)
        if (name := tape.message_id(event)) is not None
    }


def outcomes(tape: Tape, kind: SpanKind) -> list[tuple[str | None, str, str | None]]:
    table = tape.timeline.spans[kind]
    spans = [table[at] for at in range(len(table))]
    return [(tape.span_id(span), span.outcome.label, span.word) for span in spans]


def spent(tape: Tape) -> tuple[int, int, int, int]:
    total = tape.timeline.usage.total(tape.timeline.events)
    return total.input, total.output, total.cache_read, total.cache_write


def test_01_a_torn_last_line_is_pending() -> None:
    tape = tape_of(1)
    assert ids(tape) == "u-1 a-1 r-1 a-2 u-2"
    assert codes(tape) == ["torn-tail"]
    assert outcomes(tape, SpanKind.TOOL_CALL) == [("toolu_01", "ok", None)]
    assert spent(tape)[:2] == (40, 28)
    assert tape.verdict().opens is True


def test_07_half_characters_are_told_with_their_lines() -> None:
    tape = tape_of(7)
    assert tape.timeline.count(5) == 5
    assert set(lines(tape, "lone-surrogate")) == {2, 3, 4}


def test_09_other_line_ends_cut_no_record() -> None:
    tape = tape_of(9)
    assert (tape.timeline.events, tape.timeline.count(4), codes(tape)) == (4, 4, [])


def test_11_deep_arguments_are_events() -> None:
    tape = tape_of(11)
    assert tape.timeline.count(6) == 6
    assert [end for _, end, _ in outcomes(tape, SpanKind.TOOL_CALL)] == ["unknown"] * 4
    assert all(tape.sections(event) for event in range(6))


def test_13_the_last_of_two_keys_counts() -> None:
    tape = tape_of(13)
    assert ids(tape) == "u-1 a-1 a-2 r-1"
    assert lines(tape, "duplicate-key") == [1, 3, 4]
    assert tape.timeline.pairs.call_of(3) == 2


def test_14_blank_lines_between_records_are_no_damage() -> None:
    tape = tape_of(14, "blank-lines-between.jsonl")
    assert [tape.place(tape.timeline.table.record(event)).line for event in (0, 1)] == [1, 5]
    assert codes(tape) == []


def test_20_a_message_over_several_lines_counts_once() -> None:
    tape = tape_of(20)
    assert spent(tape) == (14, 458, 62_515, 8_775)
    assert len(list(tape.timeline.usage.requests(tape.timeline.events))) == 3
    assert len({tape.group(event) for event in (1, 2, 3, 4)}) == 1
    assert [tape.timeline.pairs.call_of(event) for event in (5, 6)] == [3, 4]


@pytest.mark.parametrize(
    ("name", "count", "inherited", "relation"),
    [
        ("aaaaaaaa-0000-4000-8000-000000000001", 4, 0, None),
        ("bbbbbbbb-0000-4000-8000-000000000002", 6, 4, "resume"),
        ("cccccccc-0000-4000-8000-000000000003", 6, 4, "fork"),
    ],
)
def test_21_a_copied_prefix_is_inherited(
    name: str, count: int, inherited: int, relation: str | None
) -> None:
    tape = tape_of(21, f"{name}.jsonl")
    assert tape.timeline.count(count) == count
    assert (tape.identity.id, tape.identity.inherited) == (name, inherited)
    origin = "aaaaaaaa-0000-4000-8000-000000000001"
    found = [(kin.relation, kin.tape, kin.boundary) for kin in tape.timeline.kin]
    assert found == ([(relation, origin, 4)] if relation else [])
    assert "several-sessions" not in codes(tape)


def test_21_copied_records_name_where_they_come_from() -> None:
    origin = "aaaaaaaa-0000-4000-8000-000000000001"
    for name, relation in (
        ("bbbbbbbb-0000-4000-8000-000000000002", "resume"),
        ("cccccccc-0000-4000-8000-000000000003", "fork"),
    ):
        tape = tape_of(21, f"{name}.jsonl")
        wanted = {"relation": relation, "tape": origin, "boundary": 4}
        assert documents.show(tape, 6)["kin"] == documents.check(tape)["kin"] == [wanted]
        said = f"{relation} of {origin}, sharing 4 events"
        assert said in list(text.show(documents.show(tape, 6)))
        assert f"  {said}" in list(text.check(documents.check(tape)))
        assert f"  inherited: the first 4 events, from {origin}" in list(
            text.show(documents.show(tape, 6))
        )
    marks = [
        section.text
        for event in range(6)
        for section in tape.sections(event)
        if section.heading == "copied from"
    ]
    assert marks == [f"message {uuid} · session {origin}" for uuid in ("u-1", "a-1", "u-2", "a-2")]


def test_21_tokens_are_counted_once_over_the_three_files() -> None:
    own = []
    for name in (
        "aaaaaaaa-0000-4000-8000-000000000001",
        "bbbbbbbb-0000-4000-8000-000000000002",
        "cccccccc-0000-4000-8000-000000000003",
    ):
        tape = tape_of(21, f"{name}.jsonl")
        found = documents.show(tape, tape.timeline.events)["usage"]["own"]
        own.append((found["input"], found["output"]))
    assert own == [(300, 30), (300, 30), (400, 40)]
    assert [sum(figures) for figures in zip(*own, strict=True)] == [1_000, 100]


def test_23_broken_pieces_are_no_rewinds() -> None:
    tape = tape_of(23)
    assert ids(tape) == "a-3"
    assert lines(tape, "broken-chain") == [3, 6]
    assert "rewound" not in codes(tape)
    assert list(seen(tape).values()) == ["unlinked"] * 5 + ["visible"]
    (lost,) = [one.message for one in tape.findings() if one.kind.code == "unreachable"]
    assert lost.startswith("5 records")


def test_25_the_active_branch_of_three_tries() -> None:
    tape = tape_of(25)
    assert ids(tape) == "u-1 a-1 u-5 a-5"
    assert lines(tape, "rewound") == [8, 10]
    found = seen(tape)
    assert [name for name, state in found.items() if state == "rewound"] == [
        "u-2",
        "a-2",
        "u-3",
        "a-3",
        "u-4",
        "a-4",
    ]
    assert (found["s-1"], found["s-2"]) == ("aside", "aside")
    title = tape.timeline.registers.at("title", 16)
    assert title is not None
    assert title.value == "Three tries"
    side = tape.timeline.side_usage.total(16)
    assert (spent(tape)[0] + side.input, side.input) == (210, 60)


def test_27_results_without_calls_are_told_apart_from_early_ones() -> None:
    tape = tape_of(27)
    assert tape.timeline.count(8) == 8
    assert lines(tape, "orphan-result") == [2]
    assert lines(tape, "result-before-call") == [4]
    assert lines(tape, "duplicate-call") == [5]
    assert (tape.timeline.pairs.call_of(2), tape.timeline.pairs.call_of(1)) == (3, None)
    assert [end for _, end, _ in outcomes(tape, SpanKind.TOOL_CALL)] == ["ok", "ok"]
    assert tape.timeline.settled.at(8)


def test_28_calls_end_in_three_ways_or_not_at_all() -> None:
    tape = tape_of(28)
    ends = [end for _, end, _ in outcomes(tape, SpanKind.TOOL_CALL)]
    assert ends == ["interrupted", "interrupted", "rejected", "running"]
    assert list(tape.timeline.marks.events(Mark.USER)) == [0, 3]
    assert tape.headline(2).kind == "interruption"


def test_29_parallel_calls_are_no_branches() -> None:
    tape = tape_of(29)
    assert tape.timeline.count(9) == 9
    (differs,) = documents.check(tape)["findings"]
    assert differs["message"] == "sdk-py:reload: lacks 4 messages: lines 4 to 7"
    assert [tape.timeline.pairs.call_of(event) for event in (5, 6, 7)] == [3, 4, 2]
    assert spent(tape)[:2] == (110, 102)
    counts = [tape.timeline.count(cursor) for cursor in range(10)]
    assert counts == list(range(10))


def test_31_a_boundary_hides_what_stands_before_it() -> None:
    tape = tape_of(31)
    assert ids(tape) == "s-1 u-2 a-3"
    assert tape.timeline.count(5) == 5
    hidden = {name: state for name, state in seen(tape).items() if state == "shadowed"}
    assert list(hidden) == ["u-1", "a-1", "r-1", "a-2", "u-c"]
    assert list(tape.timeline.marks.events(Mark.USER)) == [0, 7]
    assert "rewound" not in codes(tape)
    assert spent(tape)[:2] == (260, 60)


def test_32_what_compactions_kept_is_carried() -> None:
    tape = tape_of(32)
    assert ids(tape) == "s-3 u-4 a-4 u-5 a-5"
    assert ids(tape, 12) == "s-2 u-3 a-3 u-4 a-4"
    assert ids(tape, 8) == "s-1 u-2 a-2 u-3 a-3"
    shadowed = [name for name, state in seen(tape).items() if state == "shadowed"]
    assert shadowed == ["u-1", "a-1", "s-1", "u-2", "a-2", "u-3", "a-3", "s-2"]
    assert lines(tape, "logical-parent-missing") == [13]
    assert codes(tape) == ["logical-parent-missing", "readers-differ"]


def test_33_only_its_own_summary_names_a_session() -> None:
    tape = tape_of(33)
    title = tape.timeline.registers.at("title", 6)
    assert title is not None
    assert title.value == "A haiku about leaves"
    assert lines(tape, "foreign-summary") == [1, 2]
    assert lines(tape, "empty-summary") == [6]


def test_34_subagents_are_kin() -> None:
    tape = tape_of(34, "dddddddd-0000-4000-8000-000000000004.jsonl")
    assert tape.timeline.count(4) == 4
    assert [(kin.relation, kin.tape) for kin in tape.timeline.kin] == [
        ("subagent", "x1"),
        ("subagent", "zz"),
    ]
    facts = tape.identity.beside
    assert ["toolu_task1" in fact for fact in facts] == [True, False]
    assert spent(tape)[:2] == (250, 25)


@pytest.mark.parametrize(("agent", "count", "tokens"), [("x1", 5, (2_100, 210)), ("zz", 2, (7, 7))])
def test_34_a_subagent_is_the_conversation_of_its_own_file(
    agent: str, count: int, tokens: tuple[int, int]
) -> None:
    folder = CASES / "case-34" / "dddddddd-0000-4000-8000-000000000004" / "subagents"
    tape = folded(folder / f"agent-{agent}.jsonl")
    assert tape.timeline.count(tape.timeline.events) == count
    assert tape.identity.parent == "dddddddd-0000-4000-8000-000000000004"
    assert spent(tape)[:2] == tokens


def test_35_bookkeeping_and_strangers_are_no_errors() -> None:
    document: dict[str, Any] = documents.check(tape_of(35))
    tape = kept[-1]
    assert ids(tape) == "u-1 a-1"
    assert lines(tape, "unknown-type") == [13, 14, 15]
    odd = lines(tape, "no-type") + lines(tape, "not-a-record")
    assert odd == [16, 17, 18, 19, 20]
    assert {finding["severity"] for finding in document["findings"]} == {"info", "warning"}
    assert document["sums"]["records"] == 21


def test_37_time_orders_nothing() -> None:
    tape = tape_of(37)
    assert ids(tape) == "u-1 a-1 u-2 a-2 u-3 a-3 u-4 a-4 u-5 a-5 u-6"
    times = [tape.timeline.table.time(event) for event in range(11)]
    assert [at for at, time in enumerate(times) if time is None] == [5, 6, 10]
    assert times[4] == 1_772_359_210_000
    assert (times[8] or 0) < 0
    assert lines(tape, "bad-time") == [7]
    assert lines(tape, "clock-backwards") == [2, 9]


@pytest.mark.parametrize(("case", "count"), [(60, 5), (62, 11), (63, 4)])
def test_hostile_texts_are_records_like_others(case: int, count: int) -> None:
    tape = tape_of(case)
    assert tape.timeline.count(tape.timeline.events) == count
    assert "not-json" not in codes(tape)


def test_60_calls_are_paired_by_their_raw_ids() -> None:
    assert tape_of(60).timeline.pairs.call_of(2) == 1


def test_15_a_packed_transcript_is_unpacked() -> None:
    tape = fold_on(open_tape(CASES / "case-15" / "transcript.jsonl.gz", Options()))
    keep(tape)
    assert (tape.identity.format, tape.timeline.events) == ("claude", 2)
