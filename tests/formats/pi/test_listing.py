"""What the ends of a session tell without folding it."""

from typing import Any

import orjson
import pytest

from tests.formats.pi.sessions import SESSION, entry, header, message, user
from tests.glances import glance, told

OTHER = "99999999-3333-4444-8555-666666666666"


def written(*entries: dict[str, Any]) -> bytes:
    return b"".join(orjson.dumps(one) + b"\n" for one in entries)


def talk(turns: int = 2) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    above = None
    for turn in range(turns):
        found.append(user(f"u{turn}", above, f"question {turn}"))
        found.append(message(f"a{turn}", f"u{turn}", "assistant", [{"type": "text", "text": "x"}]))
        above = f"a{turn}"
    return found


def test_a_short_session_is_counted_and_a_long_one_estimated() -> None:
    found = told("pi", written(header(), *talk()))
    assert (found.id, found.project, found.title) == (SESSION, "/work/demo", "question 0")
    assert (found.events, found.estimated) == (4, True)
    assert (found.started, found.last) == (1782889200000, 1782889201000)
    found = told("pi", written(header(), *talk(300)))
    assert found.estimated
    assert found.events is not None
    assert 450 < found.events < 800


def test_the_last_name_counts_and_an_empty_one_takes_it_back() -> None:
    names = [entry("session_info", f"n{at}", "a1", name=name) for at, name in enumerate("AB")]
    assert told("pi", written(header(), *talk(), *names)).title == "B"
    none = entry("session_info", "n9", "n1", name="")
    assert told("pi", written(header(), *talk(), *names, none)).title == "question 0"


def test_a_fork_names_the_session_of_its_file() -> None:
    path = f"/home/ada/.pi/agent/sessions/--w--/2026-07-01T07-00-00-000Z_{OTHER}.jsonl"
    found = told("pi", written(header(parentSession=path), *talk()))
    assert (found.parent, found.relation) == (OTHER, "fork")


@pytest.mark.parametrize(
    "data",
    [
        written(*talk()),
        written({"type": "title", "title": "x"}, header(), *talk()),
        written({"type": "session", "id": 7, "version": 3, "cwd": "/w"}, *talk()),
    ],
)
def test_the_owner_refuses_what_begins_with_no_header(data: bytes) -> None:
    found = told("pi", data)
    assert found.refusal is not None
    assert found.refusal.startswith("Session file is not a valid pi session")


def test_lines_that_cannot_be_read_may_stand_before_the_header() -> None:
    found = told("pi", b"{torn\n" + written(header(), *talk()))
    assert (found.id, found.refusal) == (SESSION, None)


def test_a_title_before_the_header_names_the_session() -> None:
    found = told("pi", written({"type": "title", "title": "Name"}, header(), *talk()))
    assert (found.id, found.title, found.events) == (SESSION, "Name", 4)


def test_a_header_of_another_agent_is_none() -> None:
    theirs = {"type": "session", "version": 0, "id": "x", "createdAt": 1, "delegationDepth": 0}
    assert glance("pi", written({**theirs, "cwd": "/w"})) is None
