"""A fork is a new file with the path to the cut, as Pi's own fork writes it."""

from pathlib import Path

from inspector.formats.planning import How, PlanKind, View
from tests.formats.pi import sessions
from tests.formats.pi.planning import planned
from tests.formats.pi.planning.planned import chain, fork, lines, made, said
from tests.formats.pi.sessions import (
    answer,
    branch_summary,
    compaction,
    edit,
    entry,
    folded,
    header,
    label,
    message,
    opened,
    result,
    surface,
    text_of,
    user,
)
from tests.plans.laws import MAKING


def test_the_file_lies_beside_the_other_and_has_a_name_of_pis(tmp_path: Path) -> None:
    plan = fork(folded(tmp_path, user("a", None)))
    (write, _) = plan.writes[0]
    assert (write.to.parent, write.to.name) == (tmp_path, planned.NAME)
    assert write.how is How.CREATE


def test_the_header_names_the_session_that_it_was_made_of(tmp_path: Path) -> None:
    plan = fork(folded(tmp_path, user("a", None)))
    assert lines(plan)[0] == {
        "type": "session",
        "version": 3,
        "id": MAKING.id,
        "timestamp": "2026-09-21T14:13:20.000Z",
        "cwd": "/work/demo",
        "parentSession": str(tmp_path / sessions.NAME),
    }
    assert said(plan, "provenance") == (True, f"the header names {tmp_path / sessions.NAME}")


def test_a_header_without_a_folder_says_none_and_the_plan_tells(tmp_path: Path) -> None:
    head = header()
    del head["cwd"]
    plan = fork(folded(tmp_path, user("a", None), head=head))
    assert "cwd" not in lines(plan)[0]
    assert any("names no folder" in remark for remark in plan.remarks)


def test_only_the_path_travels_with_the_ids_that_it_has(tmp_path: Path) -> None:
    tape = folded(
        tmp_path, user("a", None), answer("b", "a"), user("c", "b"), user("d", "b"), user("e", "d")
    )
    plan = fork(tape)
    assert chain(plan) == ["a", "b", "d", "e"]
    assert plan.left == {"on other branches": 1}
    assert chain(fork(tape, 3)) == ["a", "b", "c"]
    assert fork(tape, 3).left == {"behind the cut": 2}


def test_entries_are_copied_as_they_stand_but_for_their_parents(tmp_path: Path) -> None:
    first = b'{"type":"message","id":"a","parentId":null,"n":12345678901234567890,"message":'
    first += b'{"role":"user","content":"h\\u00e9"}}\n'
    second = b'{ "type" : "custom", "parentId":"gone", "data":1.0 , "id":"b" }\n'
    tape = opened(text_of([]) + first + second, tmp_path)
    assert planned.content(fork(tape)).splitlines()[1] == (
        b'{"type":"custom","parentId":null,"data":1.0,"id":"b"}'
    )
    assert planned.content(fork(tape, 1)).splitlines()[1] == first.strip()


def test_bytes_that_are_no_utf_8_are_written_as_pi_reads_them(tmp_path: Path) -> None:
    line = (
        b'{"type":"message","id":"a","parentId":null,"message":{"role":"user","content":"\xff"}}\n'
    )
    plan = fork(opened(text_of([]) + line, tmp_path))
    assert lines(plan)[1]["message"]["content"] == "\ufffd"


def test_labels_are_left_out_and_stand_anew_at_the_end(tmp_path: Path) -> None:
    tape = folded(
        tmp_path,
        user("a", None),
        label("l", "a", "a", "one"),
        answer("b", "l"),
        label("m", "b", "b", "two"),
        user("c", "m"),
        label("n", "c", "b", ""),
    )
    plan = fork(tape, 5)
    *entries, last = lines(plan)[1:]
    assert [one["id"] for one in entries] == ["a", "b", "c"]
    assert [one["parentId"] for one in entries] == [None, "a", "b"]
    assert (last["type"], last["targetId"], last["label"]) == ("label", "a", "one")
    assert (last["parentId"], last["timestamp"]) == ("c", "2026-07-01T07:00:01.000Z")
    assert last["id"] not in ("l", "m", "n")
    assert len(last["id"]) == 8
    assert plan.left == {"that set labels (these stand anew at the end)": 2, "behind the cut": 1}
    assert surface(made(plan, tmp_path)) == ["a", "b", "c"]


