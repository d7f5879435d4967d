from pathlib import Path
from typing import Any

import pytest

from inspector.formats.dsh.header import Header, parse
from tests.dsh_tapes import HEADER, START, Found, Json, Log, findings, folded, line, surface

SHAPE = "first line is not a session header"


def tape_with(header: bytes, tmp_path: Path, **options: Any) -> Any:
    log = Log(header=None)
    log.raw(header)
    log.turn()
    log.user()
    return folded(log, tmp_path, **options)


def test_every_field_is_read() -> None:
    header = HEADER | {"parentSession": "parent", "seedLength": 31, "agentPreset": "standard"}
    assert parse(line(header)) == Header(
        id="session",
        created=START,
        cwd="/work/demo",
        parent="parent",
        seed_length=31,
        delegation_depth=0,
        preset="standard",
    )


def test_the_least_header_says_little() -> None:
    least = {"type": "session", "version": 0, "id": "s", "createdAt": 0, "delegationDepth": 0}
    assert parse(line(least)) == Header(id="s", created=0, delegation_depth=0)


@pytest.mark.parametrize(
    "first", [b"", b"garbage", b"null", b"[]", b"{}", b'{"type":"turn/start"}', b"\xff"]
)
def test_a_first_line_that_means_to_be_something_else_is_no_header(first: bytes) -> None:
    assert parse(first) is None


@pytest.mark.parametrize(
    "header",
    [
        HEADER,
        HEADER | {"future": {"any": "thing"}},
        HEADER | {"origin": "subagent", "delegationDepth": 2, "parentSession": "p"},
        HEADER | {"createdAt": 1787000000000.0, "version": 0.0},
        dict(reversed(HEADER.items())),
    ],
)
def test_a_header_that_the_owner_takes(header: Json) -> None:
    parsed = parse(line(header))
    assert parsed is not None
    assert (parsed.id, parsed.problem, parsed.lineage_problem) == ("session", None, None)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"version": "0"}, SHAPE),
        ({"version": True}, SHAPE),
        ({"version": None}, SHAPE),
        ({"id": 7}, SHAPE),
        ({"id": None}, SHAPE),
        ({"createdAt": -1}, SHAPE),
        ({"createdAt": 1.5}, SHAPE),
        ({"createdAt": "now"}, SHAPE),
        ({"createdAt": 1 << 53}, SHAPE),
        ({"delegationDepth": None}, SHAPE),
        ({"delegationDepth": -1}, SHAPE),
        ({"delegationDepth": True}, SHAPE),
        ({"origin": None}, SHAPE),
        ({"origin": "fork"}, SHAPE),
        ({"agentPreset": None}, SHAPE),
        ({"agentPreset": 7}, SHAPE),
        ({"sandboxMode": "read-only"}, "retired policy baseline fields: sandboxMode"),
        ({"approvalPolicy": None}, "retired policy baseline fields: approvalPolicy"),
        (
            {"approvalPolicy": 1, "sandboxMode": 1},
            "retired policy baseline fields: sandboxMode, approvalPolicy",
        ),
    ],
)
def test_a_header_that_the_owner_refuses_at_once(change: Json, problem: str) -> None:
    parsed = parse(line(HEADER | change))
    assert parsed is not None
    assert (parsed.problem, parsed.lineage_problem, parsed.readable) == (problem, None, True)


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"cwd": "work/demo"}, "cwd is not an absolute path"),
        ({"cwd": ""}, "cwd is not an absolute path"),
        ({"parentSession": None}, "parentSession is not a string"),
        ({"seedLength": None}, "seedLength is not a non-negative safe integer"),
        ({"seedLength": -1}, "seedLength is not a non-negative safe integer"),
        ({"seedLength": 1.5}, "seedLength is not a non-negative safe integer"),
    ],
)
def test_a_header_that_the_owner_refuses_before_the_replay(change: Json, problem: str) -> None:
    parsed = parse(line(HEADER | change))
    assert parsed is not None
    assert (parsed.problem, parsed.lineage_problem, parsed.readable) == (None, problem, True)


