from pathlib import Path
from typing import Any

import pytest

from inspector.formats.dsh.effects import tokens
from inspector.timeline.marks import Usage
from tests.dsh_tapes import Json, Log, call_block, folded, text_block

MESSAGE = b'{"id":"u","role":"user","source":{"kind":"user"},'

REPORT: Json = {
    "inputTokens": 120,
    "outputTokens": 18,
    "cacheReadTokens": 64,
    "cacheWriteTokens": 7,
    "reasoningTokens": 3,
}


def test_an_answer_reports_the_tokens_of_its_request(tmp_path: Path) -> None:
    log = Log()
    log.user()
    log.assistant(text_block("x"), usage=REPORT)
    usage = folded(log, tmp_path).timeline.usage
    assert len(usage) == 1
    assert usage[0] == Usage(event=1, input=120, cache_read=64, cache_write=7, output=18)
    assert usage[0].context == 191


def test_the_last_report_counts_from_the_cursor_behind_it(tmp_path: Path) -> None:
    log = Log()
    log.assistant(usage={"inputTokens": 1})
    log.user()
    log.assistant(usage={"inputTokens": 2})
    usage = folded(log, tmp_path).timeline.usage
    reports = [usage.last(cursor) for cursor in range(4)]
    assert [report and report.input for report in reports] == [None, 1, 1, 2]


def test_an_answer_without_a_report_tells_nothing(tmp_path: Path) -> None:
    log = Log()
    log.assistant(text_block("x"))
    assert len(folded(log, tmp_path).timeline.usage) == 0


def test_what_is_not_reported_is_nothing(tmp_path: Path) -> None:
    log = Log()
    log.assistant(usage={"outputTokens": 5})
    assert folded(log, tmp_path).timeline.usage[0] == Usage(0, 0, 0, 0, 5)


@pytest.mark.parametrize("odd", [None, "5", -5, 1.5, True, [], 1 << 60])
def test_a_figure_that_is_no_number_of_tokens_is_nothing(odd: Any, tmp_path: Path) -> None:
    log = Log()
    log.assistant(usage=REPORT | {"cacheReadTokens": odd})
    assert folded(log, tmp_path).timeline.usage[0] == Usage(0, 120, 0, 7, 18)


@pytest.mark.parametrize("usage", [[], "many", 7, True])
def test_a_report_of_any_shape_is_read_as_nothing(usage: Any, tmp_path: Path) -> None:
    log = Log()
    log.assistant(usage=usage)
    assert folded(log, tmp_path).timeline.usage[0] == Usage(0, 0, 0, 0, 0)


def test_figures_beyond_32_bits_are_kept(tmp_path: Path) -> None:
    log = Log()
    log.assistant(usage={"inputTokens": 2**53 - 1, "cacheReadTokens": 2**40})
    usage = folded(log, tmp_path).timeline.usage[0]
    assert usage.context == 2**53 - 1 + 2**40


def test_the_request_of_a_compaction_is_reported_aside(tmp_path: Path) -> None:
    log = Log()
    log.assistant(usage={"inputTokens": 1})
    log.compaction()
    log.summary(usage={"inputTokens": 90, "outputTokens": 9})
    timeline = folded(log, tmp_path).timeline
    assert (len(timeline.usage), len(timeline.side_usage)) == (1, 1)
    assert timeline.side_usage[0] == Usage(2, 90, 0, 0, 9)
    assert timeline.usage.last(3) == Usage(0, 1, 0, 0, 0)


def test_the_usage_of_a_chunk_is_not_counted_beside_that_of_its_answer(tmp_path: Path) -> None:
    log = Log()
    chunk = {"type": "usage", "usage": REPORT}
    log.event("assistant/chunk", {"turn": 1, "step": 1, "chunk": chunk})
    log.assistant(text_block("x"), usage=REPORT)
    usage = folded(log, tmp_path).timeline.usage
    assert [usage[at].event for at in range(len(usage))] == [1]


def test_an_empty_answer_that_only_carries_usage_makes_no_message(tmp_path: Path) -> None:
    log = Log()
    log.user()
    log.assistant(usage=REPORT)
    timeline = folded(log, tmp_path).timeline
    assert (timeline.count(2), timeline.surface.messages(2)) == (2, 1)
    assert len(timeline.usage) == 1


# The estimate.


@pytest.mark.parametrize(
    ("block", "tokens_"),
    [
        (text_block(""), 4),
        (text_block("1234"), 5),
        (text_block("12345"), 6),
        ({"type": "reasoning", "text": "12345678"}, 6),
        ({"type": "text"}, 4),
        ({"type": "text", "text": 7}, 4),
        (call_block("c1", "bash", '{"a":1}'), 4 + 1 + 2),
        ({"type": "tool-call"}, 4),
        ({"type": "tool-result", "content": []}, 4),
        ({"type": "tool-result", "content": [text_block("1234")]}, 4 + 4 + 1),
        ({"type": "image"}, 4 + 4),
        ("1234", 4 + 2),
        (None, 4 + 1),
        (7, 4 + 1),
        ([], 4 + 1),
    ],
)
def test_the_estimate_of_a_block(block: Any, tokens_: int) -> None:
    assert tokens.of_block(block) == tokens_
    assert tokens.of_content([block, block]) == 4 + 2 * tokens_


@pytest.mark.parametrize("value", ["\ud800", ["\ud800"], 10**30, [[10**30]], float("inf")])
def test_what_json_cannot_say_is_estimated_too(value: Any) -> None:
    assert tokens.of_json(value) in range(1, 12)


def test_the_surface_weighs_what_its_rows_do(tmp_path: Path) -> None:
    log = Log()
    log.user("x" * 40)
    log.result("c1", "y" * 400)
    log.rewrite(1, "y" * 4)
    log.checkpoint(0, 2, [0, 2], "")
    timeline = folded(log, tmp_path).timeline
    user, result, pruned, summary = 4 + 4 + 10, 4 + 4 + 4 + 100, 4 + 4 + 4 + 1, 4 + 4
    assert [timeline.tokens(cursor) for cursor in range(5)] == [
        0,
        user,
        user + result,
        user + pruned,
        summary,
    ]


@pytest.mark.parametrize("levels", [200, 400, 490])
def test_nested_results_are_weighed_and_do_not_end_the_fold(levels: int, tmp_path: Path) -> None:
    nested = b'{"type":"text","text":"1234"}'
    for _ in range(levels):
        nested = b'{"type":"tool-result","content":[' + nested + b"]}"
    log = Log()
    log.raw(
        b'{"type":"user/message","seq":0,"time":1,"data":'
        + MESSAGE
        + b'"content":['
        + nested
        + b']},"surfaceOp":"append"}'
    )
    timeline = folded(log, tmp_path).timeline
    assert timeline.count(1) == 1
    assert timeline.tokens(1) == 4 + 4 * levels + 5


@pytest.mark.parametrize("levels", [200, 300, 1000, 1010])
def test_nested_blocks_are_weighed_and_do_not_end_the_fold(levels: int, tmp_path: Path) -> None:
    log = Log()
    log.raw(
        b'{"type":"user/message","seq":0,"time":1,"data":'
        + MESSAGE
        + b'"content":'
        + b"[" * levels
        + b"]" * levels
        + b'},"surfaceOp":"append"}'
    )
    timeline = folded(log, tmp_path).timeline
    assert timeline.count(1) == 1
    assert timeline.tokens(1) > 4
