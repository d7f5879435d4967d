"""What travels of a record from behind a cut: what a fork needs of it, and nothing that it says of
what is undone there.

A history as it was compacted later is given to an earlier cut by records from behind it. They may
say what a person asked for then, which tools were known, and which messages there were.
"""

from collections.abc import Iterable
from typing import Any, Final

from inspector.formats.claude.planning.branch import REPLACEMENT, answers_one_of
from inspector.formats.claude.planning.composing import Composition, History
from inspector.formats.claude.planning.material import Material
from inspector.formats.claude.tree.store import BOUNDARY
from inspector.formats.copied_lines import GONE
from inspector.formats.shapes import items, mapping

COMPACTED: Final = "Conversation compacted"
"""What the owner's boundaries say (format page 1.9)."""

_AROUND: Final = frozenset(("parentUuid", "logicalParentUuid", "isSidechain", "userType")) | {
    *("cwd", "sessionId", "version", "gitBranch", "entrypoint", "type", "uuid", "timestamp"),
    "forkedFrom",
}
"""What every record says that a fork writes."""

_OF_SUMMARIES: Final = _AROUND | {
    "message",
    "isMeta",
    "isCompactSummary",
    "isVisibleInTranscriptOnly",
}
_OF_NOTICES: Final = _AROUND | {"subtype", "level", "isMeta"}
_OF_BOUNDARIES: Final = _OF_NOTICES | {"compactMetadata"}
_OF_CLEARINGS: Final = _OF_NOTICES | {"microcompactMetadata"}
_OF_REPLACEMENTS: Final = frozenset(("type", "sessionId", "uuid", "timestamp", "replacements"))

_TRIGGERS: Final = ("auto", "manual")
_SEGMENT: Final = ("headUuid", "anchorUuid", "tailUuid")
_LISTS: Final = ("uuids", "allUuids")


def spared(history: History, composition: Composition) -> Composition:
    """A composition in which records from behind the cut say no more than is needed."""
    material = history.material
    if history.cut >= material.head:
        return composition
    behind = [item for item in composition.items if item >= history.cut]
    there = frozenset(composition.items) if behind else frozenset()
    for event in behind:
        record = material.payload(event)
        if material.flags(event) & BOUNDARY:
            _boundary(material, composition, event, record, there)
        elif record.get("isCompactSummary") is True:
            _only(composition, event, record, _OF_SUMMARIES)
            message = mapping(record.get("message"))
            said = {name: message[name] for name in ("role", "content") if name in message}
            composition.edits[event]["message"] = said
        elif record.get("subtype") == "microcompact_boundary":
            _only(composition, event, record, _OF_CLEARINGS)
            composition.metadata[event] = _cleared(material, record, there)
        elif record.get("type") == REPLACEMENT:
            _only(composition, event, record, _OF_REPLACEMENTS)
            composition.edits[event]["replacements"] = [
                one
                for one in items(record.get("replacements"))
                if answers_one_of(material, mapping(one).get("toolUseId"), there)
            ]
    return composition


def _only(
    composition: Composition, event: int, record: dict[str, Any], names: Iterable[str]
) -> None:
    gone = dict.fromkeys((name for name in record if name not in names), GONE)
    composition.edits[event] = {**composition.edits.get(event, {}), **gone}


def _boundary(
    material: Material,
    composition: Composition,
    event: int,
    record: dict[str, Any],
    there: frozenset[int],
) -> None:
    _only(composition, event, record, _OF_BOUNDARIES)
    if "content" in record:
        composition.edits[event]["content"] = COMPACTED
    if "level" in record:
        composition.edits[event]["level"] = "info"
    metadata = mapping(composition.metadata.get(event, record.get("compactMetadata")))
    said: dict[str, Any] = {}
    if metadata.get("trigger") in _TRIGGERS:
        said["trigger"] = metadata["trigger"]
    segment = mapping(metadata.get("preservedSegment"))
    if segment:
        said["preservedSegment"] = {
            name: segment[name] for name in _SEGMENT if _stands(material, segment.get(name), there)
        }
    messages = mapping(metadata.get("preservedMessages"))
    if messages:
        kept: dict[str, Any] = {}
        if _stands(material, messages.get("anchorUuid"), there):
            kept["anchorUuid"] = messages["anchorUuid"]
        for name in _LISTS:
            if name in messages:
                uuids = items(messages[name])
                kept[name] = [uuid for uuid in uuids if _stands(material, uuid, there)]
        said["preservedMessages"] = kept
    composition.metadata[event] = said


def _stands(material: Material, uuid: Any, there: frozenset[int]) -> bool:
    """Whether an id is that of a record that travels."""
    return material.find(uuid) in there


def _cleared(material: Material, record: dict[str, Any], there: frozenset[int]) -> dict[str, Any]:
    metadata = mapping(record.get("microcompactMetadata"))
    said: dict[str, Any] = {}
    if metadata.get("trigger") in _TRIGGERS:
        said["trigger"] = metadata["trigger"]
    calls = items(metadata.get("compactedToolIds"))
    said["compactedToolIds"] = [one for one in calls if answers_one_of(material, one, there)]
    if "clearedAttachmentUUIDs" in metadata:
        uuids = items(metadata["clearedAttachmentUUIDs"])
        said["clearedAttachmentUUIDs"] = [one for one in uuids if _stands(material, one, there)]
    return said
