"""Rows for people: in one line and in full, whatever stands in them."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.formats.deepchat.decoder import told
from inspector.formats.deepchat.entry import entry_of
from inspector.formats.deepchat.telling.headlines import headline
from inspector.formats.deepchat.telling.sections import sections
from inspector.formats.deepchat.vocabulary import WORDS
from tests.formats.deepchat.databases import (
    KINDS,
    Entry,
    anchor,
    call,
    event,
    message,
    record,
    result,
    retracted,
    written,
)


def row(entry: Entry) -> dict[str, Any]:
    source = (*entry.source, "a:key")
    values = (7, entry.kind, entry.name, entry.payload, entry.meta, 0, "s", *source)
    return told(entry_of(values))


def headings(entry: Entry) -> list[str]:
    return [section.heading for section in sections(row(entry))]


ATTEMPT = {"requestSeq": 2, "physicalAttempt": 3, "status": "error", "errorCode": "E"}
MERGED = {"forkId": "f", "mergedCount": 1}


@pytest.mark.parametrize(
    ("entry", "kind", "text"),
    [
        (message("a", 1, "hello"), "user", "hello"),
        (message("a", 1, "hello", status="pending"), "user", "(pending) hello"),
        (message("a", 1, "x", source="repair"), "user", "(repair) x"),
        (message("a", 1, "x", mergedFromEntryId=3), "user", "(merged from a fork) x"),
        (message("a", 1, ""), "user", "(empty)"),
        (message("a", 1, "a", metadata='{"messageType":"compaction"}'), "compaction", "a"),
        (record("a", 1, "[null]"), "assistant", "[null]"),
        (
            record("a", 1, '[{"type":"reasoning_content","content":"hm"}]'),
            "assistant",
            "(thinking) hm",
        ),
        (record("a", 1, '[{"type":"action","action_type":"ask"}]'), "assistant", "[ask]"),
        (call("a", "c"), "tool call", "read a.py"),
        (result("a", "c", "found"), "tool result", "found"),
        (anchor("session/start", owner="human"), "session", "by human · begins"),
        (anchor("fork/start", parentSessionId="p", parentHeadEntryId=3), "fork", "of p at entry 3"),
        (anchor("compaction/auto", summary="so far"), "summary", "so far"),
        (anchor("auto_handoff/x", reason="too long"), "summary", "handed over: too long"),
        (
            anchor("handoff/x", cursorOrderSeq=4),
            "anchor",
            "handoff/x · no summary · shows messages from place 4 on",
        ),
        (anchor("custom/x", note=1), "anchor", "custom/x · note 1"),
        (anchor("summary/reset"), "summary reset", "everything is shown again, without a summary"),
        (retracted("a"), "retracted", "message a · message deleted"),
        (event("provider/attempt_completed", ATTEMPT), "attempt", "request 2 try 3 · error · E"),
        (event("fork/merge", MERGED), "fork merged", "fork f · 1 row"),
        (
            event("fork/merge", {"forkId": "f", "referencedEntryCount": 2}),
            "fork merged",
            "fork f · 2 rows referred to",
        ),
        (event("from/the-future", {"x": 1}), "from/the-future", "x 1"),
        (
            Entry("context", "skill/materialized", '{"skillName":"s"}'),
            "context",
            "skill/materialized · skillName s",
        ),
        (Entry("", None, "[]"), "row", "payload_json is JSON, but no object: a list"),
    ],
)
def test_a_row_in_one_line(entry: Entry, kind: str, text: str) -> None:
    told_as = headline(row(entry))
    assert (told_as.kind, told_as.text) == (kind, text)


def test_a_row_in_full() -> None:
    asked = written({"text": "look", "files": [{"name": "a.txt", "path": "/a"}], "links": ["u"]})
    assert headings(record("a", 1, asked, "user", x=1)) == [
        *("", "file a.txt", "link", "record", "meta", "provenance")
    ]
    blocks = [
        {"type": "reasoning_content", "content": "hm"},
        {"type": "tool_call", "tool_call": {"name": "read", "server_name": "files"}},
        {"type": "image"},
        {"type": "error", "content": "no"},
    ]
    assert headings(record("a", 1, written(blocks)))[:5] == [
        *("thinking", "call read of files", "result", "image", "error")
    ]
    assert headings(anchor("handoff/x", summary="s", sourceMessageIds=["a"])) == [
        *("summary", "decides", "made of", "state", "provenance")
    ]
    assert headings(retracted("a"))[:2] == ["kept", "data"]


def test_what_the_owner_does_not_read_is_told_with_the_reason() -> None:
    [ignored, *_] = sections(row(record(None, 1, "x")))
    assert ignored.text == "the owner ignores this row: the record's id is no text"
    [broken, *_] = sections(row(Entry("event", "view/assembled", "{")))
    assert (broken.heading, broken.tone) == ("broken", "error")


def test_a_manifest_is_told_by_what_it_holds() -> None:
    included = [{"entryId": None, "role": "system", "reason": "system_prompt"}]
    excluded = [{"entryId": 4, "messageId": "b", "reason": "before_summary_cursor"}]
    ranges = [{"fromOrderSeq": 1, "toOrderSeq": 3, "count": 3, "reason": "superseded"}]
    manifest = {
        "hashVersion": 9,
        "included": included,
        "excluded": excluded,
        "excludedRanges": ranges,
    }
    entry = event("view/assembled", {"manifest": manifest})
    told_in_full = {section.heading: section.text for section in sections(row(entry))}
    assert told_in_full["hash"] == "unverified: nobody knows the recipe of hash version 9"
    assert told_in_full["included (1)"] == "made for the request · system · system prompt"
    assert told_in_full["left out (1) · 1 before_summary_cursor"].startswith("entry 4 · b")
    assert told_in_full["left out"] == "places 1 to 3 · 3 · superseded"


_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(
            st.sampled_from(
                ["record", "data", "state", "id", "content", "toolCall", "manifest", "x"]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)


@settings(max_examples=50, deadline=None)
@given(
    st.sampled_from([*KINDS, "other"]),
    st.sampled_from(sorted({*WORDS, "handoff/x", "message/user"})),
    _json,
    _json,
)
def test_any_shape_can_be_told(kind: str, name: str, payload: Any, meta: Any) -> None:
    entry = row(Entry(kind, name, written(payload), written(meta)))
    assert headline(entry).kind
    assert all(isinstance(section.text, str) for section in sections(entry))
