"""What the person saw: its document and its text."""

from typing import Any

import orjson
import pytest

from inspector.export import transcript
from inspector.export.documents import dumps
from inspector.formats.parts import Call, File, Result, Said, Thought
from inspector.timeline.words import Kind, Outcome, Role, SpanKind
from tests.lenses.handmade import Handmade
from tests.lenses.tapes import TAPES, opened

KEYS = [
    "kind",
    "event",
    "seq",
    "events",
    "time",
    "speaker",
    "text",
    "reasoning",
    "files",
    "card",
    "outcome",
    "divider",
    "children",
    "more_children",
    "visibility",
    "by",
    "seen",
    "gone_by",
    "partial",
    "writing",
]


def document(made: Handmade) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = transcript.document(made.tape, made.timeline.events)["entries"]
    return found


def lines(made: Handmade) -> list[str]:
    """The text, without the numbers and times of the events."""
    found = transcript.document(made.tape, made.timeline.events)
    return [line.replace("  00:00:00", "") for line in transcript.text(made.tape, found)]


@pytest.mark.parametrize(("name", "session"), TAPES)
def test_a_document_is_json_and_has_all_its_keys(name: str, session: str | None) -> None:
    with opened(name, session) as tape:
        found = transcript.document(tape, tape.timeline.events)
        assert orjson.loads(dumps(found)) == found
        assert found["entries"]
        waiting = list(found["entries"])
        while waiting:
            entry = waiting.pop()
            assert list(entry) == KEYS
            waiting.extend(entry["children"])


@pytest.mark.parametrize(("name", "session"), TAPES)
def test_every_entry_has_a_line(name: str, session: str | None) -> None:
    with opened(name, session) as tape:
        for cursor in (0, tape.timeline.events // 2, tape.timeline.events):
            found = transcript.document(tape, cursor)
            told = list(transcript.text(tape, found))
            assert len(told) >= len(found["entries"])
            assert told


def test_nothing_was_said_at_the_beginning() -> None:
    made = Handmade()
    assert transcript.document(made.tape, 0) == {"cursor": 0, "entries": []}
    assert lines(made) == ["nothing was said yet"]


def test_a_card_has_its_call_its_outcome_and_its_result() -> None:
    made = Handmade()
    made.call("c", "d")
    made.result("d", outcome=Outcome.FAILED)
    (entry,) = document(made)
    assert [child["card"] for child in entry["children"]] == [
        {
            "kind": "terminal",
            "name": "bash",
            "title": name,
            "arguments": {},
            "body": None,
            "outcome": outcome,
            "word": None,
            "evidence": "recorded",
            "returned": returned,
            "batch": 2,
            "result": result,
            "files": [],
            "id": name,
            "call_event": 0,
            "result_event": answer,
        }
        for name, outcome, returned, result, answer in (
            ("c", "running", None, None, None),
            ("d", "failed", 1, "out of d", 1),
        )
    ]
    assert lines(made) == [
        "#0  [bash] c · running · one of 2 at once",
        "#0  [bash] d · failed · back as number 1 of 2",
        "  | out of d",
    ]


def test_calls_within_a_call_are_indented() -> None:
    made = Handmade()
    made.call("c", tool="code")
    made.opens(SpanKind.CODE_DISPATCH, "x", Call("x", "read", {"path": "a"}, "c"))
    made.closes(SpanKind.CODE_DISPATCH, "x", Result("x", "text", False))
    assert lines(made) == [
        "#0  [code] c · running",
        "  #1  [read] a · ok",
        "    | text",
    ]


def test_reasoning_is_folded_and_files_are_named() -> None:
    made = Handmade()
    files = File("a.png", "image/png", 2_000), File("", "", None)
    made.row(Role.ASSISTANT, Kind.MESSAGE, Thought("so\nor so"), Said("yes"), *files)
    assert lines(made) == [
        "#0  assistant",
        "  (thinking) so⏎or so",
        "  yes",
        "  [a.png, image/png, 2.0 kB]",
        "  [a file]",
    ]
    (entry,) = document(made)
    assert entry["reasoning"] == "so\nor so"
    assert entry["files"][1] == {"name": None, "media": None, "bytes": None}


def test_a_compaction_is_a_line_across_and_hides_nothing() -> None:
    made = Handmade()
    made.human("one")
    made.human("two")
    made.compacts(keep=1)
    found = document(made)
    assert [entry["text"] for entry in found] == ["one", "two", "a summary"]
    assert [entry["visibility"] for entry in found] == ["shadowed", "visible", "visible"]
    assert found[2]["divider"] == {
        "what": "compaction",
        "rows": {"before": 2, "after": 2},
        "tokens": {"before": 20, "after": 15},
    }
    assert lines(made)[4] == (
        "#2  ──── compacted: 2 rows -> 2, 20 -> 15 tokens, for the model only ────"
    )


def test_what_was_taken_back_says_so() -> None:
    made = Handmade()
    made.human("one")
    made.human("two")
    made.rewinds(1)
    assert [(entry["seen"], entry["gone_by"]) for entry in document(made)] == [
        (True, None),
        (False, 2),
    ]
    assert lines(made)[2] == "#1  human  (rewound by #2)"


def test_long_texts_are_cut_for_people_and_whole_for_scripts() -> None:
    made = Handmade()
    said = "\n".join(map(str, range(40)))
    made.human(said)
    made.human("x " * 100_000)
    assert document(made)[0]["text"] == said
    told = lines(made)
    assert told[12:14] == ["  11", "  … and 28 lines more"]
    assert told[-1] == "  … and more: 200,000 characters in all"


def test_nothing_of_a_tape_reaches_a_terminal_as_it_is() -> None:
    made = Handmade()
    evil = "\x1b[2J\u202eevil\x07"
    made.row(Role.USER, Kind.MESSAGE, Said(evil), File(evil, evil, 1))
    made.row(Role.ASSISTANT, Kind.TOOL_CALL, Thought(evil), Call(evil, evil, {evil: evil}))
    made.call(evil, tool=evil)
    made.result(evil)
    for line in lines(made):
        assert line.isprintable()
        assert "\u202e" not in line


def test_a_workflow_tells_how_it_ended() -> None:
    with opened("activities.jsonl") as tape:
        found = transcript.document(tape, tape.timeline.events)
        told = list(transcript.text(tape, found))
        at = next(number for number, line in enumerate(told) if "workflow:" in line)
        assert told[at].endswith("workflow: failed (error)")
        assert told[at + 2].endswith("agent: ok (completed)")
        (run,) = [entry for entry in found["entries"] if entry["kind"] == "workflow"]
        assert run["outcome"] == {"outcome": "failed", "word": "error", "evidence": "recorded"}
