"""What the summary that stands for an event tells of it: through all generations, or why not."""

from pathlib import Path
from typing import Any

import pytest

from inspector.export import retold as documents
from inspector.export.why import name
from inspector.formats.contract import Tape
from inspector.lenses.retold import BYTES, EMPTY, NO_SUMMARY, NO_TEXT, OPAQUE, retold, retold_at
from inspector.lenses.why import why
from inspector.timeline.words import Reason
from tests.dsh_tapes import Log, folded, text_block
from tests.formats.codex import tapes as codex
from tests.lenses.tapes import TAPES, opened


def told(tape: Tape, event: int, cursor: int | None = None) -> dict[str, Any] | None:
    at = tape.timeline.events if cursor is None else cursor
    return documents.document(tape, why(tape.timeline, event, at))


def sentence(tape: Tape, event: int, cursor: int | None = None) -> str:
    found = told(tape, event, cursor)
    assert found is not None
    return documents.words(found, lambda one: name(tape, one))


def summed_up(log: Log, first: int, last: int, summary: str) -> int:
    """A compaction of everything from one event to another; the position of its summary."""
    start, made = log.compaction(), log.summary()
    at = log.checkpoint(first, last, [start, made, *range(first, last + 1)], summary)
    log.compaction_end()
    return at


@pytest.fixture
def twice(tmp_path: Path) -> Tape:
    """A message, hidden by a summary, which a second one hides."""
    log = Log()
    user = log.user("add retry to the client in client.py, at most 7 times, see errno.md")
    log.assistant(text_block("Sure."))
    one = summed_up(log, user, user + 1, "The client gets a retry in client.py, 7 times.")
    log.user("go on")
    summed_up(log, one, log.user("and on"), "The client has a retry.")
    return folded(log, tmp_path)


def test_words_and_literals_are_looked_for_in_the_summary_that_stands_there(twice: Tape) -> None:
    assert told(twice, 0, 10) == {
        "summary": 4,
        "through": [4],
        "words": {"found": ["retry", "client", "times"], "missing": []},
        "literals": {
            "found": [{"literal": "client.py", "class": "path"}],
            "missing": [{"literal": "errno.md", "class": "path", "lost_by": 4}],
        },
        "degraded": False,
        "why_not": None,
    }
    assert sentence(twice, 0, 10) == (
        'In the summary at @4?  words "retry", "client", "times" found · '
        'file "errno.md" NOT found · file "client.py" found'
    )


def test_a_literal_says_which_summary_left_it_out(twice: Tape) -> None:
    found = told(twice, 0)
    assert found is not None
    assert (found["summary"], found["through"]) == (10, [4, 10])
    lost = {one["literal"]: one["lost_by"] for one in found["literals"]["missing"]}
    assert lost == {"client.py": 10, "errno.md": 4}
    assert sentence(twice, 0) == (
        'In the summary at @10?  words "retry", "client" found · '
        'file "client.py", "errno.md" NOT found (lost by @10, @4) · word "times" NOT found'
    )


def test_before_it_is_hidden_and_of_what_was_never_there_nothing_is_asked(twice: Tape) -> None:
    assert told(twice, 0, 1) is None
    assert told(twice, twice.timeline.events - 1) is None


def test_the_pure_comparison() -> None:
    found = retold("see a/b.py and b.md", [(4, "a/b.py"), (9, "b.md")], extract=None)
    assert [one.text for one in found.told] == ["b.md"]
    assert [(lost.literal.text, lost.lost_by) for lost in found.missing] == [("a/b.py", 9)]
    assert retold("anything", [(4, " \n")], extract=False).why_not == EMPTY
    assert retold("ok", [(4, "fine")], extract=False).why_not == NO_TEXT


def test_a_summary_of_whole_lines_is_said_to_be_one(tmp_path: Path) -> None:
    line = "the client waits for the server until it answers"
    log = Log()
    user = log.user(line)
    summed_up(log, user, user, f"- {line}")
    tape = folded(log, tmp_path)
    assert sentence(tape, 0).endswith("nobody wrote it")


def test_only_what_a_compaction_hid_is_asked_for_and_may_have_no_summary_there() -> None:
    with opened(*TAPES[4]) as tape:
        timeline = tape.timeline
        for event in range(timeline.events):
            for cursor in range(event + 1, timeline.events + 1):
                found = told(tape, event, cursor)
                own = [hop for hop in why(timeline, event, cursor).chain if hop.event == event]
                hidden = bool(own) and own[-1].reason is Reason.COMPACTED
                assert (found is not None) == hidden
                if found is not None and found["summary"] is None:
                    assert found["why_not"] == NO_SUMMARY


def test_a_picture_has_no_words(twice: Tape) -> None:
    found = why(twice.timeline, 0, 10)
    blank = retold_at(twice.timeline, found, lambda _: "", lambda _: "s", is_bytes=True)
    assert blank is not None
    assert (blank.summary, blank.why_not) == (4, BYTES)


def test_an_encrypted_summary_is_no_evidence(tmp_path: Path) -> None:
    sealed = {"type": "compaction", "encrypted_content": "gAAAA"}
    tape = codex.folded(tmp_path, codex.user("fix client.py"), codex.compacted(sealed))
    found = told(tape, 0)
    assert found is not None
    assert found["why_not"] == OPAQUE
    tape.close()


@pytest.mark.parametrize(("tape_name", "session"), TAPES)
def test_what_is_found_stands_in_the_summary(tape_name: str, session: str | None) -> None:
    with opened(tape_name, session) as tape:
        for event in range(tape.timeline.events):
            found = told(tape, event)
            if found is None or found["why_not"] is not None:
                continue
            assert found["through"][-1] == found["summary"]
            assert all(one["lost_by"] in found["through"] for one in found["literals"]["missing"])
            both = set(found["words"]["found"]) & set(found["words"]["missing"])
            assert not both
