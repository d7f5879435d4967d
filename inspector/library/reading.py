"""What a member of a family says once it is folded."""

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from typing import Final

from inspector.formats.contract import Tape
from inspector.library.members import Member, Named
from inspector.library.relations import FORK, RESUME, related, surer
from inspector.library.row import Row
from inspector.library.telling import title_of
from inspector.tape.source import SourceError
from inspector.text.gate import clean_line
from inspector.text.labels import count
from inspector.timeline.words import Kind, Role, SpanKind

_TITLE: Final = 200
_REASON: Final = 300

_COPIES: Final = (RESUME, FORK)

_LONGEST: Final = 20_000
"""Events of a tape of which the ids are compared with those of another one."""

_COMPARED: Final = 2_000
"""Copied events that are compared with the parent's, where the tape does not say which they are."""


def of_row(row: Row) -> Member:
    """A member of which the ends were looked at."""
    return Member(
        row.id,
        row.path,
        row.session,
        row.format,
        row.title,
        row.started,
        row.last,
        row.bytes,
        row.events,
        row.estimated,
        row.parent,
        None if row.parent is None else related(row.relation).relation,
        opens=row.opens,
        reason=row.reason,
        problem=row.problem,
        parent_file=row.parent_file,
    )


def folded(tape: Tape, going: Callable[[], bool]) -> bool:
    """Fold a tape to its head; False if nobody waits for it any more.

    Raises:
        SourceError: if it cannot be read.
    """
    while going():
        if not tape.advance():
            return True
    return False


def of_tape(tape: Tape, known: Member) -> Member:
    """What a folded tape says, over what its ends told.

    Raises:
        SourceError: if it cannot be read any more.
    """
    identity, timeline = tape.identity, tape.timeline
    verdict = tape.verdict()
    table = timeline.table
    parent = identity.parent
    above = [one for one in timeline.kin if one.tape == parent]
    told = related(above[0].relation) if above else related(None)
    # Of a copy without events of its own the tape tells no more than whose events it copies.
    same = known.parent == parent or (bool(identity.inherited) and known.relation in _COPIES)
    relation = surer(told.relation, known.relation if same else None)
    copied, notes = _copied(tape)
    return replace(
        known,
        id=identity.id,
        format=identity.format,
        title=_title(tape) or known.title,
        started=identity.created if identity.created is not None else known.started,
        last=table.time(len(table) - 1) if len(table) else known.last,
        events=timeline.events,
        estimated=False,
        parent=parent,
        relation=None if parent is None else relation,
        boundary=above[0].boundary if above and not identity.inherited else None,
        copied=copied,
        others=tuple(_others(tape)),
        names=tuple(_named(tape)),
        opens=verdict.opens,
        reason=None if verdict.reason is None else clean_line(verdict.reason, _REASON),
        problem=None,
        read=True,
        notes=notes,
    )


def _copied(tape: Tape) -> tuple[int | None, tuple[str, ...]]:
    """How many events of a tape are copies, and what is to be said of that."""
    identity, events = tape.identity, tape.timeline.events
    inherited = identity.inherited
    if not inherited and not identity.compared:
        return None, ()
    if inherited <= events:
        return inherited, ()
    said = f"it says that {count(inherited)} events are copies, and has {count(events)}"
    return events, (said,)


def shared(child: Tape, parent: Tape) -> int | None:
    """How many first events of a child are the parent's by their ids; None if it has no ids.

    Raises:
        SourceError: if one cannot be read any more.
    """
    mine, theirs = child.timeline.events, parent.timeline.events
    if max(mine, theirs) > _LONGEST or (mine and child.message_id(0) is None):
        return None
    known = {parent.message_id(event) for event in range(theirs)} - {None}
    own = (event for event in range(mine) if child.message_id(event) not in known)
    return next(own, mine)


def _title(tape: Tape) -> str:
    timeline = tape.timeline
    setting = timeline.registers.at("title", timeline.events)
    if setting is None:
        return ""
    with suppress(SourceError):
        title = tape.value("title", setting)
        return clean_line(title, _TITLE) if isinstance(title, str) else ""
    return ""


def first_words(tape: Tape) -> str:
    """The first that a person said in a folded tape, as a title; empty if nobody did.

    Raises:
        SourceError: if it cannot be read any more.
    """
    nodes = tape.timeline.surface.nodes
    for node in range(len(nodes)):
        if nodes.role(node) is Role.USER and nodes.kind(node) is Kind.MESSAGE:
            return title_of(tape.node_headline(node).text)
    return ""


def _others(tape: Tape) -> Iterator[str]:
    """Further tapes that a tape comes from, as it says itself."""
    timeline, identity = tape.timeline, tape.identity
    for name in dict.fromkeys(timeline.origins):
        teller = timeline.branchings.teller(name)
        # What a copy tells of them is told by its original as well.
        if name != identity.parent and (teller is None or teller >= identity.inherited):
            yield name


def _named(tape: Tape) -> list[Named]:
    """The tapes that came from a tape, as it says."""
    timeline, parent = tape.timeline, tape.identity.parent
    found: dict[tuple[str, str], Named] = {}
    for told, name, boundary in timeline.kin:
        if name in (parent, tape.identity.id) or name in timeline.origins:
            continue
        teller = timeline.branchings.teller(name)
        if teller is not None and teller < tape.identity.inherited:
            # A copy tells of those that came from its original.
            continue
        relation, status = related(told)
        one = Named(relation, name, status, _begun(tape, name), boundary)
        before = found.get((relation, name))
        found[relation, name] = one if before is None or status else before
    return list(found.values())


def _begun(tape: Tape, name: str) -> int | None:
    """The cursor just after the event that began what another tape tells."""
    timeline = tape.timeline
    event = timeline.branchings.teller(name)
    if event is None:
        return None
    call = timeline.pairs.call_of(event)
    if call is not None:
        return call + 1
    spans = timeline.spans[SpanKind.SUBAGENT]
    for number in spans.opened_or_closed_by(event):
        return spans[number].opened
    return event + 1


def parted(child: Tape, parent: Tape, copied: int) -> int | None:
    """The cursor of a parent up to which a child shares its events, or None if it shares none.

    Args:
        child: which.
        parent: of it.
        copied: how many events of the child are copies.

    Raises:
        SourceError: if one cannot be read any more.
    """
    from inspector.lenses.parting import same_events  # not for a family without copies

    if not copied:
        return None
    original = child.original(copied - 1)
    if original is not None:
        if isinstance(original, int):
            found = parent.numbered(original)
        else:
            found = parent.identified(original)
        if found:
            return max(found) + 1
    if copied > _COMPARED:
        return None
    last = None
    for mine, _ in same_events(parent, child, (parent.timeline.events, copied)):
        last = mine
    return None if last is None else last + 1
