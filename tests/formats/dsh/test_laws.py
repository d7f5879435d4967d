"""Laws 1, 2, 3 and 5 on generated logs: every cursor against a slow reader, however reached."""

import random
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from inspector.formats.contract import Options, Tape
from inspector.formats.dsh import FORMAT
from inspector.formats.logs import tape as reading
from inspector.tape import lines
from inspector.tape.source import FileSource
from inspector.timeline import order
from inspector.timeline.words import Mark, SpanKind
from tests.folding import fold_on, laid_out, of_bytes
from tests.formats.dsh.generated import RULES, logs, with_broken, with_damage
from tests.formats.dsh.reference import Log, State, decode, fold, reliable_to

LAW: Final = settings(
    derandomize=True,
    deadline=None,
    max_examples=50,
    phases=(Phase.generate, Phase.shrink),
    report_multiple_bugs=False,
)

STAY: Final = Options()
PAST: Final = Options(past_unknown=True)
OF_RULES: Final = {
    "retired-type",
    "bad-message",
    "bad-envelope",
    "bad-surface-op",
    "bad-sources",
    "bad-rewrite",
    "sequence-repeat",
}


@contextmanager
def opened(data: bytes, options: Options = STAY) -> Iterator[Tape]:
    """A tape on these bytes, folded to its end."""
    with of_bytes(FORMAT, data, options) as tape:
        yield tape


def states(log: Log, options: Options = STAY) -> list[State]:
    """The state at every cursor, each folded from zero."""
    return [
        fold(log.events[:cursor], past_unknown=options.past_unknown)
        for cursor in range(len(log.events) + 1)
    ]


# What a tape says, as plain values that can be compared.


def at_cursor(tape: Tape, cursor: int) -> dict[str, Any]:
    """Every answer about one cursor."""
    timeline = tape.timeline
    return {
        "rows": timeline.rows(cursor),
        "count": timeline.count(cursor),
        "tokens": timeline.tokens(cursor),
        "messages": timeline.surface.messages(cursor),
        "generation": timeline.generation(cursor),
        "compactions": timeline.compactions(cursor),
        "registers": timeline.registers.state(cursor),
        "preamble": tape.preamble(cursor),
        "settled": timeline.settled.at(cursor),
        "context": timeline.context(cursor),
        "turn": timeline.turn(cursor),
        "open": [list(timeline.spans[kind].open_at(cursor)) for kind in SpanKind],
        "changes": timeline.changes(max(0, cursor - 3), cursor),
        "next": timeline.surface.next_change(cursor),
        "previous": timeline.surface.previous_change(cursor),
        "usage": timeline.usage.last(cursor),
        "visibility": [timeline.visibility(event, cursor) for event in range(cursor)],
    }


def of_event(tape: Tape, event: int) -> dict[str, Any]:
    """Every answer about one event."""
    table = tape.timeline.table
    number = tape.number(event)
    return {
        "record": (table.record(event), table.member(event), tape.place(table.record(event))),
        "type": table.type(event),
        "time": table.time(event),
        "number": number,
        "numbered": tape.numbered(number or 0),
        "payload": tape.payload(event),
        "raw": tape.raw(event),
        "headline": tape.headline(event),
        "sections": tape.sections(event),
        "message": tape.message_id(event),
        "rejected": tape.timeline.is_rejected(event),
    }


def findings(tape: Tape) -> list[tuple[str, int | None, int | None, str]]:
    return [
        (found.kind.code, found.record, found.event, found.message) for found in tape.findings()
    ]


def at_head(tape: Tape) -> dict[str, Any]:
    """Every answer about the tape as a whole."""
    timeline = tape.timeline
    return {
        "events": timeline.events,
        "identity": (tape.identity.id, tape.identity.created, tape.identity.inherited),
        "reliable": timeline.reliable_to,
        "stopped": timeline.stopped_at,
        "rejected": list(timeline.rejected),
        "marks": [list(timeline.marks.events(mark)) for mark in Mark],
        "spans": [
            [timeline.spans[kind][at] for at in range(len(timeline.spans[kind]))]
            for kind in SpanKind
        ],
        "usage": [timeline.usage[at] for at in range(len(timeline.usage))],
        "findings": findings(tape),
        "sums": tape.sums(),
        "complete": tape.complete,
        "progress": tape.progress,
        "verdict": tape.verdict(),
    }


def same_tapes(one: Tape, other: Tape) -> None:
    assert at_head(one) == at_head(other)
    for event in range(one.timeline.events):
        assert of_event(one, event) == of_event(other, event), event
    for cursor in range(one.timeline.events + 1):
        assert at_cursor(one, cursor) == at_cursor(other, cursor), cursor


# Law 1.


