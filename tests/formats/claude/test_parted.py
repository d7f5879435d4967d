"""Which messages a chain divides is told by columns, as by a look at every line and result."""

import random
from pathlib import Path

import pytest

from inspector.formats.claude import readers
from inspector.formats.claude.parted import Parted
from inspector.formats.claude.policies import POLICIES
from inspector.formats.claude.readers import Readers
from inspector.formats.claude.reading import ClaudeTape
from tests.formats.claude.odd import odd_tape
from tests.formats.claude.test_laws import tape_of
from tests.formats.claude.transcripts import (
    Record,
    answer,
    boundary,
    call,
    folded,
    result,
    summary,
    user,
)


class Unknown(Parted):
    """Knows nothing, so that all is looked at."""

    knows = property(lambda _: False, lambda _, __: None)  # type: ignore[assignment]  # it is set


def opened(tape: ClaudeTape, read: list[int] | None = None) -> list[frozenset[int]]:
    """What each of the readers opens that add something; notes the events that they read."""

    def payload(event: int) -> Record:
        if read is not None:
            read.append(event)
        return tape.payload(event)

    found = Readers(tape.decoder, tape.timeline, payload, tape.raw)
    return [found.opened(one) for one in POLICIES.values() if one.reload and one.siblings]


def test_readers_open_the_same_by_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    for seed in range(60):
        throw = random.Random(seed)  # noqa: S311 - the same tapes each time
        records = [one for _ in range(2) for one in odd_tape(throw)]
        with tape_of(records, "sdk-js") as tape:
            by_columns = opened(tape)
            with monkeypatch.context() as patch:
                patch.setattr(readers, "Parted", Unknown)
                assert by_columns == opened(tape), seed


def parallel(number: int, above: str | None) -> list[Record]:
    """A prompt, and a message of two calls, of which the first result is beside the chain."""
    u, a, b, c, r = (f"{name}{number}" for name in "uabcr")
    return [
        user(u, above),
        answer(a, u, call(f"{a}-call"), of=f"m{number}"),
        answer(b, a, call(f"{b}-call"), of=f"m{number}"),
        result(r, a, f"{a}-call"),
        result(c, b, f"{b}-call"),
    ]


def test_only_divided_messages_of_the_chain_are_read(tmp_path: Path) -> None:
    records = [*parallel(0, None), boundary("x"), summary("s", "x")]
    records += [user("u1", "s"), answer("a1", "u1"), *parallel(2, "a1")]
    tape = folded(tmp_path, records)
    read: list[int] = []
    listed = opened(tape, read)
    at = {one["uuid"]: event for event, one in enumerate(records)}
    entries = {tape.decoder.tree.line[entry] for entry in listed[0]}
    assert entries == {at[uuid] for uuid in ("s", "u1", "a1", "u2", "a2", "b2", "r2", "c2")}
    assert {at[uuid] for uuid in ("a2", "b2", "r2", "c2")} <= set(read)
    assert not set(read) & {at[uuid] for uuid in ("a0", "b0", "r0", "c0", "a1")}
