"""Turns as the owner cuts them, from one message of the person to the next (RULES C7)."""

from typing import Final

from inspector.formats.deepchat.context.messages import BuildBreaks, blocks_of, error_note
from inspector.formats.deepchat.context.records import ERROR, PENDING, SENT, USER, Record
from inspector.timeline.builder import Builder
from inspector.timeline.words import Mark, Outcome, SpanKind

_ONE: Final = "1"


class Turns:
    """Tells the builder where turns begin, and how they were answered."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._turns = 0

    def message(self, record: Record, *, new: bool) -> None:
        """A message that the model is shown; an edit begins no turn."""
        if record.role == USER:
            if new:
                self._builder.mark(Mark.USER)
                if record.status == SENT:
                    self._begin()
        elif record.status != PENDING:
            self._answered(record)

    def _begin(self) -> None:
        self._turns += 1
        # It ends the one before that was not answered.
        self._builder.open(SpanKind.TURN, _ONE, self._turns)
        self._builder.mark(Mark.TURN)

    def _answered(self, record: Record) -> None:
        failed = record.status == ERROR
        if failed:
            self._builder.mark(Mark.ERROR)
            if self._builder.is_open(SpanKind.TURN, _ONE):
                self._builder.close(SpanKind.TURN, _ONE, Outcome.FAILED, _reason(record))
        else:
            self._builder.close(SpanKind.TURN, _ONE, Outcome.OK)


def _reason(record: Record) -> str | None:
    """Why a generation failed, in the owner's words."""
    try:
        note = error_note(blocks_of(record.content), record.status)
    except BuildBreaks:
        return None
    return note.partition("Reason: ")[2].replace("\n", "; ")
