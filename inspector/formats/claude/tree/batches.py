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

    Attributes:
        message: the one that each entry is of, or `NONE`.
        last: the last line or result of each message.
        region: the last of these, and of what hangs on them and is none.
        base: what its first line names as its parent.
    """

    def __init__(self, tree: Tree) -> None:
        self._tree = tree
        self.message = array("i")
        self.last = array("i")
        self.region = array("i")
        self.base = array("i")

    def above(self, arrival: Arrival, parent: int) -> int:
        """The entry that a record hangs on, which names ``parent``; notes the record."""
        entry, flags = arrival.entry, self._tree.flags
        self._room(len(self._tree.flags))
        message = arrival.message
        if message == NONE and parent != NONE:
            message = self.message[parent]
            if message == NONE:
                return parent
            if flags[entry] & RESULT and flags[parent] & ASSISTANT:
                pass
            elif flags[entry] & MESSAGE:
                return self._behind(message, parent)
            else:
                above = self.region[message]
                self.message[entry] = message
                self.region[message] = entry
                return above
        elif message == NONE:
            return parent
        self._make_room(message)
        above = self.region[message]
        self.message[entry] = message
        self.last[message] = self.region[message] = entry
        begun = parent == NONE or self.message[parent] != message
        if above in (NONE, entry) or (begun and parent != self.base[message]):
            self.base[message] = parent
            return parent
        return above

    def begin(self, entries: int, messages: int) -> None:
        """Have a place for entries and messages, for what adds to the columns itself."""
        self._room(entries)
        self._make_room(messages - 1)

    def takes_line(self, parent: int, message: int) -> bool:
        """Whether a line of a message that names the record written last hangs on it."""
        return message >= len(self.region) or self.region[message] in (NONE, parent)

    def line(self, entry: int, parent: int, message: int, part: int) -> None:
        """Such a line came; the record that it names is a part of a message, or of `NONE`."""
        self.message.append(message)
        if message == len(self.last):
            self.last.append(entry)
            self.region.append(entry)
            self.base.append(parent)
            return
        if self.region[message] == NONE or (part != message and parent != self.base[message]):
            self.base[message] = parent
        self.last[message] = self.region[message] = entry

    def said(self, entry: int, part: int) -> None:
        """A message of the user came that names the record written last.

        Args:
            entry: the message.
            part: the message of the API of which it is a result, if it names a line of it.
        """
        self.message.append(part)
        if part != NONE:
            self.last[part] = self.region[part] = entry

    def _room(self, entries: int) -> None:
        missing = entries - len(self.message)
        if missing > 0:
            self.message.extend(array("i", [NONE]) * missing)

    def _make_room(self, message: int) -> None:
        while message >= len(self.last):
            self.last.append(NONE)
            self.region.append(NONE)
            self.base.append(NONE)

    def _behind(self, message: int, parent: int) -> int:
        """What a record hangs on that is no part of the message, but names a part of it."""
        last = self.last[message]
        line = self._tree.line
        return parent if line[parent] > line[last] else last
