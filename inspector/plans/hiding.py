"""A plan without the secrets of its tape: each text that may be quoted from there, in one place."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, TypeVar

from inspector.formats.contract import RequestEntry
from inspector.formats.planning import Check, Closer, Restorable
from inspector.plans.checking import TARGET
from inspector.plans.placing import INTO
from inspector.plans.plan import Compaction, NotUndone, Plan, ViewChoice
from inspector.text.redaction import redacted

_Key = TypeVar("_Key")

_OF_A_PATH: Final = frozenset((TARGET, INTO))
"""Checks that name a place where something is made: it is told beside them as it is."""


def without_secrets(plan: Plan) -> Plan:
    """A plan in which no sentence, name, id or path that comes from the tape shows a secret.

    Where something is made, and what would be written there, stays as it is.
    """
    view, compaction = plan.view, plan.compaction
    return replace(
        plan,
        ways=_reasons(plan.ways),
        left=_counts(plan.left),
        checks=tuple(map(_check, plan.checks)),
        view=None if view is None else _view(view),
        not_undone=tuple(map(_call, plan.not_undone)),
        restorable=tuple(map(_file, plan.restorable)),
        compaction=None if compaction is None else _compaction(compaction),
        closers=tuple(map(_closer, plan.closers)),
        request=tuple(map(_entry, plan.request)),
        remarks=tuple(map(redacted, plan.remarks)),
    )


def _maybe(text: str | None) -> str | None:
    return None if text is None else redacted(text)


def _reasons(reasons: Mapping[_Key, str | None]) -> dict[_Key, str | None]:
    return {key: _maybe(why) for key, why in reasons.items()}


def _counts(numbers: Mapping[str, int]) -> dict[str, int]:
    found: dict[str, int] = {}
    for why, number in numbers.items():
        said = redacted(why)
        found[said] = found.get(said, 0) + number
    return found


def _check(check: Check) -> Check:
    if check.rule in _OF_A_PATH:
        return check
    return check._replace(message=redacted(check.message))


def _view(view: ViewChoice) -> ViewChoice:
    return replace(view, offered=_reasons(view.offered), leak=redacted(view.leak))


def _call(call: NotUndone) -> NotUndone:
    return call._replace(tool=redacted(call.tool), what=redacted(call.what))


def _file(file: Restorable) -> Restorable:
    path, how = redacted(file.path), redacted(file.how)
    return replace(file, path=path, how=how, folder=redacted(file.folder))


def _compaction(found: Compaction) -> Compaction:
    rows, why = found.owner
    moved = tuple(map(redacted, found.moved_because))
    return replace(found, owner=(rows, redacted(why)), moved_because=moved)


def _closer(closer: Closer) -> Closer:
    return replace(
        closer,
        type=redacted(closer.type),
        what=redacted(closer.what),
        call_id=_maybe(closer.call_id),
        code=_maybe(closer.code),
    )


def _entry(entry: RequestEntry) -> RequestEntry:
    if not entry.why and entry.call_id is None:
        return entry
    return replace(entry, why=redacted(entry.why), call_id=_maybe(entry.call_id))
