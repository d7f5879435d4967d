"""Writes the sample tapes, each of which shows something worth seeing.

Nothing here reads a clock or throws dice, so the tapes beside this file are always what it writes:

    python -m sample_tapes.generate

The stories, their people, code and figures are invented.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Final

from sample_tapes import compacting, small, versions
from sample_tapes.activities import activities
from sample_tapes.claude import claude
from sample_tapes.codex import codex
from sample_tapes.containers import containers
from sample_tapes.database import database
from sample_tapes.deepchat import deepchat
from sample_tapes.demo import demo
from sample_tapes.pi import pi
from sample_tapes.reina import reina
from sample_tapes.writing import Tape
from sample_tapes.zero import zero

_SAMPLES: Final[dict[str, Callable[[], Tape | bytes]]] = {
    "demo": demo,
    "activities": activities,
    "ten-events": small.ten_events,
    "ten-events-unknown": small.ten_events_unknown,
    "compaction": small.compaction,
    "nested-compaction": small.nested_compaction,
    "failed-compaction": small.failed_compaction,
    "open-compaction": small.open_compaction,
    "compaction-ends": compacting.compaction_ends,
    "overflow-recovery": compacting.overflow_recovery,
    "prune": small.prune,
    "parallel-calls": small.parallel_calls,
    "packed-rows": small.packed_rows,
    "interrupted": small.interrupted,
    "errors": small.errors,
    "todo": small.todo,
    "injected-context": small.injected_context,
    "lives": small.lives,
    "unicode": small.unicode,
    "hostile": small.hostile,
    "unknown-ignorable": small.unknown_ignorable,
    "rejected-event": small.rejected_event,
    "open-turn": small.open_turn,
    "torn-tail": small.torn_tail,
    "damaged-line": small.damaged_line,
    "recovered": small.recovered,
    "header-only": small.header_only,
    "future-version": small.future_version,
    "legacy-shapes": versions.legacy_shapes,
    "version-3.session.v3": versions.version_3,
    "version-4.session.v4": versions.version_4,
}


def tapes() -> dict[str, bytes]:
    """All sample tapes that are plain logs, by file name."""
    found: dict[str, bytes] = {}
    for name, make in _SAMPLES.items():
        made = make()
        found[f"{name}.jsonl"] = made if isinstance(made, bytes) else made.done()
    return found


def everything() -> dict[str, bytes]:
    """All files that stand beside this one, by path."""
    return {
        **tapes(),
        **containers(),
        **claude(),
        **codex(),
        **zero(),
        **pi(),
        **reina(),
        "sessions.db": database(),
        "deepchat.db": deepchat(),
    }


def main() -> None:
    """Write all sample tapes beside this file."""
    here = Path(__file__).resolve().parent
    for name, content in everything().items():
        path = here / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


if __name__ == "__main__":
    main()
