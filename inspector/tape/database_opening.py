"""How a database of a stranger is opened so that neither it nor its folder is touched.

Without a ``-wal`` it is opened in place as immutable: SQLite then takes no lock and makes no file,
also where the folder may not be written. Immutable does not see a ``-wal``, and any other way of
opening one makes a ``-shm`` in the folder and may, on closing, delete the user's ``-wal``: such a
database is copied together with it into a private folder, and the copy is opened. So is one whose
writer crashed and left a ``-journal``: SQLite rolls that back in the copy. What cannot be copied is
opened in place, with a trouble that names what is not read.
"""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from inspector.tape.database_cipher import KEY_VARIABLE, Cipher
from inspector.tape.database_files import (
    PrivateCopy,
    Sidecars,
    Signature,
    Trouble,
    beside,
    not_read,
    signature,
)
from inspector.tape.database_header import (
    DatabaseHeader,
    EncryptedError,
    encrypted_header,
    read_header,
)
from inspector.tape.database_statements import Connection, DatabaseFault
from inspector.tape.source import FileSource, SourceError

_TRIES: Final = 4
"""Copies made of files that change meanwhile, before the last one is taken as it is."""
_LONGEST_PATH: Final = 480
"""Bytes of a path that SQLite surely opens: it allows 512, with a suffix."""


class Opened(NamedTuple):
    """A database that was opened, and how.

    Attributes:
        connection: reads it.
        copy: the copy that it reads, if it does.
        how: one sentence for the screen.
        troubles: what is not read, and why.
        signature: of the files when they were opened.
    """

    connection: Connection
    copy: PrivateCopy | None
    how: str
    troubles: list[Trouble]
    signature: Signature

    def shared(self) -> "Opened":
        """The same opened once more, with a copy that is somebody else's to delete."""
        return self._replace(connection=self.connection.another(), copy=None)

    def close(self) -> None:
        """Give the files back and delete the copy."""
        self.connection.close()
        if self.copy is not None:
            self.copy.remove()


_kept: dict[tuple[Path, Signature, int, Path | None], Opened] = {}
_keeping: list[None] = []
"""Copies that are kept for whoever opens the same state of a database again, while anybody does."""


@contextmanager
def copies_kept() -> Iterator[None]:
    """Copies that are made inside serve everybody who opens the same database, and go at the end.

    For a command that opens one session of a database after the other.
    """
    _keeping.append(None)
    try:
        yield
    finally:
        _keeping.pop()
        while _kept and not _keeping:
            _, opened = _kept.popitem()
            opened.close()


def open_database(path: Path, copy_limit: int, temporary: Path | None) -> Opened:
    """Open a database, in place or as a copy of at most so many bytes.

    Raises:
        SourceError: if it is no readable database; the message says why in one sentence.
    """
    header, cipher = _header(path)
    real = real_path(path)
    for tries_left in reversed(range(_TRIES)):
        before = signature(real)
        if (known := _kept.get((real, before, copy_limit, temporary))) is not None:
            return known.shared()
        sidecars = beside(real)
        if not sidecars.found and not _too_long(real):
            break
        try:
            copy = PrivateCopy(real, sidecars.found, copy_limit, temporary)
        except SourceError as error:
            if tries_left and signature(real) != before:
                continue
            sidecars = _left_out(real, sidecars, error)
            break
        steady = signature(real).held_still(before)
        if steady or not tries_left:
            try:
                opened = _open_copy(copy, sidecars, cipher, steady, before)
            except DatabaseFault as error:
                sidecars = _left_out(real, sidecars, error)
                break
            if not (_keeping and steady):
                return opened
            _kept[real, before, copy_limit, temporary] = opened
            return opened.shared()
        copy.remove()
    return _open_in_place(real, header, cipher, sidecars, before)


def _header(path: Path) -> tuple[DatabaseHeader, Cipher | None]:
    with FileSource(path) as source:
        try:
            return read_header(source), None
        except EncryptedError:
            cipher = Cipher.found()
            if cipher is None:
                raise
            return encrypted_header(source, cipher.page_size), cipher


def real_path(path: Path) -> Path:
    """Where a path leads; sidecars stand beside that, not beside a link to it."""
    return Path(os.path.realpath(path))


def _open_in_place(
    real: Path,
    header: DatabaseHeader,
    cipher: Cipher | None,
    sidecars: Sidecars,
    before: Signature,
) -> Opened:
    shortness = header.shortness()
    if shortness and header.lacks_pages():
        raise SourceError(shortness)
    connection = Connection(real, "immutable", header.size, cipher)
    troubles = [*sidecars.troubles]
    if shortness:
        troubles.append(Trouble("truncated", shortness))
    how = f"opened in place, immutable: {sidecars.said}{_decrypted(cipher)}"
    return Opened(connection, None, how, troubles, before)


def _open_copy(
    copy: PrivateCopy,
    sidecars: Sidecars,
    cipher: Cipher | None,
    steady: bool,
    before: Signature,
) -> Opened:
    suffixes = {sidecar.suffix for sidecar in sidecars.found}
    mode = "rw" if "-journal" in suffixes else "ro" if suffixes else "immutable"
    try:
        connection = Connection(copy.path, mode, copy.size, cipher)
    except BaseException:
        copy.remove()
        raise
    troubles = [*sidecars.troubles]
    unfinished = copy.unfinished()
    if unfinished is not None:
        troubles.append(unfinished)
    if not steady:
        troubles.append(
            Trouble(
                "changing", f"the files changed during each of {_TRIES} copies: rows may differ"
            )
        )
    return Opened(connection, copy, f"{_how(sidecars)}{_decrypted(cipher)}", troubles, before)


def _decrypted(cipher: Cipher | None) -> str:
    return "" if cipher is None else f"; SQLCipher, with the key in {KEY_VARIABLE}"


def _how(sidecars: Sidecars) -> str:
    beside_it = " and ".join(
        f"its {sidecar.suffix} ({sidecar.size:,} bytes)" for sidecar in sidecars.found
    )
    if not beside_it:
        return "copied, because its path is too long for SQLite, and opened the copy"
    return f"copied with {beside_it} and opened the copy"


def _left_out(real: Path, sidecars: Sidecars, error: SourceError) -> Sidecars:
    """The sidecars when the copy with them failed: none is read, and that is said."""
    if _too_long(real):
        raise SourceError(f"the path is too long for SQLite, and {error}") from error
    troubles = [not_read(suffix, size, str(error)) for suffix, size in sidecars.found]
    names = " and ".join(sidecar.suffix for sidecar in sidecars.found)
    return Sidecars([], [*sidecars.troubles, *troubles], f"its {names} is not read")


def _too_long(real: Path) -> bool:
    return len(os.fsencode(real)) > _LONGEST_PATH