def same_as_reference(tape: Tape, log: Log, folded: list[State]) -> None:
    timeline = tape.timeline
    for cursor, state in enumerate(folded):
        rows = [timeline.surface.nodes.origin(row.node) for row in timeline.rows(cursor)]
        assert [tape.number(event) for event in rows] == [
            log.events[at].seq for at in state.nodes
        ], cursor
        assert rows == state.nodes, cursor
        assert timeline.count(cursor) == len(state.nodes)
        assert timeline.generation(cursor) == state.generation
        assert timeline.surface.messages(cursor) == len(state.messages)
        for name in ("title", "model", "provider", "window"):
            setting = timeline.registers.at(name, cursor)
            assert (setting and setting[:2]) == state.registers.get(name), (name, cursor)
        for event in range(timeline.events):
            word, by = timeline.visibility(event, cursor)
            assert (word.label, by) == state.visibility(event, cursor), (event, cursor)


@given(logs(damage=False))
@LAW
def test_every_cursor_of_a_whole_log_is_the_plain_fold(data: bytes) -> None:
    log = decode(data)
    with opened(data) as tape:
        folded = states(log)
        assert not folded[-1].rejected
        assert not findings(tape) or {found[0] for found in findings(tape)} <= {
            "unknown-ignorable",
            "ranged-sources",
            "repaired-text",
        }
        same_as_reference(tape, log, folded)


@given(logs(), st.sampled_from((STAY, STAY, PAST)))
@settings(LAW, max_examples=60)
def test_every_cursor_of_a_damaged_log_is_the_plain_fold(data: bytes, options: Options) -> None:
    log = decode(data)
    with opened(data, options) as tape:
        same_as_reference(tape, log, states(log, options))


@pytest.mark.parametrize("rule", RULES)
@given(st.data())
@settings(LAW, max_examples=25)
def test_an_event_that_breaks_a_rule_changes_nothing(rule: str, data: st.DataObject) -> None:
    written, positions = data.draw(with_broken(rule))
    log = decode(written)
    folded = states(log)
    assert list(folded[-1].rejected) == positions
    assert folded[positions[-1] + 1].nodes == folded[positions[0]].nodes
    with opened(written) as tape:
        same_as_reference(tape, log, folded)
        found = [(at, code) for code, _, at, _ in findings(tape) if code in OF_RULES]
        assert found == list(folded[-1].rejected.items())


@given(logs() | with_damage(), st.sampled_from((STAY, PAST)))
@settings(LAW, max_examples=60)
def test_records_become_the_events_they_hold(data: bytes, options: Options) -> None:
    log = decode(data)
    state = fold(log.events, past_unknown=options.past_unknown)
    with opened(data, options) as tape:
        timeline = tape.timeline
        assert timeline.events == len(log.events)
        for event in log.events:
            at = event.position
            assert timeline.table.record(at) == event.record
            assert timeline.table.member(at) == event.member
            assert timeline.table.type(at) == event.type
            assert timeline.table.time(at) == event.time
            assert tape.number(at) == event.seq
            assert tape.payload(at) == event.payload
            bearers = [other.position for other in log.events if other.seq == event.seq]
            assert tape.numbered(event.seq) == bearers
        nodes = timeline.surface.nodes
        assert [nodes.origin(node) for node in range(len(nodes))] == list(state.sources)
        for node, cited in enumerate(state.sources.values()):
            assert nodes.sources(node) == cited
        sums = tape.sums()
        assert (sums.records, sums.events) == (log.records + bool(log.torn), len(log.events))
        assert (sums.blank, sums.damaged) == (len(log.blank), len(log.damaged))
        assert (sums.bookkeeping, sums.pending) == (int(log.header is not None), bool(log.torn))
        assert sums.recovered == len(log.recovered)
        assert sums.carriers == len({event.record for event in log.events})
        assert timeline.reliable_to == reliable_to(log, state)
        assert timeline.stopped_at == state.stopped


@given(logs(), st.sampled_from((STAY, PAST)))
@LAW
def test_a_rejection_names_the_first_rule_that_is_broken(data: bytes, options: Options) -> None:
    log = decode(data)
    state = fold(log.events, past_unknown=options.past_unknown)
    head = len(log.events) if state.stopped is None else state.stopped
    with opened(data, options) as tape:
        found = [(at, code) for code, _, at, _ in findings(tape) if code in OF_RULES]
        wanted = [(at, code) for at, code in state.rejected.items() if log.events[at].of_row == 0]
        # Behind an unknown required event nothing is applied, so nothing need be said of it.
        assert [rule for rule in found if (rule[0] or 0) < head] == [
            rule for rule in wanted if rule[0] < head
        ]
        gaps = [at for code, _, at, _ in findings(tape) if code == "sequence-gap"]
        assert gaps == state.gaps


# Law 2.


@contextmanager
def growing(first: bytes, options: Options = STAY) -> Iterator[tuple[Tape, Path]]:
    """A tape that is open on a file which holds only its beginning."""
    with laid_out(first) as path, closing(FORMAT.open(FileSource(path), options)) as tape:
        yield tape, path


