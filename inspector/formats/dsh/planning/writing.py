"""A log that does not exist yet: header, what it inherits, and what it begins with of its own."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final

from inspector.formats.dsh.header import Header
from inspector.formats.dsh.planning.copying import Copy
from inspector.formats.dsh.planning.inheriting import registers
from inspector.formats.dsh.planning.kept import Kept
from inspector.formats.dsh.planning.material import Material
from inspector.formats.dsh.planning.target import (
    SEEDED_SINCE,
    Target,
    header_line,
    target_of,
    working_directory,
)
from inspector.formats.dsh.planning.texts import event_line
from inspector.formats.planning import Check, Draft, How, Making, Write
from inspector.formats.shapes import mapping
from inspector.text.jsontext import json_bytes

OPENS: Final = "owner-opens"
LINEAGE: Final = "lineage"

END_SEED: Final = "session/end-seed"

_BATCH: Final = 1 << 20
"""Bytes of text that are packed into one frame, to the end of their last line."""

_SHOWN: Final = 20


@dataclass(frozen=True, slots=True)
class Child:
    """A log that would be made of another.

    Attributes:
        material: of the other.
        kept: what it inherits.
        making: its identity, and when it is made.
        closed: lines behind what it inherits that close it; they count as inherited.
        own: lines that come behind the end of the seed.
    """

    material: Material
    kept: Kept
    making: Making
    closed: Sequence[bytes] = ()
    own: Sequence[bytes] = ()

    @property
    def seed(self) -> int:
        """How many events it inherits."""
        return self.kept.count + len(self.closed)

    @property
    def marks_seed(self) -> bool:
        """Whether an event ends the seed that is not there yet (page 4.2 and 4.6)."""
        last = self.kept.last()
        if self.closed or last is None:
            return True
        material = self.material
        if material.timeline.table.type(last) != END_SEED:
            return True
        inherits = mapping(material.payload(last).get("data")).get("inherited") is True
        return material.version >= SEEDED_SINCE and not inherits

    @property
    def next(self) -> int:
        """The number of the first event behind the end of the seed."""
        return self.seed + self.marks_seed

    @property
    def target(self) -> Target:
        """Where it would stand."""
        material = self.material
        directory = working_directory(self._header)
        return target_of(material.log.path, directory, material.version, self.making)

    @property
    def _header(self) -> Header:
        return self.material.log.header or Header()

    def content(self) -> Iterator[bytes]:
        """Its bytes, in pieces.

        Raises:
            SourceError: if the other cannot be read any more.
        """
        first = header_line(self._header, self.material.version, self.seed, self.making)
        behind = self._behind()
        if self.target.packed:
            yield from framed(chain((first,), _batches(Copy(self.material, self.kept).pieces())))
            yield from framed((b"".join(behind),) if behind else ())
        else:
            yield first
            yield from Copy(self.material, self.kept).pieces()
            yield from behind

    def _behind(self) -> list[bytes]:
        lines = list(self.closed)
        if self.marks_seed:
            data = {"inherited": True} if self.material.version >= SEEDED_SINCE else {}
            lines.append(event_line(END_SEED, self.seed, self.making.time, json_bytes(data)))
        return lines + list(self.own)

    def draft(
        self,
        *,
        checks: Iterable[Check] = (),
        remarks: Iterable[str] = (),
        dropped: Mapping[str, int] | None = None,
    ) -> Draft:
        """What is said of it in a plan.

        Args:
            checks: what was looked at beside.
            remarks: what else is to be said.
            dropped: how many events behind those inherited are left out, by why.
        """
        return Draft(
            (Write(self.target.path, How.CREATE, self.content, own=2),),
            kept=self.kept.count,
            omitted={**self.kept.whys, **(dropped or {})},
            checks=(*self._checks(), *checks),
            remarks=(*self._remarks(), *remarks),
            place=tuple(self._place()),
            registers=registers(self.material, self.kept),
        )

    def _checks(self) -> Iterator[Check]:
        refused = self.kept.refused
        more = f" and {len(refused) - _SHOWN} more" if len(refused) > _SHOWN else ""
        why = "; ".join(refused[:_SHOWN]) + more
        yield Check(OPENS, not refused, why or "nothing is copied that the owner refuses")
        if self._header.id is None:
            why = "the tape has no id, so the new one cannot name it as its parent"
            yield Check(LINEAGE, ok=False, message=why, blocks=False)
        else:
            yield Check(LINEAGE, ok=True, message="the new tape names this one as its parent")

    def _remarks(self) -> Iterator[str]:
        if not self.kept.verbatim:
            moved = "events bear other numbers than here"
            same = "events bear the numbers that they have here"
            yield f"what is copied is written anew: {moved if self._moves else same}"

    @property
    def _moves(self) -> bool:
        """Whether an event that is kept has another number there: if one has, the last one too.

        The numbers of what is kept grow, and those of the new log count up by one.
        """
        last = self.kept.last()
        return last is not None and self.material.number(last) != self.kept.number(last)

    def _place(self) -> Iterator[str]:
        if not self.target.found:
            yield (
                "the tape does not stand in a tree of sessions of the owner: the new one is made "
                "beside it, where the owner does not look"
            )


def last_time(material: Material, kept: int, making: Making) -> int:
    """The time of the last event kept, or that of the making where there is none."""
    time = material.timeline.table.time(kept - 1) if kept else None
    return making.time if time is None else time


def framed(batches: Iterable[bytes]) -> Iterator[bytes]:
    """Each batch of whole lines as a frame, as the owner's writer makes it (page 1.3)."""
    from inspector.tape.zstd_writing import frame  # only for logs that are kept so

    return map(frame, batches)


def _batches(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Pieces of text joined to batches that end with a line."""
    waiting: list[bytes] = []
    size = 0
    for piece in pieces:
        behind = piece.rfind(b"\n") + 1
        if size + behind >= _BATCH and behind:
            yield b"".join((*waiting, piece[:behind]))
            waiting, size = [piece[behind:]], len(piece) - behind
        else:
            waiting.append(piece)
            size += len(piece)
    if size:
        yield b"".join(waiting)
