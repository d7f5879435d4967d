"""The payload of a compaction, decoded by the owner's rules (format page 5, RULES C)."""

from typing import Any, Final, NamedTuple

from inspector.formats.zero import golang
from inspector.formats.zero.event import ABSENT
from inspector.formats.zero.golang import Members, RefusedError
from inspector.text.gate import clean_line

_SAID: Final = 120

_WHOLE: Final = (
    "preserveLast",
    "compactableCount",
    "preservedCount",
    "compactedThroughSequence",
    "promptChars",
)
_TEXTS: Final = ("summary", "compactedThroughEventId")
_LISTS: Final = ("compactableEvents", "preservedEvents")
_NAMES: Final = golang.names_of(*_WHOLE, *_TEXTS, *_LISTS, "truncated")
_REF_NAMES: Final = golang.names_of("id", "sequence", "type", "createdAt")

_PLAIN_KEYS: Final = {*_WHOLE, *_TEXTS, *_LISTS, "truncated"}

_Ref = dict[str, Any]


class Compaction(NamedTuple):
    """What a compaction covers: events by id, and only if it names none those up to a number.

    Attributes:
        ids: the ids that it names, in its order, none empty.
        through: the highest number covered, where there are no ids; 0 covers nothing.
    """

    ids: tuple[str, ...]
    through: int


def compaction_of(payload: Any) -> Compaction:
    """What a payload covers.

    Args:
        payload: objects in it as `golang.Members`, or `event.ABSENT`.

    Raises:
        RefusedError: if the owner cannot fold it; without a summary the problem is of the type,
            and the detail says so.
    """
    found = fields_of(payload)
    if not found.get("summary", "").strip(golang.SPACE):
        raise NoSummaryError
    ids = tuple(ref["id"] for ref in found.get("compactableEvents", ()) if ref.get("id"))
    return Compaction(ids, 0 if ids else found.get("compactedThroughSequence", 0))


def fields_of(payload: Any) -> dict[str, Any]:
    """The members of a payload that the owner knows, as it decodes them.

    Args:
        payload: objects in it as `golang.Members`, or `event.ABSENT`.

    Raises:
        RefusedError: if the owner cannot decode it.
    """
    if payload is ABSENT:
        raise RefusedError("not JSON", "there is no payload")
    return _decoded(payload)


def plain_compaction(payload: Any) -> Compaction | None:
    """What a payload covers that is written as the owner writes it; None if it needs care.

    Args:
        payload: as a JSON reader has it, with nothing dropped.
    """
    if type(payload) is not dict or not payload.keys() <= _PLAIN_KEYS:
        return None
    found: dict[str, list[str]] = {name: [] for name in _LISTS}
    for name, value in payload.items():
        if name in _LISTS:
            ids = _plain_ids(value)
            if ids is None:
                return None
            found[name] = ids
        elif name in _WHOLE:
            if type(value) is not int or not -golang.LARGEST <= value <= golang.LARGEST:
                return None
        elif type(value) is not (bool if name == "truncated" else str):
            return None
    if not payload.get("summary", "").strip(golang.SPACE):
        return None
    ids = found["compactableEvents"]
    return Compaction(tuple(ids), 0 if ids else payload.get("compactedThroughSequence", 0))


def _plain_ids(refs: Any) -> list[str] | None:
    """The ids of references, each of which has all of a reference and nothing else."""
    if type(refs) is not list:
        return None
    found: list[str] = []
    try:
        for ref in refs:
            identity, number = ref["id"], ref["sequence"]
            if not (
                len(ref) == 4
                and type(identity) is type(ref["type"]) is type(ref["createdAt"]) is str
                and identity
                and type(number) is int
                and -golang.LARGEST <= number <= golang.LARGEST
            ):
                return None
            found.append(identity)
    except (TypeError, KeyError):
        return None
    return found


def covers_nothing(identity: str, compaction: Compaction) -> str:
    """Why a compaction with this id covers no event before it, as a clause.

    A fork copies the events of its parent under ids of its own, but not those in a payload, so
    what it copied of a compacted session folds no more (format page 7).
    """
    if compaction.ids:
        named = compaction.ids[0]
        session, own = named.rpartition(":")[0], identity.rpartition(":")[0]
        if session and session != own:
            said = clean_line(session, _SAID)
            return f"names events of session {said}, none of which is here: a fork gives new ids"
        more = " and others" if len(compaction.ids) > 1 else ""
        return f"names {clean_line(named, _SAID)}{more}, and no such event stands before it"
    if compaction.through > 0:
        return f"covers up to sequence {compaction.through}, and no event before it is that low"
    return "names no event that it covers"


class NoSummaryError(RefusedError):
    """The payload decodes, but its summary is blank (RULES 19)."""

    def __init__(self) -> None:
        super().__init__("the wrong type", "summary is required")

    @property
    def said(self) -> str:
        """All of it."""
        return self.detail


def _decoded(payload: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    if payload is None:
        return found
    if not isinstance(payload, Members):
        raise RefusedError("the wrong type", f"the payload is {golang.kind_of(payload)}")
    for name, value in golang.named(payload, _NAMES):
        if name in _LISTS:
            found[name] = _refs(name, value, found.get(name, []))
        elif value is None:
            continue
        elif name in _WHOLE:
            found[name] = golang.whole_of(name, value)
        elif name in _TEXTS:
            found[name] = golang.text_of(name, value)
        elif type(value) is not bool:
            raise RefusedError("the wrong type", f"{name} is {golang.kind_of(value)}")
        else:
            found[name] = value
    return found


def _refs(name: str, value: Any, before: list[_Ref]) -> list[_Ref]:
    """A list of references, laid over one that stood there before (RULES 18)."""
    if value is None:
        return []
    if not isinstance(value, list) or isinstance(value, Members):
        raise RefusedError("the wrong type", f"{name} is {golang.kind_of(value)} and no array")
    return [_ref(name, ref, before[at] if at < len(before) else {}) for at, ref in enumerate(value)]


def _ref(name: str, value: Any, before: _Ref) -> _Ref:
    if value is None:
        return before
    if not isinstance(value, Members):
        raise RefusedError("the wrong type", f"{name} holds {golang.kind_of(value)}")
    found = dict(before)
    for key, held in golang.named(value, _REF_NAMES):
        if held is not None:
            read = golang.whole_of if key == "sequence" else golang.text_of
            found[key] = read(f"{key} in {name}", held)
    return found


def payload_members(line: str) -> Any:
    """The payload of the event on a trimmed line, objects in it as `golang.Members`; or `ABSENT`.

    Raises:
        RefusedError: if the line is no JSON.
    """
    _, pairs = golang.read(line, Members)
    held = [value for key, value in pairs if golang.folded(key) == "payload"]
    return held[-1] if held else ABSENT


def members_of(payload: Any) -> Any:
    """The same of a payload that was read already, as far down as references stand."""
    if not isinstance(payload, dict):
        return payload
    return Members((key, _with_members(value)) for key, value in payload.items())


def _with_members(value: Any) -> Any:
    if isinstance(value, list):
        return [Members(one.items()) if isinstance(one, dict) else one for one in value]
    return Members(value.items()) if isinstance(value, dict) else value
