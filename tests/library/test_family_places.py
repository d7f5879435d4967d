"""Families in folders of thousands, through links, and where not all may be read."""

import errno
import importlib.metadata
import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from inspector.export import family as told
from inspector.formats import folders, registry
from inspector.library import finding, gathering
from tests.formats.claude import transcripts as claude
from tests.library.families import branch, counts, family, shape
from tests.library.test_family_gathering import (
    OLD,
    claude_file,
    conversation,
    dsh,
    dsh_folder,
    zero_session,
)
from tests.library.test_family_odd import pi, streamed, zero, zero_stream

Where = Callable[[Path, int], Path]


def apart(root: Path, at: int) -> Path:
    """All files bear the same name."""
    return root / f"run{at}" / "session.jsonl"


def together(root: Path, at: int) -> Path:
    """All files lie in one folder."""
    return root / "here" / f"2026_{at}.jsonl"


def star(root: Path, many: int, where: Where) -> Path:
    """A session of Pi with forks; the path of it."""
    root.mkdir()
    first = where(root, 0)
    for at in range(many):
        pi(where(root, at), f"s{at}", "aa", parentSession=str(first) if at else None)
    return first


def chain(root: Path, many: int, where: Where) -> Path:
    """Sessions of Pi, each a fork of the one before; the path of the first."""
    root.mkdir()
    for at in range(many):
        above = str(where(root, at - 1)) if at else None
        pi(where(root, at), f"s{at}", "aa", parentSession=above)
    return where(root, 0)


def kept(home: Path) -> Path:
    """Where Pi keeps sessions in a home."""
    sessions = home / ".pi" / "agent" / "sessions"
    sessions.parent.mkdir(parents=True)
    return sessions


# Thousands.


@pytest.mark.parametrize("where", [apart, together])
@pytest.mark.parametrize("shaped", [star, chain])
def test_the_work_of_a_family_grows_as_it_does(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    shaped: Callable[[Path, int, Where], Path],
    where: Where,
) -> None:
    places: list[object] = []
    absolute = os.path.abspath

    def counted(path: Any) -> Any:
        places.append(path)
        return absolute(path)

    monkeypatch.setattr(os.path, "abspath", counted)

    def work(many: int) -> int:
        home = tmp_path / f"of{many}"
        first = shaped(kept(home), many, where)
        places.clear()
        assert len(family(first, home=home).branches) == many
        return len(places)

    assert work(48) < 2.4 * work(24)


@pytest.mark.parametrize("name", ["same", "kid"])
def test_the_work_of_many_files_of_one_id_grows_as_they_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    awaited: list[object] = []
    waiting = gathering._Gathering._await

    def counted(self: Any, *words: Any, **more: Any) -> None:
        awaited.append(words)
        waiting(self, *words, **more)

    monkeypatch.setattr(gathering._Gathering, "_await", counted)

    def work(many: int) -> int:
        home = tmp_path / f"of{many}"
        sessions = kept(home)
        sessions.mkdir()
        for at in range(many):
            pi(sessions / f"same{at}" / "same.jsonl", "same", "aa")
            pi(
                sessions / f"kid{at}" / "kid.jsonl",
                f"k{at}",
                "aa",
                parentSession="/gone/same.jsonl",
            )
        awaited.clear()
        assert len(family(sessions / f"{name}0" / f"{name}.jsonl", home=home).branches) > many
        return len(awaited)

    assert work(20) < 2.4 * work(10)


@pytest.mark.parametrize("shaped", [star, chain])
def test_a_folder_is_listed_once_for_all_that_lie_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shaped: Callable[[Path, int, Where], Path]
) -> None:
    listed: Counter[Path] = Counter()
    names_in = folders.names_in

    def counted(folder: Path) -> list[str]:
        listed[folder] += 1
        return names_in(folder)

    monkeypatch.setattr(folders, "names_in", counted)
    sessions = kept(tmp_path / "home")
    first = shaped(sessions, 12, together)
    for home in (tmp_path / "home", tmp_path / "none"):
        listed.clear()
        assert len(family(first, home=home).branches) == 12
        assert listed[first.parent] == 1


