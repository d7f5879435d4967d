"""From a tape to its family: real small files of every agent, and each relation they know."""

import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from inspector.export import family as told
from inspector.library import gathering, nearness, searching
from inspector.tape.source import SourceError
from tests.commands import SAMPLES
from tests.dsh_tapes import HEADER, Log
from tests.formats.claude import transcripts as claude
from tests.formats.codex import tapes as codex
from tests.formats.zero import sessions as zero
from tests.guarding import guarded
from tests.library.families import branch, counts, family, shape
from tests.tape.packed import frame

LANTERN = "zero_20260622080000_1782115200000000000_1"
LANTERN_FORK = "zero_20260622100000_1782122400000000000_2"
LANTERN_CHILD = "zero_20260622081500_1782116100000000000_3"
LIGHTHOUSE = "7c1d0a52-3b8e-4f60-9a17-5e2c64b90d31"
THREAD, FORKED = "019d4b20-1c00-7000-8000-0000000000a1", "019d5046-7800-7000-8000-0000000000b2"

OLD, NEW, THIRD = (f"{letter * 8}-0000-4000-8000-00000000000{letter}" for letter in "abc")


# Samples.


@pytest.mark.parametrize("name", ["lantern", "lantern-fork"])
def test_zero_a_fork_beside_and_a_subagent_that_is_away(name: str) -> None:
    found = family(SAMPLES / "zero" / name)
    assert shape(found) == [
        (0, LANTERN, None),
        (1, LANTERN_FORK, "fork"),
        (1, LANTERN_CHILD, "subagent"),
    ]
    assert counts(found, LANTERN_FORK) == (42, 4, 47)
    assert counts(found, LANTERN_CHILD) == (None, None, 22)
    assert branch(found, LANTERN_CHILD).member.missing
    assert found.branches[found.here].member.id == (LANTERN if name == "lantern" else LANTERN_FORK)


@pytest.mark.parametrize(
    "name", [f"{LIGHTHOUSE}.jsonl", f"{LIGHTHOUSE}/subagents/agent-b7e1.jsonl"]
)
def test_claude_a_subagent_in_a_file_of_its_own(name: str) -> None:
    found = family(SAMPLES / "claude" / name)
    assert shape(found) == [(0, LIGHTHOUSE, None), (1, "agent-b7e1", "subagent")]
    # It was started by the call, whose event is the one before.
    assert counts(found, "agent-b7e1") == (0, 4, 17)


@pytest.mark.parametrize("name", [THREAD, FORKED])
def test_codex_a_fork_that_copies(name: str) -> None:
    (path,) = (SAMPLES / "codex").glob(f"*{name}*")
    found = family(path)
    assert shape(found) == [(0, THREAD, None), (1, FORKED, "fork")]
    assert counts(found, FORKED)[:2] == (16, 9)
    assert counts(found, FORKED)[2] is not None


@pytest.mark.parametrize(
    "session", ["sample-orchard", "sample-frost", "sample-orchard::fork::weekly"]
)
def test_deepchat_a_subagent_and_a_fork_in_one_database(session: str) -> None:
    found = family(SAMPLES / "deepchat.db", session)
    assert shape(found) == [
        (0, "sample-orchard", None),
        (1, "sample-frost", "subagent"),
        (1, "sample-orchard::fork::weekly", "fork"),
    ]
    assert counts(found, "sample-orchard::fork::weekly") == (13, 4, 13)
    assert found.branches[found.here].member.session == session


def test_dsh_a_parent_that_is_away_is_named_and_where_it_was_looked_for() -> None:
    found = family(SAMPLES / "lives.jsonl")
    assert shape(found) == [(0, "sample-lives-parent", None), (1, "sample-lives", "fork")]
    assert counts(found, "sample-lives") == (10, 32, None)
    assert found.branches[0].member.missing
    assert SAMPLES in [one.path for one in found.looked]


