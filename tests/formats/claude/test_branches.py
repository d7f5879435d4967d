"""Where the writer stood: batches, rewinds, compactions, broken chains, records that come again."""

from pathlib import Path

import pytest

from inspector.timeline.words import Mark, Visibility
from tests.formats.claude.transcripts import (
    Record,
    answer,
    attachment,
    boundary,
    call,
    codes,
    folded,
    held,
    ids,
    line,
    notice,
    record,
    result,
    seen,
    summary,
    text,
    user,
    written,
)


def batch() -> list[Record]:
    """Three calls of one message; each result hangs on its own call."""
    return [
        user("u1", None),
        answer("a1", "u1", text("three at once"), of="m"),
        answer("a2", "a1", call("c1"), of="m"),
        answer("a3", "a2", call("c2"), of="m"),
        answer("a4", "a3", call("c3"), of="m"),
        result("r2", "a3", "c2"),
        result("r3", "a4", "c3"),
        result("r1", "a2", "c1"),
        answer("a5", "r1", text("done")),
    ]


def test_a_batch_only_grows(tmp_path: Path) -> None:
    tape = folded(tmp_path, batch())
    order = ["u1", "a1", "a2", "a3", "a4", "r2", "r3", "r1", "a5"]
    assert [ids(tape, cursor) for cursor in range(10)] == [order[:at] for at in range(10)]
    assert "rewound" not in codes(tape)


def test_the_python_reader_loses_what_hangs_beside_its_path(tmp_path: Path) -> None:
    assert line(folded(tmp_path, batch(), "sdk-py")) == "u1 a1 a2 r1 a5"


def test_a_record_below_an_older_one_is_a_rewind(tmp_path: Path) -> None:
    records = [
        user("u1", None),
        answer("a1", "u1"),
        user("u2", "a1"),
        answer("a2", "u2"),
        user("u3", "a1"),
    ]
    tape = folded(tmp_path, records)
    assert line(tape, 4) == "u1 a1 u2 a2"
    assert line(tape) == "u1 a1 u3"
    assert seen(tape) == ["visible", "visible", "rewound", "rewound", "visible"]
    assert codes(tape) == ["rewound"]


def test_the_first_prompt_written_anew_is_a_rewind(tmp_path: Path) -> None:
    tape = folded(tmp_path, [user("u1", None), answer("a1", "u1"), user("u2", None)])
    assert seen(tape) == ["rewound", "rewound", "visible"]


def test_a_missing_parent_breaks_the_chain(tmp_path: Path) -> None:
    tape = folded(tmp_path, [user("u1", None), answer("a1", "u1"), user("u2", "ghost")])
    assert seen(tape) == ["unlinked", "unlinked", "visible"]
    assert codes(tape) == ["broken-chain", "unreachable"]
    coverage = tape.coverage(3)
    assert coverage is not None
    assert (coverage.records, coverage.on_chain, coverage.visible) == (3, 1, 1)


def test_a_parent_that_comes_later_mends_the_chain(tmp_path: Path) -> None:
    tape = folded(tmp_path, [user("u1", None), user("u2", "a1"), answer("a1", "u1")])
    assert "broken-chain" not in codes(tape)


def compacted() -> list[Record]:
    kept = {"anchorUuid": "s", "uuids": ["u2", "a2"]}
    return [
        user("u1", None),
        answer("a1", "u1"),
        user("u2", "a1"),
        answer("a2", "u2"),
        boundary("b", preservedMessages=kept),
        summary("s", "b"),
        user("u3", "s"),
    ]


def test_a_compaction_keeps_what_it_says(tmp_path: Path) -> None:
    tape = folded(tmp_path, compacted())
    assert line(tape, 5) == "u1 a1 u2 a2"
    assert line(tape, 6) == "s u2 a2"
    assert line(tape) == "s u2 a2 u3"
    assert [tape.timeline.settled.at(cursor) for cursor in (4, 5, 6)] == [True, False, True]
    assert tape.timeline.visibility(0, 7) == tape.timeline.visibility(1, 7)
    assert tape.timeline.visibility(0, 7)[1] == 4
    assert list(tape.timeline.marks.events(Mark.COMPACTION)) == [4]


def test_a_summary_names_what_it_hides(tmp_path: Path) -> None:
    tape = folded(tmp_path, compacted())
    nodes = tape.timeline.surface.nodes
    node = nodes.of_event(5)
    assert node is not None
    assert list(nodes.sources(node)) == [0, 1]


