"""The literals of a text: what one quotes and does not paraphrase, whatever the language.

A literal of a summary is compared as it is written; that it is missing says nothing of the meaning.
"""

import re
from collections.abc import Iterator
from enum import Enum
from typing import Final, NamedTuple

LONGEST: Final = 120
"""Characters of a literal; what is longer is a text."""

_LOOKED_THROUGH: Final = 200_000
"""Characters of one text that are looked through: a dump of files is no statement."""


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

_URL: Final = r"\b[a-z][a-z0-9+.-]{1,20}://[^\s<>\"'`)\]}|，。、）】」]{2,200}"
_ERROR: Final = (
    r"\b[A-Z]\w{0,60}(?:Error|Exception|Failure|Fault)\b(?::\s?[^\n;.]{1,80})?"
    r"|\b(?:errno|error|exit(?:\s(?:code|status))?|status|code)[ :=#]{1,3}-?(?!0\b)\d{1,6}\b"
    r"|\[Errno -?\d{1,5}\]|\bE(?!(?:RROR|VENT|XAMPLE|XIST|NABLE|MPTY|ITHER|XPECT)[A-Z]{0,3}\b)"
    r"[A-Z]{4,14}\b|\b(?:TS|CS|E|W|SQLSTATE)-?\d{4,5}\b"
)
_QUOTED: Final = (
    r'"(?P<double>[^"\n]{2,120})"|`(?P<tick>[^`\n]{2,120})`|“(?P<curly>[^”\n]{2,120})”'
    r"|«(?P<angle>[^»\n]{2,120})»|「(?P<corner>[^」\n]{2,120})」|„(?P<low>[^“”\n]{2,120})[“”]"
    r"|(?<![\w'])'(?P<single>[^'\n]{2,120})'(?!\w)"
)
_NUMBER: Final = (
    r"\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?)?\b"
    r"|(?<![\w.,/-])[-+]?\d[\d.,_]{0,20}+(?:\s?(?:%|ms|s|min|h|[KMGT]i?B|px|€|\$))?(?![\w/-])"
)
_MARKED: Final = (
    (LiteralClass.URL, _URL),
    (LiteralClass.ERROR, _ERROR),
    (LiteralClass.QUOTED, _QUOTED),
    (LiteralClass.NUMBER, _NUMBER),
)
"""What is told by how it begins, in the order in which it is tried."""

# A run is taken whole, so that no text makes the search go back over it.
_LITERALS: Final = re.compile(
    "|".join(f"(?P<{kind.name}>{pattern})" for kind, pattern in _MARKED)
    + r"|(?P<run>[\w@~/\\.+:()#-]++)"
)

_IDENTIFIER: Final = re.compile(
    r"[A-Za-z][a-z0-9]+(?:[A-Z][A-Za-z0-9]*)+"
    r"|[A-Za-z]\w*_\w+"
    r"|[A-Z][A-Z0-9]+-\d+"
    r"|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
    r"|(?=[0-9a-f]*[a-f])(?=[0-9a-f]*\d)[0-9a-f]{7,64}"
    r"|[A-Za-z_][\w.]*\w\(\)"
    r"|v?\d+\.\d+\.\d[\w.+-]*"
    r"|--?[a-z][\w-]{1,40}"
)
_STATES: Final = frozenset({"in_progress", "not_started"})
"""How far an item of a todo list is, in the words of agents: no name of anything."""

_SPACED: Final = re.compile(r"::")
_LINE_NUMBERS: Final = re.compile(r"(?::\d{1,6}){1,2}$")
_SEPARATORS: Final = re.compile(r"[/\\]")
_NAME: Final = re.compile(r"[\w@.+~-]+")
_ENDING: Final = re.compile(r"\.([A-Za-z0-9]{1,10})(?![A-Za-z0-9_])")

_LONGEST_RUN: Final = 240
"""Characters of a run that is looked at: a longer one is data."""


def literals(text: str) -> Iterator[Literal]:
    """The literals of a text, in order; a quoted one without its quotes."""
    for found in _LITERALS.finditer(text, 0, _LOOKED_THROUGH):
        run = found["run"]
        if run is not None:
            yield from _of_run(run, found.start())
            continue
        kind = LiteralClass.QUOTED
        said = next((said for key, said in found.groupdict().items() if key.islower() and said), "")
        if not said:
            kind, said = LiteralClass[found.lastgroup or ""], found[0]
        said = said.strip().rstrip(".,;:!?")
        if _LEAST[kind] <= len(said) <= LONGEST:
            yield Literal(said, kind, found.start())


