"""Three histories of a fork: as it was seen, as it was compacted later, and without summaries."""

import json
import random
import tempfile
from pathlib import Path
from typing import Any

import pytest

from inspector.formats.contract import Options
from inspector.formats.planning import How, PlanKind, View
from inspector.plans.plan import Asked
from inspector.timeline.findings import Severity
from tests.dsh_tapes import Log, folded, replace, user_data
from tests.formats.dsh.generated import BAD, GOOD, HEADER, Writer
from tests.formats.dsh.plans import FORK, compacted, fork, lines, made, surface_texts, two_turns
from tests.plans.laws import (
    accounts_for_all,
    carried_out,
    cut_plans,
    gives_its_view,
    opened,
    planned,
)


def offered(log: Log, at: int, folder: Path) -> dict[View, str | None]:
    found = planned(folded(log, folder), Asked(FORK, at)).view
    assert found is not None
    return dict(found.offered)


# As of the cut.


def test_as_of_is_what_the_model_saw(tmp_path: Path) -> None:
    tape = folded(compacted(), tmp_path)
    path = made(fork(tape, 12), tmp_path / "made")
    assert surface_texts(path) == ["list", "I look. → bash ls", "ok", "thanks"]


# Compacted.


def test_a_later_summary_is_copied_behind_the_seed(tmp_path: Path) -> None:
    tape = folded(compacted(), tmp_path)
    draft = fork(tape, 16, View.COMPACTED)
    assert surface_texts(made(draft, tmp_path / "made")) == ["both turns"]
    log = compacted()
    # A second summary, of the first and of the turn behind it: at 19 it is still to come.
    start = log.compaction("second")
    told = log.summary("second", shadowedSeqs=[14, 17], sourceCommandId="cmd", usage={})
    log.checkpoint(14, 17, [start, told, 14, 17], "all three")
    log.compaction_end("second")
    log.turn(4)
    log.turn_end(4)
    tape = folded(log, tmp_path)
    assert "compacted by @" in (offered(log, 19, tmp_path)[View.COMPACTED] or "")
    assert surface_texts(made(fork(tape, 19), tmp_path / "19")) == ["both turns", "more"]


def kept_behind() -> Log:
    """Turn 1, turn 2, then turn 1 is compacted: a cut behind turn 2 keeps its summary."""
    log = two_turns()
    command = {"commandId": "cmd", "name": "compact", "source": {"kind": "user"}}
    log.event("command/run", command)  # 12
    start = log.event(
        "compaction/start", {"compactionId": "c", "sourceCommandId": "cmd", "turn": 2}
    )
    told = log.summary(
        "c",
        sourceCommandId="cmd",
        shadowedRange={"start": 2, "end": 5},
        shadowedSeqs=[2, 3, 5],
        shadowedTokenCount=99,
        provider="deepseek",
        model="flash",
        usage={"inputTokens": 9, "outputTokens": 2},
        rawOutput=[],
        llmStreamCall=True,
        retained=["what is undone"],
    )
    data = user_data("turn one", plugin="compact")
    data["source"] |= {"sourceCommandId": "cmd", "remark": "what is undone"}
    data["remark"] = "what is undone"
    cited = [start, told, 2, 3, 5]
    log.event("user/message", data, surfaceOp=replace(2, 5), sourceEventSeqs=cited)
    log.event("compaction/end", {"compactionId": "c", "turn": 2})
    return log


def test_a_copied_bracket_has_numbers_of_its_own(tmp_path: Path) -> None:
    tape = folded(kept_behind(), tmp_path)
    draft = fork(tape, 12, View.COMPACTED)
    *_, end, start, told, checkpoint, done = lines(draft)
    assert (end["type"], end["seq"]) == ("session/end-seed", 12)
    assert start["data"] == {"compactionId": "c", "turn": None}
    assert start["seq"] == 13
    assert told["data"] == {
        "compactionId": "c",
        "summary": [{"type": "text", "text": "short"}],
        "shadowedRange": {"start": 2, "end": 5},
        "shadowedSeqs": [2, 3, 5],
        "shadowedTokenCount": tape.timeline.tokens(8),
        "provider": "deepseek",
        "model": "flash",
    }
    assert checkpoint["sourceEventSeqs"] == [13, 14, 2, 3, 5]
    assert checkpoint["surfaceOp"] == {"op": "replace", "start": 2, "end": 5}
    assert checkpoint["data"]["source"] == {"kind": "plugin", "plugin": "compact"}
    assert "remark" not in checkpoint["data"]
    assert (done["type"], done["seq"]) == ("compaction/end", 16)
    assert surface_texts(made(draft, tmp_path / "made")) == ["turn one", "thanks"]
    assert (draft.kept, draft.omitted) == (12, {})


