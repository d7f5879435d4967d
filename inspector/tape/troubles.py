"""What went wrong while a compressed source was unpacked, and where."""

from enum import StrEnum
from typing import Final, NamedTuple

TROUBLES_KEPT: Final = 1_000
"""Troubles kept with their words; those beyond are counted, as a hostile file has any number."""


class TroubleCode(StrEnum):
    """The kinds of trouble."""

    DAMAGED_FRAME = "damaged-frame"
    """A frame, or member, that cannot be decoded or fails its checksum."""

    UNREADABLE_FRAME = "unreadable-frame"
    """A frame that is whole, but needs what this reader lacks: a dictionary, a larger window."""

    SKIPPED_FRAME = "skipped-frame"
    """A skippable frame: it holds no text."""

    NOT_A_FRAME = "not-a-frame"
    """Bytes where a frame should begin."""

    TORN_FRAME = "torn-frame"
    """The file ends inside a frame."""

    TORN_STREAM = "torn-stream"
    """The file ends inside a gzip member."""

    UNPACK_LIMIT = "unpack-limit"
    """Unpacking stopped before the end of the file."""

    MORE_TROUBLES = "more-troubles"
    """So many troubles that the last ones are only counted."""


class Trouble(NamedTuple):
    """One trouble: its byte in the compressed file, and in the text the byte before which it is."""

    code: TroubleCode
    packed: int
    plain: int
    message: str


class Troubles:
    """All troubles of a source, in the order of the file."""

    def __init__(self) -> None:
        self._kept: list[Trouble] = []
        self._more = 0
        self._more_from: tuple[int, int] = 0, 0

    def add(self, trouble: Trouble) -> None:
        """One more, which stays."""
        if len(self._kept) < TROUBLES_KEPT:
            self._kept.append(trouble)
            return
        if not self._more:
            self._more_from = trouble.packed, trouble.plain
        self._more += 1

    def listed(self) -> list[Trouble]:
        """Those kept and, if there were more, one that counts them at the place of the first."""
        listed = list(self._kept)
        if self._more:
            packed, plain = self._more_from
            words = f"{self._more} more troubles from byte {packed} on are not listed"
            listed.append(Trouble(TroubleCode.MORE_TROUBLES, packed, plain, words))
        return listed
