"""Databases of DeepChat: which are, what they hold, forks, transcripts, and growing ones."""

import sqlite3
from pathlib import Path

import pytest

from inspector.formats.contract import Certainty, OptionError, Options, Tape
from inspector.formats.deepchat import FORMAT
from inspector.formats.opening import NoSessionError, open_tape, session_entries
from inspector.tape.database import Database
from inspector.tape.source import SourceError
from inspector.tape.watch import Change
from tests.formats.deepchat import databases
from tests.formats.deepchat.databases import (
    Entry,
    anchor,
    append,
    codes,
    event,
    execute,
    fold,
    made,
    message,
    surface,
    written,
)
from tests.untouched import untouched

FORK = "s::fork::f"


def kin(tape: Tape) -> list[tuple[str, str, int | None]]:
    return [(kin.relation, kin.tape, kin.boundary) for kin in tape.timeline.kin]


def recognised(path: Path) -> tuple[Certainty, str]:
    with Database(path) as database:
        return (found := FORMAT.recognise_database(database)).certainty, found.why_not


def test_a_database_is_known_by_its_tables(tmp_path: Path) -> None:
    path = made(tmp_path / "agent.db")
    assert recognised(path) == (Certainty.SURE, "")
    execute(path, "DROP TABLE deepchat_tape_entries")
    assert recognised(path) == (Certainty.SURE, "it is older than the tape: only transcripts")
    execute(path, "DROP TABLE deepchat_messages")
    assert recognised(path) == (Certainty.NO, "")


def test_a_table_without_the_columns_of_a_tape_is_none(tmp_path: Path) -> None:
    path = tmp_path / "x.db"
    execute(path, "CREATE TABLE deepchat_tape_entries(session_id TEXT, entry_id INTEGER)")
    certainty, why = recognised(path)
    assert certainty is Certainty.NO
    assert why.startswith("table deepchat_tape_entries lacks kind, name, payload_json")


def test_names_have_no_case(tmp_path: Path) -> None:
    path = made(tmp_path / "agent.db", [message("a", 1), message("b", 2)])
    execute(path, "ALTER TABLE deepchat_tape_entries RENAME TO kept")
    execute(path, "ALTER TABLE kept RENAME TO DeepChat_Tape_Entries")
    for column in ("payload_json", "entry_id", "source_id"):
        execute(path, f"ALTER TABLE DeepChat_Tape_Entries RENAME {column} TO {column.title()}")
    assert recognised(path) == (Certainty.SURE, "")
    tape = fold(path)
    assert (surface(tape, 2), codes(tape)) == ([0, 1], [])
    tape.close()


def test_only_the_case_of_ascii_letters_is_no_difference(tmp_path: Path) -> None:
    path = tmp_path / "agent.db"
    execute(path, "CREATE TABLE deepchat_tape_entrie\u017f(session_id, entry_id, kind)")
    assert recognised(path) == (Certainty.NO, "")


def viewed(path: Path, table: str) -> None:
    """Have the rows of a table stand in another one, and a view under its name."""
    execute(path, f"ALTER TABLE {table} RENAME TO kept")
    execute(path, f"CREATE VIEW {table} AS SELECT * FROM kept")  # noqa: S608 - names of ours


def test_a_tape_that_is_a_view_is_not_read_and_that_is_said(tmp_path: Path) -> None:
    path = made(tmp_path / "agent.db", [message("a", 1)])
    viewed(path, "deepchat_tape_entries")
    why = "deepchat_tape_entries is a view, and only tables are read"
    assert recognised(path) == (Certainty.SURE, why)
    with pytest.raises(NoSessionError, match=f"sessions that holds none: {why}"):
        open_tape(path, Options())
    execute(path, "INSERT INTO new_sessions VALUES ('s','g','T',NULL,'regular',NULL,NULL,5,6)")
    tape = fold(path)
    assert [(found.kind.code, found.message) for found in tape.findings()] == [("tape-unread", why)]
    tape.close()
    execute(path, "DROP TABLE deepchat_messages")
    assert recognised(path) == (Certainty.NO, why)