def test_the_entry_points_are_asked_once_in_a_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[object] = []
    entry_points = importlib.metadata.entry_points

    def counted(**words: str) -> object:
        asked.append(words)
        return entry_points(**words)

    monkeypatch.setattr(importlib.metadata, "entry_points", counted)
    registry.scanned.cache_clear()
    first = star(kept(tmp_path), 9, together)
    assert len(family(first, home=tmp_path).branches) == 9
    assert len(asked) == 1


def test_the_generations_of_a_session_are_looked_at_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked: Counter[str] = Counter()
    look = finding.look

    def counted(text: str) -> finding.Looked:
        looked[text] += 1
        return look(text)

    monkeypatch.setattr(finding, "look", counted)
    here = dsh_folder(tmp_path, dsh("here"))
    for at in range(2, 9):
        dsh_folder(tmp_path, dsh("here", version=1), f"session.jsonl.kept{at}")
    found = family(here)
    assert len(found.branches) == 8
    # By the walk, for itself, and with the others.
    assert max(looked.values()) <= 3


# Links.


@pytest.mark.parametrize("name", ["P", "F"])
@pytest.mark.parametrize("home", ["home", "none"])
def test_pi_a_session_opened_through_a_link_has_its_relatives(
    tmp_path: Path, name: str, home: str
) -> None:
    sessions = kept(tmp_path / "home")
    sessions.mkdir()
    parent = pi(sessions / "x" / "parent.jsonl", "P", "aa", "bb")
    fork = pi(sessions / "x" / "fork.jsonl", "F", "aa", "cc", parentSession=str(parent))
    link = tmp_path / "other-name.jsonl"
    link.symlink_to(parent if name == "P" else fork)
    found = family(link, home=tmp_path / home)
    assert shape(found) == [(0, "P", None), (1, "F", "fork")]
    assert counts(found, "F") == (1, 1, 1)
    assert branch(found, "F").notes == ()
    assert found.branches[found.here].member.path == link


def test_pi_a_file_that_is_found_by_two_links_is_named_by_either(tmp_path: Path) -> None:
    sessions = kept(tmp_path / "home")
    sessions.mkdir()
    parent = pi(sessions / "a" / "parent.jsonl", "P", "aa")
    (sessions / "b").mkdir()
    for link in ("one.jsonl", "two.jsonl"):
        (sessions / "b" / link).symlink_to(parent)
        named = str(sessions / "b" / link)
        pi(sessions / "c" / f"of-{link}", f"of-{link}", "aa", parentSession=named)
    found = family(parent, home=tmp_path / "home")
    assert shape(found) == [
        (0, "P", None),
        (1, "of-one.jsonl", "fork"),
        (1, "of-two.jsonl", "fork"),
    ]
    assert found.notes == ()


# What may not be read.


@pytest.fixture
def denied(monkeypatch: pytest.MonkeyPatch) -> set[str]:
    """Paths that may not be read; the test names them."""
    paths: set[str] = set()
    look = finding.look

    def refusing(text: str) -> finding.Looked:
        if text in paths:
            raise PermissionError(errno.EACCES, "Permission denied")
        return look(text)

    monkeypatch.setattr(finding, "look", refusing)
    return paths


ID = "5d1f0c3a-7b2e-4c80-9a44-1e0f6b7c2d10"

DENIED = "permission denied for 1 file or folder where it was looked: relatives may be there"


def test_a_parent_that_is_there_and_cannot_be_read_is_not_missing(
    tmp_path: Path, denied: set[str]
) -> None:
    parent = dsh("parent")
    folder = dsh_folder(tmp_path, parent)
    denied.add(str(folder / "session.jsonl"))
    found = family(dsh_folder(tmp_path, dsh("fork", "parent", seedLength=0)))
    above = branch(found, "parent").member
    assert (above.missing, above.problem) == (False, "permission denied")
    assert above.path == folder / "session.jsonl"
    assert found.notes == (DENIED,)
    said = "\n".join(told.text(found))
    assert "parent  cannot be read: permission denied" in said
    assert "not found" not in said
    assert told.document(found)["missing"] == []


