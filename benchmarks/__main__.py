"""Measures every budget that can be measured: ``python -m benchmarks``.

Each figure stands beside a baseline of the same run, because machines differ and have bad days.
"""

import argparse
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from benchmarks import (
    commands,
    first_frames,
    following,
    indexing,
    keys,
    library,
    results,
    searching,
    seeks,
    writers,
)
from benchmarks.figures import Figure, Unmeasured
from benchmarks.tapes import Shelf

SUBJECTS: Final[dict[str, Callable[[Shelf], Iterator[Figure]]]] = {
    "commands": commands.figures,
    "first-frame": first_frames.figures,
    "index": indexing.figures,
    "index-others": indexing.figures_of_others,
    "seek": seeks.figures,
    "seek-others": seeks.figures_of_others,
    "search": searching.figures,
    "keys": keys.figures,
    "follow": following.figures,
    "library": library.figures,
    "writers": writers.figures,
}

_EVENTS: Final = 1_000_000
_QUICK: Final = 20_000
_FEWEST: Final = 1_000
_PAGE: Final = Path(__file__).with_name("RESULTS.md")


def main() -> None:
    """Measure, print a table, and end with 1 where something could not be measured."""
    options = _options()
    events = _QUICK if options.quick else options.events
    figures: list[Figure] = []
    troubles: list[str] = []
    with tempfile.TemporaryDirectory(prefix="benchmarks-") as folder:
        _as_installed(Path(folder))
        shelf = Shelf(Path(folder), events, quick=options.quick)
        print(f"{events:,} events, {results.machine()}", flush=True)
        print(results.heading(), flush=True)
        for name in options.only or SUBJECTS:
            _measure(name, shelf, figures, troubles)
        if options.write:
            lines = list(results.page(figures, troubles, events))
            _PAGE.write_text("\n".join(lines) + "\n", encoding="utf-8")
    sys.exit(1 if troubles else 0)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument(
        "--events", type=_length, default=_EVENTS, help="of the tapes that are measured"
    )
    parser.add_argument("--quick", action="store_true", help=f"{_QUICK:,} events")
    parser.add_argument(
        "--only", nargs="+", choices=list(SUBJECTS), metavar="NAME", help=", ".join(SUBJECTS)
    )
    parser.add_argument(
        "--write",
        action="store_true",
        help=f"write {_PAGE.name} beside this file, with a profile of what is over its budget",
    )
    return parser.parse_args()


def _length(text: str) -> int:
    try:
        events = int(text)
    except ValueError:
        events = 0
    if events < _FEWEST:
        raise argparse.ArgumentTypeError(f"a number from {_FEWEST:,} on")
    return events


def _as_installed(folder: Path) -> None:
    """Let what is started find byte code, as an installed package does, and leave nothing behind.

    Programs are ended in the middle of their work, and with them goes what would have removed their
    temporary files.
    """
    for name in [name for name in os.environ if name.startswith("PYTHON")]:
        del os.environ[name]
    os.environ["PYTHONPYCACHEPREFIX"] = str(folder / "bytecode")
    os.environ["TMPDIR"] = str(folder)


def _measure(name: str, shelf: Shelf, figures: list[Figure], troubles: list[str]) -> None:
    """Measure one subject; what cannot be measured is said, and the others go on."""
    try:
        for figure in SUBJECTS[name](shelf):
            figures.append(figure)
            print(results.line(figure), flush=True)
    except Unmeasured as trouble:
        troubles.append(f"{name}: {trouble}")
        print(f"{name}: not measured: {trouble}", flush=True)


if __name__ == "__main__":
    main()