# DeepSeek Harness.


def dsh(name: str, parent: str | None = None, **header: object) -> Log:
    lineage = {} if parent is None else {"parentSession": parent}
    return Log({**HEADER, "id": name, **lineage, **header})


def dsh_folder(folder: Path, log: Log, file: str = "session.jsonl") -> Path:
    name = json.loads(log.lines[0])["id"]
    (folder / name).mkdir(parents=True, exist_ok=True)
    (folder / name / file).write_bytes(bytes(log))
    return folder / name


def test_dsh_sessions_in_folders_with_generations_and_a_subagents_subagent(tmp_path: Path) -> None:
    parent = dsh("parent")
    for words in ("one", "two", "three"):
        parent.user(words)
    fork = dsh("fork", "parent", seedLength=2)
    for record in parent.lines[1:3]:
        fork.raw(record)
    fork.seq, fork.time = 2, parent.time
    fork.user("elsewhere")
    agent, its = dsh("agent", "parent", origin="subagent"), dsh("its", "agent", origin="subagent")
    agent.user("do")
    its.user("do more")
    for log in (parent, fork, agent, its, dsh("stranger")):
        dsh_folder(tmp_path, log)
    newer = Log({**HEADER, "id": "parent", "version": 1})
    newer.user("migrated")
    here = dsh_folder(tmp_path, newer, "session.v1.jsonl")
    found = family(here)
    assert {(one.member.id, one.relation, one.depth) for one in found.branches} == {
        ("parent", None, 0),
        ("parent", "generation", 1),
        ("fork", "fork", 1),
        ("agent", "subagent", 1),
        ("its", "subagent", 2),
    }
    (old,) = (one for one in found.branches if one.relation == "generation")
    assert old.member.path == here / "session.jsonl"
    assert found.branches[found.here].member.path == here / "session.v1.jsonl"
    assert counts(found, "fork")[:2] == (2, 1)
    # Asked of the older one, it is that which is marked, and the newer one stands above it.
    found = family(here / "session.jsonl")
    assert found.branches[found.here].relation == "generation"
    assert found.parent() is found.branches[0]


def test_dsh_a_fork_and_its_parent_across_a_known_root_and_a_copy_elsewhere(tmp_path: Path) -> None:
    home, away = tmp_path / "home", tmp_path / "away"
    parent, fork = dsh("parent"), dsh("fork", "parent", seedLength=1)
    parent.user("one")
    fork.raw(parent.lines[1])
    dsh_folder(home / ".dsh" / "sessions" / "project", parent)
    away.mkdir()
    (away / "copied.jsonl").write_bytes(bytes(fork))
    found = family(away / "copied.jsonl", home=home)
    assert shape(found) == [(0, "parent", None), (1, "fork", "fork")]
    assert not found.branches[0].member.missing
    assert counts(found, "fork") == (1, 0, 1)
    looked = {one.path: one.there for one in found.looked}
    assert looked[home / ".dsh" / "sessions"] is True


# Claude Code.


def claude_file(folder: Path, name: str, records: list[claude.Record]) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{name}.jsonl"
    path.write_bytes(claude.written(records))
    return path


def conversation(session: str) -> list[claude.Record]:
    return [
        claude.user("u1", None, sessionId=session),
        claude.answer("a1", "u1", of="m1", sessionId=session),
    ]


