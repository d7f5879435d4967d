"""Saved plans and summaries by what a person types for their path."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from inspector.export.documents import dumps
from inspector.planfiles import Fault, PlanFileError, keep, read_plan, read_summary
from inspector.plans.saved import Saved
from inspector.text.gate import clean_line

_Read = TypeVar("_Read")


class FileError(Exception):
    """A file that cannot be read or made; one cleaned sentence, why first: a path may be long."""


def save(text: str, document: dict[str, Any]) -> str:
    """Keep a plan in a file that does not exist yet; its path, cleaned.

    Raises:
        FileError: if it exists, or cannot be written.
    """
    path = _path(text)
    try:
        keep(path, dumps(document))
    except PlanFileError as error:
        taken = error.fault is Fault.EXISTS
        why = "exists already, nothing was written" if taken else str(error)
        raise _failure(path, why) from error
    return _shown(path)


def load(text: str) -> Saved:
    """A plan that was saved.

    Raises:
        FileError: if it cannot be read, or is none.
    """
    return _read(text, read_plan)


def summary(text: str) -> tuple[str, Path]:
    """The summary that a file holds, and that file.

    Raises:
        FileError: if it cannot be read.
    """
    return _read(text, read_summary), _path(text)


def _read(text: str, read: Callable[[Path], _Read]) -> _Read:
    path = _path(text)
    try:
        return read(path)
    except PlanFileError as error:
        unreadable = error.fault is Fault.UNREADABLE
        raise _failure(path, f"is no file: {error}" if unreadable else str(error)) from error


def _path(text: str) -> Path:
    try:
        return Path(text).expanduser()
    except RuntimeError as error:
        raise FileError(f"there is no such home: {clean_line(text, 200)}") from error


def _failure(path: Path, why: str) -> FileError:
    return FileError(f"{clean_line(why, 200)}: {_shown(path)}")


def _shown(path: Path) -> str:
    return clean_line(str(path), 200)
