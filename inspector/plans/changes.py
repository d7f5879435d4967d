"""What a cut changes beside the history: registers, and what stays done in the world outside."""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from itertools import islice
from posixpath import normpath
from typing import Any, Final

from inspector.formats.contract import Tape
from inspector.formats.parts import Call
from inspector.formats.planning import (
    EDIT,
    HARMLESS,
    NETWORK,
    SUBAGENT,
    TERMINAL,
    UNKNOWN,
    Deed,
    Planner,
    Restorable,
)
from inspector.lenses.tools import CardKind, kind_of, others_of, title_of
from inspector.plans.declining import was_declined, was_not_allowed_yet
from inspector.plans.looking import acting, named_harmless, only_looks, runs, words_of
from inspector.plans.plan import NotUndone
from inspector.plans.starts import line_of_event, without_cut
from inspector.text.jsontext import json_text
from inspector.text.masking import masked
from inspector.text.redaction import redacted
from inspector.timeline.spans import Spans
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import SpanKind

_CLASSES: Final = {
    CardKind.TERMINAL: TERMINAL,
    CardKind.DIFF: EDIT,
    CardKind.SUBAGENT: SUBAGENT,
}

_NETWORK: Final = frozenset(
    ("http", "https", "post", "request", "fetch", "webfetch", "browser", "email", "send")
)
"""Words of the names of tools that speak to somebody outside."""

_EDITS: Final = frozenset(
    ("write", "replace", "patch", "edit", "delete", "remove", "rename", "move", "insert")
)

_CWD: Final = "cwd"
_CODE: Final = "code"
_OF_FILES: Final = frozenset((EDIT, UNKNOWN))
"""Classes of calls that may say which file they change."""

_ARGUMENTS: Final = 400
"""Characters of what a call was given that are told where no argument says most."""

_CUT: Final = 1_000
"""Characters of what a call does from which on it may be the start of more."""
_LOOKED: Final = 16_000
"""Characters of what a call was given that are looked through for secrets."""

_ACTING: Final = 8
"""Arguments that are named because they have something done."""
_MANY: Final = "more arguments than are looked through"
_SHORT: Final = 60
"""Characters of what is told before such arguments."""

_FOLLOWS: Final = 32
"""Events behind one that only names a call, among which another may tell what it was given."""
_OPEN: Final = 256
"""Open calls among which the one is looked for that starts a subagent."""


def registers(
    tape: Tape, cut: int, result: Mapping[str, Any] | int | None = None
) -> dict[str, tuple[Any, Any]]:
    """The named values that a cut changes: as they are at the head, and in what is made.

    None stands for a value that is not set; secrets are masked.

    Args:
        tape: of which.
        cut: a cursor.
        result: see `Draft.registers`.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    timeline = tape.timeline
    head = timeline.registers.state(timeline.events)
    now = {name: tape.value(name, setting) for name, setting in head.items()}
    then: Mapping[str, Any]
    if result is None or isinstance(result, int):
        state = timeline.registers.state(cut if result is None else result)
        then = {
            name: now[name] if setting == head.get(name) else tape.value(name, setting)
            for name, setting in state.items()
        }
    else:
        then = result
    return {
        name: (masked(now.get(name)), masked(then.get(name)))
        for name in (*now, *(name for name in then if name not in now))
        if now.get(name) != then.get(name)
    }


def not_undone(
    tape: Tape, planner: Planner, cut: int, restorable: Sequence[Restorable]
) -> Iterator[NotUndone]:
    """What is behind a cut and may have changed the world outside, in order; secrets are masked.

    A call is taken for harmless only where the agent's own tool of that name is, or where its name
    and what it is given tell that it only looks. What another event tells of is told where no call
    behind the cut does.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    files = _Files(tape, restorable)
    timeline = tape.timeline
    made = frozenset(calling(timeline, cut))
    deeds = _by_event(planner.deeds(cut))
    ids = _ids(tape, made) if deeds else frozenset()
    spawned: set[int] = set()
    for event in sorted(made | deeds.keys() | _started(timeline.spans[SpanKind.SUBAGENT], cut)):
        told = list(_of_calls(tape, planner, event, files)) if event in made else []
        for deed in deeds.get(event, ()):
            if deed.call.id is None or deed.call.id not in ids:
                told += _judged(planner, deed, files)
        if any(one.kind == SUBAGENT for one in told):
            spawned.add(event)
        yield from told
        if event not in made and event not in deeds and not _is_within(timeline, event, spawned):
            kind = tape.headline(event).kind
            yield NotUndone(event, kind, SUBAGENT, line_of_event(tape, event), None)


def _by_event(deeds: Iterable[Deed]) -> dict[int, list[Deed]]:
    found: dict[int, list[Deed]] = {}
    for deed in deeds:
        found.setdefault(deed.event, []).append(deed)
    return found


def _ids(tape: Tape, events: Iterable[int]) -> frozenset[str]:
    """The ids of the calls that events make."""
    return frozenset(
        part.id
        for event in events
        for part in tape.parts(event)
        if isinstance(part, Call) and part.id is not None
    )


def _of_calls(tape: Tape, planner: Planner, event: int, files: "_Files") -> Iterator[NotUndone]:
    for part in tape.parts(event):
        if isinstance(part, Call):
            call = part if part.arguments is not None else _in_full(tape, event, part)
            for told in _judged(planner, Deed(event, call), files):
                declined = was_declined(tape, event, call.id)
                waits = not declined and was_not_allowed_yet(tape, event, call.id)
                yield told._replace(declined=declined, waits=waits)


