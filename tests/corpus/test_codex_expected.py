"""What is stated of the shared Codex tapes."""

from collections import Counter
from pathlib import Path
from typing import Final

import pytest

from inspector.export import documents, text
from inspector.formats.codex import FORMAT
from inspector.formats.contract import Certainty, Tape
from inspector.timeline.spending import spending
from inspector.timeline.words import Kind, Outcome, SpanKind, Visibility
from tests.corpus.corpus import ROOT, files, folded, needs_corpus
from tests.untouched import untouched

pytestmark = needs_corpus

TAPES = ROOT / "tapes" / "codex"
HANDMADE = ROOT / "tapes" / "handmade"

ITEMS: Final = {
    "loupe_codex_session": (10, 1, 0),
    "es617_fixture-codex": (10, 2, 2),
    "es617_fixture-codex-patch": (7, 4, 4),
    "agentsview_standard_session": (0, 0, 2),
    "agentsview_traex_rollout_subagent": (9, 0, 0),
}
"""By tape: items of the history, outputs that the owner makes up, and lines that it drops.

The stated figures are those of a lenient reader, and our first and third added up: the owner drops
an output that is an object, and an item without a type (RULES R0).
"""

STATED: Final = {
    "loupe_codex_session": 10,
    "es617_fixture-codex": 12,
    "es617_fixture-codex-patch": 11,
    "agentsview_standard_session": 2,
    "agentsview_traex_rollout_subagent": 9,
}


def tape_of(name: str) -> Tape:
    path = TAPES / f"{name}.jsonl"
    with untouched(path):
        return folded(path)


def handmade() -> Tape:
    return folded(next(HANDMADE.glob("codex_rollout-*.jsonl")))


@pytest.mark.parametrize("name", ITEMS)
def test_the_history_has_the_stated_items(name: str) -> None:
    tape = tape_of(name)
    head = tape.timeline.events
    items, made_up, dropped = ITEMS[name]
    assert len(tape.timeline.rows(head)) == items
    assert sum(entry.note == "added" for entry in tape.request(head)) == made_up
    assert sum(finding.kind.code == "bad-item" for finding in tape.findings()) == dropped
    assert items + dropped == STATED[name]


def test_a_call_without_an_output_is_answered_in_the_request() -> None:
    tape = tape_of("loupe_codex_session")
    added = [entry for entry in tape.request(tape.timeline.events) if entry.note == "added"]
    assert [(entry.type, entry.call_id, entry.text) for entry in added] == [
        ("custom_tool_call_output", "call_003", "aborted")
    ]


def test_a_fork_repeats_the_usage_of_its_parent() -> None:
    child = tape_of("codexbar_archived-fork-33ce-3869__child")
    kinds = child.timeline.table
    inherited = child.timeline.lives.inherited
    counts = [at for at in range(len(kinds)) if kinds.type(at) == "event_msg/token_count"]
    assert len([at for at in counts if at < inherited]) == 135
    assert len([at for at in counts if at >= inherited]) == 23
    assert child.identity.parent == "parent-session"
    assert [(kin.relation, kin.tape) for kin in child.timeline.kin] == [("fork", "parent-session")]


def test_a_fork_tells_what_it_spent_itself_from_what_its_parent_did() -> None:
    child = tape_of("codexbar_archived-fork-33ce-3869__child")
    found = spending(child.timeline, child.timeline.events)
    assert (found.own.input, found.own.output) == (493_008, 17_481)
    assert (found.inherited.input, found.inherited.output) == (1_210_579, 38_414)
    parent = tape_of("codexbar_archived-fork-33ce-3869__parent")
    assert spending(parent.timeline, parent.timeline.events).own == found.inherited
    shown = documents.show(child, child.timeline.events)
    assert shown["kin"] == [{"relation": "fork", "tape": "parent-session", "boundary": 136}]
    assert "fork of parent-session, sharing 136 events" in list(text.show(shown))


