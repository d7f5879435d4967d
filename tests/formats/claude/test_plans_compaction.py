"""A compaction as a new session: a boundary and a summary, as the owner writes them."""

from pathlib import Path
from typing import Any

import pytest

from inspector.formats.claude.reading import ClaudeTape
from inspector.formats.planning import PlanKind
from inspector.plans.plan import Asked, Plan
from inspector.timeline.words import Role
from tests.formats.claude.planned import made, originals_of, records, renamed, shown_by
from tests.formats.claude.transcripts import (
    Record,
    answer,
    boundary,
    call,
    folded,
    held,
    ids,
    result,
    summary,
    text,
    user,
)
from tests.plans.laws import MAKING, accounts_for_all, carried_out, planned
from tests.untouched import untouched


def talk(turns: int) -> list[Record]:
    said: list[Record] = [user("u0", None, "the first word")]
    for turn in range(1, turns):
        said.append(answer(f"a{turn}", said[-1]["uuid"]))
        said.append(user(f"u{turn}", f"a{turn}"))
    return said


def compaction(tape: ClaudeTape, keep_last: int | None = None, summary: str = "In short.") -> Plan:
    return planned(tape, Asked(PlanKind.COMPACT, keep_last=keep_last, summary=summary))


def test_a_boundary_and_a_summary_stand_behind_the_copies(tmp_path: Path) -> None:
    tape = folded(tmp_path, talk(8))
    with untouched(tmp_path):
        plan = compaction(tape, 3)
        *copies, boundary, summary, _title = records(plan)
    assert (len(copies), plan.kept, plan.is_sound) == (15, 15, True)
    assert (boundary["parentUuid"], boundary["logicalParentUuid"]) == (None, renamed("u7"))
    metadata = boundary["compactMetadata"]
    assert (metadata["trigger"], metadata["messagesSummarized"]) == ("manual", 12)
    assert metadata["preservedMessages"] == {
        "anchorUuid": summary["uuid"],
        "uuids": [renamed(uuid) for uuid in ("u6", "a7", "u7")],
    }
    assert (summary["parentUuid"], summary["isCompactSummary"]) == (boundary["uuid"], True)
    assert summary["message"]["content"].startswith(
        "This session is being continued from a previous conversation"
    )
    assert "the first word" in summary["message"]["content"]
    accounts_for_all(tape, plan)
    for policy in ("sdk-js", "sdk-js:reload"):
        new = made(plan, tmp_path / policy, policy)
        assert originals_of(new) == "made u6 a7 u7"
        assert new.verdict().opens is True


def test_the_title_of_the_new_session_is_told(tmp_path: Path) -> None:
    plan = compaction(folded(tmp_path, talk(9)))
    assert plan.registers == {"title": (None, "session (fork)")}


def test_a_reader_that_links_nothing_anew_finds_the_rows_below_the_summary(tmp_path: Path) -> None:
    tape = folded(tmp_path, talk(8), "sdk-py")
    plan = compaction(tape, 3)
    for policy in ("sdk-py", "sdk-js:reload"):
        assert shown_by(plan, tmp_path / policy, policy) == "made u6 a7 u7"


def test_no_message_of_several_lines_is_divided(tmp_path: Path) -> None:
    said = talk(7)
    last = said[-1]["uuid"]
    said += [
        answer("p1", last, text("one"), of="m"),
        answer("p2", "p1", call("c"), of="m"),
        result("p3", "p2", "c"),
        user("p4", "p3"),
    ]
    plan = compaction(folded(tmp_path, said), 3)
    assert plan.compaction is not None
    assert plan.compaction.safe == 13
    assert shown_by(plan, tmp_path / "made", "sdk-js:reload") == "made p1 p2 p3 p4"


def test_the_owner_divides_nothing_and_is_asked_with_what_was_said(tmp_path: Path) -> None:
    said = talk(8)
    said[0]["message"]["content"] = "my key is sk-ant-REDACTED"
    plan = compaction(folded(tmp_path, said), 3)
    assert plan.compaction is not None
    assert plan.compaction.owner[0] == 15
    prompt = plan.compaction.prompt
    assert prompt.text.startswith("[user]\n")
    assert "sk-ant-api03" not in prompt.text
    assert (prompt.unit, prompt.limit, prompt.length) == ("characters", None, len(prompt.text))


def test_a_compaction_can_be_compacted(tmp_path: Path) -> None:
    first = made(compaction(folded(tmp_path, talk(12)), 13), tmp_path / "made")
    plan = compaction(first, 2, "Shorter still.")
    new = made(plan, tmp_path / "again")
    assert len(ids(new)) == 3
    assert new.identity.parent == MAKING.id


REMINDER = "<system-reminder>be nice</system-reminder>"


