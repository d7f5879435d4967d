from pathlib import Path

from inspector.timeline.marks import Kin
from tests.dsh_tapes import HEADER, Log, folded
from tests.folding import fold_on
from tests.ui.driving import sample


def test_results_are_paired_with_their_calls_in_whatever_order_they_return() -> None:
    tape = sample("parallel-calls")
    fold_on(tape)
    timeline = tape.timeline
    kinds = [timeline.table.type(event) for event in range(timeline.events)]
    calls = [event for event, kind in enumerate(kinds) if kind == "tool/call"]
    results = [event for event, kind in enumerate(kinds) if kind == "tool/result"]
    assert len(calls) > 1
    for call in calls:
        result = timeline.pairs.result_of(call)
        assert result in results
        assert timeline.pairs.call_of(result) == call
        answered = tape.payload(result)["data"]["message"]["source"]["callId"]
        assert answered == tape.payload(call)["data"]["callId"]
    assert timeline.pairs.call_of(calls[0]) is None
    assert timeline.pairs.result_of(results[0]) is None


def test_a_fork_and_a_subagent_name_their_parent(tmp_path: Path) -> None:
    fork = Log(header=HEADER | {"parentSession": "p", "seedLength": 3})
    assert folded(fork, tmp_path).timeline.kin == [Kin("fork", "p", 3)]
    spawned = Log(header=HEADER | {"parentSession": "p", "origin": "subagent"})
    assert folded(spawned, tmp_path).timeline.kin == [Kin("subagent", "p", None)]
    assert folded(Log(), tmp_path).timeline.kin == []
