"""From a path to an open tape, whatever holds it: a text, a compressed one, an archive, a folder or
a database.
"""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final, NamedTuple

from inspector.formats import folders
from inspector.formats.contract import (
    Annex,
    Certainty,
    Format,
    OptionError,
    Options,
    SessionEntry,
    Tape,
)
from inspector.formats.registry import Opinion, all_formats, recognise
from inspector.formats.texts import HEAD, check_policy, head_of, open_text, unpacked
from inspector.tape.packing import packing
from inspector.tape.source import FileSource, SourceError
from inspector.text.gate import clean_line
from inspector.text.labels import plural

if TYPE_CHECKING:
    from inspector.tape.database import Database

MAGIC: Final = b"SQLite format 3\x00"
"""The first bytes of a database."""

_NAMED: Final = 8
"""Sessions that a complaint names."""

_OF_KEYS: Final = "*-security.json"
"""Files that say how an agent encrypts its databases, by their names."""


class SeveralSessionsError(OptionError):
    """A source holds several sessions and none was chosen.

    Attributes:
        entries: the sessions.
    """

    def __init__(self, entries: Sequence[SessionEntry]) -> None:
        self.entries = entries
        named = _listed([entry.id for entry in entries])
        super().__init__(
            f"holds {plural(len(entries), 'session')}; choose one with --session: {named}"
        )


class NoSuchSessionError(OptionError):
    """A source can be read, and does not hold the session that was asked for."""


class NoSessionError(SourceError):
    """A source can be read, and holds no session."""


def open_tape(path: Path, options: Options) -> Tape:
    """Recognise a source and begin to read it; nothing is folded yet.

    Raises:
        SourceError: if nothing can be read; the message says why in one sentence.
        OptionError: if there is no such policy or session, or several sessions.
    """
    path, options = _in_folder(path, options)
    return _open_file(FileSource(path), options)


def open_stream(stream: IO[bytes], options: Options) -> Tape:
    """Read a stream to its end, and begin to read what it held as `open_tape` does a file.

    Raises:
        SourceError: if nothing can be read; the message says why in one sentence.
        OptionError: if there is no such policy or session.
    """
    return _open_file(FileSource.of_stream(stream, Path("-")), options)


def _open_file(file: FileSource, options: Options) -> Tape:
    try:
        head = file.read(0, len(MAGIC))
        if not head and folders.owner_of(file.path) is None:
            raise SourceError("empty file (0 bytes)")
        if head == MAGIC or _looks_like_database(file.path, head):
            if not file.named:
                raise SourceError("a database, which cannot be read from a stream")
            file.close()
            return _open_database(file.path, options)
        tape = open_text(unpacked(file, packing(head), options), options)
        if options.session is not None:
            _must_be(tape, options.session)
        return tape
    except BaseException:
        file.close()
        raise


def _must_be(tape: Tape, session: str) -> None:
    """Refuse another session; some logs tell whose they are in a record only.

    Raises:
        NoSuchSessionError: if it is another one; the tape is closed.
    """
    while tape.identity.id is None and tape.advance():
        pass
    held = tape.identity.id
    if held != session:
        tape.close()
        what = "one without an id" if held is None else clean_line(held, 80)
        raise NoSuchSessionError(f"no such session: {clean_line(session, 80)}; it holds {what}")


def annexes(path: Path) -> list[Annex]:
    """What a source is that is no tape, but something that an agent keeps beside its tapes.

    Raises:
        SourceError: if it cannot be read.
    """
    with FileSource(path) as file:
        if file.read(0, len(MAGIC)) != MAGIC:
            return [annex for format_ in all_formats() for annex in format_.annexes_of_text(file)]
    with _database(path) as database:
        return [
            annex for format_ in all_formats() for annex in format_.annexes_of_database(database)
        ]


