"""Where two tapes part: forks against their parents, copies that grew, and strangers."""

from itertools import pairwise
from pathlib import Path

import pytest

from inspector.formats.contract import Tape
from inspector.lenses.parting import parting
from inspector.timeline.surface import Row
from tests.dsh_tapes import HEADER, Log, folded
from tests.formats.codex import tapes
from tests.lenses.tapes import opened

CODEX = "codex/rollout-2026-05-04T09-00-00-019d4b20-1c00-7000-8000-0000000000a1.jsonl"
CODEX_FORK = "codex/rollout-2026-05-05T09-00-00-019d5046-7800-7000-8000-0000000000b2.jsonl"


def origins(tape: Tape, rows: tuple[Row, ...]) -> list[int]:
    return [tape.timeline.surface.nodes.origin(row.node) for row in rows]


def parent(messages: int) -> Log:
    log = Log()
    for at in range(messages):
        log.user(f"message {at}")
    return log


def fork(of: Log, copied: int) -> Log:
    """A fork that begins with the parent's first events, byte for byte."""
    log = Log({**HEADER, "id": "fork", "parentSession": "session", "seedLength": copied})
    for record in of.lines[1 : copied + 1]:
        log.raw(record)
    log.seq, log.time = copied, of.time
    return log


def test_a_fork_parts_from_its_parent_where_its_copies_end(tmp_path: Path) -> None:
    one = parent(6)
    other = fork(one, 4)
    other.user("another way")
    a, b = folded(one, tmp_path), folded(other, tmp_path)
    found = parting(a, b)
    assert (found.a, found.b, len(found.pairs), found.kept) == (4, 4, 4, 4)
    assert origins(a, found.only_a) == [4, 5]
    assert origins(b, found.only_b) == [4]


def test_what_both_say_after_they_parted_is_not_in_common(tmp_path: Path) -> None:
    one = parent(3)
    other = fork(one, 2)
    other.time += 60_000
    other.user("message 2")
    found = parting(folded(one, tmp_path), folded(other, tmp_path))
    assert (found.a, found.b, found.kept) == (2, 2, 2)


def test_a_row_that_only_one_of_them_hid_is_only_in_the_other(tmp_path: Path) -> None:
    one = parent(4)
    other = fork(one, 4)
    with_summary = fork(one, 4)
    with_summary.compaction()
    with_summary.checkpoint(0, 3, [0, 1, 2, 3])
    a, b = folded(other, tmp_path), folded(with_summary, tmp_path)
    found = parting(a, b)
    assert (found.a, found.b) == (4, 4)
    assert origins(a, found.only_a) == [0, 1, 2, 3]
    assert (found.kept, origins(b, found.only_b)) == (0, [5])


def test_a_copy_that_grew_parts_at_the_end_of_the_shorter(tmp_path: Path) -> None:
    found = parting(folded(parent(3), tmp_path), folded(parent(5), tmp_path))
    assert (found.a, found.b, found.only_a, len(found.only_b)) == (3, 3, (), 2)


def test_strangers_have_nothing_in_common(tmp_path: Path) -> None:
    stranger = Log({**HEADER, "id": "stranger"})
    stranger.user("hello")
    found = parting(folded(parent(2), tmp_path), folded(stranger, tmp_path))
    assert (found.a, found.b, len(found.pairs), found.kept) == (0, 0, 0, 0)


def test_tapes_of_two_agents_have_nothing_in_common() -> None:
    with opened("demo.jsonl") as one, opened("zero/lantern") as other:
        found = parting(one, other)
    assert (found.a, found.b, len(found.pairs)) == (0, 0, 0)


@pytest.mark.parametrize("turned", [False, True])
def test_a_copy_that_leaves_events_out_is_followed(turned: bool) -> None:
    names = ("zero/lantern", "zero/lantern-fork")
    with opened(names[turned]) as one, opened(names[not turned]) as other:
        found = parting(one, other)
        cursors = (found.b, found.a) if turned else (found.a, found.b)
        fork_only = origins(one if turned else other, found.only_a if turned else found.only_b)
    assert cursors == (47, 42)
    assert len(found.pairs) == 42
    assert fork_only[-2:] == [43, 44]
    assert (found.only_b if turned else found.only_a) == ()
    assert all(mine < its for mine, its in pairwise(found.pairs))


def test_copies_that_were_written_anew_are_copies() -> None:
    with opened(CODEX) as one, opened(CODEX_FORK) as other:
        found = parting(one, other)
    assert (found.a, found.b, len(found.pairs)) == (16, 16, 16)


def test_two_sessions_of_one_database() -> None:
    with (
        opened("deepchat.db", "sample-orchard") as one,
        opened("deepchat.db", "sample-orchard::fork::weekly") as other,
    ):
        found = parting(one, other)
        assert (found.a, found.b) == (13, other.timeline.lives.inherited)


@pytest.mark.parametrize("name", ["demo.jsonl", "zero/lantern", CODEX])
def test_a_tape_and_itself_do_not_part(name: str) -> None:
    with opened(name) as one, opened(name) as other:
        found = parting(one, other)
        events = one.timeline.events
        assert (found.a, found.b, len(found.pairs)) == (events, events, events)
        assert found.kept == one.timeline.count(events)
        assert (found.only_a, found.only_b) == ((), ())


def test_a_copy_may_write_the_keys_of_a_record_in_another_order(tmp_path: Path) -> None:
    usage = {"input_tokens": 5, "output_tokens": 1, "total_tokens": 6}
    info = {"last_token_usage": usage, "total_token_usage": usage}
    turned = {key: dict(reversed(usage.items())) for key in reversed(info)}
    (tmp_path / "child").mkdir()
    one = tapes.folded(tmp_path, tapes.event("token_count", info=info))
    header = tapes.meta(id="child", forked_from_id=tapes.THREAD)
    count = tapes.event("token_count", info=turned)
    other = tapes.folded(tmp_path / "child", count, header=header)
    other.timeline.lives.inherited = 1
    assert list(parting(one, other).pairs) == [(0, 0)]
