"""The pieces of which messages are put together while a model answers."""

from dataclasses import dataclass
from enum import Enum


class Step(Enum):
    """What a piece does to the message that is being put together."""

    BEGINS = "begins"
    """A block begins."""
    GROWS = "grows"
    """A text is added to a block."""
    ENDS = "ends"
    """A block is whole; the text is all of it."""
    FAILED = "failed"
    """The request failed; the text says why."""
    RETRY = "retry"
    """What came so far counts no more: the request is made again."""
    WHOLE = "whole"
    """The message itself is written, with its blocks."""
    OVER = "over"
    """Nobody goes on with what is not whole."""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A piece of a message; no text of it is cleaned.

    Attributes:
        step: what it does.
        of: the owner's word for the answer that it belongs to; empty where that is whichever is
            being given.
        index: of which block.
        type: of the block: text, reasoning, tool_call, else the owner's word; empty if untold.
        text: what it adds, or all of the block; the arguments of a call as the model writes them.
        name: the tool of a call, empty if untold.
        call: the owner's id of a call, or None.
        id: the owner's id of a whole message, or None.
        cut_off: whether a whole message is only what came before it was interrupted.
        blocks: type and text of each block of a whole message.
    """

    step: Step
    of: str = ""
    index: int = 0
    type: str = ""
    text: str = ""
    name: str = ""
    call: str | None = None
    id: str | None = None
    cut_off: bool = False
    blocks: tuple[tuple[str, str], ...] = ()
