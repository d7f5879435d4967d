"""A fork as a new log: its header, the copies, and the history that it is given."""

from pathlib import Path
from typing import Any

import pytest

from inspector.formats.codex.planning import writing
from inspector.formats.codex.reading import CodexTape
from inspector.formats.planning import How, View
from inspector.timeline.words import Role
from tests.formats.codex import tapes
from tests.formats.codex.planned import (
    OPTIONS,
    PLAIN,
    broken,
    content,
    fork,
    legal,
    records,
    texts_of,
)
from tests.plans.laws import MAKING, accounts_for_all, carried_out, opened
from tests.untouched import untouched

NOW = "2026-09-21T14:13:20.000Z"
SUMMARY = tapes.PREFIX + "S"


def test_a_fork_has_a_header_of_its_own_and_then_the_parents_records(tmp_path: Path) -> None:
    header = tapes.meta(session_id=tapes.THREAD, context_window={"window_id": "w"}, source="cli")
    tape = tapes.folded(tmp_path, *PLAIN, header=header)
    with untouched(tmp_path):
        plan = fork(tape, 8)
        made = records(plan)
    own = {
        "id": MAKING.id,
        "session_id": MAKING.id,
        "forked_from_id": tapes.THREAD,
        "timestamp": NOW,
        "cwd": "/w",
        "source": "cli",
    }
    assert made[0] == {"timestamp": NOW, "type": "session_meta", "payload": own}
    assert made[1:] == [{"timestamp": NOW, **record} for record in (header, *PLAIN[:8])]
    assert (plan.kept, dict(plan.left), plan.is_sound) == (8, {"behind the cut": 4}, True)
    assert texts_of(plan, tmp_path / "made") == ["q1", "a1", "q2", "a2"]


def test_a_fork_names_its_origin(tmp_path: Path) -> None:
    plan = fork(tapes.folded(tmp_path, *PLAIN), 4)
    assert ("provenance", f"the new log names thread {tapes.THREAD} its origin") in [
        (check.rule, check.message) for check in plan.checks
    ]
    with opened(carried_out(plan, tmp_path / "made")[-1], OPTIONS) as made:
        assert (made.identity.id, made.identity.parent) == (MAKING.id, tapes.THREAD)
        assert [(kin.relation, kin.tape) for kin in made.timeline.kin] == [("fork", tapes.THREAD)]


def test_a_fork_is_a_thread_of_its_own(tmp_path: Path) -> None:
    plan = fork(tapes.folded(tmp_path, *PLAIN, header=tapes.meta(id=MAKING.id)), 4)
    assert (plan.is_sound, broken(plan)) == (False, ["provenance"])


def test_a_fork_beside_its_parent_is_known_to_be_its_copy(tmp_path: Path) -> None:
    parent = tmp_path / f"rollout-2026-03-01T09-00-00-{tapes.THREAD}.jsonl"
    tape = tapes.fold_on(tapes.over(parent, tapes.text([tapes.meta(), *PLAIN])))
    write, _ = fork(tape, 8).writes[0]
    assert write.to.parent == tmp_path
    write.to.write_bytes(b"".join(write.content()))
    with opened(write.to, OPTIONS) as made:
        # The parent's header is a record of the fork.
        assert made.timeline.lives.inherited == 9
        assert list(made.findings()) == []


def test_a_fork_of_a_subagent_is_a_persons(tmp_path: Path) -> None:
    spawn = {"subagent": {"thread_spawn": {"parent_thread_id": "p", "depth": 1}}}
    tape = tapes.folded(tmp_path, *PLAIN, header=tapes.meta(source=spawn, parent_thread_id="p"))
    payload = records(fork(tape, 4))[0]["payload"]
    assert (payload["source"], "parent_thread_id" in payload) == ("cli", False)


@pytest.mark.parametrize(
    ("line", "copied"),
    [
        (
            b'{"timestamp":"x","type":"event_msg","payload":{"type":"error","n":1.50}}',
            b'{"timestamp":"%s","type":"event_msg","payload":{"type":"error","n":1.50}}',
        ),
        (
            b' { "timestamp" : "x","type":"event_msg","payload":{"type":"error","n":[ 1 ]}} \r',
            b'{"timestamp":"%s","type":"event_msg","payload":{"type":"error","n":[ 1 ]}}',
        ),
        (
            b'{"type":"event_msg","payload":{"n":36893488147419103232},"timestamp":"x"}',
            b'{"type":"event_msg","payload":{"n":36893488147419103232},"timestamp":"%s"}',
        ),
        (
            b'{"timestamp":"\\u0041","type":"event_msg","payload":{"type":"error","n":"\xc3\xa9"}}',
            b'{"timestamp":"%s","type":"event_msg","payload":{"type":"error","n":"\xc3\xa9"}}',
        ),
    ],
)
def test_a_copy_says_what_the_record_says_but_for_the_time(
    tmp_path: Path, line: bytes, copied: bytes
) -> None:
    data = tapes.text([tapes.meta()]) + line + b"\n"
    tape = tapes.fold_on(tapes.over(tmp_path / "rollout.jsonl", data))
    lines = content(fork(tape, 1)).split(b"\n")
    assert lines[2:-1] == [copied.replace(b"%s", NOW.encode())]


