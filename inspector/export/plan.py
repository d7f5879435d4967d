"""A plan as a document for scripts, which can be saved and made again."""

from typing import Any, Final

from inspector.export.documents import PREVIEW
from inspector.export.plan_command import command, place
from inspector.export.request import item
from inspector.formats.contract import RequestEntry, Tape
from inspector.formats.planning import PlanKind
from inspector.plans.plan import Compaction, Cut, Effect, Plan, ViewChoice
from inspector.plans.starts import line_of
from inspector.text.redaction import redacted

VERSION: Final = 1
"""Of the document as it is saved."""


def document(tape: Tape, plan: Plan) -> dict[str, Any]:
    """All that a plan says; its paths lead there from every folder, and secrets are masked.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    identity = tape.identity
    found: dict[str, Any] = {
        "version": VERSION,
        "kind": plan.kind.value,
        "how": plan.how.value,
        "ways": {how.value: why or True for how, why in plan.ways.items()},
        "owner": plan.owner,
        "tape": {
            "path": place(plan.path, absolute=True),
            "id": identity.id,
            "format": identity.format,
            "policy": identity.policy,
        },
        "head": {"events": plan.seal.events, "bytes": plan.seal.bytes, "hash": plan.seal.hash},
        "cut": None if plan.cut is None else _cut(plan.cut),
        "kept": plan.kept,
        "left": plan.left_behind,
        "left_because": dict(plan.left),
        "checks": [check._asdict() for check in plan.checks],
        "sound": plan.is_sound,
        "view": _effect(tape, plan.effect) | _view(plan.view),
        "registers": {name: list(values) for name, values in plan.registers.items()},
        "not_undone": [
            {
                "event": call.event,
                "tool": call.tool,
                "class": call.kind,
                "what": call.what,
                "restorable": call.restorable is not None,
                "checkpoint": call.restorable,
                "declined": call.declined,
                "waits": call.waits,
            }
            for call in plan.not_undone
        ],
        "restorable": [
            {"path": file.path, "event": file.event, "how": file.how, "possible": file.back}
            for file in plan.restorable
        ],
        "writes": [
            {"to": place(write.to, absolute=True), "how": write.how.value, "bytes": size}
            for write, size in plan.writes
        ],
        "remarks": list(plan.remarks),
        "command": command(plan, identity, absolute=True),
        "asked": _asked(plan),
        "making": {"id": plan.making.id, "time": plan.making.time},
    }
    if plan.compaction is not None:
        found |= _compaction(tape, plan.compaction)
    if plan.kind is PlanKind.REPAIR:
        found["closers"] = [
            {
                "type": closer.type,
                "does": closer.does,
                "what": closer.what,
                "call_id": closer.call_id,
                "code": closer.code,
                "event": closer.event,
            }
            for closer in plan.closers
        ]
    if plan.kind is PlanKind.RESUME:
        found["next_request"] = {
            "items": [_item(tape, entry) for entry in plan.request],
            "tokens": plan.effect.after.tokens,
        }
    return found


def _cut(cut: Cut) -> dict[str, Any]:
    return {
        "asked": cut.asked,
        "taken": cut.taken,
        "nearest": [cut.before, cut.after],
        "why": cut.why,
    }


def _item(tape: Tape, entry: RequestEntry) -> dict[str, Any]:
    found = item(tape, entry)
    said = found["text"]
    return found if said is None else found | {"text": redacted(said)}


def _effect(tape: Tape, effect: Effect) -> dict[str, Any]:
    """What the model sees before and after; null in a list for what is no row of the tape."""
    after, last = effect.nodes_after, effect.reported
    return {
        "choice": None,
        "offered": {},
        "before": [_name(tape, node) for node in effect.nodes_before],
        "after": None
        if after is None
        else [None if node is None else _name(tape, node) for node in after],
        "rows_before": effect.before.rows,
        "rows_after": effect.after.rows,
        "tokens_before": effect.before.tokens,
        "tokens_after": effect.after.tokens,
        "tokens_of_summary": effect.summary,
        "tokens": {},
        "leak": None,
        "reported": None if last is None else {"tokens": last.tokens, "event": last.event},
    }


def _view(view: ViewChoice | None) -> dict[str, Any]:
    """The histories of a plan that offers several."""
    if view is None:
        return {}
    return {
        "choice": view.choice.value,
        "offered": {one.value: why or True for one, why in view.offered.items()},
        "tokens": {one.value: weight for one, weight in view.tokens_of.items()},
        "leak": view.leak or None,
    }


def _name(tape: Tape, node: int) -> str:
    nodes = tape.timeline.surface.nodes
    return f"{nodes.origin(node)}.{nodes.part(node)}"


def _compaction(tape: Tape, found: Compaction) -> dict[str, Any]:
    rows, why = found.owner
    return {
        "split": {
            "owner": rows,
            "owner_rule": why,
            "safe": found.safe,
            "moved_because": list(found.moved_because),
        },
        "hides": [_name(tape, node) for node in found.hides],
        "hidden": _hidden(tape, found),
        "launch": None if found.launch is None else _name(tape, found.launch),
        "prompt": found.prompt.text,
        "prompt_length": found.prompt.length,
        "prompt_unit": found.prompt.unit,
        "prompt_limit": found.prompt.limit,
        "truncated": found.prompt.truncated,
        "summary": found.summary,
        "degraded": found.degraded,
    }


def _hidden(tape: Tape, found: Compaction) -> dict[str, Any]:
    """The rows that a compaction hides."""
    nodes = tape.timeline.surface.nodes
    rows = [
        {
            "node": _name(tape, node),
            "event": nodes.origin(node),
            "role": nodes.role(node).label,
            "kind": nodes.kind(node).label,
            "tokens": nodes.tokens[node],
            "preview": line_of(tape, node, PREVIEW)[:PREVIEW],
        }
        for node in found.hides
    ]
    events = [nodes.origin(node) for node in found.hides]
    return {
        "tokens": sum(nodes.tokens[node] for node in found.hides),
        "first_event": min(events, default=None),
        "last_event": max(events, default=None),
        "rows": rows,
    }


def _asked(plan: Plan) -> dict[str, Any]:
    asked = plan.asked
    file, into = asked.summary_file, asked.into
    return {
        "cut": asked.cut,
        "how": None if asked.how is None else asked.how.value,
        "view": None if asked.view is None else asked.view.value,
        "keep_last": asked.keep_last,
        # Word for word: the plan is made again from it.
        "summary": asked.summary,
        "summary_file": None if file is None else place(file, absolute=True),
        "degraded": asked.degraded,
        "into": None if into is None else place(into, absolute=True),
        "past_unknown": asked.past_unknown,
        "unpack_limit": asked.unpack_limit,
        "moved_from": asked.moved_from,
    }
