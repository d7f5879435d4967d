"""The sentence that answers why an event can be seen, or cannot, and the words it is made of."""

from collections.abc import Sequence
from typing import Final

from inspector.export.wording import finding_words
from inspector.formats.contract import Tape
from inspector.lenses.hops import Hop
from inspector.lenses.links import Links
from inspector.lenses.naming import named
from inspector.lenses.summaries import summary_node
from inspector.lenses.why import Why
from inspector.text.gate import clean_line
from inspector.text.labels import count
from inspector.timeline.words import Form, Reason, Visibility

_SHOWN: Final = 200
_NAMED: Final = 12
"""Events of one list that are named one by one."""

HIDDEN: Final = {
    Reason.COMPACTED: "hidden by a compaction",
    Reason.PRUNED: "cut to a shorter form",
    Reason.CLEARED: "cleared",
    Reason.SUPERSEDED: "replaced by a later version",
    Reason.RETRACTED: "retracted",
    Reason.REWOUND: "left behind by a rewind",
    Reason.UNLINKED: "left off the chain of messages",
}

DID: Final = {
    Reason.COMPACTED: "hides",
    Reason.PRUNED: "cut",
    Reason.CLEARED: "cleared",
    Reason.SUPERSEDED: "replaced",
    Reason.RETRACTED: "retracted",
    Reason.REWOUND: "left behind",
    Reason.UNLINKED: "unlinked",
}
"""What an event did to the rows of others."""

_NEVER: Final = {
    Visibility.NOT_YET: "it is not written yet",
    Visibility.LOG_ONLY: "it is kept in the log and is no message",
    Visibility.ASIDE: "it belongs to a side conversation",
    Visibility.UNREADABLE: "it cannot be read",
}


def sentence(
    tape: Tape, found: Why, unsent: str | None, linked: Links, holder: tuple[Why, str | None] | None
) -> str:
    """The answer first: whether the model sees the event, else since when not, and what it sees.

    Args:
        tape: of which it is told.
        found: why the event can be seen, or cannot.
        unsent: why a row of it that is there is not sent, or None.
        linked: where it leads.
        holder: the same two of the message that it is inside, or None.
    """
    at = f"At cursor {count(found.cursor)} the model"
    own = [hop for hop in found.chain if hop.event == found.event]
    if unsent is not None:
        since = count(own[-1].born)
        return (
            f"{at} does not see this: it stands on the surface since {since}, but is not sent: "
            f"{clean_line(unsent, _SHOWN)}."
        )
    if holder is not None:
        return f"{at} {_inside(tape, *holder, is_result=linked.is_result)}."
    if own and own[-1].gone is None:
        return f"{at} {_seen(tape, found, own)}."
    if not own:
        return f"{at} does not see this: {_never(tape, found, linked)}."
    return f"{at} does not see this: {_gone(tape, found, own)}."


def _seen(tape: Tape, found: Why, own: Sequence[Hop]) -> str:
    """How the model sees an event that is there, since when, and what gave it this form."""
    last, since = own[-1], f"since {count(own[-1].born)}"
    shown = {
        Visibility.PRUNED: f"sees a shorter form of this, {since}",
        Visibility.CLEARED: f"sees only that something stood here, {since}",
    }.get(found.visibility, f"sees this, {since}")
    if len(own) == 1 or own[-2].gone != last.born or own[-2].by is None:
        return shown
    before = own[-2]
    span = f"{count(before.born)} to {count(last.born - 1)}"
    did = f"{HIDDEN[before.reason]} " if before.reason is not None else ""
    full = "in full" if before.form is Form.FULL else "in another form"
    return f"{shown}: {did}by {named(tape, own[-2].by)}; {full} from {span}"


def _inside(tape: Tape, message: Why, unsent: str | None, *, is_result: bool) -> str:
    """Whether the model sees the message that holds what an event tells of apart from it."""
    event, what = message.event, "result" if is_result else "call"
    own = [hop for hop in message.chain if hop.event == event]
    if own and own[-1].gone is None and unsent is None:
        return f"sees this {what} inside {named(tape, event)}, since {count(own[-1].born)}"
    if not own or unsent is not None:
        return f"does not see this {what}: it is inside {named(tape, event)}, which is not sent"
    gone = _gone(tape, message, own)
    return f"does not see this {what}: it is inside {named(tape, event)}, {gone}"


def _gone(tape: Tape, found: Why, own: Sequence[Hop]) -> str:
    """What took an event away, and what stands for it."""
    said = _left(tape, own[-1])
    if found.now is not None and found.now != found.event:
        return f"{said}; {named(tape, found.now)} stands for it now"
    if len(found.chain) > len(own):
        behind = found.chain[-1]
        return f"{said}; {named(tape, behind.event)} stood for it, {_left(tape, behind)}"
    return f"{said}; nothing stands for it"


def _left(tape: Tape, hop: Hop) -> str:
    if hop.gone is None or hop.reason is None or hop.by is None:
        return f"visible since {count(hop.born)}"
    left = f"{HIDDEN[hop.reason]} at {count(hop.gone)} ({named(tape, hop.by)})"
    if hop.later is None:
        return left
    since, reason, by = hop.later
    return f"{HIDDEN[reason]} at {count(since)} ({named(tape, by)}), before that {left}"


def _never(tape: Tape, found: Why, linked: Links) -> str:
    if found.visibility is Visibility.NOT_APPLIED:
        return _not_applied(tape, found)
    words = _NEVER.get(found.visibility)
    if words is None:
        words = "it was never on the surface"
        return words if found.by is None else f"{words}, because of {named(tape, found.by)}"
    for more in (_again(tape, linked), _did(tape, found), _part_of(tape, linked)):
        if more:
            words += f"; {more}"
    return words


def _not_applied(tape: Tape, found: Why) -> str:
    """What kept an event from being folded: the rule that it broke, or where the fold stopped."""
    stopped = tape.timeline.stopped_at
    if stopped is None or found.event < stopped:
        rule = finding_words(tape.timeline, found.event)
        return f"it broke a rule of its format and changed nothing{rule and f': {rule}'}"
    rule = finding_words(tape.timeline, stopped)
    here = "here" if stopped == found.event else f"at {named(tape, stopped)}"
    past = " (--past-unknown folds on)" if tape.timeline.passable else ""
    return f"it is not applied: the fold stopped {here}{rule and f', {rule}'}{past}"


def _again(tape: Tape, linked: Links) -> str:
    same = linked.tells_again
    return "" if same is None else f"it tells again what {named(tape, same)} told"


def _did(tape: Tape, found: Why) -> str:
    """What an event did to the rows of others, in words."""
    by_reason: dict[Reason, list[int]] = {}
    for event, reason in found.hides:
        by_reason.setdefault(reason, []).append(event)
    told = [f"{DID[reason]} {listed(tape, events)}" for reason, events in by_reason.items()]
    return f"it {' and '.join(told)}" if told else ""


def _part_of(tape: Tape, linked: Links) -> str:
    done = linked.compaction
    if done is None:
        return ""
    what = "cut" if summary_node(tape.timeline, done) is None else "compaction"
    return f"it is part of the {what} of {named(tape, done)}"


def listed(tape: Tape, events: Sequence[int]) -> str:
    """Events by their names; of very many the first ones."""
    names = ", ".join(named(tape, event) for event in events[:_NAMED])
    more = len(events) - _NAMED
    return f"{names} and {count(more)} more" if more > 0 else names
