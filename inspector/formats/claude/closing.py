"""What is found at the end of a transcript, and stands only until more is written."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from inspector.formats.claude import rules
from inspector.formats.claude.breaks import Breaks
from inspector.formats.claude.looking import Looking
from inspector.formats.claude.tree.chains import Chains
from inspector.formats.claude.tree.ends import NewestEnd
from inspector.formats.claude.tree.siblings import MOST
from inspector.formats.claude.tree.store import NONE, REAL
from inspector.text.gate import clean_line
from inspector.text.labels import plural, size
from inspector.timeline.findings import Finding

if TYPE_CHECKING:
    pass

_SAID: Final = 80
_MOST: Final = 100
"""Findings of a kind that are told one by one."""

_CUT_OVER: Final = 5 * 1024 * 1024
"""Bytes of a file above which the owner drops what a compaction hid (rules page R1)."""


class Closing(Looking):
    """Looks at the tree as it stands."""

    def found(self, length: int) -> Iterator[Finding]:
        """What is found at every end.

        Args:
            length: the bytes of the file.
        """
        yield from Breaks(self._decoder, self._timeline, self._payload, self._raw).found()
        yield from self._circles()
        yield from self._kept()
        yield from self._orphans()
        yield from self._crowded()
        yield from self._foreign()
        yield from self._large(length)

    # Chains.

    def _circles(self) -> Iterator[Finding]:
        endless = self._decoder.branch.endless
        if endless:
            events = sorted(self._tree.line[entry] for entry in endless if self._is_real(entry))
            message = f"{plural(len(events), 'record')} with a circle above them"
            yield self._at(rules.CYCLE, events[0], message)

    def _is_real(self, entry: int) -> bool:
        return self._tree.flags[entry] & REAL != 0

    # Compactions.

    def _kept(self) -> Iterator[Finding]:
        for event in self._decoder.links.unmet():
            message = "what the compaction says it kept is not all in this file"
            yield self._at(rules.KEPT_MISSING, event, message)

    def _large(self, length: int) -> Iterator[Finding]:
        event = self._decoder.effects.compactions.last_whole
        if length > _CUT_OVER and event is not None:
            line = self._line(event)
            message = f"{size(length)}: the owner reads nothing above the compaction on line {line}"
            yield self._at(rules.LARGE_FILE, event, message)

    # Calls.

    def _crowded(self) -> Iterator[Finding]:
        for entry in self._decoder.branch.crowded[:_MOST]:
            message = f"only the first {MOST} lines and results of the message are put together"
            yield self._at(rules.CROWDED, self._tree.line[entry], message)

    def _orphans(self) -> Iterator[Finding]:
        made = self._decoder.effects.calls
        for event in dict.fromkeys(made.orphans()[:_MOST]):
            calls = ", ".join(made.unmade(self._payload(event)))
            message = f"no record makes the call {clean_line(calls, _SAID)}"
            yield self._at(rules.ORPHAN_RESULT, event, message)

    # Titles.

    def _foreign(self) -> Iterator[Finding]:
        titles = self._decoder.effects.titles
        for event in titles.events[:_MOST]:
            if titles.is_foreign(self._payload(event)):
                message = "the summary is of another session"
                yield self._at(rules.FOREIGN_SUMMARY, event, message)

    # Readers.

    def lists(self, shown: int) -> bool:
        """Whether the owner's reader lists any message.

        Args:
            shown: how many rows are on the surface.
        """
        if not self._decoder.members.named:
            # Records without ids are shown here, and are none to the owner.
            return False
        if shown or self._decoder.branch.message != NONE:
            return True
        tree, links = self._tree, self._decoder.links
        chains = Chains(tree, links)
        chains.recount()
        newest = NewestEnd(tree, links, chains)
        newest.recount()
        return newest.found()[1] != NONE
