"""Laws 1, 2, 3 and 5 on generated sessions: every cursor against a slow reader."""

import random
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.formats.contract import Options
from inspector.formats.zero.reading import ZeroTape
from inspector.formats.zero.request import rehydrated
from inspector.tape import lines
from inspector.tape.source import FileSource
from inspector.timeline.words import SpanKind
from tests.formats.zero import owner
from tests.formats.zero.sessions import Json, event, folded, line, surface, written

LAW: Final = settings(deadline=None, max_examples=50)

TYPES: Final = (
    *("message", "tool_call", "tool_result") * 2,
    "session_compaction",
    "session_compaction",
    "permission_decision",
    "session_rewind",
    "session_checkpoint",
    "provider_usage",
    "nobody_knows",
)


@st.composite
def logs(draw: st.DrawFn) -> list[Json]:
    """Events whose numbers mostly count up, and compactions that name anything at all."""
    throw = draw(st.randoms(use_true_random=True))
    tidy = throw.random()
    found: list[Json] = []
    number = 0
    for _ in range(throw.randrange(1, 40)):
        number = number + 1 if throw.random() < 0.9 + tidy else throw.randrange(-2, number + 4)
        kind = throw.choice(TYPES)
        made = event(number, kind, payload(throw, kind, number))
        if throw.random() > 0.9 + tidy:
            made["id"] = throw.choice(["", "s:1", "s:2", "odd", f"t:{number}", f"s:{number + 1}"])
        found.append(made)
    return found


def payload(throw: random.Random, kind: str, number: int) -> Any:
    if kind == "session_compaction":
        return compaction(throw, max(number, 2))
    if kind == "message":
        return {"role": throw.choice(["user", "assistant"]), "content": "word " * number}
    if kind == "session_rewind":
        return {"targetSequence": number}
    return {"id": f"c{number % 3}", "toolCallId": f"c{number % 3}", "promptTokens": 5}


def compaction(throw: random.Random, number: int) -> Any:
    if throw.random() < 0.1:
        return throw.choice([None, {"summary": "  "}, "no object"])
    found: Json = {"summary": "short"}
    names = throw.random()
    if names < 0.4:
        first = throw.choice([1, 1, throw.randrange(1, number)])
        ids = [f"s:{at}" for at in range(first, throw.randrange(1, number + 3))]
        found["compactableEvents"] = [{"id": identity} for identity in ids]
    elif names < 0.6:
        some = throw.choices([f"s:{at}" for at in range(1, number + 2)] + ["", "odd"], k=3)
        found["compactableEvents"] = [{"id": identity} for identity in some]
    if throw.random() < 0.6:
        found["compactedThroughSequence"] = throw.randrange(-1, number + 3)
    return found


@contextmanager
def opened(data: bytes, policy: str = "exec") -> Iterator[ZeroTape]:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "session.jsonl")
        path.write_bytes(data)
        tape = ZeroTape(FileSource(path), Options(policy=policy))
        try:
            yield folded(tape)
        finally:
            tape.close()


def at_cursor(tape: ZeroTape, cursor: int) -> dict[str, Any]:
    """Every answer about one cursor."""
    timeline = tape.timeline
    return {
        "rows": timeline.rows(cursor),
        "count": timeline.count(cursor),
        "tokens": timeline.tokens(cursor),
        "registers": timeline.registers.state(cursor),
        "settled": timeline.settled.at(cursor),
        "open": [list(timeline.spans[kind].open_at(cursor)) for kind in SpanKind],
        "changes": timeline.changes(max(0, cursor - 3), cursor),
        "visibility": [timeline.visibility(event, cursor) for event in range(cursor)],
    }


def everything(tape: ZeroTape) -> list[Any]:
    cursors = range(tape.timeline.events + 1)
    of_events = [
        (tape.number(at), tape.message_id(at), tape.payload(at), tape.headline(at))
        for at in range(tape.timeline.events)
    ]
    found = [(one.kind.code, one.record, one.event, one.message) for one in tape.findings()]
    return [of_events, found, tape.verdict(), *(at_cursor(tape, cursor) for cursor in cursors)]


@pytest.mark.parametrize("policy", ["exec", "tui"])
@LAW
@given(logs())
def test_every_cursor_is_the_log_that_ends_there(policy: str, events: list[Json]) -> None:
    with opened(written(events), policy) as tape:
        assert tape.timeline.events == len(events)
        for cursor in range(len(events) + 1):
            assert surface(tape, cursor) == owner.surface(events[:cursor], policy)
            order = [at for part in rehydrated(tape, cursor) for at in part]
            assert order == owner.rehydrated(events[:cursor], policy)


@LAW
@given(logs(), st.randoms(use_true_random=True))
def test_a_log_read_as_it_grows_is_the_log_read_at_once(
    events: list[Json], throw: random.Random
) -> None:
    data = written(events)
    cuts = sorted(throw.randrange(len(data) + 1) for _ in range(4))
    with opened(b"") as growing, opened(data) as whole:
        for start, stop in zip([0, *cuts], [*cuts, len(data)], strict=True):
            with growing.identity.path.open("ab") as file:
                file.write(data[start:stop])
            folded(growing)
        told, at_once = everything(growing), everything(whole)
        assert told == at_once


@settings(LAW, max_examples=20)
@given(logs(), st.integers(40, 400))
def test_the_size_of_a_batch_changes_nothing(events: list[Json], chunk: int) -> None:
    data = written(events)
    with opened(data) as whole:
        at_once = everything(whole)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "CHUNK", chunk)
        with opened(data) as tape:
            assert everything(tape) == at_once


@LAW
@given(logs(), st.data())
def test_damage_changes_nothing_before_it(events: list[Json], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(events)))
    bad = data.draw(st.sampled_from([b"{nonsense", b"[]", b'{"sequence":"7"}', b"\xff"]))
    pieces = [line(one) for one in events]
    with opened(b"\n".join([*pieces[:at], bad, *pieces[at:]]) + b"\n") as tape:
        assert tape.verdict().opens is False
        assert f"at line {at + 1}: " in (tape.verdict().reason or "")
        for cursor in range(at + 1):
            assert surface(tape, cursor) == owner.surface(events[:cursor], "exec")


SCRAPS: Final = (
    *(b"\t", b"\x00", b"\xff", b"\xef\xbb\xbf", b"NaN", b'"', b"{", b"}", b"[", b"]", b"\\"),
    *(b"\n", b"null", b"1e999", b"9" * 30, b"\\ud800", b":", b",", b'"sequence":"x",'),
)


@LAW
@given(logs(), st.randoms(use_true_random=True))
def test_no_bytes_at_all_stop_the_reader(events: list[Json], throw: random.Random) -> None:
    data = bytearray(written(events))
    for _ in range(throw.randrange(1, 7)):
        at = throw.randrange(len(data) + 1)
        data[at : at + throw.choice([0, 0, 7, 60])] = throw.choice(SCRAPS)
    with opened(bytes(data)) as tape:
        sums = tape.sums()
        assert sums.records == tape.records()
        assert everything(tape)
        for at in range(tape.timeline.events):
            assert tape.sections(at)
        for cursor in range(tape.timeline.events + 1):
            tape.request(cursor)