def _of_run(run: str, at: int) -> Iterator[Literal]:
    """The literals of a run of characters without spaces: a path, or identifiers."""
    if len(run) > _LONGEST_RUN:
        return
    bare = run.strip(".,:;()").rstrip("-+")
    if "()" in run and run.rstrip(".,:;").endswith("()"):
        bare += "()"
    path = _path(run.rstrip(".,:;()").lstrip("(:;,"))
    if path is not None:
        yield Literal(path, LiteralClass.PATH, at)
        return
    for piece in _SPACED.split(bare):
        if (
            len(piece) >= _LEAST[LiteralClass.IDENTIFIER]
            and piece not in _STATES
            and _IDENTIFIER.fullmatch(piece)
        ):
            yield Literal(piece, LiteralClass.IDENTIFIER, at)


def _path(run: str) -> str | None:
    """A run as a path, or None if it is none: words with a stroke between are two words."""
    numbers = _LINE_NUMBERS.search(run)
    name = run[: numbers.start()] if numbers else run
    ending = next(
        (found for found in _ENDING.finditer(name) if found[1].lower() in _EXTENSIONS), None
    )
    if ending is not None and not name[ending.end() :].isascii():
        # Scripts without spaces go on right behind the name of a file.
        name, numbers = name[: ending.end()], None
    parts = _SEPARATORS.split(name)
    drive = re.fullmatch(r"[A-Za-z]:", parts[0]) is not None
    named = [part for part in (parts[1:] if drive else parts) if part]
    if not named or not all(map(_NAME.fullmatch, named)):
        return None
    is_path = (
        (ending is not None and len(parts[-1]) > len(ending[0]))
        if len(parts) == 1
        else drive
        or (parts[0] in ("", "~", ".", "..") and len(named[-1]) > 1)
        or len(named) > 2
        or (not parts[-1] and len(named) == 1 and len(named[0]) > 1)
        or "." in parts[-1][1:]
    )
    if not is_path or len(name) < _LEAST[LiteralClass.PATH] or name.isnumeric():
        return None
    return name + (numbers[0] if numbers else "")


_LEAST: Final = {
    LiteralClass.ERROR: 4,
    LiteralClass.URL: 8,
    LiteralClass.PATH: 4,
    LiteralClass.QUOTED: 3,
    LiteralClass.IDENTIFIER: 4,
    LiteralClass.NUMBER: 2,
}
"""Characters below which a literal of a class says nothing."""


class Told:
    """A text in which literals are looked up.

    A literal is told if it stands there as a whole, in whatever case and spacing; a path also by
    its last part, an error also by its name alone.
    """

    def __init__(self, text: str) -> None:
        self._text = _plain(text)

    def has(self, literal: Literal) -> bool:
        """Whether a literal is told."""
        return any(self._whole(form) for form in _forms(literal))

    def _whole(self, said: str) -> bool:
        at = self._text.find(said)
        while at >= 0:
            before = self._text[at - 1 : at]
            after = self._text[at + len(said) : at + len(said) + 1]
            if not (_joins(before, said[0]) or _joins(said[-1], after)):
                return True
            at = self._text.find(said, at + 1)
        return False


def _joins(one: str, other: str) -> bool:
    """Whether two characters side by side are of one word or number, as scripts with spaces go."""
    return one.isascii() and other.isascii() and one.isalnum() and other.isalnum()


def _plain(text: str) -> str:
    return re.sub(r"\s+", " ", text.casefold().replace("\\", "/"))


def _forms(literal: Literal) -> Iterator[str]:
    said = _plain(literal.text).strip()
    if said:
        yield said
    if literal.kind is LiteralClass.PATH:
        path = re.sub(r"(:\d+)+$", "", said).rstrip("/")
        last = path.rpartition("/")[2]
        yield from (form for form in (path, last) if len(form) >= _LEAST[LiteralClass.PATH])
    if literal.kind is LiteralClass.ERROR:
        name = said.partition(":")[0].strip()
        if name:
            yield name
        number = re.search(r"-?\d+", said) if ":" not in said else None
        if number:
            yield f"{re.sub(r'[^a-z]+', ' ', said).strip()} {number[0]}"
    if literal.kind is LiteralClass.IDENTIFIER:
        bare = said.removesuffix("()")
        if bare:
            yield bare
    if literal.kind is LiteralClass.NUMBER:
        yield from {said.replace(",", ""), said.replace(" ", "")}
