"""Compactions: what stays, what is new, and what the new one hides (format page 2.9)."""

from pathlib import Path

from inspector.timeline.words import Form, Kind, Role, Visibility
from tests.formats.codex import tapes
from tests.formats.codex.tapes import answer, compacted, message, summarised, turn, user


def conversation() -> list[tapes.Record]:
    return [user("q1"), answer("a1"), user("q2"), answer("a2")]


def test_an_item_that_is_kept_is_the_node_that_it_was(tmp_path: Path) -> None:
    kept = compacted(message("user", "q1"), message("user", "q2"), message("user", "the sum"))
    tape = tapes.folded(tmp_path, *conversation(), kept)
    nodes = tape.timeline.surface.nodes
    rows = [row.node for row in tape.timeline.rows(5)]
    assert [nodes.origin(node) for node in rows] == [0, 2, 4]
    assert nodes.kind(rows[2]) is Kind.SUMMARY
    assert nodes.part(rows[2]) == 2
    seen = [tape.timeline.visibility(event, 5) for event in range(4)]
    assert seen[0][0] is seen[2][0] is Visibility.VISIBLE
    assert seen[1] == seen[3] == (Visibility.SHADOWED, 4)


def test_a_summary_names_what_it_hides(tmp_path: Path) -> None:
    tape = tapes.folded(tmp_path, *conversation(), compacted(message("user", "the sum")))
    nodes = tape.timeline.surface.nodes
    summary = tape.timeline.rows(5)[0].node
    assert list(nodes.sources(summary)) == [0, 1, 2, 3]


def test_of_equal_messages_the_newest_is_the_one_that_is_kept(tmp_path: Path) -> None:
    records = [user("hi"), answer("a"), user("hi"), compacted(message("user", "hi"))]
    tape = tapes.folded(tmp_path, *records)
    nodes = tape.timeline.surface.nodes
    assert [nodes.origin(row.node) for row in tape.timeline.rows(4)] == [2]


def test_what_only_the_provider_can_read_is_opaque(tmp_path: Path) -> None:
    sealed = {"type": "compaction", "encrypted_content": "gAAA" * 10}
    tape = tapes.folded(tmp_path, *conversation(), compacted(message("user", "q1"), sealed))
    nodes = tape.timeline.surface.nodes
    last = tape.timeline.rows(5)[-1].node
    assert (nodes.kind(last), nodes.role(last)) == (Kind.OPAQUE, Role.SUMMARY)
    assert nodes.sources(last)
    assert tape.request(5)[-1].text == "gAAA" * 10


def test_an_empty_history_is_one(tmp_path: Path) -> None:
    tape = tapes.folded(tmp_path, *conversation(), compacted(), user("on"))
    assert tapes.texts(tape, 5) == []
    assert tapes.texts(tape) == ["on"]


def test_a_compaction_of_the_older_kind_keeps_the_persons_messages(tmp_path: Path) -> None:
    tape = tapes.folded(tmp_path, *conversation(), summarised("the sum"))
    assert tapes.texts(tape) == ["q1", "q2", "the sum"]
    summary = tape.timeline.surface.nodes
    last = tape.timeline.rows(5)[-1].node
    assert (summary.kind(last), summary.role(last)) == (Kind.SUMMARY, Role.SUMMARY)
    assert list(summary.sources(last)) == [1, 3]


def test_without_a_summary_the_owner_says_that_there_is_none(tmp_path: Path) -> None:
    assert tapes.texts(tapes.folded(tmp_path, summarised(""))) == ["(no summary available)"]


def test_the_budget_cuts_the_oldest_message_that_is_kept_in_its_middle(tmp_path: Path) -> None:
    long = "a" * 60_000
    tape = tapes.folded(tmp_path, user("gone"), user(long), user("b" * 40_000), summarised("s"))
    kept = tapes.texts(tape)
    assert len(kept) == 3
    assert kept[0] == f"{'a' * 20_000}\n…5000 tokens truncated…\n{'a' * 20_000}"
    nodes = tape.timeline.surface.nodes
    first = tape.timeline.rows(4)[0].node
    assert nodes.form(first) is Form.CUT
    assert nodes.origin(first) == 1


def test_a_compaction_without_a_message_is_dropped(tmp_path: Path) -> None:
    record = {"type": "compacted", "payload": {"replacement_history": []}}
    tape = tapes.folded(tmp_path, *conversation(), record)
    assert tapes.texts(tape) == ["q1", "a1", "q2", "a2"]
    assert tapes.codes(tape) == ["bad-compaction"]


def test_a_rollback_in_the_same_turn_takes_the_compaction_along(tmp_path: Path) -> None:
    records = [
        tapes.started("t1"),
        user("q1"),
        tapes.rolled_back(1),
        compacted(message("user", "the sum")),
    ]
    tape = tapes.folded(tmp_path, *records)
    assert tapes.codes(tape)[-1] == "lost-compaction"
    assert tapes.texts(tape) == []


def test_the_system_speaks_only_from_a_compaction(tmp_path: Path) -> None:
    records = [tapes.said("system", "one"), compacted(message("system", "two"))]
    tape = tapes.folded(tmp_path, *records)
    assert tapes.texts(tape, 1) == []
    assert tapes.texts(tape) == ["two"]


def test_every_compaction_is_counted_and_told(tmp_path: Path) -> None:
    records = [
        *turn("t1", *conversation()),
        compacted(message("user", "s")),
        answer("a3"),
        summarised("t"),
    ]
    tape = tapes.folded(tmp_path, *records)
    assert tape.timeline.generation(len(records)) == 2
    assert tape.headline(6).kind == "summary"
    assert tape.headline(8).text == "t"
