"""What is made in these tests has one identity, so that its texts are the same each time."""

import pytest

from inspector.formats.planning import Making
from inspector.ui.plans import opening

MAKING = Making("00000000-0000-4000-8000-000000000000", 1_767_225_600_000)


@pytest.fixture(autouse=True)
def one_making(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "new_making", lambda: MAKING)
