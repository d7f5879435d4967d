"""On what it rests that the model saw an event, or does not see it any more, by format."""

from pathlib import Path

import pytest

from inspector.export import documents, why
from inspector.formats.contract import EVIDENCE, Grounds
from inspector.timeline.words import Visibility
from tests.formats.codex import tapes as codex
from tests.lenses.tapes import TAPES, opened

REQUEST, OPERATIONS, RULE, _ = EVIDENCE


def test_all_that_deepseek_harness_shows_was_recorded() -> None:
    with opened("demo.jsonl") as tape:
        assert tape.grounds(8, 434) == tape.grounds(430, 434) == Grounds(OPERATIONS)


def test_a_compaction_of_zero_names_what_it_hides() -> None:
    with opened("zero/lantern") as tape:
        assert tape.grounds(0, 47) == Grounds(OPERATIONS, 30)
        assert tape.grounds(30, 47) == Grounds(OPERATIONS, 30)
        assert tape.grounds(0, 20) == Grounds(RULE)


def test_a_boundary_of_claude_is_a_record_and_a_branch_is_none() -> None:
    name = next(name for name, _ in TAPES if name.startswith("claude"))
    with opened(name) as tape:
        events = tape.timeline.events
        grades = {
            tape.timeline.visibility(event, events)[0]: tape.grounds(event, events).grade
            for event in range(events)
        }
        assert grades[Visibility.SHADOWED] == OPERATIONS
        assert grades[Visibility.VISIBLE] == RULE
        for left in (Visibility.REWOUND, Visibility.UNLINKED):
            assert grades.get(left, RULE) == RULE


def test_a_replacement_of_codex_is_a_record_and_what_an_older_one_keeps_is_a_rule(
    tmp_path: Path,
) -> None:
    kept = codex.compacted(codex.message("user", codex.PREFIX + "the sum"))
    for compaction, grounds in (
        (kept, Grounds(OPERATIONS, 2)),
        (codex.summarised("the sum"), Grounds(RULE)),
    ):
        tape = codex.folded(tmp_path, codex.user("q"), codex.answer("a"), compaction)
        assert tape.timeline.visibility(1, 3) == (Visibility.SHADOWED, 2)
        assert tape.grounds(1, 3) == tape.grounds(2, 3)._replace(by=grounds.by) == grounds
        tape.close()


def test_what_a_manifest_of_deepchat_names_was_requested() -> None:
    with opened("deepchat.db", "sample-orchard") as tape:
        head = tape.timeline.events
        seen = {event: tape.grounds(event, head) for event in range(head)}
        named = {event: found.by for event, found in seen.items() if found.grade == REQUEST}
        assert named
        for event, manifest in named.items():
            assert manifest is not None
            assert event < manifest
            included = tape.payload(manifest)["payload"]["data"]["manifest"]["included"]
            assert tape.number(event) in [one["entryId"] for one in included]
            assert tape.grounds(event, manifest).grade != REQUEST
            assert tape.grounds(event, manifest + 1) == Grounds(REQUEST, manifest)


@pytest.mark.parametrize(("name", "session"), TAPES)
def test_why_and_show_say_the_same(name: str, session: str | None) -> None:
    with opened(name, session) as tape:
        cursor = tape.timeline.events
        for row in documents.show(tape, cursor)["surface"]:
            card = why.document(tape, row["event"], cursor)
            assert (card["evidence"], card["evidence_by"]) == (row["evidence"], row["evidence_by"])
            assert row["evidence"] in EVIDENCE
