"""How plans can be written, and why not; where new logs lie and what they are called."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from inspector.formats.codex.header import Header
from inspector.formats.codex.planning.naming import ahead, target
from inspector.formats.codex.planning.planner import CodexPlanner
from inspector.formats.codex.reading import CodexTape
from inspector.formats.contract import Options
from inspector.formats.opening import open_tape
from inspector.formats.planning import How, Making, PlanError, PlanKind, Problem
from inspector.formats.stamps import stamp
from inspector.plans.plan import Asked
from tests.folding import fold_on, keep
from tests.formats.codex import tapes
from tests.formats.codex.planned import PLAIN, fork, rewind
from tests.plans.laws import planned
from tests.tape.packed import frame

TIME = 1_790_000_000_123
"""2026-09-21, 14:13:20.123 in Greenwich."""

LOCAL = "rollout-2026-03-01T11-00-00"
"""The name of a log that began at nine in Greenwich, as `tapes.meta` says."""


def reasons(tape: CodexTape, kind: PlanKind) -> tuple[str | None, str | None]:
    """Why nothing is appended, and why nothing is made."""
    ways = tape.planner().ways(kind)
    return ways[How.APPEND], ways[How.CREATE]


def test_the_ways_of_a_plain_log(tmp_path: Path) -> None:
    planner = tapes.folded(tmp_path, *PLAIN).planner()
    assert isinstance(planner, CodexPlanner)
    open_ways = {
        kind: [how for how, why in planner.ways(kind).items() if why is None] for kind in PlanKind
    }
    assert open_ways == {
        PlanKind.FORK: [How.CREATE],
        PlanKind.REWIND: [How.APPEND, How.CREATE],
        PlanKind.COMPACT: [How.CREATE],
        PlanKind.REPAIR: [How.CREATE],
        PlanKind.RESUME: [How.APPEND],
    }
    assert [planner.code(problem) for problem in Problem] == [None, None, None]
    assert planner.restorable(0) == ()


@pytest.mark.parametrize(
    ("header", "why"),
    [
        (tapes.meta(history_mode="paginated"), "the thread is kept in pages"),
        (tapes.meta(history_mode="legacy"), None),
        (tapes.meta(history_mode="new\x1b[2J"), "Codex refuses the log: unknown history mode new"),
        (tapes.meta(history_base={"thread_id": "t"}), "it goes on from another log"),
        (tapes.user("q"), "the log does not say which thread it is"),
        ({"type": "session_meta", "payload": {"cwd": "/w"}}, "does not say which thread it is"),
    ],
)
def test_what_a_header_says_of_cutting(
    tmp_path: Path, header: dict[str, Any], why: str | None
) -> None:
    tape = tapes.folded(tmp_path, *PLAIN, header=header)
    for reason in reasons(tape, PlanKind.REWIND):
        assert (reason is None) == (why is None)
        assert reason is None or (why is not None and why in reason and "\x1b" not in reason)
    if why is not None:
        with pytest.raises(PlanError, match="cannot be done by create"):
            fork(tape, 0)
        with pytest.raises(PlanError):
            planned(tape, Asked(PlanKind.COMPACT))


@pytest.mark.parametrize(
    "header",
    [
        tapes.meta(),
        tapes.meta(history_mode="paginated"),
        tapes.meta(history_base={"thread_id": "t"}),
        tapes.user("q"),
    ],
)
def test_a_reason_fits_in_a_line_of_the_screen(tmp_path: Path, header: dict[str, Any]) -> None:
    planner = tapes.folded(tmp_path, *PLAIN, header=header).planner()
    for kind in PlanKind:
        for why in planner.ways(kind).values():
            assert why is None or len(f"{kind.value}: no, {why}") <= 70


def test_a_log_of_the_older_era_is_not_cut(tmp_path: Path) -> None:
    bare = b'{"id":"a","timestamp":"2025-03-01T09:00:00.000Z","instructions":null}\n'
    item = b'{"type":"message","role":"user","content":[{"type":"input_text","text":"q"}]}\n'
    tape = tapes.fold_on(tapes.over(tmp_path / "rollout.jsonl", bare + item))
    assert all("of an older release" in str(why) for why in reasons(tape, PlanKind.REWIND))


def append_reason(tape: CodexTape) -> str | None:
    append, create = reasons(tape, PlanKind.REWIND)
    assert create is None
    with pytest.raises(PlanError, match="cannot be done by append"):
        rewind(tape, 0)
    assert planned(tape, Asked(PlanKind.REWIND, 4)).how is How.CREATE
    return append


def test_nothing_is_appended_behind_a_torn_line(tmp_path: Path) -> None:
    data = tapes.text([tapes.meta(), *PLAIN]) + b'{"timestamp":"20'
    tape = tapes.fold_on(tapes.over(tmp_path / "rollout.jsonl", data))
    assert append_reason(tape) == "what is appended would become a part of a torn line"


def test_nothing_is_appended_to_a_log_that_the_owner_refuses(tmp_path: Path) -> None:
    data = tapes.text([tapes.meta(), *PLAIN]) + b'{"a":"\xff"}\n'
    tape = tapes.fold_on(tapes.over(tmp_path / "rollout.jsonl", data))
    assert str(append_reason(tape)).startswith("Codex refuses the log: stream did not contain")


def test_nothing_is_appended_to_a_packed_log(tmp_path: Path) -> None:
    path = tmp_path / "rollout-x.jsonl.zst"
    path.write_bytes(frame(tapes.text([tapes.meta(), *PLAIN])))
    tape = open_tape(path, Options())
    assert isinstance(tape, CodexTape)
    fold_on(keep(tape))
    assert append_reason(tape) == "Codex unpacks a packed log before it goes on in it"


def test_nothing_is_appended_where_the_fold_stopped(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from inspector.formats.codex import history

    monkeypatch.setattr(history, "_WORK", -1)
    monkeypatch.setattr(history, "_WORK_PER_EVENT", 0)
    compact = tapes.turn("c", tapes.compacted(tapes.message("user", "S")))
    tape = tapes.folded(tmp_path, *PLAIN, *compact, tapes.rolled_back(1))
    assert append_reason(tape) == "the fold stops: what a rollback would leave is unknown"


def test_nothing_is_appended_to_what_is_no_file_of_its_own(tmp_path: Path) -> None:
    from inspector.tape.source import FileSource

    path = tmp_path / "rollout.jsonl"
    path.write_bytes(tapes.text([tapes.meta(), *PLAIN]))
    with path.open("rb") as stream:
        tape = CodexTape(FileSource.of_stream(stream, path), Options())
    assert append_reason(fold_on(keep(tape))) == "the log is no file of its own"


# Where and what it is called.


def test_times_are_written_as_the_owner_writes_them() -> None:
    assert stamp(TIME) == "2026-09-21T14:13:20.123Z"
    assert stamp(0) == "1970-01-01T00:00:00.000Z"


def named(folder: Sequence[str], name: str, created: int | None = 1_772_355_600_000) -> Path:
    path = Path("/home", *folder, name)
    return target(path, Header(id="p", created=created), "new", TIME)


DAY = ("codex", "sessions", "2026", "03", "01")


@pytest.mark.parametrize(
    ("folder", "name", "expected"),
    [
        (DAY, "rollout-2026-03-01T09-00-00-p.jsonl", "codex/sessions/2026/09/21 14-13-20"),
        (DAY, f"{LOCAL}-p.jsonl.zst", "codex/sessions/2026/09/21 16-13-20"),
        (DAY, "rollout-2026-03-01T22-30-00-p.jsonl", "codex/sessions/2026/09/22 03-43-20"),
        (DAY, "rollout-2026-03-01T09-07-00-p.jsonl", "codex/sessions/2026/09/21 14-13-20"),
        (DAY, "rollout-2026-99-01T09-07-00-p.jsonl", "codex/sessions/2026/09/21 14-13-20"),
        (DAY, "mine.jsonl", "codex/sessions/2026/09/21 14-13-20"),
        (("codex", "archived_sessions"), "mine.jsonl", "codex/sessions/2026/09/21 14-13-20"),
        (("else", "2026", "03", "01"), "mine.jsonl", "else/2026/03/01 14-13-20"),
        (("else",), f"{LOCAL}-p.jsonl", "else 16-13-20"),
    ],
)
def test_a_new_log_lies_where_the_owner_looks_for_it(
    folder: tuple[str, ...], name: str, expected: str
) -> None:
    found = named(folder, name)
    parent, time = expected.split(" ")
    assert found.parent == Path("/home", parent)
    assert found.name.startswith("rollout-2026-09-2")
    assert found.name.endswith(f"T{time}-new.jsonl")


def test_local_time_is_unknown_without_a_header_that_has_one() -> None:
    assert ahead(Path(f"{LOCAL}-p.jsonl"), Header(created=None)) == 0
    assert ahead(Path(f"{LOCAL}-p.jsonl"), Header(created=1_772_355_600_000)) == 7_200


def test_a_plan_names_the_file_that_would_be_made(tmp_path: Path) -> None:
    folder = tmp_path / "sessions" / "2026" / "03" / "01"
    folder.mkdir(parents=True)
    tape = tapes.over(folder / f"{LOCAL}-{tapes.THREAD}.jsonl", tapes.text([tapes.meta(), *PLAIN]))
    plan = fork(tapes.fold_on(tape), 4)
    name = "rollout-2026-09-21T16-13-20-0c9e6d0e-8a77-4f6e-9a55-3c1d7f2b9a10.jsonl"
    assert plan.writes[0][0].to == tmp_path / "sessions" / "2026" / "09" / "21" / name
    assert plan.remarks == ()
    other = fork(tapes.folded(tmp_path, *PLAIN), 4)
    assert other.writes[0][0].to == tmp_path / name.replace("T16", "T14")
    assert other.remarks == (
        "the log lies outside of Codex's folders; the new one would lie beside it",
    )


def test_the_same_making_gives_the_same_ids() -> None:
    making = Making("a", 0)
    assert making.derived("turn") == making.derived("turn") != making.derived("other")
