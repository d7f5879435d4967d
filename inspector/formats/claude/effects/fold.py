"""What every record does beside taking its place on a branch."""

from typing import Any, Final

from inspector.formats.claude import rules
from inspector.formats.claude.effects.calls import ToolCalls
from inspector.formats.claude.effects.compactions import Compactions
from inspector.formats.claude.effects.origins import Origins
from inspector.formats.claude.effects.registers import Registers
from inspector.formats.claude.effects.titles import Titles
from inspector.formats.claude.effects.turns import Turns
from inspector.formats.claude.effects.usage import SYNTHETIC, Usage
from inspector.formats.claude.tree.arrival import Arrival
from inspector.formats.claude.tree.calls import Calls
from inspector.formats.claude.tree.store import (
    ASSISTANT,
    BOUNDARY,
    MESSAGE,
    META,
    REAL,
    RESULT,
    SIDE,
    Tree,
)
from inspector.formats.claude.vocabulary import BESIDE
from inspector.formats.logs.folding import Folding
from inspector.formats.shapes import mapping, text
from inspector.text.gate import clean_line
from inspector.timeline.words import Kind, Outcome

_SAID: Final = 80


class Fold:
    """Tells the builder of everything beside the surface.

    Attributes:
        calls: the calls of tools.
        compactions: the compactions.
        registers: what records set.
        turns: the turns.
        usage: what the provider reported.
        recorded: the id at which the tape says that the conversation ends, or None.
    """

    def __init__(self, folding: Folding, tree: Tree, calls: Calls, session: str) -> None:
        self._folding = folding
        self._tree = tree
        builder = folding.builder
        self.calls = ToolCalls(folding, calls, self._place)
        self.compactions = Compactions(builder, tree, calls)
        self.titles = Titles(folding, tree)
        self.origins = Origins(folding, session)
        self.turns = Turns(builder, self.calls)
        self.usage = Usage(builder)
        self.registers = Registers(builder)
        self._settled = True
        self.recorded: str | None = None

    # Records of the tree.

    def _place(self, uuid: Any) -> int | None:
        """The event in which a record stands."""
        entry = self._tree.ids.find(uuid) if type(uuid) is str else None
        stands = entry is not None and self._tree.flags[entry] & REAL
        return self._tree.line[entry] if entry is not None and stands else None

    def member(self, value: dict[str, Any], arrival: Arrival, record: int) -> None:
        """A record of the tree took its place."""
        flags = self._tree.flags[arrival.entry]
        side, again = flags & SIDE != 0, arrival.again is not None
        self.origins.member(value)
        if not side:
            self.registers.envelope(value)
        if self.titles.waiting:
            title = self.titles.arrived(value)
            if title is not None:
                self.registers.titled(title)
        if flags & ASSISTANT:
            self._assistant(value, arrival, side=side, again=again)
        elif again:
            pass
        elif flags & MESSAGE:
            if not side and not flags & RESULT:
                self._user(value, arrival, flags)
        elif not side:
            if flags & BOUNDARY:
                self._boundary(value, record)
            else:
                self._notice(value)
        self.settle()

    def _assistant(
        self, value: dict[str, Any], arrival: Arrival, *, side: bool, again: bool
    ) -> None:
        message = mapping(value.get("message"))
        self.usage.line(message, arrival.message, side=side)
        if arrival.calls and not again:
            self.calls.blocks(value)
        if side or again:
            return
        if message.get("model") != SYNTHETIC:
            self.registers.model(message.get("model"))
        self._no_summary()
        self.turns.answered(value)

    def _user(self, value: dict[str, Any], arrival: Arrival, flags: int) -> None:
        shape = arrival.shape
        if shape is not None and shape.kind is Kind.SUMMARY:
            self.compactions.summary()
            if not self.compactions.keeps:
                self.calls.stopped(Outcome.UNKNOWN, "never answered")
            return
        self._no_summary()
        if not flags & META:
            self.turns.said(value)

    @property
    def is_between(self) -> bool:
        """Whether a request is made again, or a compaction half written."""
        return self.compactions.half or self.turns.retries

    def settle(self) -> None:
        """Tell whether the owner could make a request now."""
        settled = not self.calls.unanswered and not self.compactions.half
        if settled is not self._settled:
            self._settled = settled
            self._folding.builder.settle(settled)

    def _no_summary(self) -> None:
        """A message comes; if it stands where a summary ought to, that is worth telling."""
        if self.compactions.message():
            folding, event = self._folding, self.compactions.event
            line = folding.record_of(event) + 1
            message = f"the compaction on line {line} has no summary"
            folding.found_at_event(
                rules.NO_SUMMARY, message, folding.record_of(folding.builder.event)
            )

    def _boundary(self, value: dict[str, Any], record: int) -> None:
        self.compactions.boundary(value)
        logical = value.get("logicalParentUuid")
        if type(logical) is not str:
            return
        entry = self._tree.ids.find(logical)
        if entry is None or not self._tree.flags[entry]:
            message = f"logicalParentUuid {clean_line(logical, _SAID)} is not in this file"
            self._folding.found_at_event(rules.LOGICAL_PARENT, message, record)
        self.recorded = None

    def _notice(self, value: dict[str, Any]) -> None:
        """A record of the tree that is no message."""
        subtype = value.get("subtype")
        if subtype == "api_error":
            self.turns.api_error(value)
        elif subtype == "turn_duration":
            self.turns.duration(value)
        attachment = mapping(value.get("attachment"))
        kind = text(attachment.get("type"))
        if kind.startswith("hook_"):
            self.turns.hook(kind, attachment)
        elif kind in ("plan_mode", "plan_mode_exit"):
            self.turns.plan_mode(on=kind == "plan_mode")

    # Records beside the tree.

    def beside(self, value: dict[str, Any], kind: str, record: int) -> None:
        """A record that is not of the tree."""
        found = self._folding.found_at_event
        if self.registers.beside(value, kind):
            pass
        elif kind == "summary":
            self.origins.titled |= self.origins.first is None
            if self.titles.summary(value, record):
                self.registers.title(value, kind)
        elif kind == "queue-operation":
            self.registers.queue(value)
        elif not kind:
            found(rules.NO_TYPE, "an object without a type", record)
        elif kind not in BESIDE:
            message = f"{clean_line(kind, _SAID)} is no type that is known here"
            found(rules.UNKNOWN_TYPE, message, record)
