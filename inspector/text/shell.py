"""Words for a shell: a command line that can be pasted, whatever stands in it."""

import shlex
from collections.abc import Iterable

from inspector.text.gate import is_clean_line


def words(several: Iterable[str]) -> str:
    """A command line of these words."""
    return " ".join(map(word, several))


def word(text: str) -> str:
    """A word for a shell; what no line may show is written as shells read it between ``$''``.

    Args:
        text: anything; what was no UTF-8 in a path stands for its bytes, as Python has it.
    """
    if is_clean_line(text):
        return shlex.quote(text)
    plain = text.replace("\\", "\\\\").replace("'", "\\'")
    return f"$'{''.join(map(_seen, plain))}'"


def _seen(character: str) -> str:
    """A character, or its bytes in octal: no digit behind it can be taken for one of them."""
    if is_clean_line(character):
        return character
    was_a_byte = "\udc80" <= character <= "\udcff"
    data = character.encode("utf-8", "surrogateescape" if was_a_byte else "replace")
    return "".join(f"\\{byte:03o}" for byte in data)
