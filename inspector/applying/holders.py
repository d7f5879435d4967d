"""Who has a file open to write to it, where the machine tells (``/proc``, Linux)."""

import os
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

_PROCESSES: Final = Path("/proc")
_WRITES: Final = os.O_WRONLY | os.O_RDWR


def writers(path: Path, processes: Path = _PROCESSES) -> list[str]:
    """The other processes that can write to a file, in words; none where that is not told.

    Args:
        path: of the file.
        processes: where the machine tells of processes.
    """
    try:
        wanted = path.stat()
        numbers = sorted(int(one.name) for one in processes.iterdir() if one.name.isdecimal())
    except OSError:
        return []
    target = wanted.st_dev, wanted.st_ino
    return [
        f"process {number} ({_name(processes, number)})"
        for number in numbers
        if number != os.getpid() and any(_writing(processes / str(number), target))
    ]


def _writing(process: Path, target: tuple[int, int]) -> Iterator[bool]:
    """Whether each file that a process holds is the wanted one, held to be written."""
    try:
        held = [one.name for one in (process / "fd").iterdir()]
    except OSError:
        # Of another person, or gone meanwhile.
        return
    for one in held:
        with suppress(OSError, ValueError):
            found = (process / "fd" / one).stat()
            if (found.st_dev, found.st_ino) == target:
                yield bool(_flags(process / "fdinfo" / one) & _WRITES)


def _flags(path: Path) -> int:
    for line in path.read_text().splitlines():
        if line.startswith("flags:"):
            return int(line.removeprefix("flags:").strip(), 8)
    return 0


def _name(processes: Path, number: int) -> str:
    try:
        return (processes / str(number) / "comm").read_text(errors="replace").strip()
    except OSError:
        return "unknown"
