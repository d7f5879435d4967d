"""What belongs to one message of the API, as it is written: the order of the tape rules."""

from array import array

from inspector.formats.claude.tree.arrival import Arrival
from inspector.formats.claude.tree.store import ASSISTANT, MESSAGE, NONE, RESULT, Tree


class Batches:
    """The last record of every message: of its lines and results, and of what hangs on these.

    A line of a message, or a result whose parent is one, hangs behind all that was written of the
    message before. Whatever else hangs on one of them hangs behind the last line or result.
    """

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self._message = array("i")
        self._last = array("i")
        self._region = array("i")

    def above(self, arrival: Arrival, parent: int) -> int:
        """The entry that a record hangs on, which names ``parent``; notes the record."""
        entry, flags = arrival.entry, self._tree.flags
        missing = len(self._tree.flags) - len(self._message)
        if missing > 0:
            self._message.extend(array("i", [NONE]) * missing)
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
        while message >= len(self._last):
            self._last.append(NONE)
            self._region.append(NONE)
        above = self._region[message]
        self._message[entry] = message
        self._last[message] = self._region[message] = entry
        return parent if above in (NONE, entry) else above

    def _behind(self, message: int, parent: int) -> int:
        """What a record hangs on that is no part of the message, but names a part of it."""
        last = self._last[message]
        line = self._tree.line
        return parent if line[parent] > line[last] else last