def test_labels_are_those_of_the_head_and_of_entries_that_travel(tmp_path: Path) -> None:
    tape = folded(
        tmp_path,
        user("a", None),
        user("b", "a"),
        user("c", "b"),
        label("l", "c", "a", "late"),
        label("m", "l", "c", "gone"),
    )
    assert [one.get("label") for one in lines(fork(tape, 2))[1:]] == [None, None, "late"]


def test_a_compaction_that_keeps_from_a_label_keeps_from_the_next_entry(tmp_path: Path) -> None:
    tape = folded(
        tmp_path,
        user("a", None),
        label("l", "a", "a"),
        user("b", "l"),
        compaction("c", "b", "l"),
        user("d", "c"),
    )
    plan = fork(tape, None, View.AS_OF)
    assert lines(plan)[3]["firstKeptEntryId"] == "b"
    assert surface(made(plan, tmp_path)) == surface(tape) == ["c", "b", "d"]


def test_a_compaction_that_keeps_from_the_label_before_it_keeps_nothing(tmp_path: Path) -> None:
    tape = folded(tmp_path, user("a", None), label("l", "a", "a"), compaction("c", "l", "l"))
    plan = fork(tape, None, View.AS_OF)
    assert lines(plan)[2]["firstKeptEntryId"] == "c"
    assert surface(made(plan, tmp_path)) == surface(tape) == ["c"]


def test_settings_and_names_on_the_path_travel(tmp_path: Path) -> None:
    tape = folded(
        tmp_path,
        entry("model_change", "m", None, provider="p", modelId="one"),
        entry("thinking_level_change", "t", "m", thinkingLevel="high"),
        entry("session_info", "n", "t", name="first"),
        user("a", "n"),
        entry("model_change", "o", "a", provider="p", modelId="two"),
        entry("session_info", "p", "o", name="second"),
    )
    plan = fork(tape, 4)
    assert plan.registers == {"model": ("two", "one"), "title": ("second", "first")}


def test_originals_are_the_path_without_summaries(tmp_path: Path) -> None:
    tape = folded(
        tmp_path,
        user("a", None),
        branch_summary("s", "a"),
        user("b", "s"),
        compaction("c", "b", "b"),
        user("d", "c"),
    )
    plan = fork(tape, None, View.ORIGINALS)
    assert chain(plan) == ["a", "b", "d"]
    assert plan.left == {"that summarise, left out": 2}
    assert surface(made(plan, tmp_path)) == ["a", "b", "d"]


def test_a_later_compaction_travels_where_the_cut_is_in_what_it_keeps(tmp_path: Path) -> None:
    tape = folded(
        tmp_path,
        user("a", None),
        user("b", "a"),
        user("c", "b"),
        user("d", "c"),
        compaction("e", "d", "b"),
        user("f", "e"),
    )
    plan = fork(tape, 3)
    assert plan.view is not None
    assert plan.view.choice is View.COMPACTED
    assert chain(plan) == ["a", "b", "c", "e"]
    assert (plan.kept, plan.left) == (4, {"behind the cut": 2})
    assert surface(made(plan, tmp_path)) == ["e", "b", "c"]
    assert any("1 entry is copied that stands behind the cut" in one for one in plan.remarks)


def test_a_compaction_that_tells_of_what_is_undone_is_not_taken_along(tmp_path: Path) -> None:
    tape = folded(
        tmp_path,
        user("a", None),
        user("b", "a"),
        user("c", "b"),
        compaction("d", "c", "c"),
    )
    plan = fork(tape, 1)
    assert plan.view is not None
    why = plan.view.offered[View.COMPACTED]
    assert why == "the summary of #3 covers #1, behind the cut"
    assert plan.view.choice is View.AS_OF


