"""The records of a tape that name their parents, a few bytes each.

An *entry* is an id that was named: by the record that bears it, or at first only by a child. A
record that comes again under the same id is the same entry (rules page R2: its content, its parent
and its place are those of the last line).
"""

from array import array
from collections.abc import Callable, Iterable
from typing import Any, Final

from inspector.formats.ids import Ids
from inspector.formats.shapes import items, mapping

NONE: Final = -1
"""No entry."""

REAL: Final = 1
MESSAGE: Final = 2
ASSISTANT: Final = 4
RESULT: Final = 8
SIDE: Final = 16
META: Final = 32
PROGRESS: Final = 64
BRIEFING: Final = 128
QUEUED: Final = 256
BOUNDARY: Final = 512
REMINDER: Final = 1_024
ROOTED: Final = 2_048
"""What an entry is: it stands in the tape; a message; of the assistant; a message that answers a
call; of a subagent or a team; hidden from the person; progress; what a fork is told; a command
that was typed ahead; the boundary of a compaction; another attachment that the model is told of;
its parent is given as null."""

_NO_LEAF: Final = SIDE | PROGRESS | BRIEFING


def is_main(flags: int) -> bool:
    """Whether an entry can be where the main line ends (rules page R4.1)."""
    return flags & REAL != 0 and flags & _NO_LEAF == 0


class Tree:
    """Entries by number, in the order in which they were named first.

    Args:
        read: an event again, by position.

    Attributes:
        ids: the owner's ids, by entry.
        parent: the entry that each names as its parent, `NONE` if it names none.
        line: the event that each stands in; of one that does not stand in the tape, the event
            that named it.
        flags: what each is.
        named: whether anything may hang on it.
    """

    def __init__(self, read: Callable[[int], dict[str, Any]]) -> None:
        self._read = read
        self.ids = Ids(self._names)
        self.parent = array("i")
        self.line = array("I")
        self.flags = array("H")
        self.named = bytearray()

    def __len__(self) -> int:
        return len(self.flags)

    def _names(self, entry: int, text: str) -> bool:
        """Whether an entry is the one with this id."""
        record = self._read(self.line[entry])
        if self.flags[entry] & REAL:
            return record.get("uuid") == text
        return text in named_by(record)

    def entry(self, text: str, event: int) -> int:
        """The entry with an id, which an event names."""
        number = self.ids.intern(text)
        if number == len(self.flags):
            self.parent.append(NONE)
            self.line.append(event)
            self.flags.append(0)
            self.named.append(0)
        return number

    def line_up(self, ids: list[str], parent: int, events: range, flags: Iterable[int]) -> None:
        """New entries stand in events, each of which hangs on the one before.

        Args:
            ids: theirs, which have their numbers already.
            parent: what the first one hangs on, which stands in the tape.
            events: as many.
            flags: of each.
        """
        first, count = len(self.flags), len(events)
        self.ids.know(ids)
        self.parent.append(parent)
        self.parent.extend(range(first, first + count - 1))
        self.line.extend(events)
        self.flags.extend(flags)
        self.named[parent] = 1
        self.named.extend(b"\1" * (count - 1))
        self.named.append(0)

    def anonymous(self, event: int, flags: int) -> int:
        """A new entry without an id: nobody can name it."""
        # It takes a number of its own all the same; no id begins with a zero byte.
        return self.set(self.entry(f"\0{event}", event), NONE, event, flags)

    def set(self, entry: int, parent: int, event: int, flags: int) -> int:
        """An entry stands in an event."""
        self.parent[entry] = parent
        self.line[entry] = event
        self.flags[entry] = flags
        self.name(parent)
        return entry

    def name(self, parent: int) -> None:
        """Something hangs on an entry, or on `NONE`."""
        if parent != NONE:
            self.named[parent] = 1


def named_by(record: dict[str, Any]) -> list[Any]:
    """The ids of other records that a record names."""
    metadata = mapping(record.get("compactMetadata"))
    segment = mapping(metadata.get("preservedSegment"))
    messages = mapping(metadata.get("preservedMessages"))
    return [
        record.get("parentUuid"),
        record.get("leafUuid"),
        record.get("sourceToolAssistantUUID"),
        *segment.values(),
        messages.get("anchorUuid"),
        *items(messages.get("uuids")),
    ]
