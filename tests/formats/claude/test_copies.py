"""What another session wrote, at the start of a file: resumed by old builds, forked, copied."""

from pathlib import Path

import pytest

from inspector.formats.claude.reading import ClaudeTape
from tests.formats.claude.transcripts import Record, answer, codes, held, user, written

OLD = "aaaaaaaa-0000-4000-8000-000000000001"
NEW = "bbbbbbbb-0000-4000-8000-000000000002"


def used(sent: int) -> dict[str, int]:
    return {"input_tokens": sent, "output_tokens": 1}


def original() -> list[Record]:
    return [
        user("u1", None, sessionId=OLD),
        answer("a1", "u1", of="m1", usage=used(100), sessionId=OLD),
    ]


def resumed(**copied: str) -> list[Record]:
    """A summary, the old prefix with an answer that bears the new session, and what is new."""
    return [
        {"type": "summary", "summary": "As it was called", "leafUuid": "a1"},
        user("u1", None, sessionId=OLD),
        answer(copied.get("uuid", "a1"), "u1", of="m1", usage=used(100), sessionId=NEW),
        user("u2", copied.get("uuid", "a1"), sessionId=NEW),
        answer("a2", "u2", of="m2", usage=used(30), sessionId=NEW),
    ]


def told(tape: ClaudeTape) -> tuple[int, list[tuple[str, str, int | None]]]:
    kin = [(one.relation, one.tape, one.boundary) for one in tape.timeline.kin]
    return tape.identity.inherited, kin


def opened(folder: Path, records: list[Record], name: str = NEW) -> ClaudeTape:
    path = folder / f"{name}.jsonl"
    path.write_bytes(written(records))
    return held(path)


@pytest.mark.parametrize("uuid", ["a1", "b1"])
def test_a_copied_answer_is_known_by_the_file_beside(tmp_path: Path, uuid: str) -> None:
    (tmp_path / f"{OLD}.jsonl").write_bytes(written(original()))
    tape = opened(tmp_path, resumed(uuid=uuid))
    assert told(tape) == (3, [("resume", OLD, 3)])
    usage = tape.timeline.usage
    assert (usage.total(5).input, usage.total(3).input) == (130, 100)


def test_without_that_file_the_answer_is_told_as_its_own(tmp_path: Path) -> None:
    assert told(opened(tmp_path, resumed())) == (2, [("resume", OLD, 2)])


def test_under_another_name_the_summary_tells_of_an_old_style_resume(tmp_path: Path) -> None:
    tape = opened(tmp_path, resumed(), "renamed")
    assert told(tape) == (2, [("resume", OLD, 2)])
    assert tape.identity.id == NEW
    assert "several-sessions" not in codes(tape)


def test_a_session_that_goes_on_under_another_id_is_no_copy(tmp_path: Path) -> None:
    tape = opened(tmp_path, resumed()[1:], "renamed")
    assert told(tape) == (0, [])
    (found,) = [one for one in tape.findings() if one.kind.code == "several-sessions"]
    assert (found.event, found.message) == (1, f"session {NEW} goes on here")


def test_a_summary_above_one_session_makes_no_copy(tmp_path: Path) -> None:
    records = [{"type": "summary", "summary": "x", "leafUuid": "z"}, *original()]
    assert told(opened(tmp_path, records, "renamed")) == (0, [])


def test_a_name_that_leads_elsewhere_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "secret.jsonl").write_bytes(written(original()))
    folder = tmp_path / "project"
    folder.mkdir()
    records = resumed()
    records[1]["sessionId"] = "../secret"
    assert told(opened(folder, records)) == (2, [("resume", "../secret", 2)])


def test_a_fork_needs_no_file_beside(tmp_path: Path) -> None:
    fork = {"sessionId": OLD, "messageUuid": "x"}
    records = [
        user("c1", None, sessionId=NEW, forkedFrom=fork),
        answer("c2", "c1", of="m1", usage=used(100), sessionId=NEW, forkedFrom=fork),
        user("u2", "c2", sessionId=NEW),
    ]
    tape = opened(tmp_path, records)
    assert told(tape) == (2, [("fork", OLD, 2)])
    assert tape.timeline.usage.total(2).input == tape.timeline.usage.total(3).input == 100


def test_a_fork_in_which_nobody_said_anything_yet_is_all_inherited(tmp_path: Path) -> None:
    copied = [
        {**one, "sessionId": NEW, "forkedFrom": {"sessionId": OLD, "messageUuid": one["uuid"]}}
        for one in original()
    ]
    title = {"type": "custom-title", "customTitle": "Name (fork)", "sessionId": NEW}
    assert opened(tmp_path, [*copied, title]).identity.inherited == 2
    own = user("u9", "a1", sessionId=NEW)
    assert opened(tmp_path, [*copied, title, own]).identity.inherited == 3
    # A session of its own has no copies.
    assert opened(tmp_path, original(), OLD).identity.inherited == 0
