"""Rows of any shape are folded, asked about and told without a fault, and nothing is lost."""

import tempfile
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.formats.deepchat.vocabulary import WORDS
from tests.formats.deepchat import databases
from tests.formats.deepchat.databases import (
    KINDS,
    Entry,
    Folded,
    codes,
    event,
    message,
    surface,
    written,
)

_KEYS = (
    *("record", "data", "state", "id", "sessionId", "content", "role", "orderSeq", "status"),
    *("messageId", "toolCall", "toolCallId", "operation", "runId", "manifest", "usage", "hashes"),
    *("cursorOrderSeq", "summary", "metadata", "retryDecision", "inputTokens", "hashVersion"),
)
_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 2**70)
    | st.floats(allow_nan=False)
    | st.sampled_from(["", "a", "user", "assistant", "pending", "[null]", "{", "sent", "\x1b[2J"]),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(_KEYS), inner, max_size=6)
    ),
    max_leaves=10,
)
_ROWS = st.builds(
    lambda kind, name, payload, meta, raw: Entry(
        kind, name, raw or written(payload), written(meta)
    ),
    st.sampled_from(KINDS),
    st.sampled_from(sorted({*WORDS, "handoff/x", "compaction/auto", ""})),
    _VALUES,
    _VALUES,
    st.sampled_from(["", "", "", "", "{", "null", "[[[["]),
)


@settings(max_examples=40, deadline=None)
@given(st.lists(_ROWS, min_size=1, max_size=8))
def test_any_rows_are_folded(rows: list[Entry]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        tape = databases.fold(databases.made(Path(folder) / "agent.db", rows))
        timeline = tape.timeline
        assert timeline.events == len(rows)
        for cursor in range(len(rows) + 1):
            tape.request(cursor)
            surface(tape, cursor)
        assert tape.verdict().owner == "deepchat"
        for at in range(len(rows)):
            assert tape.sections(at)
            tape.message_id(at)
        for kind in timeline.spans:
            for number in range(len(timeline.spans[kind])):
                tape.span_id(timeline.spans[kind][number])
        sums = tape.sums()
        assert sums.records == sums.carriers == len(rows)
        list(tape.findings())
        tape.close()


def test_what_a_finding_says_of_a_row_is_clean(folded: Folded) -> None:
    run: dict[str, Any] = {"runId": "r\x1b]0;title\x07", "messageId": "a"}
    tape = folded(
        [
            Entry("odd\x1b[2Jkind", None, "{}"),
            event("execution/run_started", run),
            databases.record("id\x1b[2J\n", 1, "no blocks"),
            databases.record("x", 0, "[]"),
            Entry("event", "x", '{"a\x1b": \x1b}'),
        ]
    )
    messages = [finding.message for finding in tape.findings()]
    assert len(messages) == 5
    assert not any(sign in message for message in messages for sign in "\x1b\x07\n")


def test_a_column_of_another_type_is_no_fault(tmp_path: Path) -> None:
    path = databases.made(
        tmp_path / "agent.db", [message("a", 1), message("b", 2), message("c", 3)]
    )
    change = "UPDATE deepchat_tape_entries SET {} WHERE entry_id = {}"
    databases.execute(path, change.format("payload_json = x'7b7d', created_at = 'soon'", 1))
    databases.execute(path, change.format("kind = 5, name = x'00'", 2))
    databases.execute(path, change.format("meta_json = 7", 3))
    tape = databases.fold(path)
    assert surface(tape, 3) == [2]
    assert codes(tape) == ["ignored-row", "unknown-kind", "payload-not-json"]
    tape.close()
