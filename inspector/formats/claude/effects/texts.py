"""What stands at the start of a message, which tells who really speaks (format page 1.4, 1.6)."""

import re
from typing import Any, Final

from inspector.formats.shapes import items, mapping, text

INTERRUPTED: Final = "[Request interrupted by user"
"""How the text begins that the owner writes where the person stopped the model."""

_OUTPUTS: Final = ("<local-command-", "<bash-stdout>", "<bash-stderr>")
"""How messages of the user begin that commands wrote."""

_COMMANDS: Final = ("<command-name>", "<command-message>", "<command-args>", "<bash-input>")
"""How messages of the user begin that stand for a typed command."""

_NOTIFIES: Final = "<task-notification>"
_REMINDS, _REMINDED = "<system-reminder>", "</system-reminder>"
"""How messages of the user begin in which a program tells the model something."""

_SOLID: Final = re.compile(r"\S")


def first_text(content: Any) -> str:
    """The first text of a message's content."""
    if type(content) is str:
        return content
    for block in items(content):
        if type(block) is str:
            return block
        if type(block) is dict and block.get("type") == "text":
            return text(block.get("text"))
    return ""


def content_of(record: dict[str, Any]) -> Any:
    """The content of a message."""
    return mapping(record.get("message")).get("content")


def is_output(said: str) -> bool:
    """Whether a command wrote a message of the user."""
    return said.startswith(_OUTPUTS)


def is_spoken(said: str) -> bool:
    """Whether a message of the user is what a person said, by how it begins."""
    return not said.startswith((INTERRUPTED, *_OUTPUTS))


def is_told(content: Any) -> bool:
    """Whether a message of the user is all what a program tells: reminders, or a notification."""
    if first_text(content).startswith(_NOTIFIES):
        return True
    if type(content) is str:
        return _only_reminds(content)
    texts = [block.get("text") for block in items(content) if type(block) is dict]
    return bool(texts) and all(type(one) is str and _only_reminds(one) for one in texts)


def _only_reminds(said: str) -> bool:
    """Whether a text is reminders and nothing else."""
    found = False
    solid = _SOLID.search(said)
    while solid is not None:
        end = said.find(_REMINDED, solid.start())
        if end < 0 or not said.startswith(_REMINDS, solid.start()):
            return False
        found = True
        solid = _SOLID.search(said, end + len(_REMINDED))
    return found


def is_command(said: str) -> bool:
    """Whether a message of the user stands for a typed command."""
    return said.startswith(_COMMANDS)
