"""Where the frames of a compressed source begin, in the file and in its text."""

from bisect import bisect_right

from inspector.columns import Column, wide


class FrameTable:
    """Every frame, or member, that began: three numbers each, in the order of the file.

    A frame whose text is left out is an entry that ends where it begins in the text.
    """

    def __init__(self) -> None:
        self._packed: Column = wide()
        self._length: Column = wide()
        self._plain: Column = wide()

    def __len__(self) -> int:
        # Appended last: whoever reads while a frame begins sees all of it or nothing.
        return len(self._plain)

    def begin(self, packed: int, plain: int) -> None:
        """A frame begins at a byte of the file and at a byte of the text."""
        self._packed.append(packed)
        self._length.append(0)
        self._plain.append(plain)

    def end(self, length: int) -> None:
        """The last frame that began takes this many bytes of the file."""
        self._length[-1] = length

    def packed(self, frame: int) -> int:
        """The byte of the file at which a frame begins."""
        return self._packed[frame]

    def plain(self, frame: int) -> int:
        """The byte of the text at which a frame begins."""
        return self._plain[frame]

    def length(self, frame: int) -> int:
        """The bytes of the file that a frame takes; 0 as long as its end is not known."""
        return self._length[frame]

    def frame_of(self, plain: int) -> int:
        """The frame that a byte of the text comes from; -1 before the first frame."""
        return bisect_right(self._plain, plain) - 1
