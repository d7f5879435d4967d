import json
from pathlib import Path

import pytest

from inspector.library.finding import find
from inspector.library.roots import given
from tests.commands import run

LOGS = {
    "Claude Code's history": {
        "display": "hello",
        "pastedContents": {},
        "timestamp": 1,
        "project": "/w",
    },
    "Codex's history": {"session_id": "a", "ts": 1, "text": "hello"},
    "Codex's index": {"id": "a", "thread_name": "b", "updated_at": "c"},
}


@pytest.mark.parametrize("what", LOGS)
def test_a_log_beside_sessions_is_told_and_is_no_session(tmp_path: Path, what: str) -> None:
    path = tmp_path / "history.jsonl"
    path.write_text(f"{json.dumps(LOGS[what])}\n" * 3)
    (annex,) = json.loads(run("check", path, "--json").out)["annexes"]
    assert what in annex["what"]
    assert list(find(given([tmp_path]))) == []


@pytest.mark.parametrize(
    "line", ["", "[]", '{"display":1}', '{"display":"x","timestamp":1,"uuid":"u"}', '{"torn"']
)
def test_what_is_none_of_them_is_a_row(tmp_path: Path, line: str) -> None:
    (tmp_path / "history.jsonl").write_text(f"{line}\n")
    (row,) = find(given([tmp_path]))
    assert row.problem is not None
