"""The pager of the person over the screen: all of a text, cleaned, from a file that is removed."""

import os
import shlex
import shutil
import signal
import subprocess
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from textual.app import App, SuspendNotSupported

from inspector.export import transcript as transcripts
from inspector.export.why import name
from inspector.inspection import Inspection
from inspector.lenses.transcript import Entry
from inspector.text.gate import clean_block, clean_line

_KNOWN: Final = ("less", "more")
"""Pagers that are looked for where the person names none."""

NONE: Final = "no pager: set PAGER to one"
"""What is said where there is none."""


def pager(environment: Mapping[str, str]) -> list[str] | None:
    """The words of the pager that a person has, or None.

    Args:
        environment: whose ``PAGER`` and ``PATH`` count.
    """
    path = environment.get("PATH")
    try:
        words = shlex.split(environment.get("PAGER", ""))
    except ValueError:
        return None
    if words:
        return words if shutil.which(words[0], path=path) else None
    return next(([found] for known in _KNOWN if (found := shutil.which(known, path=path))), None)


def full_text(inspection: Inspection, event: int, entry: Entry | None) -> Iterator[str]:
    """All that an entry of the transcript says, else all that an event says, cleaned."""
    tape = inspection.tape
    if entry is not None:
        yield from transcripts.in_full(tape, transcripts.entry_document(tape, entry))
        return
    headline = tape.headline(event)
    yield f"{name(tape, event)}  {clean_line(headline.kind, 80)}\n"
    for section in tape.sections(event):
        yield "\n"
        if section.heading:
            yield f"{clean_line(section.heading, 200)}\n"
        yield f"{clean_block(section.text)}\n"


def page(app: App[Any], text: Iterable[str]) -> str:
    """Show a text in the person's pager while the program waits; what is to be said of it."""
    words = pager(os.environ)
    if words is None:
        return NONE
    try:
        with TemporaryDirectory(prefix="inspector-") as folder:
            path = Path(folder) / "text"
            with path.open("w", encoding="utf-8", errors="replace") as file:
                file.writelines(text)
            with app.suspend():
                return _run([*words, str(path)])
    except SuspendNotSupported:
        return "this terminal cannot be given to a pager"
    except OSError as error:
        return clean_line(f"the pager could not be shown the text: {error.strerror}", 200)


def _run(words: list[str]) -> str:
    # Ctrl+C is the pager's own; in a child a handler is what it was by default.
    before = signal.signal(signal.SIGINT, lambda _number, _frame: None)
    try:
        done = subprocess.run(words, check=False)  # noqa: S603 - the person's own pager
    finally:
        signal.signal(signal.SIGINT, before)
    if done.returncode:
        return clean_line(f"{words[0]} ended with {done.returncode}", 200)
    return ""
