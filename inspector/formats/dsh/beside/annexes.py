"""What the owner keeps beside its sessions, told as what it is: no tape, but it speaks of them."""

from collections.abc import Iterator

from inspector.formats.contract import Annex
from inspector.formats.dsh.beside.domain import Domain
from inspector.formats.dsh.beside.domain_database import read_database
from inspector.formats.dsh.beside.domain_file import read_file
from inspector.formats.dsh.sources import stores
from inspector.tape.database import Database
from inspector.text.gate import clean_line
from inspector.text.labels import plural


def of_text(data: bytes) -> list[Annex]:
    """A domain file of the owner's key-value storage."""
    return [_of_domain(read_file(data))]


def of_database(database: Database) -> list[Annex]:
    """A database of the owner's that holds no sessions: its search index, or its storage."""
    if stores.is_search_index(database.application_id, database.tables()):
        return [Annex(stores.SEARCH_INDEX, _search_facts(database), ())]
    return [_of_domain(domain) for domain in read_database(database)]


def _search_facts(database: Database) -> tuple[str, ...]:
    rows = database.fetch("SELECT count(*) FROM persisted_sessions").rows
    return (f"copies of {plural(int(rows[0][0] or 0), 'session')}",) if rows else ()


def _of_domain(domain: Domain) -> Annex:
    unit = clean_line(domain.unit or "without a name", 80)
    version = "" if domain.version is None else f" version {domain.version:g}"
    return Annex(
        f"storage domain {unit}{version}, not a session",
        tuple(_facts(domain)),
        tuple((fault.code, fault.where, fault.message) for fault in domain.faults),
    )


def _facts(domain: Domain) -> Iterator[str]:
    if domain.workspaces:
        listed = sum(len(workspace.sessions) for workspace in domain.workspaces)
        yield f"{plural(len(domain.workspaces), 'workspace')} with {plural(listed, 'session')}"
        for workspace in domain.workspaces[:20]:
            name = clean_line(workspace.title or workspace.path or workspace.id, 80)
            yield f"workspace {name}: {plural(len(workspace.sessions), 'session')}"
    if domain.archived:
        yield f"{plural(len(domain.archived), 'archived session')}"
    if domain.pending is not None:
        operation, which = (clean_line(str(part), 80) for part in domain.pending)
        yield f"the owner was about to {operation} workspace {which}, which is half done"
    if domain.cached:
        yield f"a cache of {plural(len(domain.cached), 'session')}"
    if domain.feedback:
        yield f"{plural(domain.feedback, 'message')} with feedback"
