"""Files beside plans: a plan that was kept, a summary that somebody wrote; read and kept here."""

import json
from enum import Enum
from pathlib import Path
from typing import IO, Any, Final

import orjson

from inspector.formats.planning import PlanError
from inspector.plans.saved import Saved, saved
from inspector.tape.source import FileSource, SourceError

_LARGEST_PLAN: Final = 256 << 20
"""Bytes of a plan that was kept: it lists every row of two surfaces."""

_LARGEST_SUMMARY: Final = 4 << 20
"""Bytes of a file with a summary."""


class Fault(Enum):
    """What is wrong with a file."""

    UNREADABLE = "unreadable"
    WRONG = "wrong"
    EXISTS = "exists"


class PlanFileError(Exception):
    """A file that cannot be read or made; one sentence without its path, and what it is."""

    def __init__(self, message: str, fault: Fault) -> None:
        super().__init__(message)
        self.fault = fault


def read_plan(path: Path) -> Saved:
    """A plan that was kept.

    Raises:
        PlanFileError: if there is no regular file that can be read, or it is no plan of ours.
    """
    try:
        return saved(_json(_read(path, _LARGEST_PLAN, "a plan")))
    except PlanError as error:
        raise PlanFileError(str(error), Fault.WRONG) from error


def _json(data: bytes) -> Any:
    # A path may have bytes that are no text: half of a pair of surrogates stands for each, which
    # only one of the two readers takes.
    try:
        return orjson.loads(data)
    except orjson.JSONDecodeError:
        pass
    try:
        return json.loads(data)
    except (ValueError, RecursionError) as error:
        raise PlanFileError("is no JSON", Fault.WRONG) from error


def read_summary(path: Path) -> str:
    """The summary that a file holds.

    Raises:
        PlanFileError: if there is no regular file that can be read, or it is no text.
    """
    return _text(_read(path, _LARGEST_SUMMARY, "a summary"))


def summary_of(stream: IO[bytes]) -> str:
    """The summary that a stream holds up to its end.

    Raises:
        PlanFileError: if it cannot be read, or is no text.
    """
    try:
        return _text(stream.read(_LARGEST_SUMMARY + 1))
    except OSError as error:
        raise PlanFileError(error.strerror or "cannot be read", Fault.UNREADABLE) from error


def _text(data: bytes) -> str:
    if len(data) > _LARGEST_SUMMARY:
        raise PlanFileError("is too large for a summary", Fault.WRONG)
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        raise PlanFileError("is no UTF-8", Fault.WRONG) from error


def _read(path: Path, most: int, what: str) -> bytes:
    # As tapes are opened: a pipe that nobody writes to is waited for by nobody.
    try:
        with FileSource(path) as file:
            data = file.read(0, most + 1)
    except SourceError as error:
        raise PlanFileError(str(error), Fault.UNREADABLE) from error
    if len(data) > most:
        raise PlanFileError(f"is too large for {what}", Fault.WRONG)
    return data


def keep(path: Path, text: str) -> None:
    """Keep a plan in a file that does not exist yet.

    Raises:
        PlanFileError: if it exists, or cannot be written.
    """
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(f"{text}\n")
    except FileExistsError as error:
        raise PlanFileError("exists already", Fault.EXISTS) from error
    except (OSError, ValueError) as error:
        why = error.strerror if isinstance(error, OSError) else None
        raise PlanFileError(why or str(error), Fault.UNREADABLE) from error
