"""Every verdict of DeepChat's own code on generated tapes, at every cursor it was asked at."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from inspector.formats.contract import Options, Tape
from inspector.formats.opening import open_tape
from inspector.timeline.words import Visibility
from tests.corpus.corpus import ROOT, files, found, needs_corpus
from tests.folding import fold_on, keep

pytestmark = needs_corpus

DATABASE = ROOT / "oracle" / "deepchat" / "tapes.db"

VERDICTS = files("oracle/deepchat/verdicts/*.json")

EFFECTIVE = (Visibility.VISIBLE, Visibility.SHADOWED, Visibility.UNLINKED)
"""What a message is that the owner's effective view holds: shown, or left out of the context."""

AUDIT = frozenset(
    (
        "message/retracted",
        "message/compaction_indicator",
        "migration/backfill",
        "execution/run_started",
        "execution/dispatch_committed",
        "execution/tool_outcome",
        "execution/run_terminal",
    )
)
"""Events that the owner's view leaves out (format page 4)."""


def whole(path: Path, policy: str | None = None) -> Tape:
    session = f"tape-{path.stem}"
    tape = open_tape(DATABASE, Options(session=session, policy=policy))
    keep(tape)
    return fold_on(tape)


def at(path: Path, tape: Tape) -> Iterator[tuple[int, dict[str, Any]]]:
    """The verdicts of a tape, each with the cursor behind the entry at which it was given."""
    entries = [tape.number(event) or -1 for event in range(tape.timeline.events)]
    for verdict in found(path):
        yield sum(entry <= verdict["entry"] for entry in entries), verdict


def number(tape: Tape, event: int) -> int:
    found_number = tape.number(event)
    assert found_number is not None
    return found_number


def surface(tape: Tape, cursor: int) -> list[int]:
    """The entries of the messages on the surface."""
    nodes = tape.timeline.surface.nodes
    origins = [nodes.origin(row.node) for row in tape.timeline.rows(cursor)]
    return [number(tape, event) for event in origins if is_message(tape, event)]


def is_message(tape: Tape, event: int) -> bool:
    return bool(tape.payload(event)["kind"] == "message")


def place(tape: Tape, entry: int) -> float:
    [event] = tape.numbered(entry)
    order = tape.payload(event)["payload"]["record"]["orderSeq"]
    try:
        return float(order)
    except OverflowError:
        return float("inf") if order > 0 else float("-inf")


def visibility(tape: Tape, event: int, cursor: int) -> Visibility:
    return tape.timeline.visibility(event, cursor)[0]


@pytest.mark.parametrize("path", VERDICTS)
@pytest.mark.parametrize(("policy", "key"), [("deepchat", "pending"), ("deepchat:sent", "sent")])
def test_the_messages_are_the_effective_ones_in_the_owners_order(
    path: Path, policy: str, key: str
) -> None:
    tape = whole(path, policy)
    for cursor, verdict in at(path, tape):
        entries = verdict[key]["message_entries"]
        shown = [entry for entry in entries if place(tape, entry) >= verdict["cursor"]]
        assert surface(tape, cursor) == shown, cursor
        effective = {
            number(tape, event)
            for event in range(cursor)
            if is_message(tape, event) and visibility(tape, event, cursor) in EFFECTIVE
        }
        assert effective == set(entries), cursor


@pytest.mark.parametrize("path", VERDICTS)
def test_the_last_reconstruction_anchor_decides(path: Path) -> None:
    tape = whole(path)
    registers = tape.timeline.registers
    for cursor, verdict in at(path, tape):
        anchor = registers.at("checkpoint", cursor)
        entry = None if anchor is None else number(tape, anchor.event)
        assert entry == verdict["anchor"], cursor
        setting = registers.at("summary cursor", cursor)
        assert (1 if setting is None else setting.value) == verdict["cursor"], cursor


@pytest.mark.parametrize("path", VERDICTS)
def test_the_request_is_the_context_that_the_owner_builds(path: Path) -> None:
    tape = whole(path)
    for cursor, verdict in at(path, tape):
        entries = tape.request(cursor)
        sent = [entry for entry in entries if entry.note != "dropped"]
        if verdict["context"] is None:
            assert entries
            assert not sent, cursor
            kind, _, _ = verdict["context_error"].partition(":")
            said = tape.timeline.findings
            assert any(kind in finding.message for finding in said)
            continue
        messages = [[e.role, e.text] for e in sent if e.type in ("message", "tool_result")]
        assert messages == verdict["context"], cursor
        assert bool(sent and sent[0].note == "altered") == verdict["checkpoint"], cursor
        assert tools_of(sent) == verdict["context_tools"], cursor


def tools_of(sent: list[Any]) -> list[Any]:
    """The calls of a request and their answers, as the verdicts have them."""
    told: list[Any] = []
    index = -1
    for entry in sent:
        if entry.type == "tool_call":
            if not told or told[-1][0] != index:
                told.append([index, []])
            name, _, arguments = entry.text.partition(" ")
            told[-1][1].append([entry.call_id, name, arguments])
            continue
        index += 1
        if entry.type == "tool_result":
            told.append([index, entry.call_id])
    return told


@pytest.mark.parametrize("path", VERDICTS)
def test_what_the_request_leaves_out_is_left_out_by_the_owner(path: Path) -> None:
    tape = whole(path)
    nodes = tape.timeline.surface.nodes
    for cursor, verdict in at(path, tape):
        if verdict["context"] is None:
            continue
        whys = {
            tape.message_id(nodes.origin(entry.node)): entry.why
            for entry in tape.request(cursor)
            if entry.node is not None and entry.note == "dropped"
        }
        nothing = {identity for identity, why in whys.items() if why == "it has nothing to say"}
        assert {reason for _, reason in verdict["context_left_out"]} <= {"empty_after_formatting"}
        assert {identity for identity, _ in verdict["context_left_out"]} <= nothing, cursor
        # An empty record of a turn that is not empty counts as included (RULES C6).
        included = set(verdict["context_ids"])
        assert (whys.keys() - nothing) & included == set(), cursor


@pytest.mark.parametrize("path", VERDICTS)
@pytest.mark.parametrize(("policy", "key"), [("deepchat", "pending"), ("deepchat:sent", "sent")])
def test_the_rows_of_the_effective_view_stand_and_no_others(
    path: Path, policy: str, key: str
) -> None:
    tape = whole(path, policy)
    for cursor, verdict in at(path, tape):
        messages = set(verdict[key]["messages"])
        effective = set(verdict[key]["message_entries"])
        rows = {
            number(tape, event)
            for event in range(cursor)
            if stands(tape, event, cursor, messages, effective, pending_counts=key == "pending")
        }
        assert rows == set(verdict[key]["rows"]), cursor


def stands(
    tape: Tape,
    event: int,
    cursor: int,
    messages: set[str],
    effective: set[int],
    *,
    pending_counts: bool,
) -> bool:
    """Whether a row is one of the effective view, by its kind and what became of it with us."""
    row = tape.payload(event)
    match row["kind"]:
        case "anchor":
            return True
        case "event":
            return row["name"] not in AUDIT
        case "message":
            return number(tape, event) in effective
        case "tool_call" | "tool_result":
            final = ("success", "error", *(("pending",) if pending_counts else ()))
            return (
                row["meta"].get("status") in final
                and not tape.timeline.is_rejected(event)
                and row["payload"]["messageId"] in messages
                and visibility(tape, event, cursor) is not Visibility.SUPERSEDED
            )
    return False
