"""Named values: the model, which the header freezes and a ``config`` sets anew, and the todo list.

The fields of ``usage``, ``todos`` and ``config`` are not stated (format page 3.2); what is read
here is what the other agents of this interface write.
"""

from typing import Any, Final

from inspector.formats.reina import rules
from inspector.formats.shapes import mapping, natural, text
from inspector.formats.usage_figures import tell_unreadable
from inspector.text.gate import clean_line
from inspector.text.jsontext import json_text
from inspector.timeline.builder import Builder
from inspector.timeline.registers import IN_PAYLOAD, InPayload

MODEL: Final = "model"
SETTING: Final = "model setting"
TODO: Final = "todo"

_KEPT: Final = 120
"""Characters of a name that are kept beside the log."""

_FROZEN: Final = 2_000
"""Characters of a setting in the header that are kept: its JSON, as that of a later one is told."""

_SHOWN: Final = 80

_HOLDERS: Final = ("config", "record", "meta")
_NAMES: Final = ("id", "model", "name", "modelId")
_FIGURES: Final = ("prompt_tokens", "completion_tokens", "total_tokens")
_MOST: Final = 1 << 53


class Settings:
    """Tells the builder of registers and of what requests cost."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._whole = False

    def frozen(self, setting: Any, line: int) -> None:
        """The header freezes the model; it is no event that could be read again for it."""
        self._look(setting, line, None)
        self._model(called(setting)[:_KEPT], setting, json_text(setting, limit=_FROZEN))

    def model(self, setting: Any, line: int) -> None:
        """The model is set as a whole: nothing of what was set before is left of it."""
        self._look(setting, line, self._builder.event)
        name = called(setting)
        self._model(name if len(name) <= _KEPT else IN_PAYLOAD, setting, IN_PAYLOAD)

    def _look(self, setting: Any, line: int, event: int | None) -> None:
        """Tell of a model that has no name."""
        if not name_of(setting):
            message = f"a model without a name: {_shown(setting)}"
            self._builder.find(rules.BAD_MODEL, message, record=line, event=event)

    def _model(self, name: str | InPayload, setting: Any, whole: str | InPayload) -> None:
        builder = self._builder
        builder.set(MODEL, name)
        if isinstance(setting, dict):
            builder.set(SETTING, whole)
        elif self._whole:
            builder.set(SETTING, None)
        self._whole = isinstance(setting, dict)

    def config(self, record: dict[str, Any], line: int) -> None:
        """Settings are written; only that of the model is known."""
        setting = setting_of(record)
        if setting is not None:
            self.model(setting, line)
            return
        message = _unread(record)
        if message:
            builder = self._builder
            builder.find(rules.BAD_CONFIG, message, record=line, event=builder.event)

    def todos(self, record: dict[str, Any]) -> None:
        """The list of what is to be done, as a whole."""
        if todos_of(record) is not None:
            self._builder.set(TODO, IN_PAYLOAD)

    def usage(self, record: dict[str, Any]) -> None:
        """A provider reports a request; what it read from a cache is part of the prompt."""
        usage = usage_of(record)
        tell_unreadable(self._builder, usage, _FIGURES)
        output = _count(usage, "completion_tokens")
        prompt = _count(usage, "prompt_tokens")
        if not prompt:
            prompt = max(0, _count(usage, "total_tokens") - output)
        if prompt or output:
            cached = min(cached_of(usage), prompt)
            self._builder.spend(cached, prompt - cached, 0, output)


def usage_of(record: dict[str, Any]) -> dict[str, Any]:
    """The report in a record of usage."""
    return next((found for key in ("usage", "record") if (found := mapping(record.get(key)))), {})


def cached_of(usage: dict[str, Any]) -> int:
    """The tokens that were read from a cache."""
    details = mapping(usage.get("prompt_tokens_details"))
    return _count(details, "cached_tokens") or _count(usage, "prompt_cache_hit_tokens")


def todos_of(record: dict[str, Any]) -> list[Any] | None:
    """The list in a record of what is to be done, or None."""
    found = record.get("todos", record.get("items"))
    found = mapping(record.get("record")).get("todos") if found is None else found
    return found if isinstance(found, list) else None


def setting_of(record: dict[str, Any]) -> Any:
    """The setting of the model in a record of settings, or in a header; None without one."""
    for key in _HOLDERS:
        held = record.get(key)
        if isinstance(held, dict) and held.get(MODEL) is not None:
            return held[MODEL]
    return record.get(MODEL)


def name_of(setting: Any) -> str:
    """What a model is called by its setting."""
    if isinstance(setting, dict):
        return next((text(setting[key]) for key in _NAMES if text(setting.get(key))), "")
    return text(setting)


def called(setting: Any) -> str:
    """The name of a model by its setting, else the setting as JSON: nothing that is set is lost."""
    return name_of(setting) or json_text(setting)


def value_of(register: str, record: dict[str, Any]) -> Any:
    """The value of a register that is kept in its record."""
    if register == TODO:
        return todos_of(record)
    setting = setting_of(record)
    return called(setting) if register == MODEL else json_text(setting)


def _count(figures: dict[str, Any], key: str) -> int:
    found = natural(figures.get(key))
    return found if found is not None and found < _MOST else 0


def _unread(record: dict[str, Any]) -> str:
    """Why nothing is read of a record of settings that does not set the model; perhaps nothing."""
    for key in _HOLDERS:
        held = record.get(key)
        if isinstance(held, dict) and MODEL in held:
            return "the model is set to null"
        if key in record and not isinstance(held, dict):
            return f"settings that are no object: {_shown(held)}"
    return "the model is set to null" if MODEL in record else ""


def _shown(value: Any) -> str:
    return clean_line(json_text(value, limit=_SHOWN), _SHOWN)
