"""How a command prints a list, a row at a time."""

import argparse
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from inspector.cli.endings import put


class Counted:
    """Rows that are counted as somebody takes them.

    Attributes:
        rows: how many were taken.
    """

    def __init__(self, rows: Iterable[dict[str, Any]]) -> None:
        self._rows = rows
        self.rows = 0

    def __iter__(self) -> Iterator[dict[str, Any]]:
        for row in self._rows:
            self.rows += 1
            yield row


def put_document(parsed: argparse.Namespace, document: dict[str, Any], text: Iterable[str]) -> None:
    """Print one answer in the form asked for; ``text`` is the same for people."""
    from inspector.export import documents  # not for --help

    put([documents.dumps(document)] if parsed.json else text)


def put_list(
    parsed: argparse.Namespace,
    rows: Iterable[dict[str, Any]],
    text: Callable[[Iterable[dict[str, Any]]], Iterator[str]],
) -> None:
    """Print a list in the form asked for, a row at a time."""
    from inspector.export import documents  # not for --help

    if parsed.jsonl:
        put(map(documents.dumps, rows))
    elif parsed.json:
        put(documents.dump_list(rows))
    else:
        put(text(rows))