def test_claude_a_resume_copy_a_fork_and_the_fork_of_that(tmp_path: Path) -> None:
    more = claude.user("u2", "a1")
    original = [*conversation(OLD), {**more, "sessionId": OLD}]
    resumed = [*conversation(OLD), {**more, "uuid": "u3", "sessionId": NEW}]
    forked = [
        {
            **one,
            "uuid": f"f-{one['uuid']}",
            "parentUuid": one["parentUuid"] and f"f-{one['parentUuid']}",
            "sessionId": THIRD,
            "forkedFrom": {"sessionId": NEW, "messageUuid": one["uuid"]},
        }
        for one in resumed
    ]
    own = claude.answer("own", "f-u3", of="m9", sessionId=THIRD)
    for name, records in ((OLD, original), (NEW, resumed), (THIRD, [*forked, own])):
        path = claude_file(tmp_path, name, records)
    found = family(path)
    assert shape(found) == [(0, OLD, None), (1, NEW, "resume"), (2, THIRD, "fork")]
    assert counts(found, NEW) == (2, 1, 2)
    assert counts(found, THIRD) == (3, 1, 3)
    assert shape(family(tmp_path / f"{OLD}.jsonl")) == shape(found)


def test_claude_subagents_within_workflows_and_beside_as_older_builds_put_them(
    tmp_path: Path,
) -> None:
    path = claude_file(tmp_path, OLD, conversation(OLD))
    side = claude.user("s1", None, isSidechain=True, agentId="deep", sessionId=OLD)
    deep = tmp_path / OLD / "subagents" / "workflows" / "run"
    claude_file(deep, "agent-deep", [side])
    claude_file(tmp_path, "agent-old", [{**side, "agentId": "old"}])
    claude_file(tmp_path, "agent-other", [{**side, "agentId": "other", "sessionId": NEW}])
    wanted = {(0, OLD, None), (1, "agent-deep", "subagent"), (1, "agent-old", "subagent")}
    for one in (path, deep / "agent-deep.jsonl", tmp_path / "agent-old.jsonl"):
        assert set(shape(family(one))) == wanted, one


# Codex.


def rollout(
    home: Path, day: int, thread: str, *records: codex.Record, packed: bool = False
) -> Path:
    folder = home / "sessions" / "2026" / "03" / f"{day:02}"
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"rollout-2026-03-{day:02}T09-00-00-{thread}.jsonl"
    data = codex.text(records)
    if packed:
        path, data = path.with_name(f"{path.name}.zst"), frame(data)
    path.write_bytes(data)
    return path


P, C, G, S = (f"0190000{number}-0000-7000-8000-000000000000" for number in "1234")


def test_codex_a_chain_of_bases_over_days_and_packed(tmp_path: Path) -> None:
    def based(thread: str, on: str, **more: object) -> codex.Record:
        base = {"thread_id": on, **more}
        return codex.meta(id=thread, history_mode="paginated", history_base=base, forked_from_id=on)

    parent = [codex.meta(id=P), codex.user("q1"), codex.answer("a1"), codex.user("q2")]
    rollout(tmp_path, 1, P, *parent, packed=True)
    rollout(tmp_path, 2, C, based(C, P, end_ordinal_exclusive=3), codex.user("q3"))
    path = rollout(tmp_path, 3, G, based(G, C), codex.user("q4"))
    found = family(path)
    assert shape(found) == [(0, P, None), (1, C, "fork"), (2, G, "fork")]
    assert counts(found, C) == (2, 1, 2)
    assert counts(found, G) == (3, 1, 3)


def test_codex_subagents_with_and_without_history_of_the_parent(tmp_path: Path) -> None:
    path = rollout(
        tmp_path,
        1,
        P,
        codex.meta(id=P),
        codex.user("q1"),
        codex.event("collab_agent_spawn_end", new_thread_id=C),
        codex.event("collab_agent_spawn_end", new_thread_id=S),
    )
    spawn = {"subagent": {"thread_spawn": {"parent_thread_id": P, "depth": 1}}}
    rollout(tmp_path, 1, C, codex.meta(id=C, source=spawn), codex.user("do"))
    found = family(path)
    assert shape(found) == [(0, P, None), (1, C, "subagent"), (1, S, "subagent")]
    assert counts(found, C) == (0, 1, 2)
    assert branch(found, S).member.missing
    assert counts(found, S) == (None, None, 3)


