"""Notebooks: the tapes of a format that another distribution brings, for tests of what stands
around formats. See `tests/outside/notebook_format`.
"""

import sys
from pathlib import Path
from typing import Any

import orjson
import pytest

OUTSIDE = Path(__file__).parent / "outside"
"""What stands where an installed distribution would stand."""

HEADER = {"notebook": 1, "id": "nb", "title": "Invented notes"}


def installed(patch: pytest.MonkeyPatch) -> None:
    """Have the distribution be found, as one that is installed."""
    patch.syspath_prepend(str(OUTSIDE))
    for name in [name for name in sys.modules if name.split(".")[0] == "notebook_format"]:
        patch.delitem(sys.modules, name)


def say(text: str, by: str = "user", **more: Any) -> dict[str, Any]:
    return {"say": text, "by": by, **more}


def write(path: Path, *events: dict[str, Any]) -> Path:
    """A notebook with these events."""
    path.write_bytes(b"".join(orjson.dumps(line) + b"\n" for line in (HEADER, *events)))
    return path


def everything(path: Path) -> Path:
    """A notebook with one of everything.

    0 first · 1 answer · 2 turned back · 3 another answer · 4 the first answer carried back ·
    5 aside · 6 loose · 7 call · 8 long result · 9 it is cut · 10 long result · 11 it is cleared ·
    12 an empty line of another file
    """
    return write(
        path,
        say("first question", id="q"),
        say("first answer", "agent", id="a", group="msg-1"),
        {"back": 1},
        say("second answer", "agent", id="b"),
        {"again": ["q", "a"]},
        {"aside": "a helper at work"},
        {"loose": "nobody knows where this belongs", "id": "l"},
        say("look", "agent", id="c", call="call-1"),
        say("a very long result", "tool", id="r", answers="call-1"),
        {"cut": "r"},
        say("look again", "agent", id="d", call="call-2"),
        {"clear": "a"},
        say("", id="e", **{"from": "other.notebook"}),
    )
