"""A plan as a document for scripts, which can be saved and made again."""

import shlex
from collections.abc import Iterator
from typing import Any, Final

from inspector.export.request import item
from inspector.formats.contract import Identity, Tape
from inspector.formats.planning import How, PlanKind
from inspector.formats.registry import policies_of
from inspector.plans.plan import Compaction, Cut, Plan, ViewChoice

VERSION: Final = 1
"""Of the document as it is saved."""

_SHORT: Final = 12
"""Hex digits of the head's hash in a command line."""


def document(tape: Tape, plan: Plan) -> dict[str, Any]:
    """All that a plan says; texts of the tape are as they are there.

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
            "path": str(plan.path),
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
        "view": None if plan.view is None else _view(tape, plan.view),
        "registers": {name: list(values) for name, values in plan.registers.items()},
        "not_undone": [
            {
                "event": call.event,
                "tool": call.tool,
                "class": call.kind,
                "what": call.what,
                "restorable": call.restorable is not None,
                "checkpoint": call.restorable,
            }
            for call in plan.not_undone
        ],
        "restorable": [
            {"path": file.path, "event": file.event, "how": file.how, "possible": file.back}
            for file in plan.restorable
        ],
        "writes": [
            {"to": str(write.to), "how": write.how.value, "bytes": size}
            for write, size in plan.writes
        ],
        "remarks": list(plan.remarks),
        "command": command(plan, identity),
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
        found["next_request"] = {"items": [item(tape, entry) for entry in plan.request]}
    return found


def _cut(cut: Cut) -> dict[str, Any]:
    return {
        "asked": cut.asked,
        "taken": cut.taken,
        "nearest": [cut.before, cut.after],
        "why": cut.why,
    }


def _view(tape: Tape, view: ViewChoice) -> dict[str, Any]:
    return {
        "choice": view.choice.value,
        "offered": {one.value: why or True for one, why in view.offered.items()},
        "before": [_name(tape, node) for node in view.before],
        "after": [_name(tape, node) for node in view.after],
        "tokens_before": view.tokens_before,
        "tokens_after": view.tokens_after,
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
        "launch": None if found.launch is None else _name(tape, found.launch),
        "prompt": found.prompt.text,
        "prompt_length": found.prompt.length,
        "prompt_unit": found.prompt.unit,
        "prompt_limit": found.prompt.limit,
        "truncated": found.prompt.truncated,
        "summary": found.summary,
        "degraded": found.degraded,
    }


def _asked(plan: Plan) -> dict[str, Any]:
    asked = plan.asked
    return {
        "cut": asked.cut,
        "how": None if asked.how is None else asked.how.value,
        "view": None if asked.view is None else asked.view.value,
        "keep_last": asked.keep_last,
        "summary": asked.summary,
        "degraded": asked.degraded,
        "into": None if asked.into is None else str(asked.into),
    }


def command(plan: Plan, identity: Identity) -> str:
    """The command line that makes the same plan of the same tape."""
    asked = plan.asked
    words = ["inspector", "plan", plan.kind.value, str(plan.path), *_which(identity)]
    if plan.cut is not None:
        words += ["--after", str(plan.cut.taken)]
    elif asked.cut is not None:
        words += ["--after", str(asked.cut)]
    if plan.view is not None:
        words += ["--view", plan.view.choice.value]
    if plan.kind in (PlanKind.FORK, PlanKind.REWIND) and len(_open(plan)) > 1:
        words += ["--how", plan.how.value]
    if asked.keep_last is not None:
        words += ["--keep-last", str(asked.keep_last)]
    if asked.degraded:
        words.append("--degraded")
    elif asked.summary is not None:
        words += ["--summary", "FILE"]
    if asked.into is not None:
        words += ["--into", str(asked.into)]
    words += ["--expect", f"{plan.seal.events}:{plan.seal.hash[:_SHORT]}"]
    return shlex.join(words)


def _which(identity: Identity) -> Iterator[str]:
    """What chooses the tape where its path may hold several, and the reader where it is not the
    one that is followed unless told otherwise.
    """
    alone = "jsonl" in identity.variant and not identity.variant.endswith(".zip")
    if identity.id is not None and not alone:
        yield from ("--session", identity.id)
    if identity.policy != next(iter(policies_of(identity.format)), identity.policy):
        yield from ("--policy", identity.policy)


def _open(plan: Plan) -> list[How]:
    return [how for how, why in plan.ways.items() if why is None]