def pieces(data: bytes, cuts: list[int], start: int) -> list[bytes]:
    """The bytes cut at places from ``start`` on."""
    places = sorted({start + cut % (len(data) - start + 1) for cut in cuts} | {start})
    return [data[: places[0]]] + [
        data[one:other] for one, other in zip(places, [*places[1:], len(data)], strict=True)
    ]


def after_first_line(data: bytes) -> int:
    return data.find(b"\n") + 1 or len(data)


cuts = st.lists(st.integers(0, 20_000), max_size=4)


def same_in_pieces(parts: list[bytes], options: Options = STAY) -> None:
    """After every piece the tape is what it would be if it were opened then."""
    with growing(parts[0], options) as (tape, path):
        for number, part in enumerate(parts):
            if number:
                with path.open("ab") as file:
                    file.write(part)
            fold_on(tape)
            with opened(b"".join(parts[: number + 1]), options) as fresh:
                same_tapes(tape, fresh)


@given(logs(), cuts, st.sampled_from((STAY, PAST)))
@settings(LAW, max_examples=25)
def test_following_in_pieces_equals_reading_at_once(
    data: bytes, places: list[int], options: Options
) -> None:
    same_in_pieces(pieces(data, places, after_first_line(data)), options)


@given(logs(damage=False, most=4), cuts)
@settings(LAW, max_examples=25)
def test_a_header_may_be_written_in_pieces(data: bytes, places: list[int]) -> None:
    header = after_first_line(data)
    same_in_pieces(pieces(data, [place % (header + 1) for place in places], 0))


@given(logs(), st.integers(1, 600), st.sampled_from((STAY, PAST)))
@settings(LAW, max_examples=25)
def test_chunks_of_any_size_change_nothing(data: bytes, size: int, options: Options) -> None:
    with opened(data, options) as whole, pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "CHUNK", size)
        patch.setattr(order, "BLOCK", 4)
        with opened(data, options) as small:
            same_tapes(small, whole)


@given(logs(), st.integers(300, 3_000))
@settings(LAW, max_examples=25)
def test_a_reader_stays_right_while_more_is_folded(data: bytes, size: int) -> None:
    log = decode(data)
    folded = states(log)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lines, "CHUNK", size)
        with growing(data) as (tape, _):
            more = True
            while more:
                more = tape.advance()
                for cursor in range(tape.timeline.events + 1):
                    rows = tape.timeline.rows(cursor)
                    events = [tape.timeline.surface.nodes.origin(row.node) for row in rows]
                    assert events == folded[cursor].nodes


# Law 3.


@given(logs(), st.integers(0, 2**32))
@settings(LAW, max_examples=25)
def test_questions_in_any_order_have_the_same_answers(data: bytes, seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311
    with opened(data) as tape, pytest.MonkeyPatch.context() as patch:
        patch.setattr(reading, "_CACHED", 2)
        patch.setattr(reading, "_CACHED_BYTES", 300)
        cursors, events = range(tape.timeline.events + 1), range(tape.timeline.events)
        first = {cursor: at_cursor(tape, cursor) for cursor in cursors}
        told = {event: of_event(tape, event) for event in events}
        head = at_head(tape)
        for _ in range(30):
            cursor = chance.choice(cursors)
            assert at_cursor(tape, cursor) == first[cursor]
            if events:
                event = chance.choice(events)
                assert of_event(tape, event) == told[event]
        assert at_head(tape) == head


# Law 5.


def same_before(data: bytes, damaged: bytes, at: int) -> None:
    """Whatever was damaged from a byte on, the fold of the whole lines before it is the same."""
    before = decode(data[: data.rfind(b"\n", 0, at) + 1])
    with opened(data) as whole, opened(damaged) as other:
        for cursor in range(len(before.events) + 1):
            one, two = at_cursor(whole, cursor), at_cursor(other, cursor)
            # What lies ahead may differ.
            assert one | {"next": None} == two | {"next": None}
        for event in range(len(before.events)):
            one, two = of_event(whole, event), of_event(other, event)
            assert one | {"numbered": None} == two | {"numbered": None}


@given(logs(), st.integers(0, 20_000), st.binary(max_size=40), st.booleans())
@settings(LAW, max_examples=25)
def test_damage_never_changes_the_fold_before_it(
    data: bytes, place: int, junk: bytes, keep: bool
) -> None:
    start = after_first_line(data)
    at = start + place % (len(data) - start + 1)
    damaged = data[:at] + junk + (data[at + len(junk) :] if keep else b"")
    same_before(data, damaged, at)


@given(
    logs(),
    st.integers(0, 20_000),
    st.lists(st.tuples(st.integers(0, 20_000), st.integers(0, 255)), min_size=1, max_size=8),
)
@LAW
def test_any_bytes_changed_behind_a_place_change_nothing_before_it(
    data: bytes, place: int, bytes_: list[tuple[int, int]]
) -> None:
    start = after_first_line(data)
    if start == len(data):
        return
    at = start + place % (len(data) - start)
    damaged = bytearray(data)
    for offset, value in bytes_:
        damaged[at + offset % (len(data) - at)] = value
    same_before(data, bytes(damaged), at)
