"""Tool calls as cards: what was called, with what, how it ended, and what came back."""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from inspector.formats.parts import Call, File, Result, without_bytes
from inspector.lenses.tools import CardKind, body_of, kind_of, others_of, title_of
from inspector.timeline.spans import Span
from inspector.timeline.words import Outcome


class Evidence(Enum):
    """On what it rests how a call ended."""

    RECORDED = "recorded"
    RULE = "rule of this format"


@dataclass(frozen=True, slots=True)
class Return:
    """When a call came back among those that were made together.

    Attributes:
        place: which of them it was to come back, from 1; None while it has not.
        calls: how many were made together.
    """

    place: int | None
    calls: int


@dataclass(frozen=True, slots=True)
class Ending:
    """How a call ended, or that it has not; ``word`` is that in the owner's words, or None."""

    outcome: Outcome
    word: str | None
    evidence: Evidence


@dataclass(frozen=True, slots=True)
class Card:
    """One call as of a cursor; no text of it is cleaned.

    Attributes:
        kind: what it looks like.
        name: the tool, in the owner's words.
        title: its most telling argument; empty where it has none.
        arguments: names and values of its arguments, those of the title and the body left out.
        body: what it wants done, in full: the command, the change, the prompt, the list.
        ending: how it ended.
        returned: its place in the batch it was made in; None if it was made alone.
        result: what came back, in full but for bytes, which are named; None if nothing did.
        files: what came back beside that, named.
        id: the owner's id, or None.
        parent: the owner's id of the call within which it was made, or None.
        call: the position of the event that made it.
        answer: the position of the event that answered it, or None.
    """

    kind: CardKind
    name: str
    title: str
    arguments: tuple[tuple[str, str], ...]
    body: str
    ending: Ending
    returned: Return | None
    result: str | None
    files: tuple[File, ...]
    id: str | None
    parent: str | None
    call: int
    answer: int | None


def card(
    call: Call,
    event: int,
    ending: Ending,
    result: Result | None = None,
    answer: int | None = None,
    returned: Return | None = None,
    kind: CardKind | None = None,
) -> Card:
    """A call as a card.

    Args:
        call: what was called.
        event: the position of the event that made it.
        ending: how it ended.
        result: what came back, or None.
        answer: the position of the event that brought it.
        returned: its place in its batch.
        kind: what it is, where the tape tells; else its name and its arguments do.
    """
    given = call.arguments
    kind = kind_of(call.name, given) if kind is None else kind
    title, used = title_of(kind, given)
    body, of_body = body_of(kind, given, () if result is None else result.edits)
    return Card(
        kind,
        call.name,
        title,
        tuple(others_of(given, used | of_body)),
        body,
        ending,
        returned,
        None if result is None else without_bytes(result.text),
        () if result is None else result.files,
        call.id,
        call.parent,
        event,
        answer,
    )


# How a call ended.


def ending_of(
    span: Span | None,
    approval: Span | None,
    result: Result | None,
    *,
    answered: bool,
    late: bool = False,
    noted: bool = False,
) -> Ending:
    """How a call ended, as of a cursor.

    Args:
        span: the call as it stood there; None where the tape tells no interval of it.
        approval: the last question about it, as it stood there, or None.
        result: what came back by then, or None.
        answered: whether it was answered, with whatever.
        late: whether that was when the tape had given it up.
        noted: whether a record of its own told how it ended.
    """
    by_text = result is not None and result.told_by_text and not noted
    told = Evidence.RULE if by_text else Evidence.RECORDED
    given_up = span is not None and span.outcome is Outcome.UNKNOWN and late
    if span is None or (given_up and result is not None):
        if result is None:
            # Nothing says that it began, and nothing that it ended.
            return Ending(Outcome.UNKNOWN, None, Evidence.RULE)
        failed = Outcome.FAILED if result.failed else Outcome.OK
        return Ending(failed, None, Evidence.RULE if result.failed is None else told)
    if span.closed is None:
        if approval is not None and approval.closed is None:
            return Ending(Outcome.AWAITING_APPROVAL, approval.word, Evidence.RECORDED)
        return Ending(Outcome.RUNNING, None, Evidence.RECORDED)
    refused = approval is not None and approval.outcome in _REFUSALS
    if approval is not None and refused and span.outcome in (Outcome.FAILED, Outcome.INTERRUPTED):
        return Ending(approval.outcome, approval.word, Evidence.RECORDED)
    # One that nothing answers ends by a rule: with its step, its turn or its run.
    return Ending(span.outcome, span.word, told if answered else Evidence.RULE)


_REFUSALS: Final = (Outcome.REJECTED, Outcome.CANCELLED)
