"""Which records at the beginning of a fork are copies of its parent's (format page 2.5 and 2.10).

A fork of the older kind begins with the parent's records, with new times and no mark where they
end. They are compared by what they say.
"""

from collections.abc import Iterator
from typing import Any

import orjson

from inspector.formats.codex.beside.inheritance import REWRITTEN
from inspector.tape.lines import LineSplitter
from inspector.tape.source import Source, SourceError


class Copies:
    """Compares the records of a fork with those of its parent, both in order; owns the parent."""

    lacks = None
    """The parent is there."""

    def __init__(self, parent: Source) -> None:
        self._parent = parent
        self._records = self._read()

    def is_copy(self, record: dict[str, Any]) -> bool | None:
        """Whether the next record of the fork is one of the parent's.

        Returns:
            True or False, after which there are no more copies; None of a record that tells
            nothing.
        """
        kind = record.get("type")
        if kind in REWRITTEN:
            return None
        other = next(self._records, None)
        same = (
            other is not None
            and other.get("type") == kind
            and other.get("payload") == record.get("payload")
        )
        if not same:
            self.close()
        return same

    def close(self) -> None:
        """Give the parent's file back."""
        self._parent.close()

    def _read(self) -> Iterator[dict[str, Any]]:
        """The parent's records, but for those that may be rewritten."""
        splitter = LineSplitter(self._parent)
        while (batch := self._batch(splitter)) is not None:
            for line in batch:
                try:
                    value = orjson.loads(line)
                except orjson.JSONDecodeError:
                    continue
                if isinstance(value, dict) and value.get("type") not in REWRITTEN:
                    yield value

    def _batch(self, splitter: LineSplitter) -> list[bytes] | None:
        try:
            batch = splitter.batch()
        except SourceError:
            return None
        return None if batch is None else batch[1]
