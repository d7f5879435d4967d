"""A new session beside another one: its name, its folder and its metadata (format page 1, 2, 7)."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

from inspector.formats.planning import How, Making, Write
from inspector.formats.zero.metadata import EVENTS, NAME
from inspector.formats.zero.planning import lines
from inspector.formats.zero.planning.material import Session

FORK: Final = "fork"

_OMITTED: Final = ("", 0, None)


class Source(NamedTuple):
    """The event of the parent at which a session parts from it."""

    id: str
    number: int


def time_of(making: Making) -> str:
    """When a session is made, as the owner writes times: UTC, whole seconds."""
    return datetime.fromtimestamp(making.time / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


def name_of(making: Making) -> str:
    """The id of a new session, as the owner makes one: its second, its nanosecond, a count.

    What is below a millisecond is of the identity that is given, so that two that are made in one
    millisecond have two names.
    """
    moment = datetime.fromtimestamp(making.time / 1000, UTC).strftime("%Y%m%d%H%M%S")
    below = int.from_bytes(sha256(making.id.encode()).digest()[:8]) % 1_000_000
    return f"zero_{moment}_{making.time * 1_000_000 + below}_1"


def folder_of(tape: Session, making: Making) -> Path:
    """The folder of a new session: beside that of its parent, where the owner looks for it."""
    path = tape.log.path
    store = path.parent.parent if path.name in (EVENTS, NAME) else path.parent
    return store / name_of(making)


def writes(
    folder: Path, events: Callable[[], Iterator[bytes]], metadata: dict[str, Any]
) -> tuple[Write, ...]:
    """The files of a new session; the metadata are the last, as a folder without them is none."""
    content = _document(metadata)
    return (
        Write(folder / EVENTS, How.CREATE, events, own=2),
        Write(folder / NAME, How.CREATE, lambda: iter((content,)), own=2),
    )


def metadata_of(
    tape: Session, making: Making, source: Source | None, last: str, count: int
) -> dict[str, Any]:
    """What the metadata of a fork say, in the owner's order.

    Args:
        tape: the parent.
        making: identity and time.
        source: where it parts from its parent; None if that holds nothing.
        last: the type of the last event.
        count: how many events it has.
    """
    known = tape.metadata
    parent = tape.session or tape.log.path.parent.name
    title = known.whole("title") or parent
    return {
        "sessionId": name_of(making),
        "sessionKind": FORK,
        "title": f"{title} (fork)",
        "cwd": known.whole("cwd"),
        "modelId": known.whole("modelId"),
        "provider": known.whole("provider"),
        "parentSessionId": parent,
        "rootSessionId": known.whole("rootSessionId") or parent,
        "forkedFromEventId": "" if source is None else source.id,
        "forkedFromSequence": 0 if source is None else source.number,
        "createdAt": time_of(making),
        "updatedAt": time_of(making),
        "eventCount": count,
        "lastEventType": last,
    }


_ALWAYS: Final = frozenset({"createdAt", "updatedAt", "eventCount"})


def _document(members: dict[str, Any]) -> bytes:
    """Metadata as the owner writes them: indented by two, what is empty left out."""
    said = [
        f"  {lines.string(key)}: {lines.string(value) if isinstance(value, str) else value}"
        for key, value in members.items()
        if key in _ALWAYS or value not in _OMITTED
    ]
    return ("{\n" + ",\n".join(said) + "\n}\n").encode()
