from pathlib import Path

import pytest

from inspector.formats.contract import Options, Place
from inspector.formats.opening import open_tape
from inspector.inspection import Inspection
from inspector.tape import lines as lines_module
from inspector.ui.cells import Line
from inspector.ui.report import FindingRows, RecordRows, sums_line, verdict_line, where
from tests.dsh_tapes import Log, folded, opened
from tests.ui.following import packed, session


def plain(line: Line) -> str:
    return "".join(cell.text for cell in line)


def visit(source: Log | bytes, folder: Path) -> Inspection:
    found = Inspection(folded(source, folder))
    found.seek(found.head)
    return found


def damaged() -> Log:
    """1 header · 2 #0 · 3 three events · 4 garbage · 5 #4 rejected · 6 #5."""
    log = Log()
    log.user("first")
    log.packed("a", "b", "c")
    log.raw(b"garbage")
    log.user("refused", surfaceOp="elsewhere")
    log.user("last")
    return log


# Findings.


def test_a_finding_is_a_row_with_its_weight_its_place_and_its_message(tmp_path: Path) -> None:
    report = FindingRows(visit(damaged(), tmp_path))
    shown = [plain(report.line(row, 120)) for row in range(report.count())]
    assert [line.split()[:3] for line in shown] == [["error", "line", "4"], ["error", "line", "5"]]
    assert "not JSON" in shown[0]


@pytest.mark.parametrize("width", [20, 40, 80, 200])
def test_in_full_it_says_its_message_its_effect_its_code_and_the_record(
    width: int, tmp_path: Path
) -> None:
    report = FindingRows(visit(damaged(), tmp_path))
    shown = [plain(line) for line in report.lines(0, width)]
    together = "".join(shown)
    for words in ("not JSON", "effect:", "[not-json]", "raw record", "garbage"):
        assert words.replace(" ", "") in together.replace(" ", "")


def test_it_leads_to_the_event_or_to_where_its_record_stands(tmp_path: Path) -> None:
    report = FindingRows(visit(damaged(), tmp_path))
    assert [report.cursor(row) for row in range(report.count())] == [4, 5]


def test_the_text_has_a_line_a_finding_behind_the_path(tmp_path: Path) -> None:
    inspection = visit(damaged(), tmp_path)
    first, *rest = FindingRows(inspection).text().splitlines()
    assert first == str(inspection.tape.identity.path)
    assert len(rest) == 2
    assert rest[0].startswith("error: line 4  byte ")
    assert rest[0].endswith("[not-json]")


def test_of_a_fine_tape_it_says_that_nothing_was_found(tmp_path: Path) -> None:
    inspection = visit(session(3), tmp_path)
    report = FindingRows(inspection)
    assert report.count() == 0
    assert [plain(line) for line in report.lines(0, 80)] == ["nothing found"]
    assert report.cursor(0) is None
    assert report.text() == str(inspection.tape.identity.path)


def test_what_is_found_later_is_for_another_report(tmp_path: Path) -> None:
    inspection = visit(session(3), tmp_path)
    report = FindingRows(inspection)
    with inspection.tape.identity.path.open("ab") as file:
        file.write(b"garbage\n")
    while inspection.tape.advance():
        pass
    assert report.count() == 0
    assert FindingRows(inspection).count() == 1


@pytest.mark.parametrize(
    ("place", "event", "words"),
    [
        (None, None, "the tape"),
        (None, 1204, "event 1,204"),
        (Place(644, 1_204_113, None), None, "line 644  byte 1,204,113"),
        (Place(None, None, "seq 7"), 3, "row seq 7"),
        (Place(None, None, "\x1b[2J"), 3, "row ␛[2J"),
        (Place(None, None, None), None, "behind the last row"),
    ],
)
def test_a_place_in_few_words(place: Place | None, event: int | None, words: str) -> None:
    assert where(place, event) == words


def test_no_control_gets_through(tmp_path: Path) -> None:
    log = Log()
    log.raw(b"\x1b]0;PWN\x07 {")
    log.event("\x1b[2J", {})
    inspection = visit(log, tmp_path)
    report = FindingRows(inspection)
    rows = range(report.count())
    shown = [plain(report.line(row, 80)) for row in rows]
    shown += [plain(line) for row in rows for line in report.lines(row, 80)]
    shown += report.text().split("\n")
    shown += [plain(RecordRows(inspection).line(row, 80)) for row in range(3)]
    assert any("PWN" in line for line in shown)
    assert not [c for line in shown for c in line if ord(c) < 32 or 127 <= ord(c) < 160]


