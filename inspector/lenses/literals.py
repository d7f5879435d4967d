"""The literals of a text: what one quotes and does not paraphrase, whatever the language.

A literal of a summary is compared as it is written; that it is missing says nothing of the meaning.
"""

import re
from collections import deque
from collections.abc import Iterator
from enum import Enum
from functools import cache
from typing import Final, NamedTuple

from inspector.lenses.error_texts import Error, errors

LONGEST: Final = 120
"""Characters of a literal; what is longer is a text."""

_HEAD: Final = 100_000
_TAIL: Final = 100_000
"""Characters at both ends of a text that are looked through: a dump of files is no statement, and
what went wrong stands at its end.
"""


class LiteralClass(Enum):
    """What kind of literal it is, the most telling first."""

    ERROR = "error"
    URL = "url"
    PATH = "path"
    QUOTED = "quoted"
    IDENTIFIER = "identifier"
    NUMBER = "number"


class Literal(NamedTuple):
    """A literal as it is written, and where it begins in its text."""

    text: str
    kind: LiteralClass
    at: int


_EXTENSIONS: Final = frozenset(
    ending
    for line in (
        "py pyi ipynb js jsx ts tsx mjs cjs json jsonl yaml yml toml ini cfg conf env lock md rst",
        "txt csv tsv log html htm css scss vue svelte xml svg png jpg jpeg gif webp pdf docx xlsx",
        "sh bash zsh fish ps1 bat c h cc cpp hpp cs go rs java kt swift rb php pl lua r sql db",
        "sqlite zst gz zip tar tgz proto tf gradle mk cmake patch diff pem key tcss",
    )
    for ending in line.split()
)
"""Endings that make a name a file; ``self.now`` is none."""

_FILES: Final = re.compile(
    r"(?:Make|Docker|Proc|Jenkins|Gem|Rake|Vagrant|Pip|Just|Pod|Container)file|README|CODEOWNERS"
    r"|\.(?:env|git\w*|github|docker\w*|npm\w*|vscode|editorconfig|venv|ssh|htaccess|flake8|netrc"
    r"|profile|bash_profile|python-version|tool-versions|[a-z]{2,12}(?:rc|ignore))(?:\.[\w-]+)*"
)
"""Names of files that have no ending."""

_URL: Final = r"\b[a-z][a-z0-9+.-]{1,20}://[^\s<>\"'`)\]}|，。、）】」]{2,200}"
_QUOTED: Final = (
    r'"(?P<double>[^"\n]{2,120})"|`(?P<tick>[^`\n]{2,120})`|“(?P<curly>[^”\n]{2,120})”'
    r"|«(?P<angle>[^»\n]{2,120})»|「(?P<corner>[^」\n]{2,120})」|„(?P<low>[^“”\n]{2,120})[“”]"
    r"|『(?P<white>[^』\n]{2,120})』|‘(?P<one>[^’\n]{2,120})’(?!\w)|‚(?P<deep>[^‘\n]{2,120})‘"
    r"|»(?P<inward>[^«\n]{2,120})«|‹(?P<thin>[^›\n]{2,120})›|《(?P<title>[^》\n]{2,120})》"
    r"|(?<![\w'])'(?P<single>[^'\n]{2,120})'(?!\w)"
)
UNITS: Final = r"%|ms|s|min|h|[KMGT]i?B|px|€|\$"
DIGITS: Final = (
    r"(?:\d{1,3}(?:[ \u00a0\u202f\u2009]\d{3})+(?!\d)|\d(?:[\d_]|[.,'](?=\d)){0,20}+)(?!:\d)"
)
_NUMBER: Final = (
    r"\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?)?\b"
    rf"|(?<![\w.,/-])(?<!\d:)[-+]?{DIGITS}(?:\s?(?:{UNITS}))?(?![\w/-])"
)
_MARKED: Final = (
    (LiteralClass.URL, "url", _URL),
    (LiteralClass.QUOTED, "quoted", _QUOTED),
    (LiteralClass.NUMBER, "number", _NUMBER),
)
"""What is told by how it begins, in the order in which it is tried."""

_KINDS: Final = {group: kind for kind, group, _ in _MARKED}

