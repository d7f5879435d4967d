"""What is sent of a message of which images were left out (format page 11)."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import Any, Final

from inspector.formats.parts import File, Part, Result, sent_text
from inspector.formats.shapes import items, mapping, natural

OFFLOAD: Final = "image/offload"
_LEFT_OUT: Final = "left out"


def images_of(offload: dict[str, Any], number: int) -> Iterator[int]:
    """The images that an ``image/offload`` leaves out of the message with an owner's number."""
    for target in map(mapping, items(mapping(offload.get("data")).get("targets"))):
        if natural(target.get("seq")) == number:
            found = map(natural, items(target.get("imageIndexes")))
            yield from (index for index in found if index is not None)


def without_images(parts: Iterable[Part], gone: Collection[int]) -> str:
    """What is sent of a message, each image that is left out named in its place, in our words.

    Args:
        parts: what it says, or the one result that it is.
        gone: the numbers of the images that are left out, from 0.
    """
    kept: list[Part] = []
    for part in parts:
        if isinstance(part, Result):
            kept.append(replace(part, files=tuple(_marked(part.files, gone))))
        else:
            kept.append(part)
    return sent_text(_marked(kept, gone))


def _marked(parts: Iterable[Any], gone: Collection[int]) -> Iterator[Any]:
    image = 0
    for part in parts:
        if not isinstance(part, File):
            yield part
            continue
        if image in gone:
            named = ", ".join(filter(None, (part.media or "image", _LEFT_OUT)))
            yield replace(part, media=named)
        else:
            yield part
        image += 1
