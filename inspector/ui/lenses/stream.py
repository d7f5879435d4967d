"""Messages while they stream: a row for each, its blocks as far as they came in full."""

from collections import deque
from collections.abc import Iterator
from typing import Final

from inspector.export import stream
from inspector.export.fitting import fit
from inspector.lenses.stream import OPEN, State, Streamed, streams
from inspector.text.gate import clean_line
from inspector.text.labels import count, plural
from inspector.ui.cells import Cell, Line
from inspector.ui.lenses.lens import Asked, Lens
from inspector.ui.wrapping import wrapped

_LISTED: Final = 500
"""Messages that have rows, the last ones; of more it is said how many there are."""
_SHOWN: Final = 300
_TONES: Final = {
    State.STREAMING: "accent",
    State.FAILED: "error",
    State.RETRYING: "notice",
    State.DONE: "text",
    State.CUT_OFF: "notice",
}
_BLOCK_TONES: Final = {"reasoning": "dim", "tool_call": "tool"}


class StreamRows:
    """The messages of which pieces were kept up to a cursor, those being put together last."""

    def __init__(self, asked: Asked, found: list[Streamed], total: int) -> None:
        self._tape = asked.tape
        self._cursor = asked.cursor
        self._found = found
        self._total = total

    def heads(self) -> tuple[Line, ...]:
        """How many are being put together, and how many say something else than their pieces."""
        going = sum(one.state in OPEN for one in self._found)
        other = sum(one.differs for one in self._found)
        now = "is" if going == 1 else "are"
        told = plural(going, "message") if going else "no message"
        words = f"{told} {now if going else 'is'} being put together at {count(self._cursor)}"
        before = self._total - going
        rest = f"   {plural(before, 'message')} before" if before else ""
        if self._total > len(self._found):
            rest += f", the last {count(len(self._found))} are listed"
        agree = "   each whole one says what its pieces say"
        if other:
            verb = "say" if other > 1 else "says"
            agree = f"   {count(other)} {verb} something else than the pieces"
        elif not any(one.event is not None for one in self._found):
            agree = ""
        return (
            (
                Cell(words, "strong" if going else "text"),
                Cell(rest, "dim"),
                Cell(agree, "error" if other else "dim"),
            ),
        )

    def start(self) -> int:
        """The last one."""
        return max(0, len(self._found) - 1)

    def count(self) -> int:
        """How many rows there are."""
        return len(self._found)

    def line(self, row: int, width: int) -> Line:
        """One message in ``width`` columns."""
        one = self._found[row]
        of = clean_line(one.of or one.message or "an answer", 40)
        attempt = f"attempt {one.attempt}" if one.attempt > 1 else ""
        state = "differs" if one.differs else one.state.value
        last = next((block for block in reversed(one.blocks) if block.text), None)
        said = one.word if last is None else last.text[-_SHOWN:] if one.state in OPEN else last.text
        return (
            Cell(fit(of, 18 if width >= 90 else 15), "text"),
            Cell(fit(state, 10), "error" if one.differs else _TONES[one.state]),
            Cell(fit(attempt, 11 if width >= 90 else 0), "dim"),
            Cell(fit(plural(len(one.blocks), "block"), 10), "dim"),
            Cell(fit(last.name or last.type if last is not None else "", 11), "dim"),
            Cell(clean_line(said, _SHOWN), "text"),
        )

    def lines(self, row: int, width: int) -> Iterator[Line]:
        """One message in full: every block as far as it came, arguments as broken JSON too."""
        if row >= len(self._found):
            yield (Cell(stream.NEVER, "dim"),)
            return
        one = self._found[row]
        found = stream.document(one)
        words = f"{stream.heading(found)}: {stream.state_words(self._tape, found)}"
        yield from wrapped(words, width, "error" if one.differs else _TONES[one.state])
        for block in found["blocks"]:
            yield ()
            tone = "error" if block["differs"] else "accent" if block["complete"] else "notice"
            yield (Cell(stream.block_words(block), tone),)
            text = block["text"] if block["complete"] else f"{block['text']}▏"
            yield from wrapped(text, width, _BLOCK_TONES.get(block["type"], "text"))

    def cursor(self, row: int) -> int | None:
        """The cursor just after the last piece of a message, or after the message itself."""
        return self._found[row].until if row < len(self._found) else None

    def text(self) -> str:
        """What is listed, as it is printed."""
        return "\n".join(stream.text(self._tape, map(stream.document, self._found)))


def ask(asked: Asked) -> StreamRows | str:
    """The messages of which pieces were kept up to the cursor."""
    if not asked.tape.stream_types:
        return stream.UNKEPT
    kept, total = deque[Streamed](maxlen=_LISTED), 0
    for one in streams(asked.tape, asked.cursor):
        kept.append(one)
        total += 1
    return StreamRows(asked, list(kept), total) if kept else stream.NEVER


LENS: Final = Lens("Stream", "putting messages together of their pieces", ask)
