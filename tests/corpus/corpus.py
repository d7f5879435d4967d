"""The shared corpus: beside the checkout, or where INSPECTOR_CORPUS says; skipped elsewhere."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from inspector.formats.contract import Options, Tape
from inspector.formats.opening import open_tape
from tests.folding import fold_on, keep

ROOT = Path(os.environ.get("INSPECTOR_CORPUS", Path(__file__).resolve().parents[3] / "shared"))

needs_corpus = pytest.mark.skipif(not ROOT.is_dir(), reason="the shared corpus is not here")


def files(pattern: str, *, without: tuple[str, ...] = ()) -> list[Any]:
    """The files of the corpus that match, as parameters named by their stem."""
    found = [path for path in sorted(ROOT.glob(pattern)) if path.name not in without]
    return [pytest.param(path, id=path.name.split(".")[0]) for path in found]


def folded(path: Path, *, session: str | None = None, past_unknown: bool = False) -> Tape:
    return fold_on(keep(open_tape(path, Options(session=session, past_unknown=past_unknown))))


def found(path: Path) -> Any:
    """A JSON file, or None where there is no corpus."""
    return json.loads(path.read_bytes()) if path.is_file() else None


def numbers(tape: Tape, cursor: int) -> list[int | None]:
    """The owner's numbers of the surface at a cursor, in order."""
    nodes = tape.timeline.surface.nodes
    return [tape.number(nodes.origin(row.node)) for row in tape.timeline.rows(cursor)]
