"""What would be sent: results belong to the calls that they name, wherever they stand."""

from pathlib import Path

from inspector.formats.claude.reading import ClaudeTape
from tests.formats.claude.transcripts import answer, attachment, call, codes, folded, result, user


def sent(tape: ClaudeTape) -> list[tuple[str | None, str | None, str]]:
    """Call, note and why of every entry that has a call."""
    return [
        (entry.call_id, entry.note, entry.why)
        for entry in tape.request(tape.timeline.events)
        if entry.type.startswith("tool")
    ]


def test_a_reminder_between_results_parts_no_result_from_its_call(tmp_path: Path) -> None:
    records = [
        user("u1", None),
        answer("a1", "u1", call("c1"), of="m"),
        answer("a2", "a1", call("c2"), of="m"),
        result("r1", "a1", "c1"),
        attachment("h1", "r1", "hook_additional_context", content="done"),
        result("r2", "a2", "c2"),
    ]
    assert [note for _, note, _ in sent(folded(tmp_path, records))] == [None] * 4


def test_a_call_that_nobody_answers_is_answered(tmp_path: Path) -> None:
    records = [user("u1", None), answer("a1", "u1", call("c1")), user("u2", "a1")]
    assert [entry[:2] for entry in sent(folded(tmp_path, records))] == [
        ("c1", None),
        ("c1", "added"),
    ]


def test_a_second_result_in_one_record_is_left_out(tmp_path: Path) -> None:
    records = [user("u1", None), answer("a1", "u1", call("c1")), result("r1", "a1", "c1", "c1")]
    assert sent(folded(tmp_path, records))[1] == ("c1", "altered", "call c1 has its result already")


def test_only_the_call_that_nobody_made_is_named(tmp_path: Path) -> None:
    records = [user("u1", None), answer("a1", "u1", call("c1")), result("r1", "a1", "c1", "cx")]
    tape = folded(tmp_path, records)
    orphans = [one.message for one in tape.findings() if one.kind.code == "orphan-result"]
    assert orphans == ["no record makes the call cx"]
    assert sent(tape)[1][1:] == ("altered", "no call cx before it waits for this result")


def test_a_result_without_any_call_is_left_out(tmp_path: Path) -> None:
    tape = folded(tmp_path, [user("u1", None), result("r1", "u1", "cx")])
    assert sent(tape) == [("cx", "dropped", "no call cx before it waits for this result")]
    assert "orphan-result" in codes(tape)
