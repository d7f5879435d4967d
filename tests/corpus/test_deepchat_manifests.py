"""A view manifest whose hash does not fit what it says is a finding of the tape."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

from inspector.formats.contract import Options, Tape
from inspector.formats.opening import open_tape
from tests.corpus.corpus import ROOT, needs_corpus
from tests.folding import fold_on, keep

pytestmark = needs_corpus

DATABASE = ROOT / "tapes" / "deepchat" / "agent.db"
ENTRY = 11


def read(path: Path) -> Tape:
    tape = open_tape(path, Options(session="sess_main"))
    keep(tape)
    return fold_on(tape)


def invalid(tape: Tape) -> list[int | None]:
    """The entries at which a manifest is found to be invalid."""
    return [
        tape.number(finding.event)
        for finding in tape.findings()
        if finding.kind.code == "manifest-invalid" and finding.event is not None
    ]


def test_a_manifest_that_was_changed_is_found(tmp_path: Path) -> None:
    copy = tmp_path / "agent.db"
    shutil.copyfile(DATABASE, copy)
    with closing(sqlite3.connect(copy)) as database, database:
        changed = database.execute(
            "UPDATE deepchat_tape_entries SET payload_json ="
            ' replace(payload_json, \'"taskType":"tool_loop"\', \'"taskType":"chat"\')'
            " WHERE session_id = 'sess_main' AND entry_id = ?",
            (ENTRY,),
        )
        assert changed.rowcount == 1
    assert invalid(read(copy)) == [ENTRY]


def test_manifests_as_they_were_written_are_not() -> None:
    assert invalid(read(DATABASE)) == []
