"""Which calls only look, told by every word of a tool's name and by what it is given."""

import re
from collections.abc import Iterator
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

_OWN_LIST: Final = "todo"
"""A word of the names of tools whose methods change nothing but such a list."""

_RUNS: Final = frozenset(
    ("command", "commands", "cmd", "script", "exec", "execute", "run", "shell", "program")
)
_DOES: Final = _RUNS | frozenset(
    (
        *("args", "argv", "arguments", "flags", "stdin", "chars", "bash", "code"),
        *("body", "json", "data", "payload", "form", "formdata", "requestbody"),
        *("postdata", "mutation", "replacement", "patch", "saveto", "saveas", "savepath"),
        *("outputfile", "outputpath", "outputdir", "outfile", "outpath", "writeto", "downloadto"),
        *("dest", "destination", "shellcommand", "bashcommand"),
    )
)
"""Names of arguments that have something done by what stands there, whatever the tool is called."""

_SWITCHES: Final = frozenset(
    (
        *("exec", "execute", "run", "delete", "remove", "erase", "destroy", "purge", "truncate"),
        *("drop", "kill", "write", "overwrite", "save", "create", "update", "replace", "move"),
        *("rename", "apply", "commit", "push", "send", "submit", "publish", "upload", "install"),
        *("deleteafter", "removeafter", "deletefiles", "removefiles", "inplace", "fix", "eval"),
    )
)
"""Names of arguments that have something done where they are not off."""

_OFF: Final = frozenset(("", "0", "false", "no", "none", "null", "off"))

_METHODS: Final = frozenset(
    ("method", "action", "operation", "op", "verb", "httpmethod", "requestmethod")
)
"""Names of arguments that say what is done."""

_OUTPUT: Final = "output"
_FORMS: Final = frozenset(
    (
        *("", "json", "jsonl", "text", "txt", "plain", "raw", "table", "csv", "tsv", "yaml", "xml"),
        *("html", "markdown", "md", "content", "contents", "count", "full", "short", "wide"),
    )
)
"""Outputs that are forms of an answer, and no place where it is kept."""

_CRITERIA: Final = frozenset(("expression", "expr", "options", "predicate", "tests", "extra"))
_CRITERION: Final = re.compile(r"(?:^|\s)-(?:exec|execdir|ok|okdir|delete|fls|fprint[0f]?)\b")
"""What a search of files does with those it finds."""

_QUERIES: Final = frozenset(("query", "queries", "q", "statement", "statements", "sql", "sqlquery"))
_STATEMENTS: Final = _QUERIES - {"query", "queries", "q"}
"""Names of arguments that hold a statement and no words to look for."""

_ASKS: Final = frozenset(("", "options", "query"))
"""Methods that only ask, beside words of looking."""

_STATEMENT: Final = re.compile(
    r"\b(?:insert\s+into|delete\s+from|replace\s+into|merge\s+into|update\s+\S+\s+set"
    r"|(?:drop|alter|create|truncate)\s+(?:table|database|schema|view|index|user|role)"
    r"|grant\s+\S+\s+on|revoke\s+\S+\s+on|vacuum\s+full|into\s+(?:outfile|dumpfile))\b"
    r"|^\s*call\s+[\w.]+\s*\(",
    re.IGNORECASE,
)
"""The beginning of a statement that changes a database."""

_ORDER: Final = re.compile(
    r"\s*(?:INSERT|DELETE|REPLACE|MERGE|UPDATE|DROP|ALTER|CREATE|TRUNCATE|GRANT|REVOKE|VACUUM|CALL"
    r"|EXEC|EXECUTE|REINDEX|COPY|ATTACH|DETACH|RENAME|LOCK)\s"
)
"""A query that begins with an order in capitals."""

_SELECTS: Final = re.compile(
    r"\s*(?:$|\(*\s*(?:select|show|explain|describe|desc|values|with|table)\b)", re.IGNORECASE
)
"""How a statement begins that only looks."""

_OPENS: Final = re.compile(r"[rwaxbtU+]{1,4}")
_READS: Final = frozenset("rbtU")
_DEPTH: Final = 8
_MOST: Final = 64
"""Arguments that are looked at; a call with more of them is not known to look."""
_LOOKED_THROUGH: Final = 4_000
"""Characters of a query."""

_SERVER: Final = re.compile(r"mcp__.{1,200}?__(?=[^_])", re.DOTALL)
"""Before the name of a tool of an MCP server."""
_OF_SERVER: Final = re.compile(r"[A-Za-z0-9_\-]{1,100}")


def _words(told: str) -> frozenset[str]:
    return frozenset(told.split())


_BEGINS: Final = _words("get list search read find fetch view show describe lookup count inspect")
"""Words with which the name of a tool begins that looks at something."""

_ACTS: Final = _words(
    """
    and or then if upsert ensure create make add set put update edit write append insert delete
    remove drop destroy erase archive unarchive close reopen merge move rename copy send reply
    publish upload save store sync import install uninstall execute exec invoke trigger start stop
    restart kill cancel approve reject accept assign unassign subscribe unsubscribe enable disable
    deploy rollback revert reset clear purge truncate flush mark unmark lock unlock grant revoke
    invite ban transfer pay buy charge refund submit replace patch apply modify toggle activate
    deactivate schedule unschedule register unregister join leave click type navigate evaluate
    """
)
"""Words that say that something is done, too, or that join such a word."""

