"""What a tool is, and which of its arguments say most: told by names and shapes, for all agents."""

import re
from collections.abc import Iterable, Sequence
from enum import Enum
from itertools import islice
from typing import Any, Final

from inspector.formats.parts import Edit, without_bytes
from inspector.text.jsontext import json_lines, json_text
from inspector.text.labels import TODO_MARKS


class CardKind(Enum):
    """What a card looks like."""

    GENERIC = "generic"
    TERMINAL = "terminal"
    DIFF = "diff"
    SEARCH = "search"
    READ = "read"
    TODO = "todo"
    SUBAGENT = "subagent"


# What a tool is, told by the words of its name and by what it is given.

_WORDS: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")

_BY_WORD: Final = (
    (CardKind.TODO, "todo todos plan"),
    (CardKind.SUBAGENT, "task agent agents subagent subagents spawn delegate specialist"),
    (CardKind.SEARCH, "grep glob search rg find websearch ripgrep"),
    (CardKind.DIFF, "edit multiedit patch write replace"),
    (CardKind.TERMINAL, "bash shell exec terminal powershell sh zsh command"),
    (CardKind.READ, "read view cat open fetch webfetch"),
)
"""Words of names, the more telling first: ``write_stdin`` writes no file, see `_WHOLE`."""

_WHOLE: Final = {
    "writestdin": CardKind.TERMINAL,
    "strreplace": CardKind.DIFF,
    "killshell": CardKind.TERMINAL,
    "bashoutput": CardKind.TERMINAL,
    "exitplanmode": CardKind.GENERIC,
    "enterplanmode": CardKind.GENERIC,
    "taskoutput": CardKind.GENERIC,
}
"""Names of which a word says something else."""

_KINDS: Final = {word: kind for kind, words in _BY_WORD for word in words.split()}
_RANKS: Final = {kind: rank for rank, (kind, _) in enumerate(_BY_WORD)}

_TITLES: Final = {
    CardKind.TERMINAL: ("command", "cmd", "script", "chars", "input"),
    CardKind.DIFF: ("file_path", "path", "filename", "file", "filePath", "notebook_path"),
    CardKind.SEARCH: ("pattern", "query", "regex", "queries", "search", "glob", "url"),
    CardKind.READ: ("file_path", "path", "filename", "file", "filePath", "url", "uri"),
    CardKind.TODO: (),
    CardKind.SUBAGENT: ("description", "title", "name", "subagent_type", "agent"),
    CardKind.GENERIC: ("path", "file_path", "command", "query", "url", "name", "title"),
}
"""The argument that says most, by kind, the first there is."""

_BODIES: Final = {
    CardKind.TODO: ("todos", "plan", "items", "list"),
    CardKind.SUBAGENT: ("prompt", "message", "task", "instructions", "input"),
}

_BEFORE: Final = ("old_string", "old_str", "oldText", "old_text", "old", "search")
_AFTER: Final = (
    "new_string",
    "new_str",
    "newText",
    "new_text",
    "new",
    "replace",
    "content",
    "text",
)
_PATCHES: Final = ("patch", "diff", "input", "changes")

_PATCHED: Final = re.compile(
    r"^(?:\*\*\* (?:(?:Update|Add|Delete) File|Move to):|\+\+\+) ([^\n]{1,1000})", re.MULTILINE
)
"""The line of a patch that names a file."""

_FILES: Final = 20
"""Files of a patch that are named."""
_SHOWN: Final = 12
"""Arguments that are told; the record has the others."""
_VALUE: Final = 2_000
"""Characters of the value of an argument."""
_MOST: Final = 100_000
"""Characters of one side of a change, or of a value that is laid out."""
_AROUND: Final = 2
"""Lines around a change that are told with it."""


def kind_of(name: str, arguments: Any) -> CardKind:
    """What a tool is: by the whole words of its name, else by the shape of its arguments."""
    words = [word.lower() for word in _WORDS.findall(name[:200])]
    whole = _WHOLE.get("".join(words))
    if whole is not None:
        return whole
    found = {_KINDS[word] for word in words if word in _KINDS}
    if found:
        return min(found, key=_RANKS.__getitem__)
    given = arguments if isinstance(arguments, dict) else {}
    if _first(given, _BEFORE) and _first(given, _AFTER):
        return CardKind.DIFF
    if isinstance(given.get("command"), str | list):
        return CardKind.TERMINAL
    if _is_todo(given.get("todos")):
        return CardKind.TODO
    return CardKind.GENERIC


def _first(given: dict[str, Any], keys: Iterable[str]) -> str | None:
    """The first of some keys under which something stands."""
    return next((key for key in keys if given.get(key) not in (None, "", [], {})), None)


