"""What the owner keeps in databases and beside its sessions; a plain log needs none of it."""

from inspector.formats.contract import (
    Annex,
    Certainty,
    Options,
    Recognition,
    SessionEntry,
    Tape,
)
from inspector.formats.defaults import of_store
from inspector.formats.dsh.beside.domain_database import recognise_database as is_domain_database
from inspector.formats.dsh.beside.domain_file import recognise_file
from inspector.formats.dsh.beside.domain_units import LONGEST
from inspector.formats.dsh.sources import stores
from inspector.formats.dsh.sources.database import SessionStore
from inspector.tape.database import Database
from inspector.tape.source import Source

# Every database is shown to every format: what only an opened session needs is imported for one.

DOMAIN = "what the harness keeps beside its sessions (a storage domain), not a session"


def recognise(database: Database) -> Recognition:
    """How sure the format is of a database."""
    tables = database.tables()
    if stores.is_search_index(database.application_id, tables):
        return Recognition(Certainty.NO, stores.SEARCH_INDEX)
    if is_domain_database(database):
        return Recognition(Certainty.NO, DOMAIN)
    store = SessionStore(database)
    ours = database.application_id == stores.STORE_APPLICATION
    problems = "; ".join(store.problems)
    if store.readable:
        return Recognition(Certainty.SURE if ours else Certainty.LIKELY, problems)
    return Recognition(Certainty.NO, problems if ours else "")


def sessions(database: Database) -> list[SessionEntry]:
    """The sessions of a database of sessions."""
    return SessionStore(database).sessions()


def tellers(database: Database) -> list[tuple[str, str]]:
    """None: every session says itself where it comes from."""
    del database
    return []


def open_session(database: Database, session: str, options: Options) -> Tape:
    """Begin to read one session of a database.

    Raises:
        OptionError: if it holds no such session.
    """
    from inspector.formats.dsh.reading import DshTape
    from inspector.formats.dsh.sources.row_log import RowLog

    store = SessionStore(database)
    return DshTape(RowLog(store, of_store(session, store.session(session))), options)


def is_domain(head: bytes) -> bool:
    """Whether a text that begins with these bytes is a storage domain."""
    return recognise_file(head)


def of_text(source: Source) -> list[Annex]:
    """What a text is that is no log."""
    from inspector.formats.dsh.beside import annexes

    data = source.read(0, LONGEST + 1)
    return annexes.of_text(data) if recognise_file(data) else []


def of_database(database: Database) -> list[Annex]:
    """What a database is that holds no sessions."""
    from inspector.formats.dsh.beside import annexes

    search = stores.is_search_index(database.application_id, database.tables())
    return annexes.of_database(database) if search or is_domain_database(database) else []