@pytest.mark.parametrize("table", ["new_sessions", "deepchat_sessions", "deepchat_messages"])
def test_another_table_that_is_a_view_is_told(table: str, tmp_path: Path) -> None:
    path = made(tmp_path / "agent.db", [message("a", 1)])
    viewed(path, table)
    tape = fold(path)
    told = [(found.kind.code, found.message) for found in tape.findings()]
    assert told == [("beside-unread", f"{table} is a view, and only tables are read")]
    assert surface(tape, 1) == [0]
    tape.close()


def test_another_table_without_its_columns_is_told(tmp_path: Path) -> None:
    path = made(tmp_path / "agent.db", [message("a", 1)])
    execute(path, "ALTER TABLE deepchat_messages DROP COLUMN content")
    tape = fold(path)
    told = [(found.kind.code, found.message) for found in tape.findings()]
    assert told == [("beside-unread", "table deepchat_messages lacks content")]
    tape.close()


def test_what_may_hold_the_sessions_and_is_not_read_is_told(tmp_path: Path) -> None:
    path = made(tmp_path / "agent.db")
    path.with_name("agent.db-wal").write_bytes(b"garbage" * 100)
    unread = "700 bytes of the -wal are not read: it has no header; newer rows may be missing"
    with pytest.raises(NoSessionError, match=f"sessions that holds none; {unread}"):
        open_tape(path, Options())
    with pytest.raises(OptionError, match=f"no such session: x; it holds none; {unread}"):
        open_tape(path, Options(session="x"))
    empty = tmp_path / "empty.db"
    execute(empty, "CREATE TABLE other(x)")
    empty.with_name("empty.db-wal").write_bytes(b"garbage" * 100)
    with pytest.raises(SourceError, match=f"; {unread}"):
        open_tape(empty, Options())


def test_a_newer_schema_is_read_and_said(tmp_path: Path) -> None:
    path = made(tmp_path / "agent.db", [message("a", 1)])
    execute(path, "INSERT INTO schema_versions VALUES (71, 0)")
    assert recognised(path) == (Certainty.SURE, "schema 71 is newer than 64")
    tape = fold(path)
    assert codes(tape) == ["newer-schema"]
    assert tape.identity.variant == "schema-71/sqlite"
    tape.close()


def test_columns_that_came_later_may_be_absent(tmp_path: Path) -> None:
    path = made(tmp_path / "agent.db", [message("a", 1)])
    for column in ("source_type", "source_id", "source_seq", "provenance_key"):
        execute(path, f"ALTER TABLE deepchat_tape_entries DROP COLUMN {column}")
    tape = fold(path)
    assert surface(tape, 1) == [0]
    tape.close()


def test_sessions_are_listed_also_without_a_row_of_their_own(tmp_path: Path) -> None:
    path = made(tmp_path / "agent.db", [message("a", 1)])
    append(path, [message("b", 1)], FORK)
    execute(
        path,
        "INSERT INTO new_sessions VALUES ('child', 'g', 'Look', '/work', ?, 's', NULL, 5, 6)",
        "subagent",
    )
    found = session_entries(path)
    listed = [(entry.id, entry.title, entry.cwd, entry.parent) for entry in found]
    assert listed == [
        ("child", "Look", "/work", "s"),
        ("s", None, None, None),
        (FORK, None, None, "s"),
    ]


def test_a_session_that_is_not_there_is_refused(tmp_path: Path) -> None:
    path = made(tmp_path / "agent.db", [message("a", 1)])
    with pytest.raises(OptionError, match="no such session: other"):
        open_tape(path, Options(session="other"))


def test_a_session_may_have_an_empty_id(tmp_path: Path) -> None:
    path = made(tmp_path / "agent.db", [message("a", 1)], "")
    append(path, [message("b", 1)], "t")
    assert [entry.id for entry in session_entries(path)] == ["", "t"]


