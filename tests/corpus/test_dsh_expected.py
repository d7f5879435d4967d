"""Expected results of sample logs, through the documents of ``show`` and ``check``."""

import json
import re
from typing import Any

import pytest

from inspector.export import documents
from inspector.formats.contract import Options, Tape
from inspector.formats.dsh.reading import DshTape
from inspector.formats.opening import open_tape
from inspector.tape.source import SourceError
from tests.corpus.corpus import ROOT, folded, found, needs_corpus
from tests.timelines import same_session

pytestmark = needs_corpus

HANDMADE = ROOT / "tapes" / "dsh" / "handmade"
DERIVED = ROOT / "tapes" / "dsh" / "derived"
LATER = ROOT / "tapes" / "dsh" / "later-formats"


def expected(pattern: str) -> list[Any]:
    """The entries whose names match: file, and session where a database holds several."""
    entries = found(HANDMADE / "EXPECTED.json") or {}
    return [
        pytest.param(name, entry, id=name.removesuffix(".session.jsonl").replace("/", "."))
        for name, entry in entries.items()
        if re.search(pattern, name)
    ]


def entry_tape(name: str) -> Tape:
    file, _, session = name.partition("#")
    return folded(HANDMADE / file, session=session or None)


@pytest.mark.parametrize(("name", "entry"), expected(""))
def test_handmade(name: str, entry: dict[str, Any]) -> None:
    tape = entry_tape(name)
    timeline = tape.timeline
    verdict = tape.verdict()
    # What the owner drops as a torn tail stays an event here, behind the cursor that it keeps.
    kept = verdict.event if verdict.opens == "partly" else timeline.events
    assert kept is not None
    if entry["events"] is not None:
        assert kept == entry["events"]
    if "nodes" in entry:
        document = documents.show(tape, kept)
        assert [row["seq"] for row in document["surface"]] == entry["nodes"]
        assert document["generation"] == entry["replaceGeneration"]
        assert document["messages"] == entry["messages"]
        told = [[r["event"], r["start"], r["end"], r["hidden"]] for r in document["replacements"]]
        assert told == entry["replacements"]


@pytest.mark.parametrize(("name", "entry"), expected(r"\.zstd$"))
def test_handmade_frames(name: str, entry: dict[str, Any]) -> None:
    tape = entry_tape(name)
    numbers_told = re.findall(r"\d+", str(entry["frames"]))
    assert tape.sums().frames == sum(map(int, numbers_told))
    cut = entry.get("repairTruncateTo")
    messages = [finding.message for finding in tape.findings()]
    assert messages == ([] if cut is None else [f"torn zstd frame at byte {cut}"])
    assert tape.verdict().opens is True


def test_handmade_rows_hold_more_events_than_they_are() -> None:
    tape = entry_tape("schema17.db#hm-big")
    sums = tape.sums()
    assert (sums.records, sums.events) == (9, 1507)
    assert [tape.place(record).row for record in (3, 4, 5)] == ["seq 3", "seq 1027", "seq 1503"]
    node = tape.timeline.surface.nodes.of_event(1503)
    assert node is not None
    assert tape.timeline.surface.nodes.sources(node) == list(range(3, 1503))


def test_handmade_gap_behind_the_last_turn_is_dropped_and_shown() -> None:
    tape = entry_tape("schema17.db#hm-sql-torn")
    (gap,) = documents.check(tape)["findings"]
    assert (gap["code"], gap["row"], gap["event"]) == ("sequence-gap", "seq 33", 31)
    assert tape.timeline.events == 32
    assert tape.timeline.reliable_to == 31


@pytest.mark.parametrize(
    ("name", "closers"),
    [
        (
            "open-turn",
            [
                ("tool/result", "cA", ("ToolOutcomeUnknownError", "TOOL_OUTCOME_UNKNOWN"), 4),
                ("tool/result", "cB", ("ToolNotStartedError", "TOOL_NOT_STARTED"), None),
                ("step/end", None, None, None),
                ("turn/end", None, None, None),
            ],
        ),
        ("open-compaction", []),
    ],
)
def test_handmade_closers(name: str, closers: list[Any]) -> None:
    tape = entry_tape(f"{name}.session.jsonl")
    assert isinstance(tape, DshTape)
    found = [(closer.kind, closer.call, closer.error, closer.recorded) for closer in tape.closers()]
    assert found == closers


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("ok.session.jsonl", "schema17.db#hm-ok"),
        ("ok.session.jsonl", "schema15.db#hm-ok"),
        ("ok.session.jsonl", "home/sessions/--work-demo--/hm-ok/session.jsonl.zstd"),
        ("fork-parent.session.jsonl", "schema17.db#hm-fork-parent"),
        ("fork-child.session.jsonl", "schema17.db#hm-fork-child"),
    ],
)
def test_handmade_twins_tell_the_same_session(one: str, other: str) -> None:
    same_session(entry_tape(one), entry_tape(other))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("wrong-application-id.db", "a database of sessions that holds none: not a harness store"),
        ("wrong-user-version.db", "a database of sessions that holds none: schema"),
    ],
)
def test_handmade_databases_that_are_no_store(name: str, words: str) -> None:
    with pytest.raises(SourceError) as error:
        open_tape(HANDMADE / name, Options())
    assert str(error.value).startswith(words)


def test_an_empty_session_of_a_database_opens() -> None:
    tape = entry_tape("schema17.db#hm-empty")
    assert (tape.timeline.events, tape.verdict().opens) == (0, True)


