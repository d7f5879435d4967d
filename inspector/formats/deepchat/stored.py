"""Databases of the owner: which is one, what it holds, and how a session of it is opened."""

from inspector.formats.contract import (
    Certainty,
    Options,
    Recognition,
    SessionEntry,
    Tape,
)
from inspector.formats.deepchat.policies import ALONE
from inspector.formats.deepchat.sources import schema
from inspector.formats.deepchat.sources.store import Store
from inspector.formats.defaults import of_store
from inspector.tape.database import Database


def recognise(database: Database) -> Recognition:
    """How sure the format is of a database, told by its tables."""
    store = Store(database)
    if store.has(schema.TAPE):
        return Recognition(Certainty.SURE, _remark(store.version))
    of_tape = store.unread.get(schema.TAPE, "")
    # A table that is there without its columns is another program's.
    if store.columns[schema.TAPE] or not store.has(schema.MESSAGES):
        return Recognition(Certainty.NO, of_tape or store.unread.get(schema.MESSAGES, ""))
    return Recognition(Certainty.SURE, of_tape or "it is older than the tape: only transcripts")


def _remark(version: int | None) -> str:
    if version is None or version <= schema.KNOWN_SCHEMA:
        return ""
    return f"schema {version} is newer than {schema.KNOWN_SCHEMA}"


def sessions(database: Database) -> list[SessionEntry]:
    """The sessions of a database."""
    return Store(database).sessions()


def tellers(database: Database) -> list[tuple[str, str]]:
    """The sessions that merged or gave up a fork, or had a subagent, each with that."""
    return list(Store(database).tellers())


def open_session(database: Database, session: str, options: Options) -> Tape:
    """Begin to read one session of a database.

    Raises:
        OptionError: if it holds no such session.
    """
    # Every database is shown to every format: what only a session needs is imported for one.
    from inspector.formats.deepchat.reading import DeepChatTape
    from inspector.formats.deepchat.sources.session_log import SessionLog

    store = Store(database)
    found = of_store(session, store.session(session))
    log = SessionLog(store, found, alone=options.policy == ALONE)
    return DeepChatTape(log, options)
