"""What the ends of a log tell without folding it."""

from typing import Any

import orjson
import pytest

from inspector.formats.codex import FORMAT
from inspector.formats.listing import HEAD
from tests.formats.codex.tapes import THREAD, Record, event, meta, said
from tests.glances import ends_of, glance, told

CONTEXT = "<environment_context>\n<cwd>/w</cwd>\n</environment_context>"


def written(*records: Record) -> bytes:
    lines = []
    for at, one in enumerate(records):
        stamp = f"2026-03-01T09:{at // 60 % 60:02}:{at % 60:02}.000Z"
        lines.append(orjson.dumps({"timestamp": stamp, **one}) + b"\n")
    return b"".join(lines)


def talk(turns: int = 2) -> list[Record]:
    found = []
    for turn in range(turns):
        found += [said("user", f"question {turn}"), said("assistant", "an answer")]
    return found


def test_a_short_log_is_counted_and_a_long_one_estimated() -> None:
    found = told("codex", written(meta(), *talk()))
    assert (found.id, found.project, found.title) == (THREAD, "/w", "question 0")
    assert (found.events, found.estimated) == (4, True)
    assert (found.started, found.last) == (1772355600000, 1772355604000)
    found = told("codex", written(meta(), *talk(400)))
    assert found.estimated
    assert found.events is not None
    assert 600 < found.events < 1_100


def test_what_the_owner_tells_the_model_is_no_title() -> None:
    told_by_owner = [
        said("user", CONTEXT),
        said("user", "# AGENTS.md instructions for /w\n\n<INSTRUCTIONS>\nx\n</INSTRUCTIONS>"),
        said("user", "<user_instructions>\nbe kind\n</user_instructions>"),
        said("developer", "<permissions instructions>none</permissions instructions>"),
    ]
    assert told("codex", written(meta(), *told_by_owner, *talk())).title == "question 0"
    assert told("codex", written(meta(), *told_by_owner)).title is None


def test_what_an_editor_tells_stands_before_the_request() -> None:
    ask = "# Context from my IDE setup:\n\n## Open tabs\n\n## My request for Codex:\nlist files\n"
    found = told("codex", written(meta(), event("user_message", message=ask)))
    assert found.title == "list files"


def test_a_name_of_the_thread_comes_before_what_was_said() -> None:
    names = [event("thread_name_updated", thread_name=name) for name in ("One", "Two")]
    assert told("codex", written(meta(), *talk(), *names)).title == "Two"
    assert told("codex", written(meta(), *talk(400), *names)).title == "Two"


SPAWN = {"subagent": {"thread_spawn": {"parent_thread_id": "above", "depth": 1}}}


@pytest.mark.parametrize(
    ("more", "parent", "relation"),
    [
        ({}, None, None),
        ({"forked_from_id": "above"}, "above", "fork"),
        ({"parent_thread_id": "above"}, "above", "subagent"),
        ({"source": SPAWN}, "above", "subagent"),
        ({"forked_from_id": "one", "parent_thread_id": "two"}, "one", "fork"),
        ({"history_base": {"thread_id": "above"}}, "above", "fork"),
        ({"history_base": {"thread_id": THREAD}}, None, None),
    ],
)
def test_a_parent_is_told_with_what_it_is_to_it(
    more: dict[str, Any], parent: str | None, relation: str | None
) -> None:
    found = told("codex", written(meta(**more), *talk()))
    assert (found.parent, found.relation) == (parent, relation)
    # What stands in the log before is its own too, and not counted.
    assert found.events == (None if "history_base" in more else 4)
    assert found.estimated is ("history_base" not in more)


def test_a_header_with_instructions_is_longer_than_a_page() -> None:
    more = {"base_instructions": {"text": "Be brief. " * 2_000}}
    data = written(meta(**more), *talk())
    found = told("codex", data)
    assert (found.id, found.project, found.title) == (THREAD, "/w", "question 0")
    ends = ends_of(data)._replace(head=data[:HEAD], whole=False)
    cut = FORMAT.glance(ends)
    assert cut is not None
    assert (cut.id, cut.project, cut.title, cut.refusal) == (THREAD, "/w", None, None)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (written(*talk()), "failed to read session metadata: there is no session_meta"),
        (written(meta(history_mode="odd")), "unknown history mode odd"),
        (
            b"\xef\xbb\xbf" + written(meta(), *talk()),
            "failed to read session metadata: it stands behind a byte order mark",
        ),
        (
            b"{torn\n" + written(meta(), *talk()),
            "failed to read session metadata: it stands in, or behind, a line that is no JSON",
        ),
        (
            orjson.dumps({"id": "x", "timestamp": "2025-08-01T09:00:00Z", "git": None})
            + b'\n{"type":"message","role":"user","content":[]}\n',
            "failed to read session metadata: the header is that of an older release",
        ),
    ],
)
def test_what_the_owner_refuses_at_the_beginning_is_told(data: bytes, reason: str) -> None:
    assert told("codex", data).refusal == reason


def test_of_a_long_log_without_a_header_nothing_is_said_of_its_owner() -> None:
    assert told("codex", written(*talk(400))).refusal is None


def test_the_older_era_is_read_too() -> None:
    header = {"id": "x", "timestamp": "2025-08-01T09:00:00.000Z", "git": {}}
    item = {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "hi"}]}
    data = orjson.dumps(header) + b"\n" + orjson.dumps(item) + b"\n"
    found = told("codex", data)
    assert (found.id, found.title, found.events) == ("x", "hi", 1)


def test_records_of_others_are_none() -> None:
    assert glance("codex", b'{"id":"x","timestamp":"t","type":"user","uuid":"u"}\n') is None
    assert glance("codex", b'{"type":"odd","payload":{}}\n') is None
