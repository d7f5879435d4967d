"""What events say, kept for a while: a cursor that moves asks of the same ones again."""

from collections import OrderedDict
from collections.abc import Callable
from typing import Final, TypeVar

from inspector.formats.chunks import Chunk
from inspector.formats.contract import Headline, Tape
from inspector.formats.parts import Call, File, Part
from inspector.text.jsontext import json_length
from inspector.timeline.words import SpanKind

_KEPT: Final = 1_024
"""Events whose parts are kept."""
_PIECES: Final = 8_192
"""Events whose pieces of messages are kept."""
_CHARACTERS: Final = 8_000_000
"""Characters of all that is kept."""

_Told = TypeVar("_Told")


class Sayings:
    """The parts and headlines of the events of a tape.

    Args:
        tape: whose; a source that is written anew is another tape.
    """

    def __init__(self, tape: Tape) -> None:
        self._tape = tape
        self._parts: OrderedDict[int, tuple[list[Part], int]] = OrderedDict()
        self._headlines: OrderedDict[int, Headline] = OrderedDict()
        self._partial: OrderedDict[int, bool] = OrderedDict()
        self._calls: OrderedDict[int, str | None] = OrderedDict()
        self._asked: OrderedDict[int, str | None] = OrderedDict()
        self._chunks: OrderedDict[int, list[Chunk]] = OrderedDict()
        self._characters = 0

    def parts(self, event: int) -> list[Part]:
        """What an event says.

        Raises:
            SourceError: if the tape cannot be read any more.
        """
        known = self._parts.get(event)
        if known is not None:
            self._parts.move_to_end(event)
            return known[0]
        parts = self._tape.parts(event)
        size = sum(map(_size, parts))
        self._parts[event] = parts, size
        self._characters += size
        while len(self._parts) > _KEPT or (self._characters > _CHARACTERS and len(self._parts) > 1):
            _, (_, dropped) = self._parts.popitem(last=False)
            self._characters -= dropped
        return parts

    def headline(self, event: int) -> Headline:
        """An event in one line."""
        return _kept(self._headlines, event, self._tape.headline)

    def is_partial(self, event: int) -> bool:
        """Whether an event holds a message that was cut off while it was written."""
        return _kept(self._partial, event, self._tape.is_partial)

    def chunks(self, event: int) -> list[Chunk]:
        """What an event adds to a message that is being put together."""
        return _kept(self._chunks, event, self._tape.chunks, _PIECES)

    def asked_about(self, event: int) -> str | None:
        """The owner's id of the call that an event asks somebody to approve of, or None."""
        return _kept(self._asked, event, self._tape.asked_about)

    def call_id(self, call: int) -> str | None:
        """The owner's id of the interval of a call with this number, or None."""
        spans = self._tape.timeline.spans[SpanKind.TOOL_CALL]
        return _kept(self._calls, call, lambda number: self._tape.span_id(spans[number]))


def _kept(
    known: OrderedDict[int, _Told], event: int, ask: Callable[[int], _Told], most: int = 0
) -> _Told:
    """What is known of an event, else what is asked now."""
    if event in known:
        known.move_to_end(event)
        return known[event]
    told = known[event] = ask(event)
    if len(known) > (most or _KEPT):
        known.popitem(last=False)
    return told


def _size(part: Part) -> int:
    if isinstance(part, Call):
        return json_length(part.arguments)
    return len(part.name) if isinstance(part, File) else len(part.text)