@pytest.mark.parametrize("cwd", [None, 7, []])
def test_a_cwd_that_is_no_text_is_refused_at_once(cwd: Any) -> None:
    parsed = parse(line(HEADER | {"cwd": cwd}))
    assert parsed is not None
    assert parsed.problem == "cwd cannot name a storage path"


@pytest.mark.parametrize("missing", ["version", "id", "createdAt", "delegationDepth"])
def test_a_field_that_must_be_there(missing: str) -> None:
    parsed = parse(line({key: value for key, value in HEADER.items() if key != missing}))
    assert parsed is not None
    assert parsed.problem == SHAPE


@pytest.mark.parametrize(
    ("first", "second", "problem"),
    [
        ({"createdAt": None}, {"sandboxMode": 1}, SHAPE),
        ({"sandboxMode": 1}, {"cwd": "x"}, "retired policy baseline fields: sandboxMode"),
        ({"cwd": "x"}, {"parentSession": None}, "cwd is not an absolute path"),
        ({"parentSession": None}, {"seedLength": None}, "parentSession is not a string"),
    ],
)
def test_of_two_faults_the_first_is_told(
    first: Json, second: Json, problem: str, tmp_path: Path
) -> None:
    for header in (HEADER | first | second, HEADER | second | first):
        assert tape_with(line(header), tmp_path).verdict().reason == problem


@pytest.mark.parametrize(
    ("version", "problem"),
    [
        (6, "format version 6 is newer than the supported 0 to 5 - written by a newer harness"),
        (0.5, "format version 0.5 is newer than the supported 0 to 5 - written by a newer harness"),
        (-1, "format version -1 is older than the supported 0 to 5: no upgrade path"),
    ],
)
def test_another_version_is_refused_before_its_shape_is_looked_at(
    version: float, problem: str
) -> None:
    parsed = parse(line({"type": "session", "version": version, "cwd": 7}))
    assert parsed == Header(version=version, problem=problem)
    assert not parsed.readable


@pytest.mark.parametrize("version", [2, 3, 4, 5])
def test_from_version_2_on_a_header_says_whether_the_log_is_seeded(version: int) -> None:
    later = HEADER | {"version": version, "seedLength": 7}
    for seeded in (True, False):
        parsed = parse(line(later | {"isSeeded": seeded}))
        assert parsed is not None
        assert (parsed.problem, parsed.seeded, parsed.seed_length) == (None, seeded, None)
    for said in ({}, {"isSeeded": None}, {"isSeeded": 1}):
        parsed = parse(line(later | said))
        assert parsed is not None
        assert (parsed.problem, parsed.seeded) == (SHAPE, False)


@pytest.mark.parametrize("version", [0, 1])
def test_before_version_2_a_header_need_not_say_it(version: int) -> None:
    parsed = parse(line(HEADER | {"version": version, "seedLength": 7}))
    assert parsed is not None
    assert (parsed.problem, parsed.seed_length, parsed.readable) == (None, 7, True)


def test_minus_zero_is_no_time_at_which_a_log_was_created() -> None:
    for written, problem in ((b"-0", SHAPE), (b"-0.0", SHAPE), (b"0", None), (b"0.0", None)):
        parsed = parse(line(HEADER).replace(str(START).encode(), written))
        assert parsed is not None
        assert parsed.problem == problem


def test_the_identity_is_what_the_header_says(tmp_path: Path) -> None:
    header = HEADER | {"parentSession": "parent", "seedLength": 2}
    identity = tape_with(line(header), tmp_path).identity
    assert (identity.id, identity.format, identity.variant) == ("session", "dsh", "v0/jsonl")
    assert (identity.created, identity.cwd) == (START, "/work/demo")
    assert (identity.parent, identity.inherited) == ("parent", 2)
    assert identity.path.parent == tmp_path


def test_the_header_is_a_record_of_bookkeeping(tmp_path: Path) -> None:
    tape = tape_with(line(HEADER), tmp_path)
    sums = tape.sums()
    assert (sums.records, sums.bookkeeping, sums.carriers, sums.events) == (3, 1, 2, 2)
    assert findings(tape) == []
    assert tape.place(0) == (1, 0, None, None)
    assert tape.place(1) == (2, len(line(HEADER)) + 1, None, None)


