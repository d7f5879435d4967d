"""Tapes on the disk: the same sessions as log, compressed log and database, and some odd ones."""

import sys
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Final

import orjson

from benchmarks import agents, stores
from benchmarks.sessions import Event, Later, Session

if sys.version_info >= (3, 14):
    from compression.zstd import CompressionParameter, compress
else:
    from backports.zstd import CompressionParameter, compress

NAME: Final = "generated"
"""The id of every generated session."""

HUGE_LINE: Final = 16 << 20
LEVELS: Final = 20_000
SPARSE: Final = 5 << 30

_AROUND: Final = 200
"""Ordinary events in a tape that is there for one odd record, which is its last."""

_IN_A_FRAME: Final = 24
"""Lines of a batch that is compressed into one frame (format page 1.3)."""


class Shelf:
    """Tapes in a folder, each made when it is first asked for.

    Args:
        folder: where they are put; whoever made it removes it.
        events: how many events the tapes that are measured by their length have.
        quick: whether everything is measured only a few times.
    """

    def __init__(self, folder: Path, events: int, *, quick: bool = False) -> None:
        self.folder = folder
        self.events = events
        self._quick = quick

    def rounds(self, usual: int) -> int:
        """How often something is measured that is usually measured so often."""
        return max(2, usual // 3) if self._quick else usual

    def plain(self, events: int | None = None) -> Path:
        """A log of version 0."""
        count = self.events if events is None else events
        return self._made(f"plain-{count}.jsonl", lambda path: write_plain(path, Session(), count))

    def version_4(self) -> Path:
        """A log of version 4."""
        return self._made("version-4.jsonl", lambda path: write_plain(path, Later(), self.events))

    def zstd(self) -> Path:
        """The log of version 0, compressed."""
        return self._made("session.jsonl.zstd", lambda path: write_zstd(path, self.events))

    def database(self) -> Path:
        """The session of version 0 in a database."""
        return self._made("sessions.db", lambda path: write_database(path, self.events))

    def other(self, name: str) -> Path:
        """A log or a database of another agent, by its name; see `others` for its length."""
        if name in agents.LOGS:
            return self._made(
                f"{name}.jsonl", lambda path: agents.write_log(path, name, self.others)
            )
        return self._made(f"{name}.db", lambda path: agents.write_database(path, self.others))

    @property
    def others(self) -> int:
        """How many events the tapes of other agents have."""
        return min(self.events, agents.LENGTH)

    def empty(self) -> Path:
        """A session in which nothing has happened."""
        return self.plain(0)

    def huge_line(self) -> Path:
        """A log whose last record is one line of 16 MiB."""
        return self._made("huge-line.jsonl", lambda path: _write_odd(path, _huge()))

    def nested(self) -> Path:
        """A log whose last record has 20,000 levels."""
        return self._made("nested.jsonl", lambda path: _write_odd(path, _nested()))

    def sparse(self) -> Path:
        """A database of 5 GB without a -wal, nearly all of it holes."""
        return self._made("sparse.db", _write_sparse)

    def _made(self, name: str, write: Callable[[Path], None]) -> Path:
        path = self.folder / name
        if not path.exists():
            write(path)
        return path


def later_events(count: int) -> Iterator[Event]:
    """The events with which a session of version 0 and so many events goes on."""
    return islice(Session().events(), count, None)


def line(value: Event) -> bytes:
    """A record of a log."""
    return orjson.dumps(value) + b"\n"


def frames(events: Iterable[Event]) -> Iterator[bytes]:
    """Batches of lines, each in a frame with a checksum."""
    left = iter(events)
    while batch := b"".join(map(line, islice(left, _IN_A_FRAME))):
        yield compress(batch, options={CompressionParameter.checksum_flag: 1})


def write_plain(path: Path, session: Session, count: int) -> None:
    """Write a log of so many events."""
    with path.open("wb") as file:
        file.write(line(session.header(NAME)))
        file.writelines(map(line, islice(session.events(), count)))


def write_zstd(path: Path, count: int) -> None:
    """Write a compressed log, its header in a frame of its own."""
    session = Session()
    with path.open("wb") as file:
        file.writelines(frames([session.header(NAME)]))
        file.writelines(frames(islice(session.events(), count)))


def write_database(path: Path, count: int) -> None:
    """Write a database with one session of so many events."""
    session = Session()
    stores.write(path, session.header(NAME), islice(session.events(), count))


def _write_sparse(path: Path) -> None:
    write_database(path, _AROUND)
    stores.enlarge(path, SPARSE)


def _write_odd(path: Path, record: bytes) -> None:
    write_plain(path, Session(), _AROUND)
    with path.open("ab") as file:
        file.write(record)


def _huge() -> bytes:
    """A user's message; what surrounds its text is part of the 16 MiB."""
    content = [{"type": "text", "text": ""}]
    data = {"id": "huge", "role": "user", "content": content, "source": {"kind": "user"}}
    event = {
        "type": "user/message",
        "seq": _AROUND,
        "time": next(later_events(_AROUND))["time"],
        "data": data,
        "surfaceOp": "append",
    }
    words = "one line that does not end, "
    room = HUGE_LINE - len(line(event))
    content[0]["text"] = (words * (room // len(words) + 1))[:room]
    return line(event)


def _nested() -> bytes:
    """An event that nobody knows, and that says it may be ignored."""
    time = next(later_events(_AROUND))["time"]
    head = f'{{"type":"plugin/note","seq":{_AROUND},"time":{time},"ignorable":true,"data":{{"a":'
    return head.encode() + b"[" * LEVELS + b"]" * LEVELS + b"}}\n"
