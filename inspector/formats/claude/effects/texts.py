"""What stands at the start of a message, which tells who really speaks (format page 1.4, 1.6)."""

from typing import Any, Final

from inspector.formats.shapes import items, mapping, text

INTERRUPTED: Final = "[Request interrupted by user"
"""How the text begins that the owner writes where the person stopped the model."""

_OUTPUTS: Final = ("<local-command-", "<bash-stdout>", "<bash-stderr>")
"""How messages of the user begin that commands wrote."""

_COMMANDS: Final = ("<command-name>", "<command-message>", "<command-args>", "<bash-input>")
"""How messages of the user begin that stand for a typed command."""


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


def is_command(said: str) -> bool:
    """Whether a message of the user stands for a typed command."""
    return said.startswith(_COMMANDS)
