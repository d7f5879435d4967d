"""How a command ends: exit codes, complaints on stderr, data on stdout."""

import os
import sys
import traceback
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from inspector.text.gate import clean_line

FINE: Final = 0
FOUND: Final = 1
WRONG_CALL: Final = 2
UNREADABLE: Final = 3
REFUSED: Final = 4

EXITS: Final = (
    "Exit codes: 0 fine; 1 done, but there are error findings; 2 the call is wrong; "
    "3 nothing can be read; 4 refused."
)
"""The exit codes in words, for help texts."""


class Failure(Exception):  # noqa: N818 - not every end is an error
    """An end with one line on stderr and an exit code of the contract."""

    def __init__(self, message: str, code: int) -> None:
        super().__init__(message)
        self.code = code


def fault_words(fault: Exception) -> str:
    """A fault of the program itself in one line: what broke, and where."""
    frames = traceback.extract_tb(fault.__traceback__)
    where = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    return (
        f"a fault of this program, please report it: {type(fault).__name__}{where}; "
        "nothing was written"
    )


def complain(message: str) -> None:
    """Say one line on stderr."""
    sys.stderr.write(f"inspector: {clean_line(message)}\n")


def put(lines: Iterable[str]) -> None:
    """Print lines on stdout.

    Raises:
        Failure: if there is no stdout, or it takes no more.
        BrokenPipeError: if nobody reads it any more.
    """
    if sys.stdout is None:
        raise Failure("there is no standard output", FOUND)
    try:
        for line in lines:
            sys.stdout.write(f"{line}\n")
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        # What is still buffered would be tried again at the end of the process.
        discard_output()
        raise Failure(f"cannot write: {error.strerror}", FOUND) from error


def discard_output() -> None:
    """Let what is still buffered for stdout go nowhere."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
