import json
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.formats.contract import Headline, Section
from inspector.formats.dsh.telling import headlines
from inspector.formats.dsh.telling import sections as in_full
from inspector.formats.dsh.vocabulary import LATER_WORDS, WORDS
from tests.dsh_tapes import (
    Json,
    Log,
    assistant_data,
    call_block,
    folded,
    result_data,
    text_block,
    user_data,
)

PLACE = {"turn": 1, "step": 2}
LONGEST: Final = 2_500
"""Characters that a headline may have; a row of the screen needs far fewer."""


def length(kind: str, data: Any) -> int:
    """The length of a headline; a failed test shows the figure and not the text."""
    line = headline(kind, data)
    return max(len(line.text), len(line.kind))


def headline(kind: str, data: Any) -> Headline:
    return headlines.headline({"type": kind, "data": data}, kind)


def sections(kind: str, data: Any) -> list[Section]:
    return in_full.sections({"type": kind, "data": data}, kind)


def chunk(kind: str, **more: Any) -> Json:
    return {**PLACE, "chunk": {"type": kind, "index": 0, **more}}


# Headlines.


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (user_data("List the files."), Headline("user", "user", "List the files.")),
        (user_data("a note", plugin="memory"), Headline("context", "user", "[memory] a note")),
        (
            user_data("x") | {"source": {"kind": "goal"}},
            Headline("context", "user", "[goal] x"),
        ),
        (user_data("x") | {"source": None}, Headline("context", "user", "[injected] x")),
        (user_data("short", plugin="compact"), Headline("summary", "summary", "short")),
        (
            user_data(
                "The earlier part.\n<compacted-summary>\nListed files.\n</compacted-summary>",
                plugin="compact",
            ),
            Headline("summary", "summary", "Listed files."),
        ),
    ],
)
def test_user_messages(data: Json, expected: Headline) -> None:
    assert headline("user/message", data) == expected


@pytest.mark.parametrize(
    ("blocks", "line"),
    [
        ([], "(empty)"),
        ([text_block("Hello.")], "Hello."),
        ([{"type": "reasoning", "text": "hm"}], "(thinking) hm"),
        ([{"type": "reasoning", "text": "hm"}, text_block("Hello.")], "Hello."),
        ([call_block("c1")], "→ bash ls"),
        ([text_block("I look."), call_block("c1")], "I look. → bash ls"),
        ([{"type": "image", "attachment": {"mediaType": "image/png"}}], "[image image/png]"),
        ([{"type": "hologram"}], "[hologram]"),
        ([{}], "[block]"),
        ([None, 7], "[block] [block]"),
    ],
)
def test_assistant_messages(blocks: list[Any], line: str) -> None:
    assert headline("assistant/message", assistant_data(*blocks)) == Headline(
        "assistant", "assistant", line
    )


def test_an_interrupted_answer_says_so() -> None:
    data = assistant_data(text_block("I was"), interrupted=True)
    assert headline("assistant/message", data).text == "(interrupted) I was"


@pytest.mark.parametrize("failed", [False, True])
def test_results(failed: bool) -> None:
    data = result_data("c1", "a.txt\nb.txt", failed=failed)
    assert headline("tool/result", data) == Headline("tool result", "tool", "a.txt\nb.txt", failed)


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ('{"command":"ls","cwd":"/"}', "bash ls /"),
        ('{"n":7,"deep":{"a":[1]}}', 'bash 7 {"a":[1]}'),
        ('{"comm', 'bash {"comm'),
        ("[1,2]", "bash [1,2]"),
        ('"text"', "bash text"),
        ("{}", "bash"),
        ("", "bash"),
        ({"command": "ls"}, "bash ls"),
        (None, "bash"),
        ('{"a":1,"b":2,"c":3,"d":4,"e":5,"f":6,"g":7}', "bash 1 2 3 4 5 6"),
    ],
)
def test_calls(arguments: Any, line: str) -> None:
    data = {**PLACE, "callId": "c1", "name": "bash", "arguments": arguments}
    assert headline("tool/call", data) == Headline("tool call", None, line)


