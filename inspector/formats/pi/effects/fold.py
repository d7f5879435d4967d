"""What an entry does, beside having rows: spans, usage, registers, and what is odd about it."""

from typing import Any, Final

from inspector.formats.logs.folding import Folding
from inspector.formats.pi import rules
from inspector.formats.pi.effects.calls import Calls
from inspector.formats.pi.effects.registers import Registers
from inspector.formats.pi.effects.shapes import Shape
from inspector.formats.pi.effects.turns import Turns
from inspector.formats.pi.tree.store import Tree
from inspector.formats.pi.vocabulary import (
    ASSISTANT,
    BASH,
    BRANCH_SUMMARY,
    COMPACTION,
    KNOWN,
    LABEL,
    MESSAGE,
    NOT_AN_ENTRY,
    SESSION_INFO,
    TOOL_RESULT,
    USAGE,
    USER,
)
from inspector.formats.shapes import text
from inspector.formats.telling import short
from inspector.text.gate import clean_line
from inspector.timeline.findings import FindingKind

_SAID: Final = 80


class Fold:
    """Tells the builder what entries do.

    Args:
        folding: where events and findings go.
        tree: the entries.

    Attributes:
        registers: what holds on the path.
    """

    def __init__(self, folding: Folding, tree: Tree) -> None:
        self._folding = folding
        builder = folding.builder
        self.registers = Registers(builder, tree)
        self._calls = Calls(builder)
        self._turns = Turns(builder, self._calls)

    def left(self) -> None:
        """The entry that comes does not hang on the one before it."""
        self._turns.left()

    def enter(self, entry: dict[str, Any], shape: Shape, record: int) -> None:
        """An entry comes and has its place."""
        kind = shape.kind
        if kind == MESSAGE:
            self._message(shape.message, shape.role, record)
        elif kind == COMPACTION:
            self._turns.compacted(entry)
            self._summary(entry, record)
        elif kind in (BRANCH_SUMMARY, USAGE):
            if kind == BRANCH_SUMMARY and shape.rows:
                self._folding.builder.sums_up_branch()
                self._summary(entry, record)
            self._turns.reported(entry.get("usage"), aside=True)
        elif kind == SESSION_INFO:
            self.registers.title(entry)
        elif kind == LABEL:
            self.registers.label()
        elif kind not in KNOWN and kind != NOT_AN_ENTRY:
            said = clean_line(kind, _SAID) or "none"
            self._found(rules.UNKNOWN, f"no known type: {said}", record)

    def _summary(self, entry: dict[str, Any], record: int) -> None:
        summary = entry.get("summary")
        if type(summary) is not str:
            said = (
                "there is none" if summary is None else f"it is {clean_line(short(summary), _SAID)}"
            )
            self._found(rules.ODD_SUMMARY, f"the summary is no text: {said}", record)

    def follow(self, message: dict[str, Any], role: str, record: int) -> None:
        """A message comes that hangs on the entry just before it."""
        self.registers.follow(message, role)
        self._message(message, role, record)

    def _message(self, message: dict[str, Any], role: str, record: int) -> None:
        if role == USER:
            self._turns.said()
        elif role == ASSISTANT:
            self._turns.answered(message)
        elif role == TOOL_RESULT:
            if self._calls.answered(message) is None:
                name = clean_line(text(message.get("toolCallId")), _SAID)
                self._found(rules.ORPHAN, f"no call {name} waits for this result", record)
        elif role == BASH:
            self._calls.command(message)
        elif not role:
            said = "the message says nobody who speaks" if message else "the entry has no message"
            self._found(rules.NO_MESSAGE, said, record)

    def _found(self, kind: FindingKind, message: str, record: int) -> None:
        self._folding.found_at_event(kind, message, record)
