"""What the owner mends of a log, and what only a new log mends (RULES R0 and R5)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any, Final

from inspector.formats.codex.planning.courses import courses
from inspector.formats.codex.planning.cuts import cuts
from inspector.formats.codex.planning.rehearsing import model_view, rehearsed
from inspector.formats.codex.planning.rollout import Rollout
from inspector.formats.codex.planning.spelling import TYPES, is_json, respelled
from inspector.formats.codex.planning.writing import Copy
from inspector.formats.contract import RequestEntry
from inspector.formats.planning import OPEN_TURN, Check, Closer, Draft, Making, Repair
from inspector.formats.shapes import mapping, text
from inspector.text.gate import clean_line
from inspector.text.labels import plural
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Kind

MENDABLE: Final = "mendable"

_IN_MEMORY: Final = "Codex mends each request in memory, and writes nothing of it"
_ITSELF: Final = "Codex ends the torn line itself when it takes the session up, and then skips it"
_OPEN: Final = "a turn is open: Codex never ends it, and begins another one behind it"
_NEW: Final = "a new thread, because Codex mends no line of a log that is written"


def repair(rollout: Rollout, making: Making, refused: str | None) -> Repair:
    """What would be done if the owner opened the log as it is.

    Args:
        rollout: the log.
        making: id and time of a new one.
        refused: why none can be made, or None.
    """
    torn = tuple(_torn(rollout))
    in_records = (*_in_lines(rollout), *_spelled(rollout))
    whole = (_made_anew(rollout),) if rollout.verdict.opens is False else ()
    as_sent = (*_as_sent(rollout), *_open_turn(rollout))
    if refused is None and (whole or in_records):
        draft, in_request = _anew(rollout, making, as_sent)
        return Repair((*in_request, *torn, *whole, *in_records), draft)
    in_request = tuple(_in_request(rollout, rollout.request(rollout.events)))
    if whole or in_records:
        no = Check(MENDABLE, ok=False, message=f"it cannot be mended: {refused}")
        nothing = Draft((), rollout.events, checks=(no,), remarks=as_sent)
        return Repair((*in_request, *torn, *in_records), nothing)
    words = ((_IN_MEMORY, in_request), (_ITSELF, torn))
    told = "; ".join(word for word, found in words if found)
    only_told = Draft((), rollout.events, remarks=as_sent) if as_sent else None
    return Repair((*in_request, *torn), only_told, told)


def _anew(
    rollout: Rollout, making: Making, remarks: Sequence[str]
) -> tuple[Draft, tuple[Closer, ...]]:
    """A new log in which all is read that can be, and what the owner still adds in each request."""
    copy = Copy(rollout, rollout.events, making, mended=True)
    draft = copy.draft(_NEW, *remarks)
    made = rehearsed(rollout, draft)
    if made is None:
        found = tuple(_in_request(rollout, rollout.request(rollout.events)))
    else:
        found = tuple(_in_request(rollout, made.request, (made.timeline, copy.travelling())))
    return (
        replace(
            draft,
            checks=(*draft.checks, model_view(rollout, made)),
            remarks=(*draft.remarks, *((_IN_MEMORY,) if found else ())),
        ),
        found,
    )


# Requests.


def _in_request(
    rollout: Rollout,
    request: Sequence[RequestEntry],
    made: tuple[Timeline, Sequence[int]] | None = None,
) -> Iterator[Closer]:
    """The outputs that the owner makes up in a request, and those that it leaves out.

    Args:
        rollout: the log.
        request: of it, or of a new one.
        made: the fold of the new one, and which events of the log its own are, but for the first.
    """
    found: list[tuple[RequestEntry, int | None]] = []
    event: int | None = None
    for entry in request:
        if entry.node is not None:
            event = _event(rollout, entry.node, made)
        if entry.note is not None:
            found.append((entry, event))
    called = {
        entry.call_id: event
        for entry, event in found
        if entry.note == "added" and entry.call_id is not None and event is not None
    }
    left_out = {
        entry.call_id: event
        for entry, event in found
        if entry.note == "dropped" and entry.call_id is not None and event is not None
    }
    told = courses(rollout, called, left_out)
    for entry, event in found:
        if entry.note == "added":
            course = told.get(entry.call_id or "", "")
            yield _closer(entry, event, "; ".join(filter(None, (_added(entry), course))))
        else:
            yield _closer(entry, event, "an output of which no call is in the history")


def _event(rollout: Rollout, node: int, made: tuple[Timeline, Sequence[int]] | None) -> int | None:
    """The event of the log that a node is of, of itself or of the one that is made of it."""
    if made is None:
        return rollout.timeline.surface.nodes.origin(node)
    timeline, travelled = made
    at = timeline.surface.nodes.origin(node) - 1
    return travelled[at] if 0 <= at < len(travelled) else None


def _added(entry: RequestEntry) -> str:
    said = f"that says “{entry.text}”" if entry.text else "that says nothing"
    return f"an output {said}, behind its call"


def _closer(entry: RequestEntry, event: int | None, what: str) -> Closer:
    call = None if entry.call_id is None else clean_line(entry.call_id, 80)
    added = entry.note == "added"
    does, code = ("added", entry.text) if added else ("dropped", None)
    return Closer(clean_line(entry.type, 80), does, what, call, code, event)


def _as_sent(rollout: Rollout) -> Iterator[str]:
    """What is broken in the history and is sent as it stands (RULES R5)."""
    nodes = rollout.timeline.surface.nodes
    broken = [
        nodes.origin(node)
        for node in rollout.row_nodes(rollout.events)
        if nodes.kind(node) is Kind.TOOL_CALL and _is_broken(rollout.item(node))
    ]
    if broken:
        calls = plural(len(broken), "call has", "calls have")
        yield (
            f"{calls} arguments that are no JSON, the first #{broken[0]}: Codex sends them as they "
            "stand, and so nothing is altered"
        )


def _open_turn(rollout: Rollout) -> Iterator[str]:
    stops = cuts(rollout.timeline, None).stops(rollout.events)
    if any(stop.rule == OPEN_TURN for stop in stops):
        yield _OPEN


def _is_broken(item: dict[str, Any]) -> bool:
    said = item.get("arguments")
    return item.get("type") == "function_call" and isinstance(said, str) and not is_json(said)


# Records.


def _torn(rollout: Rollout) -> Iterator[Closer]:
    """What stands behind the last newline."""
    if rollout.pending:
        yield Closer("line", "dropped", f"the line that is not ended, {rollout.pending:,} bytes")


def _made_anew(rollout: Rollout) -> Closer:
    """A log that the owner refuses is made again."""
    reason = clean_line(rollout.verdict.reason or "", 200)
    return Closer("session_meta", "altered", f"a log that is refused ({reason}) is made anew")


def _in_lines(rollout: Rollout) -> Iterator[Closer]:
    """What the owner does not read for the lines in which it stands."""
    timeline, records = rollout.timeline, rollout.records
    if not records.sums(0, 0).recovered:
        return
    for record in filter(records.is_recovered, range(len(records))):
        first = timeline.table.first_of_record(record)
        if first is None:
            continue
        for event in range(first, timeline.table.before_record(record + 1)):
            type_ = clean_line(timeline.table.type(event), 80)
            skipped = timeline.is_rejected(event)
            what = (
                "a record in a line that is skipped gets a line of its own"
                if skipped
                else "what is no UTF-8 in the line is replaced"
            )
            yield Closer(type_, "altered", what, event=event)


def _spelled(rollout: Rollout) -> Iterator[Closer]:
    """Calls and outputs that the owner skips for how they spell what they say (RULES R0)."""
    table = rollout.timeline.table
    for event in rollout.timeline.rejected:
        if table.type(event) not in TYPES:
            continue
        found = respelled(rollout.value(event))
        if found is None:
            continue
        item = mapping(found.get("payload"))
        call = clean_line(text(item.get("call_id")), 80)
        what = "what it says is no text, so that Codex skips the line: it is written as text"
        if item.get("arguments") == "{}":
            what = "its arguments are no text, so that Codex skips the line: they become {}"
        yield Closer(table.type(event), "altered", what, call, event=event)
