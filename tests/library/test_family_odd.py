"""Families whose files lie oddly, name each other oddly, or are too many."""

import json
from pathlib import Path

import pytest

from inspector.export import family as told
from inspector.formats.contract import Options
from inspector.formats.listing import Surroundings
from inspector.formats.opening import open_stream
from inspector.library import gathering, nearness, reading
from inspector.library.family import Family, family_of
from inspector.library.members import Member, Named
from inspector.library.relations import related
from inspector.library.searching import Search
from tests.formats.claude import transcripts as claude
from tests.formats.zero import sessions as zero
from tests.library.families import branch, counts, family, shape
from tests.library.test_family_gathering import (
    NEW,
    OLD,
    claude_file,
    conversation,
    dsh,
    dsh_folder,
    zero_session,
)
from tests.tape.packed import frame

# Where they lie.


def test_a_link_that_leads_in_a_circle_hides_nothing_beside_it(tmp_path: Path) -> None:
    for name in ("a.jsonl", "b.jsonl", "z.jsonl"):
        (tmp_path / name).symlink_to(tmp_path / name)
    (tmp_path / "here.jsonl").write_bytes(bytes(dsh("here", "parent")))
    (tmp_path / "parent.jsonl").write_bytes(bytes(dsh("parent")))
    assert shape(family(tmp_path / "here.jsonl")) == [(0, "parent", None), (1, "here", "child")]


def test_the_folder_above_is_looked_through_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scanned: list[Path] = []
    listing = nearness._listed

    def counted(folder: Path) -> tuple[list[Path], list[Path]]:
        scanned.append(folder)
        return listing(folder)

    monkeypatch.setattr(nearness, "_listed", counted)
    dsh_folder(tmp_path, dsh("here"))
    for at in range(30):
        dsh_folder(tmp_path, dsh(f"child{at}", "here"))
    assert len(family(tmp_path / "here").branches) == 31
    assert scanned.count(tmp_path) == 1


def test_relatives_are_looked_for_where_a_link_leads_as_well(tmp_path: Path) -> None:
    for log in (dsh("here", "parent"), dsh("parent")):
        dsh_folder(tmp_path / "real", log)
    (tmp_path / "links").mkdir()
    link = tmp_path / "links" / "here.jsonl"
    link.symlink_to(tmp_path / "real" / "here" / "session.jsonl")
    found = family(link)
    assert shape(found) == [(0, "parent", None), (1, "here", "child")]
    assert found.branches[1].member.path == link
    assert tmp_path / "real" in [one.path for one in found.looked]


def test_a_log_that_lies_packed_as_well_is_no_older_generation(tmp_path: Path) -> None:
    log = dsh("here")
    log.user("one")
    dsh_folder(tmp_path, log)
    header, _, rest = bytes(log).partition(b"\n")
    packed = frame(header + b"\n") + frame(rest)
    (tmp_path / "here" / "session.jsonl.zstd").write_bytes(packed)
    found = family(tmp_path / "here")
    assert [one.relation for one in found.branches] == [None, "same session"]


@pytest.mark.parametrize("name", ["here", "here/session.jsonl", "fork"])
def test_an_older_generation_under_another_id_keeps_its_forks(tmp_path: Path, name: str) -> None:
    here = dsh_folder(tmp_path, dsh("here"))
    (here / "session.v1.jsonl").write_bytes(bytes(dsh("newer", version=1)))
    dsh_folder(tmp_path, dsh("fork", "here", seedLength=0))
    found = family(tmp_path / name)
    assert shape(found) == [(0, "newer", None), (1, "here", "generation"), (2, "fork", "fork")]
    assert branch(found, "here").notes == ("it lies in the same folder, and bears another id",)


# What they are called.


@pytest.mark.parametrize("name", ["one", "kid"])
@pytest.mark.parametrize("parent", ["team/one", "team\\one"])
def test_an_id_that_looks_like_a_path_is_an_id(tmp_path: Path, name: str, parent: str) -> None:
    for at, log in (("one", dsh(parent)), ("kid", dsh("kid", parent)), ("x", dsh("one"))):
        (tmp_path / at).mkdir()
        (tmp_path / at / "session.jsonl").write_bytes(bytes(log))
    assert shape(family(tmp_path / name)) == [(0, parent, None), (1, "kid", "child")]


