"""Registers that one event sets as a whole (format page 1.10), and how they are read from it."""

from collections.abc import Callable
from typing import Any, Final, Protocol

from inspector.formats.shapes import mapping, natural, text
from inspector.timeline.builder import Builder
from inspector.timeline.registers import IN_PAYLOAD

_KEPT: Final = 200
"""Characters of a text that is kept with its register; a longer one is read from its event."""


class HeaderFacts(Protocol):
    """What a header says that is so before the first event; None where it does not say."""

    @property
    def seed_length(self) -> int | None:
        """How many events the tape inherited."""

    @property
    def seeded(self) -> bool:
        """Whether the log itself tells how many, as later versions do."""

    @property
    def delegation_depth(self) -> int | None:
        """How many agents stand above this one."""

    @property
    def origin(self) -> str | None:
        """What made the session, if not a person."""

    @property
    def preset(self) -> str | None:
        """The agent's preset."""


class Registers:
    """Tells the builder what events and the header set."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._given: set[str] = set()

    def header(self, header: HeaderFacts) -> None:
        """What is so since cursor 0."""
        self._builder.event = -1
        for register, value in (
            ("delegation depth", header.delegation_depth),
            ("origin", _cut(header.origin)),
            ("preset", _cut(header.preset)),
        ):
            if value is not None:
                self._builder.set(register, value)
        self._builder.event = 0

    def request_header(self, data: dict[str, Any]) -> None:
        """The configuration of the requests from here on, with system prompt and tools."""
        header = mapping(data.get("header"))
        config = mapping(header.get("config"))
        self._names(config)
        if header:
            self._optional("reasoning effort", config.get("reasoningEffort"))
            self._builder.set("preamble", IN_PAYLOAD)

    def request_context(self, data: dict[str, Any]) -> None:
        """The model and its window."""
        self._names(data)
        window = natural(data.get("contextWindow"))
        if window is not None:
            self._builder.set("window", window)

    def _names(self, config: dict[str, Any]) -> None:
        for name in ("model", "provider"):
            if text(config.get(name)):
                self._text(name, config[name])

    def title(self, data: dict[str, Any]) -> None:
        """The last one wins."""
        self._text("title", data.get("title"))

    def todo(self, data: dict[str, Any]) -> None:
        """The whole list."""
        if isinstance(data.get("todos"), list):
            self._builder.set("todo", IN_PAYLOAD)

    def preset(self, data: dict[str, Any]) -> None:
        """The agent's preset."""
        self._text("preset", data.get("agentPreset"))

    def approval_policy(self, data: dict[str, Any]) -> None:
        """Whether a person is asked, and who settled that if it was not the person."""
        if self._text("approval policy", data.get("policy")):
            self._optional("approval policy source", data.get("source"))

    def sandbox_mode(self, data: dict[str, Any]) -> None:
        """What tools may write, and who settled that if it was not the person."""
        if self._text("sandbox mode", data.get("mode")):
            self._optional("sandbox mode source", data.get("source"))

    def permission_preset(self, data: dict[str, Any]) -> None:
        """The named set of permissions."""
        self._text("permission preset", data.get("preset"))

    def feedback(self, data: dict[str, Any]) -> None:
        """What the person last said of the session."""
        self._text("feedback", data.get("text"))

    def subagent(self, data: dict[str, Any]) -> None:
        """As which subagent this session runs."""
        if data:
            self._builder.set("subagent", IN_PAYLOAD)

    def _text(self, register: str, value: Any) -> bool:
        """Set a text; what is none changes nothing."""
        if not isinstance(value, str):
            return False
        self._builder.set(register, value if len(value) <= _KEPT else IN_PAYLOAD)
        return True

    def _optional(self, register: str, value: Any) -> None:
        """Set a text, or take it back where the event leaves it out."""
        if text(value):
            self._text(register, value)
            self._given.add(register)
        elif register in self._given:
            self._builder.set(register, None)


def _cut(said: str | None) -> str | None:
    """A header has no event from which a long text could be read."""
    return said if said is None or len(said) <= _KEPT else said[: _KEPT - 1] + "…"


def _named(**keys: str) -> Callable[[dict[str, Any]], dict[str, Any]]:
    """The values under some keys, by our names for them, those left out that are not there."""

    def found(data: dict[str, Any]) -> dict[str, Any]:
        return {
            name.replace("_", " "): data[key]
            for name, key in keys.items()
            if data.get(key) is not None
        }

    return found


_GOAL = _named(objective="objective", phase="phase", rounds_at_most="maxGoalRounds")
_SUBAGENT = _named(
    mode="mode",
    provider="provider",
    label="label",
    agent_provider="agentProvider",
    agent_model="agentModel",
    persona="persona",
    tool_filter="toolFilter",
)


def _goal(data: dict[str, Any]) -> dict[str, Any]:
    goal = mapping(data.get("goal"))
    reason = mapping(goal.get("blockedReason")).get("message")
    return (
        _GOAL(goal)
        | _named(rounds_started="roundsStarted")(data)
        | ({} if reason is None else {"blocked by": reason})
    )


def _config(key: str) -> Callable[[dict[str, Any]], Any]:
    """A value of the request's configuration, which two types of events tell."""

    def found(data: dict[str, Any]) -> Any:
        header = mapping(data.get("header"))
        return mapping(header.get("config")).get(key) if header else data.get(key)

    return found


def _at(key: str) -> Callable[[dict[str, Any]], Any]:
    return lambda data: data.get(key)


_READERS: Final[dict[str, Callable[[dict[str, Any]], Any]]] = {
    "title": _at("title"),
    "model": _config("model"),
    "provider": _config("provider"),
    "reasoning effort": _config("reasoningEffort"),
    "preamble": _at("header"),
    "todo": _at("todos"),
    "preset": _at("agentPreset"),
    "approval policy": _at("policy"),
    "approval policy source": _at("source"),
    "sandbox mode": _at("mode"),
    "sandbox mode source": _at("source"),
    "permission preset": _at("preset"),
    "feedback": _at("text"),
    "goal": _goal,
    "subagent": _SUBAGENT,
}


def value_of(register: str, event: dict[str, Any]) -> Any:
    """The value of a register that is not kept with it.

    Args:
        register: its name.
        event: the payload of the event that set it, envelope and all.
    """
    read = _READERS.get(register)
    return None if read is None else read(mapping(event.get("data")))
