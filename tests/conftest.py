"""What every test stands on: no colour, theme or prices of the machine, and one time zone."""

import os
import time
from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.folding import kept

settings.register_profile("steady", derandomize=True)
settings.register_profile("searching", derandomize=False)
settings.load_profile("steady")
"""The same examples at every run; ``--hypothesis-profile=searching`` looks for new ones."""


@pytest.fixture(autouse=True)
def plain_environment(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Pictures change with these, and times with the zone."""
    for name in [
        name for name in os.environ if name.startswith("TEXTUAL_") and "SNAPSHOT" not in name
    ]:
        monkeypatch.delenv(name)
    monkeypatch.delenv("NO_COLOR", raising=False)
    monkeypatch.setenv("TEXTUAL_ANIMATIONS", "none")
    monkeypatch.setenv("INSPECTOR_PRICES", "")
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    """What a test kept open is closed behind it."""
    yield
    while kept:
        kept.pop().close()
