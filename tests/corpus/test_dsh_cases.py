"""The awkward logs of this format: the outcome that each case states."""

import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from inspector.export import documents
from inspector.formats.contract import Options, SessionEntry
from inspector.formats.opening import open_tape, session_entries
from inspector.tape.source import SourceError
from inspector.tape.watch import Change
from tests.commands import process, run
from tests.corpus.corpus import ROOT, folded, needs_corpus, numbers
from tests.folding import fold_on
from tests.guarding import guarded
from tests.nobody import as_nobody, needs_nobody
from tests.timelines import same_session

pytestmark = needs_corpus

CASES = ROOT / "cases"


def check(case: str, name: str) -> dict[str, Any]:
    return documents.check(folded(CASES / case / name))


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("empty.jsonl", "empty file (0 bytes)"),
        ("blank-lines.jsonl", "nothing but 5 blank lines"),
        (
            "not-json.txt",
            "not a session tape: text that is not JSON (line 1: Tue 10:00 user: hello)",
        ),
        ("json-array.json", "not a session tape: one JSON document, not a record a line"),
    ],
)
def test_14_what_is_no_tape_is_said(name: str, words: str) -> None:
    with pytest.raises(SourceError) as error:
        open_tape(CASES / "case-14" / name, Options())
    assert str(error.value).startswith(words)


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


# 15: compressed tapes.


def test_15_many_frames_are_one_tape() -> None:
    tape = folded(CASES / "case-15" / "multi-frame.jsonl.zstd")
    assert numbers(tape, 12) == [1, 3, 7, 9]
    sums = tape.sums()
    assert (sums.frames, sums.events, sums.records) == (3, 12, 13)
    assert list(tape.findings()) == []
    assert tape.verdict().opens is True


def test_15_what_is_whole_of_a_torn_frame_is_shown() -> None:
    tape = folded(CASES / "case-15" / "torn-last-frame.jsonl.zstd")
    assert tape.timeline.events == 13
    assert tape.timeline.table.type(12) == "turn/start"
    messages = [finding.message for finding in tape.findings()]
    assert messages[0] == "torn zstd frame at byte 696"
    assert [finding.kind.code for finding in tape.findings()] == ["torn-frame", "torn-tail"]
    assert numbers(tape, 13) == [1, 3, 7, 9], "the half message is no message"
    (span,) = documents.show(tape, 13)["open"]
    assert (span["kind"], span["since"]) == ("turn", 13)


def test_15_a_damaged_frame_leaves_a_hole_and_what_is_behind_it_is_shown() -> None:
    tape = folded(CASES / "case-15" / "corrupt-middle-frame.jsonl.zstd")
    assert [tape.number(event) for event in range(6)] == list(range(6, 12))
    assert numbers(tape, 6) == [7, 9]
    assert tape.identity.id is not None
    assert tape.timeline.reliable_to == 0
    told = {finding.kind.code: finding.message for finding in tape.findings()}
    assert "zstd frame at byte 101" in told["damaged-frame"]
    assert "6 events missing" in told["sequence-gap"]
    verdict = tape.verdict()
    assert verdict.reason == "corrupt Zstandard session log: frame at byte 101 failed validation"


def test_15_a_skippable_frame_is_skipped_and_noted() -> None:
    tape = folded(CASES / "case-15" / "skippable-frame.jsonl.zstd")
    assert numbers(tape, 12) == [1, 3, 7, 9]
    (finding,) = tape.findings()
    assert (finding.kind.code, "byte 101" in finding.message) == ("skipped-frame", True)
    assert tape.verdict().reason == (
        "corrupt Zstandard session log: invalid frame magic at byte 101"
    )


def test_15_lines_are_those_of_the_text() -> None:
    tape = folded(CASES / "case-15" / "multi-frame.jsonl.zstd")
    places = [tape.place(tape.timeline.table.record(event)) for event in range(12)]
    assert [place.line for place in places] == list(range(2, 14))
    assert tape.raw(0).startswith(b'{"type":"turn/start","seq":0')


# 16: paths that are no readable regular file.


@pytest.fixture(scope="module")
def paths() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        folder = Path(name, "paths")
        script = CASES / "case-16" / "gen.py"
        subprocess.run([sys.executable, script, folder], check=True, capture_output=True)
        yield folder
        (folder / "noexec-dir").chmod(0o755)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("dir.jsonl", "is a directory without a session file (0 names in it)"),
        ("loop-a.jsonl", "is a loop of symbolic links"),
        ("loop-b.jsonl", "is a loop of symbolic links"),
        ("dangling.jsonl", "does not exist (broken link to gone.jsonl)"),
        ("fifo.jsonl", "is not a regular file"),
        ("gone.jsonl", "does not exist"),
    ],
)
def test_16_what_cannot_be_opened_says_why(name: str, words: str, paths: Path) -> None:
    done = run("check", paths / name)
    assert (done.code, done.out) == (3, "")
    assert done.err == f"inspector: {paths / name}: {words}\n"