@pytest.mark.parametrize(
    ("said", "more"),
    [
        ("<command-name>/clear</command-name>\n<command-message>clear</command-message>", {}),
        ("<command-message>init</command-message>\n<command-name>/init</command-name>", {}),
        ("<bash-input>ls</bash-input>", {}),
        ("<bash-stdout>a b</bash-stdout><bash-stderr></bash-stderr>", {}),
        ("<local-command-stdout>done</local-command-stdout>", {}),
        ("<local-command-caveat>Caveat: …</local-command-caveat>", {}),
        ("<task-notification>\n<task-id>b1</task-id></task-notification>", {}),
        ([text("<task-notification>done</task-notification>")], {}),
        (REMINDER, {}),
        (f"\n{REMINDER}\n{REMINDER}\n", {}),
        ([text(REMINDER), text(REMINDER)], {}),
        ("[Request interrupted by user]", {}),
        ([text("[Request interrupted by user for tool use]")], {}),
        ("continue", {"isMeta": True}),
        ("done", {"origin": {"kind": "task-notification"}}),
        ("All in short.", {"isCompactSummary": True}),
        ("This session is being continued from a previous conversation that ran out …", {}),
        (
            "Caveat: The messages below were generated by the user while running local commands.",
            {},
        ),
        ('<teammate-message teammate_id="a">go</teammate-message>', {}),
        ("<ide_opened_file>The user opened /x</ide_opened_file>", {}),
        ([text("<ide_selection>x</ide_selection>"), text(REMINDER)], {}),
        ("Stop hook feedback:\nnot yet", {}),
        ("Unknown slash command: foo", {}),
        ("<user-prompt-submit-hook>x</user-prompt-submit-hook>", {}),
        ('<channel source="x">y</channel>', {}),
        ("<user-memory-input>always test</user-memory-input>", {}),
    ],
)
def test_what_no_person_wrote_is_not_the_launching_message(
    tmp_path: Path, said: Any, more: Record
) -> None:
    _, *rest = talk(8)
    records = [user("u0", None, said, **more), user("u", "u0", "launch it")]
    tape = folded(tmp_path, [*records, {**rest[0], "parentUuid": "u"}, *rest[1:]])
    found = compaction(tape).compaction
    assert found is not None
    assert found.launch == found.hides[1]
    assert "\n\nlaunch it\n\n" in (found.summary or "")


@pytest.mark.parametrize(
    "said",
    [
        [text(REMINDER), text("launch it")],
        f"{REMINDER}\nlaunch it",
        f"launch it\n{REMINDER}",
        "<system-reminder>launch it",
        [text("<ide_opened_file>/x</ide_opened_file>"), text("launch it")],
        "<channel>launch it",
        "<ide_selections>launch it</ide_selections>",
        "why does it print <task-notification>?",
    ],
)
def test_what_a_person_wrote_beside_a_reminder_is_the_launching_message(
    tmp_path: Path, said: Any
) -> None:
    _, *rest = talk(8)
    found = compaction(folded(tmp_path, [user("u0", None, said), *rest])).compaction
    assert found is not None
    assert found.launch == found.hides[0]


def test_the_launching_message_is_quoted_when_a_compaction_is_compacted(tmp_path: Path) -> None:
    first = talk(4)
    again = [boundary("x", logicalParentUuid="u3"), summary("s", "x")]
    _, *rest = talk(9)
    later = [
        {**one, "uuid": f"x{one['uuid']}", "parentUuid": f"x{one['parentUuid']}"} for one in rest
    ]
    tape = folded(tmp_path, [*first, *again, {**later[0], "parentUuid": "s"}, *later[1:]])
    found = compaction(tape).compaction
    assert found is not None
    assert found.launch == 0
    assert found.launch not in found.hides
    assert "word for word:\n\nthe first word\n\n" in (found.summary or "")


def test_the_weight_of_a_summary_is_that_of_its_row(tmp_path: Path) -> None:
    tape = folded(tmp_path, talk(8))
    plan = compaction(tape, summary="摘要。" * 400)
    new = held(carried_out(plan, tmp_path / "made")[-1])
    nodes = new.timeline.surface.nodes
    (weight,) = (
        nodes.tokens[row.node]
        for row in new.timeline.rows(new.timeline.events)
        if nodes.role(row.node) is Role.SUMMARY
    )
    assert weight > 900
    assert plan.effect.summary == weight


def test_a_session_whose_compaction_is_half_written_is_not_compacted(tmp_path: Path) -> None:
    records = [*talk(8), boundary("b", logicalParentUuid="u7")]
    plan = compaction(folded(tmp_path, records))
    assert [check.message for check in plan.checks if check.rule == "compaction-bracket"] == [
        "a compaction is half written there"
    ]
    assert not plan.is_sound
