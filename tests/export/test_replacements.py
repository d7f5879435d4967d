"""What hid what, by the owner's numbers or by positions."""

import json
from pathlib import Path
from typing import Any

from inspector.export.text import show
from tests.commands import SAMPLES, run

NUMBERED = SAMPLES / "zero" / "lantern"
UNNUMBERED = SAMPLES / "claude" / "7c1d0a52-3b8e-4f60-9a17-5e2c64b90d31.jsonl"


def told(path: Path) -> tuple[list[dict[str, Any]], list[str]]:
    document = json.loads(run("show", path, "--json").out)["replacements"]
    text = run("show", path).out.splitlines()
    return document, [line.strip() for line in text if " hides " in line]


def test_the_owners_numbers_are_used_where_it_has_any() -> None:
    [replaced], lines = told(NUMBERED)
    assert (replaced["event"], replaced["numbered"]) == (31, True)
    assert lines == ["@31 hides 13 rows from @1 to @21"]


def test_positions_are_used_where_the_owner_numbers_nothing() -> None:
    [replaced], lines = told(UNNUMBERED)
    assert (replaced["event"], replaced["start"], replaced["end"]) == (20, 2, 16)
    assert replaced["numbered"] is False
    assert lines == ["#20 hides 10 rows from #2 to #16"]


def test_a_replacement_that_hid_nothing_says_so() -> None:
    document = json.loads(run("show", NUMBERED, "--json").out)
    nothing = {"event": 31, "start": None, "end": None, "hidden": [], "numbered": True}
    assert "  @31 hides nothing" in list(show({**document, "replacements": [nothing]}))
