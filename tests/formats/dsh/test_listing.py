"""What the ends of a log tell without folding it."""

from pathlib import Path
from typing import Any

import pytest

from inspector.formats.dsh.listing import glance as glance_of
from tests.dsh_tapes import HEADER, START, Log, line
from tests.glances import ends_of, glance, told


def written(log: Log) -> bytes:
    return bytes(log)


def long(header: dict[str, Any] = HEADER, turns: int = 200) -> Log:
    log = Log(header)
    log.user("first words")
    for _ in range(turns):
        log.context("note " * 20)
    return log


def test_the_last_number_tells_how_many_events_there_are() -> None:
    found = told("dsh", written(long()))
    assert (found.events, found.estimated) == (201, True)
    assert found.started == START
    assert found.project == "/work/demo"


def test_a_packed_row_counts_its_members() -> None:
    log = long()
    log.packed("a", "b", "c", "d")
    assert told("dsh", written(log)).events == 205


def test_a_last_line_that_nothing_ends_does_not_count() -> None:
    data = written(long())
    assert told("dsh", data[:-1]).events == 200
    assert told("dsh", data[:-9]).events == 200


def test_the_owners_title_comes_before_the_first_words() -> None:
    log = Log()
    log.context("a memory")
    log.user("first words")
    assert told("dsh", written(log)).title == "first words"
    for name in ("One", "Two"):
        log.event("session/title", {"title": name, "messageSeqs": [1], "source": {"kind": "user"}})
    assert told("dsh", written(log)).title == "Two"


def test_a_title_at_the_end_of_a_long_log_is_seen() -> None:
    log = long()
    log.event("session/title", {"title": "Late", "messageSeqs": [1], "source": {"kind": "user"}})
    assert told("dsh", written(log)).title == "Late"


def test_words_that_wait_in_the_inbox_are_the_persons() -> None:
    log = Log()
    waiting = {"role": "user", "source": {"kind": "user"}}
    waiting["content"] = [{"type": "text", "text": "soon"}]  # type: ignore[assignment]
    log.event("agent/inbox/spliced", {"target": "next-turn", "start": 0, "inserted": [waiting]})
    assert told("dsh", written(log)).title == "soon"


@pytest.mark.parametrize(
    ("more", "relation"),
    [({"seedLength": 4}, "fork"), ({}, "child"), ({"origin": "subagent"}, "subagent")],
)
def test_a_parent_is_told_with_what_it_is_to_it(more: dict[str, Any], relation: str) -> None:
    found = told("dsh", written(long({**HEADER, "parentSession": "above", **more})))
    assert (found.parent, found.relation) == ("above", relation)


@pytest.mark.parametrize(
    ("header", "reason"),
    [
        ({"version": 99}, "format version 99 is newer than the supported 0 to 5"),
        ({"sandboxMode": "x"}, "retired policy baseline fields: sandboxMode"),
        ({"delegationDepth": -1}, "first line is not a session header"),
        ({"cwd": "not/absolute"}, "cwd is not an absolute path"),
        ({"version": 2}, "format version 2 is newer than the supported 0"),
    ],
)
def test_what_the_owner_refuses_at_the_header_is_told(header: dict[str, Any], reason: str) -> None:
    found = told("dsh", written(long({**HEADER, **header})))
    assert found.refusal is not None
    assert found.refusal.startswith(reason)


def test_of_a_version_that_is_not_read_only_the_header_tells() -> None:
    found = told("dsh", written(long({**HEADER, "version": 99})))
    assert (found.id, found.project) == ("session", "/work/demo")
    assert (found.events, found.title) == (None, None)


def test_a_required_unknown_event_near_the_beginning_is_told() -> None:
    log = Log()
    log.user("hi")
    log.event("plugin/x", {}, ignorable=True)
    assert told("dsh", written(log)).refusal is None
    log.event("plugin/y", {})
    found = told("dsh", written(log)).refusal
    assert found is not None
    assert found.startswith('contains event type "plugin/y" (seq 2) unknown')


def test_an_unknown_event_behind_a_gap_is_not_what_the_owner_sees() -> None:
    log = Log()
    log.user("hi")
    log.raw(line({"type": "plugin/y", "seq": 7, "time": START, "data": {}}))
    assert told("dsh", written(log)).refusal is None


def test_a_header_longer_than_what_is_seen_tells_what_stands_first() -> None:
    header = {**HEADER, "more": "x" * 90_000, "agentPreset": "late"}
    found = told("dsh", written(long(header)))
    assert (found.id, found.started, found.project) == ("session", START, "/work/demo")
    assert found.refusal is None
    assert found.events == 201


def test_a_header_in_a_damaged_line_is_refused_and_read() -> None:
    data = written(long())
    found = told("dsh", data.replace(b'"/work/demo"', b'"/work/demo"]', 1))
    assert found.refusal == "header line is not valid JSON"


def test_events_without_a_header_are_a_log_without_one() -> None:
    found = told("dsh", written(long()).partition(b"\n")[2])
    assert found.id is None
    assert found.refusal == "first line is not a session header"


def test_a_header_that_nothing_ends_is_no_session_yet() -> None:
    found = told("dsh", line(HEADER))
    assert found.refusal == "empty or header-less session log"


def test_a_header_with_a_timestamp_is_another_agents() -> None:
    header = {"type": "session", "id": "x", "timestamp": "2026-07-01T07:00:00.000Z", "cwd": "/w"}
    assert glance("dsh", line(header) + b"\n") is None


def test_nobody_is_asked_about_a_log_whose_header_tells() -> None:
    asked: list[bytes] = []

    def is_ours(head: bytes) -> bool:
        asked.append(head)
        return False

    assert glance_of(ends_of(written(long())), is_ours) is not None
    assert asked == []


def test_the_name_decides_which_version_the_owner_reads() -> None:
    data = written(long({**HEADER, "version": 3, "isSeeded": False}))
    name = Path("/r/--w--/s/session.v3.jsonl")
    assert told("dsh", data, name).refusal is None
    assert told("dsh", data, name.with_name("session.jsonl")).refusal is not None


@pytest.mark.parametrize(
    ("begins", "ours"),
    [
        (b'{"type":"session","id":{"a":', False),
        (b'{"type":"session","delegationDepth":0,"id":{"a":', True),
    ],
)
def test_a_cut_first_line_is_a_header_where_it_says_so_in_words_of_its_own(
    begins: bytes, ours: bool
) -> None:
    deep = begins + b'{"a":' * 40_000
    assert (glance("dsh", deep) is not None) is ours
