"""Laws on generated texts: whatever they hold, the records add up, and following is reading."""

import json
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.tape import lines as splitting
from tests.formats.logs.tiny import HEAD, TextTape, adds_up, fold_on, note, of_file, said

LAW: Final = settings(deadline=None, max_examples=50)

notes = st.text(max_size=6).map(note)
oddities = st.sampled_from(
    [
        b"",
        b" \r",
        HEAD,
        b"\0\0",
        b"null",
        b"[1]",
        b'{"say":1}',
        b'{"other":1}',
        b"\xef\xbb\xbf",
        b'{"say":"t\xffo"}',
        b'{"say":"\\ud800"}',
        b'{"say":"to',
        b"garbage",
    ]
)
glued = st.lists(notes | oddities, min_size=2, max_size=4).map(b"".join)
texts = st.lists(notes | oddities | glued, max_size=8).map(b"\n".join)


@contextmanager
def opened(data: bytes) -> Iterator[TextTape]:
    """A text as a tape of which nothing is folded."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "notes.jsonl")
        path.write_bytes(data)
        tape = of_file(path)
        try:
            yield tape
        finally:
            tape.close()


def everything(tape: TextTape) -> dict[str, Any]:
    """All that a tape says."""
    timeline = tape.timeline
    events, records = range(timeline.events), range(tape.records())
    return {
        "said": said(tape),
        "payloads": [tape.payload(event) for event in events],
        "raw": [tape.raw(event) for event in events],
        "rows": [timeline.rows(cursor) for cursor in range(timeline.events + 1)],
        "findings": list(tape.findings()),
        "errors": tape.errors(),
        "physical": [tape.physical(record) for record in records],
        "records": [tape.raw_record(record) for record in records],
        "sums": tape.sums(),
        "reliable": timeline.reliable_to,
        "told": (tape.lines.refused, tape.lines.blanks, tape.lines.found),
        "torn": tape.log.torn,
        "state": (tape.complete, tape.progress, tape.changed()),
    }


@given(st.lists(notes, max_size=4), texts)
@LAW
def test_whatever_a_text_holds_its_records_add_up_and_no_byte_is_lost(
    whole: list[bytes], odd: bytes
) -> None:
    data = b"\n".join([*whole, odd, *whole, b""])
    with opened(data) as tape:
        fold_on(tape)
        adds_up(tape)
        records = [tape.raw_record(record) for record in range(tape.records())]
        assert b"\n".join([*records, b""]) == data
        for record, line in enumerate(records):
            held = tape.physical(record)
            if line in whole:
                assert (held.events, held.recovered) == (1, False)
                assert tape.payload(held.first or 0) == json.loads(line)


@given(texts, st.lists(st.integers(0, 400), max_size=4))
@LAW
def test_following_in_pieces_equals_reading_at_once(data: bytes, cuts: list[int]) -> None:
    places = sorted({min(cut, len(data)) for cut in cuts} | {len(data)})
    with opened(b"") as tape:
        start = 0
        for place in places:
            with tape.log.path.open("ab") as file:
                file.write(data[start:place])
            start = place
            fold_on(tape)
            with opened(data[:place]) as fresh:
                fold_on(fresh)
                assert everything(tape) == everything(fresh)


@given(texts, st.integers(1, 40))
@LAW
def test_chunks_of_any_size_change_nothing(data: bytes, size: int) -> None:
    with opened(data) as whole, pytest.MonkeyPatch.context() as patch:
        fold_on(whole)
        patch.setattr(splitting, "CHUNK", size)
        with opened(data) as small:
            fold_on(small)
            assert everything(small) == everything(whole)


@given(texts, st.binary(max_size=20))
@LAW
def test_damage_changes_nothing_before_it(data: bytes, damage: bytes) -> None:
    whole = data[: data.rfind(b"\n") + 1]
    with opened(whole) as before, opened(whole + damage) as after:
        fold_on(before)
        fold_on(after)
        adds_up(after)
        events = before.timeline.events
        assert said(after)[:events] == said(before)
        for cursor in range(events + 1):
            assert after.timeline.rows(cursor) == before.timeline.rows(cursor)