def test_the_kept_are_all_that_a_reload_shows_before_the_summary(tmp_path: Path) -> None:
    tape = folded(tmp_path, compacted(), "sdk-js:reload")
    assert [line(tape, cursor) for cursor in (5, 6)] == ["u2 a2", "s u2 a2"]


def test_a_rewind_past_a_boundary_brings_the_old_records_back(tmp_path: Path) -> None:
    records = [
        user("u1", None),
        answer("a1", "u1"),
        user("u2", "a1"),
        boundary("b"),
        summary("s", "b"),
        user("u3", "a1"),
    ]
    tape = folded(tmp_path, records)
    assert line(tape, 5) == "s"
    assert line(tape) == "u1 a1 u3"


def test_a_circle_is_never_where_the_writer_stands(tmp_path: Path) -> None:
    records = [user("u1", None), user("u2", "u2"), user("u3", "u2")]
    tape = folded(tmp_path, records)
    assert line(tape) == "u1"
    assert seen(tape) == ["visible", "unlinked", "unlinked"]
    assert "cycle" in codes(tape)


def test_cleared_results_change_their_form(tmp_path: Path) -> None:
    cleared = {"compactedToolIds": ["c1"]}
    records = [
        user("u1", None),
        answer("a1", "u1", call("c1")),
        result("r1", "a1", "c1"),
        notice("y", "r1", "microcompact_boundary", microcompactMetadata=cleared),
        answer("a2", "y"),
    ]
    tape = folded(tmp_path, records)
    assert [seen(tape, cursor)[2] for cursor in (3, 4, 5)] == ["visible", "cleared", "cleared"]
    assert line(tape) == "u1 a1 r1 a2"


def test_a_subagent_in_the_same_file_is_aside(tmp_path: Path) -> None:
    side = [user("s1", None, isSidechain=True), answer("s2", "s1", isSidechain=True)]
    tape = folded(tmp_path, [user("u1", None), *side, answer("a1", "u1")])
    assert seen(tape) == ["visible", "aside", "aside", "visible"]


def test_a_file_that_begins_with_a_subagent_is_its_conversation(tmp_path: Path) -> None:
    side = [user("s1", None, isSidechain=True), answer("s2", "s1", isSidechain=True)]
    assert line(folded(tmp_path, side)) == "s1 s2"
    assert line(folded(tmp_path, side, "sdk-js:reload")) == ""


def test_records_without_ids_stand_in_the_order_of_the_lines(tmp_path: Path) -> None:
    bare = [{"type": kind, "message": {"role": kind, "content": kind}} for kind in ("user",) * 3]
    tape = folded(tmp_path, bare)
    assert tape.timeline.count(3) == 3
    assert codes(tape) == ["no-uuids"]


def test_a_record_that_comes_again_stands_where_it_came_last(tmp_path: Path) -> None:
    records = [user("u1", None), answer("a1", "u1"), user("u1", None, "said anew")]
    tape = folded(tmp_path, records)
    assert codes(tape).count("duplicate-uuid") == 1
    assert tape.timeline.visibility(0, 3)[0].label == "superseded"


def test_progress_carries_a_chain_and_is_no_end(tmp_path: Path) -> None:
    records = [user("u1", None), record("progress", "p", "u1", data={}), answer("a1", "p")]
    assert line(folded(tmp_path, records)) == "u1 a1"
    assert line(folded(tmp_path, records[:2])) == "u1"


def test_a_recorded_end_counts_for_one_reader_only(tmp_path: Path) -> None:
    records = [user("u1", None), answer("a1", "u1"), user("u2", "a1")]
    pointed = [*records, {"type": "last-prompt", "leafUuid": "a1", "explicit": True}]
    assert line(folded(tmp_path, pointed, "cli-leaf")) == "u1 a1"
    assert line(folded(tmp_path, pointed)) == "u1 a1 u2"
    assert "readers-differ" in codes(folded(tmp_path, pointed))


@pytest.mark.parametrize("kind", ["file", "queued_command"])
def test_attachments_are_told_to_the_model(tmp_path: Path, kind: str) -> None:
    records = [user("u1", None), attachment("x", "u1", kind, prompt="more"), answer("a1", "x")]
    assert line(folded(tmp_path, records)) == "u1 x a1"


def test_damage_changes_nothing_before_it(tmp_path: Path) -> None:
    whole = written([user("u1", None), answer("a1", "u1")])
    path = tmp_path / "t.jsonl"
    path.write_bytes(whole + b'{"type":"user","uuid":"torn\n' + written([user("u2", "a1")]))
    tape = held(path)
    assert line(tape, 2) == "u1 a1"
    assert line(tape) == "u1 a1 u2"
    assert tape.timeline.reliable_to == 2


