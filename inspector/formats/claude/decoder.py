"""Lines to effects: every record of a transcript, on its way into the tree or beside it."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from inspector.formats.claude import rules
from inspector.formats.claude.coverage import Coverages
from inspector.formats.claude.effects.shapes import is_talk, talk
from inspector.formats.claude.members import Members
from inspector.formats.claude.policies import Policy
from inspector.formats.claude.straight import Straight
from inspector.formats.claude.strictness import takes
from inspector.formats.claude.times import Clock, length_of
from inspector.formats.claude.tree.live import LiveBranch
from inspector.formats.claude.vocabulary import CHAIN
from inspector.formats.logs.folding import Folding
from inspector.formats.logs.lines import JSON_WORDS, LineDecoder
from inspector.formats.logs.rules import unread
from inspector.tape.records import Fate
from inspector.text.gate import clean_line
from inspector.timeline.findings import FindingKind

_SAID: Final = 80
_BACKWARDS: Final = 1_000
"""Milliseconds by which a record may be older than the one above it."""

_MARKS: Final = {"uuid", "parentUuid", "sessionId", "leafUuid", "message", "messageId"}
"""Keys of which a record has one."""


class ClaudeDecoder(LineDecoder):
    """Folds the lines of a transcript.

    Args:
        folding: where events and findings go.
        policy: the reader to follow.
        raw: the bytes of a record.
        session: the id that the file's name gives the session; empty if it gives none.

    Attributes:
        tree: the records that name parents.
        links: their parents, once what compactions kept is linked anew.
        lineage: from which root they hang.
        branch: the records that the surface shows.
        judge: what the verdict rests on.
        effects: what records do beside the surface.
        coverage: how much of the tree the branch reaches.
        members: puts records there.
    """

    def __init__(
        self, folding: Folding, policy: Policy, raw: Callable[[int], bytes], session: str = ""
    ) -> None:
        super().__init__(folding)
        self._policy = policy
        self._raw = raw
        self._clock = Clock()
        self.members = members = Members(folding, policy, self.read, session)
        self.tree = members.tree
        self.links = members.links
        self.lineage = members.lineage
        self.branch = members.branch
        self.judge = members.judge
        self.effects = members.effects
        self.coverage = Coverages()
        self._unread = False
        self._time = 0
        self._straight: Straight | None = None
        if isinstance(members.branch, LiveBranch):
            self._straight = Straight(folding, members, members.branch, self._clock)

    # Single records again.

    def read(self, event: int) -> dict[str, Any]:
        """A record by the position of its event."""
        record = self.folding.record_of(event)
        first = event
        while first and self.folding.record_of(first - 1) == record:
            first -= 1
        values = self.values(record, self._raw(record))
        member = event - first
        return values[member] if member < len(values) else {}

    # The loop.

    def fold(self, record: int, lines: Sequence[bytes]) -> None:
        """Fold a batch of lines, as every decoder of lines does."""
        straight = self._straight
        if straight is None:
            super().fold(record, lines)
            return
        at = 0
        while at < len(lines):
            straight.time = self._time
            at = straight.take(lines, at, record + at)
            self._time = straight.time
            if straight.left is not None:
                self.take(straight.left, record + at, lines[at])
            elif at < len(lines):
                self.line(record + at, lines[at])
            at += 1
        self.folding.publish()

    def take(self, value: dict[str, Any], record: int, line: bytes) -> None:
        """Fold the record of a line."""
        del line
        name, stamp = value.get("type"), value.get("timestamp")
        if type(name) is not str:
            name = ""
        time = self._clock.read(stamp)
        position = self.folding.event(record, name, time)
        if time is None:
            if stamp is not None:
                self._no_time(stamp, record)
        elif time < self._time - _BACKWARDS:
            self._back(time, record)
        else:
            self._time = time
        if not self._unread or not self._policy.reload:
            self._fold(value, name, position, record)
        branch = self.branch
        self.coverage.note(position + 1, self.members.records, branch.reached, branch.recovered)

    def _fold(self, value: dict[str, Any], name: str, position: int, record: int) -> None:
        if name not in CHAIN:
            self._beside(value, name, position, record)
            return
        if name == "system" and is_talk(value):
            value, name = talk(value), "user"
        uuid = value.get("uuid")
        if type(uuid) is str:
            self.members.member(value, name, uuid, position, record)
        else:
            self.members.nameless(value, name, position, record)

    def _beside(self, value: dict[str, Any], name: str, position: int, record: int) -> None:
        """A record that is not of the tree."""
        self.effects.beside(value, name, record)
        if name == "last-prompt":
            self.members.recorded(value, position)
        elif name == "content-replacement":
            self.members.replaced(value)

    def _no_time(self, stamp: Any, record: int) -> None:
        said = clean_line(stamp, _SAID) if type(stamp) is str else f"a {type(stamp).__name__}"
        self.folding.found_at_event(rules.BAD_TIME, f"no time: {said}", record)

    def _back(self, time: int, record: int) -> None:
        message = f"written {length_of(self._time - time)} before what stands above it"
        self.folding.found_at_event(rules.BACKWARDS, message, record)
        self._time = time

    # Lines that are not as the owner writes them.

    def unread(self, record: int, line: bytes, problem: str) -> None:
        """A line is no JSON as it stands; the owner passes over what stands before an object."""
        del record, problem
        self._unread = not takes(self._policy.reader, line)
        self.judge.passed += self._unread

    def mend(self, kind: FindingKind, record: int, line: bytes) -> FindingKind:
        """What the owner passes over, or reads as it is read here."""
        del record, line
        return unread(kind, "the owner passes over the line") if self._unread else kind

    def recovered(self, value: dict[str, Any], record: int, line: bytes) -> None:
        """Fold an object that was found in a damaged line."""
        self.take(value, record, line)

    def _recover(self, line: bytes, record: int, problem: str) -> None:
        super()._recover(line, record, problem)
        self._unread = False

    def _no_object(self, value: Any, record: int, line: bytes) -> None:
        """A line is JSON, but no object: the owner passes over it, and nothing is lost."""
        del line
        self.folding.records.set_fate(record, Fate.DAMAGED)
        message = f"JSON, but {JSON_WORDS[type(value)]} and not a record"
        self.folding.found(rules.NO_RECORD, message, record)

    def takes_tail(self, tail: bytes) -> bool:
        """A last line that nothing ends is read if it is whole (rules page R1)."""
        return takes(self._policy.reader, tail)

    def is_record(self, value: Any) -> bool:
        """Whether an object found in a damaged line looks like a record."""
        return (
            isinstance(value, dict)
            and isinstance(value.get("type"), str)
            and bool(value.keys() & _MARKS)
        )
