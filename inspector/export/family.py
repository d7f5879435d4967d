"""The family of a session: a document for scripts, and a tree for people."""

from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from datetime import UTC, tzinfo
from pathlib import Path
from typing import Any, Final

from inspector.library.family import Branch, Family, Looked
from inspector.library.members import Member
from inspector.library.relations import DISCARDED, glyph, of_parent, word
from inspector.text.gate import clean_line
from inspector.text.labels import count, plural, stamp

DEEPEST: Final = 100
"""Children of children that a document nests; deeper ones are counted."""

HERE: Final = "●"
MISSING: Final = "?"
"""What stands before the session itself, and before one that is only named."""

_ID: Final = 80
_TITLE: Final = 120
_INDENT: Final = 24
"""Members above one of which the tree shows the lines."""

_LOOKED: Final = 40
"""Places that are told to people."""


# For scripts.


def document(family: Family) -> dict[str, Any]:
    """The family of a session, told from the session itself; `tree` is all of it."""
    here = family.branches[family.here]
    root = next(number for number, one in enumerate(family.branches) if one.above is None)
    others = [
        _nested(family, number)
        for number, one in enumerate(family.branches)
        if one.above is None and number != root
    ]
    return {
        "self": _one(family, family.here),
        "parent": _above(family),
        "children": [_nested(family, child) for child in here.children],
        "relation": here.relation,
        "status": here.status,
        "boundary": here.boundary,
        "copied": here.member.copied,
        "own": here.member.own,
        "tree": _nested(family, root),
        "others": others,
        "members": len(family.branches),
        "missing": [branch.member.id for branch in family.missing()],
        "looked": [_place(one) for one in family.looked],
        "notes": list(family.notes),
    }


def _above(family: Family) -> dict[str, Any] | None:
    """The parent, in it its own, and so on."""
    chain: list[int] = []
    above = family.branches[family.here].above
    while above is not None and len(chain) < DEEPEST:
        chain.append(above)
        above = family.branches[above].above
    found: dict[str, Any] | None = None
    for number in reversed(chain):
        found = {**_one(family, number), "parent": found}
    return found


def _nested(family: Family, number: int) -> dict[str, Any]:
    """A branch with what hangs on it, however deep that is; no call within a call."""
    top = family.branches[number].depth
    made: dict[int, dict[str, Any]] = {number: {**_one(family, number), "children": []}}
    for at in _hanging(family, number):
        branch = family.branches[at]
        above = branch.above
        if above is None or above not in made:
            continue
        if branch.depth - top > DEEPEST:
            held = made[above]
            held["deeper"] = held.get("deeper", 0) + 1
            continue
        made[at] = {**_one(family, at), "children": []}
        made[above]["children"].append(made[at])
    return made[number]


def _hanging(family: Family, number: int) -> Iterator[int]:
    depth = family.branches[number].depth
    for at in range(number + 1, len(family.branches)):
        if family.branches[at].depth <= depth:
            return
        yield at


def _one(family: Family, number: int) -> dict[str, Any]:
    branch = family.branches[number]
    member = branch.member
    found = {
        "tape": member.id,
        "here": number == family.here,
        "missing": member.missing,
        "looked_at": not member.unlooked,
        "relation": branch.relation,
        "status": branch.status,
        "boundary": branch.boundary,
        "copied": member.copied,
        "own": member.own,
        "path": None if member.path is None else str(member.path),
        "session": member.session,
        "format": member.format,
        "title": member.title or None,
        "started": stamp(member.started),
        "last": stamp(member.last),
        "bytes": member.bytes,
        "events": member.events,
        "events_estimated": member.estimated,
        "verdict": {"owner": member.format, "opens": member.opens, "reason": member.reason},
        "problem": member.problem,
        "notes": list(branch.notes),
    }
    if member.missing:
        found["looked"] = [str(one.path) for one in family.looked]
    return found


def _place(looked: Looked) -> dict[str, Any]:
    return {
        "path": str(looked.path),
        "there": looked.there,
        "said_by": looked.said_by,
        "denied": looked.denied,
    }


# For people.


def text(family: Family) -> Iterator[str]:
    """The tree, the oldest first, then where relatives were looked for if one is missing."""
    named = files(family)
    yield summary(family)
    yield ""
    for number, branch in enumerate(family.branches):
        if branch.above is None and number:
            yield ""
            yield "comes from it as well:"
        said = _line(branch, named.get(number, ""), number == family.here)
        yield f"{guides(family, number)}{sign(family, number)} {said}"
        for note in branch.notes:
            yield f"{guides(family, number, under=True)}  {note}"
    for note in family.notes:
        yield f"note: {note}"
    if family.missing() or len(family.branches) == 1:
        yield ""
        yield from looked_words(family)


def summary(family: Family) -> str:
    """Whose family it is, how many belong to it, and how many of these are missing."""
    return summed(family, name(family.branches[family.here].member))


def summed(family: Family, whose: str) -> str:
    """`summary` by what the session is called."""
    missing = len(family.missing())
    lost = f", {plural(missing, 'of them not found', 'of them not found')}" if missing else ""
    if len(family.branches) == 1:
        return f"family of {whose}: no other session belongs to it"
    return f"family of {whose}: {plural(len(family.branches), 'session')}{lost}"


