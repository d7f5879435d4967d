"""Whether a hit is a part of what its event says to the model."""

from pathlib import Path

import pytest

from inspector.export.search import hits, none_words, text
from inspector.lenses.search import pattern
from inspector.timeline.words import Visibility
from tests.dsh_tapes import Log, folded
from tests.ui.driving import sample


def session() -> Log:
    log = Log()
    log.user("the user reads notes.txt and says 17")
    return log


@pytest.mark.parametrize(
    ("wanted", "said"),
    [
        ("notes.txt", [("data.content.0.text", True)]),
        ("append", [("surfaceOp", False)]),
        # The word of the role is no word of the sentence.
        ("user", [("data.role", False), ("data.content.0.text", True)]),
    ],
)
def test_a_place_is_said_only_if_the_row_says_it(
    wanted: str, said: list[tuple[str, bool]], tmp_path: Path
) -> None:
    tape = folded(session(), tmp_path)
    found = {hit["where"]: hit["said"] for hit in hits(tape, pattern(wanted), 1)}
    assert {where: found.pop(where) for where, _ in said} == dict(said)
    assert not any(found.values())
    tape.close()


def test_arguments_results_and_thoughts_are_said_and_bookkeeping_is_not() -> None:
    tape = sample("demo")
    while tape.advance():
        pass
    head = tape.timeline.events
    for wanted, where in (
        ("git log --oneline -6", "data.message.content.4.arguments.command"),
        ("The rules are clear", "data.message.content.0.text"),
    ):
        found = {hit["where"]: hit for hit in hits(tape, pattern(wanted), head)}
        assert found[where]["said"]
    of_result = [hit for hit in hits(tape, pattern("tests/auth"), head) if hit["seq"] == 58]
    assert [(hit["where"], hit["said"]) for hit in of_result] == [("data.meta.path", False)]
    tape.close()


def test_only_what_is_said_is_visible(tmp_path: Path) -> None:
    tape = folded(session(), tmp_path)
    found = list(hits(tape, pattern("append"), 1))
    assert [(hit["visibility"], hit["said"]) for hit in found] == [("visible", False)]
    assert "visible (not said)" in next(text(found))
    assert not list(hits(tape, pattern("append"), 1, Visibility.VISIBLE))
    assert list(hits(tape, pattern("notes"), 1, Visibility.VISIBLE))
    tape.close()


def test_where_nothing_is_found_it_says_of_what() -> None:
    assert none_words("x\x1b", None) == "nothing says x␛"
    assert none_words("x", Visibility.VISIBLE) == "nothing that is visible says x"
