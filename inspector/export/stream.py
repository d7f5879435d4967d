"""Messages while they stream: documents for scripts, and their text."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

from inspector.export.why import name
from inspector.formats.contract import Tape
from inspector.lenses.stream import Block, Streamed, being_assembled, streams
from inspector.text.gate import clean_block, clean_line
from inspector.text.labels import count, plural

_LONG: Final = 100_000
"""Characters of one block that are shown."""
_WORD: Final = 80

UNKEPT: Final = "this tape keeps no pieces of messages"
NONE: Final = "no message is being put together here; --all lists those that were"
NEVER: Final = "no message was put together of pieces up to here"


def documents(tape: Tape, cursor: int, *, whole: bool = False) -> Iterator[dict[str, Any]]:
    """The messages being put together at a cursor; texts are as the tape has them.

    Args:
        tape: whose.
        cursor: as of which.
        whole: all of which pieces were kept up to there, those that are whole or left too.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    found = streams(tape, cursor) if whole else being_assembled(tape, cursor)
    return map(document, found)


def document(streamed: Streamed) -> dict[str, Any]:
    """One message."""
    return {
        "message": streamed.message,
        "of": streamed.of or None,
        "event": streamed.event,
        "blocks": [_block(block) for block in streamed.blocks],
        "since": streamed.since,
        "until": streamed.until,
        "attempt": streamed.attempt,
        "state": streamed.state.value,
        "word": streamed.word or None,
        "differs": streamed.differs,
    }


def _block(block: Block) -> dict[str, Any]:
    return {
        "index": block.index,
        "type": block.type,
        "text": block.text,
        "complete": block.complete,
        "name": block.name or None,
        "call_id": block.call,
        "differs": block.differs,
    }


# For people.


def text(tape: Tape, found: Iterable[dict[str, Any]]) -> Iterator[str]:
    """The text of `documents`."""
    for streamed in found:
        yield f"{heading(streamed)}  {state_words(tape, streamed)}"
        for block in streamed["blocks"]:
            yield f"  {block_words(block)}"
            shown = clean_block(block["text"][:_LONG])
            yield from (f"    {line}".rstrip() for line in shown.split("\n") if shown)
            if len(block["text"]) > _LONG:
                yield f"    … and more: {plural(len(block['text']), 'character')} in all"


def heading(streamed: dict[str, Any]) -> str:
    """Which answer it is."""
    return clean_line(streamed["of"] or streamed["message"] or "an answer", _WORD)


def state_words(tape: Tape, streamed: dict[str, Any]) -> str:
    """How far it is, since when, and whether it is what came of it."""
    said = [streamed["state"]]
    if streamed["word"]:
        said = [f"{streamed['state']}: {clean_line(streamed['word'], 200)}"]
    if streamed["event"] is not None:
        said.append(f"written as {name(tape, streamed['event'])}")
    said.append(f"since {count(streamed['since'])}")
    if streamed["attempt"] > 1:
        said.append(f"attempt {count(streamed['attempt'])}")
    if not streamed["blocks"]:
        said.append("no pieces of it")
    if streamed["differs"]:
        said.append(DIFFERS)
    return ", ".join(said)


DIFFERS: Final = "NOT what its pieces say"


def block_words(block: dict[str, Any]) -> str:
    """What a block is, and whether it is whole."""
    what = clean_line(block["type"], _WORD) or "block"
    if block["name"]:
        what += f" {clean_line(block['name'], _WORD)}"
    whole = "whole" if block["complete"] else "so far"
    differs = f", {DIFFERS}" if block["differs"] else ""
    return f"{block['index']}  {what}  {whole}{differs}"