def pi(path: Path, name: str, *entries: str, **header: object) -> Path:
    time = "2026-07-06T09:00:00.000Z"
    said = {"type": "session", "version": 3, "id": name, "timestamp": time, "cwd": "/w", **header}
    lines: list[object] = [{key: value for key, value in said.items() if value is not None}]
    above = None
    for entry in entries:
        message = {"role": "user", "content": [{"type": "text", "text": entry}]}
        one = {"type": "message", "id": entry, "parentId": above, "timestamp": time}
        lines.append({**one, "message": message})
        above = entry
    path.parent.mkdir(exist_ok=True)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


TAKEN = "the file of that name beside it is taken for it"


@pytest.mark.parametrize("name", ["parent", "fork"])
def test_pi_a_parent_is_the_file_that_is_named_from_both_sides(tmp_path: Path, name: str) -> None:
    here = tmp_path / "here"
    pi(here / "parent.jsonl", "P", "aa", "bb")
    pi(here / "fork.jsonl", "F", "aa", "cc", parentSession=str(here / "parent.jsonl"))
    found = family(here / f"{name}.jsonl")
    assert shape(found) == [(0, "P", None), (1, "F", "fork")]
    assert counts(found, "F") == (1, 1, 1)
    assert branch(found, "F").notes == ()


@pytest.mark.parametrize("name", ["parent", "fork"])
def test_pi_a_file_of_the_name_beside_it_is_taken_and_that_is_said(
    tmp_path: Path, name: str
) -> None:
    here = tmp_path / "here"
    pi(here / "parent.jsonl", "P", "aa")
    pi(here / "fork.jsonl", "F", "aa", "cc", parentSession="C:\\gone\\parent.jsonl")
    found = family(here / f"{name}.jsonl")
    assert shape(found) == [(0, "P", None), (1, "F", "fork")]
    assert branch(found, "F").notes == (f"names C:\\gone\\parent.jsonl: {TAKEN}",)


def test_pi_a_file_of_the_same_name_elsewhere_is_not_taken(tmp_path: Path) -> None:
    sessions = tmp_path / "home" / ".pi" / "agent" / "sessions"
    sessions.mkdir(parents=True)
    other = pi(sessions / "x" / "s.jsonl", "X", "aa")
    fork = pi(sessions / "y" / "f.jsonl", "F", "aa", "cc", parentSession="/gone/s.jsonl")
    found = family(fork, home=tmp_path / "home")
    assert shape(found) == [(0, "s", None), (1, "F", "fork")]
    assert found.branches[0].member.missing
    assert counts(found, "F") == (None, None, None)
    assert branch(found, "F").notes == (gathering._NOT_COMPARED,)
    assert shape(family(other, home=tmp_path / "home")) == [(0, "X", None)]
    # The one at the path itself is.
    pi(fork, "F", "aa", "cc", parentSession=str(other))
    found = family(fork, home=tmp_path / "home")
    assert shape(found) == [(0, "X", None), (1, "F", "fork")]
    assert counts(found, "F") == (1, 1, 1)
    assert branch(found, "F").notes == ()


def test_pi_what_old_builds_branched_from_is_the_parent(tmp_path: Path) -> None:
    old = tmp_path / "old"
    pi(old / "parent.jsonl", "P", "aa", version=None)
    fork = pi(old / "fork.jsonl", "F", version=None, branchedFrom=str(old / "parent.jsonl"))
    assert shape(family(fork)) == [(0, "P", None), (1, "F", "fork")]


# What they say of themselves.


def test_no_more_is_copied_than_is_there(tmp_path: Path) -> None:
    fork = dsh("fork", "parent", seedLength=9_999)
    fork.user("one")
    dsh_folder(tmp_path, dsh("parent"))
    dsh_folder(tmp_path, fork)
    found = family(tmp_path / "fork")
    assert counts(found, "fork")[:2] == (1, 0)
    assert branch(found, "fork").notes == ("it says that 9,999 events are copies, and has 1",)


@pytest.mark.parametrize(
    ("header", "relation"),
    [({}, "child"), ({"origin": "subagent"}, "subagent"), ({"seedLength": 0}, "fork")],
)
def test_dsh_what_a_log_is_to_its_parent_its_header_says(
    tmp_path: Path, header: dict[str, object], relation: str
) -> None:
    dsh_folder(tmp_path, dsh("here"))
    dsh_folder(tmp_path, dsh("kid", "here", **header))
    assert shape(family(tmp_path / "here")) == [(0, "here", None), (1, "kid", relation)]


