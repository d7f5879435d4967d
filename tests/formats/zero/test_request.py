"""What the owner would send as history: one prompt, or messages (page 5 and 10)."""

from pathlib import Path
from typing import Any

from tests.formats.zero.sessions import (
    answer,
    call,
    compaction,
    log,
    result,
    session,
    user,
)


def prompt(tape: Any, cursor: int | None = None) -> list[str]:
    at = tape.timeline.events if cursor is None else cursor
    return [entry.text for entry in tape.request(at) if entry.note != "dropped"]


HEAD = "Continuing Zero session s.\nPrevious session context:"


def test_exec_tells_the_session_in_one_prompt(tmp_path: Path) -> None:
    values = [user("hello"), call(), result(), answer("done"), ("error", {"message": "lost"})]
    tape = session(log(*values, compaction("s:1")), tmp_path)
    assert prompt(tape) == [
        HEAD,
        "- #6 session_compaction: short",
        "- #4 message: done assistant",
        "- #5 error: lost",
    ]
    dropped = [entry.type for entry in tape.request(6) if entry.note == "dropped"]
    assert dropped == ["tool_call", "tool_result"]


def test_it_tells_what_was_there_at_the_cursor(tmp_path: Path) -> None:
    tape = session(log(user("hello"), answer("done"), compaction("s:1")), tmp_path)
    assert prompt(tape, 2) == [HEAD, "- #1 message: hello user", "- #2 message: done assistant"]
    assert prompt(tape, 0) == []


def test_it_tells_the_last_eighty_and_500_bytes_of_each(tmp_path: Path) -> None:
    tape = session(log(*[user("é" * 400)] * 90), tmp_path)
    found = prompt(tape)
    assert len(found) == 81
    assert found[1] == "- #11 message: " + "é" * 250


def test_it_tells_every_event_where_there_is_none_of_the_types(tmp_path: Path) -> None:
    assert prompt(session(log(call(name="bash")), tmp_path))[1].startswith("- #1 tool_call: ")


def test_a_fork_says_so(tmp_path: Path) -> None:
    tape = session(log(user(), ("session_fork", {"parentSessionId": "p"})), tmp_path)
    assert prompt(tape)[0].startswith("Forked from Zero session s.")


def test_the_screen_sends_messages_and_the_summary_as_one_of_the_user(tmp_path: Path) -> None:
    tape = session(log(user("hello"), answer("done"), compaction("s:1")), tmp_path, "tui")
    first, second = tape.request(3)
    assert (first.note, first.role, first.text) == (
        "altered",
        "user",
        "[Summary of earlier conversation]\nshort",
    )
    assert (second.note, second.type, second.role) == (None, "message", "assistant")


def test_what_the_owner_does_not_read_is_not_sent(tmp_path: Path) -> None:
    bad = b'{"id":"s:2","sequence":"2","type":"message","payload":{"role":"user"}}\n'
    tape = session(log(user("hello")) + bad, tmp_path)
    assert prompt(tape) == [HEAD, "- #1 message: hello user"]