def title_of(kind: CardKind, given: Any) -> tuple[str, frozenset[str]]:
    """The most telling argument, and the key that holds it; of a patch the files it changes."""
    if not isinstance(given, dict):
        return (_value(given) if kind is not CardKind.DIFF else _patched(given)), frozenset()
    key = _first(given, _TITLES[kind])
    if key is None:
        # The patch may be the one argument there is.
        whole = next(iter(given.values())) if kind is CardKind.DIFF and len(given) == 1 else None
        return _patched(whole), frozenset()
    return _value(given[key], command=kind is CardKind.TERMINAL), frozenset({key})


def _patched(patch: Any) -> str:
    """The files that a patch changes, as far as they are named."""
    if not isinstance(patch, str):
        return ""
    names = dict.fromkeys(named[1].strip() for named in _PATCHED.finditer(patch, 0, _MOST))
    more = len(names) - _FILES
    told = ", ".join(islice(names, _FILES))
    return f"{told} and {more} more" if more > 0 else told


def _value(value: Any, *, command: bool = False) -> str:
    """The value of an argument; a command without the marks of JSON."""
    if value is None:
        return ""
    if isinstance(value, str):
        return without_bytes(value)
    if command and isinstance(value, list):
        words = [word for word in value[:200] if isinstance(word, str)]
        if len(words) == 3 and words[1] in ("-c", "-lc"):
            return words[2]
        return " ".join(words)
    return without_bytes(json_text(value, limit=_VALUE))


def others_of(given: Any, used: frozenset[str]) -> Iterable[tuple[str, str]]:
    """Names and values of the arguments that are not used yet, the first ones."""
    if isinstance(given, dict):
        rest = ((key, value) for key, value in given.items() if key not in used)
        for key, value in islice(rest, _SHOWN):
            said = _value(value)
            yield key, said if len(said) <= _VALUE else f"{said[:_VALUE]}…"


# What a call wants done.


def body_of(kind: CardKind, given: Any, edits: Sequence[Edit]) -> tuple[str, frozenset[str]]:
    """What is wanted, and the arguments that say it."""
    if kind is CardKind.DIFF:
        return _change(given, edits)
    if not isinstance(given, dict):
        return "", frozenset()
    key = _first(given, _BODIES.get(kind, ()))
    if key is None:
        return "", frozenset()
    said = given[key]
    if kind is CardKind.TODO and _is_todo(said):
        return "\n".join(map(_item, said)), frozenset({key})
    return without_bytes(said) if isinstance(said, str) else json_lines(said, _MOST)[
        :_MOST
    ], frozenset({key})


def _change(given: Any, edits: Sequence[Edit]) -> tuple[str, frozenset[str]]:
    """A change as lines that were, ``-``, and that are, ``+``; a patch as it is written."""
    if isinstance(given, str):
        return without_bytes(given), frozenset()
    if not isinstance(given, dict):
        return "", frozenset()
    before, after = _first(given, _BEFORE), _first(given, _AFTER)
    used = frozenset(key for key in (before, after) if key is not None)
    if edits:
        told = (f"{edit.path}\n{_compared(edit.before, edit.after)}" for edit in edits[:_SHOWN])
        return "\n".join(told), used
    if after is not None or before is not None:
        removed = given.get(before) if before else None
        added = given.get(after) if after else ""
        return _compared(removed, added), used
    several = given.get("edits")
    if isinstance(several, list):
        parts = [_change(one, ())[0] for one in several[:_SHOWN] if isinstance(one, dict)]
        return "\n".join(filter(None, parts)), frozenset({"edits"})
    patch = _first(given, _PATCHES)
    if patch is None:
        return "", frozenset()
    said = given[patch]
    return without_bytes(said) if isinstance(said, str) else json_lines(said, _MOST)[
        :_MOST
    ], frozenset({patch})


def _compared(before: Any, after: Any) -> str:
    """The lines that were and those that are, with what both begin and end with around them."""
    old, new = _lines(before), _lines(after)
    start = _common(old, new)
    end = _common(old[start:][::-1], new[start:][::-1])
    return "\n".join(
        (
            *(f" {line}" for line in old[max(0, start - _AROUND) : start]),
            *(f"-{line}" for line in old[start : len(old) - end]),
            *(f"+{line}" for line in new[start : len(new) - end]),
            *(f" {line}" for line in old[len(old) - end :][:_AROUND]),
        )
    )


def _common(one: list[str], other: list[str]) -> int:
    """How many lines at the start of two texts are the same."""
    pairs = enumerate(zip(one, other, strict=False))
    return next((at for at, (left, right) in pairs if left != right), min(len(one), len(other)))


def _lines(text: Any) -> list[str]:
    said = "" if text is None else _value(text)
    if len(said) > _MOST:
        said = f"{said[:_MOST]}\n… the first {_MOST:,} characters"
    return said.split("\n") if said else []


def _is_todo(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(item, dict) for item in value[:200])


def _item(item: dict[str, Any]) -> str:
    said = next((item[key] for key in ("content", "step", "text", "title") if key in item), item)
    status = item.get("status")
    mark = TODO_MARKS.get(status, "?") if isinstance(status, str) else "?"
    return f"{mark} {_value(said)}"