@pytest.mark.parametrize("identity", ["NULL", "5", "x'00'"])
def test_rows_of_a_session_that_nobody_can_name_are_told(identity: str, tmp_path: Path) -> None:
    path = made(tmp_path / "agent.db", [message("a", 1)])
    execute(path, "CREATE TABLE kept AS SELECT * FROM deepchat_tape_entries")
    execute(path, "DROP TABLE deepchat_tape_entries")
    columns = "session_id, entry_id INTEGER, kind, name, source_type, source_id, source_seq"
    rest = "provenance_key, payload_json, meta_json, created_at INTEGER"
    execute(path, f"CREATE TABLE deepchat_tape_entries({columns}, {rest})")
    execute(path, "INSERT INTO deepchat_tape_entries SELECT * FROM kept")
    tape = fold(path)
    assert codes(tape) == []
    tape.close()
    row = f"({identity}, 1, 'event', 'x', NULL, NULL, NULL, NULL, '{{}}', '{{}}', 1)"
    execute(path, f"INSERT INTO deepchat_tape_entries VALUES {row}")  # noqa: S608 - values of ours
    tape = fold(path)
    assert (codes(tape), tape.timeline.events) == (["nameless-rows"], 1)
    tape.close()


def test_settings_of_other_types_are_told_as_such(tmp_path: Path) -> None:
    path = made(tmp_path / "agent.db", [message("a", 1)])
    settings = "INSERT INTO deepchat_sessions VALUES ('s', ?, 'm', ?, NULL, NULL, NULL, 1, NULL)"
    execute(path, settings, b"\x00", "auto")
    execute(
        path, "INSERT INTO new_sessions VALUES ('s', 'g', 'T', NULL, 'subagent', 's', NULL, 5, 6)"
    )
    tape = fold(path)
    assert tape.identity.parent is None
    assert tape.identity.beside == (
        "settings now: provider_id is no text, m, auto",
        "named as its own parent, which is not followed",
    )
    tape.close()


# Forks of a tape.


def forked(path: Path) -> Path:
    made(path, [message("a", 1), message("b", 2), message("later", 3)])
    start = anchor("fork/start", parentSessionId="s", parentHeadEntryId=2)
    append(path, [start, message("b", 2, "another way")], FORK)
    return path


def test_a_fork_begins_with_its_parents_rows(tmp_path: Path) -> None:
    tape = fold(forked(tmp_path / "agent.db"), FORK)
    assert surface(tape, tape.timeline.events) == [0, 3]
    assert (tape.identity.parent, tape.identity.inherited) == ("s", 2)
    assert kin(tape) == [("fork", "s", 2)]
    assert [tape.number(at) for at in range(4)] == [1, 2, 1, 2]
    assert tape.numbered(2) == [1, 3]
    tape.close()


def test_a_fork_of_a_fork_begins_with_the_rows_of_both(tmp_path: Path) -> None:
    path = forked(tmp_path / "agent.db")
    start = anchor("fork/start", parentSessionId=FORK, parentHeadEntryId=2)
    append(path, [start, message("c", 3, "on")], f"{FORK}::fork::g")
    tape = fold(path, f"{FORK}::fork::g")
    assert surface(tape, tape.timeline.events) == [0, 3, 5]
    assert [tape.number(at) for at in range(6)] == [1, 2, 1, 2, 1, 2]
    assert tape.identity.inherited == 4
    assert kin(tape) == [("fork", FORK, 4)]
    assert codes(tape) == []
    tape.close()


def test_a_fork_shares_the_rows_that_are_left_of_its_parent(tmp_path: Path) -> None:
    path = forked(tmp_path / "agent.db")
    execute(path, "DELETE FROM deepchat_tape_entries WHERE session_id = 's' AND entry_id = 1")
    tape = fold(path, FORK)
    assert (tape.identity.inherited, kin(tape)) == (1, [("fork", "s", 1)])
    tape.close()


def test_a_fork_of_the_tape_of_a_subagent_has_both_for_kin(tmp_path: Path) -> None:
    path = forked(tmp_path / "agent.db")
    session = "INSERT INTO new_sessions VALUES (?, 'g', 'T', NULL, 'subagent', 'up', NULL, 5, 6)"
    execute(path, session, FORK)
    tape = fold(path, FORK)
    assert tape.identity.parent == "up"
    assert kin(tape) == [("subagent", "up", None), ("fork", "s", 2)]
    tape.close()


