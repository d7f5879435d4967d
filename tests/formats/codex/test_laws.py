"""Laws 1, 2 and 5 for logs that rewrite their history in every way."""

from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.formats.codex.reading import CodexTape
from inspector.timeline.words import Mark, SpanKind
from tests.formats.codex import owner, tapes
from tests.formats.codex.tapes import Record
from tests.visibility import contradictions

_NAMES = ("t0", "t1", "t2", "t3")
_ENVIRONMENT = "<environment_context>here</environment_context>"
_PERMISSIONS = "<permissions instructions>ask</permissions instructions>"


class Writer:
    """Writes whatever is drawn, with texts of its own so that each message is told apart."""

    def __init__(self, draw: st.DataObject) -> None:
        self._draw = draw
        self._said: list[dict[str, Any]] = []
        self.records: list[Record] = []

    def write(self, length: int) -> None:
        for number in range(length):
            choice = self._draw.draw(st.sampled_from(_CHOICES))
            self.records += self._records(choice, f"{choice} {number}")

    def _name(self) -> str:
        return self._draw.draw(st.sampled_from(_NAMES))

    def _records(self, choice: str, text: str) -> list[Record]:
        match choice:
            case "start":
                return [tapes.started(self._name())]
            case "done":
                return [tapes.done(self._name())]
            case "abort":
                return [tapes.aborted(self._name())]
            case "settings":
                return [tapes.context(self._name())]
            case "back":
                return [tapes.rolled_back(self._draw.draw(st.integers(0, 4)))]
            case "heard":
                return [tapes.heard(text)]
            case "legacy":
                return [tapes.summarised(text)]
            case "compact":
                return [tapes.compacted(*self._history(text))]
            case "agent":
                parts = [tapes.part(text)]
                return [tapes.item("agent_message", author="a", recipient="b", content=parts)]
            case "call":
                return [self._kept(tapes.call(self._name(), text))]
            case "output":
                return [self._kept(tapes.output(self._name(), text))]
        return [self._message(choice, text)]

    def _message(self, choice: str, text: str) -> Record:
        roles = {"environment": "user", "permissions": "developer"}
        fixed = {"environment": _ENVIRONMENT, "permissions": _PERMISSIONS}
        role = roles.get(choice, choice)
        record = tapes.said(role, *((fixed.get(choice, text),) if choice != "parts" else ()))
        if choice == "parts":
            record = tapes.user(text, "and more")
        return self._kept(record)

    def _kept(self, record: Record) -> Record:
        self._said.append(record["payload"])
        return record

    def _history(self, text: str) -> list[dict[str, Any]]:
        """Some of what was said before, in any order, some of it less, and a summary."""
        some = st.lists(st.sampled_from(self._said), max_size=4) if self._said else st.just([])
        kept = [self._as_stored(item) for item in self._draw.draw(some)]
        prefix = self._draw.draw(st.sampled_from(["", tapes.PREFIX]))
        summary = [tapes.message("user", prefix + text)]
        return [*kept, *self._draw.draw(st.sampled_from([summary, [], [*summary, *kept]]))]

    def _as_stored(self, item: dict[str, Any]) -> dict[str, Any]:
        if "output" not in item or not self._draw.draw(st.booleans()):
            return item
        return {**item, "output": "[removed]"}


_CHOICES = (
    *("start", "done", "abort", "settings", "back", "back", "heard", "legacy", "compact"),
    *("compact", "agent", "user", "user", "parts", "assistant", "environment", "permissions"),
    *("call", "output", "output"),
)


LAW: Final = settings(max_examples=50, deadline=None)

Factory = pytest.TempPathFactory


def drawn(data: st.DataObject, length: int) -> list[Record]:
    writer = Writer(data)
    writer.write(length)
    return writer.records


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


@given(st.data(), st.integers(1, 40))
@LAW
def test_every_cursor_shows_what_the_owner_rebuilds(
    tmp_path_factory: Factory, data: st.DataObject, length: int
) -> None:
    records = drawn(data, length)
    tape = tapes.folded(tmp_path_factory.mktemp("log"), *records)
    for cursor in range(len(records) + 1):
        wanted = [owner.plain(item) for item in owner.rebuilt(records[:cursor])]
        assert rows(tape, cursor) == wanted, cursor
    tape.close()


@given(st.data(), st.integers(1, 40))
@LAW
def test_no_word_contradicts_the_surface(
    tmp_path_factory: Factory, data: st.DataObject, length: int
) -> None:
    records = drawn(data, length)
    tape = tapes.folded(tmp_path_factory.mktemp("log"), *records)
    for cursor in range(len(records) + 1):
        assert list(contradictions(tape.timeline, cursor)) == []
    tape.close()


@given(st.data(), st.integers(1, 30))
@LAW
def test_a_cursor_shows_what_a_log_that_ends_there_shows(
    tmp_path_factory: Factory, data: st.DataObject, length: int
) -> None:
    records = drawn(data, length)
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


@given(st.data(), st.integers(1, 30))
@LAW
def test_a_log_that_grows_says_what_a_whole_one_says(
    tmp_path_factory: Factory, data: st.DataObject, length: int
) -> None:
    records = drawn(data, length)
    everything = tapes.text([tapes.meta(), *records])
    folder: Path = tmp_path_factory.mktemp("log")
    cuts = data.draw(st.lists(st.integers(0, len(everything)), max_size=6))
    growing = tapes.over(folder / "growing.jsonl", b"")
    written = 0
    for cut in (*sorted(cuts), len(everything)):
        with (folder / "growing.jsonl").open("ab") as file:
            file.write(everything[written:cut])
        written = cut
        tapes.fold_on(growing)
    whole = tapes.fold_on(tapes.over(folder / "whole.jsonl", everything))
    assert answers(growing) == answers(whole)
    growing.close()
    whole.close()


@given(st.data(), st.integers(2, 30))
@LAW
def test_a_bad_line_changes_nothing(
    tmp_path_factory: Factory, data: st.DataObject, length: int
) -> None:
    records = drawn(data, length)
    lines = tapes.lines([tapes.meta(), *records])
    at = data.draw(st.integers(1, len(lines)))
    bad = data.draw(st.sampled_from([b"{", b"", b"[1]", b'"a"', b'{"a":1', b"\x00\x00", b"}{"]))
    damaged = b"\n".join([*lines[:at], bad, *lines[at:]]) + b"\n"
    folder = tmp_path_factory.mktemp("log")
    broken = tapes.fold_on(tapes.over(folder / "broken.jsonl", damaged))
    assert broken.timeline.events == len(records)
    assert broken.records() == len(lines) + 1
    head = len(records)
    assert rows(broken, head) == [owner.plain(item) for item in owner.rebuilt(records)]
    broken.close()