_RUN: Final = r"\w@~/\\.+:()#-"
_PLAIN: Final = rf"(?<![{_RUN}])(?=[a-zA-Z]?[a-z]*+[.,:;)]?[^{_RUN}])(?!{_FILES.pattern})[{_RUN}]++"
# A run is taken whole, so that no text makes the search go back over it; most are plain words.
_RUNS: Final = rf"{_PLAIN}|(?P<_run>[{_RUN}]++)"
_MARKS: Final = {"url": ("://",), "quoted": "\"'`“«「„『‘‚»‹《", "number": "0123456789"}
"""What stands in every text that has one of a group: an address whole, of the others any sign."""


@cache
def _pattern(groups: tuple[str, ...]) -> re.Pattern[str]:
    marked = [f"(?P<_{group}>{pattern})" for _, group, pattern in _MARKED if group in groups]
    return re.compile("|".join((*marked, _RUNS)))


def _pattern_for(text: str) -> re.Pattern[str]:
    """What finds the literals of a text, the fewest groups that do."""
    there = [group for group, marks in _MARKS.items() if any(map(text.__contains__, marks))]
    if "number" not in there and not text.isascii():
        there.append("number")
    return _pattern(tuple(there))


_QUOTES: Final = ("double", "tick", "single", "one", "curly", "angle", "corner", "low")
_QUOTES_TOO: Final = ("white", "deep", "inward", "thin", "title")

_IDENTIFIER: Final = re.compile(
    r"[A-Za-z][a-z0-9]+(?:[A-Z][A-Za-z0-9]*)+"
    r"|[A-Za-z]\w*_\w+"
    r"|(?!UTF|ISO|SHA|HTTP|RFC|TLS|IPV|IEEE)[A-Z][A-Z0-9]+-\d+"
    r"|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
    r"|(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{7,64}"
    r"|0x[0-9A-Fa-f]{2,32}"
    r"|#\d{2,7}"
    r"|@[a-z0-9][\w.-]*/[\w.-]+"
    r"|[A-Za-z_][\w.]*\w\(\)"
    r"|v?\d+\.\d+\.\d[\w.+-]*"
    r"|--[a-z][\w-]{1,40}"
)
_NO_NAMES: Final = frozenset(
    name
    for line in (
        "in_progress not_started javascript typescript github gitlab postgresql mysql mongodb",
        "graphql macos iphone youtube node.js next.js vue.js nuxt.js",
        "react.js express.js three.js d3.js",
    )
    for name in line.split()
)
"""How far an item of a todo list is, in the words of agents, and what everybody knows."""

_SPACED: Final = re.compile(r"::")
_LINE_NUMBERS: Final = re.compile(r"(?::\d{1,6}){1,2}$")
_SEPARATORS: Final = re.compile(r"[/\\]")
_NAME: Final = re.compile(r"[\w@.+~-]+")
_ENDING: Final = re.compile(r"\.([A-Za-z0-9]{1,10})(?![A-Za-z0-9_])")
_MAIL: Final = re.compile(r"[\w.+-]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,5}")
_HOST: Final = re.compile(
    r"(?a:(?:[\w-]+@)?(?:localhost|[\w-]{1,63}(?:\.[\w-]{1,63}){1,5})):(?:\d{2,5}(?:/\S*)?|[\w-]+/\S+)"
)
_ROOTS: Final = re.compile(
    "home|etc|usr|var|tmp|opt|root|users|mnt|srv|bin|dev|proc|app|data|workspace", re.IGNORECASE
)
_JOINING: Final = re.compile(
    "and|or|yes|no|he|she|they|his|her|true|false|on|off|either|both", re.IGNORECASE
)
_TAG: Final = re.compile(r"[\w:-]+/?")
_VERSION: Final = re.compile(r"v?\d[\d.]*")
_KANA: Final = re.compile(r".*[\u3041-\u309f]")
_BEHIND: Final = re.compile(r"([!-~]+)[\u3041-\u309f].*")

_LONGEST_RUN: Final = 240
"""Characters of a run that is looked at: a longer one is data."""


