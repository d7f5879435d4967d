"""What the person saw at a cursor: a document for scripts, and its text."""

from collections.abc import Iterator
from typing import Any, Final

from inspector.export.why import name
from inspector.formats.contract import Tape
from inspector.formats.parts import File
from inspector.lenses.cards import Card, Ending
from inspector.lenses.transcript import Divider, Entry, Transcript
from inspector.text.gate import clean_block, clean_line
from inspector.text.labels import clock, count, plural, size, stamp, tokens

_WINDOW: Final = 200
"""Entries that are read at a time."""
_LINES: Final = 12
"""Lines of one text that are shown; of the rest it is said how many there are."""
_LONG: Final = 100_000
"""Characters of one text that are looked at to show its lines."""
_TITLE: Final = 200
_VALUE: Final = 80
_DEEPEST: Final = 8
"""Levels that are indented; deeper ones stay at this."""


def document(tape: Tape, cursor: int, transcript: Transcript | None = None) -> dict[str, Any]:
    """The transcript as of a cursor; texts are as the tape has them, bytes named by their size.

    Args:
        tape: whose.
        cursor: as of which.
        transcript: the one of this tape, where there is one.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    found = transcript or Transcript(tape)
    total = found.count(cursor)
    return {
        "cursor": cursor,
        "entries": [
            entry_document(tape, entry)
            for start in range(0, total, _WINDOW)
            for entry in found.entries(cursor, start, min(start + _WINDOW, total))
        ],
    }


def entry_document(tape: Tape, entry: Entry) -> dict[str, Any]:
    """One entry of the document."""
    return {
        "kind": entry.kind.value,
        "event": entry.event,
        "seq": tape.number(entry.event),
        "events": list(entry.events),
        "time": stamp(entry.time),
        "speaker": entry.speaker,
        "text": entry.text,
        "reasoning": entry.thought or None,
        "files": [_file(file) for file in entry.files],
        "card": None if entry.card is None else _card(entry.card),
        "outcome": None if entry.ending is None else _ending(entry.ending),
        "divider": None if entry.divider is None else _divider(entry.divider),
        "children": [entry_document(tape, child) for child in entry.children],
        "more_children": entry.more,
        "visibility": entry.visibility.label,
        "by": entry.by,
        "seen": entry.gone_by is None,
        "gone_by": entry.gone_by,
        "partial": entry.partial,
        "writing": entry.writing,
    }


def _card(card: Card) -> dict[str, Any]:
    return {
        "kind": card.kind.value,
        "name": card.name,
        "title": card.title,
        "arguments": dict(card.arguments),
        "body": card.body or None,
        **_ending(card.ending),
        "returned": None if card.returned is None else card.returned.place,
        "batch": None if card.returned is None else card.returned.calls,
        "result": card.result,
        "files": [_file(file) for file in card.files],
        "id": card.id,
        "call_event": card.call,
        "result_event": card.answer,
    }


def _ending(ending: Ending) -> dict[str, Any]:
    return {
        "outcome": ending.outcome.label,
        "word": ending.word,
        "evidence": ending.evidence.value,
    }


def _file(file: File) -> dict[str, Any]:
    return {"name": file.name or None, "media": file.media or None, "bytes": file.size}


def _divider(divider: Divider) -> dict[str, Any]:
    return {
        "what": divider.what,
        "rows": {"before": divider.rows[0], "after": divider.rows[1]},
        "tokens": {"before": divider.tokens[0], "after": divider.tokens[1]},
    }


# For people.


def text(tape: Tape, found: dict[str, Any]) -> Iterator[str]:
    """The text of `document`: who said what, cards with their outcomes, dividers."""
    if not found["entries"]:
        yield "nothing was said yet"
    for entry in found["entries"]:
        yield from _told(tape, entry, 0)


def in_full(tape: Tape, entry: dict[str, Any]) -> Iterator[str]:
    """One entry with all that it says, and all that is within it, in lines that end."""
    for level, one in _walked(entry):
        indent = _indent(level)
        yield f"{indent}{_heading(tape, one)}\n"
        for part in _whole(one):
            yield f"{part}\n"


def _walked(entry: dict[str, Any]) -> Iterator[tuple[int, dict[str, Any]]]:
    waiting = [(0, entry)]
    while waiting:
        level, one = waiting.pop()
        yield level, one
        waiting.extend((level + 1, child) for child in reversed(one["children"]))


def _whole(entry: dict[str, Any]) -> Iterator[str]:
    """The texts of an entry, none of them cut."""
    if entry["reasoning"]:
        yield f"(thinking)\n{clean_block(entry['reasoning'])}\n"
    if entry["text"]:
        yield clean_block(entry["text"])
    yield from map(file_line, entry["files"])
    card = entry["card"]
    if card is not None:
        for key, value in card["arguments"].items():
            yield f"{clean_line(key, _VALUE)}: {clean_block(value)}"
        yield from (f"\n{clean_block(part)}" for part in (card["body"], card["result"]) if part)
        yield from map(file_line, card["files"])
    yield ""


def _told(tape: Tape, entry: dict[str, Any], level: int) -> Iterator[str]:
    if _is_bare(entry):
        # An answer that only makes calls is nothing beside them.
        level -= 1
    else:
        yield from _itself(tape, entry, level)
    for child in entry["children"]:
        yield from _told(tape, child, level + 1)
    if entry["more_children"]:
        yield f"{_indent(level + 1)}and {count(entry['more_children'])} more"


def _is_bare(entry: dict[str, Any]) -> bool:
    told = ("text", "reasoning", "files", "card", "outcome", "divider", "partial", "writing")
    return bool(entry["children"]) and entry["seen"] and not any(entry[key] for key in told)


def _indent(level: int) -> str:
    return "  " * min(level, _DEEPEST)


def _itself(tape: Tape, entry: dict[str, Any], level: int) -> Iterator[str]:
    indent = _indent(level)
    yield f"{indent}{_heading(tape, entry)}"
    for line in _body(entry):
        yield f"{indent}  {line}".rstrip()


def _heading(tape: Tape, entry: dict[str, Any]) -> str:
    """Who, when, and what became of it, in one line."""
    words = [name(tape, entry["event"]), _clock(tape, entry["event"])]
    if entry["card"] is not None:
        words.append(card_line(entry["card"]))
        if entry["outcome"] is not None:
            words.append(f"workflow: {outcome_words(entry['outcome'])}")
    elif entry["divider"] is not None:
        words.append(divider_line(entry["divider"]))
    elif entry["outcome"] is not None:
        words.append(f"{entry['kind']}: {outcome_words(entry['outcome'])}")
    else:
        words.append(entry["kind"])
    if entry["partial"]:
        words.append("(cut off)")
    elif entry["writing"]:
        words.append("(being written)")
    if not entry["seen"]:
        words.append(f"({_gone(entry)} by {name(tape, entry['gone_by'])})")
    return "  ".join(filter(None, words))


def _clock(tape: Tape, event: int) -> str:
    return clock(tape.timeline.table.time(event))


def _gone(entry: dict[str, Any]) -> str:
    """Why the person does not see it any more: what left with its message was taken back."""
    said: str = entry["visibility"]
    return said if said in ("rewound", "retracted", "superseded") else "rewound"


def card_line(card: dict[str, Any]) -> str:
    """A card in one line: what was called, with what, and how it ended."""
    title = clean_line(card["title"], _TITLE)
    named = f"[{clean_line(card['name'], _VALUE) or 'a tool'}] {title}".rstrip()
    words = [named, outcome_words(card)]
    if card["batch"] is not None:
        words.append(_returned(card))
    return " · ".join(words)


def _returned(card: dict[str, Any]) -> str:
    if card["returned"] is None:
        return f"one of {count(card['batch'])} at once"
    return f"back as number {count(card['returned'])} of {count(card['batch'])}"


def outcome_words(ending: dict[str, Any]) -> str:
    """How something ended, in the owner's words where it has any, and how sure that is."""
    word = clean_line(ending["word"] or "", _VALUE)
    said = ending["outcome"]
    if word and word != said:
        said = f"{said} ({word})"
    return said if ending["evidence"] == "recorded" else f"{said}, by rule"