def _judged(planner: Planner, deed: Deed, files: "_Files") -> Iterator[NotUndone]:
    """A deed that may have changed something; nothing where it only looks."""
    call = deed.call
    word = deed.kind or planner.does(call)
    if word == HARMLESS or (word is None and only_looks(call, at_server=deed.at_server)):
        return
    given = call.arguments
    kind = kind_of(call.name, given)
    word = word or _class(kind, call)
    what = deed.what or _says_most(kind, given)
    if len(what) >= _CUT:
        what = without_cut(what, json_text(given, limit=_LOOKED))
    if deed.kind is None and named_harmless(call, at_server=deed.at_server):
        what = _with_acting(what, call)
    checkpoint = files.checkpoint(deed.event, given) if word in _OF_FILES else None
    yield NotUndone(deed.event, call.name, word, redacted(what), checkpoint)


def _with_acting(what: str, call: Call) -> str:
    """What a call does whose tool is called as if it only looked: with what says otherwise."""
    told: list[str] = []
    for name, value in islice(acting(call), _ACTING):
        said = _given({name: value}) if name else _MANY
        if said not in told and not _tells(what, name, value):
            told.append(said)
    if not told:
        return what
    more = ", ".join(told)
    # Behind a long one nobody would see it.
    return f"{what} {more}".strip() if len(what) <= _SHORT else f"{more}, {what}"


def _tells(what: str, name: str, value: Any) -> bool:
    """Whether an argument stands in what is told already."""
    said = json_text(value, limit=_LOOKED)
    plain = value if isinstance(value, str) else said
    return what in (plain, said) or f'"{name}":{said}' in what or f"{name}: {plain}" in what


def _says_most(kind: CardKind, given: Any) -> str:
    """The argument that says most of what is done; of a tool that is not known what it runs, or
    all that it is given where no argument has a name that is known.
    """
    titles = (title_of(one, given)[0] for one in (kind, CardKind.GENERIC, CardKind.TERMINAL))
    code = given.get(_CODE) if isinstance(given, dict) else None
    known = next(filter(None, titles), code if isinstance(code, str) else "")
    return known or _given(given)


def _given(given: Any) -> str:
    """Arguments by their names, shortened, secrets masked by the names too."""
    if not isinstance(given, dict) or not given:
        return ""
    given = {name: value for name, value in given.items() if value not in (None, "", [], {})}
    told = ", ".join(f"{name}: {said}" for name, said in others_of(masked(given), frozenset()))
    return told if len(told) <= _ARGUMENTS else f"{told[:_ARGUMENTS]}…"


def _started(spans: Spans, cut: int) -> frozenset[int]:
    """The events behind a cut that start something."""
    return frozenset(cursor - 1 for cursor in spans.opened[bisect_left(spans.opened, cut + 1) :])


def _is_within(timeline: Timeline, event: int, calls: Set[int]) -> bool:
    """Whether an event stands within one of some calls."""
    if not calls:
        return False
    still_open = timeline.spans[SpanKind.TOOL_CALL].open_at(event)
    return any(span.opened - 1 in calls for span in islice(still_open, _OPEN))


def _in_full(tape: Tape, event: int, call: Call) -> Call:
    """A call of which its event tells only the name, as one of the next ones tells it."""
    if call.id is None:
        return call
    for later in range(event + 1, min(event + 1 + _FOLLOWS, tape.timeline.events)):
        for part in tape.parts(later):
            if isinstance(part, Call) and part.id == call.id and part.arguments is not None:
                return part
    return call


def calling(timeline: Timeline, cut: int) -> list[int]:
    """The events behind a cut that make calls, calls within calls included, in order."""
    kinds = (SpanKind.TOOL_CALL, SpanKind.CODE_DISPATCH)
    claimants = (
        event for kind in kinds for event in timeline.spans[kind].claimants() if event >= cut
    )
    opened = (_started(timeline.spans[kind], cut) for kind in kinds)
    return sorted(frozenset(claimants).union(*opened))


def _class(kind: CardKind, call: Call) -> str:
    """What a tool that does more than look does to the world outside."""
    words = words_of(call.name)
    by_name = kind_of(call.name, None)
    if words & _NETWORK and by_name not in _CLASSES:
        return NETWORK
    if kind in _CLASSES:
        return _CLASSES[kind]
    if words & _EDITS:
        return EDIT
    return TERMINAL if runs(call.arguments) else UNKNOWN


class _Files:
    """Which checkpoint can bring a file back that a call changed: the same file, and no other."""

    def __init__(self, tape: Tape, restorable: Sequence[Restorable]) -> None:
        self._tape = tape
        self._base = next((one.folder for one in restorable if one.folder), "")
        self._known: dict[str, int] = {}
        for one in restorable:
            if one.back:
                folder = one.folder or self._folder(one.event)
                self._known.setdefault(_whole(folder, one.path), one.event)

    def checkpoint(self, event: int, given: Any) -> int | None:
        """The checkpoint of the file that a call names, or None."""
        path = title_of(CardKind.DIFF, given)[0] if self._known else ""
        if not path:
            return None
        return self._known.get(_whole(self._folder(event) or self._base, path))

    def _folder(self, event: int) -> str:
        """The working directory at an event, empty where the tape does not tell it."""
        setting = self._tape.timeline.registers.at(_CWD, event + 1)
        value = None if setting is None else self._tape.value(_CWD, setting)
        return value if isinstance(value, str) else ""


def _whole(folder: str, path: str) -> str:
    """A path as it stands below a folder."""
    return normpath(path if path.startswith("/") or not folder else f"{folder}/{path}")