def test_what_the_owner_cannot_read_is_left_behind(tmp_path: Path) -> None:
    lines = tapes.lines([tapes.meta(), *PLAIN])
    glued = lines[6] + lines[7]
    bad = [b'{"timestamp":"20', b"", b'{"type":"event_msg","payload":{}}']
    data = b"\n".join([*lines[:3], *bad, *lines[3:6], glued, *lines[8:], b""])
    tape = tapes.fold_on(tapes.over(tmp_path / "rollout.jsonl", data))
    plan = fork(tape, tape.timeline.events)
    assert (plan.kept, dict(plan.left)) == (10, {"in lines that Codex cannot read": 3})
    assert len(content(plan).splitlines()) == 12
    assert texts_of(plan, tmp_path / "made") == tapes.texts(tape) == ["q1", "a1", "q3", "a3"]


def test_bytes_that_are_no_text_are_replaced_in_a_fork(tmp_path: Path) -> None:
    data = tapes.text([tapes.meta(), *PLAIN]).replace(b"q2", b"q\xff")
    tape = tapes.fold_on(tapes.over(tmp_path / "rollout.jsonl", data))
    plan = fork(tape, 12)
    assert (plan.kept, dict(plan.left)) == (12, {})
    assert texts_of(plan, tmp_path / "made") == ["q1", "a1", "q\ufffd", "a2", "q3", "a3"]
    with opened(carried_out(plan, tmp_path / "made")[-1], OPTIONS) as made:
        assert made.verdict().opens is True


# Where a new log may begin.


def test_a_fork_may_be_cut_where_no_turn_is_open(tmp_path: Path) -> None:
    compact = tapes.turn("c", tapes.compacted(tapes.message("user", SUMMARY)))
    tape = tapes.folded(tmp_path, *PLAIN[:4], *compact, tapes.started("t2"), tapes.user("q2"))
    assert legal(tape, How.CREATE) == [0, 4, 7]
    assert broken(fork(tape, 9)) == ["open-turn"]
    again = tapes.folded(tmp_path, *PLAIN[:3], *PLAIN[4:8])
    assert legal(again, How.CREATE) == [0, 7]


def test_a_fork_of_a_log_without_turns_may_be_cut_anywhere_but_within_a_call(
    tmp_path: Path,
) -> None:
    said = [tapes.user("q1"), tapes.call("c1"), tapes.call("c2"), tapes.output("c1")]
    tape = tapes.folded(tmp_path, *said, tapes.answer("a1"))
    assert legal(tape, How.CREATE) == [0, 1, 4, 5]
    assert broken(fork(tape, 3)) == ["unanswered-calls", "pairing"]


# The three histories.


def compacted_later() -> list[tapes.Record]:
    """Two turns, the second without an answer; then what was said is summed up, but for that."""
    history = [tapes.message("user", SUMMARY), tapes.message("user", "q2")]
    return [
        *PLAIN[:4],
        *tapes.turn("t2", tapes.user("q2")),
        *tapes.turn("c", tapes.compacted(*history, message="S")),
        *PLAIN[8:],
    ]


def test_a_summary_that_came_later_is_given_by_a_turn_of_its_own(tmp_path: Path) -> None:
    tape = tapes.folded(tmp_path, *compacted_later(), tapes.rolled_back(1))
    plan = fork(tape, 7)
    assert plan.view is not None
    # The compaction of event 8 is said again.
    assert (plan.view.choice, plan.kept, plan.left_behind) == (View.COMPACTED, 8, 7)
    assert plan.remarks[1] == ("it has what 1 compaction says behind the cut, the first #8")
    accounts_for_all(tape, plan)
    assert texts_of(plan, tmp_path / "made") == [SUMMARY, "q2"]
    kinds = [record["payload"].get("type", record["type"]) for record in records(plan)[9:]]
    assert kinds == ["task_started", "compacted", "context_compacted", "task_complete"]
    stored = records(plan)[10]["payload"]
    assert stored["message"] == SUMMARY
    assert texts_of(fork(tape, 7, View.AS_OF), tmp_path / "as-of") == ["q1", "a1", "q2"]


def test_a_summary_for_the_provider_alone_is_given_too(tmp_path: Path) -> None:
    sealed = {"type": "compaction", "encrypted_content": "abc"}
    history = [sealed, tapes.message("user", "q2")]
    compact = tapes.turn("c", tapes.compacted(*history))
    said = [*PLAIN[:4], *tapes.turn("t2", tapes.user("q2")), *compact, *PLAIN[8:]]
    plan = fork(tapes.folded(tmp_path, *said, tapes.rolled_back(1)), 7, View.COMPACTED)
    stored = records(plan)[10]["payload"]
    assert stored == {"message": "", "replacement_history": history}