def test_a_message_id_that_comes_again_below_a_new_prompt_is_no_part_of_the_old_batch(
    tmp_path: Path,
) -> None:
    records = [
        user("u1", None),
        answer("a1", "u1", text("one"), of="m"),
        answer("a2", "a1", call("c1"), of="m"),
        result("r1", "a2", "c1"),
        user("u2", "u1", "again"),
        answer("b1", "u2", text("one"), of="m"),
    ]
    tape = folded(tmp_path, records)
    assert line(tape) == "u1 u2 b1"
    told = [one.message for one in tape.findings() if one.kind.code == "rewound"]
    assert told == ["the writer went back to line 1: 3 records left behind"]
    assert line(folded(tmp_path, records, "sdk-js:reload")) == "u1 u2 b1 a1 a2 r1"


def cleared(uuid: str, parent: str, **more: object) -> Record:
    return notice(uuid, parent, "microcompact_boundary", microcompactMetadata=more)


def test_what_was_cleared_is_whole_again_off_the_branch_that_cleared_it(tmp_path: Path) -> None:
    records = [
        user("u1", None),
        answer("a1", "u1", call("c1")),
        result("r1", "a1", "c1"),
        cleared("x1", "r1", compactedToolIds=["c1"]),
        user("u2", "x1"),
        user("u3", "r1", "back"),
    ]
    tape = folded(tmp_path, records)
    assert seen(tape, 5)[2] == "cleared"
    assert seen(tape, 6)[2] == "visible"


def test_only_results_and_attachments_are_cleared(tmp_path: Path) -> None:
    records = [
        user("u1", None),
        answer("a1", "u1"),
        cleared("x1", "a1", clearedAttachmentUUIDs=["a1", "u1"]),
    ]
    assert seen(folded(tmp_path, records))[:2] == ["visible", "visible"]


def test_a_compaction_without_a_summary_is_told(tmp_path: Path) -> None:
    records = [user("u1", None), boundary("b1"), answer("a1", "b1")]
    assert "no-summary" in codes(folded(tmp_path, records))
    whole = [user("u1", None), boundary("b1"), summary("s1", "b1"), answer("a1", "s1")]
    assert "no-summary" not in codes(folded(tmp_path, whole))


def test_a_call_that_a_compaction_hides_waits_no_more(tmp_path: Path) -> None:
    records = [
        user("u1", None),
        answer("a1", "u1", call("c1")),
        boundary("b1"),
        summary("s1", "b1"),
    ]
    settled = folded(tmp_path, records).timeline.settled
    assert [settled.at(cursor) for cursor in range(5)] == [True, True, False, False, True]


def test_a_record_that_comes_again_as_it_was_stays_the_row_it_is(tmp_path: Path) -> None:
    records = [user("u1", None), answer("a1", "u1"), user("u1", None)]
    tape = folded(tmp_path, records, "sdk-js:reload")
    assert line(tape) == "u1 a1"
    assert tape.timeline.surface.changes(2, 3).entered == ()


def test_below_a_circle_a_reload_goes_once_round(tmp_path: Path) -> None:
    records = [user("u1", "u2"), user("u2", "u1"), user("u3", "u2")]
    assert line(folded(tmp_path, records, "sdk-js:reload")) == "u1 u2 u3"
    assert line(folded(tmp_path, records)) == ""


def test_a_cleared_result_names_the_record_that_cleared_it(tmp_path: Path) -> None:
    records = cleared_result()
    tape = folded(tmp_path, records)
    assert tape.timeline.visibility(2, 5) == (Visibility.CLEARED, 3)


def test_a_result_is_cleared_anew_on_each_branch_that_says_so(tmp_path: Path) -> None:
    clearing = {"trigger": "auto", "compactedToolIds": ["c"]}
    records = [
        *cleared_result(),
        user("back", "r"),
        notice("clear-2", "back", "microcompact_boundary", microcompactMetadata=clearing),
        user("on", "clear-2"),
        user("again", "next"),
    ]
    tape = folded(tmp_path, records)
    assert [tape.timeline.visibility(2, at) for at in (5, 6, 8, 9)] == [
        (Visibility.CLEARED, 3),
        (Visibility.VISIBLE, None),
        (Visibility.CLEARED, 6),
        (Visibility.CLEARED, 3),
    ]


def cleared_result() -> list[Record]:
    clearing = {"trigger": "auto", "compactedToolIds": ["c"]}
    return [
        user("u", None),
        answer("a", "u", call("c")),
        result("r", "a", "c"),
        notice("clear", "r", "microcompact_boundary", microcompactMetadata=clearing),
        user("next", "clear"),
    ]