@pytest.mark.parametrize(
    ("data", "expected"),
    [
        (chunk("text-delta", text="Hel"), Headline("· text", None, "Hel")),
        (chunk("reasoning-delta", text="hm"), Headline("· thinking", None, "hm")),
        (
            chunk("tool-call-delta", name="bash", argumentsDelta='{"c'),
            Headline("· arguments", None, 'bash {"c'),
        ),
        (chunk("tool-call-delta", argumentsDelta='":1'), Headline("· arguments", None, '":1')),
        (chunk("block-start", blockType="text"), Headline("· block", None, "text begins")),
        (
            chunk("block-end", block={"type": "text"}),
            Headline("· block end", None, "text"),
        ),
        (
            chunk("usage", usage={"inputTokens": 3, "outputTokens": 4}),
            Headline("· usage", None, "input 3 · output 4"),
        ),
        (chunk("finish", reason={"kind": "stop"}), Headline("· finish", None, "stop")),
        (
            chunk("finish", reason={"kind": "error", "failure": {"message": "no"}}),
            Headline("· finish", None, "error no", error=True),
        ),
        (chunk("hologram"), Headline("· chunk", None, "hologram")),
        ({}, Headline("· chunk", None, "")),
    ],
)
def test_chunks(data: Json, expected: Headline) -> None:
    assert headline("assistant/chunk", data) == expected


@pytest.mark.parametrize(
    ("kind", "data", "expected"),
    [
        ("turn/start", {"turn": 3}, Headline("turn start", None, "turn 3")),
        ("step/start", PLACE, Headline("step start", None, "turn 1 step 2")),
        ("step/end", PLACE, Headline("step end", None, "turn 1 step 2")),
        (
            "turn/end",
            {"turn": 1, "reason": {"kind": "completed"}},
            Headline("turn end", None, "completed"),
        ),
        (
            "turn/end",
            {"turn": 1, "reason": {"kind": "aborted", "reason": {"kind": "user"}}},
            Headline("turn end", None, "aborted: user"),
        ),
        (
            "turn/end",
            {"turn": 1, "reason": {"kind": "error", "error": {"message": "no", "code": "X"}}},
            Headline("turn end", None, "error: no", error=True),
        ),
        ("turn/end", {"turn": 1, "kind": "aborted"}, Headline("turn end", None, "aborted")),
        (
            "request/header",
            {"header": {"config": {"model": "flash"}, "tools": [1, 2]}, "reason": "initial"},
            Headline("request", None, "flash · 2 tools · initial"),
        ),
        (
            "request/context",
            {"provider": "deepseek", "model": "flash", "contextWindow": 131072},
            Headline("model", None, "deepseek flash · window 131072"),
        ),
        (
            "request/context",
            {"provider": "deepseek", "model": "flash"},
            Headline("model", None, "deepseek flash"),
        ),
        ("session/title", {"title": "List"}, Headline("title", None, "List")),
        (
            "todo/write",
            {
                "todos": [
                    {"content": "one", "status": "completed"},
                    {"content": "two", "status": "in_progress"},
                    {"content": "three", "status": "pending"},
                ]
            },
            Headline("todo", None, "1 of 3 done · now: two"),
        ),
        ("todo/write", {"todos": []}, Headline("todo", None, "0 of 0 done")),
        ("compaction/start", {"turn": None}, Headline("compact", None, "begins outside a turn")),
        ("compaction/start", {"turn": 3}, Headline("compact", None, "begins in turn 3")),
        (
            "compaction/summary",
            {"summary": [text_block("Listed.")], "shadowedSeqs": [2, 5]},
            Headline("summarised", None, "hides 2 · Listed."),
        ),
        ("compaction/end", {}, Headline("compact end", None, "done")),
        (
            "compaction/end",
            {"error": "too big"},
            Headline("compact end", None, "failed: too big", error=True),
        ),
        ("compaction/prune", {"shadowedSeqs": [18]}, Headline("prune", None, "cuts 1 tool result")),
    ],
)
def test_other_events(kind: str, data: Json, expected: Headline) -> None:
    assert headline(kind, data) == expected


def test_two_results_are_cut_in_the_plural() -> None:
    assert headline("compaction/prune", {"shadowedSeqs": [18, 19]}).text == "cuts 2 tool results"


def test_an_unknown_event_is_called_by_its_type() -> None:
    assert headline("plugin/note", {"text": "x", "n": [1]}) == Headline(
        "plugin/note", None, "text x, n [1]"
    )
    assert headline("x" * 10_000, {}).kind == "x" * 400