def test_16_a_link_to_a_tape_is_that_tape(paths: Path) -> None:
    same_session(folded(paths / "link-to-good.jsonl"), folded(paths / "good.jsonl"))


@needs_nobody
@pytest.mark.parametrize("name", ["noperm.jsonl", "noexec-dir/inside.jsonl"])
def test_16_what_may_not_be_read_says_so(name: str, paths: Path) -> None:
    words = as_nobody(
        f"""
try:
    open_tape(Path({str(paths / name)!r}), Options())
except SourceError as error:
    print(error)
"""
    )
    assert words == "permission denied\n"


HOSTILE = (
    b"--help",
    b"new\nline.jsonl",
    b"esc\x1b[2Jape.jsonl",
    "\u202egpj.jsonl".encode(),
    "emoji \U0001f511 name.jsonl".encode(),
    b"bad-\xff\xfe-name.jsonl",
    b"trailing-space.jsonl ",
    b".hidden.jsonl",
)


@pytest.mark.parametrize("name", HOSTILE, ids=ascii)
def test_16_a_hostile_name_opens_and_is_shown_escaped(name: bytes, paths: Path) -> None:
    path = paths / os.fsdecode(name)
    assert folded(path).timeline.events == 2
    for words in (("check", path), ("check", path, "--json"), ("show", path), ("events", path)):
        done = run(*words)
        assert done.code == 0
        printed = (done.out + done.err).replace("\n", "")
        assert printed.isprintable(), ascii(printed)


def test_16_a_name_that_looks_like_an_option_is_reached_by_dashes(paths: Path) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(paths)
        patch.setenv("PYTHONPATH", str(Path(__file__).resolve().parents[2]))
        done = process("check", "--json", "--", "--help")
    assert done.code == 0
    assert '"events": 2' in done.out or '"events":2' in done.out


# 17: a file that grows while it is read.


STAGES = {1: 1, 2: 2, 3: 8, 4: 11, 5: 12}
"""Events by stage."""


def stage(number: int) -> bytes:
    return (CASES / "case-17" / f"stage-{number}.jsonl").read_bytes()


