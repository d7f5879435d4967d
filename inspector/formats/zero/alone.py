"""A session of which there are only metadata: the owner reads no events, and so do we."""

from collections.abc import Iterator, Sequence

from inspector.formats.zero import metadata, rules
from inspector.formats.zero.decoder import ZeroDecoder
from inspector.formats.zero.metadata import EVENTS, Metadata
from inspector.formats.zero.reading import ZeroTape
from inspector.tape.records import Fate
from inspector.timeline.findings import Finding


class _NoEvents(ZeroDecoder):
    """Takes the lines of a metadata file, none of which is an event."""

    def fold(self, record: int, lines: Sequence[bytes]) -> None:
        """Every line is bookkeeping."""
        for at in range(len(lines)):
            self.folding.records.set_fate(record + at, Fate.BOOKKEEPING)
        self.folding.publish()


class MetadataTape(ZeroTape):
    """The session of a metadata file."""

    makes_decoder = _NoEvents

    def _known(self) -> Metadata:
        return metadata.at(self.log.path)

    def found_now(self) -> Iterator[Finding]:
        """Where the events are, if they are anywhere."""
        there = self.log.path.with_name(EVENTS).exists()
        message = f"these are the metadata alone; the events are in {EVENTS} beside them"
        if not there:
            message = f"there is no {EVENTS} beside the metadata"
        yield Finding(rules.NO_EVENTS, None, None, message)
