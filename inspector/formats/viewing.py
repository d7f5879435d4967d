"""Three histories of a tape that is cut: as it was seen, as it was compacted later, unsummarised.

Each is a list of nodes of the tape. A cut never keeps a summary of what it undoes: that would tell
the model what is being taken back.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from inspector.formats.planning import View
from inspector.tape.stopping import heed
from inspector.text.labels import event_words
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Form, Reason, Role

Named = Callable[[int], str]
"""How people are told of an event."""


def by_position(event: int) -> str:
    """An event of a tape whose owner numbers none."""
    return event_words(event, None)


class Views(NamedTuple):
    """The nodes of each view, or why there is no such view.

    Attributes:
        as_of: what the model saw at the cut.
        compacted: the surface of the head up to the cut, or the sentence why not.
        originals: the surface at the cut without any summary.
    """

    as_of: tuple[int, ...]
    compacted: tuple[int, ...] | str
    originals: tuple[int, ...]

    def nodes(self, view: View) -> tuple[int, ...] | str:
        """The nodes of a view, or why there is none."""
        match view:
            case View.AS_OF:
                return self.as_of
            case View.COMPACTED:
                return self.compacted
            case View.ORIGINALS:
                return self.originals


def views(timeline: Timeline, cut: int, named: Named = by_position) -> Views:
    """The three views of a cut of a folded tape."""
    rows = [row.node for row in timeline.rows(cut)]
    shaped = _shaped(timeline)
    return Views(
        tuple(rows),
        _compacted(timeline, cut, rows, shaped, named),
        tuple(_originals(timeline, cut, rows, shaped)),
    )


def compacted(timeline: Timeline, cut: int, named: Named = by_position) -> tuple[int, ...] | str:
    """The surface of the head up to a cut, with the summaries that came later; or why not."""
    rows = [row.node for row in timeline.rows(cut)]
    return _compacted(timeline, cut, rows, _shaped(timeline), named)


class _Shaped(NamedTuple):
    """What may stand for other rows: all others are plain, and need not be looked at.

    Attributes:
        summaries: the nodes that are summaries.
        events: the events that put something in the place of others.
    """

    summaries: frozenset[int]
    events: frozenset[int]

    def is_plain(self, node: int, event: int) -> bool:
        """Whether a node of an event is one of these others."""
        return event not in self.events and node not in self.summaries


def _shaped(timeline: Timeline) -> _Shaped:
    summaries = timeline.surface.nodes.of_role(Role.SUMMARY)
    return _Shaped(frozenset(summaries), frozenset(timeline.replacements))


def _compacted(
    timeline: Timeline, cut: int, rows: list[int], shaped: _Shaped, named: Named
) -> tuple[int, ...] | str:
    if not rows:
        return ()
    head = timeline.events
    nodes = timeline.surface.nodes
    last = rows[-1]
    standing = rows if cut == head else [row.node for row in timeline.rows(head)]
    kept = _place(timeline, standing, last)
    if kept is None:
        left = timeline.surface.departure(last, head)
        if left is not None and left.reason is Reason.COMPACTED:
            leak = _leak(timeline, _odd(timeline, standing, shaped), cut, named)
            if leak is not None:
                return leak
        how = "" if left is None else f": {left.reason.label} by {named(left.by)}"
        return f"the last row kept, of {named(nodes.origin(last))}, is not there any more{how}"
    taken = standing[: kept + 1]
    leak = _leak(timeline, _odd(timeline, taken, shaped), cut, named)
    if leak is not None:
        return leak
    for node in taken if cut < head else ():
        origin = nodes.origin(node)
        if origin >= cut and not is_summary(timeline, node):
            return f"a row of {named(origin)}, behind the cut, stands before the last one kept"
    return tuple(taken)


def _leak(timeline: Timeline, standing: Iterable[int], cut: int, named: Named) -> str | None:
    """Which of some rows is a summary that tells of what is behind a cut, or None."""
    nodes = timeline.surface.nodes
    summaries = [node for node in standing if is_summary(timeline, node)]
    if covers_from(timeline, summaries, cut) is None:
        return None
    for node in summaries:
        beyond = covers_from(timeline, (node,), cut)
        if beyond is not None:
            summary = named(nodes.origin(node))
            return f"the summary of {summary} covers {named(beyond)}, behind the cut"
    return None


def _odd(timeline: Timeline, rows: Iterable[int], shaped: _Shaped) -> list[int]:
    """The rows that may stand for others."""
    origin = timeline.surface.nodes.origin
    if not shaped.summaries and not shaped.events:
        return []
    return [node for node in rows if not shaped.is_plain(node, origin(node))]


def _place(timeline: Timeline, standing: list[int], last: int) -> int | None:
    """Where a node, or what shows the same part of its event, stands among others."""
    nodes = timeline.surface.nodes
    wanted = nodes.origin(last), nodes.part(last)
    for at in range(len(standing) - 1, -1, -1):
        node = standing[at]
        if node == last or (nodes.origin(node), nodes.part(node)) == wanted:
            return at
    return None


def is_summary(timeline: Timeline, node: int) -> bool:
    """Whether a node was made by a compaction: its summary, or what it wrote anew beside it."""
    nodes = timeline.surface.nodes
    return nodes.role(node) is Role.SUMMARY or bool(_hidden(timeline, nodes.origin(node)))


def _hidden(timeline: Timeline, event: int, reason: Reason = Reason.COMPACTED) -> list[int]:
    """The nodes that a compaction took the place of, those left out that it carried on."""
    # Asked of every row: nothing is read here for long.
    heed()
    if not timeline.is_replacement(event):
        return []
    at = timeline.in_force(event)
    entered = {row.node for row in timeline.changes(at - 1, at).entered}
    return [
        departure.node
        for departure in timeline.hid(event)
        if departure.reason is reason and departure.node not in entered
    ]


def covers_from(timeline: Timeline, summaries: Iterable[int], cut: int) -> int | None:
    """The first event at or behind a cut that summaries tell of, or None if they tell of none.

    A summary tells of what it hides and of what it names, through other summaries.

    Args:
        timeline: whose nodes.
        summaries: nodes; each event that any of them names is looked at once.
        cut: the cursor.
    """
    nodes = timeline.surface.nodes
    waiting = [nodes.origin(node) for node in summaries]
    told: set[int] = set(waiting)
    found: int | None = None
    while waiting:
        event = waiting.pop()
        named = {nodes.origin(node) for node in _hidden(timeline, event)}
        for node in nodes.all_of_event(event):
            named.update(nodes.sources(node))
        for origin in named - told:
            told.add(origin)
            made = list(nodes.all_of_event(origin))
            if any(is_summary(timeline, node) for node in made):
                waiting.append(origin)
            elif made and origin >= cut and (found is None or origin < found):
                # What makes no row, as the events of a compaction's own bracket, says nothing.
                found = origin
    return found


def originals(timeline: Timeline, cut: int) -> list[int]:
    """The rows at a cut, with what compactions and cuts hide between these.

    What a summary hides need not have stood together, nor where the summary stands: each row goes
    to its place in the one order.
    """
    return _originals(timeline, cut, [row.node for row in timeline.rows(cut)], _shaped(timeline))


def _originals(timeline: Timeline, cut: int, rows: list[int], shaped: _Shaped) -> list[int]:
    summaries: list[int] = []
    found = list(_unhidden(timeline, rows[::-1], shaped, summaries))
    if summaries:
        places = {element: at for at, element in enumerate(timeline.surface.order)}
        found.sort(key=lambda node: places[_element(timeline, node, cut)])
    return found


def _element(timeline: Timeline, node: int, cut: int) -> int:
    """What shows a node at a cut, or showed it last: itself, or the run that carried it."""
    now, last = timeline.surface.runs.covering(node, cut)
    run = last if now is None else now
    return node if run is None else ~run


def _unhidden(
    timeline: Timeline, waiting: list[int], shaped: _Shaped, summaries: list[int]
) -> Iterator[int]:
    """Nodes with what they hide in their place.

    Args:
        timeline: whose nodes.
        waiting: the nodes, the first one last; they are taken away.
        shaped: what may stand for others.
        summaries: gets those that are left out, being summaries.
    """
    nodes = timeline.surface.nodes
    seen: set[int] = set()
    undone: set[int] = set()
    while waiting:
        node = waiting.pop()
        if node in seen:
            continue
        seen.add(node)
        heed()
        event = nodes.origin(node)
        plain = shaped.is_plain(node, event)
        if not plain and is_summary(timeline, node):
            summaries.append(node)
            if event not in undone:
                undone.add(event)
                waiting += reversed(_hidden(timeline, event))
        elif not plain and (shortened := _hidden(timeline, event, Reason.PRUNED)):
            waiting += reversed(shortened)
        elif nodes.form(node) in (Form.FULL, Form.REBUILT):
            yield node
        else:
            full = _full(timeline, node)
            if full == node or full not in seen:
                seen.add(full)
                yield full


def _full(timeline: Timeline, node: int) -> int:
    """The node that shows in full what another shows in part; the same one if there is none."""
    nodes = timeline.surface.nodes
    part = nodes.part(node)
    return next(
        (
            other
            for other in nodes.all_of_event(nodes.origin(node))
            if nodes.part(other) == part
            and nodes.form(other) is Form.FULL
            and nodes.role(other) is nodes.role(node)
        ),
        node,
    )


def default(offered: Mapping[View, str | None], found: Views) -> View:
    """The view that is taken unless told otherwise: compacted where it is another, else as-of."""
    if offered[View.COMPACTED] is None and found.compacted != found.as_of:
        return View.COMPACTED
    return next(
        (view for view in (View.AS_OF, View.COMPACTED, View.ORIGINALS) if offered[view] is None),
        View.AS_OF,
    )
