import json
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.formats.dsh.beside import domain_units
from inspector.formats.dsh.beside.domain import (
    CONTRACT_WORDS,
    MALFORMED,
    MOST_FAULTS,
    VERSION_MISMATCH,
    CachedSession,
    Domain,
    Fault,
    PendingMutation,
    Workspace,
    is_archived,
    workspace_of,
)
from inspector.formats.dsh.beside.domain_file import domain_files, read_file, recognise_file
from inspector.text.gate import clean_line

Json = dict[str, Any]


def record(**changes: Any) -> Json:
    whole = {
        "path": "/work/demo",
        "title": "Demo",
        "sessionIds": ["s1", "s2"],
        "createdAt": "2026-08-17T20:53:20.000Z",
        "updatedAt": "2026-08-18T20:53:20.000Z",
    }
    return whole | changes


def state(**changes: Any) -> Json:
    whole = {"initialized": True, "workspaceIds": ["w1"], "archivedSessionIds": ["s2", "old"]}
    return whole | changes


def unit(name: str, version: Any, state: Any = None, **tables: Any) -> Json:
    return {"unit": {"name": name, "version": version}, "global": state, "tables": tables}


def workspaces(version: Any = 2, **changes: Any) -> Json:
    whole = unit("workspace", version, state(), workspaces={"w1": record()})
    return whole | changes


def read(document: Any) -> Domain:
    return read_file(json.dumps(document, indent=2).encode())


def the_fault(document: Any) -> tuple[str, str]:
    (fault,) = read(document).faults
    assert fault.code == MALFORMED
    return fault.where, fault.message


def test_workspaces_say_what_their_records_say() -> None:
    domain = read(workspaces())
    times = ("2026-08-17T20:53:20.000Z", "2026-08-18T20:53:20.000Z")
    workspace = Workspace("w1", "/work/demo", "Demo", ("s1", "s2"), *times)
    assert (domain.unit, domain.version, domain.faults) == ("workspace", 2, ())
    assert domain.workspaces == (workspace,)
    assert domain.archived == frozenset(("s2", "old"))
    assert (domain.cached, domain.feedback, domain.pending) == ((), None, None)


def test_a_session_is_found_in_its_workspace() -> None:
    two = {"w1": record(), "w2": record(title="Two", sessionIds=["s2", "s3"])}
    domain = read(workspaces(tables={"workspaces": two}))
    found = [workspace_of(domain, session) for session in ("s1", "s2", "s3", "s4")]
    assert [one and one.id for one in found] == ["w1", "w1", "w2", None]


def test_a_session_is_archived_or_not_or_nobody_says() -> None:
    domain = read(workspaces())
    assert [is_archived(domain, session) for session in ("s1", "s2", "old")] == [False, True, True]
    assert is_archived(read(unit("message_feedback", 0)), "s1") is None


@pytest.mark.parametrize("said", [None, {"initialized": False, "workspaceIds": []}])
def test_an_archive_that_was_never_written_is_empty(said: Any) -> None:
    domain = read(workspaces(**{"global": said}))
    assert domain.faults == ()
    assert is_archived(domain, "s1") is False


def test_another_version_may_keep_its_archive_elsewhere() -> None:
    domain = read(workspaces(3, **{"global": {"initialized": True, "workspaceIds": []}}))
    assert is_archived(domain, "s1") is None


@pytest.mark.parametrize("operation", ["create", "delete"])
def test_a_change_that_was_begun_is_told(operation: str) -> None:
    pending = {"operation": operation, "workspaceId": "w1"}
    domain = read(workspaces(**{"global": state(pendingMutation=pending)}))
    assert domain.pending == PendingMutation(operation, "w1")
    assert domain.faults == ()


def test_the_cache_tells_what_it_knows_a_session_by() -> None:
    sessions = {
        "s1": {"identity": {"createdAt": 1787000000000, "cwd": "/work/demo"}, "rows": {}},
        "s2": {"identity": {"createdAt": 0}, "rows": {"title": {"ver": 1, "seq": 4, "val": "x"}}},
    }
    domain = read(unit("session_projcache", 3, sessions=sessions))
    known = CachedSession("s1", 1787000000000, "/work/demo"), CachedSession("s2", 0, None)
    assert (domain.cached, domain.faults) == (known, ())


