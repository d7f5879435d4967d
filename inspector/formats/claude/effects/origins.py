"""Where records come from: copied from another session, or written here (format page 1.8)."""

from typing import Any

from inspector.formats.claude import rules
from inspector.formats.logs.folding import Folding
from inspector.formats.shapes import mapping
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
    """

    def __init__(self, folding: Folding, session: str) -> None:
        self._folding = folding
        self._own = session
        self.source: str | None = None
        self._relation = "fork"
        self.copied = True
        self.session: str | None = None
        self.first: str | None = None

    def member(self, record: dict[str, Any]) -> None:
        """A record of the tree comes."""
        session = record.get("sessionId")
        if session != self.session and type(session) is str:
            self._session(session)
        if self.copied:
            self._look(record, session)

    def _session(self, session: str) -> None:
        if self.first is None:
            self.first = session
        elif session != self.session and self._own not in (session, self.session):
            said = f"session {clean_line(session, _SAID)} goes on here"
            folding = self._folding
            event = folding.builder.event
            folding.found_at_event(rules.SEVERAL_SESSIONS, said, folding.record_of(event))
        self.session = session

    def _look(self, record: dict[str, Any], session: Any) -> None:
        """The records at the start may be copies, until the first that is not."""
        forked = mapping(record.get("forkedFrom")).get("sessionId")
        if type(forked) is str:
            self.source = forked
            return
        if self._own and type(session) is str and session != self._own:
            self.source, self._relation = session, "resume"
            return
        self.copied = False
        if self.source is not None and (self._relation == "fork" or session == self._own):
            event = self._folding.builder.event
            self._folding.builder.inherit(event)
            self._folding.builder.kin(self._relation, self.source, event)
