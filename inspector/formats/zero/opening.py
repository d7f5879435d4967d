"""From a source to an open session: its events, or its metadata where it has none."""

import orjson

from inspector.formats.contract import Options, Tape
from inspector.formats.zero import metadata
from inspector.formats.zero.metadata import Metadata
from inspector.formats.zero.reading import ZeroTape
from inspector.tape.source import Source


def opened(source: Source, options: Options) -> Tape:
    """Begin to read a session.

    Raises:
        SourceError: if nothing can be read.
    """
    known = None if source.path.name == metadata.EVENTS else _metadata(source)
    if known is not None:
        from inspector.formats.zero.alone import MetadataTape

        return MetadataTape(source, options, known)
    return ZeroTape(source, options)


def _metadata(source: Source) -> Metadata | None:
    """The metadata that a source holds, under whatever name; None if it holds anything else."""
    content = source.read(0, metadata.LONGEST)
    try:
        value = orjson.loads(content)
    except orjson.JSONDecodeError:
        return None
    return metadata.read(content) if metadata.is_metadata(value) else None