@pytest.mark.parametrize("name", sorted(WORDS))
def test_every_type_has_a_word_of_its_own(name: str) -> None:
    assert list(WORDS.values()).count(WORDS[name]) == 1
    if name not in ("user/message", "assistant/chunk"):
        assert headline(name, {}).kind == WORDS[name]


# Sections.


def test_the_parts_of_an_answer() -> None:
    blocks = [
        {"type": "reasoning", "text": "hm"},
        text_block("I look."),
        call_block("c1", arguments='{"command":"ls"}'),
    ]
    usage = {"inputTokens": 3, "outputTokens": 4, "cacheReadTokens": 2}
    assert sections("assistant/message", assistant_data(*blocks, usage=usage)) == [
        Section("thinking", "hm", "dim"),
        Section("", "I look."),
        Section("call bash", '{\n  "command": "ls"\n}', "code"),
        Section("usage", "input 3 · cache read 2 · output 4", "dim"),
    ]


def test_an_empty_answer_says_why_it_is_there() -> None:
    assert sections("assistant/message", assistant_data()) == [
        Section("", "(an empty message: it only carries usage)", "dim")
    ]


def test_a_result_that_failed() -> None:
    data = result_data("c1", "no such file", failed=True, error={"name": "E", "code": "ENOENT"})
    assert sections("tool/result", data) == [
        Section("error", "E ENOENT", "error"),
        Section("", "no such file", "error"),
    ]


def test_a_result_that_was_pruned_and_one_with_a_diff_and_one_that_is_empty() -> None:
    cut = "head\n\n[... tool result middle pruned ...]\n\ntail"
    assert sections("tool/result", result_data("c1", cut)) == [
        Section("", cut),
        Section("", "The owner cut the middle out of this result.", "dim"),
    ]
    diffs = [{"path": "a.py", "oldText": None, "newText": "x = 1\n"}]
    assert sections("tool/result", result_data("c1", "done", meta={"diffs": diffs})) == [
        Section("", "done"),
        Section("file a.py", "x = 1\n", "code"),
    ]
    assert sections("tool/result", {}) == [Section("", "(an empty result)", "dim")]


@pytest.mark.parametrize(
    ("kind", "data", "expected"),
    [
        ("user/message", user_data("hi"), [Section("", "hi")]),
        ("tool/call", {"name": "bash", "arguments": "{"}, [Section("bash", "{", "code")]),
        (
            "todo/write",
            {
                "todos": [
                    {"content": "a", "status": "completed"},
                    {"content": "b", "status": "in_progress"},
                    {"content": "c", "status": "pending"},
                    {"content": "d", "status": "lost"},
                ]
            },
            [Section("todo", "✓ a\n▸ b\n· c\n? d")],
        ),
        (
            "request/header",
            {
                "header": {
                    "config": {"model": "flash"},
                    "system": "You are.",
                    "tools": [{"name": "bash", "description": "Run"}],
                }
            },
            [
                Section("config", '{\n  "model": "flash"\n}', "code"),
                Section("system prompt", "You are."),
                Section("tool bash", "Run", "dim"),
            ],
        ),
        (
            "compaction/summary",
            {"summary": [text_block("Listed.")], "shadowedSeqs": [2, 5]},
            [Section("summary", "Listed."), Section("hides", "2, 5", "dim")],
        ),
        (
            "assistant/chunk",
            chunk("text-delta", text="x"),
            [
                Section(
                    "text", '{\n  "type": "text-delta",\n  "index": 0,\n  "text": "x"\n}', "code"
                )
            ],
        ),
        ("turn/start", {"turn": 1}, [Section("", '{\n  "turn": 1\n}', "code")]),
        ("plugin/note", {"a": 1}, [Section("", '{\n  "a": 1\n}', "code")]),
    ],
)
def test_sections_of_events(kind: str, data: Json, expected: list[Section]) -> None:
    assert sections(kind, data) == expected


def test_a_stream_that_ended_in_an_error_is_shown_as_one() -> None:
    (section,) = sections("assistant/chunk", chunk("finish", reason={"kind": "error"}))
    assert (section.heading, section.tone) == ("finish", "error")


@pytest.mark.parametrize("data", [7, "text", [1, "x"]])
def test_data_that_is_no_object_is_shown_as_it_is(data: Any) -> None:
    (section,) = sections("turn/end", data)
    assert str(data if not isinstance(data, list) else data[1]) in section.text


