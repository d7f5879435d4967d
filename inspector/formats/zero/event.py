"""One line of a log as the owner decodes it (format page 3, RULES B)."""

from typing import Any, Final, NamedTuple

from inspector.formats.zero import golang
from inspector.formats.zero.golang import Pairs, RefusedError

KEYS: Final = ("id", "sessionId", "sequence", "type", "createdAt", "payload")
"""The keys of an event; all others are ignored."""


class Absent:
    """What stands for a payload that is not there; ``null`` is one that is."""


ABSENT: Final = Absent()

NAMES: Final = golang.names_of(*KEYS)
"""The same, for `golang.named`."""


class Event(NamedTuple):
    """An event as the owner holds it; what is not told is empty or 0 (RULES 14).

    Attributes:
        id: any text, ``<sessionId>:<sequence>`` where the owner wrote it.
        number: the sequence, 64 bits.
        created: the time as it is written.
        payload: a JSON value, or `ABSENT`.
    """

    id: str = ""
    session: str = ""
    number: int = 0
    type: str = ""
    created: str = ""
    payload: Any = ABSENT

    def as_value(self) -> dict[str, Any]:
        """The event under the owner's keys, as the program passes values on."""
        value = {
            "id": self.id,
            "sessionId": self.session,
            "sequence": self.number,
            "type": self.type,
            "createdAt": self.created,
        }
        return value if self.payload is ABSENT else {**value, "payload": self.payload}


def event_of_line(line: bytes) -> Event | None:
    """The event of a line; None if it is blank.

    Raises:
        RefusedError: if the owner does not take the line.
    """
    text = golang.decoded(line)
    return event_of_text(text) if text else None


def event_of_text(text: str) -> Event:
    """The event of the trimmed text of a line that is not blank.

    Raises:
        RefusedError: if the owner does not take it.
    """
    value, pairs = golang.read(text)
    if value is None:
        return Event()
    if not isinstance(value, dict):
        raise RefusedError("the wrong type", f"{golang.kind_of(value)} and no event")
    return event_of(pairs)


def event_of(pairs: Pairs) -> Event:
    """The event with these members: of one key the last counts, but null leaves what was there.

    Raises:
        RefusedError: if one of them, be it the last or not, has the wrong type.
    """
    found: dict[str, Any] = {}
    for name, value in golang.named(pairs, NAMES):
        if name == "payload":
            found[name] = value
        elif value is not None:
            read = golang.whole_of if name == "sequence" else golang.text_of
            found[name] = read(name, value)
    return Event(
        found.get("id", ""),
        found.get("sessionId", ""),
        found.get("sequence", 0),
        found.get("type", ""),
        found.get("createdAt", ""),
        found.get("payload", ABSENT),
    )