# Which case the tape is in.


def unknown() -> Log:
    log = session(2)
    log.event("plugin/note", {})
    return log


@pytest.mark.parametrize(
    ("source", "verdict"),
    [
        (bytes(session(3)), "fine: replay is exact"),
        (bytes(session(3)) + b'{"ty', "whole so far; a record at the end is still being written"),
        (bytes(damaged()), "damaged, but foldable: exact up to 4 of 6 (2 errors)"),
        (bytes(damaged()) + b'{"ty', "damaged, but foldable: exact up to 4 of 6 (2 errors)"),
        (bytes(unknown()), "cannot be folded past 2"),
    ],
    ids=["fine", "being written", "damaged", "damaged and being written", "stopped"],
)
def test_the_case_of_a_tape(source: bytes, verdict: str, tmp_path: Path) -> None:
    assert plain(verdict_line(visit(source, tmp_path))) == verdict


def test_what_is_missing_of_the_source_is_damage_too(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl.zstd"
    path.write_bytes(packed(session(50).lines))
    tape = open_tape(path, Options(unpacked=2_000))
    while tape.advance():
        pass
    inspection = Inspection(tape)
    assert plain(verdict_line(inspection)).endswith("folded, and exact (1 error)")
    tape.close()


def test_the_sums_add_up_on_the_screen_too(tmp_path: Path) -> None:
    shown = plain(sums_line(visit(bytes(damaged()) + b"\n{", tmp_path)))
    parts = "4 carriers + 1 bookkeeping + 1 blank + 1 pending + 1 damaged"
    assert shown == f"8 records = {parts}; 6 events, 0 records recovered"


# Physical records.


def test_a_packed_row_shows_its_events_and_those_behind_it_how_far_counting_is_off(
    tmp_path: Path,
) -> None:
    report = RecordRows(visit(damaged(), tmp_path))
    shown = [plain(report.line(row, 120)) for row in range(report.count())]
    assert [line.split()[1] for line in shown] == ["1", "2", "3", "4", "5", "6"]
    assert "#1-#3 (3)" in shown[2]
    assert "damaged" in shown[3]
    assert "#5 +1" in shown[5]


@pytest.mark.parametrize(("row", "cursor"), [(0, 0), (1, 1), (2, 4), (3, 4), (4, 5), (5, 6)])
def test_a_record_leads_to_just_behind_its_last_event(
    row: int, cursor: int, tmp_path: Path
) -> None:
    assert RecordRows(visit(damaged(), tmp_path)).cursor(row) == cursor


def test_a_record_in_full_is_its_bytes(tmp_path: Path) -> None:
    log = damaged()
    report = RecordRows(visit(log, tmp_path))
    shown = [plain(line) for line in report.lines(2, 80)]
    assert shown[0].startswith("raw record · line 3")
    assert "3 events in one record" in shown
    assert "".join(shown[shown.index("") + 1 :]) == log.lines[2].decode()


def test_it_begins_with_the_record_of_the_event_in_hand(tmp_path: Path) -> None:
    report = RecordRows(visit(damaged(), tmp_path))
    assert [report.record_of(event) for event in (None, 0, 2, 5)] == [0, 1, 2, 5]


def test_while_the_tape_is_folded_there_are_the_records_so_far(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lines_module, "CHUNK", 300)
    inspection = Inspection(opened(session(20), tmp_path))
    report = RecordRows(inspection)
    counts = []
    while inspection.tape.advance():
        counts.append(report.count())
        assert plain(report.line(report.count() - 1, 80))
    assert counts == sorted(counts)
    assert counts[-1] == 21


def test_a_tape_without_a_whole_line_has_one_record_that_is_pending(tmp_path: Path) -> None:
    header = session(0).lines[0]
    inspection = Inspection(folded(header, tmp_path))
    report = RecordRows(inspection)
    assert report.count() == 1
    assert "pending" in plain(report.line(0, 80))
    assert header.decode() in "".join(plain(line) for line in report.lines(0, 400))
    assert report.cursor(0) == 0


def test_the_text_for_a_clipboard_has_a_line_a_record(tmp_path: Path) -> None:
    copied = RecordRows(visit(damaged(), tmp_path)).text().splitlines()
    assert [line.split()[1] for line in copied] == ["1", "2", "3", "4", "5", "6"]
