"""The figures of real and handmade transcripts: what the owner's Python reader makes of them."""

import pytest

from inspector.formats.claude.tree.reload import ReloadBranch
from tests.corpus.corpus import ROOT, needs_corpus
from tests.corpus.test_claude_oracle import held

pytestmark = needs_corpus

TAPES = ROOT / "tapes"
PARENT = "jazzy_subagent/0a1b2c3d-4e5f-4061-8071-2a3b4c5d6e7f"

FIGURES = {
    "happy_0-say-lol-session": (2, 2, 2, 1, "deae7c10"),
    "happy_1-continue-run-ls-tool": (6, 6, 6, 3, "713ff87a"),
    "happy_duplicate-assistant-response": (5, 3, 3, 2, "044c4120"),
    "happy_pretty-printed-not-jsonl": (0, 0, 0, 0, ""),
    "happy_permission-aborted-interrupt": (5, 5, 5, 1, "67651ad7"),
    "happy_task_inline_sidechain": (13, 5, 5, 2, "5c5636e4"),
    "obra_large-conversation": (458, 458, 457, 170, "98b54e69"),
    "obra_tiny-conversation": (7, 7, 7, 3, "aee7cfa3"),
    "obra_medium_only-snapshots": (0, 0, 0, 0, ""),
    "ccv_5c0375b4-57a5-4f26-b12d-d022ee4e51b7": (53, 31, 30, 10, "e9bd5ce8"),
    "ccv_agent-test-hash-123": (2, 2, 0, 0, "a2222222"),
    "jazzy_schema_coverage_compaction": (71, 4, 2, 1, "u-nested"),
    "jazzy_schema_drift": (6, 3, 2, 1, "u2"),
    PARENT: (3, 3, 2, 1, "pa1"),
    "agentsview_truncated": (0, 0, 0, 0, ""),
    "agentsview_queued_system_messages": (0, 0, 0, 0, ""),
    "agentsview_tool_call_pending": (0, 0, 0, 0, ""),
    "daaain_edge_cases": (14, 1, 1, 0, "edge_010"),
    "simonw_sample_session": (7, 1, 1, 1, "msg-007"),
    "es617_fixture": (0, 0, 0, 0, ""),
    "happy_api-error_rate-limit": (2, 2, 2, 1, "e024081f"),
    "loupe_stream-json_NEGATIVE": (7, 1, 1, 1, "uuid-005"),
}
"""By tape: records of the tree, chain, messages shown, messages of the API, start of the leaf."""

DIFFERENT = {
    "jazzy_schema_coverage_compaction": "the reader counts a uuid as often as it stands there",
    "daaain_edge_cases": "the reader counts a uuid as often as it stands there",
    "jazzy_schema_drift": "the figure counts messages without an id as one",
    PARENT: "the figure counts messages without an id as one",
    "simonw_sample_session": "the figure counts messages without an id as one",
}
"""By tape, why a count of ours is another one."""


@pytest.mark.parametrize("name", FIGURES)
def test_the_python_reader_opens_the_same_branch(name: str) -> None:
    records, chain, shown, messages, leaf = FIGURES[name]
    tape = held(TAPES / "claude" / f"{name}.jsonl", "sdk-py:reload")
    timeline, tree, branch = tape.timeline, tape.decoder.tree, tape.decoder.branch
    nodes, events = timeline.surface.nodes, timeline.events
    rows = [
        nodes.origin(row.node)
        for row in timeline.rows(events)
        if not nodes.meta(row.node)
        and timeline.table.type(nodes.origin(row.node)) in ("user", "assistant")
    ]
    groups = {tape.group(event) for event in rows} - {None}
    end = branch.end
    found = tape.message_id(tree.line[end]) if end >= 0 else ""
    assert len(rows) == shown
    assert (found or "").startswith(leaf)
    assert isinstance(branch, ReloadBranch)
    assert branch.length == chain
    ours = (sum(flags & 1 for flags in tree.flags), len(groups))
    assert (ours == (records, messages)) is (name not in DIFFERENT)


def surface(name: str, policy: str) -> list[int]:
    """The numbers at the ends of the uuids on the surface."""
    tape = held(TAPES / "handmade" / f"{name}.jsonl", policy)
    nodes = tape.timeline.surface.nodes
    rows = tape.timeline.rows(tape.timeline.events)
    return [int(tape.payload(nodes.origin(row.node))["uuid"][-3:]) for row in rows]


STORY = "claude_11111111-2222-4333-8444-555555555555"


def test_the_handmade_story_is_seen_by_each_reader_as_told() -> None:
    assert surface(STORY, "sdk-js") == [14, 11, 12, 15, 16, 17, 18, 20]
    assert surface(STORY, "cli-leaf") == [14, 11, 12, 15, 16, 17, 18, 20]
    assert surface(STORY, "sdk-py:reload") == [14, 15, 16, 17, 18, 20]


def test_the_result_of_the_handmade_story_is_cleared() -> None:
    tape = held(TAPES / "handmade" / f"{STORY}.jsonl", "sdk-js")
    nodes = tape.timeline.surface.nodes
    forms = {
        nodes.origin(row.node): nodes.form(row.node).label
        for row in tape.timeline.rows(tape.timeline.events)
    }
    assert [event for event, form in forms.items() if form == "cleared"] == [18]
    assert tape.timeline.visibility(18, 19)[0].label == "visible"
    assert tape.timeline.visibility(18, 20)[0].label == "cleared"


def test_what_the_handmade_story_left_is_told_apart() -> None:
    tape = held(TAPES / "handmade" / f"{STORY}.jsonl", "sdk-js")
    seen = [tape.timeline.visibility(event, tape.timeline.events)[0].label for event in range(13)]
    assert seen[1:9] == ["shadowed"] * 8
    assert seen[9:11] == ["rewound", "rewound"]
    assert seen[11:13] == ["visible", "visible"]


def test_a_broken_chain_reaches_its_end_only() -> None:
    assert surface("claude_broken_chain", "sdk-js") == [5, 6]
    assert surface("claude_broken_chain", "sdk-js:reload") == [5, 6]


def test_a_recovering_reader_gets_nine_records_the_owner_six_and_a_strict_one_five() -> None:
    assert surface("bytes_edge_claude", "sdk-js") == list(range(1, 10))
    assert kept("sdk-js:reload") == [2, 3, 6, 7, 8, 9]
    assert kept("sdk-py:reload") == [2, 3, 7, 8, 9]


def kept(policy: str) -> list[int]:
    """The numbers at the ends of the uuids of all records that a reader takes."""
    tape = held(TAPES / "handmade" / "bytes_edge_claude.jsonl", policy)
    tree = tape.decoder.tree
    events = sorted(tree.line[entry] for entry, flags in enumerate(tree.flags) if flags & 1)
    return [int(tape.payload(event)["uuid"][-3:]) for event in events]