def is_whole(text: str) -> bool:
    """Whether all of a text is looked through."""
    return len(text) <= _HEAD + _TAIL


def literals(text: str) -> Iterator[Literal]:
    """The literals of a text, in order; a quoted one without its quotes.

    Of a text that is too long, see `is_whole`, those of its head and of its tail.
    """
    for start, piece in _pieces(text):
        for literal in _within(piece):
            yield literal._replace(at=start + literal.at) if start else literal


def errors_of(text: str) -> Iterator[Literal]:
    """The errors among the literals of a text, each line looked at once."""
    for _, piece in _pieces(text):
        lines = "\n".join(dict.fromkeys(piece.split("\n")))
        for error in errors(lines):
            yield from _error(error._replace(at=max(0, text.find(error.text))))


def _pieces(text: str) -> Iterator[tuple[int, str]]:
    """What is looked through of a text, and where it begins."""
    if is_whole(text):
        yield 0, text
        return
    yield 0, text[:_HEAD]
    tail = text.find("\n", len(text) - _TAIL) + 1 or len(text) - _TAIL
    yield tail, text[tail:]


def _within(text: str) -> Iterator[Literal]:
    told = deque(errors(text))
    behind = 0
    for found in _pattern_for(text).finditer(text):
        group = found.lastgroup
        if group is None:
            continue
        at = found.start()
        while told and told[0].at <= at:
            error = told.popleft()
            behind = error.at + len(error.text)
            yield from _error(error)
        if at >= behind:
            yield from _of(text, group.removeprefix("_"), found)
    for error in told:
        yield from _error(error)


def _error(error: Error) -> Iterator[Literal]:
    if _LEAST[LiteralClass.ERROR] <= len(error.text) <= LONGEST:
        yield Literal(error.text, LiteralClass.ERROR, error.at)


def _of(text: str, group: str, found: re.Match[str]) -> Iterator[Literal]:
    """The literals of what was found of a group."""
    at = found.start()
    if group == "run":
        if not _is_tag(text, found):
            yield from _of_run(found[0], at)
        return
    kind, said = _KINDS[group], found[0]
    if kind is LiteralClass.QUOTED:
        said = next(one for key in (*_QUOTES, *_QUOTES_TOO) if (one := found[key]) is not None)
        if said != said.strip() or said.endswith("\\"):
            # What stands between two quotes, one of which closes and one of which opens.
            return
        if found["double"] is not None and text.startswith(":", found.end()):
            # The key of a value.
            return
    elif group == "number" and _counts_lines(text, found):
        return
    said = said.strip().rstrip(".,;:!?*" if group == "url" else ".,;:!?")
    least = _LEAST[kind] - (kind is LiteralClass.QUOTED and not said.isascii())
    if least <= len(said) <= LONGEST and not (group == "number" and _is_small(said)):
        yield Literal(said, kind, at)


def _is_tag(text: str, run: re.Match[str]) -> bool:
    """Whether a run is the name of a tag of markup."""
    start, stop = run.span()
    if text[start - 1 : start] != "<":
        return False
    return run[0].startswith("/") or (
        text[stop : stop + 1] == ">" and _TAG.fullmatch(run[0]) is not None
    )


def _counts_lines(text: str, number: re.Match[str]) -> bool:
    """Whether a number stands before a line or an item of a list, and counts it."""
    start, stop = number.span()
    line = text.rfind("\n", max(0, start - 12), start) + 1
    if (not line and start > 12) or text[line:start].strip():
        return False
    return re.match(r"[.)]\s|\t|\s*[→|│:]|\s{2,}", text[stop : stop + 12]) is not None


def _is_small(number: str) -> bool:
    return sum(map(str.isdigit, number)) < 2 and number.strip("+-").isdigit()


