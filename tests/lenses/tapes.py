"""The sample tapes of every format, folded, for lenses to look at."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from inspector.formats.contract import Tape
from tests import folding
from tests.folding import SAMPLES

TAPES: Final = (
    ("demo.jsonl", None),
    ("nested-compaction.jsonl", None),
    ("prune.jsonl", None),
    ("zero/lantern", None),
    ("claude/7c1d0a52-3b8e-4f60-9a17-5e2c64b90d31.jsonl", None),
    ("codex/rollout-2026-05-04T09-00-00-019d4b20-1c00-7000-8000-0000000000a1.jsonl", None),
    ("deepchat.db", "sample-orchard"),
)
"""A tape of every format and shape of memory, and the session where there are several."""


@contextmanager
def opened(name: str, session: str | None = None, policy: str | None = None) -> Iterator[Tape]:
    """A sample tape, folded to its end."""
    with folding.opened(SAMPLES / name, session, policy) as tape:
        yield tape