def test_a_later_edit_travels_with_the_compacted_history(tmp_path: Path) -> None:
    tape = folded(tmp_path, user("a", None), user("b", "a"), edit("e", "b", "a", "other"))
    plan = fork(tape, 2)
    assert plan.view is not None
    assert plan.view.choice is View.COMPACTED
    assert surface(made(plan, tmp_path)) == ["a*", "b"]
    assert surface(made(fork(tape, 2, View.AS_OF), tmp_path)) == ["a", "b"]


def test_a_later_edit_that_removes_a_row_travels_too(tmp_path: Path) -> None:
    tape = folded(tmp_path, user("a", None), user("b", "a"), user("c", "b"), edit("e", "c", "a"))
    plan = fork(tape, 2, View.COMPACTED)
    assert chain(plan) == ["a", "b", "e"]
    assert surface(made(plan, tmp_path)) == ["b"]


def test_an_edit_of_the_path_holds_also_where_a_compaction_hid_it(tmp_path: Path) -> None:
    tape = folded(
        tmp_path,
        edit("e", None, "b", "other"),
        user("a", "e"),
        user("b", "a"),
        compaction("c", "b", "b"),
    )
    assert surface(tape) == ["c", "b"]
    assert surface(made(fork(tape, None, View.ORIGINALS), tmp_path)) == ["a", "b*"]


def test_what_the_system_says_in_a_compaction_alone_is_no_original(tmp_path: Path) -> None:
    system = {"role": "system", "content": "checkpoint"}
    tape = folded(
        tmp_path, user("a", None), compaction("c", "a", "a", systemMessage=system), user("b", "c")
    )
    offered = tape.planner().views(PlanKind.FORK, How.CREATE, 3)
    assert offered == {
        View.AS_OF: None,
        View.COMPACTED: None,
        View.ORIGINALS: "what the system says in the compaction of #1 stands in no other entry",
    }


def test_before_all_entries_only_a_header_is_made(tmp_path: Path) -> None:
    plan = fork(folded(tmp_path, user("a", None)), 0)
    assert len(lines(plan)) == 1
    assert surface(made(plan, tmp_path)) == []


def test_an_entry_without_an_id_gets_one(tmp_path: Path) -> None:
    last = user("x", "a")
    del last["id"]
    tape = folded(tmp_path, user("a", None), last)
    plan = fork(tape)
    assert len(chain(plan)[1]) == 8
    new = made(plan, tmp_path)
    assert len(surface(new)) == 2


def test_an_entry_whose_id_is_null_stands_nowhere(tmp_path: Path) -> None:
    tape = folded(tmp_path, user("a", None), {**user("x", "a"), "id": None})
    assert surface(tape) == []
    assert len(lines(fork(tape))) == 1


def test_an_id_that_came_again_is_what_it_was_at_the_cut(tmp_path: Path) -> None:
    tape = folded(
        tmp_path,
        user("a", None, "first"),
        user("b", "a"),
        user("a", None, "second"),
        user("c", "b"),
    )
    plan = fork(tape, 2)
    assert [one["message"]["content"] for one in lines(plan)[1:]] == ["first", "user b"]
    whole = fork(tape)
    assert [one["message"]["content"] for one in lines(whole)[1:]] == [
        *("second", "user b", "user c")
    ]


def test_parents_that_go_round_make_no_circle_in_a_copy(tmp_path: Path) -> None:
    tape = folded(tmp_path, user("a", "b"), user("b", "a"))
    assert tape.verdict().opens is False
    plan = fork(tape)
    assert made(plan, tmp_path).verdict().opens is True
    ok, why = said(plan, "verdict")
    assert not ok
    assert why.startswith("Pi does not open the tape: it never ends")
    assert why.endswith("; it opens what is made")


def test_an_edit_on_which_pi_fails_is_left_out(tmp_path: Path) -> None:
    broken = edit("e", "a", "a")
    del broken["replacement"]
    tape = folded(tmp_path, user("a", None), broken, user("b", "e"))
    assert tape.verdict().opens is False
    plan = fork(tape)
    assert chain(plan) == ["a", "b"]
    assert plan.left == {"that edit without a replacement, on which Pi fails where they count": 1}
    assert made(plan, tmp_path).verdict().opens is True


