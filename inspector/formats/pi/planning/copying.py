"""The lines of a new session: entries with the ids that they have, as the owner's fork writes them
(format page 4.3).
"""

from collections.abc import Container, Iterator
from pathlib import Path
from typing import Any, Final

from inspector.formats.copied_lines import GONE, exchanged, line_of
from inspector.formats.pi.planning.composing import Composition
from inspector.formats.pi.planning.material import Material
from inspector.formats.pi.tree.ids import key_of
from inspector.formats.pi.tree.store import NONE
from inspector.formats.pi.vocabulary import (
    COMPACTION,
    CURRENT,
    CUSTOM_ROLE,
    HOOK,
    LABEL,
    MESSAGE,
    SESSION,
)
from inspector.formats.planning import Making
from inspector.formats.shapes import text
from inspector.formats.stamps import stamp

_BATCH: Final = 64 * 1024
_DIGITS: Final = 8
"""Of an id, as the owner makes them (format page 4.2)."""

_STREAM: Final = Path("-")


class Names:
    """Ids for entries that are made, or that have none; as short as the owner's, and none twice."""

    def __init__(self, material: Material, making: Making) -> None:
        self._tree = material.tree
        self._making = making
        self._given: set[str] = set()

    def new(self, name: str) -> str:
        """An id, the same for the same names asked for before it."""
        number = 0
        while True:
            found = self._making.derived(f"{name} {number}")[:_DIGITS]
            if found not in self._given and self._tree.find(found) == NONE:
                self._given.add(found)
                return found
            number += 1


class Copy:
    """A session that does not exist yet.

    Args:
        material: the one that it is made of.
        composition: its entries.
        making: its id, and when it is made.
    """

    def __init__(self, material: Material, composition: Composition, making: Making) -> None:
        self._material = material
        self._making = making
        self.composition = composition
        self._names = self._named()
        self._last: tuple[int, Any] = NONE, None

    def _named(self) -> dict[int, str]:
        """Ids of the items that have none of their own."""
        names, material = Names(self._material, self._making), self._material
        found: dict[int, str] = {}
        for item in self.composition.items:
            if item < 0:
                found[item] = names.new(f"made {~item}")
            elif material.version < 2:
                found[item] = names.new(f"entry {item}")
        for item in self.composition.unsure.intersection(self.composition.items) - found.keys():
            if key_of(material.entry(item).get("id")) is None:
                found[item] = names.new(f"entry {item}")
        if material.tree.late:
            for item in self._named_again(found):
                found[item] = names.new(f"entry {item}")
        return found

    def _named_again(self, found: Container[int]) -> list[int]:
        """Entries whose id a later one of the copy has."""
        seen: set[str | None] = set()
        again: list[int] = []
        for item in reversed(self.composition.items):
            if item < 0 or item in found:
                continue
            key = key_of(self._material.entry(item).get("id"))
            if key in seen:
                again.append(item)
            seen.add(key)
        return again

    def id_of(self, item: int) -> Any:
        """The id of an item, as it is written."""
        name = self._names.get(item)
        if name is not None:
            return name
        if self._last[0] != item:
            self._last = item, self._material.entry(item).get("id")
        return self._last[1]

    # Lines.

    @property
    def header(self) -> dict[str, Any]:
        """The header."""
        cwd, file = text(self._material.header.get("cwd")), self._material.file
        return {
            "type": SESSION,
            "version": CURRENT,
            "id": self._making.id,
            "timestamp": stamp(self._making.time),
            "cwd": cwd or GONE,
            "parentSession": GONE if file == _STREAM else str(file.absolute()),
        }

    def content(self) -> Iterator[bytes]:
        """The bytes, in pieces.

        Raises:
            SourceError: if the tape cannot be read any more.
        """
        waiting, size = [line_of(self.header)], 0
        for place in range(len(self.composition.items)):
            line = self.line(place)
            waiting.append(line)
            size += len(line)
            if size >= _BATCH:
                yield b"\n".join((*waiting, b""))
                waiting.clear()
                size = 0
        yield b"\n".join((*waiting, b"")) if waiting else b""

    def record(self, number: int) -> bytes:
        """A line by its number, from the header on."""
        return self.line(number - 1) if number else line_of(self.header)

    def line(self, place: int) -> bytes:
        """The line of an item."""
        items = self.composition.items
        item, above = items[place], None if place == 0 else self.id_of(items[place - 1])
        if item < 0:
            made = self.composition.made[~item]
            tied = {"type": made["type"], "id": self.id_of(item), "parentId": above}
            return line_of({**tied, **made, **self._kept(item)})
        material, members = self._material, {"parentId": above, **self._kept(item)}
        if item in self._names:
            members["id"] = self._names[item]
        if material.version < CURRENT:
            members |= _migrated(material.type(item), material.entry(item))
        # What is no UTF-8 is read as the owner reads it.
        line = material.session.raw(item).decode(errors="replace").encode()
        return exchanged(line, members)

    def _kept(self, item: int) -> dict[str, Any]:
        first = self.composition.kept.get(item)
        return {} if first is None else {"firstKeptEntryId": self.id_of(first)}


def _migrated(kind: str, entry: dict[str, Any]) -> dict[str, Any]:
    """What the owner alters of an entry of an older version when it opens it (format page 4.1)."""
    message = entry.get("message")
    if kind == MESSAGE and isinstance(message, dict) and message.get("role") == HOOK:
        return {"message": {**message, "role": CUSTOM_ROLE}}
    if kind == COMPACTION and "firstKeptEntryIndex" in entry:
        return {"firstKeptEntryIndex": GONE}
    return {}


def label_entry(target: Any, label: Any, timestamp: Any) -> dict[str, Any]:
    """A label, without what ties it to others."""
    return {"type": LABEL, "timestamp": timestamp, "targetId": target, "label": label}
