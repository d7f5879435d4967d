"""Registers that a record sets as a whole, and how they are read from it again."""

from collections.abc import Callable
from typing import Any, Final

import orjson

from inspector.formats.codex.header import Header
from inspector.formats.shapes import items, mapping, natural, text
from inspector.timeline.builder import Builder
from inspector.timeline.registers import IN_PAYLOAD

_KEPT: Final = 200
"""Characters of a text that is kept with its register; a longer one is read from its record."""


class Registers:
    """Tells the builder what records and the header set."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._given: set[str] = set()
        self._window: Any = None

    def header(self, header: Header) -> None:
        """What the log says of itself before the first event."""
        for register, value in (
            ("cwd", header.cwd),
            ("provider", header.provider),
            ("origin", header.origin),
            ("version", header.version),
            ("source", header.source),
            ("branch", header.branch),
            ("history mode", header.mode),
        ):
            if value is not None:
                cut = value if len(value) <= _KEPT else value[: _KEPT - 1] + "…"
                self._builder.set(register, cut)

    def turn_context(self, payload: dict[str, Any]) -> None:
        """How the turn is run (format page 2.6)."""
        self._text("model", payload.get("model"))
        self._text("cwd", payload.get("cwd"))
        self._text("approval policy", payload.get("approval_policy"))
        self._text("sandbox mode", sandbox_mode(payload))
        self._optional("reasoning effort", payload.get("effort"))
        self._optional("personality", payload.get("personality"))
        self._optional("collaboration mode", _mode(payload.get("collaboration_mode")))

    def turn_started(self, event: dict[str, Any]) -> None:
        """The window of the model, and as what the turn runs."""
        self.window(event)
        self._text("collaboration mode", event.get("collaboration_mode_kind"))

    def window(self, record: dict[str, Any]) -> None:
        """The tokens that the model can see; said with every request, and seldom another.

        A record that does not have the key says nothing of it; null is a model nobody knows.
        """
        tokens = record.get("model_context_window", self._window)
        if tokens != self._window:
            self._window = tokens
            self._builder.set("window", natural(tokens))

    def settings(self, event: dict[str, Any]) -> None:
        """The person changed how the thread is run."""
        settings = mapping(event.get("thread_settings"))
        self._text("model", settings.get("model"))
        self._text("provider", settings.get("model_provider_id"))
        self._text("cwd", settings.get("cwd"))
        self._text("approval policy", settings.get("approval_policy"))
        self._text("reasoning effort", settings.get("reasoning_effort"))
        self._text("collaboration mode", _mode(settings.get("collaboration_mode")))

    def name(self, event: dict[str, Any]) -> None:
        """The thread's name."""
        self._text("title", event.get("thread_name"))

    def goal(self, event: dict[str, Any]) -> None:
        """What the thread is for."""
        self._builder.set("goal", IN_PAYLOAD if mapping(event.get("goal")) else None)

    def plan(self, event: dict[str, Any]) -> None:
        """The list of what is to be done."""
        if isinstance(event.get("plan"), list):
            self._builder.set("todo", IN_PAYLOAD)

    def review(self, *, on: bool) -> None:
        """A review begins or ends."""
        self._builder.set("mode", "review" if on else None)

    def _text(self, register: str, value: Any) -> None:
        if isinstance(value, str) and value:
            self._builder.set(register, value if len(value) <= _KEPT else IN_PAYLOAD)

    def _optional(self, register: str, value: Any) -> None:
        """Set a text, or take it back where the record leaves it out."""
        if isinstance(value, str) and value:
            self._text(register, value)
            self._given.add(register)
        elif register in self._given:
            self._builder.set(register, None)


def sandbox_mode(payload: dict[str, Any]) -> str:
    """What tools may write, in the owner's word."""
    policy = payload.get("sandbox_policy")
    shape = mapping(policy)
    return text(policy) or text(shape.get("type")) or text(shape.get("mode"))


def _mode(value: Any) -> str:
    shape = mapping(value)
    return text(value) or text(shape.get("mode")) or text(shape.get("kind"))


def todos(plan: Any) -> list[dict[str, str]]:
    """A plan as a list of what is to be done, with its states."""
    return [
        {"content": text(mapping(step).get("step")), "status": text(mapping(step).get("status"))}
        for step in items(plan)
    ]


def _todo(payload: dict[str, Any]) -> Any:
    if "plan" in payload:
        return todos(payload["plan"])
    try:
        return todos(mapping(orjson.loads(text(payload.get("arguments")))).get("plan"))
    except orjson.JSONDecodeError:
        return text(payload.get("arguments"))


def _limits(payload: dict[str, Any]) -> Any:
    """How much of each limit is used, in per cent, and the rest as it is."""
    return payload.get("rate_limits")


def _settings(key: str, in_settings: str) -> Callable[[dict[str, Any]], Any]:
    def found(payload: dict[str, Any]) -> Any:
        settings = payload.get("thread_settings")
        return payload.get(key) if settings is None else mapping(settings).get(in_settings)

    return found


_READERS: Final[dict[str, Callable[[dict[str, Any]], Any]]] = {
    "todo": _todo,
    "rate limits": _limits,
    "tokens so far": lambda payload: mapping(payload.get("info")).get("total_token_usage"),
    "goal": lambda payload: payload.get("goal"),
    "title": lambda payload: payload.get("thread_name"),
    "model": _settings("model", "model"),
    "cwd": _settings("cwd", "cwd"),
    "provider": _settings("provider", "model_provider_id"),
    "approval policy": _settings("approval_policy", "approval_policy"),
    "reasoning effort": _settings("effort", "reasoning_effort"),
    "sandbox mode": sandbox_mode,
}


def value_of(register: str, payload: dict[str, Any]) -> Any:
    """The value of a register that is not kept with it, from the payload that set it."""
    read = _READERS.get(register)
    return None if read is None else read(payload)