def _of_run(run: str, at: int) -> Iterator[Literal]:
    """The literals of a run of characters without spaces: a path, or identifiers."""
    if len(run) > _LONGEST_RUN:
        return
    bare = run.strip(".,:;()").rstrip("-+")
    if _MAIL.fullmatch(bare):
        yield Literal(bare, LiteralClass.IDENTIFIER, at)
        return
    if _is_host(bare):
        yield Literal(bare, LiteralClass.URL, at)
        return
    if "()" in run and run.rstrip(".,:;").endswith("()"):
        bare += "()"
    if _IDENTIFIER.fullmatch(bare) and bare.startswith("@"):
        yield Literal(bare, LiteralClass.IDENTIFIER, at)
        return
    path = _path(run.rstrip(".,:;()").lstrip("(:;,"))
    if path is not None:
        if path.lower() in _NO_NAMES:
            return
        yield Literal(path, LiteralClass.PATH, at + max(0, run.find(path)))
        return
    for piece in _SPACED.split(bare):
        if (
            len(piece) >= (3 if piece.startswith("#") else _LEAST[LiteralClass.IDENTIFIER])
            and piece.lower() not in _NO_NAMES
            and _IDENTIFIER.fullmatch(piece)
        ):
            yield Literal(piece, LiteralClass.IDENTIFIER, at)


def _is_host(run: str) -> bool:
    """Whether a run is a host with a port or a path behind it."""
    if not _HOST.fullmatch(run):
        return False
    return run.partition(":")[0].rpartition(".")[2].lower() not in _EXTENSIONS


def _path(run: str) -> str | None:
    """A run as a path, or None if it is none: words with a stroke between are two words."""
    numbers = _LINE_NUMBERS.search(run)
    name = run[: numbers.start()] if numbers else run
    if _FILES.fullmatch(name):
        return run
    ending = next(
        (found for found in _ENDING.finditer(name) if found[1].lower() in _EXTENSIONS), None
    )
    if ending is not None and not name[ending.end() :].isascii():
        # Scripts without spaces go on right behind the name of a file.
        name, numbers = name[: ending.end()], None
    name = _unglued(name)
    ending = ending and next(
        (found for found in _ENDING.finditer(name) if found[1].lower() in _EXTENSIONS), None
    )
    parts = _SEPARATORS.split(name)
    drive = re.fullmatch(r"[A-Za-z]:", parts[0]) is not None
    named = [part for part in (parts[1:] if drive else parts) if part]
    if not named or not all(map(_NAME.fullmatch, named)):
        return None
    if ending is None and parts[0] == named[0] and _are_words(named):
        return None
    is_path = (
        (ending is not None and len(parts[-1]) > len(ending[0]))
        if len(parts) == 1
        else drive
        or (parts[0] in ("", "~", ".", "..") and len(named[-1]) > 1)
        or len(named) > 2
        or (name.endswith("/") and len(named) == 1 and len(named[0]) > 1)
        or "." in parts[-1][1:]
        or _FILES.fullmatch(parts[-1]) is not None
    )
    if not is_path or len(name) < _LEAST[LiteralClass.PATH] or name.isnumeric():
        return None
    return name + (numbers[0] if numbers else "")


def _unglued(name: str) -> str:
    """A path without the words of a script without spaces that stand right before or behind it."""
    if name.isascii():
        return name
    first, stroke, rest = name.partition("/")
    if stroke:
        first = _KANA.sub("", first, count=1)
        if first and not first.isascii() and _ROOTS.fullmatch(rest.partition("/")[0]):
            first = ""
    start, stroke_behind, last = (first + stroke + rest).rpartition("/")
    behind = _BEHIND.fullmatch(last)
    return start + stroke_behind + (behind[1] if behind else last)


def _are_words(named: list[str]) -> bool:
    """Whether strokes stand between alternatives, numbers or versions, and not between folders."""
    return len(named) > 1 and (
        any(map(_JOINING.fullmatch, named[:-1])) or all(map(_VERSION.fullmatch, named))
    )


_LEAST: Final = {
    LiteralClass.ERROR: 3,
    LiteralClass.URL: 8,
    LiteralClass.PATH: 4,
    LiteralClass.QUOTED: 3,
    LiteralClass.IDENTIFIER: 4,
    LiteralClass.NUMBER: 2,
}
"""Characters below which a literal of a class says nothing."""

FILE_NAME: Final = re.compile(rf"(?:[^/]+\.[A-Za-z0-9]{{1,10}}|{_FILES.pattern})")
"""The last part of a path that says by itself that it is a file."""
