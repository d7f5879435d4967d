"""The shared corpus: beside the checkout, or where INSPECTOR_CORPUS says; skipped elsewhere."""

import os
from pathlib import Path
from typing import Any

import pytest

from inspector.export import documents
from inspector.formats.contract import Options, Tape
from inspector.formats.opening import open_tape

ROOT = Path(os.environ.get("INSPECTOR_CORPUS", Path(__file__).resolve().parents[3] / "shared"))

needs_corpus = pytest.mark.skipif(not ROOT.is_dir(), reason="the shared corpus is not here")


def files(pattern: str, *, without: tuple[str, ...] = ()) -> list[Any]:
    """The files of the corpus that match, as parameters named by their stem."""
    found = [path for path in sorted(ROOT.glob(pattern)) if path.name not in without]
    return [pytest.param(path, id=path.name.split(".")[0]) for path in found]


def folded(path: Path, *, past_unknown: bool = False) -> Tape:
    tape = open_tape(path, Options(past_unknown=past_unknown))
    while tape.advance():
        pass
    return tape


def shown(path: Path, cursor: int | None = None) -> dict[str, Any]:
    tape = folded(path)
    return documents.show(tape, tape.timeline.events if cursor is None else cursor)


def numbers(tape: Tape, cursor: int) -> list[int | None]:
    """The owner's numbers of the surface at a cursor, in order."""
    nodes = tape.timeline.surface.nodes
    return [tape.number(nodes.origin(row.node)) for row in tape.timeline.rows(cursor)]
