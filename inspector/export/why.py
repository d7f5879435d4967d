"""Why an event can be seen at a cursor, or cannot: a document for scripts, and its text."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from inspector.formats.contract import Tape
from inspector.lenses.hops import Hop
from inspector.lenses.why import Why, why
from inspector.text.gate import clean_line
from inspector.text.labels import count, plural
from inspector.timeline.words import Mark, Reason, Visibility

_SHOWN: Final = 200
_NAMED: Final = 12
"""Events of one list that are named one by one."""

_HIDDEN: Final = {
    Reason.COMPACTED: "hidden by a compaction",
    Reason.PRUNED: "cut to a shorter form",
    Reason.CLEARED: "cleared",
    Reason.SUPERSEDED: "replaced by a later version",
    Reason.RETRACTED: "retracted",
    Reason.REWOUND: "left behind by a rewind",
    Reason.UNLINKED: "left off the chain of messages",
}

_NEVER: Final = {
    Visibility.NOT_YET: "it is not written yet",
    Visibility.LOG_ONLY: "it is kept in the log and is no message",
    Visibility.ASIDE: "it belongs to a side conversation",
    Visibility.NOT_APPLIED: "it broke a rule of its format and changed nothing",
    Visibility.UNREADABLE: "it cannot be read",
}


def document(tape: Tape, event: int, cursor: int) -> dict[str, Any]:
    """The why card of an event as of a cursor."""
    found = why(tape.timeline, event, cursor)
    return {
        "event": event,
        "seq": tape.number(event),
        "cursor": cursor,
        "visibility": found.visibility.label,
        "by": found.by,
        "sentence": sentence(tape, found),
        "chain": [_hop(tape, *hop) for hop in zip(found.chain, found.seen, strict=True)],
        "now": found.now,
        "visible_in_requests": found.seen_in,
        "built_from": list(found.built_from),
        "cited_by": list(found.cited_by),
        "call": tape.timeline.pairs.call_of(event),
        "result": _result(tape, event, cursor),
        "copied_from": _copied_from(tape, event),
        "evidence": tape.evidence,
        "preview": clean_line(tape.headline(event).text, _SHOWN),
    }


def _result(tape: Tape, event: int, cursor: int) -> int | None:
    result = tape.timeline.pairs.result_of(event)
    return result if result is not None and result < cursor else None


def _copied_from(tape: Tape, event: int) -> str | None:
    """The tape that an event was copied from, where that is known."""
    inherited = event < tape.timeline.lives.inherited
    return tape.identity.parent if inherited else None


def _hop(tape: Tape, hop: Hop, requests: int) -> dict[str, Any]:
    return {
        "event": hop.event,
        "seq": tape.number(hop.event),
        "born": hop.born,
        "gone": hop.gone,
        "reason": None if hop.reason is None else hop.reason.label,
        "by": hop.by,
        "requests": requests,
    }


def sentence(tape: Tape, found: Why) -> str:
    """The answer first: whether the model sees the event, else since when not, and what it sees."""
    at = f"At cursor {count(found.cursor)} the model"
    own = [hop for hop in found.chain if hop.event == found.event]
    if own and own[-1].gone is None:
        since = f"since {count(own[-1].born)}"
        shown = {
            Visibility.PRUNED: f"sees a shorter form of this, {since}",
            Visibility.CLEARED: f"sees only that something stood here, {since}",
        }.get(found.visibility, f"sees this, {since}")
        return f"{at} {shown}."
    if not own:
        return f"{at} does not see this: {_never(tape, found)}."
    last = own[-1]
    said = f"{at} does not see this: {_left(tape, last)}"
    if found.now is not None and found.now != found.event:
        return f"{said}; {name(tape, found.now)} stands for it now."
    if len(found.chain) > len(own):
        behind = found.chain[-1]
        return f"{said}; {name(tape, behind.event)} stood for it, {_left(tape, behind)}."
    return f"{said}; nothing stands for it."


def _left(tape: Tape, hop: Hop) -> str:
    if hop.gone is None or hop.reason is None or hop.by is None:
        return f"visible since {count(hop.born)}"
    return f"{_HIDDEN[hop.reason]} at {count(hop.gone)} ({name(tape, hop.by)})"


def _never(tape: Tape, found: Why) -> str:
    words = _NEVER.get(found.visibility)
    if words is not None:
        return words
    hidden = "it was never on the surface"
    return hidden if found.by is None else f"{hidden}, because of {name(tape, found.by)}"


def name(tape: Tape, event: int) -> str:
    """An event as people name it: by the owner's number, else by its position."""
    number = tape.number(event)
    return f"#{event}" if number is None else f"@{number}"


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
    yield f"built from: {_list(tape, found['built_from']) or _origin(tape, event)}"
    yield f"cited by: {_list(tape, found['cited_by']) or 'nothing'}"
    if found["copied_from"] is not None:
        yield f"copied from: {clean_line(found['copied_from'], _SHOWN)}"
    yield f"evidence: {found['evidence']}"


def hop_words(tape: Tape, hop: dict[str, Any]) -> str:
    """A stay of the chain in words: whose, how long, in how many requests, and what ended it."""
    who = name(tape, hop["event"])
    seen = f" ({plural(hop['requests'], 'request')})"
    if hop["gone"] is None:
        return f"{who} visible since {count(hop['born'])}{seen}"
    why_gone = _HIDDEN[next(reason for reason in Reason if reason.label == hop["reason"])]
    span = f"{count(hop['born'])} to {count(hop['gone'] - 1)}{seen}"
    return f"{who} visible {span}, then {why_gone} ({name(tape, hop['by'])})"


def _origin(tape: Tape, event: int) -> str:
    users = tape.timeline.marks.within(Mark.USER, event, event + 1)
    return "typed by the user" if users else "nothing that the tape names"


def _list(tape: Tape, events: Sequence[int]) -> str:
    named = ", ".join(name(tape, event) for event in events[:_NAMED])
    more = len(events) - _NAMED
    return f"{named} and {count(more)} more" if more > 0 else named
