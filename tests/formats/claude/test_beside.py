"""Subagents: their files beside a session, and the session beside theirs."""

import json
from pathlib import Path

from tests.formats.claude.transcripts import SESSION, held, line, user, written


def beside(folder: Path) -> tuple[Path, Path]:
    """A session and its subagent."""
    session = folder / f"{SESSION}.jsonl"
    session.write_bytes(written([user("u1", None)]))
    agents = folder / SESSION / "subagents"
    agents.mkdir(parents=True)
    agent = agents / "agent-a7.jsonl"
    agent.write_bytes(written([user("s1", None, isSidechain=True, agentId="a7")]))
    about = {"toolUseId": "c1", "agentType": "Explore"}
    (agents / "agent-a7.meta.json").write_text(json.dumps(about))
    return session, agent


def test_a_session_tells_of_its_subagents(tmp_path: Path) -> None:
    session, _ = beside(tmp_path)
    tape = held(session)
    assert [(kin.relation, kin.tape) for kin in tape.timeline.kin] == [("subagent", "a7")]
    assert tape.identity.beside == ("subagent a7 (Explore), of call c1: agent-a7.jsonl",)


def test_a_subagent_is_a_conversation_and_knows_its_session(tmp_path: Path) -> None:
    _, agent = beside(tmp_path)
    tape = held(agent)
    assert line(tape) == "s1"
    assert tape.identity.parent == SESSION
    assert tape.identity.id == "agent-a7"


def test_older_builds_put_a_subagent_beside_its_session(tmp_path: Path) -> None:
    session = tmp_path / f"{SESSION}.jsonl"
    session.write_bytes(written([user("u1", None)]))
    agent = tmp_path / "agent-a7.jsonl"
    agent.write_bytes(written([user("s1", None, isSidechain=True, agentId="a7")]))
    foreign = written([user("x1", None, isSidechain=True, sessionId="another")])
    (tmp_path / "agent-b8.jsonl").write_bytes(foreign)
    tape = held(session)
    assert [(kin.relation, kin.tape) for kin in tape.timeline.kin] == [("subagent", "a7")]
    assert tape.identity.beside == ("subagent a7, of an unknown call: agent-a7.jsonl",)
    itself = held(agent)
    assert itself.identity.parent == SESSION
    assert [(kin.relation, kin.tape) for kin in itself.timeline.kin] == [("parent", SESSION)]
    assert itself.identity.beside == (
        f"this is subagent a7, of an unknown call of session {SESSION}",
    )


def test_subagents_of_a_workflow_are_found(tmp_path: Path) -> None:
    session = tmp_path / f"{SESSION}.jsonl"
    session.write_bytes(written([user("u1", None)]))
    folder = tmp_path / SESSION / "subagents" / "workflows" / "run1"
    folder.mkdir(parents=True)
    agent = folder / "agent-w1.jsonl"
    agent.write_bytes(written([user("s1", None, isSidechain=True, agentId="w1")]))
    assert held(session).identity.beside == (
        "subagent w1, of an unknown call: workflows/run1/agent-w1.jsonl",
    )
    assert held(agent).identity.parent == SESSION
