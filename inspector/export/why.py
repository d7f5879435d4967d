"""Why an event can be seen at a cursor, or cannot: a document for scripts, and its text."""

from collections.abc import Iterator
from typing import Any, Final

from inspector.export import retold
from inspector.export.why_sentence import DID, HIDDEN, listed, sentence
from inspector.formats.contract import Tape
from inspector.lenses.hops import Hop, Later
from inspector.lenses.links import Links, links
from inspector.lenses.naming import named
from inspector.lenses.sending import sees, told
from inspector.text.gate import clean_line
from inspector.text.labels import count, plural
from inspector.timeline.words import Form, Mark, Reason

_SHOWN: Final = 200
_NAMED: Final = 12
"""Tapes of one list that are named one by one."""

_SHOWN_AS: Final = {
    Form.CUT: "in a shorter form",
    Form.CLEARED: "only as something that stood here",
    Form.REBUILT: "as it was written anew",
}
"""How a stay in another form than the full one is visible."""

_LOOKS: Final = 20
"""Tapes near one that are looked into for the one from which it was copied."""


def document(tape: Tape, event: int, cursor: int) -> dict[str, Any]:
    """The why card of an event as of a cursor."""
    found, unsent = told(tape, event, cursor)
    linked = links(tape, event, cursor) if event < cursor else Links()
    holder = None if linked.inside is None else told(tape, linked.inside, cursor)
    return {
        "event": event,
        "seq": tape.number(event),
        "cursor": cursor,
        "visibility": found.visibility.label,
        "by": found.by,
        "sentence": sentence(tape, found, unsent, linked, holder),
        "chain": [_hop(tape, *hop) for hop in zip(found.chain, found.seen, strict=True)],
        "now": found.now,
        "sees": sees(*(holder or (found, unsent))),
        "unsent": unsent,
        "visible_in_requests": found.seen_in,
        "built_from": list(found.built_from),
        "cited_by": list(found.cited_by),
        "hides": [{"event": one, "reason": reason.label} for one, reason in found.hides],
        "inside": linked.inside,
        "calls": list(linked.calls),
        "tells_again": linked.tells_again,
        "told_again": list(linked.told_again),
        "compaction": linked.compaction,
        "call": tape.timeline.pairs.call_of(event),
        "result": _result(tape, event, cursor),
        **_copied(tape, event),
        "retold": retold.document(tape, found),
        **_evidence(tape, event, cursor),
        "preview": clean_line(tape.headline(event).text, _SHOWN),
    }


def _evidence(tape: Tape, event: int, cursor: int) -> dict[str, Any]:
    grounds = tape.grounds(event, cursor)
    return {"evidence": grounds.grade, "evidence_by": grounds.by}


def evidence_words(tape: Tape, found: dict[str, Any]) -> str:
    """On what the answer rests, and which event records it."""
    by = found["evidence_by"]
    told = "" if by is None or by == found["event"] else f" ({name(tape, by)})"
    return f"evidence: {found['evidence']}{told}"


def retold_words(tape: Tape, found: dict[str, Any]) -> str:
    """What the summary that stands for the event tells of it, of a document that says so."""
    return retold.words(found["retold"], lambda event: name(tape, event))


def _result(tape: Tape, event: int, cursor: int) -> int | None:
    result = tape.timeline.pairs.result_of(event)
    return result if result is not None and result < cursor else None


def _copied(tape: Tape, event: int) -> dict[str, Any]:
    """The tape that an event was copied from and what it is there, where that is known."""
    source = tape.identity.parent if event < tape.timeline.lives.inherited else None
    return {
        "copied_from": source,
        "copied_as": None if source is None else tape.original(event),
        "copied_path": None if source is None else _path_of(tape, source),
        "copied_to": [
            kin.tape
            for kin in tape.timeline.kin
            if kin.tape != tape.identity.parent and kin.tape not in tape.timeline.origins
            if kin.boundary is not None
            if event < kin.boundary
        ],
    }


def _path_of(tape: Tape, source: str) -> str | None:
    """Where the tape of a name lies, if it is near; few are looked into."""
    from inspector.formats.relatives import relatives  # dear, and most events are no copies

    looks = iter(range(_LOOKS))
    found = relatives(tape, [("parent", source)], lambda: next(looks, None) is not None)
    return next((str(one.path) for one in found if one.name == source), None)


def copied_words(found: dict[str, Any]) -> str | None:
    """Where an event was copied from, of a document that says so."""
    source, there = found["copied_from"], found["copied_as"]
    if source is None:
        return None
    words = clean_line(source, _SHOWN)
    if there is not None:
        words += f", there {clean_line(f'@{there}' if isinstance(there, int) else there, 80)}"
    path = found["copied_path"]
    return words if path is None else f"{words}, in {clean_line(path, _SHOWN)}"