# Whatever the payload holds.

KEYS: Final = """
    active approval arguments argumentsDelta attachment body decision goal label member mode
    objective operation outcome phase removedCount schedule stderrSummary stream targets task text
    attachment block blockType callId chunk code compactionId config
    content contextWindow description diffs error failure header id index inputTokens inserted
    isError kind mediaType message meta model name newText outputTokens path plugin provider
    reason removedCount retry shadowedSeqs source status step summary system target text title
    todos toolCallId tools turn type usage
"""
"""Keys that mean something somewhere."""

VALUES_WITH_A_MEANING: Final = """
    text reasoning image tool-call tool-result text-delta reasoning-delta tool-call-delta
    block-start block-end usage finish error compact user plugin completed in_progress
"""

keys = st.sampled_from(KEYS.split())
texts = st.one_of(
    st.sampled_from(VALUES_WITH_A_MEANING.split()),
    st.text(st.characters(exclude_categories=()), max_size=6),
    st.sampled_from(('{"a":1}', '{"a":', "[[1]]", '"\\ud800"', "\ud800", "1e999", "null", "")),
)
numbers = st.one_of(
    st.integers(-3, 3),
    st.sampled_from((2**53, 2**63, 2**64, 10**30, -(10**30), 1.5, 1e308, float("inf"))),
)
scalars = st.one_of(st.none(), st.booleans(), numbers, texts)
values = st.recursive(
    scalars,
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(keys, inner, max_size=5)),
    max_leaves=12,
)
blocks_of_any_kind = st.lists(
    st.one_of(scalars, st.dictionaries(keys, values, max_size=4)), max_size=4
)


def described(name: str, data: Any) -> None:
    event = {"type": name, "data": data}
    line = headlines.headline(event, name)
    assert isinstance(line.kind, str)
    assert isinstance(line.text, str)
    assert isinstance(line.error, bool)
    for section in in_full.sections(event, name):
        assert isinstance(section.heading, str)
        assert isinstance(section.text, str)


EVERY_TYPE: Final = [*sorted(WORDS), *sorted(set().union(*LATER_WORDS.values())), "plugin/note", ""]


@given(values)
@settings(derandomize=True, deadline=None, max_examples=50)
def test_a_payload_of_any_shape_is_described_by_every_type(data: Any) -> None:
    for name in EVERY_TYPE:
        described(name, data)
        described(name, dict.fromkeys(KEYS.split(), data))


@pytest.mark.parametrize(
    "name", ["user/message", "assistant/message", "tool/result", "compaction/summary"]
)
@given(blocks_of_any_kind, values)
@settings(derandomize=True, deadline=None, max_examples=50)
def test_a_message_of_any_blocks_is_described(name: str, blocks: list[Any], other: Any) -> None:
    described(name, {"content": blocks, "source": other})
    described(name, {"message": {"content": blocks, "source": other}, "usage": other})
    described(name, {"message": {"content": [{"content": blocks, "type": "tool-result"}]}})
    described(name, {"summary": blocks, "shadowedSeqs": other})


SHAPES: Final = {
    "turn/start": {"turn": ...},
    "turn/end": {"reason": {"kind": "error", "error": {"message": ...}}},
    "step/end": {"turn": ..., "step": ...},
    "user/message": {"content": [{"type": "hologram", "x": ...}], "source": {"kind": "user"}},
    "assistant/message": {"message": {"content": [{"type": "tool-call", "arguments": ...}]}},
    "tool/call": {"name": "bash", "arguments": ...},
    "tool/result": {"message": {"content": [{"content": [...]}]}, "error": {"code": ...}},
    "request/header": {"header": {"config": ..., "system": ...}, "reason": ...},
    "request/context": {"contextWindow": ...},
    "compaction/start": {"turn": ...},
    "compaction/summary": {"summary": [...], "shadowedSeqs": [...]},
    "compaction/end": {"error": ...},
    "llm/retry": {"retry": ...},
    "agent/inbox/spliced": {"removedCount": ..., "target": ...},
    "assistant/chunk": {"chunk": {"type": "usage", "usage": {"inputTokens": ...}}},
    "approval/asked": {"toolName": ..., "reason": ...},
    "hook/result": {"point": ..., "decision": ..., "exitCode": ..., "stderrSummary": ...},
    "goal/change": {"operation": ..., "goal": {"objective": ..., "phase": ...}},
    "schedule/change": {"operation": ..., "schedule": {"kind": ..., "prompt": ...}},
    "subagent/descriptor": {"label": ..., "mode": ..., "agentModel": ..., "persona": ...},
    "team/task": {"task": {"subject": ..., "status": ..., "ownerId": ...}},
    "team/message/queued": {"message": {"senderName": ..., "content": [...]}},
    "tool-workflow/agent-start": {"label": ..., "phase": ...},
    "web/deepseek-search-llm-request": {"body": {"model": ..., "messages": ...}},
    "session/title-llm-request": {"route": {"model": ...}, "messageSeqs": ...},
    "image/offload": {"targets": [{"imageIndexes": ...}]},
}
"""By type, a payload with a hole wherever it may hold any JSON."""


