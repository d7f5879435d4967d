"""Every verdict of the owner's own reader: what it opens, why it refuses, what it would append.

On its valid logs: surface, generation, messages and closers at every event. On damaged ones:
whether it opens them, the reason if not, and what is kept.
"""

import json
import re
from pathlib import Path
from typing import Any, Final

import pytest

from inspector.formats.contract import Tape
from inspector.formats.dsh.reading import DshTape
from inspector.formats.opening import session_entries
from inspector.tape.records import Fate
from inspector.tape.source import SourceError
from tests.corpus.corpus import ROOT, files, folded, found, needs_corpus, numbers
from tests.timelines import same_session

ORACLE: Final = ROOT / "oracle" / "dsh"
TWINS: Final = ORACLE / "twins"

pytestmark = needs_corpus


# What both sides say, in one shape.


def told(path: Path) -> Any:
    return json.loads(path.read_bytes())


def at(tape: Tape, cursor: int) -> dict[str, Any]:
    """The answers that a verdict has, at a cursor."""
    timeline = tape.timeline
    assert timeline.count(cursor) == len(timeline.rows(cursor))
    return {
        "nodes": numbers(tape, cursor),
        "generation": timeline.generation(cursor),
        "messages": timeline.surface.messages(cursor),
        "closers": closers(tape, cursor),
    }


def by_the_owner(verdict: dict[str, Any]) -> dict[str, Any]:
    answers = {key: verdict[key] for key in ("nodes", "generation", "messages")}
    return answers | {"closers": [settled(closer) for closer in verdict["closers"]]}


def settled(closer: dict[str, Any]) -> dict[str, Any]:
    """A closer of the owner, without what is made of the rest; what is absent is None."""
    keys = {
        "tool/result": ("callId", "step", "code", "errorName", "sources"),
        "step/end": ("step",),
    }
    if closer["type"] == "turn/end":
        assert closer["reason"] == "interrupted"
    wanted = ("seq", "type", *keys.get(closer["type"], ("turn",)))
    return {key: closer.get(key) for key in wanted}


def closers(tape: Tape, events: int) -> list[dict[str, Any]]:
    assert isinstance(tape, DshTape)
    shaped: list[dict[str, Any]] = []
    for number, closer in enumerate(tape.closers(events), events):
        document: dict[str, Any] = {"seq": number, "type": closer.kind}
        if closer.error is not None:
            recorded = closer.recorded
            document |= {"callId": closer.call, "step": closer.step}
            document |= {"errorName": closer.error[0], "code": closer.error[1]}
            document["sources"] = None if recorded is None else [recorded]
        elif closer.kind == "step/end":
            document["step"] = closer.step
        else:
            document["turn"] = closer.turn
        shaped.append(document)
    return shaped


def kept(tape: Tape) -> int:
    """How many events the owner keeps of a log that it opens."""
    verdict = tape.verdict()
    if verdict.opens == "partly":
        assert verdict.event is not None
        return verdict.event
    assert verdict.opens is True
    return tape.timeline.events


# Valid logs.

VALID: Final = files("oracle/dsh/valid/*.jsonl")


@pytest.mark.parametrize("path", VALID)
def test_every_cursor_is_as_the_owner_has_it(path: Path) -> None:
    verdicts = told(path.with_suffix(".verdicts.json"))
    tape = folded(path)
    assert tape.timeline.events == verdicts[-1]["events"]
    for verdict in verdicts:
        assert at(tape, verdict["events"]) == by_the_owner(verdict), verdict["events"]


@pytest.mark.parametrize("path", VALID)
def test_the_owner_opens_it_and_nothing_is_wrong(path: Path) -> None:
    tape = folded(path)
    assert tape.verdict().opens is True
    assert tape.verdict().reason is None
    assert tape.timeline.reliable_to == tape.timeline.events
    assert {finding.kind.code for finding in tape.findings()} <= {"unknown-ignorable"}


def prefix(tape: Tape, events: int) -> bytes:
    """The first events as a log of their own; what was packed is written out."""
    table = tape.timeline.table
    lines = [tape.raw_record(0)]
    for event in range(events):
        record = table.record(event)
        alone = table.before_record(record + 1) - table.before_record(record) == 1
        line = tape.raw(event) if alone else json.dumps(tape.payload(event)).encode()
        lines.append(line)
    return b"".join(line + b"\n" for line in lines)


