"""Where records come from: copied from another session, or written here (format page 1.8)."""

from typing import Any

from inspector.formats.claude import rules
from inspector.formats.claude.originals import Originals
from inspector.formats.logs.folding import Folding
from inspector.formats.shapes import mapping, text
from inspector.text.gate import clean_line

_SAID = 80


class Origins:
    """Tells the builder which records at the start were copied, and of which other sessions the
    tape tells.

    Args:
        folding: where events and findings go.
        session: the id that the file's name gives the session; empty if it gives none.

    Attributes:
        session: the session of the record read last.
        first: that of the first record.
        copied: all records so far may be copies.
        source: that of the records at the start, if they were copied from another one.
        last: the event of the last of these copies so far.
        originals: tells copies by the other session's file, if anybody looks.
        agent: the subagent of the first record, where the tape comes from a stream, so that no name
            of a file tells of one.
        is_streamed: whether it does.
        titled: a summary stands above all records of the tree: so begins what was taken up in a
            file of its own by old builds.
    """

    def __init__(self, folding: Folding, session: str) -> None:
        self._folding = folding
        self._own = session
        self.source: str | None = None
        self._relation = "fork"
        self._other: str | None = None
        self.copied = True
        self.session: str | None = None
        self.first: str | None = None
        self.last: int | None = None
        self.originals: Originals | None = None
        self.titled = False
        self.agent: str | None = None
        self.is_streamed = False

    def member(self, record: dict[str, Any]) -> None:
        """A record of the tree comes."""
        session = record.get("sessionId")
        if session != self.session and type(session) is str:
            if self.is_streamed and self.first is None:
                self._begin(record, session)
            self._session(session)
        if self.copied:
            self._look(record, session)

    def _begin(self, record: dict[str, Any], session: str) -> None:
        """The first record of a stream may be that of a subagent (format page 1.1)."""
        agent = text(record.get("agentId"))
        if record.get("isSidechain") is True and agent:
            self.agent = agent
            self._folding.builder.kin("subagent", session, None)

    def _session(self, session: str) -> None:
        if self.first is None:
            self.first = session
        elif self._own not in (session, self.session) and not (self.titled and self.copied):
            said = f"session {clean_line(session, _SAID)} goes on here"
            folding = self._folding
            event = folding.builder.event
            folding.found_at_event(rules.SEVERAL_SESSIONS, said, folding.record_of(event))
        self.session = session

    def _look(self, record: dict[str, Any], session: Any) -> None:
        """The records at the start may be copies, until the first that is not."""
        forked = mapping(record.get("forkedFrom")).get("sessionId")
        before, self.last = self.last, self._folding.builder.event
        if type(forked) is str:
            self.source = forked
            return
        if type(session) is str and self._is_other(session):
            self._other, self._relation = session, "resume"
            if self._own:
                self.source = session
            return
        if self._is_copy(record):
            return
        self.copied, self.last = False, before
        if self.originals is not None:
            self.originals.forget()
        if self._relation == "resume" and (
            type(session) is not str or self._own not in ("", session)
        ):
            return
        if self._relation == "resume":
            self.source = self._other
        if self.source is not None:
            event = self._folding.builder.event
            self._folding.builder.inherit(event)
            self._folding.builder.kin(self._relation, self.source, event)

    def repeats(self, record: dict[str, Any]) -> bool:
        """Whether `member` would learn nothing from a record: it is a copy like those before it."""
        forked = mapping(record.get("forkedFrom")).get("sessionId")
        if type(forked) is str:
            return forked == self.source
        session = record.get("sessionId")
        if type(session) is not str or session != self._other or self._relation != "resume":
            return False
        return self._is_other(session) and (not self._own or session == self.source)

    def _is_other(self, session: str) -> bool:
        """Whether a record at the start is of another session than the tape, as far as is told.

        Where the file's name gives the tape no id, a summary above them says that records were
        copied, until those of another session follow.
        """
        if self._own:
            return session != self._own
        return self.titled and session == self.first

    def _is_copy(self, record: dict[str, Any]) -> bool:
        """Whether a record that bears the tape's own session stands in the other's file."""
        originals, other = self.originals, self._other
        return originals is not None and other is not None and originals.holds(other, record)