def test_codex_two_files_of_one_thread_and_one_that_is_packed_as_well(tmp_path: Path) -> None:
    records = [codex.meta(id=P), codex.user("q1"), codex.answer("a1")]
    path = rollout(tmp_path, 1, P, *records)
    rollout(tmp_path, 1, P, *records, packed=True)
    on = {"thread_id": P, "end_ordinal_exclusive": 2}
    meta = codex.meta(id=P, history_mode="paginated", history_base=on)
    rollout(tmp_path, 2, P, meta, codex.user("again"))
    found = family(path)
    assert [(one.member.id, one.relation) for one in found.branches] == [
        (P, None),
        (P, "same session"),
        (P, "same session"),
    ]
    assert found.branches[0].notes == ("3 files say that they are it",)


def test_codex_archived_threads_are_found(tmp_path: Path) -> None:
    path = rollout(tmp_path, 1, C, codex.meta(id=C, forked_from_id=P), codex.user("q"))
    parent = rollout(tmp_path, 1, P, codex.meta(id=P), codex.user("q"))
    archived = tmp_path / "archived_sessions"
    archived.mkdir()
    shutil.move(parent, archived)
    assert shape(family(path)) == [(0, P, None), (1, C, "fork")]
    assert shape(family(path, CODEX_HOME=str(tmp_path))) == [(0, P, None), (1, C, "fork")]


# Zero.


def zero_session(folder: Path, name: str, *drafts: zero.Draft, **metadata: object) -> Path:
    within = folder / name
    within.mkdir(parents=True)
    events = [zero.event(at, *draft, session=name) for at, draft in enumerate(drafts, 1)]
    (within / "events.jsonl").write_bytes(zero.written(events))
    about = {"sessionId": name, "createdAt": "2026-08-22T09:00:00Z", "eventCount": len(drafts)}
    (within / "metadata.json").write_text(json.dumps({**about, **metadata}))
    return within


def test_zero_every_kind_of_session(tmp_path: Path) -> None:
    draft = "session_fork", {"parentSessionId": "p", "copiedEventCount": 1, "parentEventCount": 2}
    zero_session(tmp_path, "p", zero.user("a"), zero.answer("b"))
    for kind in ("fork", "side"):
        zero_session(tmp_path, kind, zero.user("a"), draft, sessionKind=kind, parentSessionId="p")
    zero_session(tmp_path, "child", zero.user("x"), sessionKind="child", parentSessionId="p")
    spec = {"parentSessionId": "p", "specSourceSessionId": "p"}
    zero_session(tmp_path, "impl", zero.user("x"), sessionKind="spec-impl", **spec)
    zero_session(tmp_path, "of-child", zero.user("y"), sessionKind="child", parentSessionId="child")
    found = family(tmp_path / "child")
    relations = {one.member.id: (one.depth, one.relation) for one in found.branches}
    assert relations == {
        "p": (0, None),
        "fork": (1, "fork"),
        "side": (1, "side"),
        "child": (1, "subagent"),
        "of-child": (2, "subagent"),
        "impl": (1, "spec"),
    }
    assert counts(found, "fork") == (1, 1, 1)


def test_zero_a_circle_of_parents_ends(tmp_path: Path) -> None:
    zero_session(tmp_path, "a", zero.user(), sessionKind="child", parentSessionId="b")
    zero_session(tmp_path, "b", zero.user(), sessionKind="child", parentSessionId="a")
    found = family(tmp_path / "a")
    assert {one.member.id for one in found.branches} == {"a", "b"}
    assert any("all around" in note for note in found.notes)


# DeepChat.


