"""Closes the tapes that a test has opened."""

from collections.abc import Iterator

import pytest

from tests.formats.claude.transcripts import opened


@pytest.fixture(autouse=True)
def _closed() -> Iterator[None]:
    yield
    while opened:
        opened.pop().close()
