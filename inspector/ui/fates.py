"""What became of an event, in a sentence. Knows no Textual."""

from inspector.export.wording import finding_words, is_silent
from inspector.inspection import Inspection
from inspector.timeline.words import Visibility
from inspector.ui.rows import number


def sentence(inspection: Inspection, event: int, visibility: Visibility, by: int | None) -> str:
    """What became of an event, in words."""
    timeline = inspection.timeline
    node = timeline.surface.nodes.of_event(event)
    match visibility:
        case Visibility.VISIBLE:
            there = _since(inspection, event)
            if is_silent(timeline, event):
                return f"on the surface {there}, but silent: the owner makes no message of it"
            return f"visible to the model {there}"
        case Visibility.LOG_ONLY:
            return "log-only: never part of what the model sees"
        case Visibility.NOT_YET:
            return "not yet: it comes after the cursor"
        case Visibility.NOT_APPLIED:
            if timeline.stopped_at is not None and event >= timeline.stopped_at:
                return _behind(inspection, event, timeline.stopped_at)
            return "not applied: it breaks a rule of its format"
        case Visibility.ASIDE:
            return "aside: a side branch in the same file, which the model does not see here"
        case Visibility.UNREADABLE:
            return "unreadable: nobody can tell what it holds"
    if node is None:
        return visibility.label
    if by is None or timeline.surface.is_there(node, inspection.cursor):
        who = "" if by is None else f" by {number(inspection, by)}"
        form = timeline.surface.nodes.form(node).label
        since = timeline.surface.nodes.born[node]
        return f"{visibility.label}{who}: the model sees it {form} since {since}"
    return _departure(inspection, event, node, visibility, by)


def _behind(inspection: Inspection, event: int, stopped: int) -> str:
    """What became of the event at which the fold stops, or of one behind it."""
    timeline, stop = inspection.timeline, number(inspection, stopped)
    if not timeline.passable:
        here = "here" if event == stopped else f"at {stop}"
        return f"not applied: the fold stops {here}: {finding_words(timeline, stopped)}"
    if event == stopped:
        return "not applied: unknown and required, the fold stops before it"
    return f"not applied: it builds on {stop}, which is unknown and required"


def _since(inspection: Inspection, event: int) -> str:
    """Since when an event that is there at the cursor is there, and whether for the first time."""
    surface, cursor = inspection.timeline.surface, inspection.cursor
    nodes = surface.nodes
    for node in nodes.all_of_event(event):
        if nodes.born[node] <= cursor < nodes.gone[node]:
            return f"since {nodes.born[node]}"
        run, _ = surface.runs.covering(node, cursor)
        if run is not None:
            return f"again since {surface.runs.born[run]}, carried back"
    return f"since {event + 1}"


def _departure(
    inspection: Inspection, event: int, node: int, visibility: Visibility, by: int
) -> str:
    """By what an event left, and how long it was there."""
    nodes = inspection.timeline.surface.nodes
    gone = nodes.gone[node]
    unseen = by == event or gone <= event + 1
    who = number(inspection, by)
    word = visibility.label
    if visibility is Visibility.UNLINKED:
        word += ": the chain to it is broken" if unseen else f" at {who}: the chain to it is broken"
    elif not unseen:
        word += f" by {who}"
    if unseen:
        return f"{word} · never seen by the model"
    # A row that was carried back since then left once more.
    seen = "visible" if by == nodes.cause(node) else "first visible"
    return f"{word} · {seen} {event + 1} to {gone - 1}"