def test_pi_a_parent_that_cannot_be_read_is_known_by_the_id_in_its_name(
    tmp_path: Path, denied: set[str]
) -> None:
    parent = pi(tmp_path / "x" / f"2026-07-06T09-00-00-000Z_{ID}.jsonl", ID, "aa")
    fork = pi(tmp_path / "x" / "fork.jsonl", "F", "aa", parentSession=str(parent))
    denied.add(str(parent))
    found = family(fork)
    assert shape(found) == [(0, ID, None), (1, "F", "fork")]
    assert branch(found, ID).member.problem == "permission denied"


def test_that_a_parent_cannot_be_read_to_compare_is_said(tmp_path: Path, denied: set[str]) -> None:
    project = tmp_path / ".claude" / "projects" / "p"
    denied.add(str(claude_file(project, OLD, conversation(OLD))))
    side = claude.user("s1", None, isSidechain=True, agentId="one", sessionId=OLD)
    found = streamed(claude_file(tmp_path, "agent-one", [side]), tmp_path)
    assert shape(found) == [(0, OLD, None), (1, "agent-one", "subagent")]
    assert branch(found, OLD).member.problem == "permission denied"
    assert branch(found, "agent-one").notes == (gathering._NOT_READ,)


def test_a_file_that_may_not_be_read_is_counted_where_one_is_not_found(
    tmp_path: Path, denied: set[str]
) -> None:
    (tmp_path / "some.jsonl").write_bytes(bytes(dsh("parent")))
    (tmp_path / "here.jsonl").write_bytes(bytes(dsh("here", "parent")))
    denied.add(str(tmp_path / "some.jsonl"))
    found = family(tmp_path / "here.jsonl")
    assert branch(found, "parent").member.missing
    assert found.notes == (DENIED,)


def test_a_place_that_may_not_be_listed_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sessions = kept(tmp_path / "home")
    sessions.mkdir()
    path = pi(tmp_path / "x" / "here.jsonl", "here", "aa", parentSession="/gone/parent.jsonl")
    listed = finding.listed

    def refusing(text: str, *more: Any) -> Any:
        if text == str(sessions):
            raise PermissionError(errno.EACCES, "Permission denied")
        return listed(text, *more)

    monkeypatch.setattr(finding, "listed", refusing)
    found = family(path, home=tmp_path / "home")
    assert {one.path: one.denied for one in found.looked} == {sessions: True, path.parent: False}
    assert found.notes == (DENIED,)
    assert any(line.endswith("sessions: permission denied") for line in told.looked_words(found))
    assert [one["denied"] for one in told.document(found)["looked"]] == [False, True]


# What it is called.


def test_an_older_generation_that_is_asked_for_itself_keeps_its_title(tmp_path: Path) -> None:
    sessions = tmp_path / ".dsh" / "sessions" / "p"
    old = dsh("here")
    old.user("what shall we do")
    here = dsh_folder(sessions, old)
    dsh_folder(sessions, dsh("here", version=1), "session.v1.jsonl")
    found = family(here / "session.jsonl", home=tmp_path)
    mine = found.branches[found.here]
    assert (mine.relation, mine.member.title) == ("generation", "what shall we do")


def test_a_stream_is_called_by_the_first_words_of_a_person(tmp_path: Path) -> None:
    path = zero_stream(tmp_path, zero.answer(), zero.user("light  the\npier"), zero.user("more"))
    (mine,) = streamed(path, tmp_path).branches
    assert mine.member.title == "light the pier"


def test_a_stream_is_called_as_the_file_of_it_is(tmp_path: Path) -> None:
    sessions = tmp_path / ".local" / "share" / "zero" / "sessions"
    within = zero_session(sessions, "s", zero.user("a"), zero.answer("b"), title="The pier")
    (mine,) = streamed(within / "events.jsonl", tmp_path).branches
    assert (mine.member.title, mine.notes) == ("The pier", ())
    assert mine.member.started is not None
