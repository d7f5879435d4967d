"""What stands beside a session's log and says something about it (format page 1.1, 1.2 and 11)."""

from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from inspector.formats.dsh import rules
from inspector.formats.dsh.header import Header
from inspector.formats.dsh.sources import folders
from inspector.tape.source import FileSource, SourceError
from inspector.text.gate import clean_line
from inspector.timeline.findings import Finding

if TYPE_CHECKING:
    from inspector.formats.dsh.beside.domain import Domain

_SHOWN: Final = 120


class Surroundings(NamedTuple):
    """What is known of a session from what stands beside its log.

    Attributes:
        workspace: title or path of the workspace that lists the session, or None.
        archived: whether the owner's list of archived sessions has it, or None.
        beside: sentences about other files.
        findings: what is wrong with where the log stands.
    """

    workspace: str | None = None
    archived: bool | None = None
    beside: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()


def names_in(folder: Path) -> list[str]:
    """The names in a folder, none if it cannot be listed."""
    try:
        return [entry.name for entry in folder.iterdir()]
    except OSError:
        return []


def look_around(
    path: Path, header: Header, names: Callable[[Path], Iterable[str]] = names_in
) -> Surroundings:
    """What stands beside a log; a log that is not in a session's folder has no surroundings.

    Args:
        path: the log.
        header: its header.
        names: lists a folder.
    """
    if folders.generation(path.name) is None:
        return Surroundings()
    from inspector.formats.dsh.beside.domain import is_archived, workspace_of  # only for these few
    from inspector.formats.dsh.beside.domain_file import domain_files

    path = path.absolute()
    there = list(names(path.parent))
    workspace, archived, beside = None, None, list(_neighbours(path.name, there))
    for file in domain_files(path, names):
        domain = _domain(file)
        if domain is None or header.id is None:
            continue
        found = workspace_of(domain, header.id)
        if found is not None:
            workspace = clean_line(found.title or found.path or found.id, _SHOWN)
        archived = is_archived(domain, header.id) if archived is None else archived
        beside += [
            f"{clean_line(file.name, 80)}: {fault.where}: {fault.message} ({fault.code})"
            for fault in domain.faults[:3]
        ]
    return Surroundings(workspace, archived, tuple(beside), tuple(_findings(path, header, there)))


def _neighbours(name: str, there: list[str]) -> Iterator[str]:
    for other in folders.others(there, name):
        yield f"another generation: {clean_line(other, 80)}"
    for other in folders.twins(there, name):
        yield f"the same generation in another encoding: {clean_line(other, 80)}"
    for leftover in folders.leftovers(there):
        yield f"{clean_line(leftover.name, 80)}: {leftover.meaning}"


def _findings(path: Path, header: Header, there: list[str]) -> Iterator[Finding]:
    from inspector.formats.dsh.sources.paths import path_problems

    current = folders.current(there)
    if current is not None and current in folders.others(there, path.name):
        message = f"not the current generation: {clean_line(current, 80)} stands beside it"
        yield Finding(rules.OTHER_GENERATION, None, None, message)
    for other in folders.twins(there, path.name):
        message = f"the owner refuses two encodings of one log: {clean_line(other, 80)} is there"
        yield Finding(rules.TWO_ENCODINGS, None, None, message)
    for problem in path_problems(path, header.id, header.cwd):
        yield Finding(rules.MISPLACED, None, None, problem)


def _domain(file: Path) -> "Domain | None":
    from inspector.formats.dsh.beside.domain_file import read_file
    from inspector.formats.dsh.beside.domain_units import LONGEST

    try:
        with FileSource(file) as source:
            return read_file(source.read(0, LONGEST + 1), file.stem)
    except SourceError:
        return None
