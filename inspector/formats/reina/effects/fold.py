"""What each kind of record does."""

from collections.abc import Callable
from typing import Any, Final

from inspector.formats.logs.folding import Folding
from inspector.formats.logs.tokens import of_text
from inspector.formats.reina import rules
from inspector.formats.reina.effects.calls import Answer, Calls
from inspector.formats.reina.effects.settings import Settings
from inspector.formats.reina.effects.turns import Turns
from inspector.formats.reina.header import Header
from inspector.formats.reina.messages import ToolCall, content_of
from inspector.formats.reina.splices import OverworkedError
from inspector.formats.reina.surface import Shape, Surface
from inspector.formats.reina.vocabulary import (
    COMPACTED,
    CONFIG,
    EXERCISE,
    MESSAGE,
    META,
    SNAPSHOT,
    SUMMARY_HEAD,
    TODOS,
    TOOL_CALL,
    TOOL_UPDATE,
    UNTYPED,
    USAGE,
)
from inspector.formats.shapes import mapping, text, whole
from inspector.text.gate import clean_line
from inspector.text.jsontext import json_text
from inspector.timeline.findings import FindingKind
from inspector.timeline.words import Kind, Mark, Outcome, Role, SpanKind

Handler = Callable[[dict[str, Any], int], None]

_SAID: Final = 80
_ORPHANS: Final = 1_000
"""Results that do not stand behind their calls, and calls with broken arguments: as many of them
as are told.
"""

_MISPLACED: Final = {
    Answer.ORPHAN: (rules.ORPHAN_RESULT, "a result of which no call came before it"),
    Answer.SECOND: (rules.SECOND_RESULT, "a result of a call that has one already"),
    Answer.DISPLACED: (rules.DISPLACED_RESULT, "a result, with other messages before it"),
}

_TOLD: Final = 10
"""Records of one unknown kind that are told: the product writes kinds that are not stated."""

_KINDS: Final = 1_000
"""Unknown kinds that are told apart."""

_ONE: Final = "1"


