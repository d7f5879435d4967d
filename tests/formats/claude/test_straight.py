"""Records that go straight on are taken by a short way, which leads where the long one does."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings

from inspector.formats.claude import FORMAT
from inspector.formats.claude.decoder import ClaudeDecoder
from inspector.formats.claude.tree.live import LiveBranch
from inspector.timeline.words import Mark, SpanKind
from tests.formats.claude.generated import transcripts
from tests.formats.claude.test_laws import at_cursor, tape_of
from tests.formats.claude.transcripts import Record, answer, call, folded, result, text, user

LIVE: Final = tuple(name for name in FORMAT.policies if not name.endswith(":reload"))

USAGE: Final = {"input_tokens": 3, "cache_read_input_tokens": 5, "output_tokens": 7}


def session(*, timed: bool, **more: Any) -> Iterator[Record]:
    """Turns of a question, a thought, calls with results, and an answer."""
    above, number = None, 0

    def next_one(made: Record) -> Record:
        nonlocal above, number
        above, number = made["uuid"], number + 1
        time = {"timestamp": f"2026-01-01T00:{number // 60:02}:{number % 60:02}.{number:03}Z"}
        return {**made, **more, **(time if timed else {})}

    for turn in range(12):
        of, step = f"m{turn}", f"{turn}"
        yield next_one(user(f"q{step}", above, f"question {turn} é"))
        thought = {"type": "thinking", "thinking": "hm"}
        yield next_one(answer(f"t{step}", above, thought, of=of, usage=USAGE))
        tool = ("Bash", "TodoWrite", "Task")[turn % 3]
        calls = call(f"c{step}", tool, command="ls")
        yield next_one(answer(f"c{step}", above, calls, of=of, usage=USAGE, stop_reason="tool_use"))
        error = "no such file" if turn % 4 == 0 else ""
        yield next_one(result(f"r{step}", above, f"c{step}", error=error))
        said = text("done")
        yield next_one(answer(f"a{step}", above, said, usage=USAGE, stop_reason="end_turn"))


def everything(records: list[Record], policy: str) -> list[Any]:
    with tape_of(records, policy) as tape:
        timeline, nodes = tape.timeline, tape.timeline.surface.nodes
        table, events = timeline.table, range(timeline.events)
        spans = [timeline.spans[kind] for kind in SpanKind]
        return [
            [at_cursor(tape, cursor) for cursor in range(len(events) + 1)],
            [(table.record(event), table.type(event), table.time(event)) for event in events],
            [
                (nodes.role(node), nodes.kind(node), nodes.meta(node), nodes.sources(node))
                for node in range(len(nodes))
            ],
            [[span[at] for at in range(len(span))] for span in spans],
            [list(timeline.marks.events(mark)) for mark in Mark],
            list(tape.findings()),
            (tape.identity.id, tape.identity.parent, tape.identity.inherited, tape.identity.cwd),
        ]


def the_long_way(records: list[Record], policy: str) -> list[Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(LiveBranch, "begin", lambda *_: False)
        return everything(records, policy)


@pytest.mark.parametrize("policy", LIVE)
@pytest.mark.parametrize("timed", [True, False])
def test_a_session_is_the_same_both_ways(policy: str, timed: bool) -> None:
    records = list(session(timed=timed))
    assert everything(records, policy) == the_long_way(records, policy)


@pytest.mark.parametrize("policy", LIVE)
@settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.too_slow])
@given(records=transcripts())
def test_a_transcript_is_the_same_both_ways(policy: str, records: list[Record]) -> None:
    assert everything(records, policy) == the_long_way(records, policy)


@pytest.mark.parametrize(
    ("at", "change"),
    [
        (20, {"cwd": "/elsewhere"}),
        (21, {"permissionMode": "plan"}),
        (22, {"sessionId": "another"}),
        (23, {"timestamp": "2025-01-01T00:00:00.000Z"}),
        (24, {"timestamp": "yesterday"}),
        (25, {"uuid": "q1"}),
        (26, {"uuid": 7}),
        (27, {"isSidechain": True}),
        (28, {"isMeta": True}),
        (29, {"parentUuid": "q1"}),
        (30, {"cwd": {"deep": []}}),
        (31, {"message": {"id": "m1", "content": [text("said elsewhere")]}}),
        (32, {"message": {"content": [call("c1")]}}),
        (33, {"message": {"content": [text("one"), text("two")]}}),
        (34, {"message": {"id": "x", "model": "other", "content": [text("one")]}}),
        (38, {"toolUseResult": {"interrupted": True}}),
    ],
)
@pytest.mark.parametrize("policy", LIVE)
def test_something_odd_is_the_same_both_ways(policy: str, at: int, change: dict[str, Any]) -> None:
    records = list(session(timed=True))
    records[at] = {**records[at], **change}
    assert everything(records, policy) == the_long_way(records, policy)


def test_copies_at_the_start_are_the_same_both_ways() -> None:
    copied = list(session(timed=True, forkedFrom={"sessionId": "first", "messageUuid": "x"}))
    records = [*copied, user("next", copied[-1]["uuid"], "and now")]
    assert everything(records, "sdk-js") == the_long_way(records, "sdk-js")


@pytest.mark.parametrize("timed", [True, False])
def test_nearly_all_of_a_session_goes_the_short_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, timed: bool
) -> None:
    taken: list[int] = []
    long = ClaudeDecoder.take

    def take(self: ClaudeDecoder, value: Record, record: int, line: bytes) -> None:
        taken.append(record)
        long(self, value, record, line)

    monkeypatch.setattr(ClaudeDecoder, "take", take)
    tape = folded(tmp_path, session(timed=timed))
    assert tape.timeline.events == 60
    assert len(taken) <= 3