def test_a_summary_of_a_summary_comes_to_the_rows_of_the_cut(tmp_path: Path) -> None:
    log = two_turns()
    log.turn(3)
    log.user("more")  # 13
    log.turn_end(3)  # 14
    for name, first, last, hidden in (("a", 2, 5, [2, 3, 5]), ("b", 17, 10, [17, 10])):
        start = log.compaction(name)
        told = log.summary(name, shadowedSeqs=hidden)
        log.checkpoint(first, last, [start, told, *hidden], f"summary {name}")
        log.compaction_end(name)
    tape = folded(log, tmp_path)
    draft = fork(tape, 15, View.COMPACTED)
    checkpoint = lines(draft)[-2]
    assert checkpoint["surfaceOp"] == {"op": "replace", "start": 2, "end": 10}
    assert surface_texts(made(draft, tmp_path / "made")) == ["summary b", "more"]


def test_a_summary_of_what_is_undone_is_no_view(tmp_path: Path) -> None:
    log = compacted()
    tape = folded(log, tmp_path)
    found = planned(tape, Asked(FORK, 9)).view
    assert found is not None
    assert " covers @" in (found.offered[View.COMPACTED] or "")
    assert " covers @" in found.leak
    asked = planned(tape, Asked(FORK, 9, view=View.COMPACTED))
    assert not asked.writes
    assert not asked.is_sound


def test_compacted_is_taken_where_it_is_another_history(tmp_path: Path) -> None:
    tape = folded(kept_behind(), tmp_path)
    chosen = planned(tape, Asked(FORK, 12)).view
    assert chosen is not None
    assert chosen.choice is View.COMPACTED


def test_a_checkpoint_without_a_bracket_is_copied_without_a_summary(tmp_path: Path) -> None:
    log = two_turns()
    log.checkpoint(2, 5, [2, 3, 5], "bare")
    draft = fork(folded(log, tmp_path), 12, View.COMPACTED)
    assert [event["type"] for event in lines(draft)[-3:]] == [
        "compaction/start",
        "user/message",
        "compaction/end",
    ]
    assert surface_texts(made(draft, tmp_path / "made")) == ["bare", "thanks"]


# Originals.


def test_originals_leave_compactions_and_prunes_out(tmp_path: Path) -> None:
    log = Log()
    log.turn()
    log.user("list")
    log.event("tool/call", {"turn": 1, "step": 1, "callId": "c1", "name": "bash"})
    log.result(text="a long result")  # 3
    log.event("compaction/prune", {"shadowedSeqs": [3]})
    log.rewrite(3, "cut")  # 5
    start = log.compaction()
    told = log.summary(shadowedSeqs=[1, 5])
    log.checkpoint(1, 5, [start, told, 1, 5])  # 8
    log.compaction_end()
    log.user("go on", sourceEventSeqs=[8, 1])  # 10
    log.turn_end()
    tape = folded(log, tmp_path)
    draft = fork(tape, 12, View.ORIGINALS)
    assert (draft.kept, draft.omitted) == (6, {"compactions and prunes": 6})
    _, *events = lines(draft)
    assert [event["seq"] for event in events] == list(range(7))
    assert events[4]["sourceEventSeqs"] == [1]
    assert surface_texts(made(draft, tmp_path / "made")) == ["list", "a long result", "go on"]


def test_what_took_the_place_of_a_summary_takes_that_of_the_originals(tmp_path: Path) -> None:
    log = compacted()
    hides = {"surfaceOp": replace(14, 17), "sourceEventSeqs": [14, 17]}
    log.turn(4)
    log.user("instead", **hides)
    log.turn_end(4)
    draft = fork(folded(log, tmp_path), 22, View.ORIGINALS)
    edit = lines(draft)[-3]
    # Numbers behind the four events of the compaction moved up.
    assert edit["surfaceOp"] == {"op": "replace", "start": 2, "end": 13}
    assert edit["sourceEventSeqs"] == [13, 2, 3, 5, 10]
    assert surface_texts(made(draft, tmp_path / "made")) == ["instead"]