class Fold:
    """Tells the builder what records do.

    Args:
        folding: of the log.
        policy: the reading of indexes that is followed.

    Attributes:
        surface: what stands there.
        calls: folds calls.
        stopped: whether the fold ended.
    """

    def __init__(self, folding: Folding, policy: str) -> None:
        self._folding = folding
        self._builder = folding.builder
        self.surface = Surface(folding, policy)
        self.calls = Calls(folding.builder)
        self._append = folding.builder.append
        self._shapers = Turns(folding.builder, self.calls, self._misplaced, self._broken).shapers
        self._settings = settings = Settings(folding.builder)
        self._orphans = 0
        self._spoilt = 0
        self._unknowns: dict[str, int] = {}
        self.stopped = False
        self._handlers: dict[str, Handler] = {
            MESSAGE: self._message,
            TOOL_CALL: self._tool_call,
            TOOL_UPDATE: self._tool_update,
            COMPACTED: self._compacted,
            USAGE: lambda record, _: settings.usage(record),
            TODOS: lambda record, _: settings.todos(record),
            CONFIG: settings.config,
            META: self._another_header,
            SNAPSHOT: self._snapshot,
            UNTYPED: self._untyped,
        }

    def handler(self, kind: str) -> Handler:
        """What folds the records of a kind."""
        return self._handlers.get(kind, self._unknown)

    def is_told(self, kind: str) -> bool:
        """Whether an unknown kind was told so often that it is told no more."""
        return self._unknowns.get(kind, 0) >= _TOLD

    def begin(self, header: Header, line: int) -> None:
        """What the header says, which is so before the next event."""
        self._builder.event = self._folding.position - 1
        if header.model is not None:
            self._settings.frozen(header.model, line)
        self._builder.event = self._folding.position

    # Messages.

    def _message(self, record: dict[str, Any], line: int) -> None:
        message = record.get("message")
        if type(message) is dict:
            role = message.get("role")
            shaper = self._shapers.get(role) if type(role) is str else None
            shape = self._odd(message, line) if shaper is None else shaper(message, line)
        else:
            shape = self._odd(message, line)
        self._append(*shape)
        surface = self.surface
        number = surface.messages
        surface.messages = number + 1
        if surface.counts:
            try:
                surface.arrives(number, line)
            except OverworkedError:
                self._stop(line)

    def _odd(self, message: Any, line: int) -> Shape:
        """A message that is none to anybody; it counts as one all the same."""
        self.calls.direct = None
        why = "its role is none of the known ones" if type(message) is dict else "it is no object"
        self._folding.found_at_event(rules.ODD_MESSAGE, f"a message: {why}", line)
        return Role.USER, Kind.OPAQUE, of_text(content_of(mapping(message)))

    def _misplaced(self, message: dict[str, Any], answer: Answer, line: int) -> None:
        """A result comes that does not stand behind its call."""
        self._orphans += 1
        if self._orphans <= _ORPHANS:
            call = clean_line(text(message.get("tool_call_id")), _SAID) or "(no id)"
            kind, said = _MISPLACED[answer]
            self._folding.found_at_event(kind, f"{said}: {call}", line)

    # Calls.

    def _broken(self, call: ToolCall, line: int) -> None:
        """A message makes a call whose arguments are no JSON."""
        self._spoilt += 1
        if self._spoilt <= _ORPHANS:
            which = clean_line(call.id or "(no id)", _SAID)
            message = f"the arguments of a call are no JSON: {which}"
            self._folding.found_at_event(rules.BROKEN_ARGUMENTS, message, line)

    def _tool_call(self, record: dict[str, Any], line: int) -> None:
        told = record.get("record")
        if type(told) is not dict or not self.calls.told(told):
            message = "a record of a call without an id"
            self._folding.found_at_event(rules.BAD_RECORD, message, line)

    def _tool_update(self, record: dict[str, Any], _line: int) -> None:
        """What it holds is not stated; a record of a call in it is taken for one."""
        self.calls.told(mapping(record.get("record")))

    # Compactions.

    def _compacted(self, record: dict[str, Any], line: int) -> None:
        told = mapping(record.get("record"))
        tokens = of_text(SUMMARY_HEAD + text(told.get("summary")))
        first, last = whole(told.get("fromIndex")), whole(told.get("toIndex"))
        if first is None or last is None:
            why = f"{_shown(told, 'fromIndex')} to {_shown(told, 'toIndex')} is no range of indexes"
        elif first < 0 or first > last:
            why = f"{first} to {last} is no range of messages"
        else:
            self._look_at_summary(told, line)
            self._hide(first, last, tokens, line)
            return
        self.surface.skipped(tokens)
        self._skipped(rules.BAD_RANGE, why, line)

    def _look_at_summary(self, told: dict[str, Any], line: int) -> None:
        if type(told.get("summary")) is not str:
            what = _shown(told, "summary") if "summary" in told else "it has none"
            message = f"a compaction whose summary is no text: {what}"
            self._folding.found_at_event(rules.BAD_SUMMARY, message, line)

    def _hide(self, first: int, last: int, tokens: int, line: int) -> None:
        try:
            why = self.surface.compact(first, last, tokens, line)
        except OverworkedError:
            self._stop(line)
            return
        if why is None:
            self._builder.mark(Mark.COMPACTION)
            self._over(Outcome.OK, None)
        elif self.surface.policy == EXERCISE:
            self._skipped(rules.RANGE_BEYOND, why, line)
        else:
            self._skipped(rules.BAD_RANGE, why, line)

    def _skipped(self, kind: FindingKind, why: str, line: int) -> None:
        self._builder.mark(Mark.ERROR)
        self._over(Outcome.FAILED, why)
        self._folding.found_at_event(kind, why, line)

    def _over(self, outcome: Outcome, why: str | None) -> None:
        """A compaction is one record: it begins and ends with it."""
        self._builder.open(SpanKind.COMPACTION, _ONE)
        self._builder.close(SpanKind.COMPACTION, _ONE, outcome, why)

    def _stop(self, line: int) -> None:
        self.stopped = True
        self._builder.stop()
        message = "so many compactions overlap that what they hide cannot be followed any more"
        self._folding.found_at_event(rules.TOO_MUCH_WORK, message, line)

    # Others.

    def _another_header(self, record: dict[str, Any], line: int) -> None:
        meta = record.get("meta")
        if isinstance(meta, dict) and meta.get("model") is not None:
            self._settings.model(meta["model"], line)
        message = "a session_meta behind the first one"
        self._folding.found_at_event(rules.REPEATED_HEADER, message, line)

    def _snapshot(self, _record: dict[str, Any], line: int) -> None:
        message = "a record that holds a list of messages"
        self._folding.found_at_event(rules.SNAPSHOT, message, line)

    def _untyped(self, _record: dict[str, Any], line: int) -> None:
        message = "a record without a type"
        self._folding.found_at_event(rules.BAD_ENVELOPE, message, line)

    def _unknown(self, record: dict[str, Any], line: int) -> None:
        kind = text(record.get("type"))
        count = self._unknowns.get(kind, 0)
        if count >= _TOLD or (not count and len(self._unknowns) >= _KINDS):
            return
        self._unknowns[kind] = count + 1
        message = f"a kind of record that is not known: {clean_line(kind, _SAID)}"
        self._folding.found_at_event(rules.UNKNOWN_KIND, message, line)


def _shown(told: dict[str, Any], key: str) -> str:
    return clean_line(json_text(told.get(key), limit=_SAID), _SAID)
