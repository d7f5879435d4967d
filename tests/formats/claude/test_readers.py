"""Other readers that show other messages, by what they lack and add."""

from pathlib import Path

import pytest
from hypothesis import given, settings

from inspector.formats.claude.policies import POLICIES, RECORDED
from inspector.formats.claude.reading import ClaudeTape
from tests.formats.claude.generated import transcripts
from tests.formats.claude.test_laws import tape_of
from tests.formats.claude.transcripts import (
    Record,
    answer,
    boundary,
    call,
    folded,
    held,
    result,
    summary,
    text,
    user,
    written,
)

LACKING = "sdk-py:reload: lacks 2 messages: lines 3 to 4"


def differences(tape: ClaudeTape) -> list[str]:
    return [one.message for one in tape.findings() if one.kind.code == "readers-differ"]


def batch() -> list[Record]:
    return [
        user("u1", None),
        answer("a1", "u1", call("c1"), of="m"),
        answer("a2", "a1", call("c2"), of="m"),
        result("r2", "a2", "c2"),
        result("r1", "a1", "c1"),
        answer("a3", "r1", text("done")),
    ]


def test_a_reader_that_walks_one_path_lacks_the_rest_of_a_batch(tmp_path: Path) -> None:
    assert differences(folded(tmp_path, batch())) == [
        "sdk-py:reload: lacks 2 messages: lines 3 to 4"
    ]


def test_from_the_other_side_the_same_messages_are_added(tmp_path: Path) -> None:
    told = differences(folded(tmp_path, batch(), "sdk-py"))
    assert told == ["sdk-js:reload: adds 2 messages: lines 3 to 4"]


def test_what_a_compaction_kept_is_lacking_by_a_plain_walk(tmp_path: Path) -> None:
    kept = {"anchorUuid": "s", "uuids": ["u2", "a2"]}
    records = [
        user("u1", None),
        answer("a1", "u1"),
        user("u2", "a1"),
        answer("a2", "u2"),
        boundary("b", preservedMessages=kept),
        summary("s", "b"),
        user("u3", "s"),
    ]
    assert differences(folded(tmp_path, records)) == [
        "sdk-py:reload: lacks 2 messages: lines 3 to 4"
    ]


def test_a_copy_of_a_message_brings_its_line_back_for_one_reader(tmp_path: Path) -> None:
    records = [
        user("u1", None),
        answer("a1", "u1", text("lol"), of="m"),
        answer("a2", None, text("lol"), of="m"),
        user("u2", "a2"),
    ]
    assert differences(folded(tmp_path, records)) == ["sdk-js:reload: adds 1 message: line 2"]


def test_a_recorded_end_is_a_reader_of_its_own(tmp_path: Path) -> None:
    pointed = {"type": "last-prompt", "leafUuid": "a1", "explicit": True}
    records = [user("u1", None), answer("a1", "u1"), user("u2", "a1"), pointed]
    told = differences(folded(tmp_path, records))
    assert told == ["cli-leaf:reload: the conversation ends at line 2; lacks 1 message: line 3"]


def test_a_reload_tells_where_the_writer_stood(tmp_path: Path) -> None:
    records = [
        user("u1", None),
        answer("a1", "u1"),
        user("u2", "a1"),
        user("u3", "a1"),
        {**user("m", "u2"), "type": "system", "subtype": "informational"},
        user("s1", "u3", isMeta=True),
    ]
    assert differences(folded(tmp_path, records[:3], "sdk-js:reload")) == []
    told = differences(folded(tmp_path, records, "sdk-py:reload"))
    assert "sdk-py: the conversation ends at line 6" in told


@pytest.mark.parametrize("policy", [name for name in POLICIES if not name.startswith(RECORDED)])
def test_one_path_is_read_alike_by_all(tmp_path: Path, policy: str) -> None:
    records = [user("u1", None), answer("a1", "u1"), user("u2", "a1")]
    assert differences(folded(tmp_path, records, policy)) == []


def test_a_line_that_one_reader_cannot_take_is_lacking(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    start = written([user("u1", None)])
    path.write_bytes(start + b"\0" * 8 + written([answer("a1", "u1"), user("u2", "a1")]))
    told = differences(held(path))
    assert told == ["sdk-py:reload: lacks 2 messages: lines 1 to 2"]


def listed(tape: ClaudeTape) -> set[str]:
    """The uuids of the messages on the surface."""
    nodes, found = tape.timeline.surface.nodes, set[str]()
    for row in tape.timeline.rows(tape.timeline.events):
        record = tape.payload(nodes.origin(row.node))
        kind = record.get("attachment", {}).get("type")
        if record["type"] in ("user", "assistant") or kind == "queued_command":
            found.add(record["uuid"])
    return found


@settings(deadline=None, max_examples=30)
@given(records=transcripts())
def test_what_is_told_of_a_reader_is_what_it_opens(records: list[Record]) -> None:
    named = dict.fromkeys(one.get("uuid") for one in records)
    records = [next(one for one in records if one.get("uuid") == name) for name in named]
    with tape_of(records, "sdk-js") as tape:
        if tape.decoder.members.subagent:
            return
        told, ours = differences(tape), listed(tape)
    for policy in ("sdk-js:reload", "sdk-py:reload"):
        with tape_of(records, policy) as other:
            theirs = listed(other)
        words = " ".join(one for one in told if policy in one.partition(": ")[0])
        lacks, adds = len(ours - theirs), len(theirs - ours)
        assert ("lacks" in words) is (lacks > 0)
        assert ("adds" in words) is (adds > 0)
        assert not lacks or f"lacks {lacks} message" in words
        assert not adds or f"adds {adds} message" in words
