"""What the owner makes of a session whose writer stopped: at its next start, and in each request.

It writes nothing on the tape for it. At the start a pending message becomes an error, but for one
that waits for a person or was put in while an answer ran, as read in the owner's source.
"""

from collections.abc import Iterator, Sequence
from typing import Final

from inspector.formats.deepchat.context.records import PENDING, USER, metadata_of
from inspector.formats.deepchat.effects.runs import Run
from inspector.formats.deepchat.effects.tools import call_key, call_of
from inspector.formats.deepchat.planning.compacting import is_paused
from inspector.formats.deepchat.planning.material import Material
from inspector.formats.deepchat.planning.transcript import Message, Transcript
from inspector.formats.deepchat.vocabulary import RUN_STARTED, TOOL_RESULT
from inspector.formats.parts import Call, Result
from inspector.formats.planning import Closer, Repair
from inspector.formats.shapes import mapping
from inspector.text.gate import clean_line
from inspector.text.labels import plural

WHY_NOT: Final = (
    "DeepChat mends its tables at its next start and each request in memory; nothing of it is "
    "written from outside"
)
INTERRUPTED: Final = "common.error.sessionInterrupted"

_SHOWN: Final = 80
_CLASSES: Final = {
    "corruption": "the journal contradicts itself",
    "indeterminate": "the outcome of what was started is not known",
    "not_dispatched": "interrupted before any tool ran; no failure, may be called again",
    "completed": "every tool came back, only the end is missing",
}
"""The owner's classes of a run without an end (format page 6)."""


def repair(material: Material, transcript: Transcript) -> Repair:
    """What would be mended, and that it is not written."""
    closers = (
        *_pending(transcript),
        *_unwritten(material),
        *_runs(material),
        *_calls(material, transcript),
        *_ignored(material),
    )
    verdict = material.verdict()
    reason = "" if verdict.opens is True else clean_line(verdict.reason or "", 200)
    if not closers:
        return Repair((), None, reason)
    return Repair(closers, None, f"{WHY_NOT}; {reason}" if reason else WHY_NOT)


def _pending(transcript: Transcript) -> Iterator[Closer]:
    for message in transcript.now:
        if message.record.status == PENDING:
            yield _of_pending(message)


def _of_pending(message: Message) -> Closer:
    record = message.record
    kind = f"message/{record.role}"
    if record.role == USER:
        receipt = mapping(metadata_of(record).get("inputReceipt"))
        if receipt.get("mode") == "steer":
            what = "put in while an answer ran and not read yet: it stays pending and is not sent"
            return Closer(kind, "dropped", what, event=message.event)
        what = "not sent: it becomes an error, and no request has it"
        return Closer(kind, "altered", what, code="error", event=message.event)
    if is_paused(record):
        what = "waits for a person: it stays pending and is not sent"
        return Closer(kind, "dropped", what, event=message.event)
    what = "the answer was not finished: it ends as an error that says so"
    return Closer(kind, "altered", what, code=INTERRUPTED, event=message.event)


def _unwritten(material: Material) -> Iterator[Closer]:
    count = material.unwritten()
    if count:
        answers = plural(count, "answer that is", "answers that are")
        what = f"{answers} not on the tape yet: not finished, and so an error that says so"
        yield Closer("message/assistant", "altered", what, code=INTERRUPTED)


def _runs(material: Material) -> Iterator[Closer]:
    runs = list(material.unfinished())
    results = _results(material, [run for _, run in runs])
    for identity, run in runs:
        word = run.recovery
        what = f"run {clean_line(identity, _SHOWN)} has no end: {_CLASSES[word]}"
        yield Closer(RUN_STARTED, "altered", what, None, word, run.event)
        unanswered = run.dispatched.keys() - run.answered
        for operation in sorted(unanswered, key=run.sent.__getitem__):
            call = clean_line(operation.partition(":")[2], _SHOWN)
            result = results.get(run.dispatched[operation])
            known = "whether it took effect is not known"
            if result is not None:
                known = f"the journal has no outcome, though its result stands in {result}"
            what = f"interrupted after it was started: {known}"
            event = run.sent[operation]
            yield Closer("execution/tool_outcome", "altered", what, call, word, event)


def _results(material: Material, runs: Sequence[Run]) -> dict[str, str]:
    """The names of the last results of calls whose outcome the journal does not tell, by key."""
    timeline = material.timeline
    waiting = {
        run.dispatched[operation]: run.sent[operation]
        for run in runs
        for operation in run.dispatched.keys() - run.answered
    }
    first = min(waiting.values(), default=timeline.events)
    found: dict[str, str] = {}
    for event in timeline.table.of_type(TOOL_RESULT, first, timeline.events):
        if timeline.is_rejected(event):
            continue
        key = call_key(*call_of(TOOL_RESULT, mapping(material.payload(event).get("payload"))))
        if waiting.get(key, event) < event:
            found[key] = material.named(event)
    return found


def _calls(material: Material, transcript: Transcript) -> Iterator[Closer]:
    """The calls in messages that have no response: a request leaves them out (RULES C3)."""
    timeline = material.timeline
    for row in timeline.rows(timeline.events):
        event = timeline.surface.nodes.origin(row.node)
        record = transcript.record(event)
        if record is None or record.role == USER or record.status == PENDING:
            continue
        parts = material.parts(event)
        answered = {part.call for part in parts if isinstance(part, Result)}
        for part in parts:
            if isinstance(part, Call) and part.id not in answered:
                identity = None if part.id is None else clean_line(part.id, _SHOWN)
                what = "has no response: interrupted, no failure, and no request has the call"
                yield Closer("tool_call", "dropped", what, identity, event=event)


def _ignored(material: Material) -> Iterator[Closer]:
    timeline = material.timeline
    for event in timeline.rejected:
        kind = clean_line(timeline.table.type(event), _SHOWN)
        yield Closer(kind, "dropped", "a row that the owner ignores", event=event)
