"""Turns, which the owner does not write: one runs from a person's message to the answer.

Of the texts between the calls of a run only the last is kept (format page 3), so a message of the
assistant ends the turn. An error need not: the owner tries again.
"""

from typing import Any, Final

from inspector.formats.logs.tokens import of_bytes
from inspector.formats.shapes import items, mapping, text
from inspector.formats.usage_figures import tell_unreadable
from inspector.formats.zero.effects.calls import Calls
from inspector.formats.zero.effects.weights import of_any
from inspector.formats.zero.surface import Shape
from inspector.formats.zero.vocabulary import ANSWERS, ASKS, ASSISTANT, CROSS_SESSION, USER
from inspector.text.jsontext import json_length
from inspector.timeline.builder import Builder
from inspector.timeline.words import Kind, Mark, Outcome, Role, SpanKind

_INTERRUPTED: Final = "interrupted"
"""The message of the error with which the owner ends a run that the person stopped."""

_WORD: Final = 120

# Looked up once, not with every event.
_FIGURES: Final = ("promptTokens", "cachedInputTokens", "cacheWriteTokens", "completionTokens")

_USER: Final = Role.USER
_ASSISTANT: Final = Role.ASSISTANT
_MESSAGE: Final = Kind.MESSAGE
_TURN: Final = Mark.TURN
_OF_USER: Final = Mark.USER
_OK: Final = Outcome.OK


class Turns:
    """Tells of messages and errors, and of the turns that they begin and end."""

    def __init__(self, builder: Builder, calls: Calls) -> None:
        self._builder = builder
        self._calls = calls
        timeline = builder.timeline
        self._spans = timeline.spans[SpanKind.TURN]
        self._mark = timeline.marks.add
        self._open: int | None = None
        self._error = ""

    def message(self, payload: dict[str, Any]) -> Shape:
        """Somebody says something."""
        role = payload.get("role")
        if role == USER:
            return self._user(payload)
        if role == ASSISTANT:
            if self._open is not None:
                self._end(_OK, None)
            return _ASSISTANT, _MESSAGE, of_any(payload.get("content"))
        if role == ASKS:
            asked = of_bytes(json_length(items(payload.get("questions"))))
            return _ASSISTANT, _MESSAGE, asked
        if role == ANSWERS:
            self._builder.mark(Mark.USER)
            answered = of_bytes(json_length(items(payload.get("answers"))))
            return _USER, _MESSAGE, answered
        return Role.SYSTEM, _MESSAGE, of_any(payload.get("content"))

    def _user(self, payload: dict[str, Any]) -> Shape:
        if self._open is not None:
            failed = bool(self._error)
            self._end(Outcome.FAILED if failed else Outcome.UNKNOWN, self._error or None)
        calls, mark, event = self._calls, self._mark, self._builder.event
        if calls.waits:
            calls.over()
        self._open = self._spans.open(event + 1, len(self._spans) + 1)
        self._error = ""
        mark(_TURN, event)
        tokens = of_any(payload.get("content"))
        if payload.get("origin") == CROSS_SESSION:
            return _USER, Kind.CONTEXT, tokens
        mark(_OF_USER, event)
        return _USER, _MESSAGE, tokens

    def error(self, payload: dict[str, Any]) -> None:
        """Something failed; the turn goes on unless the person stopped it."""
        self._builder.mark(Mark.ERROR)
        message = text(payload.get("message"))[:_WORD]
        if message == _INTERRUPTED:
            self._end(Outcome.INTERRUPTED, message)
        else:
            self._error = message or "error"

    def _end(self, outcome: Outcome, word: str | None) -> None:
        if self._open is not None:
            if self._calls.waits:
                self._calls.over()
            self._spans.close(self._open, self._builder.event + 1, outcome, word)
            self._open = None

    def spent(self, payload: dict[str, Any]) -> None:
        """A provider reports a request; what a specialist used in its own session is aside.

        What was read from a cache, and what was written to it, is part of the prompt.
        """
        prompt = _count(payload, "promptTokens")
        cached = min(_count(payload, "cachedInputTokens"), prompt)
        written = min(_count(payload, "cacheWriteTokens"), prompt - cached)
        tell_unreadable(self._builder, payload, _FIGURES)
        self._builder.spend(
            cached,
            prompt - cached - written,
            written,
            _count(payload, "completionTokens"),
            aside=payload.get("source") == "specialist",
        )
        model = payload.get("model")
        if type(model) is str and model:
            self._builder.set("model", model[:_WORD])


def _count(payload: dict[str, Any], key: str) -> int:
    found = payload.get(key)
    return found if type(found) is int and 0 <= found < 1 << 53 else 0


def attachments(payload: dict[str, Any]) -> str:
    """What a person's message brings along, in words; empty if nothing."""
    found = mapping(payload.get("attachments"))
    parts = []
    for key, noun in (("images", "image"), ("documents", "document")):
        number = len(items(found.get(key)))
        if number:
            parts.append(f"{number:,} {noun}" + ("" if number == 1 else "s"))
    return " and ".join(parts)