@pytest.mark.parametrize(("number", "events"), STAGES.items())
def test_17_each_stage_shows_what_is_whole(number: int, events: int, tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(stage(number))
    tape = folded(path)
    assert tape.timeline.events == events
    pending = not stage(number).endswith(b"\n")
    assert tape.sums().pending == pending
    codes = [finding.kind.code for finding in tape.findings()]
    assert codes == (["torn-tail"] if pending else [])


def test_17_every_event_of_a_growing_file_is_shown_once(tmp_path: Path) -> None:
    path = tmp_path / "session.jsonl"
    path.write_bytes(stage(1))
    tape = folded(path)
    shown = [list(documents.events(tape, 0, 1, 1))]
    for number in (2, 3, 4, 5):
        before = path.stat().st_size
        assert stage(number)[:before] == path.read_bytes(), "the same file later"
        with path.open("ab") as file:
            file.write(stage(number)[before:])
        assert tape.changed() is Change.GROWN
        fold_on(tape)
        events = tape.timeline.events
        shown.append(list(documents.events(tape, 0, events, events)))
        assert tape.changed() is Change.NONE
    assert [len(rows) for rows in shown] == list(STAGES.values())
    for earlier, later in pairwise(shown):
        told = [(row["event"], row["seq"], row["line"], row["preview"]) for row in later]
        assert told[: len(earlier)] == [
            (row["event"], row["seq"], row["line"], row["preview"]) for row in earlier
        ]
    assert [row["seq"] for row in shown[-1]] == list(range(12))
    assert "日本語 🔑 question" in shown[1][1]["preview"]
    fresh = folded(path)
    same_session(tape, fresh)
    assert list(tape.findings()) == []


# 19: many events.


@pytest.mark.parametrize("turns", [10, 500])
def test_19_counts_grow_with_the_turns(turns: int, tmp_path: Path) -> None:
    path = tmp_path / "input.jsonl"
    script = CASES / "case-19" / "gen.py"
    subprocess.run([sys.executable, script, path, str(turns)], check=True, capture_output=True)
    tape = folded(path)
    timeline = tape.timeline
    assert timeline.events == 10 * turns
    kinds = Counter(timeline.table.type(event) for event in range(timeline.events))
    assert kinds.pop("assistant/chunk") == 2 * turns
    assert set(kinds.values()) == {turns}
    assert len(kinds) == 8
    assert timeline.count(timeline.events) == 3 * turns
    last = timeline.rows(timeline.events, 3 * turns - 1)[-1].node
    assert tape.number(timeline.surface.nodes.origin(last)) == 10 * turns - 3
    assert timeline.generation(timeline.events) == 0
    usage = [timeline.usage[at] for at in range(len(timeline.usage))]
    assert (sum(one.input for one in usage), sum(one.output for one in usage)) == (
        7 * turns,
        3 * turns,
    )
    calls = [event for event in range(timeline.events) if timeline.table.type(event) == "tool/call"]
    assert [timeline.pairs.result_of(call) for call in calls] == [call + 1 for call in calls]
    # The second delta of the turn in the middle.
    middle = 10 * (turns // 2) + 4
    assert timeline.table.type(middle) == "assistant/chunk"
    assert timeline.count(middle + 1) == 3 * (turns // 2) + 1


# 47, 48, 51: what a reader does not know, and rows that are many events.


@pytest.mark.parametrize("name", ["required.jsonl", "bad-marker.jsonl"])
def test_47_a_check_of_a_required_unknown_ends_with_an_error(name: str) -> None:
    done = run("check", CASES / "case-47" / name)
    assert done.code == 1
    assert "line 8" in done.out


def test_47_a_check_of_an_ignorable_unknown_does_not() -> None:
    assert run("check", CASES / "case-47" / "ignorable.jsonl").code == 0


@pytest.mark.parametrize("name", ["input.jsonl", "header-shape-changed.jsonl"])
def test_48_a_newer_version_is_newer_and_not_corrupt(name: str) -> None:
    path = CASES / "case-48" / name
    document = check("case-48", name)
    reason = document["verdict"]["reason"]
    assert reason.startswith("format version 7 is newer than the supported 0")
    assert reason.endswith(" - written by a newer harness")
    assert document["tape"]["events"] == 0
    assert [finding["code"] for finding in document["findings"]] == ["other-version"]
    sums = document["sums"]
    assert sums["records"] == sums["bookkeeping"] == path.read_bytes().count(b"\n")
    tape = folded(path)
    lines = path.read_bytes().split(b"\n")
    assert [tape.raw_record(record) for record in range(tape.records())] == lines[:-1]
    assert "corrupt" not in run("check", path).out


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


# 55, 56: databases of other schemas, of other owners, and what is none.


SCHEMAS = CASES / "case-55"


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("dsh-v17.db", None),
        ("dsh-v15-old.db", "schema 15, older than 17"),
        ("dsh-v18-newer.db", "schema 18 is newer than 17"),
        ("dsh-foreign-appid.db", "not a harness store (application id 12345)"),
    ],
)
def test_55_any_schema_is_shown_and_what_the_owner_says_of_it(
    name: str, reason: str | None
) -> None:
    with guarded(SCHEMAS):
        tape = folded(SCHEMAS / name)
    assert [tape.number(event) for event in range(tape.timeline.events)] == list(range(17))
    assert numbers(tape, 17) == [1, 3, 7, 15]
    assert tape.sums().records == 13
    verdict = tape.verdict()
    assert verdict.opens is (reason is None)
    assert verdict.reason == (None if reason is None else f"session database: {reason}")
    assert "corrupt" not in (verdict.reason or "")
    stores = [finding.message for finding in tape.findings() if finding.kind.code == "bad-store"]
    assert stores == ([] if reason is None else [reason])


def test_55_the_marker_of_a_row_and_not_its_name_makes_it_packed() -> None:
    tape = folded(SCHEMAS / "dsh-v17.db")
    table = tape.timeline.table
    assert [table.type(event) for event in range(8, 13)] == ["assistant/chunk"] * 5
    assert [tape.place(table.record(event)).row for event in range(8, 13)] == ["seq 8"] * 5
    assert table.type(13) == "text-chunks"
    assert tape.payload(13)["ignorable"] is True
    assert table.type(14) == "todo/write"
    assert tape.payload(14)["data"]["todos"]
    assert tape.payload(15)["sourceEventSeqs"] == [8, 9, 10, 11, 12]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("unrelated.db", "SQLite, but no known session tables (found: recipes)"),
        ("no-tables.db", "SQLite without tables"),
    ],
)
def test_55_a_database_of_somebody_else_is_told_by_its_tables(name: str, words: str) -> None:
    done = run("check", SCHEMAS / name)
    assert (done.code, done.err) == (3, f"inspector: {SCHEMAS / name}: {words}\n")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("truncated.db", "file is shorter than its header says (18 pages of 27)"),
        (
            "encrypted-like.db",
            (
                "not an SQLite database, or encrypted (SQLCipher); to read an encrypted one, "
                "install tape-inspector[sqlcipher] and set INSPECTOR_SQLCIPHER_KEY to its password"
            ),
        ),
        ("header-zeroed.db", "SQLite header missing"),
        ("text-file.db", "not a database"),
        ("zero-bytes.db", "empty file (0 bytes)"),
    ],
)
def test_56_what_is_no_readable_database_says_why(name: str, words: str) -> None:
    path = CASES / "case-56" / name
    done = run("check", path)
    assert (done.code, done.out, done.err) == (3, "", f"inspector: {path}: {words}\n")


def test_55_the_sessions_of_a_store_are_listed() -> None:
    (entry,) = session_entries(SCHEMAS / "dsh-v17.db")
    assert isinstance(entry, SessionEntry)
    assert entry.id == folded(SCHEMAS / "dsh-v17.db").identity.id