def test_feedback_is_counted_over_all_sessions() -> None:
    sessions = {
        "s1": {"session": {"createdAt": 1}, "items": [{"messageId": "m"}, {"messageId": "n"}]},
        "s2": {"session": {"createdAt": 1}, "items": [{"messageId": "m"}]},
    }
    domain = read(unit("message_feedback", 0, sessions=sessions))
    assert (domain.feedback, domain.faults) == (3, ())


def test_a_unit_of_somebody_else_is_told_by_name_only() -> None:
    assert read(unit("task_notes", 7, tasks={"t": 1})) == Domain("task_notes", 7)


@pytest.mark.parametrize(
    ("name", "stored", "known"),
    [("workspace", 3, 2), ("session_projcache", 2, 3), ("message_feedback", 1, 0)],
)
def test_a_wrong_version_names_both(name: str, stored: int, known: int) -> None:
    (fault,) = read(unit(name, stored)).faults
    words = f"stored version {stored}, known version {known}"
    assert fault == Fault(VERSION_MISMATCH, f"unit {name}", words)


def test_a_wrong_version_is_read_all_the_same() -> None:
    domain = read(workspaces(3))
    assert [fault.code for fault in domain.faults] == [VERSION_MISMATCH]
    assert workspace_of(domain, "s1") is not None
    assert is_archived(domain, "s2") is True


def test_a_version_is_the_number_it_equals() -> None:
    assert read(workspaces(2.0)).faults == ()


@pytest.mark.parametrize(
    ("document", "where", "message"),
    [
        ([], "the file", "is not a JSON object"),
        (None, "the file", "is not a JSON object"),
        ({"tables": {}}, "unit", "is not an object"),
        (workspaces("2"), "unit.version", "is not a number"),
        (workspaces(True), "unit.version", "is not a number"),
        (unit("", 2), "unit.name", "is not a name"),
        (workspaces(tables=None), "tables", "is not an object"),
        (workspaces(tables={"workspaces": []}), "tables.workspaces", "is not an object"),
        (workspaces(tables={"workspaces": {"w": 1}}), "tables.workspaces.w", "is not an object"),
        (workspaces(**{"global": 7}), "global", "is not an object"),
        (
            workspaces(**{"global": state(initialized=1)}),
            "global.initialized",
            "is not true or false",
        ),
        (
            workspaces(**{"global": state(workspaceIds={})}),
            "global.workspaceIds",
            "is not an array",
        ),
        (
            workspaces(**{"global": state(archivedSessionIds="s1")}),
            "global.archivedSessionIds",
            "is not an array",
        ),
        (
            workspaces(**{"global": state(archivedSessionIds=["s", None])}),
            "global.archivedSessionIds[1]",
            "is not a string",
        ),
        (
            workspaces(**{"global": state(pendingMutation=[])}),
            "global.pendingMutation",
            "is not an object",
        ),
        (
            workspaces(
                **{"global": state(pendingMutation={"operation": "rename", "workspaceId": "w"})}
            ),
            "global.pendingMutation.operation",
            "is neither create nor delete",
        ),
        (
            workspaces(**{"global": state(pendingMutation={"operation": "create"})}),
            "global.pendingMutation.workspaceId",
            "is not a string",
        ),
        (
            workspaces(tables={"workspaces": {"w": record(path=None)}}),
            "tables.workspaces.w.path",
            "is not a string",
        ),
        (
            workspaces(tables={"workspaces": {"w": record(sessionIds={})}}),
            "tables.workspaces.w.sessionIds",
            "is not an array",
        ),
        (
            workspaces(tables={"workspaces": {"w": record(sessionIds=["s", 1])}}),
            "tables.workspaces.w.sessionIds[1]",
            "is not a string",
        ),
        (
            unit("session_projcache", 3, sessions={"s": {"rows": {}}}),
            "tables.sessions.s.identity",
            "is not an object",
        ),
        (
            unit("session_projcache", 3, sessions={"s": {"identity": {"createdAt": -1}}}),
            "tables.sessions.s.identity.createdAt",
            "is not a whole number from 0",
        ),
        (
            unit("session_projcache", 3, sessions={"s": {"identity": {"createdAt": 1, "cwd": 7}}}),
            "tables.sessions.s.identity.cwd",
            "is not a string",
        ),
        (
            unit("message_feedback", 0, sessions={"s": {"items": {}}}),
            "tables.sessions.s.items",
            "is not an array",
        ),
    ],
)
def test_a_wrong_shape_is_told_with_its_place(document: Any, where: str, message: str) -> None:
    assert the_fault(document) == (where, message)


