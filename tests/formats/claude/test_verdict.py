"""The verdict says what the owner's reader does, whatever is shown here."""

from pathlib import Path

from tests.formats.claude.transcripts import answer, folded, user


def test_records_without_ids_are_shown_and_the_owner_lists_none(tmp_path: Path) -> None:
    records = [user("u1", None), answer("a1", "u1")]
    for one in records:
        del one["uuid"]
    tape = folded(tmp_path, records)
    assert tape.timeline.count(2) == 2
    assert tape.verdict().opens
    assert tape.verdict().reason == "it lists no message"


def test_below_a_record_that_is_its_own_parent_the_owner_lists_messages(tmp_path: Path) -> None:
    tape = folded(tmp_path, [user("u1", "u1"), answer("a1", "u1"), user("u2", "a1")])
    assert tape.timeline.count(3) == 0
    assert tape.verdict().reason is None
