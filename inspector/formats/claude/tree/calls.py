"""Which calls were made: the event of each, and the one message of the API that made it."""

from array import array
from collections.abc import Callable
from typing import Any, Final

from inspector.columns import NEVER
from inspector.formats.ids import Ids
from inspector.formats.shapes import items, mapping

NO_MESSAGE: Final = 0xFFFF_FFFF
SEVERAL: Final = 0xFFFF_FFFE


def blocks_of(record: dict[str, Any]) -> list[Any]:
    """The blocks of a message's content; none where it is a text."""
    return items(mapping(record.get("message")).get("content"))


def answered_by(record: dict[str, Any]) -> list[str]:
    """The ids of the calls that a message answers."""
    return [
        block["tool_use_id"]
        for block in blocks_of(record)
        if type(block) is dict
        and block.get("type") == "tool_result"
        and type(block.get("tool_use_id")) is str
    ]


def called_by(record: dict[str, Any]) -> list[str]:
    """The ids of the calls that a message makes."""
    return [
        block["id"]
        for block in blocks_of(record)
        if type(block) is dict and block.get("type") == "tool_use" and type(block.get("id")) is str
    ]


class Calls:
    """Calls by number.

    Args:
        read: an event again, by position.

    Attributes:
        event: the last event in which each call is made, `NEVER` before any.
        message: the message that makes it, or `NO_MESSAGE`, or `SEVERAL`.
        result: the last event in which each call is answered, `NEVER` before any.
        answered_again: whether one is answered in several.
    """

    def __init__(self, read: Callable[[int], dict[str, Any]]) -> None:
        self._read = read
        self._ids = Ids(self._bears)
        self._named = array("I")
        self.event = array("I")
        self.message = array("I")
        self.result = array("I")
        self.answered_again = False

    def _bears(self, call: int, text: str) -> bool:
        record = self._read(self._named[call])
        return text in called_by(record) or text in answered_by(record)

    def number(self, text: str, event: int) -> int:
        """The number of a call that an event makes or answers."""
        call = self._ids.intern(text)
        if call == len(self.event):
            self._named.append(event)
            self.event.append(NEVER)
            self.message.append(NO_MESSAGE)
            self.result.append(NEVER)
        return call

    def begin(self, text: str, event: int, message: int) -> bool:
        """A call is made for the first time; False, and nothing is done, if perhaps it is not."""
        if self._ids.begin(text) < 0:
            return False
        self._named.append(event)
        self.event.append(event)
        self.message.append(NO_MESSAGE if message < 0 else message)
        self.result.append(NEVER)
        return True

    def recent(self, text: str) -> int:
        """The number of a call, -1 if it is not one of those that were named last."""
        return self._ids.recent(text)

    def known(self, text: str) -> int | None:
        """The number of a call, or None if nobody made or answered it."""
        return self._ids.find(text)

    def made(self, call: int, event: int, message: int) -> None:
        """A call is made in an event, by a message."""
        self.event[call] = event
        before = self.message[call]
        if message < 0:
            return
        if before in (NO_MESSAGE, message):
            self.message[call] = message
        else:
            self.message[call] = SEVERAL

    def answered(self, call: int, event: int) -> None:
        """A call is answered in an event."""
        self.answered_again = self.answered_again or self.result[call] != NEVER
        self.result[call] = event

    def message_of(self, text: str) -> int | None:
        """The one message that makes a call, or None."""
        call = self._ids.find(text)
        if call is None or self.message[call] >= SEVERAL:
            return None
        return self.message[call]