def test_a_fork_may_be_folded_alone_as_the_owner_folds_it(tmp_path: Path) -> None:
    tape = fold(forked(tmp_path / "agent.db"), FORK, "deepchat:alone")
    assert surface(tape, 2) == [1]
    assert tape.identity.inherited == 0
    tape.close()


def test_a_fork_of_a_tape_that_is_gone_says_so(tmp_path: Path) -> None:
    path = forked(tmp_path / "agent.db")
    execute(path, "DELETE FROM deepchat_tape_entries WHERE session_id = 's'")
    tape = fold(path, FORK)
    assert "parent-missing" in codes(tape)
    assert surface(tape, 2) == [1]
    tape.close()


@pytest.mark.parametrize(
    "start",
    [
        anchor("fork/start", parentSessionId="s", parentHeadEntryId="2"),
        anchor("fork/start", parentSessionId="t", parentHeadEntryId=2),
        anchor("session/start"),
    ],
)
def test_a_fork_that_does_not_say_where_it_began_says_so(start: Entry, tmp_path: Path) -> None:
    path = made(tmp_path / "agent.db", [message("a", 1)])
    append(path, [start, message("b", 2)], FORK)
    tape = fold(path, FORK)
    assert codes(tape) == ["parent-missing"]
    [found] = tape.findings()
    assert found.message == ("no fork/start says up to which entry session s belongs to the fork")
    assert kin(tape) == [("fork", "s", None)]
    assert tape.timeline.events == 2
    tape.close()
    alone = fold(path, FORK, "deepchat:alone")
    assert codes(alone) == []
    alone.close()


def test_each_tape_of_a_fork_is_counted_for_itself(tmp_path: Path) -> None:
    path = forked(tmp_path / "agent.db")
    start = anchor("fork/start", parentSessionId=FORK, parentHeadEntryId=2)
    append(path, [start], f"{FORK}::fork::g")
    execute(
        path,
        "UPDATE deepchat_tape_entries SET entry_id = entry_id + 5 WHERE session_id = ?",
        f"{FORK}::fork::g",
    )
    tape = fold(path, f"{FORK}::fork::g")
    told = [found.message for found in tape.findings()]
    assert told == ["the tape begins at entry 6: what stood before was removed"]
    tape.close()


def test_other_tapes_are_named(tmp_path: Path) -> None:
    child = {"childSessionId": "child", "childHeadEntryId": 3, "outcome": "completed"}
    rows = [
        event("fork/merge", {"forkSessionId": FORK, "forkHeadEntryId": 4, "mergedCount": 1}),
        event("fork/merge", {"forkSessionId": "x", "referencedEntryCount": 2}),
        event("fork/discard", {"forkSessionId": "y"}),
        event("subagent/tape_linked", child),
    ]
    tape = fold(made(tmp_path / "agent.db", rows))
    assert kin(tape) == [
        ("merged fork", FORK, 4),
        ("merged fork, by reference", "x", None),
        ("discarded fork, by reference", "y", None),
        ("subagent", "child", 3),
    ]
    tape.close()


# What is missing.


def test_a_trimmed_tape_and_a_hole_in_it_are_told(tmp_path: Path) -> None:
    path = made(
        tmp_path / "agent.db", [message(name, at) for at, name in enumerate("abcd", 1)], first=70
    )
    execute(path, "DELETE FROM deepchat_tape_entries WHERE entry_id = 72")
    tape = fold(path)
    told = [(finding.kind.code, finding.message) for finding in tape.findings()]
    assert told == [
        ("trimmed-tape", "the tape begins at entry 70: what stood before was removed"),
        ("entry-gap", "no entries 72 to 72"),
    ]
    assert [tape.number(at) for at in range(3)] == [70, 71, 73]
    tape.close()


