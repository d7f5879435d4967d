"""What of a plan is another by now, by the documents of the two."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from inspector.text.jsontext import json_text
from inspector.text.labels import count

_ASKED: Final = {
    "keep_last": "the rows that are kept",
    "summary": "the summary",
    "degraded": "whether it is degraded",
    "into": "the folder",
    "past_unknown": "whether it is folded past a required unknown event",
}
"""The parts of the question that are compared; the others are told by what came of them."""

_SHOWN: Final = 60
_FEW: Final = 3
"""Things of a list that are named."""


def another(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    """Why two plans are not of the same kind and tape, a sentence each; nothing where they are."""
    if old.get("kind") != new.get("kind"):
        yield f"it is a plan of a {old.get('kind')} and this is one of a {new.get('kind')}"
    was, now = (_mapping(one.get("tape")) for one in (old, new))
    if _which(was) != _which(now):
        yield f"it is a plan of another tape: {_named(was)}, and not {_named(now)}"
    elif was.get("policy") != now.get("policy"):
        yield f"the reader that is followed was {was.get('policy')} and is {now.get('policy')}"


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}


def _which(tape: Mapping[str, Any]) -> tuple[Any, ...]:
    return (Path(str(tape.get("path"))).absolute(), tape.get("id"), tape.get("format"))


def _named(tape: Mapping[str, Any]) -> str:
    return str(tape.get("path")) if tape.get("id") is None else f"{tape.get('path')} ({tape['id']})"


def _questions(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    """What was asked for otherwise."""
    was, now = (_mapping(one.get("asked")) for one in (old, new))
    for key, words in _ASKED.items():
        if was.get(key) != now.get(key):
            yield f"{words}: asked for {_brief(was.get(key))}, and now {_brief(now.get(key))}"
    cursors = [_cursor(one) for one in (old, new)]
    if was.get("cut") != now.get("cut") and cursors[0] != cursors[1]:
        yield f"the cursor: asked for {cursors[0]}, and now {cursors[1]}"


def _cursor(document: Mapping[str, Any]) -> Any:
    """The cursor that is asked for, that of the head where none is."""
    cut = _mapping(document.get("asked")).get("cut")
    return _mapping(document.get("head")).get("events") if cut is None else cut


def _brief(value: Any) -> str:
    if value is None:
        return "none"
    said = value if isinstance(value, str) else json_text(value)
    return said if len(said) <= _SHOWN else f"{said[:_SHOWN]}…"


def differences(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    """What of a plan is another in a second one, a sentence each.

    What changes with every growth by itself, as the names of rows, is told by what counts: rows,
    tokens, events.
    """
    yield from another(old, new)
    yield from _questions(old, new)
    head, now = _mapping(old.get("head")), _mapping(new.get("head"))
    if head != now:
        yield _head(head, now)
    for words, tell in _PARTS:
        yield from (f"{words}: {one}" for one in tell(old, new))


def _head(was: Mapping[str, Any], now: Mapping[str, Any]) -> str:
    events = f"the head was {was.get('events')} and is {now.get('events')}"
    if was.get("events") != now.get("events"):
        return events
    return f"{events}, and what stands before it is another"


Tell = Callable[[Mapping[str, Any], Mapping[str, Any]], Iterable[str]]
"""What of a part of two documents is another."""


def _plain(*keys: str) -> Tell:
    """A part that is told by its values."""

    def tell(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
        was, now = (_inner(one, keys) for one in (old, new))
        if not _same(was, now):
            yield f"{_value(was)} -> {_value(now)}"

    return tell


def _inner(value: Any, keys: Sequence[str]) -> Any:
    for key in keys:
        value = value.get(key) if isinstance(value, dict) else None
    return value


def _same(was: Any, now: Any) -> bool:
    """Whether two values are the same; one may come from a file, and have lists for tuples."""
    return json_text(was) == json_text(now)


def _value(value: Any) -> str:
    if isinstance(value, bool) or not isinstance(value, int):
        return _brief(value)
    return count(value)


def _by_why(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    was, now = (_mapping(one.get("left_because")) for one in (old, new))
    for why in dict.fromkeys((*was, *now)):
        if was.get(why, 0) != now.get(why, 0):
            yield f"{_brief(why)} {was.get(why, 0)} -> {now.get(why, 0)}"


def _seen(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    """What the model sees, before and after."""
    was, now = (_mapping(one.get("view")) for one in (old, new))
    for moment, words in (("before", "now"), ("after", "afterwards")):
        told = []
        for what in ("rows", "tokens"):
            pair = was.get(f"{what}_{moment}"), now.get(f"{what}_{moment}")
            if pair[0] != pair[1]:
                told.append(f"{what} {_value(pair[0])} -> {_value(pair[1])}")
        if not told and not _same(was.get(moment), now.get(moment)):
            told.append("other rows, as many")
        if told:
            yield f"{words} {', '.join(told)}"
    if not _same(was.get("reported"), now.get("reported")):
        pair = (_mapping(was.get("reported")), _mapping(now.get("reported")))
        yield f"reported {_value(pair[0].get('tokens'))} -> {_value(pair[1].get('tokens'))} tokens"


def _views(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    was, now = (_mapping(_inner(one, ("view", "offered"))) for one in (old, new))
    for view in dict.fromkeys((*was, *now)):
        if was.get(view) != now.get(view):
            yield f"{_brief(view)} {_offer(was.get(view))} -> {_offer(now.get(view))}"


def _offer(value: Any) -> str:
    return "offered" if value is True else f"no, {_brief(value)}"


def _checks(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    was, now = (_by(one.get("checks"), _rule) for one in (old, new))
    for rule in dict.fromkeys((*was, *now)):
        first, then = was.get(rule), now.get(rule)
        if not _same(first, then):
            yield f"{_brief(rule)} {_check(first)} -> {_check(then)}"


def _rule(check: Mapping[str, Any]) -> str:
    return str(check.get("rule"))


def _check(found: Sequence[Mapping[str, Any]] | None) -> str:
    if not found:
        return "not looked at"
    return "; ".join(
        f"{'kept' if one.get('ok') else 'broken'} ({_brief(one.get('message'))})" for one in found
    )


def _by(value: Any, name: Callable[[Mapping[str, Any]], str]) -> dict[str, list[Mapping[str, Any]]]:
    found: dict[str, list[Mapping[str, Any]]] = {}
    for one in value if isinstance(value, list | tuple) else ():
        found.setdefault(name(_mapping(one)), []).append(_mapping(one))
    return found


def _listed(key: str, *names: str) -> Tell:
    """A list, told by how many there are and by which are new and which are gone."""

    def tell(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
        was, now = (_texts(one, key, names) for one in (old, new))
        if was == now:
            return
        before, after = set(was), set(now)
        gone = [one for one in was if one not in after]
        added = [one for one in now if one not in before]
        parts = [count(len(was)) if len(was) == len(now) else f"{len(was)} -> {len(now)}"]
        parts += [
            f"{sign}{_brief(one)}"
            for sign, some in (("+", added), ("-", gone))
            for one in some[:_FEW]
        ]
        more = max(0, len(added) - _FEW) + max(0, len(gone) - _FEW)
        parts += [f"and {count(more)} more"] if more else []
        yield ", ".join(parts)

    return tell


def _texts(document: Mapping[str, Any], key: str, names: Sequence[str]) -> list[str]:
    """The things of a list, each by some of its members."""
    value = document.get(key)
    if key == "next_request":
        value = _mapping(value).get("items")
    if not isinstance(value, list | tuple):
        return []
    if not names:
        return [one if isinstance(one, str) else json_text(one) for one in value]
    return [" ".join(_word(_mapping(one).get(name)) for name in names) for one in value]


def _word(value: Any) -> str:
    return value if isinstance(value, str) else json_text(value)


def _registers(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    was, now = (_mapping(one.get("registers")) for one in (old, new))
    for name in dict.fromkeys((*was, *now)):
        if not _same(was.get(name), now.get(name)):
            yield f"{_brief(name)} {_brief(was.get(name))} -> {_brief(now.get(name))}"


def _writes(old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[str]:
    was, now = (_by(one.get("writes"), lambda one: str(one.get("to"))) for one in (old, new))
    for target in dict.fromkeys((*was, *now)):
        first, then = was.get(target), now.get(target)
        if not _same(first, then):
            yield f"{_bytes(first)} -> {_bytes(then)} to {target}"


def _bytes(found: Sequence[Mapping[str, Any]] | None) -> str:
    if not found:
        return "nothing"
    return f"{_word(found[0].get('how'))} {_value(found[0].get('bytes'))} bytes"


_PARTS: Final[tuple[tuple[str, Tell], ...]] = (
    ("how it is written", _plain("how")),
    ("keep", _plain("kept")),
    ("leave", _plain("left")),
    ("left because of", _by_why),
    ("the cut", _plain("cut", "taken")),
    ("why the cut is not allowed", _plain("cut", "why")),
    ("nearest cuts", _plain("cut", "nearest")),
    ("the history", _plain("view", "choice")),
    ("histories", _views),
    ("model view", _seen),
    ("checks", _checks),
    ("registers", _registers),
    ("not undone", _listed("not_undone", "event", "class", "tool", "what")),
    ("files that could be restored", _listed("restorable", "path", "how")),
    ("what would be written", _writes),
    ("what is mended", _listed("closers", "does", "type", "what")),
    ("rows that are hidden", _listed("hides")),
    ("the next request", _listed("next_request", "node", "note", "type")),
    ("notes", _listed("remarks")),
    ("the prompt", _plain("prompt_length")),
)
"""The parts of a plan's document that are compared, and what people call them."""