def test_deepchat_merged_and_discarded_forks(tmp_path: Path) -> None:
    path = tmp_path / "agent.db"
    shutil.copy(SAMPLES / "deepchat.db", path)
    rows = [
        ("fork/merge", {"forkSessionId": "sample-orchard::fork::weekly", "forkHeadEntryId": 5}),
        ("fork/discard", {"forkSessionId": "sample-orchard::fork::gone"}),
    ]
    with closing(sqlite3.connect(path)) as database, database:
        (last,) = database.execute(
            "SELECT max(entry_id) FROM deepchat_tape_entries WHERE session_id = 'sample-orchard'"
        ).fetchone()
        for at, (name, data) in enumerate(rows, last + 1):
            database.execute(
                "INSERT INTO deepchat_tape_entries (session_id, entry_id, kind, name, "
                "source_type, source_id, source_seq, payload_json, meta_json, created_at) "
                "VALUES ('sample-orchard', ?, 'event', ?, 'fork', 'x', 0, ?, '{}', 1786435200000)",
                (at, name, json.dumps({"data": data})),
            )
    found = family(path, "sample-orchard")
    merged, gone = (branch(found, f"sample-orchard::fork::{name}") for name in ("weekly", "gone"))
    assert (merged.relation, merged.status, merged.member.missing) == ("fork", "merged", False)
    assert (gone.relation, gone.status, gone.member.missing) == ("fork", "discarded", True)


def deepchat_told(path: Path, session: str, *rows: tuple[str, dict[str, object]]) -> None:
    """Rows of events behind the tape of a session."""
    with closing(sqlite3.connect(path)) as database, database:
        (last,) = database.execute(
            "SELECT max(entry_id) FROM deepchat_tape_entries WHERE session_id = ?", (session,)
        ).fetchone()
        for at, (name, data) in enumerate(rows, (last or 0) + 1):
            database.execute(
                "INSERT INTO deepchat_tape_entries (session_id, entry_id, kind, name, "
                "source_type, source_id, source_seq, payload_json, meta_json, created_at) "
                "VALUES (?, ?, 'event', ?, 'fork', 'x', 0, ?, '{}', 1786435200000)",
                (session, at, name, json.dumps({"data": data})),
            )


@pytest.mark.parametrize("session", ["merger", "outside", "giver"])
def test_deepchat_a_fork_made_elsewhere_is_found_with_who_merged_it_from_both_sides(
    tmp_path: Path, session: str
) -> None:
    path = tmp_path / "agent.db"
    shutil.copy(SAMPLES / "deepchat.db", path)
    merged = {"forkSessionId": "outside", "forkHeadEntryId": 1, "referencedEntryCount": 1}
    deepchat_told(path, "outside", ("session/start", {}))
    deepchat_told(path, "merger", ("session/start", {}), ("fork/merge", merged))
    deepchat_told(path, "giver", ("fork/discard", {"forkSessionId": "outside"}))
    deepchat_told(path, "nobody", ("fork/other", {"forkSessionId": "outside"}))
    found = family(path, session)
    assert {one.member.id for one in found.branches} == {"giver", "merger", "outside"}
    fork = branch(found, "outside")
    assert fork.above is not None
    assert found.branches[fork.above].member.id == "giver"
    assert (fork.relation, fork.status) == ("fork", "discarded by reference")
    assert fork.notes == (
        "only giver tells that it comes from there",
        "merger names it as its fork too, merged by reference",
    )
    assert found.branches[found.here].member.id == session


def test_deepchat_who_tells_of_others_is_asked_for_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "agent.db"
    shutil.copy(SAMPLES / "deepchat.db", path)
    asked: list[Path] = []
    reading = searching.database_tellers

    def counted(*words: Any) -> list[tuple[str, str]]:
        asked.append(words[0])
        return reading(*words)

    monkeypatch.setattr(searching, "database_tellers", counted)
    for at in range(9):
        deepchat_told(path, "sample-orchard", ("fork/merge", {"forkSessionId": f"fork{at}"}))
        deepchat_told(path, f"fork{at}", ("session/start", {}))
    assert len(family(path, "fork0").branches) == 12
    assert asked == [path]


# Pi.

PI, PI_FORK = (f"5d1f0c3a-7b2e-4c80-9a44-1e0f6b7c2d1{digit}" for digit in "01")