def test_a_subagent_of_which_no_call_tells_says_so(tmp_path: Path) -> None:
    dsh_folder(tmp_path, dsh("here"))
    dsh_folder(tmp_path, dsh("kid", "here", origin="subagent"))
    assert branch(family(tmp_path / "here"), "kid").notes == ("which call started it is not known",)


def test_claude_a_subagents_subagent_hangs_on_that(tmp_path: Path) -> None:
    path = claude_file(tmp_path, OLD, conversation(OLD))
    folder = tmp_path / OLD / "subagents"
    for name in ("one", "two"):
        side = claude.user("s1", None, isSidechain=True, agentId=name, sessionId=OLD)
        claude_file(folder, f"agent-{name}", [side])
    about = {"parentAgentId": "one", "toolUseId": "t9"}
    (folder / "agent-two.meta.json").write_text(json.dumps(about))
    wanted = [(0, OLD, None), (1, "agent-one", "subagent"), (2, "agent-two", "subagent")]
    for one in (path, folder / "agent-one.jsonl", folder / "agent-two.jsonl"):
        assert shape(family(one)) == wanted


def test_claude_a_resume_copy_without_lines_of_its_own_is_a_resume(tmp_path: Path) -> None:
    records = conversation(OLD)
    claude_file(tmp_path, OLD, records)
    path = claude_file(tmp_path, NEW, records)
    found = family(path)
    assert shape(found) == [(0, OLD, None), (1, NEW, "resume")]
    assert counts(found, NEW)[:2] == (2, 0)


# From a stream.


def streamed(path: Path, home: Path) -> Family:
    """The family of what comes from a stream."""
    with path.open("rb") as stream:
        tape = open_stream(stream, Options())
    try:
        reading.folded(tape, lambda: True)
        surroundings = Surroundings({"HOME": str(home)}, home, "linux")
        return gathering.gather(tape, Search(surroundings))
    finally:
        tape.close()


def test_claude_a_subagent_from_a_stream_stays_one(tmp_path: Path) -> None:
    project = tmp_path / ".claude" / "projects" / "p"
    project.mkdir(parents=True)
    side = claude.user("s1", None, isSidechain=True, agentId="one", sessionId=OLD)
    path = claude_file(tmp_path, "agent-one", [side])
    found = streamed(path, tmp_path)
    assert shape(found) == [(0, OLD, None), (1, "agent-one", "subagent")]
    assert counts(found, "agent-one") == (None, None, None)
    assert branch(found, "agent-one").notes == (gathering._NOT_COMPARED,)
    # Its own file, and that of its session, are there.
    claude_file(project, OLD, conversation(OLD))
    claude_file(project / OLD / "subagents", "agent-one", [side])
    found = streamed(path, tmp_path)
    assert shape(found) == [(0, OLD, None), (1, "agent-one", "subagent")]
    assert counts(found, "agent-one") == (0, 1, None)


def zero_stream(folder: Path, *drafts: zero.Draft) -> Path:
    path = folder / "stream.jsonl"
    path.write_bytes(zero.log(*drafts))
    return path


def test_zero_a_fork_from_a_stream_stands_below_the_session_that_it_names(tmp_path: Path) -> None:
    fork = "session_fork", {"parentSessionId": "p", "copiedEventCount": 2}
    path = zero_stream(tmp_path, zero.user(), zero.answer(), fork, zero.user())
    found = streamed(path, tmp_path)
    assert shape(found) == [(0, "p", None), (1, "s", "fork")]
    assert counts(found, "s") == (2, 2, None)


def test_zero_the_file_of_a_stream_is_not_another_session(tmp_path: Path) -> None:
    path = zero_stream(tmp_path, zero.user(), zero.answer())
    folder = tmp_path / ".local/share/zero/sessions/s"
    folder.mkdir(parents=True)
    (folder / "events.jsonl").write_bytes(path.read_bytes())
    about = {"sessionId": "s", "createdAt": "2026-08-22T08:00:00Z", "eventCount": 2}
    (folder / "metadata.json").write_text(json.dumps(about))
    assert shape(streamed(path, tmp_path)) == [(0, "s", None)]


