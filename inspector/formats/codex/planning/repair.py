"""What the owner mends of a log, and what only a new log mends (RULES R0 and R5)."""

from collections.abc import Iterator
from typing import Final

from inspector.formats.codex.planning.rehearsing import with_model_view
from inspector.formats.codex.planning.rollout import Rollout
from inspector.formats.codex.planning.writing import Copy
from inspector.formats.contract import RequestEntry
from inspector.formats.planning import Closer, Making, Repair
from inspector.text.gate import clean_line

_IN_MEMORY: Final = "Codex mends each request in memory, and writes nothing of it"
_ITSELF: Final = "Codex ends the torn line itself when it takes the session up, and then skips it"


def repair(rollout: Rollout, making: Making, refused: str | None) -> Repair:
    """What would be done if the owner opened the log as it is.

    Args:
        rollout: the log.
        making: id and time of a new one.
        refused: why none can be made, or None.
    """
    in_request = tuple(_in_request(rollout))
    torn = tuple(_torn(rollout))
    in_lines = tuple(_in_lines(rollout))
    unopened = rollout.verdict.opens is False
    if refused is not None and (in_lines or unopened):
        return Repair((*in_request, *torn, *in_lines), None, refused)
    whole = (_made_anew(rollout),) if unopened else ()
    closers = (*in_request, *torn, *whole, *in_lines)
    if not whole and not in_lines:
        words = ((_IN_MEMORY, in_request), (_ITSELF, torn))
        return Repair(closers, None, "; ".join(word for word, found in words if found))
    draft = Copy(rollout, rollout.events, making, mended=True).draft(
        "a new thread, because Codex mends no line of a log that is written",
        *((_IN_MEMORY,) if in_request else ()),
    )
    return Repair(closers, with_model_view(rollout, draft))


def _in_request(rollout: Rollout) -> Iterator[Closer]:
    """The outputs that the owner makes up in each request, and those that it leaves out."""
    origin = rollout.timeline.surface.nodes.origin
    event: int | None = None
    for entry in rollout.request(rollout.events):
        if entry.node is not None:
            event = origin(entry.node)
        if entry.note == "added":
            yield _closer(
                entry, event, f"an output that says “{entry.text or ''}”, behind its call"
            )
        elif entry.note == "dropped":
            yield _closer(entry, event, "an output of which no call is in the history")


def _closer(entry: RequestEntry, event: int | None, what: str) -> Closer:
    call = None if entry.call_id is None else clean_line(entry.call_id, 80)
    added = entry.note == "added"
    does, code = ("added", entry.text) if added else ("dropped", None)
    return Closer(clean_line(entry.type, 80), does, what, call, code, event)


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
