"""From a source to an open tape: what stands before it, and what it was copied from."""

from inspector.formats.codex import rules
from inspector.formats.codex.beside import rollouts
from inspector.formats.codex.beside.inheritance import Inheritance, Numbered
from inspector.formats.codex.header import Header
from inspector.formats.codex.reading import CodexTape
from inspector.formats.codex.surroundings import Surroundings
from inspector.formats.contract import Options, Tape
from inspector.tape.source import Source
from inspector.text.gate import clean_line
from inspector.timeline.findings import Finding


def opened(source: Source, options: Options) -> Tape:
    """Begin to read a log.

    Raises:
        SourceError: if nothing can be read.
    """
    header = rollouts.header_of(source)
    return CodexTape(source, options, _around(source, header))


def _around(source: Source, header: Header | None) -> Surroundings:
    if header is None:
        return Surroundings()
    if header.own_from is not None and header.base is None:
        return Surroundings(copies=Numbered(header.own_from, lambda: _copies(source, header)))
    if not rollouts.is_named(source):
        return Surroundings(parent_away=header.fork is not None and header.base is None)
    if header.base is not None:
        return _with_bases(source, header)
    copies = _copies(source, header)
    if copies is not None:
        return Surroundings(copies=copies)
    if header.fork is None:
        return Surroundings()
    message = f"the log of thread {clean_line(header.fork, 80)}, of which this is a fork, is away"
    missing = Finding(rules.MISSING_PARENT, None, None, message)
    return Surroundings(findings=(missing,), parent_away=True)


def _copies(source: Source, header: Header) -> Inheritance | None:
    """What compares a log with its parent's, if that is there."""
    parent = header.fork or header.parent
    found = rollouts.found(source.path, parent) if parent and rollouts.is_named(source) else None
    if found is None:
        return None
    from inspector.formats.codex.beside.copies import Copies  # only for forks

    return Copies(found)


def _with_bases(source: Source, header: Header) -> Surroundings:
    from inspector.formats.codex.beside.bases import bases  # only for logs that go on from others
    from inspector.formats.codex.beside.chain import Chain

    found = bases(source, header)
    findings = (
        *(Finding(rules.MISSING_BASE, None, None, clean_line(one, 300)) for one in found.problems),
        *(Finding(rules.COUNTED_BASE, None, None, clean_line(one, 300)) for one in found.counted),
    )
    missing = next(iter(found.problems), None)
    if not found.parts:
        return Surroundings(findings=findings, missing=missing, gap=found.gap)
    chain = Chain(found.parts, source)
    return Surroundings(
        chain=chain, header=header, findings=findings, missing=missing, gap=found.gap
    )