def _hop(tape: Tape, hop: Hop, requests: int) -> dict[str, Any]:
    return {
        "event": hop.event,
        "seq": tape.number(hop.event),
        "born": hop.born,
        "gone": hop.gone,
        "reason": None if hop.reason is None else hop.reason.label,
        "by": hop.by,
        "requests": requests,
        "form": hop.form.label,
        "later": None if hop.later is None else _later(hop.later),
    }


def _later(later: Later) -> dict[str, Any]:
    return {"since": later.since, "reason": later.reason.label, "by": later.by}


def name(tape: Tape, event: int) -> str:
    """An event as people name it: by the owner's number, else by its position."""
    return named(tape, event)


def text(tape: Tape, found: dict[str, Any]) -> Iterator[str]:
    """The text of `document`: the sentence, the chain, what it was made of, how sure that is."""
    event = found["event"]
    headline = tape.headline(event)
    yield f"{name(tape, event)}  {clean_line(headline.kind, 30)}  {found['preview']}".rstrip()
    yield found["sentence"]
    if found["chain"]:
        yield ""
    for hop in found["chain"]:
        yield f"  {hop_words(tape, hop)}"
    yield ""
    requests = plural(found["visible_in_requests"], "request")
    yield f"seen in {requests} of those reported up to cursor {count(found['cursor'])}"
    yield f"built from: {listed(tape, found['built_from']) or _origin(tape, event)}"
    yield f"cited by: {listed(tape, found['cited_by']) or 'nothing'}"
    for relation, events in linked_words(found):
        yield f"{relation}: {listed(tape, events)}"
    copied = copied_words(found)
    if copied is not None:
        yield f"copied from: {copied}"
    if found["copied_to"]:
        yield f"copied to: {clean_line(', '.join(found['copied_to'][:_NAMED]), _SHOWN)}"
    if found["retold"] is not None:
        yield retold_words(tape, found)
    yield evidence_words(tape, found)


def linked_words(found: dict[str, Any]) -> Iterator[tuple[str, list[int]]]:
    """The other events to which a document leads: what they are to its event, and which."""
    for key, words in _LINKS.items():
        told = found[key]
        events = told if isinstance(told, list) else [] if told is None else [told]
        if events:
            yield words, events
    by_reason: dict[str, list[int]] = {}
    for one in found["hides"]:
        by_reason.setdefault(one["reason"], []).append(one["event"])
    for reason in Reason:
        if reason.label in by_reason:
            yield DID[reason], by_reason[reason.label]


FIRST: Final = frozenset(("inside", "tells again", "part of what is done by"))
"""The relations of `linked_words` that tell most of an event without a row."""

DONE: Final = frozenset(DID.values())
"""Those that say what an event did to the rows of others."""

_LINKS: Final = {
    "inside": "inside",
    "calls": "calls told apart",
    "tells_again": "tells again",
    "told_again": "told again by",
    "compaction": "part of what is done by",
}


def hop_words(tape: Tape, hop: dict[str, Any]) -> str:
    """A stay of the chain in words: whose, how long, in how many requests, and what ended it."""
    who = f"{name(tape, hop['event'])} {stay_words(hop)}"
    seen = f" ({plural(hop['requests'], 'request')})"
    if hop["gone"] is None:
        return f"{who}{seen}"
    words = f"{who}{seen}, then {_hidden(hop['reason'])} ({name(tape, hop['by'])})"
    later = hop["later"]
    if later is None:
        return words
    since = count(later["since"])
    return f"{words}, since {since} {_hidden(later['reason'])} ({name(tape, later['by'])})"


def _hidden(label: str) -> str:
    return HIDDEN[next(reason for reason in Reason if reason.label == label)]


def stay_words(hop: dict[str, Any], *, short: bool = False) -> str:
    """In which form a stay is visible, and how long."""
    form = next(form for form in Form if form.label == hop["form"])
    if short:
        shown = "visible" if form is Form.FULL else form.label
    else:
        shown = " ".join(filter(None, ("visible", _SHOWN_AS.get(form))))
    if hop["gone"] is None:
        return f"{shown} since {count(hop['born'])}"
    return f"{shown} {count(hop['born'])} to {count(hop['gone'] - 1)}"


def _origin(tape: Tape, event: int) -> str:
    users = tape.timeline.marks.within(Mark.USER, event, event + 1)
    return "typed by the user" if users else "nothing that the tape names"
