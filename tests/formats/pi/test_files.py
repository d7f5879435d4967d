"""Headers, ends of files, damaged lines, and how a file is recognised."""

import json
from pathlib import Path

import pytest

from inspector.formats.contract import Certainty
from inspector.formats.pi import FORMAT
from inspector.tape.records import Fate
from inspector.timeline.words import Visibility
from tests.formats.pi.sessions import (
    NAME,
    SESSION,
    answer,
    codes,
    entry,
    folded,
    header,
    opened,
    surface,
    text_of,
    user,
)

TITLE = json.dumps({"type": "title", "title": "Named before"}).encode() + b"\n"


def test_a_header_is_no_event_and_says_who_it_is(tmp_path: Path) -> None:
    tape = folded(tmp_path, user("a", None))
    identity = tape.identity
    assert (identity.id, identity.cwd, identity.variant) == (SESSION, "/work/demo", "v3/jsonl")
    assert identity.created == 1_782_889_200_000
    assert tape.physical(0).fate is Fate.BOOKKEEPING
    assert tape.timeline.events == 1
    sums = tape.sums()
    assert (sums.records, sums.carriers, sums.bookkeeping) == (2, 1, 1)


@pytest.mark.parametrize(
    ("start", "code"),
    [
        (TITLE, "title-before-header"),
        (b"42\n", "no-header"),
        (b'{"type":"message"}\n', "no-header"),
        (b'{"type":"session","version":3,"id":5}\n', "no-header"),
    ],
)
def test_what_is_no_header_makes_it_no_session(start: bytes, code: str, tmp_path: Path) -> None:
    tape = opened(start + text_of([user("a", None)]), tmp_path)
    assert code in codes(tape)
    assert tape.verdict().opens is False
    assert "not a valid pi session" in (tape.verdict().reason or "")
    assert surface(tape) == ["a"]


def test_a_title_before_the_header_is_the_title(tmp_path: Path) -> None:
    tape = opened(TITLE + text_of([user("a", None)]), tmp_path)
    setting = tape.timeline.registers.at("title", 0)
    assert setting is not None
    assert setting.value == "Named before"


def test_bad_lines_before_the_header_do_no_harm(tmp_path: Path) -> None:
    tape = opened(b"junk\nnull\n\n" + text_of([user("a", None)]), tmp_path)
    assert tape.verdict().opens is True
    assert surface(tape) == ["a"]


def test_an_empty_file_gets_a_header(tmp_path: Path) -> None:
    verdict = opened(b"", tmp_path).verdict()
    assert verdict.opens is True
    assert "writes a header" in (verdict.reason or "")


def test_a_second_header_is_passed_over(tmp_path: Path) -> None:
    content = text_of([user("a", None)]) + text_of([user("b", "a")], header(id="other"))
    tape = opened(content, tmp_path)
    assert surface(tape) == ["a", "b"]
    assert codes(tape) == ["second-header"]


def test_a_whole_last_line_that_nothing_ends_is_read(tmp_path: Path) -> None:
    tape = opened(text_of([user("a", None), user("b", "a")])[:-1], tmp_path)
    assert surface(tape) == ["a", "b"]
    assert codes(tape) == ["unended-line"]
    assert "appends a line end" in (tape.verdict().reason or "")


def test_a_torn_last_line_waits(tmp_path: Path) -> None:
    tape = opened(text_of([user("a", None), user("b", "a")])[:-10], tmp_path)
    assert surface(tape) == ["a"]
    assert codes(tape) == ["torn-tail"]
    assert "appends a line end" in (tape.verdict().reason or "")


def test_an_entry_in_a_damaged_line_is_listed_and_not_on_the_path(tmp_path: Path) -> None:
    lines = text_of([user("a", None), answer("b", "a"), user("c", "b")]).splitlines(keepends=True)
    lines[2] = lines[2][:20] + lines[2]
    tape = opened(b"".join(lines), tmp_path)
    assert tape.timeline.events == 3
    assert tape.headline(1).text == "answer b"
    assert tape.timeline.visibility(1, 3) == (Visibility.NOT_APPLIED, None)
    assert surface(tape) == ["c"]
    assert {"torn-prefix", "missing-parent"} <= set(codes(tape))


def test_a_file_is_known_by_its_header() -> None:
    sure = [header(), {"type": "session", "id": "x", "cwd": "/"}]
    assert [FORMAT.recognise(line(one)).certainty for one in sure] == [Certainty.SURE] * 2
    named = TITLE + line(header())
    assert FORMAT.recognise(named).certainty is Certainty.SURE


def test_a_file_without_its_header_is_known_by_its_entries() -> None:
    assert FORMAT.recognise(line(user("a", None))).certainty is Certainty.LIKELY


@pytest.mark.parametrize(
    "other",
    [
        {"type": "session_meta", "payload": {"id": "x"}},
        {"type": "user", "uuid": "u", "parentUuid": None, "sessionId": "s", "message": {}},
        {"type": "session", "id": 5, "cwd": "/"},
        entry("unheard_of", "a", None),
    ],
)
def test_a_file_of_another_agent_is_not(other: dict[str, object]) -> None:
    assert FORMAT.recognise(line(other)).certainty is Certainty.NO


def line(value: object) -> bytes:
    return json.dumps(value).encode() + b"\n"


def test_a_fork_says_of_which_session_it_is(tmp_path: Path) -> None:
    told = "C:\\sessions\\2026_11111111-2222-4333-8444-555555555555.jsonl"
    tape = folded(tmp_path, user("a", None), head=header(parentSession=told))
    assert tape.identity.parent == "11111111-2222-4333-8444-555555555555"
    assert tape.identity.beside == (f"made of {told}",)
    assert [(kin.relation, kin.tape) for kin in tape.timeline.kin] == [
        ("fork", "11111111-2222-4333-8444-555555555555")
    ]
    assert tape.identity.inherited == 0


def test_entries_that_the_parent_beside_it_has_are_inherited(tmp_path: Path) -> None:
    parent = [user("a", None), answer("b", "a"), user("c", "b")]
    (tmp_path / "2026_parent.jsonl").write_bytes(text_of(parent))
    head = header(parentSession="/elsewhere/2026_parent.jsonl")
    tape = folded(tmp_path, *parent[:2], user("d", "b"), head=head)
    assert tape.identity.inherited == 2
    assert [(kin.relation, kin.boundary) for kin in tape.timeline.kin] == [("fork", 2)]


@pytest.mark.parametrize("told", ["/", "..", "\0.jsonl", NAME, "no such.jsonl", 5, ""])
def test_a_parent_that_is_none_does_no_harm(told: object, tmp_path: Path) -> None:
    tape = folded(tmp_path, user("a", None), head=header(parentSession=told))
    assert tape.identity.inherited == 0
