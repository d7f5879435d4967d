"""Which calls only look, told by every word of a tool's name and by what it is given."""

import re
from itertools import islice
from typing import Any, Final

from inspector.formats.parts import Call

_PLAIN: Final = re.compile(r"[A-Za-z0-9_\-.:/ ]{1,200}")
_WORD: Final = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")

_LOOKS: Final = frozenset(
    (
        *("read", "view", "cat", "head", "tail", "open", "show", "display", "get", "list", "ls"),
        *("grep", "ripgrep", "rg", "glob", "search", "find", "websearch", "fetch", "webfetch"),
        *("look", "lookup", "inspect", "describe", "stat", "count", "think", "tree"),
    )
)
"""Words that say that something is looked at."""

_LOOKED_AT: Final = frozenset(
    (
        *("file", "files", "dir", "dirs", "directory", "directories", "folder", "folders", "path"),
        *("paths", "image", "images", "pdf", "text", "line", "lines", "content", "contents"),
        *("code", "symbol", "symbols", "reference", "references", "definition", "definitions"),
        *("web", "page", "pages", "url", "docs", "documentation", "tool", "tools", "time", "date"),
        *("info", "information", "metadata", "status", "diagnostics", "history", "version"),
        *("many", "multiple", "all", "by", "in", "of", "the", "a", "for", "name", "names"),
    )
)
"""Words that say what, and nothing of what is done with it."""

_WHOLE: Final = frozenset(
    (
        *("todo", "todos", "todowrite", "todoread", "writetodo", "writetodos", "readtodos"),
        *("updatetodo", "updatetodos", "updatetodolist", "plan", "updateplan"),
        *("exitplanmode", "enterplanmode", "sleep", "wait", "askuser", "askuserquestion"),
        *("bashoutput", "taskoutput"),
    )
)
"""Names of tools that keep a list of the agent's own, wait or ask, as one word."""

_RUNS: Final = frozenset(("command", "commands", "cmd", "script", "exec", "execute", "run"))
_DOES: Final = _RUNS | frozenset(
    ("args", "argv", "arguments", "flags", "stdin", "chars", "body", "data", "payload", "form")
)
"""Names of arguments that have something done, whatever the tool is called."""

_QUERIES: Final = frozenset(("query", "queries", "statement", "sql", "q"))
_ASKS: Final = frozenset(("", "get", "head", "options"))
"""Methods of requests that only ask."""

_STATEMENT: Final = re.compile(
    r"\b(?:insert\s+into|delete\s+from|replace\s+into|merge\s+into|update\s+\S+\s+set"
    r"|(?:drop|alter|create|truncate)\s+(?:table|database|schema|view|index|user|role)"
    r"|grant\s+\S+\s+on|revoke\s+\S+\s+on)\b",
    re.IGNORECASE,
)
"""The beginning of a statement that changes a database."""

_OPENS: Final = re.compile(r"[rwaxbtU+]{1,4}")
_READS: Final = frozenset("rbtU")
_DEPTH: Final = 2
_MOST: Final = 64
"""Arguments that are looked at; a call with more of them is not known to look."""
_LOOKED_THROUGH: Final = 4_000
"""Characters of a query."""


def words_of(name: str) -> frozenset[str]:
    """The words of a tool's name, small."""
    return frozenset(word.lower() for word in _WORD.findall(name[:200]))


def only_looks(call: Call) -> bool:
    """Whether a call changes nothing outside, as far as its name and what it is given tell.

    Every word of the name has to be one of looking: a single one that is not known may do anything.
    """
    return _named_so(call.name) and not _does(call.arguments)


def runs(given: Any) -> bool:
    """Whether a command is given."""
    if not isinstance(given, dict):
        return False
    return any(given.get(key) and isinstance(given[key], str | list) for key in _RUNS)


def _named_so(name: str) -> bool:
    if not _PLAIN.fullmatch(name):
        return False
    words = [word.lower() for word in _WORD.findall(name)]
    if "".join(words) in _WHOLE:
        return True
    return any(word in _LOOKS for word in words) and all(
        word in _LOOKS or word in _LOOKED_AT for word in words
    )


def _does(given: Any, depth: int = _DEPTH) -> bool:
    """Whether arguments have something done: a command, a statement, a request that sends."""
    if not isinstance(given, dict):
        return False
    if len(given) > _MOST:
        return True
    return any(_one_does(str(key).lower(), value, depth) for key, value in given.items())


def _one_does(key: str, value: Any, depth: int) -> bool:
    if isinstance(value, dict) and depth and _does(value, depth - 1):
        return True
    if key in _DOES:
        return isinstance(value, str | list | dict) and bool(value)
    if key == "method":
        return not isinstance(value, str) or value.strip().lower() not in _ASKS
    if key == "mode":
        return isinstance(value, str) and _opens_to_write(value)
    if key in _QUERIES:
        several = value if isinstance(value, list) else [value]
        return any(_is_statement(one) for one in islice(several, _MOST))
    return False


def _opens_to_write(mode: str) -> bool:
    return _OPENS.fullmatch(mode) is not None and not set(mode) <= _READS


def _is_statement(value: Any) -> bool:
    return isinstance(value, str) and _STATEMENT.search(value, 0, _LOOKED_THROUGH) is not None
