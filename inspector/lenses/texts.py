"""What an event says, for lenses that compare texts: no headings, no remarks, no syntax."""

from collections.abc import Iterable, Iterator
from typing import Any, Final

import orjson

from inspector.formats.contract import Section, Tape

_MOST: Final = 400_000
"""Characters of one section that are taken apart."""


def said(tape: Tape, event: int) -> str:
    """What an event says: of arguments and other values what they hold, not their keys.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    return told_by(tape.sections(event))


def said_of_node(tape: Tape, node: int) -> str:
    """What a row says, where its event brings several; errors as of `said`."""
    return told_by(tape.node_sections(node))


def told_by(sections: Iterable[Section]) -> str:
    """What sections say, as `said` of the event that they are of."""
    return "\n".join(
        _plain(section) for section in sections if section.tone != "dim" and not section.remark
    )


def _plain(section: Section) -> str:
    if section.tone != "code" or section.text[:1] not in ("{", "["):
        return section.text
    try:
        value = orjson.loads(section.text[:_MOST])
    except orjson.JSONDecodeError:
        return section.text
    return "\n".join(_values(value))


def _values(value: Any) -> Iterator[str]:
    waiting = [value]
    while waiting:
        one = waiting.pop()
        if isinstance(one, dict):
            waiting.extend(reversed(one.values()))
        elif isinstance(one, list):
            waiting.extend(reversed(one))
        elif one is not None:
            yield str(one)
