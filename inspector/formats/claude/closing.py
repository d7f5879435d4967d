"""What is found at the end of a transcript, and stands only until more is written."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any, Final

from inspector.formats.claude import rules
from inspector.formats.claude.policies import JAVASCRIPT, PYTHON, RECORDED, Policy
from inspector.formats.claude.tree.chains import Chains
from inspector.formats.claude.tree.ends import NewestEnd, OldestRule
from inspector.formats.claude.tree.links import Links
from inspector.formats.claude.tree.store import CHAIN, NONE, REAL, SIDE
from inspector.formats.shapes import text
from inspector.text.gate import clean_line
from inspector.text.labels import plural, size
from inspector.timeline.findings import Finding, FindingKind
from inspector.timeline.timeline import Timeline

if TYPE_CHECKING:
    from inspector.formats.claude.decoder import ClaudeDecoder

_SAID: Final = 80
_MOST: Final = 100
"""Findings of a kind that are told one by one."""

_CUT_OVER: Final = 5 * 1024 * 1024
"""Bytes of a file above which the owner drops what a compaction hid (rules page R1)."""


class Closing:
    """Looks at the tree as it stands.

    Args:
        decoder: holds the tree.
        timeline: what was folded.
        payload: a record again, by the position of its event.
    """

    def __init__(
        self,
        decoder: "ClaudeDecoder",
        timeline: Timeline,
        payload: Callable[[int], dict[str, Any]],
    ) -> None:
        self._decoder = decoder
        self._tree = decoder.tree
        self._timeline = timeline
        self._payload = payload

    def found(self, length: int) -> Iterator[Finding]:
        """What is found at every end.

        Args:
            length: the bytes of the file.
        """
        yield from self._broken_chains()
        yield from self._circles()
        yield from self._kept()
        yield from self._orphans()
        yield from self._foreign()
        yield from self._large(length)

    def _at(self, kind: FindingKind, event: int, message: str) -> Finding:
        return Finding(kind, self._timeline.table.record(event), event, message)

    def _line(self, event: int) -> int:
        return self._timeline.table.record(event) + 1

    # Chains.

    def _broken_chains(self) -> Iterator[Finding]:
        lineage, tree = self._decoder.lineage, self._tree
        missing = [entry for entry in lineage.cut if lineage.is_missing(entry)]
        for entry in missing[:_MOST]:
            event = tree.line[entry]
            parent = clean_line(text(self._payload(event).get("parentUuid")), _SAID)
            guess = self._before(event)
            near = f"; the record above it is line {self._line(guess)}" if guess is not None else ""
            yield self._at(rules.BROKEN_CHAIN, event, f"parent {parent} is not in this file{near}")
        if len(missing) > _MOST:
            message = f"{len(missing) - _MOST:,} more records whose parents are not in this file"
            yield Finding(rules.BROKEN_CHAIN, None, None, message)
        if missing:
            yield from self._unreachable()

    def _before(self, event: int) -> int | None:
        """The record of the tree that stands above another in the file."""
        table = self._timeline.table
        for other in range(event - 1, max(-1, event - _MOST), -1):
            if table.type(other) in CHAIN:
                return other
        return None

    def _unreachable(self) -> Iterator[Finding]:
        """What stands before the break, if the branch hangs on a broken chain."""
        lineage, tree, end = self._decoder.lineage, self._tree, self._decoder.branch.end
        top = lineage.top(end) if end != NONE else NONE
        if top == NONE or not lineage.is_missing(top):
            return
        first = tree.line[top]
        lost = sum(
            flags & REAL != 0 and not flags & SIDE and line < first
            for flags, line in zip(tree.flags, tree.line, strict=True)
        )
        if lost:
            message = f"{plural(lost, 'record')} cannot be reached from the end of the conversation"
            yield Finding(rules.UNREACHABLE, None, None, message)

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

    def readers(self, policy: Policy) -> Iterator[Finding]:
        """Other readers that end the conversation elsewhere."""
        ours = self._decoder.branch.message
        for name, end in self._ends(policy):
            if end != ours:
                where = "nowhere" if end == NONE else f"at line {self._line(self._tree.line[end])}"
                message = f"{name} ends the conversation {where}"
                event = self._tree.line[end] if end != NONE else None
                record = None if event is None else self._timeline.table.record(event)
                yield Finding(rules.READERS_DIFFER, record, event, message)

    def _ends(self, policy: Policy) -> Iterator[tuple[str, int]]:
        tree, links = self._tree, self._decoder.links
        chains = Chains(tree, links)
        chains.recount()
        if not (policy.reload and policy.reader == JAVASCRIPT) and policy.relinks:
            newest = NewestEnd(tree, links, chains)
            newest.recount()
            yield f"{JAVASCRIPT}:reload", newest.found()[1]
        if not (policy.reload and policy.reader == PYTHON):
            unlinked = Links(tree)
            plain = Chains(tree, unlinked)
            plain.recount()
            oldest = OldestRule(tree, unlinked, plain)
            oldest.recount()
            yield f"{PYTHON}:reload", oldest.found()[1]
        recorded = self._decoder.effects.recorded
        entry = tree.ids.find(recorded) if recorded is not None else None
        if entry is not None and policy.reader != RECORDED and tree.flags[entry] & REAL:
            yield f"{RECORDED}:reload", chains.message[entry]
