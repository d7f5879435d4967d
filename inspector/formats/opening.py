"""From a path to an open tape."""

from pathlib import Path
from typing import Final

from inspector.formats.contract import Options, Tape
from inspector.formats.registry import recognise
from inspector.tape.source import FileSource, SourceError
from inspector.text.gate import clean_line

_HEAD: Final = 64 * 1024
_LONGEST: Final = 64 * 1024 * 1024
"""Bytes looked at to recognise a source: enough, or a whole first line, which may be a picture."""


class OptionError(Exception):
    """A tape was asked for in a way that it does not have; the message is one sentence."""


def open_tape(path: Path, options: Options) -> Tape:
    """Recognise a source and begin to read it; nothing is folded yet.

    Raises:
        SourceError: if nothing can be read; the message says why in one sentence.
        OptionError: if there is no such policy or session.
    """
    source = FileSource(path)
    try:
        head = _head(source)
        if not head:
            raise SourceError("empty file (0 bytes)")
        if not head.strip():
            lines = head.count(b"\n") or 1
            raise SourceError(f"nothing but {lines} blank line{'s' * (lines != 1)}")
        found, opinions = recognise(head)
        if found is None:
            tried = "; ".join(f"{name}: {opinion.why_not}" for name, opinion in opinions)
            raise SourceError(f"not a session tape ({clean_line(tried)})")
        if options.policy is not None and options.policy not in found.policies:
            known = ", ".join(found.policies)
            raise OptionError(f"no such policy: {options.policy}; {found.name} has {known}")
        tape = found.open(source, options)
        if options.session not in (None, tape.identity.id):
            raise OptionError(f"no such session: {options.session}; it holds {tape.identity.id}")
        return tape
    except BaseException:
        source.close()
        raise


def _head(source: FileSource) -> bytes:
    """The start of a source, with a whole line in it if that is not too long."""
    length = _HEAD
    head = source.read(0, length)
    while b"\n" not in head and len(head) == length < _LONGEST:
        length *= 8
        head = source.read(0, length)
    return head
