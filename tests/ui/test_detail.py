from pathlib import Path

import pytest

from inspector.inspection import Inspection
from inspector.ui.cells import Line
from inspector.ui.detail import event_lines, state_lines
from tests.dsh_tapes import HEADER, Log, folded


def plain(lines: list[Line]) -> list[str]:
    return ["".join(cell.text for cell in line) for line in lines]


def inspection(log: Log, folder: Path) -> Inspection:
    """A visit that stands at the head."""
    found = Inspection(folded(log, folder))
    found.seek(found.head)
    return found


def facts(log: Log, event: int, folder: Path) -> list[str]:
    """The lines about an event up to what it says itself."""
    lines = plain(list(event_lines(inspection(log, folder), event, 80, None)))
    return lines[: lines.index("")]


def approvals() -> Log:
    log = Log(HEADER | {"parentSession": "p", "seedLength": 1})
    log.user()
    log.event("session/end-seed", {})
    log.event("approval/asked", {"id": "ap-1", "toolName": "bash"})
    log.event("approval/decided", {"id": "ap-1", "outcome": "allowed-once"})
    log.event("session/end-seed", {})
    log.event("approval/asked", {"id": "ap-2", "toolName": "bash"})
    return log


@pytest.mark.parametrize("event", [2, 3])
def test_what_an_event_opens_or_ends_is_said_in_words(event: int, tmp_path: Path) -> None:
    assert "approval ap-1: allowed once, after 1 event" in facts(approvals(), event, tmp_path)


def test_what_is_still_open_says_what_it_waits_for(tmp_path: Path) -> None:
    assert "approval ap-2: awaiting approval" in facts(approvals(), 5, tmp_path)


@pytest.mark.parametrize(
    ("event", "life"),
    [(0, "inherited from p"), (2, "an earlier life"), (5, None)],
)
def test_another_life_is_named(event: int, life: str | None, tmp_path: Path) -> None:
    found = facts(approvals(), event, tmp_path)
    words = [line for line in found if line in ("inherited from p", "an earlier life")]
    assert words == ([] if life is None else [life])


def test_the_state_lists_registers_in_order_spans_and_the_source(tmp_path: Path) -> None:
    log = approvals()
    log.event("plan/mode", {"active": True})
    log.event("agent/inbox/spliced", {"target": "next-turn", "start": 0, "inserted": []})
    log.event("session/title", {"title": "one"})
    lines = plain(list(state_lines(inspection(log, tmp_path), 80)))
    assert lines == [
        "state as of 9",
        "title: one",
        "plan mode: on",
        "inbox next turn: nothing",
        "delegation depth: 0",
        "",
        "window",
        "  ≈9 tokens of a window that is not recorded: no telling whether the owner would",
        "  compact now",
        "  threshold: not recorded; the owner's default is 80 % of the window ",
        "  (thresholdRatio of compaction-basic)",
        "",
        "open",
        "  approval ap-2, awaiting approval  since 6",
        "  plan mode  since 7",
        "",
        "lives",
        "  inherited: the first 1 event, from p",
        "  2 new lives began at 2, 5",
        "",
        "over by now",
        "  approval: 1 ok",
        "",
        "source, as it is now",
        "  dsh v0/jsonl",
        "  fork of p, sharing 1 event",
    ]


def test_the_state_names_the_tools_that_the_preamble_holds(tmp_path: Path) -> None:
    tools = [{"name": "read"}, {"name": "\x1b[2J"}, {}]
    log = Log()
    header = {"config": {"provider": "p", "model": "flash"}, "tools": tools}
    log.event("request/header", {"header": header, "reason": "changed"})
    lines = plain(list(state_lines(inspection(log, tmp_path), 80)))
    assert "tools: 3 (read, ␛[2J, (no name))  since 1" in lines


def test_the_state_says_what_was_spent_and_where_the_tape_comes_from(tmp_path: Path) -> None:
    log = Log(HEADER | {"parentSession": "p", "seedLength": 2})
    log.user()
    log.assistant(usage={"inputTokens": 1_000, "outputTokens": 20})
    log.assistant(usage={"inputTokens": 300, "outputTokens": 7})
    lines = plain(list(state_lines(inspection(log, tmp_path), 200)))
    at = lines.index("tokens reported")
    assert lines[at + 1] == (
        "  1 request, sent 300, received 7; inherited: 1 request, sent 1,000, received 20"
    )
    assert "  fork of p, sharing 2 events" in lines[lines.index("source, as it is now") :]
    empty = plain(list(state_lines(inspection(Log(), tmp_path), 200)))
    assert "tokens reported" not in empty