def test_a_history_that_is_given_so_stands_behind_a_rollback_and_can_be_rolled_back(
    tmp_path: Path,
) -> None:
    tape = tapes.folded(tmp_path, *PLAIN[:4], tapes.rolled_back(0), *compacted_later()[4:])
    path = carried_out(fork(tape, 8), tmp_path / "made")[-1]
    more = tapes.text(tapes.turn("t9", tapes.user("q9")))
    path.write_bytes(path.read_bytes() + more + tapes.text([tapes.rolled_back(1)]))
    with opened(path, OPTIONS) as made:
        assert isinstance(made, CodexTape)
        assert tapes.texts(made) == [SUMMARY, "q2"]


def test_the_originals_are_given_by_leaving_compactions_out(tmp_path: Path) -> None:
    tape = tapes.folded(tmp_path, *compacted_later())
    plan = fork(tape, 10, View.ORIGINALS)
    assert dict(plan.left) == {"compactions, left out": 1, "behind the cut": 4}
    assert texts_of(plan, tmp_path / "made") == ["q1", "a1", "q2"]
    assert len(records(plan)) == 2 + 9


def test_originals_that_rollbacks_would_count_otherwise_are_said_anew(tmp_path: Path) -> None:
    # The rollback takes the first summary for a message of the person.
    first, second = (tapes.message("user", text) for text in ("S1", "S2"))
    tape = tapes.folded(
        tmp_path,
        *PLAIN[:8],
        *tapes.turn("c1", tapes.compacted(first)),
        *tapes.turn("t3", tapes.heard("q3")),
        tapes.rolled_back(1),
        *tapes.turn("t4", tapes.user("q4")),
        *tapes.turn("c2", tapes.compacted(second)),
    )
    assert tapes.texts(tape) == ["S2"]
    plan = fork(tape, tape.timeline.events, View.ORIGINALS)
    assert texts_of(plan, tmp_path / "made") == ["q4"]
    assert dict(plan.left) == {"compactions, left out": 2}
    with opened(carried_out(plan, tmp_path / "made")[-1], OPTIONS) as made:
        nodes = made.timeline.surface.nodes
        # No item is taken for the summary where the compaction tells another one.
        roles = [nodes.role(row.node) for row in made.timeline.rows(made.timeline.events)]
        assert roles == [Role.USER]
    assert plan.remarks[0] == (
        "behind the copies a compaction in a turn of its own says what the history is"
    )


def test_where_nothing_is_summed_up_the_views_are_one(tmp_path: Path) -> None:
    tape = tapes.folded(tmp_path, *PLAIN)
    assert {content(fork(tape, 8, view)) for view in View} == {content(fork(tape, 8))}


# Large logs.


def test_a_fork_is_made_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "_BATCH", 200)
    tape = tapes.folded(tmp_path, *PLAIN)
    write, size = fork(tape, 12).writes[0]
    pieces = list(write.content())
    assert len(pieces) > 3
    assert max(map(len, pieces)) < 1_000
    assert size == sum(map(len, pieces))
    assert list(write.content()) == pieces


def test_a_log_that_is_shorter_than_it_was_is_told(tmp_path: Path) -> None:
    from inspector.tape.source import SourceError

    tape = tapes.folded(tmp_path, *PLAIN)
    write, _ = fork(tape, 12).writes[0]
    (tmp_path / "rollout.jsonl").write_bytes(tapes.text([tapes.meta(), *PLAIN[:2]])[:-5])
    with pytest.raises(SourceError, match="it was longer when it was read"):
        list(write.content())


def test_a_text_that_no_file_can_hold_is_replaced() -> None:
    value: dict[str, Any] = {"a": "\ud83d\ude00 \ud800"}
    assert writing.encoded(value) == '{"a":"😀 \ufffd"}'.encode()


def test_no_cut_parts_a_call_from_its_output_wherever_they_stand(tmp_path: Path) -> None:
    early = [tapes.user("q"), tapes.output("c"), tapes.user("x"), tapes.call("c"), tapes.user("y")]
    tape = tapes.folded(tmp_path, *early)
    assert legal(tape, How.CREATE) == [0, 1, 4, 5]
    plan = fork(tape, 3)
    assert "unanswered-calls" in broken(plan)
    assert not plan.is_sound
    assert (plan.cut and (plan.cut.before, plan.cut.after)) == (1, 4)
    assert broken(fork(tape, 4)) == []


def test_no_cut_parts_a_call_from_an_output_behind_the_end_of_its_turn(tmp_path: Path) -> None:
    late = [*tapes.turn("t1", tapes.user("q"), tapes.call("c")), tapes.user("x"), tapes.output("c")]
    assert legal(tapes.folded(tmp_path, *late), How.CREATE) == [0, 6]


def test_a_second_output_is_no_obstacle(tmp_path: Path) -> None:
    twice = [tapes.call("c"), tapes.output("c"), tapes.user("x"), tapes.output("c", "again")]
    assert legal(tapes.folded(tmp_path, *twice), How.CREATE) == [0, 2, 3, 4]


def test_an_output_of_another_kind_is_not_that_of_a_call(tmp_path: Path) -> None:
    other = tapes.item("custom_tool_call_output", call_id="c", output="x")
    mixed = [*tapes.turn("t", tapes.call("c")), other, tapes.output("c")]
    assert legal(tapes.folded(tmp_path, *mixed), How.CREATE) == [0, 5]
