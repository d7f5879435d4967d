"""The awkward logs of this format that a plain reader meets: the outcome that each case states."""

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from inspector.export import documents
from inspector.formats.contract import Options
from inspector.formats.opening import open_tape
from inspector.tape.source import SourceError
from tests.corpus.corpus import ROOT, folded, needs_corpus, numbers

pytestmark = needs_corpus

CASES = ROOT / "cases"


def check(case: str, name: str) -> dict[str, Any]:
    return documents.check(folded(CASES / case / name))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("empty.jsonl", "empty file (0 bytes)"),
        ("blank-lines.jsonl", "nothing but 5 blank lines"),
        ("not-json.txt", "not a session tape (dsh: line 1 is not a JSON object)"),
        ("json-array.json", "not a session tape (dsh: line 1 is not a JSON object)"),
    ],
)
def test_14_what_is_no_tape_is_said(name: str, words: str) -> None:
    with pytest.raises(SourceError) as error:
        open_tape(CASES / "case-14" / name, Options())
    assert str(error.value) == words


def test_14_a_header_alone_is_a_good_tape() -> None:
    document = check("case-14", "header-only.jsonl")
    assert document["tape"]["events"] == 0
    assert document["findings"] == []
    assert document["verdict"]["opens"] is True


def test_14_a_header_without_newline_is_readable_and_pending() -> None:
    document = check("case-14", "header-only-no-newline.jsonl")
    assert document["tape"]["id"] is not None
    assert [finding["code"] for finding in document["findings"]] == ["torn-tail"]
    assert document["sums"]["pending"] == 1
    assert document["verdict"] == {
        "owner": "dsh",
        "opens": False,
        "reason": "empty or header-less session log",
        "event": None,
    }


def test_14_events_without_a_header_are_shown() -> None:
    document = check("case-14", "no-header.jsonl")
    assert document["tape"]["events"] == 6
    assert document["tape"]["id"] is None
    assert [(f["code"], f["severity"]) for f in document["findings"]] == [("no-header", "warning")]


def test_47_an_ignorable_unknown_is_skipped() -> None:
    tape = folded(CASES / "case-47" / "ignorable.jsonl")
    assert tape.timeline.events == 13
    assert numbers(tape, 13) == [1, 3, 8, 10]
    (finding,) = documents.check(tape)["findings"]
    assert (finding["code"], finding["line"], finding["severity"]) == (
        "unknown-ignorable",
        8,
        "info",
    )


def test_47_a_required_unknown_stops_the_fold() -> None:
    tape = folded(CASES / "case-47" / "required.jsonl")
    assert tape.timeline.reliable_to == 6
    (finding,) = documents.check(tape)["findings"]
    assert (finding["code"], finding["line"], finding["event"]) == ("unknown-required", 8, 6)
    assert "seq 6 plugin/branch-switch" in finding["message"]
    assert tape.verdict().opens is False


def test_47_only_the_value_true_marks_an_event_as_ignorable() -> None:
    tape = folded(CASES / "case-47" / "bad-marker.jsonl", past_unknown=True)
    lines = [finding["line"] for finding in documents.check(tape)["findings"]]
    assert lines == [8, 9]


@pytest.mark.parametrize("name", ["input.jsonl", "header-shape-changed.jsonl"])
def test_48_a_newer_version_is_newer_and_not_corrupt(name: str) -> None:
    document = check("case-48", name)
    assert document["verdict"]["reason"] == (
        "format version 7 is newer than the supported 0 - written by a newer harness"
    )
    assert document["tape"]["events"] == 0


def test_51_packed_rows_are_many_events() -> None:
    tape = folded(CASES / "case-51" / "input.jsonl")
    rows = list(documents.events(tape, 0, 20, 20))
    assert [row["seq"] for row in rows] == list(range(20))
    assert [row["line"] for row in rows[3:6]] == [5, 5, 5]
    assert rows[9]["line"] == 7
    assert tape.timeline.table.member(9) == 2
    times = [datetime.fromisoformat(row["time"]).astimezone(UTC) for row in rows[3:6]]
    gaps = [(later - times[0]).total_seconds() for later in times]
    assert gaps == [0, 0.005, 0.002]
    assert [row["preview"] for row in rows[7:12]] == ["one", " ", "two", " ", "three"]
    assert numbers(tape, 20) == [1, 15, 17]
    node = tape.timeline.surface.nodes.of_event(15)
    assert node is not None
    assert tape.timeline.surface.nodes.sources(node) == list(range(3, 15))


def test_51_a_malformed_packed_row_is_damage_and_never_half_read() -> None:
    document = check("case-51", "bad-dt-length.jsonl")
    damage = document["findings"][0]
    assert (damage["code"], damage["line"]) == ("bad-packed-row", 7)
    assert damage["message"] == "packed row text-chunks: 5 texts but 3 gaps in dt"
    assert document["verdict"]["reason"] == (
        "corrupt session log: unparsable committed event at line 6"
    )


def test_17_a_growing_file_shows_every_event_once(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    counts: list[int] = []
    for stage in range(1, 6):
        path.write_bytes((CASES / "case-17" / f"stage-{stage}.jsonl").read_bytes())
        counts.append(folded(path).timeline.events)
    assert counts == [1, 2, 8, 11, 12]
