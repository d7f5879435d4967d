"""What was carried out: an append-only log of its own, of which everything else is a fold.

A line is one change of one deed: begun (with what will be there), done, undone. A deed that is
begun and not done was broken off, and its files may be there.
"""

import errno
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any, Final, NamedTuple

from inspector.applying.disk import Disk
from inspector.applying.publishing import Made
from inspector.applying.refusal import ApplyError, why
from inspector.text.gate import clean_line, escape_json
from inspector.text.jsontext import json_text

NAME: Final = "journal.jsonl"
"""Of the journal, in the person's data folder."""

TRASH: Final = "trash"
"""Of the folder beside it in which files stand that were taken back."""

_LARGEST: Final = 64 << 20
"""Bytes of a journal that are read: ours has some hundred bytes a line."""


class State(Enum):
    """How far a deed has come."""

    BEGUN = "begun"
    DONE = "done"
    UNDONE = "undone"


class Grown(NamedTuple):
    """A file to which was appended: how many bytes it had, and how many it got."""

    path: Path
    before: int
    size: int


@dataclass(frozen=True, slots=True)
class Deed:
    """A plan that was carried out.

    Attributes:
        id: of what was made, or of the plan.
        time: when, in milliseconds since the epoch.
        kind: of the plan.
        owner: the agent.
        path: of the tape.
        session: its id, or None.
        policy: the owner's reader that was followed.
        events: the cursor of its head before.
        made: the files that were made, in order.
        own: how many of the last names of each belong to the tape that was made.
        grown: the file to which was appended, or None.
        state: how far it has come.
        trash: the folder that holds what was taken back, or None.
    """

    id: str
    time: int
    kind: str
    owner: str
    path: Path
    session: str | None
    policy: str | None
    events: int
    made: tuple[Made, ...] = ()
    own: int = 1
    grown: Grown | None = None
    state: State = State.BEGUN
    trash: Path | None = None


class Journal:
    """The deeds that are kept in a person's data folder.

    Args:
        folder: the data folder, which need not be there.
        disk: where.
    """

    def __init__(self, folder: Path, disk: Disk) -> None:
        self.folder = folder
        self._disk = disk

    def deeds(self) -> list[Deed]:
        """All that were begun, the oldest first; a line that is not whole is passed over.

        Raises:
            ApplyError: if the journal cannot be read.
        """
        found: dict[str, Deed] = {}
        for line in self._lines():
            try:
                # A path and an id may hold lone surrogates, which only this reader takes.
                _take(found, json.loads(line))
            except (KeyError, RecursionError, TypeError, ValueError):
                continue
        return list(found.values())

    def find(self, deed: str) -> Deed | None:
        """The deed of an id, or None.

        Raises:
            ApplyError: if the journal cannot be read.
        """
        return next((one for one in self.deeds() if one.id == deed), None)

    def put(self, deed: Deed) -> None:
        """Keep how far a deed has come.

        Raises:
            ApplyError: if it cannot be kept.
        """
        # Behind a line that a crash has torn, ours is a line all the same.
        text = f"\n{escape_json(json_text(_document(deed)))}\n".encode()
        try:
            self._append(text)
        except OSError as error:
            raise ApplyError(f"the journal {self._named()} {why(error)}") from error

    def _append(self, data: bytes) -> None:
        disk = self._disk
        self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        folder = disk.open_folder(self.folder)
        try:
            try:
                file = disk.open_end(folder, NAME)
            except FileNotFoundError:
                file = disk.create(folder, NAME)
            try:
                if disk.write(file, data) < len(data):
                    raise OSError(errno.ENOSPC, "the disk is full")
                disk.sync(file)
            finally:
                disk.close(file)
        finally:
            disk.close(folder)

    def _lines(self) -> list[bytes]:
        try:
            with (self.folder / NAME).open("rb") as file:
                data = file.read(_LARGEST + 1)
        except FileNotFoundError:
            return []
        except OSError as error:
            raise ApplyError(
                f"the journal {self._named()} cannot be read: {error.strerror}"
            ) from error
        if len(data) > _LARGEST:
            raise ApplyError(f"the journal {self._named()} is too large to be ours")
        return [line for line in data.split(b"\n") if line]

    def _named(self) -> str:
        return clean_line(str(self.folder / NAME))


def _take(found: dict[str, Deed], said: Mapping[str, Any]) -> None:
    """Fold one line."""
    state = State(said["state"])
    if state is State.BEGUN:
        found[said["id"]] = _deed(said)
        return
    trash = said.get("trash")
    found[said["id"]] = replace(
        found[said["id"]], state=state, trash=None if trash is None else Path(trash)
    )


def _document(deed: Deed) -> dict[str, Any]:
    said: dict[str, Any] = {"id": deed.id, "state": deed.state.value}
    if deed.state is not State.BEGUN:
        return said if deed.trash is None else {**said, "trash": str(deed.trash)}
    grown = deed.grown
    return said | {
        "time": deed.time,
        "kind": deed.kind,
        "owner": deed.owner,
        "tape": {"path": str(deed.path), "id": deed.session, "policy": deed.policy},
        "events": deed.events,
        "made": [{"path": str(one.path), "bytes": one.size, "hash": one.hash} for one in deed.made],
        "own": deed.own,
        "grown": None
        if grown is None
        else {"path": str(grown.path), "before": grown.before, "bytes": grown.size},
    }


def _deed(said: Mapping[str, Any]) -> Deed:
    tape, grown = said["tape"], said["grown"]
    return Deed(
        str(said["id"]),
        int(said["time"]),
        str(said["kind"]),
        str(said["owner"]),
        Path(tape["path"]),
        tape["id"],
        tape["policy"],
        int(said["events"]),
        tuple(_made(said["made"])),
        int(said["own"]),
        None if grown is None else Grown(Path(grown["path"]), grown["before"], grown["bytes"]),
    )


def _made(said: list[Mapping[str, Any]]) -> Iterator[Made]:
    for one in said:
        yield Made(Path(one["path"]), int(one["bytes"]), str(one["hash"]))
