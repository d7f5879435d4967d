"""An entry of the transcript in full: a message, a whole card, a divider. Knows no Textual."""

from collections.abc import Iterator
from datetime import tzinfo
from typing import Final

from inspector.export import transcript as transcripts
from inspector.export.why import name
from inspector.inspection import Inspection
from inspector.lenses.transcript import Entry
from inspector.text.gate import clean_line
from inspector.text.labels import clock, count
from inspector.timeline.words import Visibility
from inspector.ui.cells import Cell, Line
from inspector.ui.wrapping import wrapped

_SIGNS: Final = {"+": "added", "-": "removed"}
_LISTED: Final = 40
"""Children that are named; of more it is said how many there are."""
_NAME: Final = 80
_VALUE: Final = 2_000


def entry_lines(
    inspection: Inspection, entry: Entry, width: int, zone: tzinfo | None
) -> Iterator[Line]:
    """An entry as of the cursor: what it is, what became of it, and all that it says."""
    tape = inspection.tape
    said = transcripts.entry_document(tape, entry)
    what = "call" if entry.card is not None else entry.kind.value
    at = clock(entry.time, zone)
    heading = " · ".join(filter(None, (f"{name(tape, entry.event)} {what}", at)))
    yield (Cell(heading, "strong"),)
    yield from _fate(inspection, entry, width)
    if entry.divider is not None:
        yield from wrapped(transcripts.divider_line(said["divider"]), width, "summary")
    if entry.card is not None:
        yield from _card(inspection, said["card"], width)
    elif entry.ending is not None:
        yield from wrapped(transcripts.outcome_words(said["outcome"]), width, "notice")
    if entry.thought:
        yield from _part("thinking", entry.thought, width, "dim")
    if entry.text:
        yield ()
        yield from wrapped(entry.text, width, "text")
    for file in said["files"]:
        yield (Cell(transcripts.file_line(file), "accent"),)
    yield from _children(inspection, entry, width)


def _fate(inspection: Inspection, entry: Entry, width: int) -> Iterator[Line]:
    """Whether the person still sees it, and whether the model does."""
    tape = inspection.tape
    if entry.partial:
        yield from wrapped("cut off while it was written", width, "notice")
    if entry.gone_by is not None:
        by = name(tape, entry.gone_by)
        yield from wrapped(f"taken back by {by}: the person no longer sees it", width, "notice")
    model = entry.visibility.label
    if entry.by is not None and entry.visibility is not Visibility.VISIBLE:
        model += f" by {name(tape, entry.by)}"
    if entry.divider is None and entry.visibility is not Visibility.LOG_ONLY:
        yield (Cell(f"for the model: {model}", "dim"),)


def _card(inspection: Inspection, card: dict[str, object], width: int) -> Iterator[Line]:
    """A whole card: what was called, with what, how it ended, and all that came back."""
    failed = card["outcome"] == "failed"
    yield from wrapped(transcripts.card_line(card), width, "error" if failed else "tool")
    arguments = card["arguments"]
    for key, value in arguments.items() if isinstance(arguments, dict) else ():
        words = f"{clean_line(key, _NAME)}: {clean_line(value, _VALUE)}"
        yield from wrapped(words, width, "dim")
    body, result, answer = card["body"], card["result"], card["result_event"]
    if isinstance(body, str):
        yield ()
        lines = wrapped(body, width, "text")
        yield from _changed(lines) if card["kind"] == "diff" else lines
    files = card["files"]
    if isinstance(result, str) or files:
        back = f" in {name(inspection.tape, answer)}" if isinstance(answer, int) else ""
        yield from _part(f"came back{back}", result or "", width, "error" if failed else "text")
    for file in files if isinstance(files, list) else ():
        yield (Cell(transcripts.file_line(file), "accent"),)


def _changed(lines: Iterator[Line]) -> Iterator[Line]:
    """What a call changes: lines that it adds and lines that it removes."""
    for line in lines:
        tone = _SIGNS.get(line[0].text[:1], "text")
        yield tuple(Cell(cell.text, tone) for cell in line)


def _part(heading: str, text: object, width: int, tone: str) -> Iterator[Line]:
    yield ()
    yield (Cell(heading, "accent"),)
    yield from wrapped(str(text), width, tone)


def _children(inspection: Inspection, entry: Entry, width: int) -> Iterator[Line]:
    if not entry.children:
        return
    yield ()
    yield (Cell("within it", "accent"),)
    for child in entry.children[:_LISTED]:
        said = transcripts.entry_document(inspection.tape, child)
        words = clean_line(child.text, _NAME) or child.kind.value
        if child.card is not None:
            words = transcripts.card_line(said["card"])
        elif child.ending is not None:
            words = f"{child.kind.value}: {words}, {transcripts.outcome_words(said['outcome'])}"
        yield from wrapped(f"{name(inspection.tape, child.event)} {words}", width, "text", "  ")
    more = len(entry.children) - _LISTED + entry.more
    if more > 0:
        yield (Cell(f"  and {count(more)} more", "dim"),)
