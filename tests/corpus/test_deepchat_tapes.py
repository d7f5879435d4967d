"""A database that DeepChat's own code wrote, against what that code says of it."""

from pathlib import Path
from typing import Any

import pytest

from inspector.formats.contract import Options, Tape
from inspector.formats.deepchat.manifest import hash_of, integrity
from inspector.formats.opening import open_tape, session_entries
from inspector.tape.database_cipher import KEY_VARIABLE
from inspector.tape.source import SourceError
from inspector.timeline.words import SpanKind, Visibility
from tests.corpus.corpus import ROOT, found, needs_corpus
from tests.corpus.test_deepchat_oracle import number, surface
from tests.folding import fold_on, keep
from tests.untouched import untouched

pytestmark = needs_corpus

FOLDER = ROOT / "tapes" / "deepchat"
DATABASE = FOLDER / "agent.db"
EXPECTED = FOLDER / "expected"
VERDICTS: dict[str, Any] = found(EXPECTED / "verdicts.json") or {}
PASSWORD = "correct horse battery"  # noqa: S105 - of the sample, as its notes say

SEEN = [
    (session, policy, key)
    for session in VERDICTS
    for policy, key in (("deepchat:alone", "includePending"), ("deepchat:sent", "effective"))
    # Only one policy leaves the rows of a fork's parent out, as the owner's fold does.
    if policy == "deepchat:alone" or "::fork::" not in session
]


def whole(session: str, policy: str | None = None, path: Path = DATABASE) -> Tape:
    tape = open_tape(path, Options(session=session, policy=policy))
    keep(tape)
    return fold_on(tape)


@pytest.mark.parametrize(("session", "policy", "key"), SEEN)
def test_the_effective_messages_are_the_owners(session: str, policy: str, key: str) -> None:
    tape = whole(session, policy)
    verdict = VERDICTS[session]
    cursor = verdict["summaryState"]["summaryCursorOrderSeq"]
    entries = [m["entryId"] for m in verdict[key]["messages"]]
    shown = [m["entryId"] for m in verdict[key]["messages"] if m["orderSeq"] >= cursor]
    end = tape.timeline.events
    assert surface(tape, end) == shown
    hidden = [
        number(tape, event)
        for event in range(end)
        if tape.payload(event)["kind"] == "message"
        and tape.timeline.visibility(event, end)[0] in (Visibility.VISIBLE, Visibility.SHADOWED)
    ]
    assert sorted(hidden) == sorted(entries)


@pytest.mark.parametrize("session", VERDICTS)
def test_the_summary_is_that_of_the_owners_anchor(session: str) -> None:
    tape = whole(session, "deepchat:alone")
    verdict = VERDICTS[session]
    setting = tape.timeline.registers.at("checkpoint", tape.timeline.events)
    anchor = verdict["latestReconstructionAnchor"]
    assert (setting is None) == (anchor is None)
    if setting is not None:
        assert number(tape, setting.event) == anchor["entryId"]
        assert str(setting.value).startswith(f"{anchor['name']} (")
    text = verdict["summaryState"]["summaryText"]
    summaries = [entry for entry in tape.request(tape.timeline.events) if entry.note == "altered"]
    assert [text in (entry.text or "") for entry in summaries] == ([True] if text else [])


@pytest.mark.parametrize("session", VERDICTS)
def test_the_tool_rows_of_the_owners_view_are_superseded_by_none(session: str) -> None:
    tape = whole(session, "deepchat:alone")
    verdict = VERDICTS[session]
    rows, end = set(verdict["includeAudit"]["rowEntryIds"]), tape.timeline.events
    for event in range(end):
        row = tape.payload(event)
        if row["kind"] in ("tool_call", "tool_result") and number(tape, event) in rows:
            assert tape.timeline.visibility(event, end)[0] is Visibility.LOG_ONLY


CONTEXTS: dict[str, Any] = found(EXPECTED / "context_by_anchor.json") or {}


@pytest.mark.parametrize("name", CONTEXTS)
def test_the_request_is_the_context_that_the_owner_built(name: str) -> None:
    tape = whole("sess_main")
    context = CONTEXTS[name]["messages"]
    [head] = tape.numbered(int(name.rpartition("_")[2]))
    told = [entry for entry in tape.request(head + 1) if entry.note != "dropped"]
    # The system prompt and the new input are no part of the history.
    texts = [[m["role"], m["content"] or ""] for m in context[1:-1]]
    assert [[e.role, e.text] for e in told if e.type != "tool_call"] == texts
    calls = [
        [call["id"], f"{call['function']['name']} {call['function']['arguments']}"]
        for m in context
        for call in m.get("tool_calls", ())
    ]
    assert [[e.call_id, e.text] for e in told if e.type == "tool_call"] == calls


