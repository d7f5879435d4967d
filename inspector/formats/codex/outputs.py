"""What the output of a tool says of how the tool ended (format page 2.4)."""

import re
from typing import Any, Final

import orjson

from inspector.formats.shapes import mapping, text, whole

_HEADER: Final = re.compile(
    r"\A(?:[^\n]{0,200}\n){0,4}(?:Process exited with code|Exit code:) (-?\d{1,10})\b"
)
"""The lines that some builds put before an output: ``Process exited with code 0``."""


_METADATA: Final = re.compile(
    r'"metadata":\{"exit_code":(-?\d{1,10}),"duration_seconds":[\d.eE+-]{1,30}\}\}\Z'
)
"""The end of an output that is JSON as the owner writes it; within a string the quotes would be
escaped, so it stands outside of one."""
_END: Final = 120
"""Characters in which it fits."""


def exit_code(output: Any) -> int | None:
    """The exit code of an output, from its JSON or the lines before it; None if it has none."""
    if type(output) is not str:
        return whole(mapping(mapping(output).get("metadata")).get("exit_code"))
    if output.startswith('{"'):
        end = _METADATA.search(output, max(0, len(output) - _END))
        if end is not None:
            return int(end[1])
        return whole(mapping(_json(output).get("metadata")).get("exit_code"))
    if "xit" not in output[:400]:
        return None
    found = _HEADER.match(output[:1_000])
    return int(found[1]) if found else None


def output_text(output: Any) -> str | None:
    """What an output says for a person, or None where only its JSON can be shown."""
    if type(output) is str:
        inner = _json(output).get("output") if output.startswith('{"') else None
        return inner if type(inner) is str else output
    if type(output) is list:
        parts = [mapping(part) for part in output]
        if all(type(part.get("text")) is str for part in parts):
            return "\n".join(text(part.get("text")) for part in parts)
    inner = mapping(output).get("output")
    return inner if type(inner) is str else None


def _json(output: str) -> dict[str, Any]:
    try:
        return mapping(orjson.loads(output))
    except orjson.JSONDecodeError:
        return {}
