"""On what a request rests: the compaction and the branch that it goes on from, and its weight."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from inspector.formats.contract import RequestEntry, Tape
from inspector.lenses.weighing import tokens_of_entry
from inspector.text.labels import count, event_words, plural, token_words
from inspector.timeline.words import Role

_SUMMARIES: Final = 3
"""Summaries of a history that are named."""


def document(tape: Tape, cursor: int, entries: Sequence[RequestEntry]) -> dict[str, Any]:
    """What the request at a cursor goes on from.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    return {
        "summaries": _summaries(tape, cursor),
        "coverage": _coverage(tape, cursor),
        "preamble": [
            {"part": part.part, "event": part.event, "tokens": part.tokens}
            for part in tape.preamble(cursor)
        ],
        "on_resume": tape.on_resume(cursor),
        "tokens": tokens(tape, cursor, entries),
    }


def _summaries(tape: Tape, cursor: int) -> list[int]:
    """The events of the summaries that stand in the history, in order."""
    nodes = tape.timeline.surface.nodes
    rows = tape.timeline.rows(cursor)
    found = (nodes.origin(row.node) for row in rows if nodes.role(row.node) is Role.SUMMARY)
    return list(dict.fromkeys(found))


def _coverage(tape: Tape, cursor: int) -> dict[str, int] | None:
    found = tape.coverage(cursor)
    if found is None:
        return None
    return {"records": found.records, "on_chain": found.on_chain, "visible": found.visible}


def tokens(tape: Tape, cursor: int, entries: Iterable[RequestEntry]) -> dict[str, int | bool]:
    """The estimate of what is sent, and what the provider's last report makes of the same cursor.

    A text that the owner adds or alters weighs a token for four characters; every other entry as
    its row does, by the format's rule.
    """
    weight = sum(tokens_of(tape, entry) for entry in entries)
    preamble = sum(part.tokens for part in tape.preamble(cursor))
    context, estimated = tape.timeline.context(cursor)
    return {
        "items": weight,
        "preamble": preamble,
        "context": context,
        "context_estimated": estimated,
    }


def tokens_of(tape: Tape, entry: RequestEntry) -> int:
    """The estimate of one entry: 0 of one that is dropped."""
    return tokens_of_entry(tape.timeline, entry)


def words(tape: Tape, found: dict[str, Any]) -> Iterator[str]:
    """The text of `document`, a line for each thing there is to say."""
    yield f"goes on from {_from(tape, found)}"
    yield _weight(found)
    yield from found["on_resume"]


def _from(tape: Tape, found: dict[str, Any]) -> str:
    summaries = found["summaries"]
    parts = []
    if summaries:
        named = ", ".join(event_words(one, tape.number(one)) for one in summaries[:_SUMMARIES])
        more = len(summaries) - _SUMMARIES
        parts.append(f"the summary {named}" + (f" and {count(more)} more" if more > 0 else ""))
    else:
        parts.append("the beginning: no summary stands in the history")
    branch = found["coverage"]
    if branch is not None and branch["records"] != branch["on_chain"]:
        of_all = plural(branch["records"], "record")
        parts.append(f"the branch that holds {count(branch['on_chain'])} of {of_all}")
    return ", and ".join(parts)


def _weight(found: dict[str, Any]) -> str:
    weight = found["tokens"]
    parts = [f"{token_words(weight['items'])} of history"]
    if weight["preamble"]:
        named = " and ".join(part["part"] for part in found["preamble"])
        parts.append(f"{token_words(weight['preamble'])} of {named}")
    told = f"{' and '.join(parts)}, estimated"
    if weight["context_estimated"]:
        return told
    return f"{told}; the provider's last report is {token_words(weight['context'])}"