@pytest.mark.parametrize(
    ("name", "opens", "reason", "codes"),
    [
        ("ok", True, None, []),
        ("torn-tail", True, "drops the torn last line", ["torn-tail"]),
        (
            "corrupt-committed",
            False,
            "corrupt session log: unparsable committed event at line 25",
            ["not-json", "sequence-gap"],
        ),
        (
            "seq-gap-committed",
            False,
            "corrupt session log: seq gap in committed region at line 25 (expected 31, got 34)",
            ["sequence-gap"],
        ),
        ("open-turn", True, None, []),
        ("open-compaction", True, None, []),
        ("unknown-ignorable", True, None, ["unknown-ignorable"]),
        (
            "future-version",
            False,
            "format version 99 is newer than the supported 0 to 5 - written by a newer harness",
            ["other-version"],
        ),
        (
            "bad-missing-surfaceop",
            False,
            'invalid seed event at index 31: event type "user/message" requires a surfaceOp marker',
            ["bad-surface-op"],
        ),
        (
            "bad-op-on-ineligible",
            False,
            (
                'invalid seed event at index 31: event type "todo/write" is not '
                "surface-eligible and cannot carry surfaceOp"
            ),
            ["bad-surface-op"],
        ),
        (
            "bad-replace-start-missing",
            False,
            "invalid seed event at index 31: start seq 0 not found in surface",
            ["bad-surface-op"],
        ),
        (
            "bad-provenance-future",
            False,
            "invalid seed event at index 31: sourceEventSeqs must reference earlier events",
            ["bad-sources"],
        ),
        (
            "bad-provenance-empty",
            False,
            "invalid seed event at index 31: sourceEventSeqs must not be empty",
            ["bad-sources"],
        ),
        (
            "bad-tool-rewrite-changes-iserror",
            False,
            "invalid seed event at index 31: a tool/result replacement may change only content",
            ["bad-rewrite"],
        ),
    ],
)
def test_verdict_and_findings(name: str, opens: bool, reason: str | None, codes: list[str]) -> None:
    document = documents.check(folded(HANDMADE / f"{name}.session.jsonl"))
    assert document["verdict"]["opens"] is opens
    assert document["verdict"]["reason"] == reason
    assert [finding["code"] for finding in document["findings"]] == codes
    sums = document["sums"]
    parts = ("carriers", "bookkeeping", "blank", "pending", "damaged")
    assert sums["records"] == sum(sums[part] for part in parts)


def derived() -> list[Any]:
    """The table of the notes beside the logs."""
    if not ROOT.is_dir():
        return []
    notes = (ROOT / "tapes" / "dsh" / "NOTES.md").read_text()
    row = re.compile(
        r"^\| (\S+\.session\.jsonl) \| (\d+) \| (\d+) \| (\[[^\]]*\]) \| (\d+) \| (\d+) \|$", re.M
    )
    return [
        pytest.param(
            name,
            int(lines),
            int(events),
            json.loads(nodes),
            int(generation),
            int(messages),
            id=name,
        )
        for name, lines, events, nodes, generation, messages in row.findall(notes)
    ]


@pytest.mark.parametrize(("name", "lines", "events", "nodes", "generation", "messages"), derived())
def test_derived(
    name: str, lines: int, events: int, nodes: list[int], generation: int, messages: int
) -> None:
    tape = folded(DERIVED / name)
    document = documents.show(tape, tape.timeline.events)
    assert [row["seq"] for row in document["surface"]] == nodes
    assert document["generation"] == generation
    assert document["messages"] == messages
    sums = documents.check(tape)["sums"]
    assert sums["records"] == lines
    assert sums["events"] == events


@pytest.mark.parametrize(
    ("name", "variant", "nodes", "messages", "roles"),
    [
        ("handmade-v2.session.v2", "v2", [2, 4, 6], 3, ["user", "assistant", "tool"]),
        ("handmade-v3.session.v3", "v3", [2, 3, 5, 7], 4, ["system", "user", "assistant", "tool"]),
        ("handmade-v4.session.v4", "v4", [2, 3, 5, 7], 4, ["system", "user", "assistant", "tool"]),
        ("handmade-v5.session.v5", "v5", [2, 3, 5, 7], 4, ["system", "user", "assistant", "tool"]),
        ("preview-follow-up-builder.session.v3", "v3", [1, 4], 2, ["user", "assistant"]),
    ],
)
def test_a_later_format_folds_to_its_surface(
    name: str, variant: str, nodes: list[int], messages: int, roles: list[str]
) -> None:
    tape = folded(LATER / f"{name}.jsonl")
    document = documents.show(tape, tape.timeline.events)
    assert document["tape"]["variant"] == f"{variant}/jsonl"
    assert [row["seq"] for row in document["surface"]] == nodes
    assert [row["role"] for row in document["surface"]] == roles
    assert document["messages"] == messages
    assert document["open"] == []
    assert documents.check(tape)["findings"] == []
    assert tape.verdict().opens is True
    assert tape.timeline.reliable_to == tape.timeline.events


@pytest.mark.parametrize("version", ["v2", "v3", "v4", "v5"])
def test_a_tool_result_of_any_version_answers_its_call(version: str) -> None:
    tape = folded(LATER / f"handmade-{version}.session.{version}.jsonl")
    call = 5 if version == "v2" else 6
    assert tape.timeline.pairs.result_of(call) == call + 1
    assert tape.headline(call + 1).text == "a.txt"
    node = tape.timeline.surface.nodes.of_event(call + 1)
    assert node is not None
    assert tape.timeline.surface.nodes.sources(node) == [call]


def test_the_tables_were_found() -> None:
    assert len(expected("")) >= 24
    assert len(derived()) >= 10