def test_manifests_are_as_valid_as_the_owner_finds_them() -> None:
    manifests = found(EXPECTED / "manifests.json")
    assert len(manifests) == 2
    for expected in manifests:
        tape = whole(expected["sessionId"])
        [event] = tape.numbered(expected["entryId"])
        manifest = tape.payload(event)["payload"]["data"]["manifest"]
        assert manifest == expected["manifest"]
        assert integrity(manifest) == expected["integrity"] == "valid"
        assert integrity({**manifest, "taskType": "other"}) == "invalid"
        assert integrity({**manifest, "hashVersion": 3}) == "unverified"
    for vector in found(EXPECTED / "manifest_hash_checks.json")["hashJsonVectors"]:
        assert hash_of(vector["value"]) == vector["sha256"]


def test_an_unfinished_run_is_of_the_owners_class() -> None:
    [run] = found(EXPECTED / "execution_recovery.json")
    tape = whole(run["sessionId"])
    [finding] = [f for f in tape.findings() if f.kind.code == "unfinished-run"]
    assert run["runId"] in finding.message
    assert run["classification"] in finding.message
    assert f"{run['dispatchCount']} dispatched, {run['outcomeCount']} came back" in finding.message


def test_journal_and_attempts_are_intervals() -> None:
    tape = whole("sess_main")
    spans = tape.timeline.spans

    def told(kind: SpanKind) -> list[tuple[int, int | None, str, str | None]]:
        table = spans[kind]
        return [table[at][2:] for at in range(len(table))]  # type: ignore[misc]

    assert [(opened_at, outcome.label) for opened_at, _, outcome, _ in told(SpanKind.RUN)] == [
        (3, "ok"),
        (16, "running"),
    ]
    [(retried, ended, outcome, _)] = told(SpanKind.RETRY)
    assert (retried, ended, outcome.label) == (5, 6, "ok")
    [compaction] = told(SpanKind.COMPACTION)
    assert compaction[:2] == (30, 32)
    assert sum(usage.output for usage in tape.timeline.usage) > 0


def test_a_fork_is_shown_with_the_rows_of_its_parent() -> None:
    handle = found(EXPECTED / "fork_handles.json")["f3"]
    tape = whole(handle["forkSessionId"])
    assert tape.identity.parent == handle["parentSessionId"]
    assert tape.identity.inherited == handle["parentHeadEntryId"]
    assert [kin.boundary for kin in tape.timeline.kin if kin.relation == "fork"] == [5]
    alone = whole(handle["forkSessionId"], "deepchat:alone")
    assert alone.identity.inherited == 0
    assert alone.timeline.events == tape.timeline.events - 5


def test_the_rows_of_a_running_application_are_read_from_its_wal() -> None:
    live = FOLDER / "live_wal" / "agent.db"
    with untouched(live):
        tape = whole("sess_child", path=live)
        assert tape.timeline.events == 8
        assert "copied with its -wal" in (tape.identity.how or "")
        tape.close()
    assert whole("sess_child").timeline.events == 3


def test_all_rows_are_told_in_one_line_and_in_full() -> None:
    events = 0
    for entry in session_entries(DATABASE):
        tape = whole(entry.id, "deepchat:alone")
        for event in range(tape.timeline.events):
            events += 1
            assert tape.headline(event).kind
            assert tape.sections(event)
    assert events == 98


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> str:
    pytest.importorskip("sqlcipher3")
    monkeypatch.setenv(KEY_VARIABLE, PASSWORD)
    return PASSWORD


ENCRYPTED = FOLDER / "agent.encrypted.db"


def test_an_encrypted_database_is_read_with_its_key(key: str) -> None:
    with untouched(ENCRYPTED):
        sessions = [entry.id for entry in session_entries(ENCRYPTED)]
        assert sorted(sessions) == sorted(entry.id for entry in session_entries(DATABASE))
        encrypted, plain = whole("sess_main", path=ENCRYPTED), whole("sess_main")
        assert "SQLCipher, with the key in INSPECTOR_SQLCIPHER_KEY" in (
            encrypted.identity.how or ""
        )
        assert key not in (encrypted.identity.how or "")
        for cursor in range(38):
            assert surface(encrypted, cursor) == surface(plain, cursor)
        encrypted.close()


def test_a_wrong_key_is_told(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY_VARIABLE, "another")
    with pytest.raises(SourceError) as caught:
        open_tape(ENCRYPTED, Options())
    said = "no database that the key in INSPECTOR_SQLCIPHER_KEY opens (file is not a database)"
    assert str(caught.value) == said


def test_without_a_key_it_is_said_what_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(KEY_VARIABLE, raising=False)
    with pytest.raises(SourceError, match=r"encrypted \(SQLCipher\); to read an encrypted one"):
        open_tape(ENCRYPTED, Options())
