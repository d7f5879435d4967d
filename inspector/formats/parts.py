"""The parts of an event as the person who worked with the agent saw them.

Texts are as the tape has them, whole and not cleaned; a file is named and never carried.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import orjson

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
    return text if len(text) < _LEAST else _BYTES.sub(_named, text)


def _named(found: re.Match[str]) -> str:
    media = f"{found[1]}, " if found[1] else ""
    return f"[{media}{len(found[2]) * 3 // 4:,} bytes]"


def joined(parts: Iterable[Part], kind: type[Said] | type[Thought] = Said) -> str:
    """All texts of one kind among parts, a line apart."""
    return "\n".join(part.text for part in parts if isinstance(part, kind) and part.text)


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
