"""What the owner would read of a log that is not written."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final, NamedTuple

from inspector.formats.codex.planning.rollout import Rollout
from inspector.formats.planning import Check, Draft
from inspector.tape.source import FileSource
from inspector.text.labels import plural, token_words
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Kind, Role

MODEL_VIEW: Final = "model-view"

_LARGEST: Final = 256 * 1024 * 1024
"""Bytes up to which a log is composed to look at it."""


class Composed(FileSource):
    """The text of a log that is in no file, where a file is read.

    Args:
        path: where it would be written.
        text: all of it.
    """

    def __init__(self, path: Path, text: bytes) -> None:
        # There is nothing to be opened.
        self.path = path
        self.named = False
        self._descriptor = -1
        self._text = text

    def identity(self) -> tuple[int, int]:
        """That of no file."""
        return 0, 0

    def state(self) -> tuple[int, int]:
        """Its bytes; it is never modified."""
        return len(self._text), 0

    def size(self) -> int:
        """Its bytes."""
        return len(self._text)

    def read(self, offset: int, length: int) -> bytes:
        """Some of them."""
        return self._text[offset : offset + length]


def with_model_view(rollout: Rollout, draft: Draft) -> Draft:
    """A draft of one log, and whether the model sees the same by it as by the one there is."""
    return replace(draft, checks=(*draft.checks, _model_view(rollout, draft)))


def _model_view(rollout: Rollout, draft: Draft) -> Check:
    (write,) = draft.writes
    size = write.size()
    if size > _LARGEST:
        why = f"the new log has {size:,} bytes and was not folded: what the model sees may change"
        return Check(MODEL_VIEW, ok=False, message=why, blocks=False)
    before = _seen(rollout.timeline)
    after = _seen(rollout.rehearsed(Composed(write.to, b"".join(write.content()))))
    if before == after:
        return Check(MODEL_VIEW, ok=True, message=f"the model sees the same: {_told(before)}")
    why = (
        f"the model sees {_told(before)}, now, and {_told(after)}, by the new log, in which Codex "
        "reads the records that it skips now"
    )
    return Check(MODEL_VIEW, ok=False, message=why, blocks=False)


class _Row(NamedTuple):
    """A row of one log that is compared with one of another."""

    role: Role
    kind: Kind
    tokens: int


def _seen(timeline: Timeline) -> list[_Row]:
    """What the model sees at the head of a log."""
    nodes = timeline.surface.nodes
    return [
        _Row(nodes.role(row.node), nodes.kind(row.node), nodes.tokens[row.node])
        for row in timeline.rows(timeline.events)
    ]


def _told(seen: Sequence[_Row]) -> str:
    return f"{plural(len(seen), 'row')}, {token_words(sum(row.tokens for row in seen))}"
