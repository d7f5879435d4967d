"""The parts of an event as the person who worked with the agent saw them.

Texts are as the tape has them, whole and not cleaned; a file is named and never carried.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import orjson

from inspector.text.jsontext import json_text
from inspector.text.labels import size

_LONGEST: Final = 400_000
"""Characters of arguments that are read as JSON; longer ones stay a text."""


@dataclass(frozen=True, slots=True)
class Said:
    """A text that is said to the person, or by the person."""

    text: str


@dataclass(frozen=True, slots=True)
class Thought:
    """Reasoning of the model."""

    text: str


@dataclass(frozen=True, slots=True)
class File:
    """A picture, a document or other bytes.

    Attributes:
        name: what the owner calls it, perhaps nothing.
        media: its type, ``image/png``, or a word for it; perhaps nothing.
        size: its bytes, None where they are not told.
    """

    name: str
    media: str
    size: int | None


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a tool.

    Attributes:
        id: the owner's id of it, None where it has none.
        name: the tool.
        arguments: as the model wrote them; JSON in a text is read, if it is whole.
        parent: the id of the call within which it was made, or None.
    """

    id: str | None
    name: str
    arguments: Any = None
    parent: str | None = None


@dataclass(frozen=True, slots=True)
class Edit:
    """A file that a tool changed: what stood there, None if that is not told, and what does now."""

    path: str
    before: str | None
    after: str


@dataclass(frozen=True, slots=True)
class Result:
    """What a tool answered.

    Attributes:
        call: the owner's id of the call that is answered, None where it names none.
        text: what it says.
        failed: whether it says that the call failed; None where it does not say.
        told_by_text: whether that is no field of its own but told by how the text is written.
        files: what it holds beside its text.
        edits: the files that it says were changed.
    """

    call: str | None
    text: str
    failed: bool | None = None
    told_by_text: bool = False
    files: tuple[File, ...] = ()
    edits: tuple[Edit, ...] = ()


Part: TypeAlias = Said | Thought | File | Call | Result


def arguments_of(value: Any) -> Any:
    """Arguments as they are meant: an object or a list that is kept as JSON in a text is read."""
    if not isinstance(value, str) or value[:1] not in ("{", "[") or len(value) > _LONGEST:
        return value
    try:
        return orjson.loads(value)
    except ValueError:
        return value


_LEAST: Final = 2_048
# Only the start of a run is tried, so that no text makes the search look at it again and again.
_BYTES: Final = re.compile(
    r"(?:data:([\w/+.-]{1,80})[\w.;=-]{0,80},)?(?<![A-Za-z0-9+/])([A-Za-z0-9+/]{2048,}+={0,2})"
)


_ALPHABET: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def file_of(data: str, media: str = "", name: str = "") -> File:
    """The file that base64, or a ``data:`` address of it, holds; another address is its name."""
    if data.startswith("data:"):
        head, _, data = data.partition(",")
        media = media or head[5:].partition(";")[0][:80]
    elif "://" in data[:40]:
        return File(name or data[:200], media, None)
    return File(name, media, len(data) * 3 // 4 - data[-2:].count("="))


def without_bytes(text: str) -> str:
    """A text in which a run of base64 that nobody reads is named by its size."""
    return _BYTES.sub(_named, text) if _holds_run(text) else text


def _holds_run(text: str) -> bool:
    """Whether a text holds a run of base64 long enough to be named.

    Such a run covers one of the places that are looked at: nearly all of a text never is.
    """
    for at in range(_LEAST - 1, len(text), _LEAST):
        before = text[at + 1 - _LEAST : at + 1]
        run = len(before) - len(before.rstrip(_ALPHABET))
        if run:
            behind = text[at + 1 : at + 1 + _LEAST]
            if run + len(behind) - len(behind.lstrip(_ALPHABET)) >= _LEAST:
                return True
    return False


def _named(found: re.Match[str]) -> str:
    media = f"{found[1]}, " if found[1] else ""
    return f"[{media}{len(found[2]) * 3 // 4:,} bytes]"


def joined(parts: Iterable[Part], kind: type[Said] | type[Thought] = Said) -> str:
    """All texts of one kind among parts, a line apart."""
    return "\n".join(part.text for part in parts if isinstance(part, kind) and part.text)


def file_words(file: File) -> str:
    """A file by its name, its type and its size, in brackets."""
    weight = "" if file.size is None else size(file.size)
    return f"[{', '.join(filter(None, (file.name, file.media, weight))) or 'a file'}]"


def sent_text(parts: Iterable[Part]) -> str:
    """What parts say to the model, one below the other: calls with arguments, files named."""
    return "\n".join(filter(None, map(_sent, parts)))


def _sent(part: Part) -> str:
    if isinstance(part, File):
        return file_words(part)
    if isinstance(part, Call):
        given = part.arguments
        return f"{part.name} {given if isinstance(given, str) else json_text(given)}"
    if isinstance(part, Result):
        return "\n".join(filter(None, (part.text, *map(file_words, part.files))))
    return part.text


def answer(
    call: str | None,
    parts: list[Part],
    failed: bool | None,
    told_by_text: bool = False,
    edits: tuple[Edit, ...] = (),
) -> Result:
    """A result that is made of texts and files."""
    files = tuple(part for part in parts if isinstance(part, File))
    return Result(call, joined(parts), failed, told_by_text, files, edits)
