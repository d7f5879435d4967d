"""What the ends of a text tell, against the open tape of it."""

from pathlib import Path
from typing import Any

from inspector.formats.contract import Format, Tape
from inspector.formats.listing import HEAD, LONGEST, TAIL, Ends, Glance
from inspector.formats.registry import OWN
from tests.folding import folded

FORMATS = {format_.name: format_ for format_ in OWN}


def ends_of(data: bytes, path: Path = Path("/work/session.jsonl")) -> Ends:
    """The ends of a text, as a list of sessions looks at them."""
    length = HEAD if b"\n" in data[:HEAD] else LONGEST
    head, rest = data[:length], data[length:]
    return Ends(str(path), len(data), 0, head, rest[-TAIL:], len(rest) <= TAIL)


def glance(
    format_: Format | str, data: bytes, path: Path = Path("/work/session.jsonl")
) -> Glance | None:
    """What a format tells of a text."""
    asked = FORMATS[format_] if isinstance(format_, str) else format_
    return asked.glance(ends_of(data, path))


def told(format_: str, data: bytes, path: Path = Path("/work/session.jsonl")) -> Glance:
    """The same of a text that is its."""
    found = glance(format_, data, path)
    assert found is not None
    return found


def of_file(path: Path, format_: str) -> Glance:
    """The same of a file."""
    return told(format_, path.read_bytes(), path)


def last_time(tape: Tape) -> int | None:
    """When the last event of a folded tape was that has a time: what a list tells as the last."""
    table = tape.timeline.table
    times = (table.time(event) for event in range(tape.timeline.events - 1, -1, -1))
    return next((time for time in times if time is not None), None)


def disagreements(found: Glance, opened: Tape) -> list[str]:
    """Where a glance says something else than the open tape; estimates are left out."""
    with folded(opened) as tape:
        identity, events = tape.identity, tape.timeline.events
        last = last_time(tape)
        verdict = tape.verdict()
        pairs: list[tuple[str, Any, Any]] = [
            ("id", found.id, identity.id),
            ("parent", found.parent, identity.parent),
            ("started", found.started, identity.created),
            ("project", found.project, identity.cwd),
            ("last", found.last, last),
        ]
        said = [
            f"{what}: {one!r} and {other!r}"
            for what, one, other in pairs
            if one != other and one is not None and other is not None
        ]
        if not found.estimated and found.events not in (None, events):
            said.append(f"events: {found.events} and {events}")
        if found.refusal is not None and verdict.opens is not False:
            said.append(f"refusal: {found.refusal} and {verdict}")
        return said
