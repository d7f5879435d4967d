"""Files of version 1 and 2, which the owner rewrites, and of versions that nobody knows."""

from pathlib import Path

import pytest

from inspector.timeline.words import Kind
from tests.formats.pi.sessions import (
    Json,
    answer,
    codes,
    compaction,
    folded,
    header,
    message,
    opened,
    surface,
    text_of,
    user,
)
from tests.untouched import untouched


def old(*entries: Json) -> list[Json]:
    """Entries as version 1 has them."""
    apart = ("id", "parentId", "firstKeptEntryId")
    return [{key: value for key, value in one.items() if key not in apart} for one in entries]


def first() -> Json:
    head = header()
    del head["version"]
    return head


def texts(folder: Path, *entries: Json, head: Json) -> list[str]:
    tape = folded(folder, *entries, head=head)
    return [tape.node_headline(row.node).text for row in tape.timeline.rows(tape.timeline.events)]


def test_entries_without_ids_are_one_line_and_an_index_counts_the_header(tmp_path: Path) -> None:
    short = {**compaction("s", None), "firstKeptEntryIndex": 3}
    entries = old(user("a", None), answer("b", None), user("c", None), short, user("d", None))
    assert texts(tmp_path, *entries, head=first()) == ["summary s", "user c", "user d"]


def test_what_the_owner_would_do_is_told_and_nothing_is_written(tmp_path: Path) -> None:
    entries = old(user("a", None))
    path = tmp_path / "2026-07-01T07-00-00-000Z_22222222-3333-4444-8555-666666666666.jsonl"
    tape = folded(tmp_path, *entries, head=first())
    with untouched(path):
        verdict = tape.verdict()
        assert verdict.opens is True
        assert "rewrites the file on open" in (verdict.reason or "")
        assert tape.identity.variant == "v1/jsonl"
        assert tape.message_id(0) is None
        assert "rewritten-on-open" in codes(tape)
        assert tape.on_resume(1)[0] == "the file is rewritten first, as version 3"


def test_an_index_that_names_nothing_keeps_nothing(tmp_path: Path) -> None:
    for index in (0, 4, 99, -1, 1.5, "2", None):
        short = {**compaction("s", None), "firstKeptEntryIndex": index}
        entries = old(user("a", None), answer("b", None), user("c", None), short)
        assert texts(tmp_path, *entries, head=first()) == ["summary s"], index


def test_a_hook_message_of_version_2_is_what_an_extension_says(tmp_path: Path) -> None:
    hooked = message("h", "a", "hookMessage", "told", customType="x")
    tape = folded(tmp_path, user("a", None), hooked, head=header(version=2))
    nodes = tape.timeline.surface.nodes
    assert nodes.kind(tape.timeline.rows(2)[1].node) is Kind.CONTEXT
    assert surface(tape) == ["a", "h"]


def test_a_newer_version_is_read_as_it_is(tmp_path: Path) -> None:
    tape = folded(tmp_path, user("a", None), head=header(version=99))
    assert surface(tape) == ["a"]
    assert codes(tape) == ["newer-version"]
    assert tape.verdict().reason is None


@pytest.mark.parametrize(
    ("told", "read", "odd"),
    [
        (None, 1, False),
        (3, 3, False),
        (4, 4, False),
        (1.5, 1, True),
        (2.5, 2, True),
        (-1, 1, True),
        ("2", 2, True),
        (" 3 ", 3, True),
        ("", 1, True),
        ("three", 3, True),
        (True, 1, True),
        ([2], 3, True),
    ],
)
def test_a_version_is_compared_as_the_owner_compares_it(
    told: object, read: int, odd: bool, tmp_path: Path
) -> None:
    tape = folded(tmp_path, user("a", None), head=header(version=told))
    assert tape.decoder.judge.version == read
    assert ("odd-version" in codes(tape)) == odd


@pytest.mark.parametrize(
    ("odd", "why"),
    [
        (b"7", "Cannot create property 'id' on number '7'"),
        (b'"x"', "Cannot create property 'id' on string 'x'"),
        (b"true", "Cannot create property 'id' on boolean 'true'"),
    ],
)
def test_the_owner_fails_at_what_can_have_no_id(odd: bytes, why: str, tmp_path: Path) -> None:
    content = text_of(old(user("a", None)), first()) + odd + b"\n"
    tape = opened(content, tmp_path)
    verdict = tape.verdict()
    assert (verdict.opens, verdict.reason, verdict.event) == (False, why, 1)
    younger = opened(text_of([user("a", None)], header(version=2)) + odd + b"\n", tmp_path)
    assert younger.verdict().opens is True


def test_a_list_takes_an_id_and_the_entry_before_it_as_its_parent(tmp_path: Path) -> None:
    content = text_of(old(user("a", None)), first()) + b"[1]\n"
    content += text_of(old(user("b", None)), first()).split(b"\n", 1)[1]
    tape = opened(content, tmp_path)
    assert tape.verdict().opens is True
    said = [
        [tape.node_headline(row.node).text for row in tape.timeline.rows(cursor)]
        for cursor in (1, 2, 3)
    ]
    assert said == [["user a"], ["user a"], ["user a", "user b"]]
    younger = opened(text_of([user("a", None)], header(version=2)) + b"[1]\n", tmp_path)
    assert surface(younger) == []
