"""Each file of what the owners answered is compared by a test, or listed here with the reason."""

from pathlib import Path
from typing import Any, Final

import pytest

from inspector.formats.contract import Options, Tape
from inspector.formats.opening import open_tape
from tests.corpus.corpus import ROOT, folded, found, needs_corpus
from tests.corpus.test_deepchat_oracle import number
from tests.folding import fold_on, keep

pytestmark = needs_corpus

TAPES = ROOT / "tapes"
DEEPCHAT = TAPES / "deepchat" / "expected"

PLANS: Final = "compared by test_zero_plans, which makes its name of what is asked"

NOT_COMPARED: Final = {
    "zero/A_plan_compaction_0.json": PLANS,
    "zero/A_plan_compaction_4_max400.json": PLANS,
    "zero/A_plan_compaction_6.json": PLANS,
    "zero/A_plan_compaction_8.json": PLANS,
    "zero/A_plan_compaction_100.json": PLANS,
    "deepchat/search.json": "the owner's search: search is not built yet",
    "deepchat/replay_slice.json": "an export of the owner, which is none of the tape",
    "deepchat/ids.json": "names of the generator for ids, for people",
}
"""By file, why no test asks for it."""

NOT_COMPARED_KEYS: Final = {
    "metrics": "a display of the owner: its figures are those of `info`",
    "rows": "asserted as `entries` of `info`",
}
"""Of the verdicts of DeepChat's sample, which keys no test asks for."""

SEEN_ELSEWHERE: Final = {"effective", "includePending", "includeAudit"} | {
    "latestReconstructionAnchor",
    "summaryState",
}
"""Of the same, those that `test_deepchat_tapes` compares."""

HERE: Final = {"info", "projectedToolRows"}


@pytest.mark.parametrize("agent", ["zero", "deepchat"])
def test_every_file_is_compared_or_listed(agent: str) -> None:
    tests = (
        "".join(
            path.read_text("utf-8") for path in Path(__file__).parent.glob(f"test_*{agent}*.py")
        )
        + Path(__file__).read_text("utf-8").partition("# Compared here.")[2]
    )
    kept = {path.name for path in (TAPES / agent / "expected").iterdir()}
    listed = {name.partition("/")[2] for name in NOT_COMPARED if name.startswith(f"{agent}/")}
    compared = {name for name in kept if f'"{name.removesuffix(".json")}' in tests}
    assert kept - compared == listed


def test_every_key_of_the_samples_verdicts_is_compared_or_listed() -> None:
    keys = {key for verdict in found(DEEPCHAT / "verdicts.json").values() for key in verdict}
    assert keys == SEEN_ELSEWHERE | HERE | NOT_COMPARED_KEYS.keys()


# Compared here.


def answer(name: str) -> Any:
    return found(DEEPCHAT / f"{name}.json")


def session(name: str) -> Tape:
    """One of the sample's sessions, its own rows alone."""
    options = Options(session=name, policy="deepchat:alone")
    tape = open_tape(TAPES / "deepchat" / "agent.db", options)
    keep(tape)
    return fold_on(tape)


def rows(tape: Tape) -> dict[int, dict[str, Any]]:
    return {number(tape, event): tape.payload(event) for event in range(tape.timeline.events)}


def test_the_lineage_of_a_fork() -> None:
    root, fork = found(TAPES / "zero" / "expected" / ("C_lineage" + ".json"))
    tape = folded(TAPES / "zero" / "sessions" / fork["sessionId"])
    assert tape.identity.parent == root["sessionId"]
    assert tape.timeline.events == fork["eventCount"]
    parent = folded(TAPES / "zero" / "sessions" / root["sessionId"])
    assert parent.identity.parent is None
    assert parent.timeline.events == root["eventCount"] == fork["forkedFromSequence"]


def test_the_anchors_of_a_session() -> None:
    """As the owner lists them, the meaning of each being in its payload."""
    told = rows(session("sess_main"))
    listed = answer("anchors_sess_main")
    assert [entry for entry, row in told.items() if row["kind"] == "anchor"] == [
        anchor["entryId"] for anchor in listed
    ]
    for anchor in listed:
        row = told[anchor["entryId"]]
        assert (row["name"], row["payload"], row["meta"]) == (
            anchor["name"],
            anchor["payload"],
            anchor["meta"],
        )


@pytest.mark.parametrize("name", (found(DEEPCHAT / "verdicts.json") or {}).keys())
def test_what_the_owner_says_of_a_session(name: str) -> None:
    verdict = answer("verdicts")[name]
    info, tape = verdict["info"], session(name)
    told = rows(tape)
    anchors = [entry for entry, row in told.items() if row["kind"] == "anchor"]
    assert (len(told), len(anchors)) == (info["entries"], info["anchors"])
    assert verdict["rows"] == info["entries"]
    assert anchors[-1] == info["lastAnchorEntryId"]
    assert told[anchors[-1]]["name"] == info["lastAnchor"]
    behind = [entry for entry in told if entry > anchors[-1]]
    assert len(behind) == info["entriesSinceLastAnchor"]


