"""Which rows the manifests of requests name: what is sure to have been sent (format page 6)."""

from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any, Final

from inspector.columns import Column
from inspector.formats.deepchat.sources.session_log import SessionLog
from inspector.formats.shapes import items, mapping, natural, text
from inspector.timeline.timeline import Timeline

_LOOKED_AT: Final = 64
"""Manifests behind a row that are read: the next one or two name it if any does."""

_KEPT: Final = 64
"""Manifests whose names are kept."""

Names = dict[int, str]
"""The message that an entry holds by its number, as a manifest has it; empty where it says none."""


class Naming:
    """Looks rows up in manifests.

    Args:
        log: the rows.
        told: the events of the manifests that can be relied on.
        payload: reads a row.
        timeline: of the session.
    """

    def __init__(
        self,
        log: SessionLog,
        told: Column,
        payload: Callable[[int], dict[str, Any]],
        timeline: Timeline,
    ) -> None:
        self._log = log
        self._told = told
        self._payload = payload
        self._timeline = timeline
        self._kept: OrderedDict[int, Names] = OrderedDict()

    def first(self, event: int, message: str | None, cursor: int) -> int | None:
        """The first manifest up to a cursor that names a row, or None.

        Args:
            event: the row.
            message: the owner's id of the message that it holds.
            cursor: 0 to the head.
        """
        record = self._timeline.table.record(event)
        number = self._log.number(record)
        if number is None:
            return None
        stretch = next((part for part in self._log.stretches() if record in part), range(0))
        start = bisect_right(self._told, event)
        for manifest in self._told[start : start + _LOOKED_AT]:
            # Another part of a fork's rows counts anew.
            if manifest >= cursor or self._timeline.table.record(manifest) not in stretch:
                return None
            named = self._names(manifest).get(number)
            if named is not None and named in ("", message):
                return manifest
        return None

    def _names(self, manifest: int) -> Names:
        kept = self._kept.get(manifest)
        if kept is None:
            payload = mapping(self._payload(manifest).get("payload"))
            kept = dict(_named(mapping(mapping(payload.get("data")).get("manifest"))))
            self._kept[manifest] = kept
            if len(self._kept) > _KEPT:
                self._kept.popitem(last=False)
        return kept


def _named(manifest: dict[str, Any]) -> Iterator[tuple[int, str]]:
    """The entries that went into a request: themselves, or what was made of them."""
    for one in items(manifest.get("included")):
        entry = mapping(one)
        for source in items(entry.get("sourceEntryIds")):
            number = natural(source)
            if number is not None:
                yield number, ""
        number = natural(entry.get("entryId"))
        if number is not None:
            yield number, text(entry.get("messageId"))
