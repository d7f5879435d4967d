"""What is sent: the surface, balanced."""

from pathlib import Path

from inspector.formats.contract import RequestEntry
from inspector.formats.reina.request import NOT_RUN
from tests.formats.reina.sessions import (
    answer,
    call,
    compacted,
    log,
    message,
    result,
    session,
    user,
)

Told = tuple[str | None, str | None, str | None]


def told(entries: list[RequestEntry]) -> list[Told]:
    return [(entry.note, entry.role, entry.text) for entry in entries]


def test_a_whole_history_is_sent_as_it_stands(tmp_path: Path) -> None:
    tape = session(log(user(), call("c1", arguments='{"a":1}'), result("c1"), answer()), tmp_path)
    assert told(tape.request(4)) == [
        (None, "user", "hi"),
        (None, "assistant", 'bash {"a":1}'),
        (None, "tool", "fine"),
        (None, "assistant", "done"),
    ]
    assert tape.request(4)[2].call_id == "c1"


def test_a_call_without_a_result_gets_one_directly_behind_its_message(tmp_path: Path) -> None:
    tape = session(log(user(), call("a", "b"), result("b"), user("go on")), tmp_path)
    entries = tape.request(4)
    assert told(entries)[2:4] == [("added", "tool", NOT_RUN), (None, "tool", "fine")]
    assert entries[2].call_id == "a"
    assert "page 3.4" in entries[2].why
    assert entries[2].node is None


def test_a_result_without_a_call_is_left_out(tmp_path: Path) -> None:
    tape = session(log(user(), result("lost"), answer()), tmp_path)
    assert [entry.note for entry in tape.request(3)] == [None, "dropped", None]
    assert "page 3.4" in tape.request(3)[1].why


def test_a_call_that_a_summary_hides_leaves_its_result_alone(tmp_path: Path) -> None:
    tape = session(log(user(), call("c1"), result("c1"), compacted(0, 1)), tmp_path)
    assert [(entry.note, entry.role) for entry in tape.request(4)] == [
        (None, "assistant"),
        ("dropped", "tool"),
    ]


def test_a_result_that_a_summary_hides_leaves_its_call_alone(tmp_path: Path) -> None:
    tape = session(log(user(), call("c1"), result("c1"), compacted(2, 2)), tmp_path)
    assert [(entry.note, entry.role) for entry in tape.request(4)] == [
        (None, "user"),
        (None, "assistant"),
        ("added", "tool"),
        (None, "assistant"),
    ]


def test_an_id_that_is_used_again_is_another_call(tmp_path: Path) -> None:
    tape = session(log(call("c1"), result("c1"), call("c1"), user("so?")), tmp_path)
    assert [(entry.note, entry.role) for entry in tape.request(4)] == [
        (None, "assistant"),
        (None, "tool"),
        (None, "assistant"),
        ("added", "tool"),
        (None, "user"),
    ]


def test_of_several_results_the_first_is_sent(tmp_path: Path) -> None:
    tape = session(log(call("c1"), result("c1", "one"), result("c1", "two")), tmp_path)
    assert [entry.note for entry in tape.request(3)] == [None, None, "dropped"]
    assert "guess" in tape.request(3)[2].why


def test_a_result_behind_other_messages_goes_behind_its_call(tmp_path: Path) -> None:
    tape = session(log(call("a", "b"), result("a"), user("go on"), result("b", "late")), tmp_path)
    assert told(tape.request(4)) == [
        (None, "assistant", "bash {}\nbash {}"),
        ("altered", "tool", "late"),
        (None, "tool", "fine"),
        (None, "user", "go on"),
    ]
    assert "guess" in tape.request(4)[1].why


def test_a_call_without_an_id_gets_what_is_a_guess(tmp_path: Path) -> None:
    tape = session(log(call(None)), tmp_path)
    assert [entry.note for entry in tape.request(1)] == [None, "added"]
    assert "no id" in tape.request(1)[1].why


def test_arguments_that_are_no_json_are_mended_on_the_way(tmp_path: Path) -> None:
    tape = session(log(call("c1", arguments='{"a', content="look"), result("c1")), tmp_path)
    entry = tape.request(2)[0]
    assert (entry.note, entry.text) == ("altered", "look\nbash {}")
    assert tape.sections(0)[1].text == '{"a'


def test_a_call_without_arguments_is_whole(tmp_path: Path) -> None:
    tape = session(log(call("c1", arguments=""), result("c1")), tmp_path)
    assert [entry.note for entry in tape.request(2)] == [None, None]


def test_content_in_parts_is_told_by_its_texts(tmp_path: Path) -> None:
    parts = [{"type": "text", "text": "see"}, {"type": "image_url", "image_url": {"url": "x"}}, 7]
    tape = session(log(message("user", parts)), tmp_path)
    assert tape.request(1)[0].text is not None
    assert tape.request(1)[0].text.startswith("see\n[image_url]")


def test_what_stands_beside_the_history_is_told(tmp_path: Path) -> None:
    (told_beside,) = session(log(user()), tmp_path).on_resume(1)
    assert "system prompt" in told_beside
