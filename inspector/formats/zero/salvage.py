"""What is shown of lines that the owner does not take."""

from typing import Any

from inspector.formats.zero import golang
from inspector.formats.zero.event import ABSENT, NAMES, Event, event_of_line
from inspector.formats.zero.golang import RefusedError


def salvaged(value: Any) -> Event:
    """What can be shown of an object that the owner does not take for an event."""
    members = value if isinstance(value, dict) else {}
    found = dict(golang.named(members.items(), NAMES))

    def text(name: str) -> str:
        held = found.get(name)
        return golang.whole_text(held) if isinstance(held, str) else ""

    number = found.get("sequence")
    return Event(
        text("id"),
        text("sessionId"),
        number if type(number) is int and abs(number) <= golang.LARGEST else 0,
        text("type"),
        text("createdAt"),
        found.get("payload", ABSENT),
    )


def looks_like_event(value: Any) -> bool:
    """Whether a JSON object has what makes an event, in whatever case."""
    if not isinstance(value, dict) or len(value) < 3:
        return False
    keys = {golang.folded(key) for key in value}
    return {"id", "sequence", "type"} <= keys and {"sessionid", "createdat"} & keys != set()


def found_event(value: dict[str, Any], piece: bytes) -> Event:
    """The event of an object found in a damaged line."""
    try:
        return event_of_line(piece) or Event()
    except RefusedError:
        return salvaged(value)


def not_utf8(line: bytes) -> int | None:
    """The first byte of a line that is not UTF-8, or None."""
    try:
        line.decode()
    except UnicodeDecodeError as error:
        return error.start
    return None
