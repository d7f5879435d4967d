"""The rows of one session as a log, and what the tables around them say."""

from collections.abc import Iterator

from inspector.formats.deepchat import rules
from inspector.formats.deepchat.sources import parts, schema
from inspector.formats.deepchat.sources.store import Session, Store, forked_from
from inspector.formats.logs.row_log import RowLog
from inspector.formats.logs.row_parts import Part
from inspector.formats.logs.rules import REPAIRED_TEXT
from inspector.tape.records import RowTable
from inspector.text.gate import clean_line
from inspector.text.labels import count, plural
from inspector.timeline.findings import FindingKind


class SessionLog(RowLog):
    """The rows of a session; owns the database.

    Attributes:
        session: what the tables beside the tape say of it.
        anchored: whether the summary in the settings is void, if there is one.
        beside: sentences about what stands in other tables, as it is now.
        shared: how many rows of the tapes that it was forked from are its own too, if any.

    Args:
        store: the database.
        session: which.
        alone: leave the rows of the parent out, if it is a fork.
    """

    def __init__(self, store: Store, session: Session, *, alone: bool) -> None:
        self.session = session
        self._store = store
        chosen, self._endless = _parts(store, session, alone=alone)
        version = "" if store.version is None else f"schema-{store.version}/"
        what = "sqlite" if session.has_tape else "sqlite transcript"
        super().__init__(store.database, chosen, RowTable(), None, f"{version}{what}")
        self._joined = len(chosen) > 1 and session.has_tape
        self._of_parents = list(self._rows_of_parents())
        self.shared = sum(self._of_parents) or None
        self.anchored = self._is_anchored()
        self.beside = tuple(self._beside())

    def remarks(self) -> Iterator[tuple[FindingKind, str]]:
        """What must be known before the first row."""
        session, version = self.session, self._store.version
        if version is not None and version > schema.KNOWN_SCHEMA:
            message = f"schema {version} is newer than {schema.KNOWN_SCHEMA}, the newest known"
            yield rules.NEWER_SCHEMA, message
        if self._store.fault is not None:
            what = clean_line(self._store.fault, 200)
            yield rules.BESIDE_UNREAD, f"something beside the rows could not be read: {what}"
        for table, why in self._store.unread.items():
            yield rules.TAPE_UNREAD if table == schema.TAPE else rules.BESIDE_UNREAD, why
        if session.mended:
            names = ", ".join(session.mended)
            yield REPAIRED_TEXT, f"beside the rows there is text that is not UTF-8: {names}"
        if not session.has_tape and schema.TAPE not in self._store.unread:
            yield rules.NO_TAPE, "the session has no tape: the owner writes it at the next turn"
        if self._joined and not all(self._of_parents):
            parent = clean_line(forked_from(session.id) or "", 80)
            yield rules.PARENT_MISSING, f"session {parent} has no rows up to the fork"
        if self._endless is not None:
            parent = clean_line(self._endless, 80)
            message = f"no fork/start says up to which entry session {parent} belongs to the fork"
            yield rules.PARENT_MISSING, message
        if session.has_tape and self._store.has_nameless():
            message = "the tape has rows of sessions whose id is no text: they cannot be opened"
            yield rules.NAMELESS, message

    def unwritten(self) -> int:
        """How many answers are being written and so are not on the tape yet."""
        return self._store.unwritten(self.session.id) if self.session.has_tape else 0

    def _is_anchored(self) -> bool:
        """Whether a summary on the tape makes the one in the settings void."""
        session = self.session
        if not session.has_tape or not session.settings.get("summary_text"):
            return False
        return self._store.anchored(session.id)

    def _rows_of_parents(self) -> Iterator[int]:
        """How many rows there still are of each tape that this one was forked from."""
        for part in self._parts[:-1] if self._joined else ():
            select = part.select
            counted = self.database.fetch(
                f"SELECT count(*) FROM {select.table} WHERE {select.where}",  # noqa: S608 - names of ours
                select.parameters,
            )
            rows = counted.rows[0][0] if counted.rows else None
            yield rows if isinstance(rows, int) else 0

    def _beside(self) -> Iterator[str]:
        session = self.session
        settings = session.settings
        if session.has_tape and settings:
            words = [
                value if isinstance(value, str) else f"{key} is no text"
                for key in ("provider_id", "model_id", "permission_mode", "reasoning_effort")
                if (value := settings.get(key)) is not None
            ]
            window = settings.get("context_length")
            if isinstance(window, int):
                words.append(f"window {count(window)}")
            prompt = settings.get("system_prompt")
            if isinstance(prompt, str) and prompt:
                words.append(f"a system prompt of {plural(len(prompt), 'character')}")
            yield f"settings now: {clean_line(', '.join(words), 300)}"
        if session.kind == "subagent" and session.parent:
            yield f"a subagent of {clean_line(session.parent, 80)}"
        if session.own_parent:
            yield "named as its own parent, which is not followed"
        if session.parent is None and (session.title or "").endswith(" - Fork"):
            yield "named as a copy; the owner keeps no pointer to what it was copied from"
        if session.has_tape:
            unwritten = self.unwritten()
            if unwritten:
                yield f"{plural(unwritten, 'answer')} being written, not on the tape yet"


def _parts(store: Store, session: Session, *, alone: bool) -> tuple[list[Part], str | None]:
    """The selections of a session; and the session whose rows belong to it, nobody knows which."""
    if not session.has_tape:
        return parts.transcript(store, session), None
    chosen = [parts.tape(store, session.id)]
    above: Session | None = None if alone else session
    # A fork may be the fork of a fork; its id grows with each, so this ends.
    while above is not None and (parent := forked_from(above.id)) is not None:
        if above.fork_head is None:
            return chosen, parent if above.has_tape else None
        chosen.insert(0, parts.tape(store, parent, above.fork_head))
        above = store.session(parent)
    return chosen, None