def name(member: Member) -> str:
    """A member by its id, cleaned."""
    return clean_line(member.id or "a session without an id", _ID)


def sign(family: Family, number: int) -> str:
    """What stands before a member: that it is the one asked of, is missing, or what it is."""
    branch = family.branches[number]
    if number == family.here:
        return HERE
    if branch.member.path is None:
        return MISSING
    return "○" if branch.relation is None else glyph(branch.relation)


def guides(family: Family, number: int, *, under: bool = False) -> str:
    """The lines that lead to a member from those above it; ``under`` it they go on."""
    branches = family.branches
    branch = branches[number]
    pieces: list[str] = []
    if under and branch.children:
        pieces.append("│  ")
    elif under:
        pieces.append("   ")
    if branch.above is not None:
        if under:
            pieces.append("   " if branch.last else "│  ")
        else:
            pieces.append("└─ " if branch.last else "├─ ")
    above = branch.above
    while above is not None and len(pieces) <= _INDENT:
        one = branches[above]
        if one.above is not None:
            pieces.append("   " if one.last else "│  ")
        above = one.above
    if above is not None and branches[above].above is not None:
        pieces.append(f"⋯{count(branches[above].depth)} ")
    return "".join(reversed(pieces))


def files(family: Family) -> dict[int, str]:
    """The names of the files of members, by their numbers, where several have one id."""
    several = Counter(branch.member.id for branch in family.branches)
    return {
        number: clean_line(path.name, _ID)
        for number, branch in enumerate(family.branches)
        if (path := branch.member.path) is not None and several[branch.member.id] > 1
    }


def _line(branch: Branch, file: str, here: bool) -> str:
    member = branch.member
    said = [relation_words(branch), name(member), file]
    if member.title:
        said.append(f"“{clean_line(member.title, _TITLE)}”")
    said.append(facts(branch))
    if here:
        said.append("← this one")
    return "  ".join(one for one in said if one)


def relation_words(branch: Branch) -> str:
    """What a member is to the one above it, and what became of it."""
    if branch.relation is None:
        return ""
    status = f", {branch.status}" if branch.status else ""
    return f"{clean_line(word(branch.relation), 40)}{status}"


def facts(branch: Branch) -> str:
    """What is counted of a member, and what its owner or the disk says of it."""
    member = branch.member
    if member.path is None:
        return f"{_left(branch)}{absence(branch)}".strip()
    if member.problem is not None:
        return f"cannot be read: {clean_line(member.problem, 200)}"
    said = [counted(member), _left(branch).rstrip(", ")]
    if member.unlooked:
        said.append(absence(branch))
    if member.started is not None:
        said.append(day(member.started))
    if member.opens is False or member.opens == "partly":
        opened = "refuses it" if member.opens is False else "opens a part of it"
        why = f": {clean_line(member.reason, 120)}" if member.reason else ""
        said.append(f"{member.format} {opened}{why}")
    return ", ".join(one for one in said if one)


def absence(branch: Branch) -> str:
    """Why nothing is told of one that is named, in a few words."""
    if branch.member.unlooked:
        return "not looked at"
    return "deleted when it was given up" if branch.status == DISCARDED else "not found"


def counted(member: Member) -> str:
    """How many events a member has: copied ones and its own."""
    if member.events is None:
        return ""
    if member.copied:
        own = plural(member.own or 0, "own event")
        return f"{count(member.copied)} copied + {own}"
    about = "~" if member.estimated else ""
    return f"{about}{plural(member.events, 'event')}"


def path_words(path: Path) -> str:
    """A path as one would write it here: from the working folder where it is within that, else from
    the person's.
    """
    said = str(path)
    # Elsewhere, or where there is no such folder any more, it stays as it is.
    with suppress(OSError, ValueError, RuntimeError):
        said = f"~/{path.relative_to(Path.home())}"
    with suppress(OSError, ValueError):
        within = str(path.relative_to(Path.cwd()))
        # A hidden folder is known by where it is.
        said = said if within.startswith(".") and path.is_absolute() else within
    return clean_line(said, 400)


def day(milliseconds: int, zone: tzinfo | None = UTC) -> str:
    """A day and the time of it."""
    moment = stamp(milliseconds, zone)
    return "" if moment is None else moment[:16].replace("T", " ")


def _left(branch: Branch) -> str:
    return "" if branch.boundary is None else f"from cursor {count(branch.boundary)}, "


def told_of_parent(branch: Branch, parent: Branch) -> str:
    """A member in words from its parent's side: ``fork of NAME``."""
    return f"{clean_line(of_parent(branch.relation or 'child'), 60)} {name(parent.member)}"


def looked_words(family: Family) -> Iterator[str]:
    """Where relatives were looked for."""
    for one in family.looked[:_LOOKED]:
        there = ": permission denied" if one.denied else "" if one.there else ": not there"
        said = "" if one.said_by is None else f" (from {clean_line(one.said_by, 60)})"
        yield f"looked in {path_words(one.path)}{said}{there}"
    more = len(family.looked) - _LOOKED
    if more > 0:
        yield f"and in {plural(more, 'more place')}"
