"""What a transcript is called in a list: the owner's title, or what the person said first."""

from typing import Any, Final

from inspector.formats.claude.effects.texts import (
    INTERRUPTED,
    content_of,
    first_text,
    is_command,
    is_output,
    is_told,
)
from inspector.formats.ends import Edges, bearing, last_bearing, last_of, record, title
from inspector.formats.shapes import items, mapping, text

_LAST: Final = 4
"""Lines at the end that are looked at where nothing ends the last."""

_PROMPTS: Final = 3
"""Messages that are parsed to find one of a person."""

_TITLES: Final = {"custom-title": "customTitle", "ai-title": "aiTitle"}
"""Records that name a session, and the keys of the names."""

_PERSONS: Final = frozenset(
    {"", "human", "channel", "observer", "observer-activity", "slack-ping", "voice-call", "peer"}
)
"""Origins of what somebody said; all others are programs."""


def title_of(looked: Edges, first: dict[str, Any]) -> str | None:
    """The owner's title; else what the person said first; else a summary (format page 1.8)."""
    if looked.rest:
        named = _at_the_end(last_of(looked, _LAST))
        if named is not None and b'"custom-title"' not in looked.tail:
            return named
    # Titles are written again and again, so that one stands near the end.
    named = _named(looked.tail)
    if named is None and not looked.whole:
        named = _named(looked.head)
    if named is not None:
        return named
    summary = _summary(looked)
    if summary is not None and summary[1]:
        return summary[0]
    return _asked(looked.head, first) or (summary and summary[0])


def _at_the_end(lines: list[bytes]) -> str | None:
    """The title on one of the last lines."""
    titles = [line for line in lines if line.startswith(_TITLED)]
    return _named(b"\n".join(reversed(titles))) if titles else None


_TITLED: Final = (b'{"type":"ai-title"', b'{"type":"custom-title"')


def _named(data: bytes) -> str | None:
    """The last title that the person gave, else that which the owner found."""
    found: str | None = None
    # Both names of titles end so.
    for line in last_bearing(data, b'-title"'):
        told = record(line)
        key = _TITLES.get(text(told.get("type")), "")
        named = title(told.get(key))
        if key == "customTitle" and named is not None:
            return named
        if found is None and named is not None:
            found = named
            if data.rfind(b'"custom-title"') < 0:
                break
    return found


def _asked(head: bytes, first: dict[str, Any]) -> str | None:
    """What the person said first."""
    side = first.get("isSidechain") is True
    if first.get("type") == "user":
        # Mostly it is the very first record.
        said = _prompt(first, side=side)
        if said is not None:
            return said
    prompts = 0
    for line in bearing(head, b'"user"'):
        if b'"tool_use_id"' in line:
            continue
        found = record(line)
        if found.get("type") != "user":
            continue
        said = _prompt(found, side=side)
        prompts += 1
        if said is not None or prompts == _PROMPTS:
            return said
    return None


def _summary(looked: Edges) -> tuple[str, bool] | None:
    """The last summary of the beginning or the end, and whether it is of a record that is seen:
    it may be of another session in the folder (format page 1.9).
    """
    best: tuple[str, bool] | None = None
    for data in (looked.tail,) if looked.whole else (looked.tail, looked.head):
        for line in last_bearing(data, b'"summary"'):
            found = record(line)
            said = title(found.get("summary"))
            leaf = text(found.get("leafUuid"))
            if found.get("type") != "summary" or said is None or not leaf:
                continue
            named = f'"uuid":"{leaf}"'.encode("utf-8", "surrogatepass")
            if named in looked.head or named in looked.tail:
                return said, True
            best = best or (said, False)
    return best


def _prompt(found: dict[str, Any], *, side: bool) -> str | None:
    """What a message of the user says, if a person said it (format page 1.4, rules page R7)."""
    if found.get("isMeta") or found.get("isCompactSummary"):
        return None
    if bool(found.get("isSidechain")) is not side:
        return None
    content = content_of(found)
    if any(mapping(block).get("type") == "tool_result" for block in items(content)):
        return None
    said = first_text(content)
    if said.startswith(INTERRUPTED) or is_output(said) or is_command(said) or is_told(content):
        return None
    if text(mapping(found.get("origin")).get("kind")) not in _PERSONS:
        return None
    return title(said)
