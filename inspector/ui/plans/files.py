"""Saved plans and summaries in files: what a person names is read, or made anew."""

from pathlib import Path
from typing import Any, Final

import orjson

from inspector.export.documents import dumps
from inspector.formats.planning import PlanError
from inspector.plans.saved import Saved, saved
from inspector.text.gate import clean_line

_MOST: Final = 256 << 20
"""Bytes of a saved plan that are read: it lists every row of two surfaces."""

_MOST_SUMMARY: Final = 4 << 20
"""Bytes of a file with a summary."""


class FileError(Exception):
    """A file that cannot be read or made; one cleaned sentence, why first: a path may be long."""


def save(text: str, document: dict[str, Any]) -> str:
    """Keep a plan in a file that does not exist yet; its path, cleaned.

    Raises:
        FileError: if it exists, or cannot be written.
    """
    path = _path(text)
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(f"{dumps(document)}\n")
    except FileExistsError as error:
        raise FileError(f"exists already, nothing was written: {_shown(path)}") from error
    except (OSError, ValueError) as error:
        raise _failure(path, error) from error
    return _shown(path)


def load(text: str) -> Saved:
    """A plan that was saved.

    Raises:
        FileError: if it cannot be read, or is none.
    """
    path = _path(text)
    try:
        return saved(orjson.loads(_read(path, _MOST)))
    except orjson.JSONDecodeError as error:
        raise FileError(f"is no JSON: {_shown(path)}") from error
    except PlanError as error:
        raise FileError(f"{clean_line(str(error), 200)}: {_shown(path)}") from error


def summary(text: str) -> str:
    """The summary that a file holds.

    Raises:
        FileError: if it cannot be read.
    """
    path = _path(text)
    try:
        return _read(path, _MOST_SUMMARY).decode()
    except UnicodeDecodeError as error:
        raise FileError(f"is no UTF-8: {_shown(path)}") from error


def _read(path: Path, most: int) -> bytes:
    try:
        if not path.is_file():
            raise FileError(f"is no file: {_shown(path)}")
        with path.open("rb") as file:
            data = file.read(most + 1)
    except (OSError, ValueError) as error:
        raise _failure(path, error) from error
    if len(data) > most:
        raise FileError(f"is too large: {_shown(path)}")
    return data


def _path(text: str) -> Path:
    try:
        return Path(text).expanduser()
    except RuntimeError as error:
        raise FileError(f"there is no such home: {clean_line(text, 200)}") from error


def _failure(path: Path, error: Exception) -> FileError:
    why = error.strerror if isinstance(error, OSError) else None
    return FileError(f"{clean_line(why or str(error), 200)}: {_shown(path)}")


def _shown(path: Path) -> str:
    return clean_line(str(path), 200)
