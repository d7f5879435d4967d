"""Where the why card of an event leads beside the surface, on tapes of every format."""

import json
from pathlib import Path
from typing import Any

import pytest

from inspector.export import why as card
from inspector.formats.contract import Tape
from tests.folding import SAMPLES
from tests.folding import opened as opened_at
from tests.lenses.tapes import opened

CLAUDE = "claude/7c1d0a52-3b8e-4f60-9a17-5e2c64b90d31.jsonl"
CODEX = "codex/rollout-2026-05-04T09-00-00-019d4b20-1c00-7000-8000-0000000000a1.jsonl"
ORCHARD = ("deepchat.db", "sample-orchard")


def document(tape: Tape, event: int, cursor: int | None = None) -> dict[str, Any]:
    return card.document(tape, event, tape.timeline.events if cursor is None else cursor)


# Rows that are cut or cleared where they stand.


def test_a_cleared_row_was_there_in_full_until_the_event_that_cleared_it() -> None:
    with opened(CLAUDE) as tape:
        found = document(tape, 25)
        assert [
            (hop["born"], hop["gone"], hop["reason"], hop["by"], hop["form"])
            for hop in found["chain"]
        ] == [(26, 29, "cleared", 28, "full"), (29, None, None, None, "cleared")]
        assert (found["visibility"], found["by"], found["now"]) == ("cleared", 28, 25)
        assert found["sentence"] == (
            "At cursor 32 the model sees only that something stood here, since 29: "
            "cleared by #28; in full from 26 to 28."
        )
        assert found["visible_in_requests"] == sum(hop["requests"] for hop in found["chain"]) == 1


def test_a_cut_row_names_what_cut_it_and_that_names_the_row() -> None:
    with opened("version-4.session.v4.jsonl") as tape:
        found = document(tape, 3, 28)
        assert [(hop["born"], hop["gone"], hop["by"], hop["form"]) for hop in found["chain"]] == [
            (4, 24, 23, "full"),
            (24, None, None, "cut"),
        ]
        assert "since 24: cut to a shorter form by @23; in full from 4 to 23" in found["sentence"]
        there = document(tape, 23)
        assert there["hides"] == [{"event": 3, "reason": "pruned"}]
        assert "no message; it cut @3" in there["sentence"]
        assert "cut: @3" in list(card.text(tape, there))


def test_before_it_was_cut_nothing_of_that_is_told() -> None:
    with opened("version-4.session.v4.jsonl") as tape:
        assert document(tape, 3, 23)["sentence"] == "At cursor 23 the model sees this, since 4."
        assert document(tape, 23, 23)["hides"] == []


# Events that are not applied.


def test_behind_a_required_unknown_the_fold_stopped() -> None:
    with opened("ten-events-unknown.jsonl") as tape:
        found = document(tape, 8)
        assert (found["visibility"], found["by"]) == ("not-applied", 6)
        assert (
            "it is not applied: the fold stopped at @6, seq 6 plugin/branch-switch is unknown"
            in (found["sentence"])
        )
        assert found["sentence"].endswith("(--past-unknown folds on).")
        here = document(tape, 6)
        assert here["by"] is None
        assert "the fold stopped here, seq 6" in here["sentence"]


def test_a_rejected_event_says_which_rule_it_broke() -> None:
    with opened("rejected-event.jsonl") as tape:
        said = document(tape, 14)["sentence"]
        assert "broke a rule of its format and changed nothing: start seq 4 not found" in said


# Calls and results that are logged apart from their message.


@pytest.mark.parametrize(
    ("name", "event", "holder", "what"),
    [
        (("demo.jsonl", None), 54, 53, "call"),
        (ORCHARD, 7, 11, "call"),
        (ORCHARD, 8, 11, "result"),
    ],
)
def test_a_call_is_seen_inside_its_message(
    name: tuple[str, str | None], event: int, holder: int, what: str
) -> None:
    with opened(*name) as tape:
        found = document(tape, event)
        named = card.name(tape, holder)
        assert found["inside"] == holder
        assert (
            f"does not see this {what}: it is inside {named}, hidden by a compaction"
            in (found["sentence"])
        )
        then = document(tape, event, holder + 1 + (holder < event) * (event - holder))
        assert f"the model sees this {what} inside {named}, since" in then["sentence"]
        assert (found["sees"], then["sees"]) == (False, True)


