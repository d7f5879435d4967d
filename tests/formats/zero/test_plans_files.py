"""Files that checkpoints could bring back, and what of them a copy lacks."""

from pathlib import Path
from typing import Any

import pytest

from inspector.formats.planning import PlanError, PlanKind
from inspector.formats.zero.planning import owners
from inspector.plans.plan import Asked
from tests.formats.zero.planned import fork, stored
from tests.formats.zero.sessions import Draft, log, user
from tests.plans import laws
from tests.untouched import untouched

BLOB = "93ac" * 16
OTHER = "84325551" * 8


def checkpoint(*files: Any, tool: str = "edit_file") -> Draft:
    return "session_checkpoint", {"tool": tool, "files": list(files)}


def blob(path: str, name: str = BLOB, size: int = 3, mode: int = 0o644) -> dict[str, Any]:
    return {"path": path, "blob": name, "bytes": size, "mode": mode}


def keep(store: Path, name: str = BLOB, content: bytes = b"abc") -> None:
    folder = store / "s" / "checkpoints" / "blobs"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / name).write_bytes(content)


def test_the_checkpoint_nearest_to_the_cut_counts(tmp_path: Path) -> None:
    content = log(
        user(),
        checkpoint(blob("a.py")),
        checkpoint(blob("a.py", OTHER), {"path": "new.md", "absent": True}),
        checkpoint(blob("./a.py", OTHER)),
    )
    tape = stored(content, tmp_path)
    keep(tmp_path)
    with untouched(tmp_path):
        found = tape.planner().restorable(1)
    assert [(one.path, one.event) for one in found] == [("a.py", 1), ("new.md", 2)]
    assert found[0].how == (
        "put back as it was before edit_file: 3 bytes, mode 644, blob 93ac93ac93ac…"
    )
    assert found[1].how == "delete: it was not there before edit_file"
    later = tape.planner().restorable(2)
    assert later[0].event == 2
    assert "is not there" in later[0].how
    assert tape.planner().restorable(4) == []


@pytest.mark.parametrize(
    ("file", "how"),
    [
        ({"path": "a", "skipped": True}, "it was not kept, being too large"),
        ({"path": "../a", "absent": True}, "it is outside the workspace"),
        ({"path": "/etc/passwd", "absent": True}, "it is outside the workspace"),
        ({"path": "x/../../a", "absent": True}, "it is outside the workspace"),
        ({"path": "a"}, "the checkpoint keeps no content"),
        (blob("a", OTHER), "its blob 843255518432… is not there"),
        (blob("a", "../../events.jsonl"), "is not there"),
        (blob("a", size=4), "has 3 bytes and not 4"),
    ],
)
def test_what_could_not_be_brought_back_says_why(
    file: dict[str, Any], how: str, tmp_path: Path
) -> None:
    tape = stored(log(user(), checkpoint(file)), tmp_path)
    keep(tmp_path)
    (found,) = tape.planner().restorable(1)
    assert not found.back
    assert how in found.how


def test_a_checkpoint_that_cannot_be_read_tells_of_no_file_and_stops_the_owner(
    tmp_path: Path,
) -> None:
    tape = stored(log(user(), checkpoint({"path": 1}), checkpoint({"path": "a"})), tmp_path)
    assert [one.event for one in tape.planner().restorable(1)] == [2]
    with pytest.raises(PlanError, match="decode checkpoint payload seq 2: the wrong type"):
        owners.apply_rewind(tape, 1)
    plan = laws.planned(tape, Asked(PlanKind.REWIND, 1))
    assert "its own fails here: decode checkpoint payload seq 2" in plan.remarks[0]


def test_a_copy_names_the_blobs_that_it_lacks(tmp_path: Path) -> None:
    files = [blob("a"), blob("b"), blob("c", OTHER, 5), blob("d", "no name")]
    tape = stored(log(user(), checkpoint(*files)), tmp_path)
    (said,) = (remark for remark in fork(tape).remarks if "blob" in remark)
    assert said.startswith(
        "the checkpoints in it need 2 blobs of 8 bytes (93ac93ac93ac…, 843255518432…), which are "
        "not copied"
    )
    assert str(tmp_path / "s" / "checkpoints" / "blobs") in said
    assert not any("blob" in remark for remark in fork(tape, 1).remarks)


def test_a_rewind_names_the_files_and_the_calls_that_they_belong_to(tmp_path: Path) -> None:
    call = "tool_call", {"id": "c", "name": "edit_file", "arguments": '{"path":"a.py"}'}
    other = "tool_call", {"id": "d", "name": "edit_file", "arguments": '{"path":"/x/a.py"}'}
    whole = "tool_call", {"id": "e", "name": "edit_file", "arguments": '{"path":"/w/a.py"}'}
    content = log(user(), call, checkpoint(blob("a.py")), other, whole)
    tape = stored(content, tmp_path)
    plan = laws.planned(tape, Asked(PlanKind.REWIND, 1))
    assert [one.restorable for one in plan.not_undone] == [None, None, None]
    keep(tmp_path)
    plan = laws.planned(tape, Asked(PlanKind.REWIND, 1))
    assert [(one.tool, one.what, one.restorable) for one in plan.not_undone] == [
        ("edit_file", "a.py", 2),
        ("edit_file", "/x/a.py", None),
        ("edit_file", "/w/a.py", 2),
    ]


def test_a_specialist_that_an_event_starts_stays_done(tmp_path: Path) -> None:
    start = "specialist_start", {"taskId": "t", "childSessionId": "c", "description": "explore"}
    tape = stored(log(user(), start), tmp_path)
    (one,) = laws.planned(tape, Asked(PlanKind.REWIND, 1)).not_undone
    assert (one.event, one.kind, one.restorable) == (1, "subagent", None)


def test_a_specialist_at_work_at_the_cut_goes_on_behind_it(tmp_path: Path) -> None:
    task = {"taskId": "t", "childSessionId": "c", "description": "explore"}
    content = log(user(), ("specialist_start", task), user(), ("specialist_stop", task), user())
    tape = stored(content, tmp_path)
    (one,) = laws.planned(tape, Asked(PlanKind.REWIND, 2)).not_undone
    assert (one.event, one.kind, one.what) == (1, "subagent", "at work at the cut: explore")
    assert not laws.planned(tape, Asked(PlanKind.REWIND, 4)).not_undone
    assert not laws.planned(tape, Asked(PlanKind.REWIND)).not_undone


def test_a_specialist_that_never_ends_is_not_at_work_behind_the_head(tmp_path: Path) -> None:
    task = {"taskId": "t", "childSessionId": "c"}
    tape = stored(log(user(), ("specialist_start", task), user()), tmp_path)
    (one,) = laws.planned(tape, Asked(PlanKind.REWIND, 2)).not_undone
    assert one.what == "at work at the cut: c"
    assert not laws.planned(tape, Asked(PlanKind.REWIND)).not_undone
