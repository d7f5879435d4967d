"""How much of a text another one tells again: word for word, in some of its words, or not."""

import re
from collections.abc import Iterable
from enum import Enum
from typing import Final

_SHORT: Final = 3
_SHARED: Final = 0.2
"""Which part of the words of a message a paraphrase has in common with it, at least."""

EXTRACTED: Final = 0.6
"""Which part of a summary's lines stand in its originals if a machine put it together."""

_LINE: Final = 20
"""Characters below which a line that is found again proves nothing."""


_LINES: Final = 400
"""Lines of a summary that are looked for."""


class Launch(Enum):
    """What became of the message that set the work going, behind a summary."""

    VERBATIM = "verbatim"
    QUOTED = "quoted"
    PARAPHRASED = "paraphrased"
    ABSENT = "absent"


def launch_in(message: str, summary: str) -> Launch:
    """What a summary tells of a message: all of it, some of its words, or nothing."""
    said, told = _words_of(message), " ".join(_words_of(summary))
    if not said:
        return Launch.ABSENT
    if " ".join(said) in told:
        return Launch.QUOTED
    there = set(told.split())
    heavy = {word for word in said if len(word) > _SHORT or not word.isascii()} or set(said)
    return Launch.PARAPHRASED if len(heavy & there) >= _SHARED * len(heavy) else Launch.ABSENT


def _words_of(text: str) -> list[str]:
    """The words of a text; of scripts without spaces, its pairs of characters."""
    found: list[str] = []
    for word in re.findall(r"\w+", text.casefold()):
        if (
            word.isascii()
            or len(word) < _SHORT
            or not re.search(r"[\u2e80-\u9fff\uac00-\ud7af\u0e00-\u0e7f]", word)
        ):
            found.append(word)
        else:
            found.extend(word[at : at + 2] for at in range(len(word) - 1))
    return found


def extracted(summary: str, originals: Iterable[str]) -> float:
    """Which part of a summary's lines stand in its originals word for word, by their length."""
    lines = [line.strip() for line in summary.splitlines()]
    long = [line for line in lines if len(line) >= _LINE][:_LINES]
    if not long:
        return 0.0
    said = "\n".join(originals)
    again = sum(len(line) for line in long if _body(line) in said)
    return again / sum(map(len, long))


def is_extract(summary: str, originals: Iterable[str]) -> bool:
    """Whether a summary is put together of pieces of its originals, and written by nobody."""
    return extracted(summary, originals) >= EXTRACTED


def _body(line: str) -> str:
    """A line without the name of who spoke, or the sign of a list, that a machine puts before."""
    return re.sub(r"^(?:[-*•#>]+\s+|\[?\w{2,12}\]?:\s+|\d+[.)]\s+)+", "", line).rstrip("…. ")