def session_entries(path: Path) -> Sequence[SessionEntry]:
    """The sessions of a source that holds several; none where it is one tape.

    Those of a folder are named as their files are.

    Raises:
        SourceError: if they cannot be listed.
    """
    if _is_folder(path):
        return _folder_entries(path) or ()
    with FileSource(path) as file:
        head = file.read(0, len(MAGIC))
    if head != MAGIC and not _may_be_decrypted(path, head):
        return ()
    with _database(path) as database:
        found, _ = recognise(lambda format_: format_.recognise_database(database))
        return () if found is None else found.sessions(database)


def _looks_like_database(path: Path, head: bytes) -> bool:
    """Whether a file that is no database by its first bytes was meant to be one."""
    return path.suffix in (".db", ".sqlite", ".sqlite3") and packing(head) is None


def _may_be_decrypted(path: Path, head: bytes) -> bool:
    """Whether a file may be an encrypted database, and somebody gave a key for such ones."""
    from inspector.tape.database_cipher import has_key  # only for what is no plain database

    return _looks_like_database(path, head) and has_key()


# Folders.


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except OSError:
        # Opening it says why it cannot be looked at.
        return False


def _in_folder(path: Path, options: Options) -> tuple[Path, Options]:
    """The file to open: the path itself, the current one of a session's folder, or one in it."""
    if not _is_folder(path):
        return path, options
    names = folders.names_in(path)
    current = folders.current(names)
    if current is not None:
        return path / _written(path, names, current), options
    entries = _folder_entries(path)
    if not entries:
        held = f"{plural(len(names), 'name')} in it"
        said = f"is a directory without a session file ({held})"
        raise SourceError("; ".join([said, *_below_project(path)]))
    found = [entry.id for entry in entries]
    name = found[0] if len(found) == 1 else None
    if options.session is not None:
        name = folders.chosen(found, options.session)
        if name is None:
            raise NoSuchSessionError(
                f"no such session: {options.session}; it holds {_listed(found)}"
            )
    if name is None:
        raise SeveralSessionsError(entries)
    # The name chose the file: what id the session has, only its header tells.
    return _in_folder(path / name, replace(options, session=None))


def _below_project(folder: Path) -> list[str]:
    """Where agents keep sessions of a project, and what lies there; a sentence each."""
    said = []
    for below in folders.of_project(folder):
        try:
            entries = _folder_entries(below) if below.is_dir() else []
        except (OSError, SourceError):
            continue
        if entries:
            named = _listed([entry.id for entry in entries])
            said.append(f"{below.relative_to(folder)} in it holds {named}")
    return said


def _written(folder: Path, names: Sequence[str], current: str) -> str:
    """The current file; if no line of it was written yet, the only other tape in the folder."""
    try:
        with FileSource(folder / current) as file:
            if file.read(0, HEAD).rpartition(b"\n")[0].strip():
                return current
    except SourceError as error:
        raise SourceError(f"{current} in it: {error}") from error
    if _is_tape(folder / current):
        return current
    others = [name for name in names if name != current]
    found = list(folders.tapes_in(folder, others, _is_tape))
    return found[0] if len(found) == 1 else current


def _folder_entries(path: Path) -> list[SessionEntry]:
    """The tapes in a folder that is not a session's own; none in one that is."""
    names = folders.names_in(path)
    if folders.current(names) is not None:
        return []
    return [SessionEntry(name) for name in folders.tapes_in(path, names, _is_tape)]


def _is_tape(path: Path) -> bool:
    """Whether a format takes a file for one of its tapes, or for a database of them."""
    try:
        return _certainty(path) > Certainty.NO or folders.owner_of(path) is not None
    except SourceError:
        return False


def _certainty(path: Path) -> Certainty:
    with FileSource(path) as file:
        start = file.read(0, len(MAGIC))
        if start == MAGIC or _may_be_decrypted(path, start):
            with _database(path) as database:
                _, opinions = recognise(lambda format_: format_.recognise_database(database))
        else:
            source = unpacked(file, packing(start), Options())
            try:
                head = head_of(source)
            finally:
                source.close()
            _, opinions = recognise(lambda format_: format_.recognise(head))
    return max((opinion.certainty for _, opinion in opinions), default=Certainty.NO)