_NOUNS_LAST: Final = _words("run post call push fork order book share")
"""Words that name a thing where they end a name, and may say that something is done elsewhere."""


def words_of(name: str) -> frozenset[str]:
    """The words of a tool's name, small."""
    return frozenset(word.lower() for word in _WORD.findall(name[:200]))


def only_looks(call: Call, *, at_server: bool = False) -> bool:
    """Whether a call changes nothing outside, as far as its name and what it is given tell.

    The name never outweighs what is given: an argument that has something done, at any depth,
    makes it a call that may do anything.

    - Every word of the name has to be one of looking: one that is not known may do anything.
    - Of a tool of an MCP server, which is called after the things there, it is enough that the name
      begins with a word of looking and has no word of doing behind it: ``get_issue`` looks,
      ``read_and_archive`` does not.

    Args:
        call: which.
        at_server: whether the tool is one of an MCP server although its name does not say so.
    """
    return named_harmless(call, at_server=at_server) and next(acting(call), None) is None


def named_harmless(call: Call, *, at_server: bool = False) -> bool:
    """Whether the name of a call's tool says that it only looks; arguments as of `only_looks`."""
    server = _SERVER.match(call.name)
    return _named_so(call.name) or (
        (server is not None or at_server) and _looks_there(_plain_name(call))
    )


def acting(call: Call) -> Iterator[tuple[str, Any]]:
    """The arguments that have something done whatever the tool is called, by name and value.

    The name is empty where there are too many of them, or they stand too deep, to be looked at.
    """
    return _acting(call.arguments, own=_OWN_LIST in _plain_name(call).lower())


def _plain_name(call: Call) -> str:
    """The name that a tool has at its server, or has at all."""
    server = _SERVER.match(call.name)
    return call.name[server.end() :] if server else call.name


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


def _looks_there(name: str) -> bool:
    """Whether the name that a tool has at its server says that it only looks."""
    words = [word.lower() for word in _WORD.findall(name)]
    if not _OF_SERVER.fullmatch(name) or not words or words[0] not in _BEGINS:
        return False
    return not any(word in _ACTS for word in words) and not any(
        word in _NOUNS_LAST for word in words[:-1]
    )


def _acting(given: Any, depth: int = _DEPTH, *, own: bool = False) -> Iterator[tuple[str, Any]]:
    """What has something done: a command, a statement, a request that sends.

    Args:
        given: an object, or a list of what may be objects.
        depth: how much deeper is looked; what is nested deeper is not known to look.
        own: whether the tool keeps a list of the agent's own, whose items may say anything.
    """
    if not isinstance(given, dict | list):
        return
    if len(given) > _MOST or not depth:
        # Plain values do nothing, however many; a list may be long.
        if isinstance(given, dict) or any(isinstance(one, dict | list) for one in given):
            yield "", given
    elif isinstance(given, list):
        for one in () if own else given:
            yield from _acting(one, depth - 1)
    else:
        for key, value in given.items():
            if _one_does(_key(key), value, own=own):
                yield str(key), value
            elif not own:
                yield from _acting(value, depth - 1)


def _key(key: Any) -> str:
    """The name of an argument in small letters without what separates its words."""
    return re.sub(r"[^a-z]", "", str(key)[:200].lower())


def _one_does(key: str, value: Any, *, own: bool) -> bool:
    if key in _DOES and isinstance(value, str | list | dict):
        return bool(value)
    if key in _METHODS or (own and key in _SWITCHES - _RUNS):
        return not own and not _asks(value)
    if key in _SWITCHES:
        return value.strip().lower() not in _OFF if isinstance(value, str) else bool(value)
    if key == _OUTPUT:
        return isinstance(value, str) and value.strip().lower() not in _FORMS
    if key == "mode":
        return isinstance(value, str) and _opens_to_write(value)
    several = _texts(value)
    if key in _QUERIES:
        return any(_is_order(one, words=key not in _STATEMENTS) for one in several)
    return key in _CRITERIA and any(
        _CRITERION.search(one, 0, _LOOKED_THROUGH) is not None for one in several
    )


def _asks(method: Any) -> bool:
    if method is None:
        return True
    if not isinstance(method, str):
        return False
    said = method.strip()
    return said.lower() in _ASKS or _named_so(said)


def _texts(value: Any, depth: int = _DEPTH) -> Iterator[str]:
    """The texts of an argument that may hold several."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list) and depth:
        for one in islice(value, _MOST):
            yield from _texts(one, depth - 1)


def _opens_to_write(mode: str) -> bool:
    return _OPENS.fullmatch(mode) is not None and not set(mode) <= _READS


def _is_order(said: str, *, words: bool) -> bool:
    """Whether a query changes what it is made of.

    Args:
        said: the query.
        words: whether it may be words to look for.
    """
    if _STATEMENT.search(said, 0, _LOOKED_THROUGH) or _ORDER.match(said):
        return True
    return not words and _SELECTS.match(said) is None
