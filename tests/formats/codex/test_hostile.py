"""Records of any shape, one after the other: an answer for each, and never an exception."""

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.timeline.words import SpanKind
from tests.formats.codex import tapes
from tests.formats.codex.tapes import Record
from tests.formats.codex.test_telling import KEYS, KINDS, VALUES

PAYLOADS = st.dictionaries(
    st.sampled_from([*KEYS, "id", "cwd", "model", "approval_policy", "effort", "git", "source"]),
    VALUES,
    max_size=8,
)
CONTENT = st.lists(st.sampled_from([tapes.part("x"), tapes.part("y", "output_text"), {}, 7]))


@st.composite
def records(draw: st.DrawFn) -> Record:
    kind, payload = draw(st.sampled_from([*KINDS, "session_meta"])), draw(PAYLOADS)
    shell, _, name = kind.partition("/")
    more: dict[str, Any] = {"type": name} if name else {}
    if name == "message":
        more |= {"role": draw(st.sampled_from(["user", "developer", "novel", 7]))}
        more |= {"content": draw(CONTENT)}
    if draw(st.booleans()):
        more |= {"call_id": "c", "turn_id": "t", "message": "m", "output": "o"}
        more |= {"name": "n", "arguments": "{}", "input": ""}
    return {"type": shell, "payload": {**payload, **more}}


@given(st.lists(records(), max_size=8))
@settings(max_examples=50, deadline=None)
def test_no_record_is_too_odd(
    tmp_path_factory: pytest.TempPathFactory, written: list[Record]
) -> None:
    tape = tapes.folded(tmp_path_factory.mktemp("log"), *written)
    timeline = tape.timeline
    assert timeline.events == len(written)
    for event in range(timeline.events):
        tape.headline(event)
        tape.sections(event)
        tape.message_id(event)
    for cursor in range(timeline.events + 1):
        rows = timeline.rows(cursor)
        assert len([entry for entry in tape.request(cursor) if entry.node is not None]) == len(rows)
        for name, setting in timeline.registers.state(cursor).items():
            tape.value(name, setting)
        tape.preamble(cursor)
    for kind in SpanKind:
        spans = timeline.spans[kind]
        assert all(tape.span_id(spans[at]) != "" for at in range(len(spans)))
    assert tape.verdict().owner == "codex"
    sums = tape.sums()
    assert sums.records == sums.carriers + sums.bookkeeping + sums.blank + sums.damaged
    tape.close()
