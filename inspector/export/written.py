"""How a document is written for scripts; without what makes documents, which is dear to import."""

from collections.abc import Iterable, Iterator
from typing import Any

from inspector.text.gate import escape_json
from inspector.text.jsontext import json_text


def dumps(document: Any) -> str:
    """A document as JSON text on one line, safe to show on a terminal."""
    return escape_json(json_text(document))


def dump_list(documents: Iterable[Any]) -> Iterator[str]:
    """Documents as one JSON array over several lines, never more than one in memory."""
    before = "["
    for document in documents:
        yield before + dumps(document)
        before = ","
    yield "]" if before == "," else "[]"
