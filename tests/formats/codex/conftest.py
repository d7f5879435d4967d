"""Closes the tapes that a test has opened."""

from collections.abc import Iterator

import pytest

from tests.formats.codex.tapes import opened


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    for tape in opened:
        tape.close()
    opened.clear()
