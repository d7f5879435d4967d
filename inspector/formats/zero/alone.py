"""A session of which there are only metadata: the owner reads no events, and so do we."""

from collections.abc import Iterator, Sequence

from inspector.formats.contract import Options
from inspector.formats.zero import rules
from inspector.formats.zero.decoder import ZeroDecoder
from inspector.formats.zero.metadata import EVENTS, NAME, Metadata
from inspector.formats.zero.reading import ZeroTape
from inspector.tape.records import Fate
from inspector.tape.source import Source
from inspector.tape.watch import Change
from inspector.timeline.findings import Finding


class _NoEvents(ZeroDecoder):
    """Takes the lines of a metadata file, none of which is an event."""

    def fold(self, record: int, lines: Sequence[bytes]) -> None:
        """Every line is bookkeeping."""
        for at in range(len(lines)):
            self.folding.records.set_fate(record + at, Fate.BOOKKEEPING)
        self.folding.publish()


class MetadataTape(ZeroTape):
    """The session of a metadata file.

    Args:
        source: the file.
        options: how it is to be read.
        known: what it says.
    """

    makes_decoder = _NoEvents

    def __init__(self, source: Source, options: Options, known: Metadata) -> None:
        self._alone = known
        super().__init__(source, options)
        self._had_events = self._has_events()

    def _known(self) -> Metadata:
        return self._alone

    def _has_events(self) -> bool:
        path = self.log.path
        return path.name == NAME and path.with_name(EVENTS).exists()

    def changed(self) -> Change:
        """The session is another tape once there is a log of it."""
        if self._has_events() and not self._had_events:
            return Change.REPLACED
        return super().changed()

    def found_now(self) -> Iterator[Finding]:
        """Where the events are, if they are anywhere."""
        said = "the events are in" if self._has_events() else "there is no"
        message = f"these are the metadata alone; {said} {EVENTS} beside them"
        yield Finding(rules.NO_EVENTS, None, None, message)
