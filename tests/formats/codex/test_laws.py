"""Laws 1, 2 and 5 for logs that rewrite their history in every way."""

from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.formats.codex.reading import CodexTape
from inspector.timeline.words import Mark, SpanKind
from tests.folding import fold_on
from tests.formats.codex import owner, tapes
from tests.formats.codex.generated import logs
from tests.formats.codex.tapes import Record
from tests.visibility import contradictions

LAW: Final = settings(max_examples=50, deadline=None)

Factory = pytest.TempPathFactory


def rows(tape: CodexTape, cursor: int) -> list[tuple[str, str | None, str, str | None]]:
    return [owner.plain(tape.item(row.node)) for row in tape.timeline.rows(cursor)]


def names(tape: CodexTape, cursor: int) -> list[tuple[int, int, int]]:
    """The rows of a surface by what names them: origin, part and form."""
    nodes = tape.timeline.surface.nodes
    return [
        (nodes.origin(row.node), nodes.part(row.node), nodes.form(row.node))
        for row in tape.timeline.rows(cursor)
    ]


def answers(tape: CodexTape) -> dict[str, Any]:
    """What a tape says of every cursor and as a whole."""
    timeline = tape.timeline
    cursors = range(timeline.events + 1)
    return {
        "rows": [names(tape, cursor) for cursor in cursors],
        "visibility": [
            [timeline.visibility(event, cursor) for event in range(cursor)] for cursor in cursors
        ],
        "state": [timeline.registers.state(cursor) for cursor in cursors],
        "settled": [timeline.settled.at(cursor) for cursor in cursors],
        "marks": [list(timeline.marks.events(mark)) for mark in Mark],
        "open": [
            [list(timeline.spans[kind].open_at(cursor)) for kind in SpanKind] for cursor in cursors
        ],
        "findings": [(found.kind.code, found.event, found.message) for found in tape.findings()],
        "replacements": list(timeline.replacements),
    }


@given(logs())
@LAW
def test_every_cursor_shows_what_the_owner_rebuilds(
    tmp_path_factory: Factory, records: list[Record]
) -> None:
    tape = tapes.folded(tmp_path_factory.mktemp("log"), *records)
    for cursor in range(len(records) + 1):
        wanted = [owner.plain(item) for item in owner.rebuilt(records[:cursor])]
        assert rows(tape, cursor) == wanted, cursor
    tape.close()


@given(logs())
@LAW
def test_no_word_contradicts_the_surface(tmp_path_factory: Factory, records: list[Record]) -> None:
    tape = tapes.folded(tmp_path_factory.mktemp("log"), *records)
    for cursor in range(len(records) + 1):
        assert list(contradictions(tape.timeline, cursor)) == []
    tape.close()


@given(logs(most=30), st.data())
@LAW
def test_a_cursor_shows_what_a_log_that_ends_there_shows(
    tmp_path_factory: Factory, records: list[Record], data: st.DataObject
) -> None:
    whole = tapes.folded(tmp_path_factory.mktemp("whole"), *records)
    cut = data.draw(st.integers(0, len(records)))
    part = tapes.folded(tmp_path_factory.mktemp("part"), *records[:cut])
    assert names(part, cut) == names(whole, cut)
    seen = whole.timeline
    for event in range(cut):
        assert part.timeline.visibility(event, cut) == seen.visibility(event, cut)
    assert part.timeline.registers.state(cut) == seen.registers.state(cut)
    whole.close()
    part.close()


@given(logs(most=30), st.data())
@LAW
def test_a_log_that_grows_says_what_a_whole_one_says(
    tmp_path_factory: Factory, records: list[Record], data: st.DataObject
) -> None:
    everything = tapes.text([tapes.meta(), *records])
    folder: Path = tmp_path_factory.mktemp("log")
    cuts = data.draw(st.lists(st.integers(0, len(everything)), max_size=6))
    growing = tapes.over(folder / "growing.jsonl", b"")
    written = 0
    for cut in (*sorted(cuts), len(everything)):
        with (folder / "growing.jsonl").open("ab") as file:
            file.write(everything[written:cut])
        written = cut
        fold_on(growing)
    whole = fold_on(tapes.over(folder / "whole.jsonl", everything))
    assert answers(growing) == answers(whole)
    growing.close()
    whole.close()


@given(logs(least=2, most=30), st.data())
@LAW
def test_a_bad_line_changes_nothing(
    tmp_path_factory: Factory, records: list[Record], data: st.DataObject
) -> None:
    lines = tapes.lines([tapes.meta(), *records])
    at = data.draw(st.integers(1, len(lines)))
    bad = data.draw(st.sampled_from([b"{", b"", b"[1]", b'"a"', b'{"a":1', b"\x00\x00", b"}{"]))
    damaged = b"\n".join([*lines[:at], bad, *lines[at:]]) + b"\n"
    folder = tmp_path_factory.mktemp("log")
    broken = fold_on(tapes.over(folder / "broken.jsonl", damaged))
    assert broken.timeline.events == len(records)
    assert broken.records() == len(lines) + 1
    head = len(records)
    assert rows(broken, head) == [owner.plain(item) for item in owner.rebuilt(records)]
    broken.close()