def _listed(names: Sequence[str]) -> str:
    more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
    return ", ".join(clean_line(name, 80) for name in names[:_NAMED]) + more


# Databases.


class Stored(NamedTuple):
    """What a database holds.

    Attributes:
        format: the name of the format that knows it.
        entries: its sessions.
        not_read: what of it is not read, and may hold more; a sentence each.
    """

    format: str
    entries: Sequence[SessionEntry]
    not_read: list[str]


def database_sessions(path: Path, copied: int) -> Stored:
    """The sessions of a database.

    Args:
        path: of the database.
        copied: the most bytes that are copied to read it.

    Raises:
        SourceError: if they cannot be listed, or no format knows it.
    """
    with _database(path, copied) as database:
        found, opinions = recognise(lambda format_: format_.recognise_database(database))
        if found is None:
            raise SourceError(_unknown(database, opinions))
        return Stored(found.name, found.sessions(database), _not_read(database))


def database_tellers(path: Path, copied: int) -> list[tuple[str, str]]:
    """Which sessions of a database tell of which others that do not say so themselves.

    Args:
        path: of the database.
        copied: the most bytes that are copied to read it.

    Raises:
        SourceError: if it cannot be read.
    """
    with _database(path, copied) as database:
        found, _ = recognise(lambda format_: format_.recognise_database(database))
        return [] if found is None else found.tellers(database)


def _database(path: Path, copied: int | None = None) -> "Database":
    from inspector.tape.database import COPY_LIMIT, Database  # dear, and only for databases
    from inspector.tape.database_cipher import HOW_TO
    from inspector.tape.database_header import EncryptedError

    try:
        return Database(path, copy_limit=COPY_LIMIT if copied is None else copied)
    except EncryptedError as error:
        raise SourceError("; ".join([str(error), *_said_of_keys(path), HOW_TO])) from error


def _said_of_keys(path: Path) -> list[str]:
    """What an agent keeps beside a database, or a folder above it, about its encryption."""
    found: list[str] = []
    for folder in path.absolute().parents[:2]:
        for name in sorted(folder.glob(_OF_KEYS))[:_NAMED]:
            try:
                found += [fact for annex in annexes(name) for fact in annex.facts]
            except SourceError:
                continue
    return found[:_NAMED]


def _open_database(path: Path, options: Options) -> Tape:
    database = _database(path)
    try:
        opinions: list[Opinion]
        found, opinions = recognise(lambda format_: format_.recognise_database(database))
        if found is None:
            raise SourceError(_unknown(database, opinions))
        check_policy(found, options)
        why = next(opinion.why_not for name, opinion in opinions if name == found.name)
        return _chosen(found, database, _session(found, database, options, why), options)
    except BaseException:
        database.close()
        raise


def _unknown(database: "Database", opinions: Sequence[Opinion]) -> str:
    from inspector.formats import foreign  # only for what is no tape

    described = foreign.database_described(database.tables(), opinions)
    return "; ".join([described, *_not_read(database)])


def _chosen(format_: Format, database: "Database", session: str, options: Options) -> Tape:
    """A session of a database; where there is no such one, the complaint names those that are."""
    try:
        return format_.open_database(database, session, options)
    except OptionError as error:
        held = [entry.id for entry in format_.sessions(database)]
        said = f"{error}; it holds {_listed(held) or 'none'}"
        raise NoSuchSessionError("; ".join([said, *_not_read(database)])) from error


def _session(format_: Format, database: "Database", options: Options, remark: str) -> str:
    if options.session is not None:
        return options.session
    entries = format_.sessions(database)
    if not entries:
        also = f": {clean_line(remark, 300)}" if remark else ""
        said = f"a database of sessions that holds none{also}"
        raise NoSessionError("; ".join([said, *_not_read(database)]))
    if len(entries) > 1:
        raise SeveralSessionsError(entries)
    return entries[0].id


def _not_read(database: "Database") -> list[str]:
    """What of a database is not read, and may hold what is not found in it."""
    return [clean_line(trouble.message, 300) for trouble in database.troubles]
