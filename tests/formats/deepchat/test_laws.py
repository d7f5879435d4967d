"""Law 1 and 2 for tapes that are rewritten in every way: each cursor is a tape that ends there."""

import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.formats.contract import Options, Tape
from inspector.formats.opening import open_tape
from tests.folding import fold_on
from tests.formats.deepchat import databases, owner
from tests.formats.deepchat.databases import Entry, message, surface
from tests.formats.deepchat.generated import logs


def expected(entries: list[Entry], pending_counts: bool) -> list[int]:
    seen = owner.view(entries, pending_counts=pending_counts)
    return seen.shown if seen.summary is None else [seen.summary, *seen.shown]


@settings(max_examples=50, deadline=None)
@given(logs(), st.booleans())
def test_each_cursor_shows_what_a_tape_that_ends_there_shows(
    entries: list[Entry], pending: bool
) -> None:
    policy = "deepchat" if pending else "deepchat:sent"
    with tempfile.TemporaryDirectory() as folder:
        path = databases.made(Path(folder) / "agent.db", entries)
        tape = databases.fold(path, policy=policy)
        for cursor in range(len(entries) + 1):
            seen = owner.view(entries[:cursor], pending_counts=pending)
            shown = surface(tape, cursor)
            # A summary stands before what it does not hide; where it hides nothing, too.
            assert shown == expected(entries[:cursor], pending)
            hidden = {
                at
                for at, word in enumerate(databases.visibilities(tape, cursor))
                if entries[at].kind == "message" and word in ("shadowed", "unlinked", "visible")
            }
            assert hidden == set(seen.effective)
        tape.close()


@settings(max_examples=30, deadline=None)
@given(logs(), st.lists(st.integers(1, 5), max_size=6))
def test_a_tape_that_grew_is_the_tape_read_at_once(entries: list[Entry], steps: list[int]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = databases.made(Path(folder) / "agent.db", [message("first", 1), *entries[:1]])
        grown = open_tape(path, Options())
        done = 1
        for step in [*steps, len(entries)]:
            fold_on(grown)
            databases.append(path, entries[done : done + step])
            done = min(len(entries), done + step)
        fold_on(grown)
        at_once = databases.fold(path)
        assert told(grown) == told(at_once)
        grown.close()
        at_once.close()


def told(tape: Tape) -> list[object]:
    timeline = tape.timeline
    cursors = range(timeline.events + 1)
    return [
        *(surface(tape, cursor) for cursor in cursors),
        *(databases.visibilities(tape, cursor) for cursor in cursors),
        *(timeline.settled.at(cursor) for cursor in cursors),
        *((finding.kind.code, finding.message) for finding in tape.findings()),
    ]
