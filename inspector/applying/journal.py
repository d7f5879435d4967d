"""What was carried out: an append-only log of its own, of which everything else is a fold.

A line is one change of one deed: begun (with what will be there), done, undone. A deed that is
begun and not done was broken off, and its files may be there.
"""

import errno
import json
import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from pathlib import Path
from typing import Any, Final, NamedTuple

from inspector.applying.disk import Disk
from inspector.applying.publishing import Made
from inspector.applying.refusal import ApplyError, named, why
from inspector.tape.source import FileSource, SourceError
from inspector.text.gate import escape_json
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
    """A file to which was appended.

    Attributes:
        path: which.
        before: how many bytes it had.
        size: how many it got.
        hash: SHA-256 over those that it had, in hex; empty of a packed one, where it is not known.
    """

    path: Path
    before: int
    size: int
    hash: str = ""


@dataclass(frozen=True, slots=True)
class Deed:
    """A plan that was carried out.

    Attributes:
        id: its own.
        plan: the identity of what the plan would make.
        time: when, in milliseconds since the epoch.
        kind: of the plan.
        owner: the agent.
        path: of the tape.
        session: its id, or None.
        policy: the owner's reader that was followed.
        events: the cursor of its head before.
        made: the files that were made, in order.
        own: how many of the last names of each belong to the tape that was made.
        folders: those that had to be made for them, the outermost first.
        grown: the file to which was appended, or None.
        state: how far it has come.
        trash: the folder that holds copies of what is or was taken back, or None.
    """

    id: str
    plan: str
    time: int
    kind: str
    owner: str
    path: Path
    session: str | None
    policy: str | None
    events: int
    made: tuple[Made, ...] = ()
    own: int = 1
    folders: tuple[Path, ...] = ()
    grown: Grown | None = None
    state: State = State.BEGUN
    trash: Path | None = None


def mark_of(deed: Deed) -> str:
    """The mark of the files of a deed that are not finished."""
    return f"inspector-{deed.id}"


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

    def find(self, plan: str) -> Deed | None:
        """The last deed of a plan that stands, else the last one, or None.

        Raises:
            ApplyError: if the journal cannot be read.
        """
        found = [one for one in self.deeds() if one.plan == plan]
        standing = [one for one in found if one.state is not State.UNDONE]
        return next(iter((standing or found)[::-1]), None)

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
        folder = disk.open_linked(self.folder)
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
        path = self.folder / NAME
        if not os.path.lexists(path):
            return []
        try:
            # As tapes are opened: a pipe that nobody writes to is waited for by nobody.
            with FileSource(path) as file:
                data = file.read(0, _LARGEST + 1)
        except SourceError as error:
            raise ApplyError(f"the journal {self._named()} cannot be read: {error}") from error
        if len(data) > _LARGEST:
            raise ApplyError(f"the journal {self._named()} is too large to be ours")
        return [line for line in data.split(b"\n") if line]

    def _named(self) -> str:
        return named(self.folder / NAME)


def _take(found: dict[str, Deed], said: Mapping[str, Any]) -> None:
    """Fold one line."""
    state = State(said["state"])
    if state is State.BEGUN:
        found[said["id"]] = _deed(said)
        return
    before, trash = found[said["id"]], said.get("trash")
    found[said["id"]] = replace(
        before, state=state, trash=before.trash if trash is None else Path(trash)
    )


def _document(deed: Deed) -> dict[str, Any]:
    said: dict[str, Any] = {"id": deed.id, "state": deed.state.value}
    if deed.state is not State.BEGUN:
        return said if deed.trash is None else {**said, "trash": str(deed.trash)}
    grown = deed.grown
    return said | {
        "plan": deed.plan,
        "time": deed.time,
        "kind": deed.kind,
        "owner": deed.owner,
        "tape": {"path": str(deed.path), "id": deed.session, "policy": deed.policy},
        "events": deed.events,
        "made": [{"path": str(one.path), "bytes": one.size, "hash": one.hash} for one in deed.made],
        "own": deed.own,
        "folders": [str(folder) for folder in deed.folders],
        "grown": None
        if grown is None
        else {
            "path": str(grown.path),
            "before": grown.before,
            "bytes": grown.size,
            "hash": grown.hash,
        },
    }


def _deed(said: Mapping[str, Any]) -> Deed:
    tape, grown = said["tape"], said["grown"]
    if not said["made"] and grown is None:
        raise ValueError("a deed that did nothing")
    return Deed(
        str(said["id"]),
        str(said["plan"]),
        int(said["time"]),
        str(said["kind"]),
        str(said["owner"]),
        Path(tape["path"]),
        tape["id"],
        tape["policy"],
        int(said["events"]),
        tuple(_made(said["made"])),
        int(said["own"]),
        tuple(map(Path, said["folders"])),
        None
        if grown is None
        else Grown(Path(grown["path"]), grown["before"], grown["bytes"], str(grown["hash"])),
    )


def _made(said: list[Mapping[str, Any]]) -> Iterator[Made]:
    for one in said:
        yield Made(Path(one["path"]), int(one["bytes"]), str(one["hash"]))
