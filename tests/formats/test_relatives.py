"""The tapes that belong to a tape, as far as they are near it."""

import shutil
from pathlib import Path

import pytest

from inspector.export.kin import kin
from inspector.formats.contract import Options
from inspector.formats.opening import open_tape
from inspector.formats.relatives import Relative, relatives
from tests.commands import SAMPLES
from tests.dsh_tapes import HEADER, Log
from tests.guarding import guarded

CLAUDE = "claude/7c1d0a52-3b8e-4f60-9a17-5e2c64b90d31"
CODEX = "codex/rollout-2026-05-04T09-00-00-019d4b20-1c00-7000-8000-0000000000a1.jsonl"
CODEX_FORK = "codex/rollout-2026-05-05T09-00-00-019d5046-7800-7000-8000-0000000000b2.jsonl"


@pytest.fixture
def tmp_path(tmp_path: Path) -> Path:
    """A folder so deep that the search, which goes upwards, finds no other test's files."""
    folder = tmp_path.joinpath("one", "two", "three", "logs")
    folder.mkdir(parents=True)
    return folder


def found(path: Path, session: str | None = None) -> list[Relative]:
    with guarded(path):
        tape = open_tape(path, Options(session=session))
        try:
            while tape.advance():
                pass
            return relatives(tape, [(one["relation"], one["tape"]) for one in kin(tape)])
        finally:
            tape.close()


def briefly(path: Path, session: str | None = None) -> list[tuple[str, str, str | None]]:
    return [(one.relation, one.path.name, one.session) for one in found(path, session)]


@pytest.mark.parametrize(
    ("tape", "session", "there"),
    [
        ("zero/lantern-fork", None, [("fork", "lantern", None)]),
        ("zero/lantern", None, [("child", "lantern-fork", None)]),
        (CODEX_FORK, None, [("fork", CODEX.removeprefix("codex/"), None)]),
        (CODEX, None, [("child", CODEX_FORK.removeprefix("codex/"), None)]),
        (f"{CLAUDE}.jsonl", None, [("subagent", "agent-b7e1.jsonl", None)]),
        (
            f"{CLAUDE}/subagents/agent-b7e1.jsonl",
            None,
            [("parent", CLAUDE.removeprefix("claude/") + ".jsonl", None)],
        ),
        (
            "deepchat.db",
            "sample-orchard",
            [
                ("subagent", "deepchat.db", "sample-frost"),
                ("child", "deepchat.db", "sample-orchard::fork::weekly"),
            ],
        ),
        ("lives.jsonl", None, []),
        ("demo.jsonl", None, []),
    ],
)
def test_the_relatives_of_the_samples(
    tape: str, session: str | None, there: list[tuple[str, str, str | None]]
) -> None:
    assert briefly(SAMPLES / tape, session) == there


def fork_of(parent: str, name: str = "fork") -> bytes:
    log = Log({**HEADER, "id": name, "parentSession": parent})
    log.user("elsewhere")
    return bytes(log)


def test_a_session_in_a_folder_of_its_own_is_found_beside_that(tmp_path: Path) -> None:
    for name, data in (("session", bytes(Log())), ("fork", fork_of("session"))):
        (tmp_path / name).mkdir()
        (tmp_path / name / "session.jsonl").write_bytes(data)
    assert [(one.relation, one.name) for one in found(tmp_path / "fork")] == [("child", "session")]
    assert [(one.relation, one.name) for one in found(tmp_path / "session")] == [("child", "fork")]


def test_logs_of_other_days_are_found(tmp_path: Path) -> None:
    days = {CODEX: tmp_path / "2026" / "05" / "04", CODEX_FORK: tmp_path / "2026" / "05" / "05"}
    for name, day in days.items():
        day.mkdir(parents=True)
        shutil.copy(SAMPLES / name, day)
    assert briefly(days[CODEX_FORK] / Path(CODEX_FORK).name) == [("fork", Path(CODEX).name, None)]


def test_a_name_that_only_holds_the_id_is_no_relative(tmp_path: Path) -> None:
    fork = tmp_path / "fork.jsonl"
    fork.write_bytes(fork_of("session"))
    (tmp_path / "session2.jsonl").write_bytes(bytes(Log({**HEADER, "id": "session2"})))
    (tmp_path / "session.txt").write_bytes(b"no tape\n")
    assert found(fork) == []


def test_a_search_that_is_stopped_ends(tmp_path: Path) -> None:
    for at in range(5):
        (tmp_path / f"{at}.jsonl").write_bytes(fork_of("session", f"fork-{at}"))
    tape = open_tape(tmp_path / "0.jsonl", Options())
    while tape.advance():
        pass
    assert relatives(tape, [], lambda: False) == []
    tape.close()
