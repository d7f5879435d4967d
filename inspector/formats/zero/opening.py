"""From a source to an open session: its events, or its metadata where it has none."""

import orjson

from inspector.formats.contract import Options, Tape
from inspector.formats.zero.metadata import LONGEST, NAME, is_metadata
from inspector.formats.zero.reading import ZeroTape
from inspector.tape.source import Source


def opened(source: Source, options: Options) -> Tape:
    """Begin to read a session.

    Raises:
        SourceError: if nothing can be read.
    """
    if source.path.name == NAME and _holds_metadata(source):
        from inspector.formats.zero.alone import MetadataTape

        return MetadataTape(source, options)
    return ZeroTape(source, options)


def _holds_metadata(source: Source) -> bool:
    try:
        return is_metadata(orjson.loads(source.read(0, LONGEST)))
    except orjson.JSONDecodeError:
        return False