def test_what_stands_beside_a_wrong_shape_is_read() -> None:
    broken = {"w1": 1, "w2": record(title=7, sessionIds=["s1", None, "s3"])}
    domain = read(workspaces(tables={"workspaces": broken}, **{"global": state(initialized=0)}))
    (workspace,) = domain.workspaces
    assert (workspace.id, workspace.title, workspace.sessions) == ("w2", None, ("s1", "s3"))
    assert is_archived(domain, "s2") is True
    assert len(domain.faults) == 4


def test_an_archive_of_the_wrong_shape_says_nothing() -> None:
    domain = read(workspaces(**{"global": state(archivedSessionIds={})}))
    assert is_archived(domain, "s2") is None


@pytest.mark.parametrize("name", ["Workspace", "9lives", "a-b", "../x", "workspace\n", "é"])
def test_a_bad_unit_name_is_told(name: str) -> None:
    where, message = the_fault(unit(name, 2))
    assert where == "unit.name"
    assert message.endswith("is no unit name: not of the form [a-z][a-z0-9_]*")
    assert "\n" not in message


def test_a_unit_in_the_file_of_another_is_told() -> None:
    data = json.dumps(workspaces()).encode()
    assert read_file(data, "workspace").faults == ()
    (fault,) = read_file(data, "message_feedback").faults
    message = "unit workspace in the file of unit message_feedback"
    assert fault == Fault(MALFORMED, "unit.name", message)


@pytest.mark.parametrize("data", [b"", b" \n"])
def test_an_empty_file_is_told(data: bytes) -> None:
    fault = Fault(MALFORMED, "the file", f"empty ({len(data)} bytes)")
    assert read_file(data) == Domain(None, None, faults=(fault,))


@pytest.mark.parametrize(
    ("data", "place"),
    [
        (b'{"unit":\n  nope}', "line 2"),
        (b'{"unit":', "line 1 column 9 (char 8)"),
        (b"NaN", "line 1 column 1 (char 0)"),
        pytest.param(b"[" * 50_000, "character 50000", id="deep"),
    ],
)
def test_what_is_no_json_is_told_with_its_place(data: bytes, place: str) -> None:
    (fault,) = read_file(data).faults
    assert (fault.code, fault.where) == (MALFORMED, "the file")
    assert fault.message.startswith("not JSON (")
    assert place in fault.message


def test_a_byte_order_mark_is_a_fault_and_no_obstacle() -> None:
    domain = read_file(b"\xef\xbb\xbf" + json.dumps(workspaces()).encode())
    assert [fault.message for fault in domain.faults] == ["a byte order mark at byte 0"]
    assert workspace_of(domain, "s1") is not None


def test_a_byte_that_is_no_text_is_replaced_and_told() -> None:
    domain = read_file(json.dumps(workspaces()).encode().replace(b"Demo", b"D\xffmo"))
    assert domain.workspaces[0].title == "D\ufffdmo"
    (fault,) = domain.faults
    at = json.dumps(workspaces()).index("Demo") + 1
    assert fault == Fault("repaired-text", "the file", f"byte {at} is not UTF-8; replaced")


def test_hostile_keys_are_clean_in_every_fault() -> None:
    key = "w\x1b[2J\u202e" + "x" * 500
    where, _ = the_fault(workspaces(tables={"workspaces": {key: 1}}))
    assert where.isprintable()
    assert len(where) < 150


def test_nesting_of_any_depth_is_read() -> None:
    deep = b'{"unit":{"name":"workspace","version":2},"global":' + b"[" * 50_000 + b"]" * 50_000
    (fault,) = read_file(deep + b',"tables":{}}').faults
    assert (fault.where, fault.message) == ("global", "is not an object")


def test_faults_beyond_the_cap_are_counted() -> None:
    domain = read(workspaces(tables={"workspaces": dict.fromkeys(map(str, range(120)), 7)}))
    assert len(domain.faults) == MOST_FAULTS + 1
    assert domain.faults[-1].message == "20 more faults are not told"


