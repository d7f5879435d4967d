"""Registers that records set, and how they are read from them again (format page 1.3, 1.4)."""

from typing import Any, Final

from inspector.formats.claude.tree.calls import blocks_of
from inspector.formats.shapes import mapping, text
from inspector.timeline.builder import Builder
from inspector.timeline.registers import IN_PAYLOAD

_KEPT: Final = 200
"""Characters of a text that is kept with its register; a longer one is read from its record."""

_ENVELOPE: Final = (
    ("cwd", "cwd"),
    ("gitBranch", "branch"),
    ("version", "version"),
    ("permissionMode", "permission mode"),
    ("effort", "reasoning effort"),
)
"""What a record says of its surroundings, and the register for it."""

_BESIDE: Final = {
    "mode": ("mode", "mode"),
    "permission-mode": ("permissionMode", "permission mode"),
    "agent-name": ("agentName", "agent"),
    "agent-setting": ("agentSetting", "agent setting"),
    "tag": ("tag", "tag"),
    "pr-link": ("prUrl", "pull request"),
}
"""Records beside the tree that set a register: the key of the value, and the register."""

_TITLES: Final = ("summary", "ai-title", "custom-title")
"""Records that name a session, the weakest first."""

_TITLE_KEYS: Final = {"summary": "summary", "ai-title": "aiTitle", "custom-title": "customTitle"}


class Registers:
    """Tells the builder what records set.

    Attributes:
        changes: how often what is known of the surroundings changed.
    """

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._last: dict[str, Any] = {}
        self.changes = 0
        self._told: tuple[Any, ...] = ()
        self._model: str | None = None
        self._titled = -1
        self._queued = 0

    def envelope(self, record: dict[str, Any]) -> None:
        """What a record of the tree says of its surroundings."""
        get, last = record.get, self._last
        told = (get("cwd"), get("gitBranch"), get("version"), get("permissionMode"), get("effort"))
        if told == self._told:
            return
        self._told = told
        for (key, register), value in zip(_ENVELOPE, told, strict=True):
            if value is not None and value != last.get(key) and type(value) is str:
                last[key] = value
                self.changes += 1
                self._text(register, value)

    def knows(self, record: dict[str, Any]) -> bool:
        """Whether a record says nothing new of its surroundings, as `envelope` takes it."""
        last = self._last
        return all(
            type(value := record.get(key)) is not str or value == last.get(key)
            for key, _ in _ENVELOPE
        )

    @property
    def answering(self) -> str | None:
        """The model that answered last."""
        return self._model

    def model(self, name: Any) -> None:
        """The model that answered."""
        if type(name) is str and name != self._model and name:
            self._model = name
            self._text("model", name)

    def beside(self, record: dict[str, Any], kind: str) -> bool:
        """A record beside the tree; returns whether it is of a kind that is known here."""
        if kind in _BESIDE:
            key, register = _BESIDE[kind]
            value = record.get(key)
            if type(value) is str and value:
                self._last.pop(key, None)
                self.changes += 1
                self._told = ()
                self._text(register, value)
            elif register == "tag" and key in record:
                self._builder.set(register, None)
            return True
        if kind in ("ai-title", "custom-title"):
            self.title(record, kind)
            return True
        return False

    def title(self, record: dict[str, Any], kind: str) -> None:
        """A record names the session, which counts if none named it that weighs more."""
        value, weight = text(record.get(_TITLE_KEYS[kind])), _TITLES.index(kind)
        if value and weight >= self._titled:
            self._titled = weight
            self._text("title", value)

    def titled(self, value: str) -> None:
        """A summary that came before what it tells of names the session after all."""
        if self._titled <= 0:
            self._titled = 0
            self._builder.set("title", value if len(value) <= _KEPT else value[: _KEPT - 1] + "…")

    def queue(self, record: dict[str, Any]) -> None:
        """How many commands were typed ahead and wait."""
        operation = record.get("operation")
        if operation == "enqueue":
            self._queued += 1
        elif operation in ("dequeue", "remove"):
            self._queued = max(0, self._queued - 1)
        elif operation == "popAll":
            self._queued = 0
        self._builder.set("queued", self._queued or None)

    def _text(self, register: str, value: str) -> None:
        self._builder.set(register, value if len(value) <= _KEPT else IN_PAYLOAD)


def value_of(register: str, record: dict[str, Any]) -> Any:
    """The value of a register that is not kept with it, from the record that set it."""
    if register == "todo":
        for block in blocks_of(record):
            if type(block) is dict and block.get("name") == "TodoWrite":
                return mapping(block.get("input")).get("todos")
        return None
    if register == "title":
        return record.get(_TITLE_KEYS.get(text(record.get("type")), ""))
    if register == "model":
        return mapping(record.get("message")).get("model")
    for key, name in (*_ENVELOPE, *_BESIDE.values()):
        if name == register and key in record:
            return record[key]
    return None
