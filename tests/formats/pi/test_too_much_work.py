"""A tree that would cost more than any session does is followed up to a cursor, which is told."""

from pathlib import Path

import pytest

from inspector.formats.pi import decoder
from inspector.timeline.words import Visibility
from tests.formats.pi.sessions import Json, codes, compaction, edit, opened, surface, text_of, user


def edited_branches(entries: int) -> list[Json]:
    made: list[Json] = [user("root", None)]
    ends = ["root", "root"]
    for at in range(entries):
        side = at % 2
        made += [user(f"b{at}", ends[side]), edit(f"x{at}", f"b{at}", f"b{at}", "other")]
        ends[side] = f"x{at}"
    return made


def compacted_branches(entries: int) -> list[Json]:
    made: list[Json] = [user("root", None)]
    ends = ["root", "root"]
    for at in range(entries):
        side = at % 2
        made += [user(f"b{at}", ends[side]), compaction(f"c{at}", f"b{at}", "root")]
        ends[side] = f"c{at}"
    return made


@pytest.fixture(autouse=True)
def little_work(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decoder, "_MOST_WORK", 5_000)
    monkeypatch.setattr(decoder, "_MORE_WORK", 1)


@pytest.mark.parametrize("made", [edited_branches(200), compacted_branches(200)])
def test_the_fold_stops_and_says_from_where(made: list[Json], tmp_path: Path) -> None:
    tape = opened(text_of(made), tmp_path)
    timeline, stop = tape.timeline, tape.timeline.stopped_at
    assert stop is not None
    assert 10 < stop < timeline.events == len(made)
    (found,) = [one for one in tape.findings() if one.kind.code == "too-much-work"]
    assert (found.event, f"cursor {stop} " in found.message) == (stop, True)
    assert timeline.reliable_to == stop
    assert timeline.visibility(stop, timeline.events) == (Visibility.NOT_APPLIED, None)
    assert surface(tape) == surface(tape, stop)
    assert tape.coverage(timeline.events) is not None


def test_what_stands_before_it_is_as_in_a_file_that_ends_there(tmp_path: Path) -> None:
    made = edited_branches(200)
    tape = opened(text_of(made), tmp_path)
    stop = tape.timeline.stopped_at or 0
    shown = [surface(tape, cursor) for cursor in (stop - 1, stop)]
    short = opened(text_of(made[:stop]), tmp_path)
    assert "too-much-work" not in codes(short)
    assert [surface(short, cursor) for cursor in (stop - 1, stop)] == shown


def test_where_it_stops_is_the_same_however_the_lines_come_and_whoever_asks(tmp_path: Path) -> None:
    made = text_of(edited_branches(200))
    stop = opened(made, tmp_path).timeline.stopped_at
    lines = made.splitlines(keepends=True)
    path = tmp_path / "other.jsonl"
    path.write_bytes(lines[0])
    tape = opened(lines[0], tmp_path, path.name)
    for at in range(1, len(lines), 17):
        with path.open("ab") as file:
            file.write(b"".join(lines[at : at + 17]))
        while tape.advance():
            tape.verdict()
    assert tape.timeline.stopped_at == stop


def test_a_batch_is_short_where_lines_are_much_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(decoder, "_MOST_WORK", 1 << 40)
    monkeypatch.setattr(decoder, "_WORK_AT_ONCE", 1_000)
    tape = opened(b"", tmp_path, "one.jsonl")
    (tmp_path / "one.jsonl").write_bytes(text_of(edited_branches(600)))
    sizes, before = [], 0
    while tape.advance():
        sizes.append(tape.timeline.events - before)
        before = tape.timeline.events
    assert before == 1_201
    assert sizes[0] <= 256
    assert max(sizes[3:]) < 64