@pytest.mark.parametrize("name", [PI, PI_FORK])
def test_pi_a_fork_whose_header_names_the_file_of_its_parent(name: str) -> None:
    (path,) = (SAMPLES / "pi").glob(f"*{name}*")
    found = family(path)
    assert shape(found) == [(0, PI, None), (1, PI_FORK, "fork")]
    assert counts(found, PI_FORK) == (6, 2, 6)


def test_pi_a_parent_whose_file_has_another_name_than_its_id(tmp_path: Path) -> None:
    (parent,) = (SAMPLES / "pi").glob(f"*{PI}*")
    (fork,) = (SAMPLES / "pi").glob(f"*{PI_FORK}*")
    shutil.copy(parent, tmp_path / "mine.jsonl")
    named = fork.read_bytes().replace(parent.name.encode(), b"mine.jsonl", 1)
    (tmp_path / "fork.jsonl").write_bytes(named)
    found = family(tmp_path / "fork.jsonl")
    assert shape(found) == [(0, PI, None), (1, PI_FORK, "fork")]
    assert not found.branches[0].member.missing


# Bounds.


def test_a_search_that_is_stopped_tells_what_was_found(tmp_path: Path) -> None:
    for at in range(20):
        dsh_folder(tmp_path, dsh(f"s{at}", f"s{at - 1}" if at else None))
    looks = iter(range(40))
    found = family(tmp_path / "s10", going=lambda: next(looks, None) is not None)
    assert found.notes[-1] == "the search was stopped: not all relatives are here"
    assert found.branches[found.here].member.id == "s10"
    looks = iter(range(100_000))
    assert len(family(tmp_path / "s10", going=lambda: next(looks) >= 0).branches) == 20


