"""Writers of tapes that are followed: each appends the next events as the owner would."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice
from pathlib import Path
from shutil import copyfile
from threading import Event as Flag
from threading import Thread
from typing import Final, Protocol

from benchmarks import stores
from benchmarks.sessions import Event
from benchmarks.tapes import NAME, Shelf, frames, later_events, line

_PAUSE: Final = 0.05


class Writer(Protocol):
    """Goes on with a copy of a tape of the shelf.

    Attributes:
        path: the copy.
        events: how many events it has now.
    """

    path: Path
    events: int

    def append(self, count: int) -> None:
        """Write so many events at once."""

    def close(self) -> None:
        """Let go of the copy and remove it."""


class LogWriter:
    """Appends lines, or frames of them.

    Args:
        shelf: has the tape.
        packed: whether it is the compressed one.
    """

    def __init__(self, shelf: Shelf, *, packed: bool = False) -> None:
        original = shelf.zstd() if packed else shelf.plain()
        self.path = original.with_name(f"followed-{original.name}")
        copyfile(original, self.path)
        self.events = shelf.events
        self._packed = packed
        self._next = later_events(shelf.events)

    def append(self, count: int) -> None:
        """Write so many events at once."""
        events = list(islice(self._next, count))
        parts = frames(events) if self._packed else map(line, events)
        with self.path.open("ab") as file:
            file.write(b"".join(parts))
        self.events += count

    def close(self) -> None:
        """Remove the copy."""
        self.path.unlink()


class StoreWriter:
    """Inserts rows into a database whose -wal holds what is new, as it stays open.

    Args:
        shelf: has the database.
    """

    def __init__(self, shelf: Shelf) -> None:
        original = shelf.database()
        self.path = original.with_name(f"followed-{original.name}")
        copyfile(original, self.path)
        self.events = shelf.events
        self._next: Iterator[Event] = later_events(shelf.events)
        self._connection: sqlite3.Connection = stores.connect(self.path)
        self._connection.execute("PRAGMA journal_mode = WAL")
        self.append(1)

    def append(self, count: int) -> None:
        """Write so many events in one transaction."""
        stores.append(self._connection, NAME, islice(self._next, count))
        self.events += count

    def close(self) -> None:
        """Let go of the database and remove it."""
        self._connection.close()
        self.path.unlink()


@contextmanager
def writing(writer: Writer, events: int) -> Iterator[None]:
    """Let a writer append so many events twenty times a second, as long as the block runs."""
    done = Flag()

    def write() -> None:
        while not done.wait(_PAUSE):
            writer.append(events)

    thread = Thread(target=write)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()