def test_a_message_that_is_none_is_left_out(tmp_path: Path) -> None:
    tape = folded(tmp_path, user("a", None), entry("message", "x", "a"), user("b", "x"))
    assert chain(fork(tape)) == ["a", "b"]


def test_what_pi_passes_over_is_not_copied(tmp_path: Path) -> None:
    junk = b'{"type":"message","id":"x","par' + text_of([user("y", "a")]).split(b"\n")[1] + b"\n"
    tape = opened(
        text_of([user("a", None)]) + junk + text_of([user("b", "a")]).split(b"\n")[1] + b"\n",
        tmp_path,
    )
    plan = fork(tape)
    assert chain(plan) == ["a", "b"]
    assert plan.left == {"not read by Pi": 1}


def test_calls_without_results_may_be_parted_and_what_pi_does_is_said(tmp_path: Path) -> None:
    tape = folded(
        tmp_path, user("a", None), answer("b", "a", "one", "two"), result("c", "b", "one")
    )
    plan = fork(tape, 2)
    assert plan.is_sound
    assert said(plan, "unanswered-calls") == (
        False,
        "2 calls have no result: with each request Pi answers it by an error, “No result provided”",
    )
    assert said(fork(tape), "unanswered-calls")[1].startswith("1 call has no result")


def test_a_rewind_that_makes_a_file_is_a_fork_and_says_so(tmp_path: Path) -> None:
    tape = folded(tmp_path, user("a", None), user("b", "a"))
    plan = planned.planned(tape, planned.Asked(PlanKind.REWIND, 1, How.CREATE))
    assert planned.content(plan) == planned.content(fork(tape, 1))
    assert any("/tree" in remark for remark in plan.remarks)


# Other versions.


def test_a_session_without_ids_is_made_anew_with_ids(tmp_path: Path) -> None:
    head = {"type": "session", "id": sessions.SESSION, "timestamp": "2025-01-01T00:00:00.000Z"}
    entries = [
        message("", None, "user", "hello"),
        message("", None, "hookMessage", "told"),
        message("", None, "user", "kept"),
        {"type": "compaction", "summary": "short", "firstKeptEntryIndex": 3, "tokensBefore": 9},
        message("", None, "user", "later"),
    ]
    for one in entries:
        one.pop("id", None)
        one.pop("parentId", None)
    tape = opened(text_of(entries, head), tmp_path)
    plan = fork(tape, None, View.AS_OF)
    ids = chain(plan)
    assert len({*ids}) == 5
    copies = lines(plan)
    assert copies[0]["version"] == 3
    assert copies[2]["message"]["role"] == "custom"
    assert "firstKeptEntryIndex" not in copies[4]
    assert copies[4]["firstKeptEntryId"] == ids[2]
    new = made(plan, tmp_path)
    assert surface(new) == [ids[3], ids[2], ids[4]]
    assert any("version 1" in remark and "ours" in remark for remark in plan.remarks)


def test_version_two_has_another_word_for_what_extensions_say(tmp_path: Path) -> None:
    tape = folded(
        tmp_path, user("a", None), message("b", "a", "hookMessage", "told"), head=header(version=2)
    )
    plan = fork(tape)
    assert chain(plan) == ["a", "b"]
    assert lines(plan)[2]["message"] == {"role": "custom", "content": "told"}


def test_a_newer_version_is_written_as_pi_writes_it(tmp_path: Path) -> None:
    tape = folded(tmp_path, user("a", None), entry("quantum", "q", "a"), head=header(version=99))
    plan = fork(tape)
    assert (lines(plan)[0]["version"], chain(plan)) == (3, ["a", "q"])
    assert any("version 99" in remark for remark in plan.remarks)


def test_what_is_json_and_no_object_is_not_said_to_be_unread(tmp_path: Path) -> None:
    first, last = text_of([user("a", None)]), text_of([user("b", "a")]).split(b"\n")[1]
    plan = fork(opened(first + b"42\n" + last + b"\n", tmp_path))
    assert plan.left == {"that are JSON and no objects, with nothing above them or below": 1}
