"""What belongs to one message of the API, as it is written: the order of the tape rules."""

from array import array

from inspector.formats.claude.tree.arrival import Arrival
from inspector.formats.claude.tree.store import ASSISTANT, MESSAGE, NONE, RESULT, Tree


class Batches:
    """The last record of every message: of its lines and results, and of what hangs on these.

    A line of a message, or a result whose parent is one, hangs behind all that was written of the
    message before. Whatever else hangs on one of them hangs behind the last line or result. A line
    that names something else as its parent than its message's first one, or a part of the message,
    begins anew: the model was asked again.
    """

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._message = array("i")
        self._last = array("i")
        self._region = array("i")
        self._base = array("i")

    def above(self, arrival: Arrival, parent: int) -> int:
        """The entry that a record hangs on, which names ``parent``; notes the record."""
        entry, flags = arrival.entry, self._tree.flags
        self._room(len(self._tree.flags))
        message = arrival.message
        if message == NONE and parent != NONE:
            message = self._message[parent]
            if message == NONE:
                return parent
            if flags[entry] & RESULT and flags[parent] & ASSISTANT:
                pass
            elif flags[entry] & MESSAGE:
                return self._behind(message, parent)
            else:
                above = self._region[message]
                self._message[entry] = message
                self._region[message] = entry
                return above
        elif message == NONE:
            return parent
        self._make_room(message)
        above = self._region[message]
        self._message[entry] = message
        self._last[message] = self._region[message] = entry
        begun = parent == NONE or self._message[parent] != message
        if above in (NONE, entry) or (begun and parent != self._base[message]):
            self._base[message] = parent
            return parent
        return above

    # Records that hang on the one written last.

    def takes_line(self, parent: int, message: int) -> bool:
        """Whether a line of a message that names the record written last hangs on it."""
        return message >= len(self._region) or self._region[message] in (NONE, parent)

    def line(self, entry: int, parent: int, message: int) -> None:
        """Such a line came."""
        self._room(entry)
        begun = self._message[parent] != message
        self._message.append(message)
        if message == len(self._last):
            self._last.append(entry)
            self._region.append(entry)
            self._base.append(parent)
            return
        self._make_room(message)
        if self._region[message] == NONE or (begun and parent != self._base[message]):
            self._base[message] = parent
        self._last[message] = self._region[message] = entry

    def said(self, entry: int, parent: int, *, result: bool) -> None:
        """A message of the user came that names the record written last."""
        self._room(entry)
        message = NONE
        if result and self._tree.flags[parent] & ASSISTANT:
            message = self._message[parent]
            if message != NONE:
                self._last[message] = self._region[message] = entry
        self._message.append(message)

    def _room(self, entries: int) -> None:
        missing = entries - len(self._message)
        if missing > 0:
            self._message.extend(array("i", [NONE]) * missing)

    def _make_room(self, message: int) -> None:
        while message >= len(self._last):
            self._last.append(NONE)
            self._region.append(NONE)
            self._base.append(NONE)

    def _behind(self, message: int, parent: int) -> int:
        """What a record hangs on that is no part of the message, but names a part of it."""
        last = self._last[message]
        line = self._tree.line
        return parent if line[parent] > line[last] else last
