"""The fallback for a summary that no model wrote: pieces of the originals, and marked as such."""

from collections.abc import Sequence
from typing import Final

MARK: Final = (
    "[This summary was put together of pieces of the conversation by a program; no model wrote it. "
    "What is not quoted here is not known.]"
)
"""The first line of every fallback."""

_EACH: Final = 400
"""Characters of a message that are quoted."""

_MOST: Final = 16_000
"""Characters of a fallback."""

_LEFT_OUT: Final = "[… {count} messages left out …]"


def extract(said: Sequence[tuple[str, str]]) -> str:
    """A fallback of what was said: who speaks, and the start of it, until there is too much.

    The first and the last messages are quoted before those in the middle. Each is asked for once,
    and those that are not quoted are not: getting one may take reading.
    """
    room = _MOST - len(MARK) - len(_LEFT_OUT) - 20
    front, back = 0, len(said)
    first: list[str] = []
    last: list[str] = []
    while front < back:
        from_front = len(first) <= len(last)
        line = _line(*said[front if from_front else back - 1])
        if line:
            if len(line) + 1 > room:
                break
            room -= len(line) + 1
            (first if from_front else last).append(line)
        front, back = (front + 1, back) if from_front else (front, back - 1)
    middle = [_LEFT_OUT.format(count=back - front)] if front < back else []
    return "\n".join([MARK, *first, *middle, *reversed(last)])


def _line(who: str, text: str) -> str:
    words = " ".join(text[: 4 * _EACH].split())
    if not words:
        return ""
    cut = words if len(words) <= _EACH else f"{words[: _EACH - 1]}…"
    return f"- {who}: {cut}"
