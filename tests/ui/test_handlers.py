"""Textual calls the handler of each class of a widget by itself: one that calls its parent's has
that done twice, with all the timers and watchers that it begins.
"""

import re
from pathlib import Path

import inspector.ui
from tests.ui.driving import running

CALLED_AGAIN = re.compile(r"super\(\)\.on_(?!event\b)\w+\(")


def test_no_handler_calls_the_one_of_its_parent() -> None:
    folder = Path(inspector.ui.__file__).parent
    found = [path for path in folder.rglob("*.py") if CALLED_AGAIN.search(path.read_text())]
    assert found == []


async def test_a_change_of_a_visit_is_shown_once() -> None:
    async with running("demo") as (app, _pilot):
        assert len(app.inspection._watchers) == 1
