"""What the summary that stands for an event tells of it: a document, and its sentence."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final

from inspector.formats.contract import Tape
from inspector.formats.parts import File
from inspector.lenses.literals import Literal, LiteralClass
from inspector.lenses.retold import Retold, retold_at
from inspector.lenses.texts import said, said_of_node
from inspector.lenses.why import Why
from inspector.text.gate import clean_line
from inspector.text.labels import count

_WORD: Final = 40
_SHOWN: Final = 3
"""Words or literals of one kind that are named."""

_CLASSES: Final = {
    LiteralClass.ERROR: "error",
    LiteralClass.URL: "url",
    LiteralClass.PATH: "file",
    LiteralClass.QUOTED: "quote",
    LiteralClass.IDENTIFIER: "name",
    LiteralClass.NUMBER: "number",
}

EXTRACT: Final = "it is put together of pieces of its originals: nobody wrote it"


def document(tape: Tape, found: Why) -> dict[str, Any] | None:
    """What the summary that stands for an event tells of it; None where no compaction hid it.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    parts = tape.parts(found.event)
    told = retold_at(
        tape.timeline,
        found,
        lambda event: said(tape, event),
        lambda node: said_of_node(tape, node),
        is_bytes=bool(parts) and all(isinstance(part, File) for part in parts),
    )
    return None if told is None else _document(told)


def _document(told: Retold) -> dict[str, Any]:
    return {
        "summary": told.summary,
        "through": list(told.through),
        "words": {"found": list(told.words.found), "missing": list(told.words.missing)},
        "literals": {
            "found": [_literal(one) for one in told.told],
            "missing": [{**_literal(one), "lost_by": by} for one, by in told.missing],
        },
        "degraded": told.extract,
        "why_not": told.why_not,
    }


def _literal(literal: Literal) -> dict[str, Any]:
    return {"literal": literal.text, "class": literal.kind.value}


def words(found: dict[str, Any], name: Callable[[int], str]) -> str:
    """The sentence: which words and literals are found in the summary, and which are not."""
    where = "" if found["summary"] is None else f" at {name(found['summary'])}"
    asked = f"In the summary{where}?"
    if found["why_not"] is not None:
        return f"{asked}  {found['why_not']}"
    told = "  ".join((asked, " · ".join(_told(found, name)) or "no word that could tell"))
    return f"{told}; {EXTRACT}" if found["degraded"] else told


def _told(found: dict[str, Any], name: Callable[[int], str]) -> Iterator[str]:
    """What is found and what is not; what a narrow screen cuts off says least."""
    quoted, literals = found["words"], found["literals"]
    if quoted["found"]:
        yield f"{_plural('word', quoted['found'])} {_words(quoted['found'])} found"
    if literals["missing"]:
        yield f"{_literals(literals['missing'])} NOT found{_lost(found, name)}"
    if literals["found"]:
        yield f"{_literals(literals['found'])} found"
    if quoted["missing"]:
        yield f"{_plural('word', quoted['missing'])} {_words(quoted['missing'])} NOT found"


def _plural(what: str, some: Sequence[Any]) -> str:
    return what if len(some) == 1 else f"{what}s"


def _words(some: Sequence[str]) -> str:
    return _named([f'"{clean_line(word, _WORD)}"' for word in some])


def _literals(some: Sequence[dict[str, Any]]) -> str:
    """Literals, each class named once."""
    named, last = list[str](), ""
    for literal in some:
        kind = _CLASSES[LiteralClass(literal["class"])]
        told = f'"{clean_line(literal["literal"], _WORD)}"'
        named.append(told if kind == last else f"{kind} {told}")
        last = kind
    return _named(named)


def _named(some: Sequence[str]) -> str:
    more = len(some) - _SHOWN
    return ", ".join(some[:_SHOWN]) + (f" and {count(more)} more" if more > 0 else "")


def _lost(found: dict[str, Any], name: Callable[[int], str]) -> str:
    """Which summary left out what is missing, if they were several."""
    if len(found["through"]) == 1:
        return ""
    by = dict.fromkeys(literal["lost_by"] for literal in found["literals"]["missing"])
    return f" (lost by {', '.join(map(name, list(by)[:_SHOWN]))})"
