"""Rows that one compaction brings: each says what it says itself."""

from pathlib import Path

from inspector.export import documents, request
from tests.formats.codex import tapes
from tests.formats.codex.tapes import answer, compacted, message, output, summarised, user


def previews(tape: tapes.CodexTape) -> list[tuple[str, str]]:
    rows = documents.show(tape, tape.timeline.events)["surface"]
    return [(row["node"], row["preview"]) for row in rows]


def test_every_row_of_a_compaction_has_its_own_text(tmp_path: Path) -> None:
    history = (message("user", "older"), message("assistant", "answer"), message("user", "sum"))
    tape = tapes.folded(tmp_path, user("q"), compacted(*history))
    assert previews(tape) == [
        ("1.0", "(new in compaction) older"),
        ("1.1", "(new in compaction) answer"),
        ("1.2", "sum"),
    ]
    # The row of the event tells of all of them.
    assert tape.headline(1).text == "the history becomes 3 items; the last: sum"
    rows = [row.node for row in tape.timeline.rows(2)]
    assert [tape.node_sections(node)[0].text for node in rows] == ["older", "answer", "sum"]
    entries = tape.request(2)
    assert [request.preview(tape, entry) for entry in entries] == ["older", "answer", "sum"]


def test_what_a_compaction_brings_and_nobody_said_is_new_in_it(tmp_path: Path) -> None:
    kept, new = message("user", "kept"), message("user", "never said")
    summary, sealed = message("user", f"{tapes.PREFIX}sum"), {"type": "compaction"}
    history = (kept, new, summary, {**sealed, "encrypted_content": "ZZZZ"})
    tape = tapes.folded(tmp_path, user("kept"), user("gone"), compacted(*history, message="sum"))
    assert previews(tape) == [
        ("0.0", "kept"),
        ("2.1", "(new in compaction) never said"),
        ("2.2", "sum"),
        ("2.3", "(encrypted, 4 B)"),
    ]
    headings = [(section.heading, section.text) for section in tape.sections(2)]
    assert headings[-4:] == [
        ("0 user", "kept"),
        ("1 user · new in compaction", "never said"),
        ("2 summary", "sum"),
        ("3 summary", "(encrypted, 4 B)"),
    ]
    rows = [row.node for row in tape.timeline.rows(3)]
    told = [[section.text for section in tape.node_sections(node)] for node in rows]
    assert [("new in compaction" in texts) for texts in told] == [False, True, False, False]
    assert [entry["text"] for entry in request.request(tape, 3)["items"]][1] == "never said"


def test_of_a_compaction_without_effect_nothing_is_called_new(tmp_path: Path) -> None:
    records = [tapes.started("t"), user("q"), tapes.rolled_back(1), compacted(message("user", "n"))]
    tape = tapes.folded(tmp_path, *records)
    assert "lost-compaction" in tapes.codes(tape)
    assert not any("new" in section.heading for section in tape.sections(3))


def test_a_summary_of_the_older_kind_says_what_is_sent(tmp_path: Path) -> None:
    assert previews(tapes.folded(tmp_path, summarised(""))) == [("0.0", "(no summary available)")]


def test_a_message_in_another_form_says_what_is_left_of_it(tmp_path: Path) -> None:
    tape = tapes.folded(tmp_path, user("one", "two"), summarised("sum"))
    first = tape.timeline.rows(2)[0].node
    assert [section.text for section in tape.node_sections(first)] == ["one\ntwo"]


def test_a_row_of_any_other_event_says_what_the_event_does(tmp_path: Path) -> None:
    tape = tapes.folded(tmp_path, user("q"), answer("a"), tapes.call("c"), output("c", "done"))
    rows = [row.node for row in tape.timeline.rows(4)]
    nodes = tape.timeline.surface.nodes
    assert [tape.node_headline(node) for node in rows] == [
        tape.headline(nodes.origin(node)) for node in rows
    ]


def test_a_row_whose_record_is_gone_is_unreadable(tmp_path: Path) -> None:
    tape = tapes.folded(tmp_path, user("q"), compacted(message("user", "sum")))
    node = tape.timeline.rows(2)[0].node
    (tmp_path / "rollout.jsonl").write_bytes(b"")
    assert tape.node_headline(node).kind == "unreadable"
