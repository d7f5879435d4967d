"""What all of a session tells of it."""

import gzip
from pathlib import Path

from inspector.formats.contract import Options
from inspector.library.finding import find
from inspector.library.roots import given
from inspector.library.row import Row
from inspector.ui.library.facts import facts_of
from inspector.ui.library.learned import Facts
from tests.guarding import guarded
from tests.ui.driving import SAMPLES


def read(path: Path, unpacked: int | None = None) -> tuple[Row, Facts]:
    with guarded(path):
        (row,) = find(given([path]))
        facts = facts_of(row, Options(unpacked=unpacked), lambda: True)
    assert facts is not None
    return row, facts


def test_a_session_that_is_read_to_its_end_is_counted() -> None:
    _, facts = read(SAMPLES / "demo.jsonl")
    assert (facts.events, facts.opens, facts.part) == (434, True, False)


def test_one_that_is_not_unpacked_to_its_end_is_read_in_part(tmp_path: Path) -> None:
    path = tmp_path / "demo.jsonl.gz"
    path.write_bytes(gzip.compress((SAMPLES / "demo.jsonl").read_bytes()))
    row, facts = read(path, 20_000)
    assert facts.part
    assert 0 < (facts.events or 0) < 434
    assert "; read in part: unpacking stops at byte " in (facts.reason or "")
    assert facts.told_by(row).estimated


def test_one_whose_stream_is_cut_is_read_in_part(tmp_path: Path) -> None:
    path = tmp_path / "demo.jsonl.gz"
    path.write_bytes(gzip.compress((SAMPLES / "demo.jsonl").read_bytes())[:-2_000])
    row, facts = read(path)
    assert facts.part
    assert "; read in part: gzip stream ends early" in (facts.reason or "")
    assert facts.told_by(row).estimated


def test_nobody_waits_for_what_was_left() -> None:
    with guarded(SAMPLES):
        (row,) = find(given([SAMPLES / "demo.jsonl"]))
        assert facts_of(row, Options(), lambda: False) is None


def test_titles_are_told_by_the_rule_of_the_list(tmp_path: Path) -> None:
    path = tmp_path / "agent.jsonl"
    (sample,) = (SAMPLES / "claude").glob("*.jsonl")
    for said, shown in (("  one\\r\\n\\ttwo  ", "one two"), ("    ", None)):
        title = f'{{"type":"custom-title","customTitle":"{said}","sessionId":"{sample.stem}"}}\n'
        path.write_bytes(sample.read_bytes() + title.encode())
        row, facts = read(path)
        assert facts.title == shown
        assert facts.told_by(row).title == (shown or row.title)
        assert row.title.strip()