def test_a_refused_header_is_a_finding_and_the_events_are_folded_all_the_same(
    tmp_path: Path,
) -> None:
    tape = tape_with(line(HEADER | {"cwd": "relative"}), tmp_path)
    assert findings(tape) == [Found("bad-header", 1, 0, None, "cwd is not an absolute path")]
    assert (tape.identity.id, tape.identity.cwd) == ("session", "relative")
    assert surface(tape) == [1]
    verdict = tape.verdict()
    assert (verdict.opens, verdict.reason) == (False, "cwd is not an absolute path")


def test_a_tape_without_a_header_is_folded_from_its_first_line(tmp_path: Path) -> None:
    log = Log(header=None)
    log.turn()
    log.user()
    tape = folded(log, tmp_path)
    assert findings(tape) == [Found("no-header", 1, 0, None, SHAPE)]
    assert (tape.identity.id, tape.identity.variant) == (None, "v0/jsonl")
    assert surface(tape) == [1]
    assert tape.timeline.reliable_to == 2
    sums = tape.sums()
    assert (sums.records, sums.bookkeeping, sums.carriers) == (2, 0, 2)
    assert (tape.verdict().opens, tape.verdict().reason) == (False, SHAPE)


def test_a_header_that_is_damaged_is_a_damaged_record(tmp_path: Path) -> None:
    tape = tape_with(line(HEADER)[:-1], tmp_path)
    assert [(found.code, found.line) for found in findings(tape)] == [
        ("no-header", 1),
        ("not-json", 1),
    ]
    assert (tape.sums().damaged, tape.sums().carriers) == (1, 2)
    assert surface(tape) == [1]


def test_the_records_of_another_version_are_counted_and_not_read(tmp_path: Path) -> None:
    tape = tape_with(line(HEADER | {"version": 6}), tmp_path)
    reason = "format version 6 is newer than the supported 0 to 5 - written by a newer harness"
    assert findings(tape) == [Found("other-version", 1, 0, None, reason)]
    assert (tape.identity.variant, tape.identity.id) == ("v6/jsonl", None)
    assert tape.timeline.events == 0
    sums = tape.sums()
    assert (sums.records, sums.bookkeeping, sums.carriers, sums.events) == (3, 3, 0, 0)
    assert (tape.verdict().opens, tape.verdict().reason) == (False, reason)


def test_a_header_and_nothing_else(tmp_path: Path) -> None:
    tape = folded(Log(), tmp_path)
    assert (tape.timeline.events, tape.complete, tape.progress) == (0, True, 1.0)
    assert (tape.sums().records, tape.sums().bookkeeping) == (1, 1)
    assert tape.verdict().opens is True


def test_a_header_without_its_newline_is_pending(tmp_path: Path) -> None:
    tape = folded(line(HEADER), tmp_path)
    assert tape.identity.id == "session"
    sums = tape.sums()
    assert (sums.records, sums.pending, sums.bookkeeping) == (1, 1, 0)
    verdict = tape.verdict()
    assert (verdict.opens, verdict.reason) == (False, "empty or header-less session log")


@pytest.mark.parametrize(
    "header",
    [
        line(HEADER | {"agentPreset": "\ud800"}),
        line(HEADER).replace(b"demo", b"d\xffmo"),
        line(HEADER | {"future": 10**400}),
        line(HEADER | {"future": 0}).replace(b'"future":0', b'"future":1e400'),
    ],
    ids=["lone surrogate", "invalid UTF-8", "long number", "large number"],
)
def test_a_header_is_read_as_leniently_as_any_line(header: bytes, tmp_path: Path) -> None:
    tape = tape_with(header, tmp_path)
    assert tape.identity.id == "session"
    assert tape.sums().bookkeeping == 1
    assert tape.sums().damaged == 0
    assert surface(tape) == [1]
    assert tape.verdict().opens is True
