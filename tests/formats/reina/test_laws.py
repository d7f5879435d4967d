"""Laws 1, 2, 3 and 5 on generated logs: every cursor against a slow reader."""

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.formats.contract import Options
from inspector.formats.reina.reading import ReinaTape
from inspector.lenses.audit import summary_at
from inspector.lenses.why import why
from inspector.tape import lines
from inspector.tape.source import FileSource
from inspector.timeline.words import Reason, SpanKind
from tests.folding import fold_on, folded, laid_out
from tests.formats.reina import owner
from tests.formats.reina.generated import logs
from tests.formats.reina.sessions import Json, line, log, surface
from tests.visibility import contradictions

LAW: Final = settings(deadline=None, max_examples=50)
POLICIES: Final = pytest.mark.parametrize("policy", ["exercise", "sequential"])


@contextmanager
def opened(data: bytes, policy: str = "exercise") -> Iterator[ReinaTape]:
    with laid_out(data) as path:
        tape = ReinaTape(FileSource(path), Options(policy=policy))
        with folded(tape):
            yield tape


def at_cursor(tape: ReinaTape, cursor: int) -> dict[str, Any]:
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
        "differ": tape.fold.surface.differ(cursor),
    }


def everything(tape: ReinaTape) -> list[Any]:
    cursors = range(tape.timeline.events + 1)
    of_events = [
        (tape.message_id(at), tape.payload(at), tape.headline(at))
        for at in range(tape.timeline.events)
    ]
    found = [(one.kind.code, one.record, one.event, one.message) for one in tape.findings()]
    return [of_events, found, tape.verdict(), *(at_cursor(tape, cursor) for cursor in cursors)]


@POLICIES
@LAW
@given(logs())
def test_every_cursor_is_the_log_that_ends_there(policy: str, records: list[Json]) -> None:
    with opened(log(*records), policy) as tape:
        assert tape.timeline.events == len(records)
        for cursor in range(len(records) + 1):
            assert surface(tape, cursor) == owner.surface(records[:cursor], policy), cursor
            assert list(contradictions(tape.timeline, cursor)) == []


@POLICIES
@LAW
@given(logs())
def test_what_hides_what_is_what_the_owner_hides_at_every_cursor(
    policy: str, records: list[Json]
) -> None:
    with opened(log(*records), policy) as tape:
        timeline, origin = tape.timeline, tape.timeline.surface.nodes.origin
        for cursor in range(len(records) + 1):
            told = {
                event: sorted(
                    origin(one.node)
                    for one in timeline.hides(event, cursor)
                    if one.reason is Reason.COMPACTED
                )
                for event in timeline.replacing(cursor)
                if timeline.holds(event, cursor)
            }
            wanted = owner.hidden(records[:cursor], policy)
            assert told == wanted, cursor
            for event, gone in wanted.items():
                hides = why(timeline, event, cursor).hides
                assert [one for one, reason in hides if reason is Reason.COMPACTED] == gone
                assert summary_at(timeline, event) == event


@LAW
@given(logs())
def test_the_policies_differ_where_a_finding_says_so(records: list[Json]) -> None:
    with opened(log(*records)) as tape:
        for cursor in range(len(records) + 1):
            one, other = (
                owner.surface(records[:cursor], name) for name in ("exercise", "sequential")
            )
            assert tape.fold.surface.differ(cursor) == (one != other)


@POLICIES
@LAW
@given(logs(), st.randoms(use_true_random=True))
def test_a_log_read_as_it_grows_is_the_log_read_at_once(
    policy: str, records: list[Json], throw: random.Random
) -> None:
    data = log(*records)
    cuts = sorted(throw.randrange(len(data) + 1) for _ in range(4))
    # A record that is whole counts without its newline, and then is not written on.
    cuts = [cut for cut in cuts if data[cut - 1 : cut] != b"}"]
    with opened(b"", policy) as growing, opened(data, policy) as whole:
        for start, stop in zip([0, *cuts], [*cuts, len(data)], strict=True):
            with growing.identity.path.open("ab") as file:
                file.write(data[start:stop])
            fold_on(growing)
        assert everything(growing) == everything(whole)


@settings(LAW, max_examples=20)
@given(logs(), st.integers(40, 400))
def test_the_size_of_a_batch_changes_nothing(records: list[Json], chunk: int) -> None:
    data = log(*records)
    with opened(data) as whole:
        at_once = everything(whole)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "CHUNK", chunk)
        with opened(data) as tape:
            assert everything(tape) == at_once


@LAW
@given(logs(), st.data())
def test_damage_changes_nothing_before_it(records: list[Json], data: st.DataObject) -> None:
    at = data.draw(st.integers(0, len(records)))
    bad = data.draw(st.sampled_from([b"{nonsense", b"[]", b"null", b'{"ts":NaN,"type":"message"}']))
    pieces = log(*records).splitlines()
    with opened(b"\n".join([*pieces[: at + 1], bad, *pieces[at + 1 :]]) + b"\n") as tape:
        assert tape.verdict().opens is True
        assert tape.verdict().reason == "skips 1 malformed line"
        for cursor in range(at + 1):
            assert surface(tape, cursor) == owner.surface(records[:cursor], "exercise")


SCRAPS: Final = (
    *(b"\t", b"\x00", b"\xff", b"\xef\xbb\xbf", b"NaN", b'"', b"{", b"}", b"[", b"]", b"\\"),
    *(b"\n", b"null", b"1e999", b"9" * 30, b"\\ud800", b":", b",", b'"fromIndex":"x",'),
)


@LAW
@given(logs(), st.randoms(use_true_random=True))
def test_no_bytes_at_all_stop_the_reader(records: list[Json], throw: random.Random) -> None:
    data = bytearray(log(*records))
    for _ in range(throw.randrange(1, 7)):
        at = throw.randrange(len(data) + 1)
        data[at : at + throw.choice([0, 0, 7, 60])] = throw.choice(SCRAPS)
    with opened(bytes(data)) as tape:
        sums = tape.sums()
        assert sums.records == tape.records()
        assert everything(tape)
        for at in range(tape.timeline.events):
            assert tape.sections(at)
            assert tape.parts(at) is not None
        for cursor in range(tape.timeline.events + 1):
            tape.request(cursor)


def test_a_line_of_any_other_value_is_no_event() -> None:
    with opened(log() + b"7\n" + line("x") + b"\n[1]\nnull\n") as tape:
        assert tape.timeline.events == 0
        assert tape.sums().damaged == 4
        assert tape.verdict().reason == "skips 4 malformed lines"
