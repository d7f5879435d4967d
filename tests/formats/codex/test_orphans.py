"""Outputs that the owner leaves out of its requests are told."""

from pathlib import Path

import pytest

from inspector.timeline.words import SpanKind
from tests.formats.codex import tapes
from tests.formats.codex.tapes import Record, call, compacted, item, message, output, user

CUSTOM = item("custom_tool_call", name="patch", input="x", call_id="c")
CUSTOM_OUTPUT = item("custom_tool_call_output", output="x", call_id="c")
LOCAL = item("local_shell_call", call_id="c", action={"command": ["ls"]})
SEARCHED = item("tool_search_output", call_id="c", tools=[])
BY_SERVER = item("tool_search_output", call_id="c", tools=[], execution="server")


def told(folder: Path, *records: Record) -> list[int | None]:
    """The events of which it is told; what of them is dropped from the request is the same."""
    tape = tapes.folded(folder, *records)
    nodes = tape.timeline.surface.nodes
    dropped = [
        nodes.origin(entry.node)
        for entry in tape.request(len(records))
        if entry.note == "dropped" and entry.node is not None
    ]
    found = [found.event for found in tape.findings() if found.kind.code == "orphan-output"]
    assert found == dropped
    return list(found)


@pytest.mark.parametrize(
    "records",
    [
        [call("c"), output("c")],
        [call("c"), output("c"), output("c")],
        [LOCAL, output("c")],
        [CUSTOM, CUSTOM_OUTPUT],
        [BY_SERVER],
        [call("c"), user("q"), compacted(message("user", "q"), call("c")["payload"]), output("c")],
        [user("q"), call("c"), tapes.answer("a"), tapes.rolled_back(0), output("c")],
    ],
)
def test_an_output_of_a_call_that_is_there_is_none(tmp_path: Path, records: list[Record]) -> None:
    assert told(tmp_path, *records) == []


@pytest.mark.parametrize(
    "records",
    [
        [output("c")],
        [CUSTOM, output("c")],
        [call("c"), CUSTOM_OUTPUT],
        [call("other"), output("c")],
        [call("c"), compacted(message("user", "s")), output("c")],
        [user("q"), call("c"), tapes.rolled_back(1), output("c")],
        [SEARCHED],
    ],
)
def test_an_output_of_no_call_that_is_there_is_one(tmp_path: Path, records: list[Record]) -> None:
    assert told(tmp_path, *records) == [len(records) - 1]


def test_only_so_many_are_searched_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("inspector.formats.codex.effects.orphans._SEARCHES", 3)
    tape = tapes.folded(tmp_path, *(output(f"c{at}") for at in range(5)))
    assert tapes.codes(tape) == ["orphan-output"] * 3


# Calls that come later.


def paired(folder: Path, *records: Record) -> list[tuple[int, int]]:
    """Calls and what answers each."""
    return list(tapes.folded(folder, *records).timeline.pairs.all())


@pytest.mark.parametrize(
    ("records", "pairs"),
    [
        ([output("c"), call("c")], [(1, 0)]),
        ([CUSTOM_OUTPUT, CUSTOM], [(1, 0)]),
        ([output("c"), LOCAL], [(1, 0)]),
        ([output("c"), output("d"), call("c"), call("d")], [(2, 0), (3, 1)]),
        ([call("x"), output("c"), output("x"), call("c")], [(0, 2), (3, 1)]),
        ([output("c"), output("c"), call("c")], [(2, 0), (2, 1)]),
        ([output("c"), call("c"), output("c")], [(1, 0), (1, 2)]),
        ([call("c"), output("c"), output("c")], [(0, 1), (0, 2)]),
        ([output("c"), CUSTOM], []),
        ([output("c"), call("d")], []),
        ([user("q"), output("c"), tapes.rolled_back(1), call("c")], []),
        ([SEARCHED, call("c")], []),
    ],
)
def test_an_output_belongs_to_its_call_wherever_it_stands(
    tmp_path: Path, records: list[Record], pairs: list[tuple[int, int]]
) -> None:
    assert paired(tmp_path, *records) == pairs


def test_nobody_waits_for_an_output_that_stands_before_its_call(tmp_path: Path) -> None:
    tape = tapes.folded(tmp_path, user("q"), output("c"), call("c"), user("x"))
    assert tape.timeline.settled.at(4)
    (span,) = map(tape.timeline.spans[SpanKind.TOOL_CALL].__getitem__, range(1))
    assert (span.opened, span.closed) == (3, 3)
