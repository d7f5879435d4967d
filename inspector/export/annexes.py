"""What is no tape but speaks of sessions: a document in the shape of ``check``, and its text."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from inspector.formats.contract import Annex
from inspector.tape.records import Sums
from inspector.text.gate import clean_line


def check(path: Path, annexes: Sequence[Annex]) -> dict[str, Any]:
    """The document of a source that holds no tape."""
    return {
        "path": str(path),
        "tape": None,
        "reliable_to": 0,
        "annexes": [{"what": annex.what, "facts": list(annex.facts)} for annex in annexes],
        "sums": Sums(0, 0, 0, 0, 0, 0, 0, 0, None).as_dict(),
        "findings": [
            {
                "code": code,
                "severity": "error",
                "line": None,
                "byte": None,
                "row": where or None,
                "event": None,
                "message": message,
                "effect": "none; the owner refuses it",
            }
            for annex in annexes
            for code, where, message in annex.faults
        ],
        "verdict": None,
    }


def text(document: dict[str, Any]) -> Iterator[str]:
    """The text of `check`."""
    yield clean_line(document["path"])
    for annex in document["annexes"]:
        yield f"  {annex['what']}"
        yield from (f"    {fact}" for fact in annex["facts"])
    if not document["findings"]:
        yield "  nothing found"
    for finding in document["findings"]:
        where = f"{finding['row']}: " if finding["row"] else ""
        yield f"  {finding['severity']}: {where}{finding['message']}"
        yield f"    effect: {finding['effect']}  [{finding['code']}]"