@pytest.mark.parametrize("which", ["a", "b"])
def test_a_fork_whose_parent_is_away_says_so(which: str) -> None:
    tape = tape_of(f"codexbar_missing-parent-siblings__sibling-{which}")
    assert [finding.kind.code for finding in tape.findings()] == ["missing-parent"]
    assert tape.timeline.lives.inherited == 0
    assert tape.verdict().reason in (
        "usage only: 158 token counts, no conversation",
        "usage only: 138 token counts, no conversation",
    )


def test_a_log_of_usage_counts_each_request_once() -> None:
    tape = tape_of("codexbar_archived-fork-33ce-3869__parent")
    total = tape.timeline.usage.total(tape.timeline.events)
    last = tape.payload(tape.timeline.events - 1)["payload"]["info"]["total_token_usage"]
    assert total.context == last["input_tokens"]
    assert total.output == last["output_tokens"]


@pytest.mark.parametrize("whose", ["child", "parent"])
def test_a_log_of_usage_alone_is_called_that(whose: str) -> None:
    tape = tape_of(f"codexbar_archived-fork-33ce-3869__{whose}")
    kinds = tape.timeline.table
    counts = sum(kinds.type(at) == "event_msg/token_count" for at in range(len(kinds)))
    assert tape.verdict().reason == f"usage only: {counts} token counts, no conversation"
    assert tape.verdict().opens is True


@pytest.mark.parametrize(
    ("name", "unknown"),
    [
        ("jazzy_050_legacy", {"turn.completed": 2}),
        ("jazzy_052_raw", {"codex/event/raw_item": 3, "turn.completed": 2}),
    ],
)
def test_events_of_shapes_that_no_build_writes_are_unknown(
    name: str, unknown: dict[str, int]
) -> None:
    found = [one for one in tape_of(name).findings() if one.kind.code == "unknown-event"]
    said = Counter(one.message.rpartition(": ")[2] for one in found)
    assert said == unknown


def test_what_the_handmade_tape_shows() -> None:
    tape = handmade()
    head = tape.timeline.events
    rows = [
        (row.node, tape.timeline.surface.nodes.kind(row.node)) for row in tape.timeline.rows(head)
    ]
    assert len(rows) == 7
    assert [kind for _, kind in rows].count(Kind.SUMMARY) == 1
    sent = tape.request(head)
    assert [entry.note for entry in sent].count("added") == 1
    assert sent[-1].call_id == "call_9"
    gone = [tape.timeline.visibility(at, head)[0] for at in range(head)]
    assert gone.count(Visibility.REWOUND) == 2
    assert gone.count(Visibility.SHADOWED) == 6
    assert tape.timeline.spans[SpanKind.TURN].ended(head) == {
        Outcome.OK: 5,
        Outcome.INTERRUPTED: 1,
    }
    assert [finding.kind.code for finding in tape.findings()] == ["unknown-kind"]


def test_a_log_of_every_shape_is_read_to_its_end() -> None:
    tape = tape_of("jazzy_schema_coverage_compaction")
    assert tape.sums().damaged == 0
    assert (tape.records(), tape.timeline.events) == (118, 117)
    assert tape.verdict().reason == "unknown history mode default"


def test_a_flat_log_is_not_taken_for_one() -> None:

    head = (TAPES / "jazzy_session_branch_flat.jsonl").read_bytes()
    assert FORMAT.recognise(head).certainty is Certainty.NO


@pytest.mark.parametrize(
    "path", files("tapes/codex/*.jsonl", without=("jazzy_session_branch_flat.jsonl",))
)
def test_every_event_can_be_told(path: Path) -> None:
    tape = folded(path)
    assert tape.identity.format == "codex"
    for event in range(tape.timeline.events):
        assert tape.headline(event).kind
        assert tape.sections(event)


@pytest.mark.parametrize("name", ["claude", "dsh", "pi", "zero", "gemini", "other"])
def test_no_tape_of_another_agent_is_taken_for_one(name: str) -> None:

    found = [path for path in sorted((ROOT / "tapes" / name).rglob("*")) if path.is_file()]
    assert found
    taken = [path.name for path in found if FORMAT.recognise(path.read_bytes()[:65536]).certainty]
    assert taken == []
