from pathlib import Path
from typing import Any

from inspector.export import documents, text
from inspector.formats.contract import Tape
from tests.dsh_tapes import HEADER, Log, folded


def fork() -> Log:
    """A fork that was resumed.

    0 1 inherited · 2 new life · 3 asked · 4 inbox · 5 compaction · 6 failed · 7 new life · 8 asked
    """
    log = Log(HEADER | {"parentSession": "p", "seedLength": 2})
    log.user()
    log.user()
    log.event("session/end-seed", {})
    log.event("approval/asked", {"id": "ap-1", "toolName": "bash"})
    inserted = [{"content": [{"type": "text", "text": "hi"}], "source": {"kind": "user"}}]
    log.event("agent/inbox/spliced", {"target": "next-turn", "start": 0, "inserted": inserted})
    log.compaction()
    log.compaction_end(error="too big")
    log.event("session/end-seed", {})
    log.event("approval/asked", {"id": "ap-2", "toolName": "bash"})
    return log


def shown(tape: Tape, cursor: int = 9) -> dict[str, Any]:
    return documents.show(tape, cursor)


def test_a_document_tells_of_lives(tmp_path: Path) -> None:
    tape = folded(fork(), tmp_path)
    assert shown(tape)["lives"] == {"inherited": 2, "began": [3, 8]}
    assert shown(tape, 1)["lives"] == {"inherited": 1, "began": []}
    lives = [documents.event(tape, event, 9)["life"] for event in range(9)]
    assert lives == ["inherited"] * 2 + ["earlier"] * 5 + ["this"] * 2


def test_open_spans_say_what_they_wait_for(tmp_path: Path) -> None:
    (span,) = shown(folded(fork(), tmp_path))["open"]
    assert span == {
        "kind": "approval",
        "id": "ap-2",
        "outcome": "awaiting approval",
        "word": None,
        "since": 9,
    }


def test_ended_spans_are_counted_and_the_last_compaction_is_told(tmp_path: Path) -> None:
    spans = shown(folded(fork(), tmp_path))["spans"]
    assert spans["ended"] == {"compaction": {"failed": 1}, "approval": {"interrupted": 1}}
    assert spans["last_overflow_recovery"] is None
    last = spans["last_compaction"]
    assert (last["word"], last["since"], last["until"]) == ("failed: too big", 6, 7)


def test_an_event_names_the_span_that_it_opens_or_ends(tmp_path: Path) -> None:
    tape = folded(fork(), tmp_path)
    spans = [documents.event(tape, event, 9)["span"] for event in range(9)]
    assert [span and (span["kind"], span["word"]) for span in spans] == [
        None,
        None,
        None,
        ("approval", "left open by an earlier life"),
        None,
        ("compaction", "failed: too big"),
        ("compaction", "failed: too big"),
        ("approval", "left open by an earlier life"),
        ("approval", None),
    ]
    assert documents.event(tape, 3, 4)["span"]["outcome"] == "awaiting approval"


def test_a_list_is_a_list_in_a_document(tmp_path: Path) -> None:
    assert shown(folded(fork(), tmp_path))["state"]["inbox next turn"]["value"] == ["hi"]


def test_the_text_says_the_same(tmp_path: Path) -> None:
    lines = list(text.show(shown(folded(fork(), tmp_path))))
    assert lines[lines.index("state:") :] == [
        "state:",
        "  inbox next turn (since 5)",
        "    hi",
        "  delegation depth: 0 (since 0)",
        "  open: approval ap-2, awaiting approval since 9",
        "  last compaction cmp: failed: too big (6 to 7)",
        "  inherited: the first 2 events, from p",
        "  2 new lives began at 3, 8",
    ]
