"""The lines of a new transcript: records with new ids, as the owner's fork writes them (page 1.8).

Unlike the owner's, the ids that compactions and results name are exchanged too, so that what was
kept is kept in the copy.
"""

from collections.abc import Iterator
from typing import Any, Final

from inspector.formats.claude.planning.composing import BESIDE, ROOT, Composition
from inspector.formats.claude.planning.material import Material
from inspector.formats.claude.tree.store import ASSISTANT, BOUNDARY, NONE, RESULT
from inspector.formats.copied_lines import GONE, exchanged, line_of, plain
from inspector.formats.planning import Making
from inspector.formats.shapes import items, mapping, text
from inspector.formats.stamps import stamp

_SOURCE: Final = "sourceToolAssistantUUID"
_NAMES: Final = (_SOURCE, "refusedUserMessageUuid", "source_uuid")
_LISTS: Final = ("supersedesUuids", "retractedMessageUuids")
"""Members that name other records, and lists of such."""

_DROPPED: Final = ("slug", "teamName", "agentName", "session_id")
"""Members that a fork of the owner's lacks, or that another says."""

_BATCH: Final = 64 * 1024
_KNOWN: Final = 4_096
"""Ids that are kept: a record nearly always hangs on one of those just before it."""

_TITLE: Final = 200


