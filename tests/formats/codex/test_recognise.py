"""What is taken for a log of Codex, and how surely."""

import json
import subprocess
import sys
from typing import Any

import pytest

from inspector.formats.codex import FORMAT
from inspector.formats.contract import Certainty
from tests.formats.codex import tapes

BARE = {"id": "x", "timestamp": "2025-05-01T00:00:00Z", "instructions": None}
BARE_ITEM = {"type": "message", "role": "user", "content": [tapes.part("hello")]}


def lines(*values: Any) -> bytes:
    return b"".join(json.dumps(value).encode() + b"\n" for value in values)


@pytest.mark.parametrize(
    ("head", "certainty"),
    [
        (tapes.text([tapes.meta()]), Certainty.SURE),
        (b"\xef\xbb\xbf" + tapes.text([tapes.meta()]), Certainty.SURE),
        (b"{torn" + tapes.text([tapes.meta()]), Certainty.SURE),
        (b"\n\n" + tapes.text([tapes.meta()]), Certainty.SURE),
        (tapes.text([tapes.user("hello")]), Certainty.LIKELY),
        (lines(BARE, {"record_type": "state"}), Certainty.SURE),
        (lines(BARE, BARE_ITEM), Certainty.LIKELY),
        (lines(BARE), Certainty.GUESS),
        (lines(BARE, {"type": "other"}), Certainty.NO),
        (lines({"type": "session_meta", "meta": {}, "ts": 1}), Certainty.NO),
        (lines({"type": "session", "id": "x", "timestamp": "t", "payload": {}}), Certainty.NO),
        (lines([1], 2, None, "a"), Certainty.NO),
        (b"", Certainty.NO),
        (b"\x00" * 4_096, Certainty.NO),
    ],
)
def test_a_log_is_told_by_its_first_records(head: bytes, certainty: Certainty) -> None:
    assert FORMAT.recognise(head).certainty is certainty


def test_a_doubt_is_told_in_words() -> None:
    assert "session_meta" in FORMAT.recognise(tapes.text([tapes.user("hello")])).why_not
    assert "payload" in FORMAT.recognise(b"[]\n").why_not


def test_recognising_imports_nothing_that_reading_needs() -> None:
    told = "import sys, inspector.formats.codex; print([m for m in sys.modules if 'codex.' in m])"
    found = subprocess.run([sys.executable, "-c", told], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "['inspector.formats.codex.vocabulary']"