def filled(shape: Any, value: Any) -> Any:
    if shape is ...:
        return value
    if isinstance(shape, dict):
        return {key: filled(inner, value) for key, inner in shape.items()}
    if isinstance(shape, list):
        return [filled(inner, value) for inner in shape]
    return shape


@pytest.mark.parametrize("name", SHAPES)
@given(st.one_of(scalars, values))
@settings(derandomize=True, deadline=None, max_examples=30)
def test_any_value_in_its_place_is_described(name: str, value: Any) -> None:
    described(name, filled(SHAPES[name], value))


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("levels", [250, 300, 1000, 1010])
def test_a_value_nested_deeply_is_described(name: str, levels: int) -> None:
    nested: Any = []
    for _ in range(levels):
        nested = [nested]
    described(name, filled(SHAPES[name], nested))


@pytest.mark.parametrize("levels", [200, 400, 490])
def test_results_nested_deeply_are_described(levels: int) -> None:
    block: Json = text_block("x")
    for _ in range(levels):
        block = {"type": "tool-result", "content": [block]}
    for name in ("user/message", "assistant/message", "tool/result"):
        described(name, {"content": [block], "message": {"content": [block]}})


@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize(
    "value",
    ["x" * 1_000_000, ["x" * 1_000_000], {"x" * 1_000_000: 1}],
    ids=["text", "array", "object"],
)
def test_a_headline_is_short_however_long_the_payload(name: str, value: Any) -> None:
    assert length(name, filled(SHAPES[name], value)) <= LONGEST


@pytest.mark.parametrize(
    "data",
    [
        chunk("block-start", blockType="x" * 1_000_000),
        chunk("block-end", block={"type": "x" * 1_000_000}),
        chunk("finish", reason={"kind": "x" * 1_000_000}),
        chunk("x" * 1_000_000),
        chunk("text-delta", text="x" * 1_000_000),
        chunk("tool-call-delta", name="x" * 1_000_000, argumentsDelta="x" * 1_000_000),
    ],
    ids=["block-start", "block-end", "finish", "chunk", "text-delta", "tool-call-delta"],
)
def test_the_headline_of_a_chunk_is_short_however_long_it_is(data: Json) -> None:
    assert length("assistant/chunk", data) <= LONGEST


def test_the_headline_of_a_turn_end_is_short_however_long_its_kind() -> None:
    assert length("turn/end", {"reason": {"kind": "x" * 1_000_000}}) <= LONGEST


# On a tape.


def test_a_tape_describes_its_events(tmp_path: Path) -> None:
    log = Log()
    log.turn()
    log.user("hi")
    log.packed("Hel", "lo")
    tape = folded(log, tmp_path)
    assert [tape.headline(event).text for event in range(4)] == ["turn 1", "hi", "Hel", "lo"]
    assert tape.sections(1) == [Section("", "hi")]
    assert json.loads(tape.sections(3)[0].text) == {"type": "text-delta", "index": 0, "text": "lo"}


@pytest.mark.parametrize(
    "data",
    ["\ud800", ["\ud800"], [{"turn": "\ud800"}], 10**30],
    ids=["surrogate", "in an array", "in an object", "long number"],
)
def test_a_tape_describes_what_only_a_lenient_reader_reads(data: Any, tmp_path: Path) -> None:
    log = Log()
    log.event("turn/start", {"turn": data, "more": "\ud800"})
    tape = folded(log, tmp_path)
    assert tape.headline(0).text.startswith("turn ")
    assert len(tape.sections(0)) == 1
