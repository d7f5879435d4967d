"""From a source to an open session: its events, or its metadata where it has none."""

from pathlib import Path
from typing import Final

import orjson

from inspector.formats.contract import Options, Tape
from inspector.formats.zero import metadata
from inspector.formats.zero.metadata import Metadata
from inspector.formats.zero.reading import ZeroTape
from inspector.tape.source import FileSource, Source

_LOOKED_AT: Final = 64 * 1024
"""Bytes of a log that are looked at."""


def opened(source: Source, options: Options) -> Tape:
    """Begin to read a session.

    Raises:
        SourceError: if nothing can be read.
    """
    known = None if source.path.name == metadata.EVENTS else _metadata(source)
    if known is not None:
        log = _begun(source.path)
        if log is not None:
            source.close()
            return ZeroTape(log, options)
        from inspector.formats.zero.alone import MetadataTape

        return MetadataTape(source, options, known)
    return ZeroTape(source, options)


def _begun(path: Path) -> Source | None:
    """The log beside the metadata at a path, if no line of it is written yet; else None.

    It is the session's all the same, and may be about to grow.
    """
    events = path.with_name(metadata.EVENTS)
    if path.name != metadata.NAME or not events.is_file():
        return None
    log = FileSource(events)
    head = log.read(0, _LOOKED_AT)
    if len(head) < _LOOKED_AT and not head.rpartition(b"\n")[0].strip():
        return log
    log.close()
    return None


def _metadata(source: Source) -> Metadata | None:
    """The metadata that a source holds, under whatever name; None if it holds anything else."""
    content = source.read(0, metadata.LONGEST)
    try:
        value = orjson.loads(content)
    except orjson.JSONDecodeError:
        return None
    return metadata.read(content) if metadata.is_metadata(value) else None
