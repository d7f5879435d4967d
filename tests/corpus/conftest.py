"""Tapes that a test opened are closed behind it."""

from collections.abc import Iterator

import pytest

from tests.corpus.corpus import opened


@pytest.fixture(autouse=True)
def closing() -> Iterator[None]:
    yield
    while opened:
        opened.pop().close()
