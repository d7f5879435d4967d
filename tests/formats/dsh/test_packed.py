from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.formats.dsh.packed import PackedRow, measure, member
from tests.dsh_tapes import START, Found, Json, Log, codes, findings, folded, line, visibility

SAFE = 2**53 - 1

ROW: Json = {
    "type": "tool-call-chunks",
    "seq0": 11,
    "time0": 1787000000120,
    "data": {
        "turn": 1,
        "step": 1,
        "index": 1,
        "dt": [10, 10],
        "id": "t1c1",
        "name": "bash",
        "args": ['{"comm', 'and":', '"ls"}'],
    },
}
"""The example of the format page, section 1.6."""


def text_row(*texts: Any, **data: Any) -> Json:
    gaps = [10] * (len(texts) - 1)
    body = {"turn": 1, "step": 1, "index": 0, "dt": gaps, "texts": list(texts), **data}
    return {"type": "text-chunks", "seq0": 0, "time0": 100, "data": body}


def test_the_example_of_the_format_page() -> None:
    times = [1787000000120, 1787000000130, 1787000000140]
    assert measure(ROW) == PackedRow(11, times)
    for index, arguments in enumerate(ROW["data"]["args"]):
        assert member(ROW, index) == {
            "type": "assistant/chunk",
            "seq": 11 + index,
            "time": times[index],
            "data": {
                "turn": 1,
                "step": 1,
                "chunk": {
                    "type": "tool-call-delta",
                    "index": 1,
                    "id": "t1c1",
                    "name": "bash",
                    "argumentsDelta": arguments,
                },
            },
        }


@pytest.mark.parametrize(
    ("kind", "delta"), [("text-chunks", "text-delta"), ("reasoning-chunks", "reasoning-delta")]
)
def test_texts_become_deltas(kind: str, delta: str) -> None:
    row = text_row("a", "b") | {"type": kind}
    assert measure(row) == PackedRow(0, [100, 110])
    assert member(row, 1)["data"]["chunk"] == {"type": delta, "index": 0, "text": "b"}


def test_a_name_is_only_there_where_the_row_has_one() -> None:
    row = {**ROW, "data": {key: value for key, value in ROW["data"].items() if key != "name"}}
    assert isinstance(measure(row), PackedRow)
    assert "name" not in member(row, 0)["data"]["chunk"]


def test_one_member_is_enough() -> None:
    assert measure(text_row("a")) == PackedRow(0, [100])


def test_times_may_go_backwards() -> None:
    row = text_row("a", "b", "c", dt=[-50, -60])
    assert measure(row) == PackedRow(0, [100, 50, -10])
    assert [member(row, index)["time"] for index in range(3)] == [100, 50, -10]


def test_numbers_are_doubles() -> None:
    row = text_row("a", "b", turn=1.0, dt=[1e1]) | {"seq0": 7.0, "time0": 1e2}
    assert measure(row) == PackedRow(7, [100, 110])
    assert (member(row, 1)["seq"], member(row, 1)["time"]) == (8, 110)


KEYS = "the keys are not exactly type, seq0, time0, data"
DATA_KEYS = "the keys of data are not exactly dt, index, step, texts, turn"


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        (text_row("a") | {"ignorable": True}, KEYS),
        ({key: value for key, value in text_row("a").items() if key != "time0"}, KEYS),
        (text_row("a") | {"seq": 0}, KEYS),
        (text_row("a") | {"data": None}, "data is not an object"),
        (text_row("a") | {"data": []}, "data is not an object"),
        (text_row("a", more=1), DATA_KEYS),
        (text_row("a", args=["a"]), DATA_KEYS),
        (text_row("a", id="c"), DATA_KEYS),
        (text_row("a") | {"type": "tool-call-chunks"}, "id is not a string"),
        ({**ROW, "data": ROW["data"] | {"id": 7}}, "id is not a string"),
        ({**ROW, "data": ROW["data"] | {"name": None}}, "name is not a string"),
        (text_row("a", texts="a"), "texts is not a list of strings"),
        (text_row("a", 7), "texts is not a list of strings"),
        (text_row("a", None), "texts is not a list of strings"),
        (text_row("a", texts=[]), "texts is empty"),
        (text_row("a", "b", dt=[]), "2 texts but 0 gaps in dt"),
        (text_row("a", dt=[1]), "1 texts but 1 gaps in dt"),
        (text_row("a", dt=None), "1 texts but no gaps in dt"),
        (text_row("a", turn=-1), "turn, step or index is not a whole number"),
        (text_row("a", step="1"), "turn, step or index is not a whole number"),
        (text_row("a", index=True), "turn, step or index is not a whole number"),
        (text_row("a") | {"seq0": -1}, "seq0 or time0 is not a safe whole number"),
        (text_row("a") | {"seq0": "0"}, "seq0 or time0 is not a safe whole number"),
        (text_row("a") | {"time0": 1.5}, "seq0 or time0 is not a safe whole number"),
        (text_row("a", "b") | {"seq0": SAFE}, "seq0 or time0 is not a safe whole number"),
        (text_row("a", "b", dt=[1.5]), "dt holds what is not a whole number"),
        (text_row("a", "b", dt=[True]), "dt holds what is not a whole number"),
        (
            text_row("a", "b", "c", dt=[1, -1]) | {"time0": SAFE},
            "a running time leaves the safe whole numbers",
        ),
    ],
)
def test_what_is_wrong_with_a_row_is_told(row: Json, problem: str) -> None:
    assert measure(row) == problem