def test_zero_a_fork_of_a_fork_says_nothing_of_whom_its_parent_came_from(tmp_path: Path) -> None:
    forks = [
        ("session_fork", {"parentSessionId": name, "copiedEventCount": at})
        for name, at in (("pp", 1), ("p", 3))
    ]
    path = zero_stream(tmp_path, zero.user(), forks[0], zero.user(), forks[1])
    found = streamed(path, tmp_path)
    assert shape(found) == [(0, "p", None), (1, "s", "fork")]
    assert branch(found, "s").notes == ()


def test_zero_a_child_from_a_stream_stands_between_its_parent_and_its_own(tmp_path: Path) -> None:
    own = "session_child", {"childSessionId": "s", "parentSessionId": "p"}
    below = "session_child", {"childSessionId": "c", "parentSessionId": "s"}
    found = streamed(zero_stream(tmp_path, own, zero.user(), below), tmp_path)
    assert shape(found) == [(0, "p", None), (1, "s", "child"), (2, "c", "subagent")]


def test_claude_how_much_of_a_stream_is_copied_is_not_known(tmp_path: Path) -> None:
    path = claude_file(tmp_path / "x", OLD, conversation(OLD))
    found = streamed(path, tmp_path)
    assert counts(found, OLD) == (None, None, None)
    assert found.branches[0].notes == (gathering._STREAMED,)


# What others say of them.


def test_a_fork_that_hangs_elsewhere_tells_who_merged_it() -> None:
    merged = (Named("fork", "f", "merged by reference"),)
    here = Member("h", Path("/h"), names=merged, started=1)
    other = Member("o", Path("/o"), started=2)
    fork = Member("f", Path("/f"), parent="o", relation="subagent", started=3)
    found = family_of([here, other, fork], here)
    assert shape(found) == [(0, "h", None), (0, "o", None), (1, "f", "subagent")]
    assert branch(found, "f").notes == ("h names it as its fork too, merged by reference",)


@pytest.mark.parametrize(
    ("word", "status", "said"),
    [
        ("discarded fork", "discarded", "deleted when it was given up"),
        ("discarded fork, by reference", "discarded by reference", "not found"),
    ],
)
def test_only_the_tape_of_an_owners_fork_is_deleted_with_it(
    word: str, status: str, said: str
) -> None:
    relation, told_of = related(word)
    here = Member("h", Path("/h"), names=(Named(relation, "f", told_of),))
    fork = branch(family_of([here], here), "f")
    assert (fork.relation, fork.status) == ("fork", status)
    assert told.absence(fork) == said


# Too many.


def test_beyond_the_limit_none_is_not_found_and_those_above_come_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(gathering, "MEMBERS", 4)
    monkeypatch.setattr(gathering, "_FOLDED", 4)
    child = "session_child"
    drafts = [(child, {"childSessionId": f"k{at}", "parentSessionId": "p"}) for at in range(6)]
    zero_session(tmp_path, "g", *[(child, {"childSessionId": "p", "parentSessionId": "g"})])
    zero_session(tmp_path, "p", *drafts, sessionKind="child", parentSessionId="g")
    for at in range(6):
        kind = {"sessionKind": "child", "parentSessionId": "p"}
        zero_session(tmp_path, f"k{at}", ("message", {"role": "user", "content": "x"}), **kind)
    found = family(tmp_path / "k5")
    assert [one.member.id for one in found.branches if one.member.read] == ["g", "p", "k0", "k5"]
    assert found.missing() == []
    unlooked = [one.member.id for one in found.branches if one.member.unlooked]
    assert unlooked == ["k1", "k2", "k3", "k4"]
    assert all(one.member.path is not None for one in found.branches)
    assert "4 members were not looked at: the family is large" in found.notes
    said = "\n".join(told.text(found))
    assert said.count("not looked at") == 5
    assert "not found" not in said
    assert [one["looked_at"] for one in told.document(found)["tree"]["children"]] == [True]


def test_what_a_stopped_search_did_not_come_to_is_not_said_to_be_missing(tmp_path: Path) -> None:
    dsh_folder(tmp_path, dsh("here", "parent"))
    looks = iter(range(2))
    found = family(tmp_path / "here", going=lambda: next(looks, None) is not None)
    assert branch(found, "parent").member.unlooked
    assert "not found" not in "\n".join(told.text(found))
