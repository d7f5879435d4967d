"""What the program keeps for a person, in the person's own data folder and never beside a tape."""

import os
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Final

import orjson

from inspector.bookmarks import BEFORE, Kept, NotesError, anchored, document, parsed
from inspector.formats.contract import Identity
from inspector.inspection import Inspection
from inspector.inspection import Kept as Standing
from inspector.text.gate import escape_json
from inspector.text.jsontext import json_text

_LARGEST: Final = 4 << 20
"""Bytes of a file of notes that are read: our own are much smaller."""

_ASIDE: Final = 100
"""Names that are tried for what is set aside."""


def folder(environment: Mapping[str, str], platform: str = sys.platform) -> Path | None:
    """The person's data folder for this program, which need not exist; None without a home."""
    data = environment.get("XDG_DATA_HOME", "")
    if data and Path(data).is_absolute():
        return Path(data) / "inspector"
    home = environment.get("HOME", "")
    if not Path(home).is_absolute():
        return None
    if platform == "darwin":
        return Path(home) / "Library" / "Application Support" / "inspector"
    return Path(home) / ".local" / "share" / "inspector"


class NotesFile:
    """The file that keeps the notes of one tape.

    Args:
        data: the person's data folder.
        identity: of the tape.
    """

    def __init__(self, data: Path, identity: Identity) -> None:
        place = str(identity.path.resolve())
        # A tape with an id of its own keeps its notes where it is moved, packed or copied to.
        own = place if identity.id is None else f"{identity.id}\0{identity.created}"
        known = f"{identity.format}\0{own}".encode("utf-8", "surrogatepass")
        name = sha256(known).hexdigest()[:32]
        self.path = data / "tapes" / f"{name}.json"
        self._tape = {"path": place, "id": identity.id}

    def read(self) -> Kept | None:
        """What is kept; None if nothing is.

        Raises:
            NotesError: if there is something that cannot be read.
        """
        try:
            with self.path.open("rb") as file:
                data = file.read(_LARGEST + 1)
        except FileNotFoundError:
            return None
        except OSError as error:
            raise NotesError(f"cannot be read: {error.strerror}") from error
        if len(data) > _LARGEST:
            raise NotesError("are too large to be ours")
        try:
            return parsed(orjson.loads(data))
        except orjson.JSONDecodeError as error:
            raise NotesError("are no JSON") from error

    def change(self, how: Callable[[Kept], Kept]) -> str | None:
        """Change what is kept now, which another visit may have changed meanwhile.

        What cannot be read is set aside under another name first, and never lost.

        Args:
            how: what is to be kept, by what is.

        Returns:
            A sentence if something was set aside.

        Raises:
            NotesError: if it cannot be kept.
        """
        said = None
        try:
            kept = self.read()
        except NotesError as error:
            said = f"the notes {error}; they were set aside as {self._set_aside().name}"
            kept = None
        self._write(how(kept or Kept({})))
        return said

    def _set_aside(self) -> Path:
        for number in range(1, _ASIDE):
            aside = self.path.with_suffix(f".unreadable-{number}.json")
            try:
                # A name that is taken is left alone, which a renaming would not do.
                os.link(self.path, aside, follow_symlinks=False)
            except FileExistsError:
                continue
            except OSError as error:
                raise NotesError(f"cannot be read, nor set aside: {error.strerror}") from error
            return aside
        raise NotesError("cannot be read, and too many were set aside before")

    def _write(self, kept: Kept) -> None:
        # An id of a tape may hold what no library writes.
        text = escape_json(json_text(document(kept, self._tape), indent=True))
        draft = self.path.with_suffix(f".{os.getpid()}.tmp")
        try:
            self.path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            with suppress(FileNotFoundError):
                draft.unlink()
            descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
            with os.fdopen(descriptor, "w", encoding="utf-8") as file:
                file.write(f"{text}\n")
                file.flush()
                os.fsync(file.fileno())
            draft.replace(self.path)
        except OSError as error:
            with suppress(OSError):
                draft.unlink()
            raise NotesError(f"cannot be kept: {error.strerror}") from error


def left_at(notes: NotesFile) -> Standing | None:
    """The cursor at which a tape was left, by the last event that it folds; None if unknown.

    Raises:
        NotesError: if what is kept cannot be read.
    """
    kept = notes.read()
    if kept is None or kept.left is None:
        return None
    return Standing(kept.left.position + 1, kept.left.number, kept.left.identity)


def leave(notes: NotesFile, inspection: Inspection) -> None:
    """Keep where a tape is left.

    Raises:
        NotesError: if it cannot be kept.
        SourceError: if its event cannot be read.
    """
    last = inspection.last_folded
    left = BEFORE if last is None else anchored(inspection.tape, last)
    notes.change(lambda kept: Kept(kept.bookmarks, left))