def test_sessions_beyond_the_cap_are_not_read_and_nothing_is_said_of_them(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(domain_units, "MOST_ENTRIES", 3)
    domain = read(workspaces(**{"global": state(archivedSessionIds=["a", "b", "c", "d"])}))
    assert domain.archived == frozenset("abc")
    assert not domain.complete
    assert [is_archived(domain, session) for session in ("a", "d")] == [True, None]
    assert {fault.code for fault in domain.faults} == {"cut-short"}
    assert domain.faults[0].where == "global.archivedSessionIds"


def test_as_many_entries_as_the_cap_are_complete(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(domain_units, "MOST_ENTRIES", 5)
    domain = read(workspaces())
    assert (domain.complete, domain.faults) == (True, ())


def test_a_file_beyond_the_cap_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(domain_units, "LONGEST", 10)
    (fault,) = read_file(b"[" * 11).faults
    assert (fault.code, fault.message) == ("cut-short", "11 bytes; more than 10 are not read")


def test_the_codes_of_refusals_are_words_of_the_contract() -> None:
    assert {MALFORMED, VERSION_MISMATCH} < set(CONTRACT_WORDS)


@pytest.mark.parametrize(
    "head",
    [
        json.dumps(workspaces()).encode(),
        json.dumps(workspaces(), indent=2).encode()[:60],
        json.dumps(unit("message_feedback", 0), indent=2).encode(),
        b'\xef\xbb\xbf{"unit": {"version": 3, "name": "session_projcache"}, "glo',
        b'{"tables": {}, "unit": {"name": "x"}}',
    ],
)
def test_a_storage_file_is_recognised(head: bytes) -> None:
    assert recognise_file(head)


@pytest.mark.parametrize(
    "head",
    [
        b"",
        b"\x28\xb5\x2f\xfd",
        b"[]",
        b"null",
        b'{"unit": "kg"}',
        b'{"unit": {"name": "kg"}}',
        b'{"unit": {"name": "kg"},',
        b'{"type":"session","version":0,"id":"s","createdAt":0,"delegationDepth":0}\n',
    ],
)
def test_another_file_is_not_recognised(head: bytes) -> None:
    assert not recognise_file(head)


def listing(**folders: list[str]) -> Callable[[Path], Iterable[str]]:
    return lambda folder: folders.get(str(folder), [])


STORED = ["workspace.json", "notes.txt", "message_feedback.json", "workspace.json.1.tmp"]


@pytest.mark.parametrize(
    "session",
    [
        "/home/.dsh/sessions/--work-demo--/s1/session.jsonl.zstd",
        "/home/.dsh/sessions/_no-cwd/s1/session.v4.jsonl",
    ],
)
def test_the_storage_files_of_a_home_are_found_from_a_session(session: str) -> None:
    found = domain_files(Path(session), listing(**{"/home/.dsh/storages": STORED}))
    folder = Path("/home/.dsh/storages")
    assert found == [folder / "message_feedback.json", folder / "workspace.json"]


@pytest.mark.parametrize(
    "session",
    [
        "/home/.dsh/sessions/--work-demo--/s1/other.jsonl",
        "/home/.dsh/sessions/work-demo/s1/session.jsonl",
        "/home/.dsh/elsewhere/--work-demo--/s1/session.jsonl",
        "/session.jsonl",
        "session.jsonl",
        "",
    ],
)
def test_a_session_elsewhere_has_no_storage_files(session: str) -> None:
    assert domain_files(Path(session), lambda _: STORED) == []


def test_a_home_without_storages_has_none() -> None:
    assert domain_files(Path("h/sessions/--p--/s/session.jsonl"), listing()) == []


NUMBERS = st.integers() | st.floats(allow_nan=False, allow_infinity=False)
JSON = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=4,
)


@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from(["workspace", "session_projcache", "message_feedback"]), JSON, JSON, JSON, JSON
)
def test_no_shape_raises(name: str, version: Any, said: Any, table: Any, rest: Any) -> None:
    record_of_any = {"sessionIds": rest, "identity": rest, "items": rest}
    tables = {"workspaces": {"w": record_of_any, "x": table}, "sessions": {"s": record_of_any}}
    odd_table = unit(name, version, state()) | {"tables": table}
    for document in (unit(name, version, said, **tables), odd_table):
        domain = read(document)
        assert all(clean_line(fault.where) == fault.where for fault in domain.faults)
        assert (domain.version is None) == (type(version) not in (int, float))


@settings(max_examples=50, deadline=None)
@given(st.binary(max_size=40))
def test_no_bytes_raise(data: bytes) -> None:
    start = b'{"unit":{"name":"workspace","version":2},"global":'
    assert read_file(data).unit is None
    assert read_file(start + data + b',"tables":{}}').unit in (None, "workspace")