def some(path: Path, events: int) -> list[int]:
    """Which prefixes of a log are opened: all of old shapes and of every tenth, else three."""
    number = int(path.stem)
    if number % 20 == 0 or 108 < number < 117:
        return list(range(events + 1))
    return [number % events, events // 2, events]


@pytest.mark.parametrize("path", VALID)
def test_a_prefix_is_a_log_of_its_own(path: Path, tmp_path: Path) -> None:
    verdicts = told(path.with_suffix(".verdicts.json"))
    whole = folded(path)
    for events in some(path, verdicts[-1]["events"]):
        alone = tmp_path / f"{events}.jsonl"
        alone.write_bytes(prefix(whole, events))
        tape = folded(alone)
        assert tape.timeline.events == events
        assert tape.verdict().opens is True
        assert at(tape, events) == by_the_owner(verdicts[events]), events
        for event in {0, events // 2, max(0, events - 1)} & set(range(events)):
            assert tape.payload(event) == whole.payload(event)


# Damaged logs.

_AT: Final = r"^invalid seed event at index {seq}: "

REASONS: Final = {
    "header-missing": r"empty (file|or header-less)",
    "header-not-json": r"^header line is not valid JSON$",
    "header-shape": r"^first line is not a session header$",
    "header-retired-field": r"^retired policy baseline fields: (sandboxMode|approvalPolicy)",
    "header-field": r"^(parentSession|seedLength) is not ",
    "header-cwd-type": r"^cwd cannot name a storage path$",
    "header-cwd-relative": r"^cwd is not ",
    "version-newer": r"is newer than the supported 0\b.* - written by a newer harness$",
    "version-older": r"is older than the supported 0\b",
    "committed-line-unparsable": r"^corrupt session log: unparsable committed event at line "
    r"{line}$",
    "committed-seq-gap": r"^corrupt session log: seq gap in committed region at line {line} "
    r"\(expected \d+, got .+\)$",
    "crash-on-null": r"^the reader crashes "
    r"(at line \d+, which is null|on null in \S+ at index \d+)$",
    "legacy-request-header-delta": r"^request/header-delta is refused$",
    "legacy-mode-set": r"^mode/set is refused$",
    "legacy-header-fallback": r"fallback is refused$",
    "legacy-malformed": _AT + r"(turn/start|turn/end|steering/message|the reason|reason) ",
    "message-id": _AT + r"message id must be a non-empty string$",
    "message-role": _AT + r"message role must be (user|assistant)$",
    "message-source": _AT + r"message source must be an object with a kind$",
    "message-content": _AT + r"message content must be an array$",
    "message-model-source": _AT + r"message source must be a model with provider and model$",
    "message-tool-source": _AT + r"message source must be a tool with a callId$"
    r"|^an open call without an id: ",
    "message-tool-block": _AT + r"message must hold exactly one tool-result block$",
    "message-tool-ids": _AT + r"toolCallId must be the callId of the source$",
    "unknown-required-event": r"^contains event type \".*\" \(seq {seq}\) unknown to this harness",
    "envelope": _AT + r"(type is |unknown key |time is |no data|ignorable is )",
    "request-header-config": _AT + r"request/header (config|adapterDefaults) ",
    "surfaceOp-missing": _AT + r"event type \"\S+\" requires a surfaceOp marker$",
    "surfaceOp-invalid": _AT + r"invalid surfaceOp$",
    "ineligible-surfaceOp": _AT + r".* is not surface-eligible and cannot carry surfaceOp$",
    "ineligible-sources": _AT + r".* is not surface-eligible and cannot carry sourceEventSeqs$",
    "replace-invalid": _AT + r"invalid replace surfaceOp$",
    "replace-start-not-on-surface": _AT + r"start seq \d+ not found in surface$",
    "replace-end-not-on-surface": _AT + r"end seq \d+ not found in surface$",
    "replace-start-after-end": _AT + r"start seq \d+ is after end seq \d+ in surface$",
    "sources-not-array": _AT + r"sourceEventSeqs must be an array$",
    "sources-empty": _AT + r"sourceEventSeqs must not be empty$",
    "sources-not-integers": _AT + r"sourceEventSeqs must densely contain ",
    "sources-duplicate": _AT + r"sourceEventSeqs must not contain duplicates$",
    "sources-not-earlier": _AT + r"sourceEventSeqs must reference earlier events$",
    "sources-miss-shadowed": _AT + r"sourceEventSeqs must include every shadowed ",
    "tool-rewrite-target": _AT + r"a tool/result replacement must target a current tool/result$",
    "tool-rewrite-changed": _AT + r"a tool/result replacement may change only content$",
}
"""Our words for each thing that the owner can mean; ``seq`` and ``line`` are those of a verdict."""

UNPLACED: Final = "an open call without an id"
"""Refused for what repair would write: the owner names its number, and no event bears that."""

DAMAGED: Final = files("oracle/dsh/damaged/*.jsonl")


def reason_of(path: Path) -> tuple[str | None, int | None]:
    """Why the owner refuses a log, as we say it, and the event that decides."""
    try:
        tape = folded(path)
    except SourceError as error:
        return str(error), None
    verdict = tape.verdict()
    assert verdict.opens is False
    return verdict.reason, verdict.event


@pytest.mark.parametrize("path", DAMAGED)
def test_a_damaged_log_is_refused_for_the_reason_that_the_owner_gives(path: Path) -> None:
    verdict = told(path.with_suffix(".verdict.json"))
    if verdict["accepted"]:
        assert folded(path).verdict().opens is not False
        return
    error = verdict["error"]
    reason, event = reason_of(path)
    seq = error.get("seq")
    words = REASONS[error["meaning"]].format(seq=seq, line=error.get("eventLine"))
    assert re.search(words, reason or ""), reason
    if seq is not None and not (reason or "").startswith(UNPLACED):
        assert event == seq


@pytest.mark.parametrize("path", DAMAGED)
def test_what_is_kept_of_a_damaged_log_is_as_the_owner_has_it(path: Path) -> None:
    verdict = told(path.with_suffix(".verdict.json"))
    if not verdict["accepted"]:
        assert verdict["events"] is None
        return
    tape = folded(path)
    assert kept(tape) == verdict["events"]
    assert at(tape, verdict["events"]) == by_the_owner(verdict)


@pytest.mark.parametrize("path", DAMAGED)
def test_a_line_that_the_owner_refuses_is_found_at_its_place(path: Path) -> None:
    error = told(path.with_suffix(".verdict.json"))["error"] or {}
    line = error.get("physicalLine")
    if line is None:
        return
    tape = folded(path)
    records = [found.record for found in tape.findings() if found.record is not None]
    records += [tape.timeline.table.record(found.event) for found in tape.findings() if found.event]
    blank = tape.physical(line - 1).fate is Fate.BLANK
    assert blank or line in [tape.place(record).line for record in records]


def test_every_meaning_has_words() -> None:
    used = {
        (told(path)["error"] or {"meaning": ""})["meaning"]
        for path in (ORACLE / "damaged").glob("*.verdict.json")
    }
    assert used - {""} <= REASONS.keys()


# Ranges of sources.


@pytest.mark.parametrize("path", files("oracle/dsh/ranged/*.jsonl"))
def test_ranges_of_sources_make_the_same_surface_and_the_owner_refuses_them(path: Path) -> None:
    verdicts = ORACLE / "valid" / f"{path.stem}.verdicts.json"
    tape = folded(path)
    for verdict in told(verdicts):
        assert at(tape, verdict["events"]) == by_the_owner(verdict), verdict["events"]
    refusal = tape.verdict()
    assert refusal.opens is False
    assert re.search(
        REASONS["sources-not-integers"].format(seq=refusal.event), refusal.reason or ""
    )
    message = found(ORACLE / "ranged" / "INDEX.json")[path.stem]["rc8"]["message"]
    assert f"at index {refusal.event}:" in message
    assert tape.timeline.reliable_to == tape.timeline.events


# Twins: one session in three containers.


@pytest.mark.parametrize("path", files("oracle/dsh/twins/*.zstd"))
def test_a_session_is_the_same_in_frames_and_in_rows(path: Path) -> None:
    number = path.name.split(".")[0]
    facts = found(TWINS / "twins.json")["sessions"][number]
    frames = folded(path)
    rows = folded(TWINS / "twins.db", session=facts["id"])
    same_session(frames, rows)
    verdict = facts["verdict"]
    assert frames.timeline.events == verdict["events"]
    answers = at(frames, verdict["events"])
    assert {key: answers[key] for key in ("nodes", "generation", "messages")} == {
        key: verdict[key] for key in ("nodes", "generation", "messages")
    }
    assert frames.sums().frames == len(facts["batches"]) + 1
    assert frames.verdict() == rows.verdict()
    assert frames.verdict().opens is True


TEXTS: Final = [
    param
    for param in files("oracle/dsh/twins/*.zstd")
    if (ORACLE / "valid" / f"{param.values[0].name.split('.')[0]}.jsonl").exists()
]


@pytest.mark.parametrize("path", TEXTS)
def test_a_session_is_the_same_in_lines_and_in_frames(path: Path) -> None:
    lines = folded(ORACLE / "valid" / f"{path.name.split('.')[0]}.jsonl")
    frames = folded(path)
    same_session(lines, frames)


def test_a_database_of_twins_lists_them_all() -> None:
    entries = session_entries(TWINS / "twins.db")
    facts = found(TWINS / "twins.json")["sessions"]
    assert sorted(entry.id for entry in entries) == sorted(fact["id"] for fact in facts.values())


# Damaged frames and rows.

WORDS: Final = (
    (r"empty or header-less", r"^empty (file|or header-less)"),
    (r"corrupt Zstandard session log: (.*)", r"^corrupt Zstandard session log: {0}$"),
    (r"corrupt session log: (.*)", r"^corrupt session log: {0}$"),
    (r"invalid seed event at index (\d+): .* invalid surfaceOp", _AT + r"invalid surfaceOp$"),
    (
        r"at index (\d+): .*cannot carry (\w+)",
        r"^invalid seed event at index {0}: .*is not surface-eligible and cannot carry ",
    ),
    (r"at index (\d+): (sourceEventSeqs must \w+ \w+ \w+)", r"at index {0}: {1}"),
    (
        r"contains event type (\"\S+\" \(seq \d+\)) unknown to this harness",
        r"^contains event type {0} unknown to this harness",
    ),
    (r"log format v(\d+), but this harness reads only v0", r"^format version {0} is newer than"),
    (r"(stored .*)", r"^{0}$"),
    (r"schema version 15, incompatible", r"^session database: schema 15, older than 17$"),
    (r"schema version 18, incompatible", r"^session database: schema 18 is newer than 17$"),
    (r"application id (\d+), expected", r"not a harness store \(application id {0}\b"),
    (r"does not contain the required schema objects", r"the owner refuses an added index or table"),
    (r"has no valid store identity", r"has no valid store identity$"),
)
"""What the owner says of a damaged container, and our words for it."""


def wanted(message: str) -> str:
    """The words that a message of the owner must come to."""
    for theirs, ours in WORDS:
        match = re.search(theirs, message)
        if match is not None:
            groups = [re.escape(group) for group in match.groups()]
            return ours.format(*groups, seq=groups[0] if groups else "")
    raise AssertionError(message)


def damaged_twins() -> list[Any]:
    verdicts = found(TWINS / "damaged" / "verdicts.json") or {}
    return [pytest.param(verdict, id=name) for name, verdict in verdicts.items()]


@pytest.mark.parametrize("verdict", damaged_twins())
def test_a_damaged_container_is_as_the_owner_has_it(verdict: dict[str, Any]) -> None:
    path = TWINS / "damaged" / verdict["file"]
    if verdict["accepted"]:
        tape = folded(path)
        assert kept(tape) == verdict["events"]
        assert at(tape, verdict["events"]) == by_the_owner(verdict)
        return
    reason, event = reason_of(path)
    message = verdict["error"]["message"]
    assert re.search(wanted(message), reason or ""), reason
    at_index = re.search(r"at index (\d+)|\(seq (\d+)\)", message)
    if at_index is not None:
        assert event == int(at_index[1] or at_index[2])


@pytest.mark.parametrize("verdict", damaged_twins())
def test_a_database_that_the_owner_cannot_list_says_so(verdict: dict[str, Any]) -> None:
    listed = verdict.get("list")
    if listed is None:
        return
    tape = folded(TWINS / "damaged" / verdict["file"])
    codes = {finding.kind.code for finding in tape.findings()}
    assert bool(codes & {"broken-list", "bad-store"}) == (listed != "ok")
