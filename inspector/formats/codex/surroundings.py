"""What stands around a log and changes how it is read."""

from typing import NamedTuple

from inspector.formats.codex.beside.chain import Chain
from inspector.formats.codex.beside.inheritance import Inheritance
from inspector.formats.codex.header import Header
from inspector.timeline.findings import Finding


class Surroundings(NamedTuple):
    """What is known of a log from other logs.

    Attributes:
        chain: the log behind those that it goes on from, where it goes on from others.
        header: the log's own, where others stand before it.
        copies: tells which records are a parent's, where that may be.
        findings: what is wrong with where the log stands.
        parent_away: whether it is a fork that cannot be compared with its parent.
        missing: which log is not there, or not whole, that must stand before it, or None.
        gap: the log before which something is missing first, of those that make up the text; None
            where nothing is.
    """

    chain: Chain | None = None
    header: Header | None = None
    copies: Inheritance | None = None
    findings: tuple[Finding, ...] = ()
    parent_away: bool = False
    missing: str | None = None
    gap: int | None = None