def test_a_message_in_the_place_of_a_summary_of_nothing_has_no_originals(tmp_path: Path) -> None:
    log = Log()
    log.event("user/message", user_data("told", plugin="compact"), surfaceOp="append")
    log.user("instead", surfaceOp=replace(0, 0), sourceEventSeqs=[0])
    assert "hides nothing" in (offered(log, 2, tmp_path)[View.ORIGINALS] or "")
    asked = planned(folded(log, tmp_path), Asked(FORK, 2, view=View.ORIGINALS))
    assert not asked.writes
    assert not asked.is_sound


def test_originals_are_as_of_where_nothing_was_shortened(tmp_path: Path) -> None:
    tape = folded(two_turns(), tmp_path)
    assert lines(fork(tape, 9, View.ORIGINALS)) == lines(fork(tape, 9))


def test_a_call_that_would_be_answered_by_the_fork_has_no_view_at_all(tmp_path: Path) -> None:
    log = Log({**HEADER, "version": 4, "isSeeded": False})
    log.turn()
    log.user("hi")
    log.assistant({"type": "tool-call", "id": "c1", "name": "bash", "arguments": "{}"})
    assert all("in no history" in (why or "") for why in offered(log, 3, tmp_path).values())
    assert not any(offered(log, 2, tmp_path).values())


# The law, at random places of random logs.


class Chance(Writer):
    """A writer whose choices are drawn by chance, much faster than by a strategy."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)  # noqa: S311 - the same logs each time
        super().__init__(self._chance.choice)

    def upto(self, most: int) -> int:
        """0 to ``most``, and 0 more often."""
        found = self._chance.randint(0, most)
        return found if self._chance.random() < 0.5 else min(found, 1)

    def one(self, of: Any) -> Any:
        """One of several."""
        return self._chance.choice(list(of))


def written(seed: int, *, damage: bool) -> bytes:
    writer = Chance(seed)
    writer.lines.append(json.dumps(HEADER).encode())
    deeds = (*GOOD, *GOOD, *BAD) if damage else GOOD
    for _ in range(25):
        getattr(writer, writer.one(deeds))()
    return b"".join(line + b"\n" for line in writer.lines)


@pytest.mark.parametrize("damage", [False, True])
def test_every_view_that_is_offered_is_given(damage: bool, tmp_path: Path) -> None:
    seen: set[View] = set()
    for seed in range(8):
        path = tmp_path / f"{seed}.jsonl"
        path.write_bytes(written(seed, damage=damage))
        with opened(path, Options()) as tape:
            chance = random.Random(seed)  # noqa: S311 - the same places each time
            for at in chance.choices(range(tape.timeline.events + 1), k=2):
                for found in cut_plans(tape, at):
                    if found.kind is PlanKind.REWIND:
                        continue
                    with tempfile.TemporaryDirectory() as folder:
                        gives(tape, found, Path(folder))
                    assert found.view is not None
                    seen.add(found.view.choice)
    assert seen == set(View)


def gives(tape: Any, found: Any, folder: Path) -> None:
    accounts_for_all(tape, found)
    gives_its_view(tape, found, folder, Options())
    if found.is_sound:
        with opened(carried_out(found, folder)[0], Options()) as copy:
            assert copy.verdict().opens is True
            assert not [one for one in copy.findings() if one.kind.severity is Severity.ERROR]


def test_sample_tapes_keep_the_law(tmp_path: Path) -> None:
    samples = Path(__file__).parents[3] / "sample_tapes"
    chance = random.Random(1)  # noqa: S311 - the same places each time
    names = ("compaction", "nested-compaction", "prune", "overflow-recovery", "recovered")
    paths = [samples / f"{name}.jsonl" for name in names]
    for path in (*paths, samples / "version-4.session.v4.jsonl", samples / "torn-frame.jsonl.zstd"):
        with opened(path, Options()) as tape:
            cuts = tape.planner().cuts(FORK, How.CREATE)
            legal = [at for at in range(tape.timeline.events + 1) if cuts.legal(at)]
            for at in chance.sample(legal, 1):
                for found in cut_plans(tape, at):
                    gives(tape, found, tmp_path / path.name)