def test_only_members_are_folded_and_what_is_large_is_told_by_its_ends(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened: list[Path] = []
    opening = gathering.open_tape

    def counted(path: Path, *options: object) -> object:
        opened.append(path)
        return opening(path, *options)  # type: ignore[arg-type]

    monkeypatch.setattr(gathering, "open_tape", counted)
    monkeypatch.setattr(gathering, "_LONGEST", 2_000)
    for at in range(30):
        dsh_folder(tmp_path, dsh(f"stranger{at}"))
    child = dsh("child", "here")
    child.user("x" * 3_000)
    for log in (dsh("here"), dsh("small", "here"), child):
        dsh_folder(tmp_path, log)
    found = family(tmp_path / "here")
    assert [path.parent.name for path in opened if path.name == "session.jsonl"] == ["small"]
    assert opened[0] == tmp_path / "here"
    assert branch(found, "child").member.read is False
    assert branch(found, "child").member.own is None
    assert found.notes == ("of 1 member only head and tail were looked at: the family is large",)


def test_a_relative_that_cannot_be_read_is_told_with_the_reason(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opening = gathering.open_tape

    def failing(path: Path, *options: object) -> object:
        if path.parent.name == "child":
            raise SourceError("it went\x1b away")
        return opening(path, *options)  # type: ignore[arg-type]

    monkeypatch.setattr(gathering, "open_tape", failing)
    dsh_folder(tmp_path, dsh("here"))
    dsh_folder(tmp_path, dsh("child", "here"))
    found = family(tmp_path / "here")
    assert shape(found) == [(0, "here", None), (1, "child", "child")]
    assert branch(found, "child").member.problem == "it went\x1b away"
    assert "cannot be read: it went\u241b away" in "\n".join(told.text(found))


def test_it_is_told_how_far_the_search_is(tmp_path: Path) -> None:
    dsh_folder(tmp_path, dsh("here"))
    dsh_folder(tmp_path, dsh("child", "here"))
    said: list[str] = []
    family(tmp_path / "here", told=said.append)
    assert said[-1] == "reading 2 of 2"


def test_a_file_to_which_several_paths_lead_is_one_member(tmp_path: Path) -> None:
    sessions = tmp_path / "home" / ".dsh" / "sessions"
    for log in (dsh("here"), dsh("child", "here")):
        dsh_folder(sessions, log)
    link = tmp_path / "link"
    link.symlink_to(sessions)
    found = family(link / "here", home=tmp_path / "home")
    assert shape(found) == [(0, "here", None), (1, "child", "child")]
    assert found.branches[0].member.path == link / "here" / "session.jsonl"


def test_a_log_that_is_one_session_is_itself_also_where_its_id_was_chosen(tmp_path: Path) -> None:
    dsh_folder(tmp_path, dsh("here"))
    (tmp_path / "here" / "session.jsonl").rename(tmp_path / "here.jsonl")
    found = family(tmp_path / "here.jsonl", "here")
    assert shape(found) == [(0, "here", None)]
    assert found.branches[0].member.session is None


def test_a_session_of_an_archive_keeps_what_it_was_chosen_by() -> None:
    found = family(SAMPLES / "export.zip")
    assert found.branches[found.here].member.path == SAMPLES / "export.zip"


def test_a_log_whose_parent_is_in_a_database_beside_it(tmp_path: Path) -> None:
    shutil.copy(SAMPLES / "sessions.db", tmp_path / "sessions.db")
    path = tmp_path / "fork.jsonl"
    path.write_bytes(bytes(dsh("fork", "sample-prune", seedLength=0)))
    found = family(path)
    assert shape(found) == [(0, "sample-prune", None), (1, "fork", "fork")]
    assert found.branches[0].member.session == "sample-prune"
    assert shape(family(tmp_path / "sessions.db", "sample-prune")) == shape(found)


def test_a_database_beside_it_that_is_being_written_is_read_with_what_is_written(
    tmp_path: Path,
) -> None:
    database = tmp_path / "sessions.db"
    shutil.copy(SAMPLES / "sessions.db", database)
    path = tmp_path / "fork.jsonl"
    path.write_bytes(bytes(dsh("fork", "renamed")))
    with closing(sqlite3.connect(database, isolation_level=None)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("PRAGMA wal_autocheckpoint = 0")
        connection.execute("UPDATE sessions SET id = 'renamed' WHERE id = 'sample-prune'")
        connection.execute(
            "UPDATE events SET session_id = 'renamed' WHERE session_id LIKE '%-prune'"
        )
        with guarded(database):
            found = family(path)
    assert shape(found) == [(0, "renamed", None), (1, "fork", "child")]
    assert found.notes == ()


def test_a_database_whose_pending_rows_cannot_be_read_is_read_without_and_that_is_said(
    tmp_path: Path,
) -> None:
    shutil.copy(SAMPLES / "sessions.db", tmp_path / "sessions.db")
    (tmp_path / "sessions.db-wal").write_bytes(b"something is pending")
    path = tmp_path / "fork.jsonl"
    path.write_bytes(bytes(dsh("fork", "sample-prune")))
    with guarded(tmp_path / "sessions.db"):
        found = family(path)
    assert not found.branches[0].member.missing
    (note,) = found.notes
    assert note.startswith("sessions.db: 20 bytes of the -wal are not read: it has no header")


def test_databases_that_are_being_written_are_copied_up_to_a_limit(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    size = (SAMPLES / "sessions.db").stat().st_size
    monkeypatch.setattr(nearness, "_COPIED", 2 * size + 100)
    for name in ("one.db", "two.db", "zzz.db"):
        shutil.copy(SAMPLES / "sessions.db", tmp_path / name)
        (tmp_path / f"{name}-wal").write_bytes(b"x")
    path = tmp_path / "fork.jsonl"
    path.write_bytes(bytes(dsh("fork", "sample-prune")))
    said = "not looked into: 1 database near it, being written and too large to copy"
    assert said in family(path).notes