_DIVIDED: Final = {
    "compaction": "compacted",
    "prune": "results cut",
    "branch": "branch left, summary of it",
}


def divider_line(divider: dict[str, Any]) -> str:
    """A divider in one line: what the model has left."""
    rows, weights = divider["rows"], divider["tokens"]
    what = _DIVIDED[divider["what"]]
    return (
        f"──── {what}: {plural(rows['before'], 'row')} -> {count(rows['after'])}, "
        f"{tokens(weights['before'])} -> {tokens(weights['after'])} tokens, for the model only ────"
    )


def _body(entry: dict[str, Any]) -> Iterator[str]:
    if entry["reasoning"]:
        yield _folded(entry["reasoning"])
    yield from _lines(entry["text"])
    for file in entry["files"]:
        yield file_line(file)
    card = entry["card"]
    if card is not None:
        for key, value in card["arguments"].items():
            yield f"{clean_line(key, _VALUE)}: {clean_line(value, _VALUE)}"
        yield from _lines(card["body"] or "")
        yield from (f"| {line}" for line in _lines(card["result"] or ""))
        for file in card["files"]:
            yield f"| {file_line(file)}"


def _folded(thought: str) -> str:
    return f"(thinking) {clean_line(thought.strip(), _TITLE)}"


def file_line(file: dict[str, Any]) -> str:
    """A file by its name, its type and its size."""
    weight = "" if file["bytes"] is None else size(file["bytes"])
    named = (clean_line(file["name"] or "", _TITLE), clean_line(file["media"] or "", _VALUE))
    return f"[{', '.join(filter(None, (*named, weight))) or 'a file'}]"


def _lines(said: str) -> Iterator[str]:
    """The first lines of a text, and how many more there are."""
    if not said:
        return
    lines = clean_block(said[:_LONG]).rstrip("\n").split("\n")
    yield from lines[:_LINES]
    more = len(lines) - _LINES
    if len(said) > _LONG:
        yield f"… and more: {plural(len(said), 'character')} in all"
    elif more > 0:
        yield f"… and {plural(more, 'line')} more"
