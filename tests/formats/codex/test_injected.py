"""Which texts are the owner's context: by what stands at their ends, trimmed (RULES R3 and R4)."""

from pathlib import Path

import pytest

from inspector.formats.codex import injected
from tests.formats.codex import tapes
from tests.formats.codex.tapes import answer, rolled_back, said, user

FAR = " " * 5_000
SKILL = "<skill>x</skill>"
PERMISSIONS = "<permissions instructions>ask"


@pytest.mark.parametrize("before", ["", "\n", " " * 398, FAR])
@pytest.mark.parametrize("behind", ["", "\t", " " * 398, FAR])
def test_blanks_around_context_are_nothing_however_many(before: str, behind: str) -> None:
    for text in (
        SKILL,
        "<SKILL>x</Skill>",
        "# AGENTS.md instructions for /w\n<INSTRUCTIONS>x</INSTRUCTIONS>",
        "<external_note>x</external_note>",
        "Warning: Your account was flagged for this",
    ):
        assert injected.is_context(f"{before}{text}{behind}")
    assert injected.is_developer_context(f"{before}{PERMISSIONS}{behind}")


@pytest.mark.parametrize(
    "text", ["", FAR, "<skill>x", "x<skill>x</skill>", f"<skill>{FAR}", "<external_A b='c'>x"]
)
def test_what_does_not_begin_and_end_so_is_none(text: str) -> None:
    assert not injected.is_context(text)
    assert not injected.is_developer_context(text)


@pytest.mark.parametrize(
    "context", [user(" " * 398 + SKILL), user(SKILL + FAR), said("developer", FAR + PERMISSIONS)]
)
def test_a_cut_goes_on_past_context_among_blanks(tmp_path: Path, context: tapes.Record) -> None:
    tape = tapes.folded(tmp_path, user("q1"), answer("a1"), context, user("q2"), rolled_back(1))
    assert tapes.texts(tape) == ["q1", "a1"]
