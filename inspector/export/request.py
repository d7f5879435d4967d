"""What the owner would send as history at a cursor: a document for scripts, and its text.

System prompt and tools are not part of it: they are the preamble of ``show``.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from inspector.export import basis, documents
from inspector.export.wording import verdict_words
from inspector.formats.contract import RequestEntry, Section, Tape, Verdict
from inspector.formats.parts import sent_text
from inspector.text.gate import clean_line
from inspector.text.labels import count, event_words, plural
from inspector.timeline.words import Form

IF_IT_COULD: Final = "so nothing is sent; if it opened the tape: "
"""Before the summary of a request that is never made, because the owner refuses the tape."""

_SHOWN: Final = 200
"""Characters of an entry's text that are printed for people."""


@dataclass(frozen=True, slots=True)
class Sent:
    """The entries of a request, and what it rests on in lines for people."""

    entries: tuple[RequestEntry, ...]
    basis: tuple[str, ...]


def sent(tape: Tape, cursor: int) -> Sent:
    """What would be sent at a cursor, for a screen.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    entries = tuple(tape.request(cursor))
    told = basis.document(tape, cursor, entries)
    return Sent(entries, tuple(basis.words(tape, told)))


def request(tape: Tape, cursor: int) -> dict[str, Any]:
    """The entries of the request at a cursor, in the order in which they are sent.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    entries = tape.request(cursor)
    return {
        "cursor": cursor,
        "settled": tape.timeline.settled.at(cursor),
        "verdict": documents.verdict(tape),
        "basis": basis.document(tape, cursor, entries),
        "items": [item(tape, entry) for entry in entries],
    }


def item(tape: Tape, entry: RequestEntry) -> dict[str, Any]:
    """One entry of a request as a script reads it."""
    event = origin(tape, entry)
    return {
        "type": entry.type,
        "role": entry.role,
        "text": full_text(tape, entry),
        "call_id": entry.call_id,
        "node": node_name(tape, entry),
        "event": event,
        "seq": None if event is None else tape.number(event),
        "note": entry.note,
        "why": entry.why,
        "tokens": basis.tokens_of(tape, entry),
    }


def node_name(tape: Tape, entry: RequestEntry) -> str | None:
    """The row of the surface that an entry comes from, ``EVENT.PART``; None if it is added."""
    if entry.node is None:
        return None
    nodes = tape.timeline.surface.nodes
    return f"{nodes.origin(entry.node)}.{nodes.part(entry.node)}"


def origin(tape: Tape, entry: RequestEntry) -> int | None:
    """The position of the event that an entry comes from; None if it is added."""
    return None if entry.node is None else tape.timeline.surface.nodes.origin(entry.node)


def full_text(tape: Tape, entry: RequestEntry) -> str | None:
    """What is sent; None where the format tells neither that nor what the row says in full.

    A row that makes up a part of its event is told with all that the event says.
    """
    if entry.text is not None or entry.node is None:
        return entry.text
    nodes = tape.timeline.surface.nodes
    if nodes.form(entry.node) not in (Form.FULL, Form.REBUILT):
        # Its event says more than is sent.
        return None
    event = nodes.origin(entry.node)
    sections = tape.node_sections(entry.node)
    whole = tape.sections(event) == sections
    parts = tape.parts(event) if whole else []
    said = sent_text(parts) if parts else _said(sections)
    return said or tape.node_headline(entry.node).text


def _said(sections: Sequence[Section]) -> str:
    """What the sections say that are more than remarks; of remarks alone, these."""
    told = [section for section in sections if not (section.tone == "dim" or section.remark)]
    return "\n".join(
        f"{section.heading}\n{section.text}" if section.heading else section.text
        for section in told or [section for section in sections if not section.remark]
    )


def preview(tape: Tape, entry: RequestEntry) -> str:
    """The start of what an entry says; not cleaned."""
    if entry.text is not None:
        return entry.text
    if entry.node is None:
        return ""
    return tape.node_headline(entry.node).text


def note_words(note: str | None, why: str) -> str:
    """What the owner does with an entry, in words; nothing where it is sent as it stands."""
    if note is None:
        return ""
    return f"{note}: {why}" if why else note


def refusal(verdict: Verdict, cursor: int) -> str | None:
    """Why the owner would send nothing at a cursor, or None if it would; cleaned."""
    ends = verdict.event is not None and cursor > verdict.event
    if verdict.opens is True or (verdict.opens == "partly" and not ends):
        return None
    return verdict_words(verdict.owner, verdict.opens, verdict.reason)


def summary(notes: Iterable[str | None]) -> str:
    """How many entries there are, and what was done to how many of them."""
    found = list(notes)
    if not found:
        return "nothing would be sent"
    told = [
        f"{count(number)} {note}"
        for note in ("added", "dropped", "altered")
        if (number := found.count(note))
    ]
    entries = plural(len(found), "entry", "entries")
    if told:
        return f"{entries}: {', '.join(told)}"
    if len(found) == 1:
        return f"{entries}, sent as it stands"
    return f"{entries}, all sent as they stand"


def text(tape: Tape, document: dict[str, Any]) -> Iterator[str]:
    """The text of `request`: what it goes on from, then an entry a line with what is done to it.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    reader = tape.identity.policy
    place = f"cursor {count(document['cursor'])}/{count(tape.timeline.events)}"
    if not document["settled"]:
        place += " · unsettled: the owner would make no request here"
    yield f"{place} · as {clean_line(reader, 80)} would send it"
    refused = refusal(Verdict(**document["verdict"]), document["cursor"])
    if refused is not None:
        yield refused
    entries = document["items"]
    yield ("" if refused is None else IF_IT_COULD) + summary(entry["note"] for entry in entries)
    yield from basis.words(tape, document["basis"])
    digits = len(str(len(entries)))
    for number, entry in enumerate(entries, 1):
        yield _line(f"{number:>{digits}}", entry)


def _line(number: str, entry: dict[str, Any]) -> str:
    event = "-" if entry["event"] is None else event_words(entry["event"], entry["seq"])
    who = clean_line(entry["role"] or "-", 20)
    kind = clean_line(entry["type"], 30)
    note = clean_line(note_words(entry["note"], entry["why"]), 200)
    call = f"<{clean_line(entry['call_id'], 60)}>" if entry["call_id"] else ""
    said = "(not told)" if entry["text"] is None else clean_line(entry["text"], _SHOWN)
    shown = " ".join(filter(None, (f"[{note}]" if note else "", call, said)))
    return f"{number}  {event:>8}  {who:<10}  {kind:<13}  {shown}".rstrip()
