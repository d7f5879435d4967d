"""What a row says as the person saw it."""

from typing import Any

import pytest

from inspector.formats.deepchat.telling.calls import is_cut_off, parts
from inspector.formats.parts import Call, File, Part, Result, Said, Thought
from inspector.lenses.tools import CardKind
from inspector.lenses.transcript import Transcript
from inspector.timeline.words import Outcome, SpanKind
from tests.formats.deepchat.databases import Entry, anchor, call, event, record, result, written
from tests.formats.deepchat.test_telling import row
from tests.lenses.tapes import opened


def told(entry: Entry) -> list[Part] | None:
    return parts(row(entry))


def answer(*blocks: Any, status: str = "sent") -> Entry:
    return record("a", 2, written(list(blocks)), status=status)


def tool(response: Any, status: str = "success") -> dict[str, Any]:
    made = {"id": "c", "name": "read", "params": '{"path":"a"}', "response": response}
    return {"type": "tool_call", "status": status, "tool_call": made}


CALL = Call("c", "read", {"path": "a"})


@pytest.mark.parametrize(
    ("block", "found"),
    [
        ({"type": "content", "content": "yes"}, [Said("yes")]),
        ({"type": "reasoning_content", "content": "hm"}, [Thought("hm")]),
        ({"type": "error", "content": "no"}, [Said("(error) no")]),
        ({"type": "action"}, [Said("[action]")]),
        (tool("text"), [CALL, Result("c", "text", False)]),
        (tool("", "error"), [CALL, Result("c", "", True)]),
        (tool("", "loading"), [CALL]),
        (tool(None), [CALL]),
        ({"type": "tool_call", "tool_call": None}, [Call(None, "")]),
        ({}, [Said("[block]")]),
    ],
)
def test_the_blocks_of_an_answer(block: dict[str, Any], found: list[Part]) -> None:
    assert told(answer(block)) == found


def test_an_answer_that_ends_in_an_error_was_cut_off() -> None:
    block = {"type": "content", "content": "yes"}
    assert is_cut_off(row(answer(block, status="error")))
    assert not is_cut_off(row(answer(block)))
    assert not is_cut_off(row(event("a")))


def test_a_message_of_the_person_names_its_files() -> None:
    content = written({"text": "look", "files": [{"name": "a.png", "mimeType": "image/png"}, 3]})
    assert told(record("a", 1, content, "user")) == [
        Said("look"),
        File("a.png", "image/png", None),
        File("", "", None),
    ]


def test_rows_of_tools_and_of_the_journal() -> None:
    assert told(call("m", "c")) == [Call("c", "read", {"path": "a.py"})]
    assert told(result("m", "c", "text")) == [Result("c", "text", False)]
    assert told(result("m", "c", "no", status="error")) == [Result("c", "no", True)]
    operation = {"operation": {"providerToolCallId": "c"}}
    sent = event("execution/dispatch_committed", {**operation, "toolName": "read"})
    assert told(sent) == [Call("c", "read")]
    back = event("execution/tool_outcome", {**operation, "isError": True})
    assert told(back) == [Result("c", "", True)]


def test_a_summary_is_what_its_anchor_says() -> None:
    assert told(anchor("compaction/manual", summary="short")) == [Said("short")]
    assert told(event("message/retracted", {})) is None


def test_a_subagent_that_is_done_is_a_card_with_what_came_of_it() -> None:
    with opened("deepchat.db", "sample-orchard") as tape:
        (found,) = [entry for entry in Transcript(tape).entries(31) if entry.event == 27]
        assert found.card is not None
        assert (found.card.kind, found.card.title) == (CardKind.SUBAGENT, "Find the last frost")
        assert (found.card.result, found.card.ending.outcome) == ("The middle of May.", Outcome.OK)
        assert tape.span_id(tape.timeline.spans[SpanKind.SUBAGENT][0]) == found.card.id
