"""The figures of the top line are all as of one head, also while a tape is read."""

from pathlib import Path

import pytest

from inspector.inspection import Inspection
from inspector.ui.bars import status
from tests.formats.pi.sessions import answer, compaction, folded, user


def test_what_comes_behind_the_head_is_in_no_figure(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = [user("a", None), answer("b", "a"), compaction("c", "b", "b"), user("d", "c")]
    made += [answer("e", "d"), compaction("f", "e", "e")]
    inspection = Inspection(folded(tmp_path, *made))
    inspection.cursor = 6
    told = "".join(cell.text for cell in status(inspection, 200))
    assert "6 events · 2 turns" in told
    assert "✂2/2" in told
    inspection.cursor = 3
    monkeypatch.setattr(Inspection, "head", property(lambda _self: 3))
    told = "".join(cell.text for cell in status(inspection, 200))
    assert "3 events · 1 turn " in told
    assert "✂1/1" in told