def test_a_message_leads_to_its_calls() -> None:
    with opened("demo.jsonl") as tape:
        assert document(tape, 53)["calls"] == [54, 55, 56]
        assert document(tape, 53, 55)["calls"] == [54]
        assert "calls told apart: @54, @55, @56" in list(card.text(tape, document(tape, 53)))


# Rows that are never sent.


@pytest.mark.parametrize(
    ("name", "event", "why"),
    [
        (ORCHARD, 30, "it is pending"),
        ((CLAUDE, None), 17, "no call toolu_04 before it waits for this result"),
        (("zero/lantern", None), 25, "no prompt tells of its type"),
    ],
)
def test_a_row_that_is_not_sent_is_not_seen(
    name: tuple[str, str | None], event: int, why: str
) -> None:
    with opened(*name) as tape:
        found = document(tape, event)
        assert (
            f"stands on the surface since {event + 1}, but is not sent: {why}"
            in (found["sentence"])
        )
        assert (found["visible_in_requests"], found["sees"]) == (0, False)
        assert found["chain"][0]["requests"] == 0
        assert found["unsent"].startswith(why)


# What is told twice, and the parts of a compaction.


def test_twins_and_copies_lead_to_each_other() -> None:
    with opened(CODEX) as tape:
        assert document(tape, 5)["tells_again"] == 4
        assert document(tape, 4)["told_again"] == [5]
        assert document(tape, 4, 5)["told_again"] == []
        assert "it tells again what #4 told" in document(tape, 5)["sentence"]
        assert document(tape, 38)["tells_again"] == 36
    with opened(*ORCHARD) as tape:
        assert 20 in document(tape, 18)["cited_by"] + document(tape, 18)["told_again"]
        assert document(tape, 14)["built_from"] == [13]


@pytest.mark.parametrize(
    ("name", "event", "by"),
    [
        (("demo.jsonl", None), 187, 189),
        (("demo.jsonl", None), 190, 189),
        (("prune.jsonl", None), 15, 16),
        ((CLAUDE, None), 19, 20),
        (ORCHARD, 22, 23),
    ],
)
def test_the_parts_of_a_compaction_lead_to_what_it_did(
    name: tuple[str, str | None], event: int, by: int
) -> None:
    with opened(*name) as tape:
        found = document(tape, event)
        assert found["compaction"] == by
        assert f"of {card.name(tape, by)}" in found["sentence"]
        assert document(tape, by)["compaction"] is None


def test_a_copied_event_says_what_it_is_in_the_tape_it_comes_from() -> None:
    with opened_at(SAMPLES / "lives.jsonl") as tape:
        found = document(tape, 4)
        assert (found["copied_from"], found["copied_as"]) == ("sample-lives-parent", 4)
        assert "copied from: sample-lives-parent, there @4" in list(card.text(tape, found))


def test_the_original_is_named_where_it_lies_beside(tmp_path: Path) -> None:
    header, _, events = (SAMPLES / "lives.jsonl").read_bytes().partition(b"\n")
    own = json.loads(header)
    parent = {"id": own.pop("parentSession")}
    del own["seedLength"]
    original, copy = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    copy.write_bytes(header + b"\n" + events)
    with opened_at(copy) as tape:
        assert document(tape, 4)["copied_path"] is None
    original.write_text(json.dumps(own | parent) + "\n")
    with opened_at(copy) as tape:
        found = document(tape, 4)
        assert found["copied_path"] == str(original)
        assert card.copied_words(found) == f"sample-lives-parent, there @4, in {original}"