def test_rows_that_were_copied_are_marked(tmp_path: Path) -> None:
    rows = [message("a", 1, source="backfill"), event("migration/backfill", {"messageCount": 1})]
    tape = fold(made(tmp_path / "agent.db", rows))
    assert codes(tape) == ["backfilled"]
    assert tape.headline(0).text == "(backfill)"
    assert ("origin", "dim") in {(s.heading, s.tone) for s in tape.sections(0)}
    assert [tape.timeline.settled.at(at) for at in range(3)] == [True, False, True]
    tape.close()


# Sessions without a tape.


def transcript(path: Path) -> Path:
    made(path)
    settings = "INSERT INTO deepchat_sessions VALUES ('s', 'p', 'm', 'no', 'Be brief.', 9, ?, 2, 7)"
    execute(path, settings, "so far")
    said = "INSERT INTO deepchat_messages VALUES (?, 's', ?, ?, ?, ?, 0, '{}', 1, 2)"
    execute(path, said, "u1", 1, "user", written({"text": "old"}), "sent")
    execute(path, said, "u2", 2, "user", written({"text": "new"}), "sent")
    execute(path, said, "a2", 3, "assistant", "[]", "pending")
    block = "INSERT INTO deepchat_assistant_blocks VALUES ('a2', ?, ?, 'success', ?, ?, ?, ?, ?, 1)"
    execute(path, block, 1, "tool_call", None, "c", "read", "{}", "found")
    execute(path, block, 0, "content", "I look", None, None, None, None)
    return path


def test_a_session_without_a_tape_is_read_from_its_transcript(tmp_path: Path) -> None:
    path = transcript(tmp_path / "agent.db")
    with untouched(path):
        tape = fold(path)
        assert tape.identity.variant == "schema-64/sqlite transcript"
        assert "no-tape" in codes(tape)
        assert surface(tape, 4) == [0, 2, 3]
        assert tape.headline(3).text == "(pending) I look → read"
        [system] = tape.preamble(4)
        assert system.preview == "Be brief."
        summary, said, dropped = tape.request(4)
        assert "so far" in (summary.text or "")
        assert (said.role, said.text, dropped.note) == ("user", "new", "dropped")
        tape.close()


def test_a_summary_that_only_the_settings_hold_is_in_the_request(tmp_path: Path) -> None:
    path = transcript(tmp_path / "agent.db")
    append(path, [message("u1", 1, "old"), message("u2", 2, "new")])
    tape = fold(path)
    assert "summary-beside-tape" in codes(tape)
    notes = [(entry.note, entry.role) for entry in tape.request(2)]
    assert notes == [("added", "user"), ("dropped", "user"), (None, "user")]
    tape.close()


# A tape that is being written.


def test_a_cleared_tape_is_another_tape(tmp_path: Path) -> None:
    path = made(tmp_path / "agent.db", [message("a", 1), message("b", 2)])
    tape = fold(path)
    assert tape.changed() is Change.NONE
    append(path, [message("c", 3)])
    assert tape.changed() is Change.GROWN
    assert tape.advance()
    assert not tape.advance()
    execute(path, "DELETE FROM deepchat_tape_entries")
    append(path, [anchor("session/start"), *(message("x", 1) for _ in range(5))])
    tape.advance()
    assert tape.changed() is Change.REPLACED
    tape.close()


def test_rows_of_other_sessions_are_not_read(tmp_path: Path) -> None:
    path = made(tmp_path / "agent.db", [message("a", 1)])
    append(path, [message("b", 1)], "t")
    tape = fold(path, "t")
    assert tape.timeline.events == 1
    assert databases.surface(tape, 1) == [0]
    tape.close()


def test_a_damaged_page_costs_the_rows_on_it(tmp_path: Path) -> None:
    path = made(tmp_path / "agent.db", [message(f"m{at}", at, "x" * 600) for at in range(1, 200)])
    with sqlite3.connect(path) as connection:
        (page,) = connection.execute("PRAGMA page_size").fetchone()
    connection.close()
    content = bytearray(path.read_bytes())
    # The end of the file is filled with the last rows.
    content[-20 * page : -19 * page] = bytes(page)
    path.write_bytes(content)
    tape = fold(path)
    assert "unreadable-rows" in codes(tape)
    assert 150 < tape.timeline.events < 199
    tape.close()
