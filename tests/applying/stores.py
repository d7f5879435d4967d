"""Tapes in a folder of their own, and a world in which plans for them are carried out."""

import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from inspector.applying.disk import Disk
from inspector.applying.journal import Journal
from inspector.applying.world import World
from inspector.formats.contract import Options, Tape
from inspector.formats.opening import open_tape
from inspector.formats.planning import Making
from inspector.plans.plan import Asked, Plan
from inspector.plans.planning import plan
from tests.applying.faults import QuickDisk, tree
from tests.plans.laws import MAKING

SAMPLES = Path(__file__).parents[2] / "sample_tapes"

TAPES = {
    "dsh": "ten-events.jsonl",
    "dsh, open turn": "open-turn.jsonl",
    "dsh, compacted": "compaction.jsonl",
    "dsh, packed": "frames.jsonl.zstd",
    "dsh, fourth version": "version-4.session.v4.jsonl",
    "zero": "zero/lantern",
    "zero, compacted fork": "zero/lantern-fork",
    "claude": "claude/7c1d0a52-3b8e-4f60-9a17-5e2c64b90d31.jsonl",
    "reina": "reina/ses_motrojk0_h4vz.jsonl",
    "reina, two readings": "reina/ses_mov74e80_p8ke.jsonl",
    "codex": "codex/rollout-2026-05-04T09-00-00-019d4b20-1c00-7000-8000-0000000000a1.jsonl",
    "pi": "pi/2026-07-06T09-00-00-000Z_5d1f0c3a-7b2e-4c80-9a44-1e0f6b7c2d10.jsonl",
}
"""Sample tapes of every format that is written."""


@dataclass
class Store:
    """A copy of a sample tape, and whatever is made beside it."""

    root: Path
    name: str

    @classmethod
    def of(cls, folder: Path, sample: str) -> "Store":
        """A store that holds one sample."""
        source = SAMPLES / sample
        root = folder / "store"
        root.mkdir()
        if source.is_dir():
            shutil.copytree(source, root / source.name)
        else:
            shutil.copy(source, root / source.name)
        return cls(root, source.name)

    @property
    def path(self) -> Path:
        """Of the tape."""
        found = self.root / self.name
        return found / "events.jsonl" if found.is_dir() else found

    @property
    def data(self) -> Path:
        """The person's data folder."""
        return self.root.parent / "data"

    def world(self, disk: Disk | None = None, writers: Sequence[str] = ()) -> World:
        """Where plans for it are carried out; the journal fails with nothing but a disk given."""
        used = QuickDisk() if disk is None else disk
        journal = Journal(self.data, used)
        return World(used, journal, folded, lambda _path: writers, lambda: str(uuid4()))

    def tree(self) -> dict[str, bytes | None]:
        """All that is there but the journal."""
        return tree(self.root)


def folded(path: Path) -> Tape:
    """A tape, folded to its head."""
    tape = open_tape(path, Options())
    while tape.advance():
        pass
    return tape


def planned(tape: Tape, asked: Asked, making: Making = MAKING) -> Plan:
    """A plan that looks whether its target is there."""
    return plan(tape, asked, making, os.path.lexists)