natural = st.sampled_from((0, 1, 1, 2, 2.0, 7, -1, True, "1", SAFE))
lists = st.lists(st.sampled_from(("", "a", "b", 1, 5.0, None)), max_size=3)
gaps = st.lists(st.sampled_from((0, 10, -5, 2.0, 1.5, "1", SAFE)), max_size=2)
bodies = st.fixed_dictionaries(
    {"turn": natural, "step": natural, "index": natural, "dt": gaps, "texts": lists},
    optional={"id": lists},
)


@given(st.sampled_from(("text-chunks", "tool-call-chunks")), bodies, natural, natural)
@settings(derandomize=True, deadline=None)
def test_a_row_is_measured_whatever_it_holds(
    kind: str, data: Json, seq: object, time: object
) -> None:
    row = {"type": kind, "seq0": seq, "time0": time, "data": data}
    measured = measure(row)
    if isinstance(measured, PackedRow):
        made = [member(row, index) for index in range(len(measured.times))]
        assert [event["time"] for event in made] == measured.times
        assert [event["seq"] for event in made] == [measured.first + at for at in range(len(made))]


# On a tape.


def test_members_are_events_of_one_record(tmp_path: Path) -> None:
    log = Log()
    log.turn()
    log.packed("a", "b", "c")
    log.turn_end()
    tape = folded(log, tmp_path)
    table = tape.timeline.table
    assert [table.type(event) for event in range(tape.timeline.events)] == [
        "turn/start",
        *["assistant/chunk"] * 3,
        "turn/end",
    ]
    assert [table.record(event) for event in range(5)] == [1, 2, 2, 2, 3]
    assert [table.member(event) for event in range(5)] == [0, 0, 1, 2, 0]
    assert [table.time(event) for event in range(5)] == [START + ms for ms in (10, 20, 30, 40, 50)]
    assert [tape.number(event) for event in range(5)] == [0, 1, 2, 3, 4]
    assert [tape.payload(event)["seq"] for event in range(5)] == [0, 1, 2, 3, 4]
    assert [tape.payload(event)["data"]["chunk"]["text"] for event in (1, 2, 3)] == ["a", "b", "c"]
    assert tape.raw(1) == tape.raw(3) == log.lines[2]
    assert [visibility(tape, event) for event in (1, 2, 3)] == [("log-only", None)] * 3
    sums = tape.sums()
    assert (sums.records, sums.carriers, sums.events) == (4, 3, 5)
    assert findings(tape) == []


def test_a_malformed_row_is_damaged_whole(tmp_path: Path) -> None:
    log = Log()
    log.turn()
    log.raw(line(text_row("a", "b", dt=[])))
    log.user()
    tape = folded(log, tmp_path)
    byte = len(log.lines[0]) + len(log.lines[1]) + 2
    message = "packed row text-chunks: 2 texts but 0 gaps in dt"
    assert findings(tape) == [Found("bad-packed-row", 3, byte, None, message)]
    assert tape.timeline.events == 2
    assert (tape.sums().damaged, tape.sums().carriers) == (1, 2)
    assert tape.timeline.reliable_to == 1


def test_a_row_ahead_of_its_number_is_a_gap_and_counts_on_from_there(tmp_path: Path) -> None:
    log = Log()
    log.turn()
    log.packed("a", "b", seq0=5)
    log.turn_end()
    tape = folded(log, tmp_path)
    assert [tape.number(event) for event in range(4)] == [0, 5, 6, 7]
    assert [(found.code, found.event, found.message) for found in findings(tape)] == [
        ("sequence-gap", 1, "seq 5 follows 0: 4 events missing")
    ]
    assert [visibility(tape, event)[0] for event in range(4)] == ["log-only"] * 4


def test_a_row_that_repeats_numbers_is_rejected_whole(tmp_path: Path) -> None:
    log = Log()
    log.turn()
    log.user()
    log.packed("a", "b", "c", seq0=1)
    log.seq = 2
    log.turn_end()
    tape = folded(log, tmp_path)
    assert [tape.number(event) for event in range(6)] == [0, 1, 1, 2, 3, 2]
    assert codes(tape) == ["sequence-repeat"]
    assert [visibility(tape, event)[0] for event in range(6)] == [
        "log-only",
        "visible",
        *["not-applied"] * 3,
        "log-only",
    ]


def test_a_stream_may_be_cited_by_the_numbers_of_its_members(tmp_path: Path) -> None:
    log = Log()
    log.packed("a", "b", "c")
    message = log.assistant(sourceEventSeqs=[0, 1, 2])
    tape = folded(log, tmp_path)
    nodes = tape.timeline.surface.nodes
    node = nodes.of_event(message)
    assert node is not None
    assert nodes.sources(node) == [0, 1, 2]
