"""Compactions: the owner's split and prompt, and a new session in which a summary stands."""

from pathlib import Path

from inspector.formats.planning import Draft, How, PlanKind
from inspector.formats.zero.planning import compacting
from inspector.formats.zero.planning.composing import Composition
from inspector.formats.zero.planning.events import read_ones
from inspector.formats.zero.planning.redaction import owners_redaction
from inspector.formats.zero.reading import ZeroTape
from inspector.plans.plan import Asked
from tests.formats.zero.planned import lines, made, metadata, stored, told
from tests.formats.zero.sessions import answer, call, compaction, held, log, result, user
from tests.plans import laws
from tests.plans.laws import MAKING

ALLOWED = "permission_decision", {"action": "allow"}

LONG = log(
    user("fix it"),
    *(
        draft
        for at in range(6)
        for draft in (
            call(f"c{at}"),
            ("permission_decision", {"action": "allow"}),
            result(f"c{at}"),
        )
    ),
    answer("done"),
    user("and now?"),
    answer("fine"),
)


def compact(rows: int, tape: ZeroTape, summary: str = "the summary") -> Draft:
    return tape.planner().compact(rows, summary, MAKING)


def test_the_owners_split_goes_by_events_and_may_cut_a_call_from_its_result(
    tmp_path: Path,
) -> None:
    tape = stored(LONG, tmp_path)
    split = tape.planner().split(None)
    # 22 events: all but the last 6 are 16, of which 11 are rows.
    assert split.rows == 11
    assert split.why.startswith("all but the last 6 events of the raw log, which leaves 16,")
    assert tape.planner().split(0).why.endswith("; it takes 0 for its default")
    assert "the last 1 event of" in tape.planner().split(1).why
    assert [tape.planner().split(keep).rows for keep in (0, 1, 8, 100)] == [11, 15, 10, 0]
    assert "6 events" in tape.planner().keeps_by_default()


def test_a_plan_shows_both_splits_and_makes_a_new_session(tmp_path: Path) -> None:
    tape = stored(LONG, tmp_path)
    plan = laws.planned(tape, Asked(PlanKind.COMPACT, keep_last=4, summary="the summary"))
    laws.accounts_for_all(tape, plan)
    assert plan.how is How.CREATE
    assert plan.compaction is not None
    assert plan.compaction.safe == 11
    copy = made(plan, tmp_path / "made")
    before = told(tape)
    said = told(copy)
    assert said[0].endswith("the summary")
    assert said[0].startswith("The person's first message, word for word:\n\nfix it")
    assert said[1:] == before[11:]
    assert metadata(plan)["lastEventType"] == "session_compaction"
    assert (copy.verdict().opens, list(copy.findings())) == (True, [])


def test_the_title_and_the_kind_of_the_new_session_are_told(tmp_path: Path) -> None:
    tape = stored(LONG, tmp_path)
    asked = Asked(PlanKind.COMPACT, keep_last=4, summary="S")
    told = {"title": ("Old", "Old (fork)"), "kind": (None, "fork")}
    assert laws.planned(tape, asked).registers == told
    assert laws.planned(tape, Asked(PlanKind.COMPACT, keep_last=4)).registers == {}


def test_the_record_is_the_owners(tmp_path: Path) -> None:
    tape = stored(LONG, tmp_path)
    draft = compact(11, tape, "  the summary\n")
    plan = laws.planned(tape, Asked(PlanKind.COMPACT, keep_last=4, summary="the summary"))
    found = lines(plan)
    payload = found[-1]["payload"]
    assert [one["type"] for one in found[-2:]] == ["session_fork", "session_compaction"]
    assert list(payload) == [
        *("summary", "preserveLast", "compactableCount", "preservedCount"),
        *("compactedThroughEventId", "compactedThroughSequence"),
        *("compactableEvents", "preservedEvents", "promptChars"),
    ]
    numbers = [ref["sequence"] for ref in payload["compactableEvents"]]
    assert numbers == list(range(1, payload["compactedThroughSequence"] + 1))
    assert payload["compactableCount"] + payload["preservedCount"] == 22
    content = b"".join(draft.writes[0].content())
    assert b'"summary":"the summary"' in content


def test_an_earlier_summary_among_the_rows_kept_stays_where_it_stood(tmp_path: Path) -> None:
    content = log(user("a"), user("b"), user("c"), user("d"), user("e"), compaction("s:3", "s:4"))
    tape = stored(content, tmp_path)
    assert told(tape) == ["a", "b", "short", "e"]
    for rows, left in ((1, ["b", "short", "e"]), (2, ["short", "e"]), (3, ["e"]), (4, [])):
        folder = tmp_path / f"made{rows}"
        folder.mkdir()
        (folder / "events.jsonl").write_bytes(b"".join(compact(rows, tape).writes[0].content()))
        assert told(held(folder / "events.jsonl")) == ["the summary", *left]


def test_a_summary_that_could_not_stand_before_the_rows_kept_is_noticed() -> None:
    written_ones = Composition((range(2), range(5, 6), range(2, 5)), None, [])
    stands = compacting._stands_first
    assert stands(written_ones, [range(1)], [1, 5, 2])
    assert stands(written_ones, [range(6)], [])
    assert not stands(written_ones, [range(5, 6)], [1, 2])
    assert not stands(written_ones, [range(3, 4)], [2])
    assert not stands(written_ones, [], [1])


def test_the_prompt_is_shaped_redacted_and_cut_within_no_character(tmp_path: Path) -> None:
    said = "password: hunter2 and Bearer abcdef123"
    content = log(user(said), *(user("ü" * 300) for _ in range(40)), call(), result())
    tape = stored(content, tmp_path)
    found = tape.planner().prompt(42)
    assert "hunter2" not in found.text
    assert (found.unit, found.limit, found.truncated) == ("bytes", 8_000, True)
    assert found.text.endswith("ü\n[truncated]")
    assert 7_997 <= found.length == len(found.text.encode()) <= 8_000
    events = read_ones(tape, 43)
    owners, _ = compacting.prompt(tape, events, owners_redaction)
    assert b"hunter2" in owners
    tiny, truncated = compacting.prompt(tape, events, owners_redaction, 10)
    assert (tiny, truncated) == (b"Summarize ", True)


def test_a_tools_output_is_in_no_prompt(tmp_path: Path) -> None:
    tape = stored(log(user("a"), call("c1", path="x"), result("c1", "the output")), tmp_path)
    text = tape.planner().prompt(3).text
    assert '2 tool_call {"id":"c1","name":"bash"}' in text
    assert '3 tool_result {"name":"bash"}' in text
    assert "the output" not in text


def test_nothing_to_compact_is_the_owners_sentence(tmp_path: Path) -> None:
    tape = stored(log(user()), tmp_path)
    assert tape.planner().prompt(0).text == "No compactable Zero session events."
