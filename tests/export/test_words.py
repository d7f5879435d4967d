"""The words that the screen and the command line have in common."""

import json
from pathlib import Path

import pytest

from inspector.export.fitting import fit
from inspector.export.wording import (
    form_words,
    sums_words,
    surface_words,
    verdict_words,
    visibility_words,
)
from inspector.formats.contract import Options
from inspector.formats.opening import open_tape
from inspector.inspection import Inspection
from inspector.text.labels import event_words, plural, token_words
from inspector.ui.rows import EventRows
from tests.commands import SAMPLES, run
from tests.folding import fold_on
from tests.guarding import guarded

AGENTS = [
    (SAMPLES / "demo.jsonl", None),
    (SAMPLES / "zero" / "lantern", None),
    (SAMPLES / "deepchat.db", "sample-orchard"),
    *((path, None) for path in sorted((SAMPLES / "claude").glob("*.jsonl"))),
    *((path, None) for path in sorted((SAMPLES / "codex").glob("*.jsonl"))),
]


@pytest.mark.parametrize(
    ("path", "session"), AGENTS, ids=[f"{path.parent.name}-{path.stem[:20]}" for path, _ in AGENTS]
)
def test_an_event_is_called_on_the_screen_as_it_is_in_print(
    path: Path, session: str | None
) -> None:
    words = ["--session", session] if session else []
    printed = run("events", path, *words)[1].splitlines()
    documents = json.loads(run("events", path, "--json", *words)[1])
    with guarded(path):
        tape = open_tape(path, Options(session=session))
        fold_on(tape)
        inspection = Inspection(tape)
        inspection.seek(inspection.head)
        rows = EventRows(inspection)
        for at, (line, document) in enumerate(zip(printed, documents, strict=True)):
            first, _sign, *rest = rows.line(at, 300)
            shown = [cell.text.strip() for cell in (first, *rest)]
            assert shown[0] == event_words(at, document["seq"])
            assert shown[2] == fit(document["word"], 18).strip()
            seen = visibility_words(document["visibility"], silent=document["silent"])
            assert shown[4].split(" ", 1)[1] == seen
            assert line.split()[:1] == [shown[0]]
            assert f"  {fit(document['word'], 18)}  {seen}" in line
        tape.close()


def test_an_unknown_type_that_is_cut_shows_that_it_is(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    line = {"id": "s:1", "sequence": 1, "type": "a_type_of_the_far_future", "sessionId": "s"}
    path.write_text(json.dumps(line | {"createdAt": "2026-06-02T10:00:00Z", "payload": {}}) + "\n")
    assert "  a_type_of_the_far…  log-only" in run("events", path)[1]


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (plural(1, "byte"), "1 byte"),
        (plural(2, "entry", "entries"), "2 entries"),
        (plural(1, "entry", "entries"), "1 entry"),
        (token_words(1), "1 token"),
        (token_words(0), "0 tokens"),
        (token_words(600), "0.6k tokens"),
        (event_words(7, None), "#7"),
        (event_words(7, 8), "@8"),
        (form_words(None, carried=False), ""),
        (form_words("cut", carried=True, silent=True), "(cut, carried, silent) "),
        (visibility_words("visible", silent=True), "silent"),
        (visibility_words("shadowed", silent=True), "shadowed"),
        (surface_words(1, 1), "1 message"),
        (surface_words(4, 5), "4 messages in 5 rows"),
        (verdict_words("dsh", True, None), "dsh opens this tape"),
        (verdict_words("dsh", False, "a\x1bb"), "dsh refuses this tape: a␛b"),
        (verdict_words("dsh", "partly", "why"), "dsh opens part of this tape: why"),
    ],
)
def test_counts_and_names_read_well(said: str, words: str) -> None:
    assert said == words


def test_the_account_of_records_leaves_out_what_there_is_none_of() -> None:
    sums = {
        "records": 3,
        "carriers": 1,
        "events": 1,
        "recovered": 1,
        "bookkeeping": 0,
        "blank": 2,
        "pending": 0,
        "damaged": 0,
        "frames": 2,
    }
    assert sums_words(sums) == (
        "3 records in 2 frames = 1 carrier + 2 blank",
        "1 event, 1 record recovered",
    )


def test_a_row_without_a_message_is_told_apart_from_one_with() -> None:
    path = SAMPLES / "deepchat.db"
    out = run("show", path, "--session", "sample-orchard")[1]
    assert "surface: 4 messages in 5 rows," in out
    (row,) = [line for line in out.splitlines() if line.startswith("5 ")]
    assert "(silent) (pending)" in row
    last = run("events", path, "--session", "sample-orchard")[1].splitlines()[-1]
    assert last.split()[:3] == ["@31", "user", "silent"]