def test_the_usage_of_the_last_attempt() -> None:
    info = answer("verdicts")["sess_main"]["info"]
    tape = session("sess_main")
    spent = tape.timeline.usage.requests(tape.timeline.events)
    cached = [usage for usage in spent if usage.cache_read]
    assert cached[-1].cache_read == info["lastCacheReadTokens"]
    assert cached[-1].cache_write == info["lastCacheWriteTokens"]
    whole = cached[-1].input + cached[-1].cache_read
    assert cached[-1].cache_read / whole == info["lastTokenCacheHitRate"]


@pytest.mark.parametrize("name", (found(DEEPCHAT / "verdicts.json") or {}).keys())
def test_the_tool_rows_that_the_owner_takes(name: str) -> None:
    """Of the ones that stand; the place is that of the message, which the row only repeats."""
    told = rows(session(name))
    for row in answer("verdicts")[name]["projectedToolRows"]:
        ours = told[row["entry_id"]]["payload"]
        assert {**ours, "orderSeq": None} == {**row["payload"], "orderSeq": None}


def test_a_cleared_session_is_another_tape() -> None:
    expected = answer("reset")
    tape = session("sess_reset")
    told = rows(tape)
    assert [(entry, row["kind"], row["name"]) for entry, row in told.items()] == [
        (row["entry_id"], row["kind"], row["name"]) for row in expected["rows"]
    ]
    before = expected["before"]["tapeIncarnationId"]
    assert told[1]["meta"]["tapeIncarnationId"] != before
    assert tape.timeline.rows(tape.timeline.events) == []


@pytest.mark.parametrize(
    ("name", "key"), [("legacy_backfill", "first"), ("ui_fork_backfill", "result")]
)
def test_a_backfill_is_marked(name: str, key: str) -> None:
    expected = answer(name)[key]
    tape = session(expected["sessionId"])
    messages = [row for row in rows(tape).values() if row["kind"] == "message"]
    assert len(messages) == expected["messageCount"]
    places = [row["payload"]["record"]["orderSeq"] for row in messages]
    assert max(places) == expected["maxOrderSeq"]
    told = [row for row in rows(tape).values() if row["name"] == "migration/backfill"]
    assert told[0]["payload"]["data"]["messageCount"] == expected["messageCount"]


def test_the_summary_of_a_backfill_is_that_of_its_anchor() -> None:
    expected = answer("legacy_backfill")["summary"]
    tape = session("sess_legacy")
    setting = tape.timeline.registers.at("checkpoint", tape.timeline.events)
    assert setting is not None
    assert tape.timeline.table.time(setting.event) == expected["summaryUpdatedAt"]
    cursor = tape.timeline.registers.at("summary cursor", tape.timeline.events)
    assert cursor is not None
    assert cursor.value == expected["summaryCursorOrderSeq"]
    texts = [entry.text or "" for entry in tape.request(tape.timeline.events)]
    assert any(expected["summaryText"] in text for text in texts)


def test_a_summary_that_was_applied() -> None:
    expected = answer("sess_main_cas")
    tape = session("sess_main")
    assert expected["applied"]
    state = expected["currentState"]
    [anchor] = tape.numbered(31)
    assert tape.timeline.table.time(anchor) == state["summaryUpdatedAt"]
    cursor = tape.timeline.registers.at("summary cursor", anchor + 1)
    assert cursor is not None
    assert cursor.value == state["summaryCursorOrderSeq"]


def test_a_linked_subagent_is_kin() -> None:
    receipt = answer("subagent_link_receipt")
    tape = session(receipt["linkEntry"]["sessionId"])
    [event] = tape.numbered(receipt["linkEntry"]["entryId"])
    kin = [one for one in tape.timeline.kin if one.tape == receipt["childSessionId"]]
    assert [one.relation for one in kin] == ["subagent"]
    data = tape.payload(event)["payload"]["data"]
    assert data["childSessionId"] == receipt["childSessionId"]
    assert data["outcome"] == receipt["outcome"]


def test_forks_that_were_merged_and_discarded_are_kin() -> None:
    handles = answer("fork_handles")
    tape = session("sess_forkparent")
    kin = {one.tape: one for one in tape.timeline.kin}
    for handle in ("f1", "f2"):
        assert handles[handle]["forkSessionId"] in kin
    merged = [row for row in rows(tape).values() if str(row["meta"].get("forkId")) == "wayA"]
    assert len([row for row in merged if row["kind"] == "message"]) == handles["merged"]


def test_the_schema_is_the_one_that_is_known() -> None:
    tables = {row["name"] for row in answer("schema") if row["type"] == "table"}
    assert {"deepchat_tape_entries", "deepchat_messages", "deepchat_sessions"} <= tables
    tape = session("sess_main")
    assert "newer-schema" not in [finding.kind.code for finding in tape.findings()]