class Copy:
    """A transcript that does not exist yet.

    Args:
        material: the one that it is made of.
        composition: its records.
        making: its id, and when it is made.
        title: what it is called.
    """

    def __init__(
        self, material: Material, composition: Composition, making: Making, title: str
    ) -> None:
        self._material = material
        self._making = making
        self._time = stamp(making.time)
        self._last = composition.last
        self.title = title
        self._known: dict[int, str] = {}
        self.composition = composition

    @property
    def made_for(self) -> str:
        """The id of the session."""
        return self._making.id

    # Ids.

    def renamed(self, uuid: str) -> str:
        """The id of the copy of a record."""
        return self._making.derived(f"record {uuid}")

    def id_of(self, place: int) -> str:
        """The id of an item."""
        known = self._known.get(place)
        if known is not None:
            return known
        item = self.composition.items[place]
        if item < 0:
            return self._know(place, self._making.derived(f"made {~item}"))
        return self._know(place, self._name(item, self._material.uuid(item)))

    def _know(self, place: int, name: str) -> str:
        if len(self._known) >= _KNOWN:
            self._known.clear()
        self._known[place] = name
        return name

    def _name(self, event: int, uuid: str) -> str:
        """The id of the copy of an event."""
        if not uuid or (self._material.entry(event) == NONE and self._has_later(uuid)):
            return self._making.derived(f"event {event}")
        return self.renamed(uuid)

    def _has_later(self, uuid: str) -> bool:
        """Whether the record is copied too that stands for an id by now."""
        return self._material.find(uuid) in self.composition.items

    def _maybe(self, uuid: Any) -> Any:
        return self.renamed(uuid) if type(uuid) is str and uuid else uuid

    # Parts of messages.

    def is_part(self, event: int) -> bool:
        """Whether the copy of an event is a line of a message, or a result."""
        return self._material.row_flags(event) & (ASSISTANT | RESULT) != 0

    def part(self, event: int) -> dict[str, Any]:
        """The copy of a line of a message, or of a result: as it was, but for what it names."""
        record = {**self._material.payload(event), **self.composition.edits.get(event, {})}
        if _SOURCE in record:
            record[_SOURCE] = self._maybe(record[_SOURCE])
        return record

    # Lines.

    def content(self) -> Iterator[bytes]:
        """The bytes, in pieces.

        Raises:
            SourceError: if the tape cannot be read any more.
        """
        waiting: list[bytes] = []
        size = 0
        for line in self.lines():
            waiting.append(line + b"\n")
            size += len(line) + 1
            if size >= _BATCH:
                yield b"".join(waiting)
                waiting.clear()
                size = 0
        yield b"".join(waiting)

    def lines(self) -> Iterator[bytes]:
        """The lines without their newlines; the title is the last, as in the owner's fork."""
        yield from map(self.line, range(len(self.composition.items)))
        if self.title:
            yield self.title_line()

    def title_line(self) -> bytes:
        """What the session is called."""
        title = self.title[:_TITLE]
        return line_of({"type": "custom-title", "customTitle": title, "sessionId": self._making.id})

    def line(self, place: int) -> bytes:
        """The line of an item."""
        item, parent = self.composition.items[place], self.composition.parents[place]
        if parent == BESIDE:
            edits = self.composition.edits.get(item, {})
            return self._exchanged(item, {"sessionId": self._making.id, **edits})
        above = None if parent == ROOT else self.id_of(parent)
        if item < 0:
            return self._made(place, ~item, above)
        material, mended = self._material, self._material.is_mended(item)
        raw = b"" if mended else material.raw(item)
        value = None if mended else plain(raw)
        record = material.payload(item) if value is None else value
        if place not in self._known:
            self._know(place, self._name(item, text(record.get("uuid"))))
        members = self._tied(place, item, record, above)
        if place == self._last and "timestamp" in record:
            members["timestamp"] = self._time
        members |= self.composition.edits.get(item, {})
        if mended or value is not None:
            # What was mended to be read is written as it was read.
            return line_of(record | members)
        return exchanged(raw, members)

    def _exchanged(self, event: int, members: dict[str, Any]) -> bytes:
        if self._material.is_mended(event):
            return line_of(self._material.payload(event) | members)
        return exchanged(self._material.raw(event), members)

    def _tied(
        self, place: int, event: int, record: dict[str, Any], above: str | None
    ) -> dict[str, Any]:
        """What ties a record to others and to its session."""
        uuid = text(record.get("uuid"))
        members: dict[str, Any] = {"parentUuid": above}
        if "logicalParentUuid" in record or self._material.flags(event) & BOUNDARY:
            members["logicalParentUuid"] = self._logical(place, record)
        members["uuid"] = self.id_of(place)
        members["sessionId"] = self._making.id
        members.update({name: GONE for name in _DROPPED if name in record})
        members.update((name, self._maybe(record[name])) for name in _NAMES if name in record)
        for name in _LISTS:
            if name in record:
                members[name] = [self._maybe(one) for one in items(record[name])]
        self._tie_values(event, record, members)
        if self._material.session is not None:
            members["forkedFrom"] = {"sessionId": self._material.session, "messageUuid": uuid}
        return members

    def _logical(self, place: int, record: dict[str, Any]) -> str | None:
        """The id of what stood before a compaction: the copy of what it names, or else of the last
        record before it.
        """
        event = self._material.find(record.get("logicalParentUuid"))
        found = ROOT
        composition = self.composition
        for other in range(place - 1, max(-1, place - 1 - _KNOWN), -1):
            if composition.parents[other] == BESIDE:
                continue
            found = other if found == ROOT else found
            if event is None or composition.items[other] == event:
                found = other
                break
        return None if found == ROOT else self.id_of(found)

    def _tie_values(self, event: int, record: dict[str, Any], members: dict[str, Any]) -> None:
        """What names other records within a member."""
        said = self.composition.metadata.get(event, record.get("compactMetadata"))
        if "compactMetadata" in record and type(said) is dict:
            members["compactMetadata"] = self._kept(said)
        cleared = record.get("microcompactMetadata")
        if not self._material.flags(event) & BOUNDARY:
            cleared = self.composition.metadata.get(event, cleared)
        if type(cleared) is dict and "microcompactMetadata" in record:
            members["microcompactMetadata"] = dict(cleared)
            if "clearedAttachmentUUIDs" in cleared:
                uuids = [self._maybe(one) for one in items(cleared["clearedAttachmentUUIDs"])]
                members["microcompactMetadata"]["clearedAttachmentUUIDs"] = uuids
        snipped = record.get("snipMetadata")
        if type(snipped) is dict and "removedUuids" in snipped:
            uuids = [self._maybe(one) for one in items(snipped["removedUuids"])]
            members["snipMetadata"] = {**snipped, "removedUuids": uuids}
        attachment = record.get("attachment")
        if type(attachment) is dict and "source_uuid" in attachment:
            source = self._maybe(attachment["source_uuid"])
            members["attachment"] = {**attachment, "source_uuid": source}

    def _kept(self, metadata: dict[str, Any]) -> dict[str, Any]:
        """What a boundary says of itself, with new ids for what it kept."""
        said = dict(metadata)
        segment, messages = said.get("preservedSegment"), said.get("preservedMessages")
        if type(segment) is dict:
            said["preservedSegment"] = {
                name: self._maybe(value) if name.endswith("Uuid") else value
                for name, value in segment.items()
            }
        if type(messages) is dict:
            said["preservedMessages"] = {
                name: [self._maybe(one) for one in value]
                if type(value) is list
                else self._maybe(value)
                if name == "anchorUuid"
                else value
                for name, value in messages.items()
            }
        return said

    def _made(self, place: int, number: int, above: str | None) -> bytes:
        record = self.composition.made[number]
        members: dict[str, Any] = {"parentUuid": above}
        if record.get("type") == "system":
            members["logicalParentUuid"] = self._logical(place, {})
        members |= {"isSidechain": False, "userType": "external"}
        members |= {
            name: value(self) if callable(value) else value for name, value in record.items()
        }
        members |= {
            "uuid": self.id_of(place),
            "timestamp": self._time,
            "sessionId": self._making.id,
        }
        return line_of(members)


def envelope(material: Material, event: int | None) -> dict[str, Any]:
    """What a record that is made says of its surroundings, as one of the tape does."""
    record = {} if event is None else mapping(material.payload(event))
    names = ("cwd", "version", "gitBranch", "entrypoint")
    return {name: record[name] for name in names if name in record}
