"""What the ends of a transcript tell without folding it."""

from pathlib import Path
from typing import Any

import orjson
import pytest

from tests.formats.claude.transcripts import SESSION, answer, call, record, result, user
from tests.glances import glance, told

FILE = Path(f"/c/projects/-w/{SESSION}.jsonl")
OTHER = "99999999-2222-4333-8444-555555555555"
TIME = "2026-03-01T09:00:01.000Z"


def written(*records: dict[str, Any]) -> bytes:
    return b"".join(orjson.dumps(one) + b"\n" for one in records)


def talk(turns: int = 2, **more: Any) -> list[dict[str, Any]]:
    found, above = [], None
    for turn in range(turns):
        found.append(user(f"u{turn}", above, f"question {turn}", timestamp=TIME, **more))
        found.append(answer(f"a{turn}", f"u{turn}", timestamp=TIME, **more))
        above = f"a{turn}"
    return found


def test_the_lines_of_a_short_transcript_are_counted_and_those_of_a_long_one_estimated() -> None:
    found = told("claude", written(*talk()), FILE)
    assert (found.id, found.project) == (SESSION, "/w")
    assert (found.events, found.estimated) == (4, True)
    found = told("claude", written(*talk(300)), FILE)
    assert found.estimated
    assert found.events is not None
    assert 450 < found.events < 800


def test_times_are_those_of_the_first_and_the_last_record_that_tell() -> None:
    first = {"type": "mode", "mode": "default", "sessionId": SESSION}
    last = {"type": "ai-title", "aiTitle": "Name", "sessionId": SESSION}
    found = told("claude", written(first, *talk(), last), FILE)
    assert found.started == found.last == 1772355601000


HUMANS = [
    (user("x", None, "words", isMeta=True, timestamp=TIME), None),
    (user("x", None, "words", isCompactSummary=True), None),
    (user("x", None, "<command-name>/clear</command-name>"), None),
    (user("x", None, "<local-command-stdout>done</local-command-stdout>"), None),
    (user("x", None, "[Request interrupted by user]"), None),
    (user("x", None, "<system-reminder>note</system-reminder>"), None),
    (user("x", None, "words", origin={"kind": "task-notification"}), None),
    (user("x", None, "words", origin={"kind": "human"}), "words"),
    (user("x", None, [{"type": "text", "text": "words"}]), "words"),
    (result("x", None, "c1"), None),
]


@pytest.mark.parametrize(("one", "said"), HUMANS)
def test_the_title_is_what_a_person_said_first(one: dict[str, Any], said: str | None) -> None:
    found = told("claude", written(one, *talk()), FILE)
    assert found.title == (said or "question 0")


def test_names_count_by_who_gave_them_and_the_last_of_them() -> None:
    ai = [{"type": "ai-title", "aiTitle": f"Found {at}", "sessionId": SESSION} for at in (1, 2)]
    own = {"type": "custom-title", "customTitle": "Given", "sessionId": SESSION}
    assert told("claude", written(*talk(), *ai), FILE).title == "Found 2"
    assert told("claude", written(*talk(400), own, *ai), FILE).title == "Given"
    assert told("claude", written(*talk(400), own, *talk(), *ai), FILE).title == "Given"
    assert told("claude", written(ai[0], *talk(400)), FILE).title == "Found 1"


def test_a_summary_names_the_session_of_its_record() -> None:
    ours = {"type": "summary", "summary": "Ours", "leafUuid": "a0"}
    others = {"type": "summary", "summary": "Another", "leafUuid": "elsewhere"}
    assert told("claude", written(others, *talk()), FILE).title == "question 0"
    assert told("claude", written(others, ours, *talk()), FILE).title == "Ours"
    assert told("claude", written(others), FILE).title == "Another"


def test_a_fork_names_its_source() -> None:
    forked = {"forkedFrom": {"sessionId": OTHER, "messageUuid": "m"}}
    found = told("claude", written(*talk(**forked)), FILE)
    assert (found.parent, found.relation) == (OTHER, "fork")


def test_records_of_another_session_at_the_start_were_taken_up() -> None:
    found = told("claude", written(*talk(sessionId=OTHER)), FILE)
    assert (found.id, found.parent, found.relation) == (SESSION, OTHER, "resume")


@pytest.mark.parametrize(
    "path",
    [
        f"/c/projects/-w/{SESSION}/subagents/agent-b7.jsonl",
        f"/c/projects/-w/{SESSION}/subagents/workflows/run/agent-b7.jsonl",
        "/c/projects/-w/agent-b7.jsonl",
    ],
)
def test_a_subagents_file_is_one_by_its_name(path: str) -> None:
    found = told("claude", written(*talk(isSidechain=True, agentId="b7")), Path(path))
    assert (found.id, found.parent, found.relation) == ("agent-b7", SESSION, "subagent")
    assert found.title == "question 0"


def test_a_first_line_longer_than_what_is_seen_tells_what_stands_first() -> None:
    long = user("u", None, "words " * 40_000)
    found = told("claude", written(long, *talk()), FILE)
    assert (found.project, found.parent) == ("/w", None)
    assert found.title is not None
    assert found.title.startswith("words words")


def test_a_whole_last_line_counts_without_its_end() -> None:
    data = written(*talk())
    assert told("claude", data[:-1], FILE).events == 4
    assert told("claude", data[:-5], FILE).events == 3


def test_calls_do_not_hide_the_person() -> None:
    records = [answer("a", None, call("c")), result("r", "a", "c"), *talk()]
    assert told("claude", written(*records), FILE).title == "question 0"


def test_what_the_agent_prints_is_no_transcript() -> None:
    start = {"type": "system", "subtype": "init", "session_id": "s", "uuid": "u"}
    assert glance("claude", written(start)) is None
    assert glance("claude", written(record("user", "u", None), start)) is None


def test_another_agents_log_is_none() -> None:
    shell = {"timestamp": TIME, "type": "response_item", "payload": {"type": "message"}}
    assert glance("claude", written(shell)) is None
