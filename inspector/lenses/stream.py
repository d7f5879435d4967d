"""Messages while they stream: what was put together of their pieces up to a cursor."""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from itertools import islice
from typing import Final, NamedTuple

from inspector.formats.chunks import Chunk, Step
from inspector.formats.contract import Tape


class State(Enum):
    """How far a message is."""

    STREAMING = "streaming"
    FAILED = "failed"
    RETRYING = "retrying"
    DONE = "done"
    CUT_OFF = "cut off"


@dataclass(frozen=True, slots=True)
class Block:
    """A block of a message as far as it came; no text of it is cleaned.

    Attributes:
        index: the owner's number of it within its message.
        type: text, reasoning, tool_call, else the owner's word.
        text: what was put together; of a call its arguments, perhaps broken JSON.
        complete: whether its end came.
        name: the tool of a call; empty if untold.
        call: the owner's id of a call, or None.
        differs: whether its end says something else than its pieces.
    """

    index: int
    type: str
    text: str
    complete: bool
    name: str = ""
    call: str | None = None
    differs: bool = False


class Streamed(NamedTuple):
    """A message as it was put together up to a cursor.

    Attributes:
        of: the owner's word for the answer; empty where it has none.
        message: the owner's id of the message; None until it is whole, or where it has none.
        event: the position of the event that holds it whole, or None.
        blocks: in the order of their numbers.
        since: the cursor just after its first piece, of this attempt.
        until: the cursor just after the last event that told of it.
        attempt: which request for it this is, from 1.
        state: how far it is.
        word: why the request failed; empty if it did not.
        differs: whether the whole message says something else than what was put together.
    """

    of: str
    message: str | None
    event: int | None
    blocks: tuple[Block, ...]
    since: int
    until: int
    attempt: int
    state: State
    word: str = ""
    differs: bool = False


OPEN: Final = (State.STREAMING, State.FAILED, State.RETRYING)
"""What is still being put together."""

BLOCKS: Final = 1_000
"""Blocks of one message that are followed; a tape may number any."""


Reads = Callable[[int], list[Chunk]]
"""Reads what an event adds to a message."""


def being_assembled(tape: Tape, cursor: int, reads: Reads | None = None) -> list[Streamed]:
    """The messages that are being put together at a cursor; reads back to where none was.

    Args:
        tape: of which.
        cursor: as of which.
        reads: for who asks again and again; the tape does it unless told.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    table, types, reads = tape.timeline.table, tape.stream_types, reads or tape.chunks
    start = cursor
    for event in range(cursor - 1, -1, -1) if types else ():
        if table.type(event) not in types:
            continue
        start = event
        if any(chunk.step is Step.OVER for chunk in reads(event)):
            break
    found = _assembled(tape, range(start, cursor), reads)
    return [streamed for streamed in found if streamed.state in OPEN]


def streams(tape: Tape, cursor: int) -> Iterator[Streamed]:
    """Every message of which pieces were kept up to a cursor, those not whole last.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    return _assembled(tape, range(cursor) if tape.stream_types else (), tape.chunks)


def _assembled(tape: Tape, events: Iterable[int], reads: Reads) -> Iterator[Streamed]:
    table, types = tape.timeline.table, tape.stream_types
    going: dict[str, _Assembly] = {}
    for event in events:
        if table.type(event) not in types:
            continue
        for chunk in reads(event):
            if chunk.step is Step.OVER:
                yield from (one.ended(State.CUT_OFF) for one in going.values() if one.told)
                going.clear()
            elif chunk.step is Step.WHOLE:
                one = going.pop(chunk.of, None)
                if one is not None and one.told:
                    yield one.whole(chunk, event)
            else:
                going.setdefault(chunk.of, _Assembly(chunk.of, event + 1)).take(chunk, event + 1)
    yield from (one.streamed() for one in going.values())


class _Piecemeal:
    """A block that grows."""

    def __init__(self, index: int) -> None:
        self.index = index
        self.type = ""
        self.name = ""
        self.call: str | None = None
        self.pieces: list[str] = []
        self.complete = False
        self.differs = False

    def take(self, chunk: Chunk) -> None:
        self.type = self.type or chunk.type
        self.name = self.name or chunk.name
        self.call = self.call or chunk.call
        if chunk.step is Step.GROWS:
            self.pieces.append(chunk.text)
        elif chunk.step is Step.ENDS:
            self.complete = True
            if not any(self.pieces):
                # Some providers send a block in one.
                self.pieces = [chunk.text]
            self.differs = "".join(self.pieces) != chunk.text

    def block(self) -> Block:
        text = "".join(self.pieces)
        return Block(self.index, self.type, text, self.complete, self.name, self.call, self.differs)


class _Assembly:
    """A message that is being put together."""

    def __init__(self, of: str, cursor: int) -> None:
        self._of = of
        self._blocks: dict[int, _Piecemeal] = {}
        self._since = self._until = cursor
        self._attempt = 1
        self._state = State.STREAMING
        self._word = ""

    @property
    def told(self) -> bool:
        """Whether any piece of it came, or any attempt failed."""
        return bool(self._blocks) or self._state is not State.STREAMING

    def take(self, chunk: Chunk, cursor: int) -> None:
        """One more piece."""
        self._until = cursor
        if chunk.step is Step.FAILED:
            self._state, self._word = State.FAILED, chunk.text
        elif chunk.step is Step.RETRY:
            self._blocks = {}
            self._attempt += 1
            self._since, self._state = cursor, State.RETRYING
        else:
            if not self._blocks:
                self._since = cursor
            self._state, self._word = State.STREAMING, ""
            block = self._blocks.get(chunk.index)
            if block is None:
                if len(self._blocks) >= BLOCKS:
                    return
                block = self._blocks[chunk.index] = _Piecemeal(chunk.index)
            block.take(chunk)

    def streamed(self) -> Streamed:
        """As far as it came."""
        blocks = tuple(self._blocks[index].block() for index in sorted(self._blocks))
        return Streamed(
            self._of,
            None,
            None,
            blocks,
            self._since,
            self._until,
            self._attempt,
            self._state,
            self._word,
            any(block.differs for block in blocks),
        )

    def ended(self, state: State) -> Streamed:
        """As it was left: a request that failed says so."""
        found = self.streamed()
        return found if found.state is State.FAILED else found._replace(state=state)

    def whole(self, chunk: Chunk, event: int) -> Streamed:
        """With the message that came of it."""
        found = self.streamed()
        same = _prefix if chunk.cut_off else _same
        return found._replace(
            message=chunk.id,
            event=event,
            until=event + 1,
            state=State.CUT_OFF if chunk.cut_off else State.DONE,
            word="",
            # Of what came in one no pieces say anything else.
            differs=bool(found.blocks) and (found.differs or not same(found.blocks, chunk.blocks)),
        )


def _same(blocks: tuple[Block, ...], whole: tuple[tuple[str, str], ...]) -> bool:
    """Whether a message says what was put together, blocks that say nothing left out."""
    assembled = [(block.type, block.text) for block in blocks if block.text]
    return assembled == [block for block in whole if block[1]]


def _prefix(blocks: tuple[Block, ...], whole: tuple[tuple[str, str], ...]) -> bool:
    """Whether an interrupted message says some of what was put together, in its order."""
    assembled = iter(block for block in blocks if block.text)
    return all(
        any(block.type == kind and block.text.startswith(text) for block in assembled)
        for kind, text in islice(whole, BLOCKS)
        if text
    )
