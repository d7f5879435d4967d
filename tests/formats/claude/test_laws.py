"""Laws 1, 2 and 3 on generated transcripts, for every reader."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import pytest
from hypothesis import given, settings

from inspector.formats.claude import FORMAT
from inspector.formats.claude.reading import ClaudeTape
from inspector.formats.contract import Options
from inspector.tape.source import FileSource
from inspector.timeline.words import SpanKind
from tests.folding import fold_on, folded, laid_out
from tests.formats.claude.generated import transcripts
from tests.formats.claude.transcripts import Record, ids, written

LAW: Final = settings(deadline=None, max_examples=30)
POLICIES: Final = FORMAT.policies


@contextmanager
def tape_of(records: Sequence[Record], policy: str) -> Iterator[ClaudeTape]:
    with (
        laid_out(written(records), "transcript.jsonl") as path,
        folded(ClaudeTape(FileSource(path), Options(policy=policy))) as tape,
    ):
        yield tape


def at_cursor(tape: ClaudeTape, cursor: int) -> dict[str, Any]:
    """Every answer about one cursor."""
    timeline, nodes = tape.timeline, tape.timeline.surface.nodes
    return {
        "rows": [
            (nodes.origin(row.node), nodes.form(row.node), nodes.tokens[row.node])
            for row in timeline.rows(cursor)
        ],
        "count": timeline.count(cursor),
        "tokens": timeline.tokens(cursor),
        "registers": timeline.registers.state(cursor),
        "settled": timeline.settled.at(cursor),
        "open": [list(timeline.spans[kind].open_at(cursor)) for kind in SpanKind],
        "visibility": [timeline.visibility(event, cursor) for event in range(cursor)],
        "coverage": tape.coverage(cursor),
        "usage": timeline.usage.total(cursor),
    }


@pytest.mark.parametrize("policy", POLICIES)
@LAW
@given(records=transcripts())
def test_every_cursor_is_the_fold_of_what_stands_before_it(
    policy: str, records: list[Record]
) -> None:
    with tape_of(records, policy) as whole:
        told = [at_cursor(whole, cursor) for cursor in range(len(records) + 1)]
    for cursor in range(0, len(records) + 1, 3):
        with tape_of(records[:cursor], policy) as start:
            assert at_cursor(start, cursor) == told[cursor]


@pytest.mark.parametrize("policy", POLICIES)
@LAW
@given(records=transcripts())
def test_a_growing_file_gives_the_same_timeline(policy: str, records: list[Record]) -> None:
    with tape_of(records, policy) as whole:
        told = [at_cursor(whole, cursor) for cursor in range(len(records) + 1)]
    data = written(records)
    with laid_out(b"", "transcript.jsonl") as path:
        tape = ClaudeTape(FileSource(path), Options(policy=policy))
        for start in range(0, len(data), 97):
            with path.open("ab") as file:
                file.write(data[start : start + 97])
            fold_on(tape)
        assert [at_cursor(tape, cursor) for cursor in range(len(records) + 1)] == told
        tape.close()


# A slow and obvious reader of where the writer stands: one list, walked anew for every cursor.

SILENT = ("system", "progress")


def branch(records: Sequence[Record]) -> list[str]:
    """The ids of the rows on the branch of the last record of the main line.

    A record behind which nothing was said when it was written is nowhere the writer stands.
    """
    known = by_id(records)
    for at in range(len(records) - 1, -1, -1):
        one = records[at]
        if one.get("uuid") is None or one["type"] == "progress" or one["isSidechain"]:
            continue
        chain, then = chain_of(one, known), chain_of(one, by_id(records[: at + 1]))
        if chain is not None and then is not None and any(map(speaks, then)):
            return [two["uuid"] for two in reversed(chain) if two["type"] not in SILENT]
    return []


def by_id(records: Sequence[Record]) -> dict[str, Record]:
    return {one["uuid"]: one for one in records if "uuid" in one}


def speaks(one: Record) -> bool:
    return one["type"] in ("user", "assistant")


def chain_of(one: Record, known: dict[str, Record]) -> list[Record] | None:
    """A record and those above it, as far as the main line goes; None if it has no end."""
    chain: list[Record] = []
    while True:
        if one in chain:
            return None
        chain.append(one)
        above = known.get(one["parentUuid"] or "")
        if above is None or above["isSidechain"]:
            return chain
        one = above


@LAW
@given(records=transcripts(plain=True))
def test_the_branch_is_that_of_the_last_record_that_has_a_root(records: list[Record]) -> None:
    with tape_of(records, "sdk-py") as tape:
        for cursor in range(len(records) + 1):
            assert ids(tape, cursor) == branch(records[:cursor])
