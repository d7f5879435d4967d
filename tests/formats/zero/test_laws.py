"""Laws 1, 2, 3 and 5 on generated sessions: every cursor against a slow reader."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
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
from tests.folding import fold_on, folded, laid_out
from tests.formats.zero import owner
from tests.formats.zero.generated import logs
from tests.formats.zero.sessions import Json, line, surface, written

LAW: Final = settings(deadline=None, max_examples=50)


@contextmanager
def opened(data: bytes, policy: str = "exec") -> Iterator[ZeroTape]:
    with laid_out(data) as path, folded(ZeroTape(FileSource(path), Options(policy=policy))) as tape:
        yield tape


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
            fold_on(growing)
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
