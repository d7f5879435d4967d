"""Whether a text tells a literal: as a whole, in whatever case, spacing and way of writing it."""

import re
import unicodedata
from collections.abc import Iterator
from itertools import islice
from typing import Final

from inspector.lenses.error_texts import is_a_word, message
from inspector.lenses.literals import DIGITS, FILE_NAME, UNITS, Literal, LiteralClass

_MESSAGE: Final = 8
"""Characters of the text of an error that tell it without its name."""

_PLACES: Final = 200
_PATH: Final = 240
"""Places of a name, and characters before each, that are looked at for a path that ends there."""

_NUMBERS: Final = re.compile(rf"(?<![\w.])({DIGITS})\s?({UNITS})?(?!\w)", re.IGNORECASE)
_GROUPED: Final = re.compile(r"\d{1,3}(?:[.,_' ]\d{3})+")
_TIMES: Final = {"ms": 1, "s": 1_000, "min": 60_000, "h": 3_600_000}
_EXIT: Final = re.compile(r"exit(?:ed)?(?: with)?(?: code| status)?[ :=]*(-?\d+)")
_OF_A_PATH: Final = re.compile(r"[\w@.~+-]")
_OF_PATHS: Final = re.compile(r"[\w@.~+/-]")


class Told:
    """A text in which literals are looked up.

    A path is told by its end too, if that names a file or is more than a name: `client.py`, and
    not by another file of that name, of which other folders are told. An error is told by its name,
    or by its text if it begins with a word that any error may begin with. Numbers are told however
    their digits are grouped, spans of time in another unit as well.
    """

    def __init__(self, text: str) -> None:
        self._text = _plain(text)
        self._numbers = {
            value
            for found in _NUMBERS.finditer(self._text)
            for value in _values(found[1], found[2] or "", alone=True)
        }

    def has(self, literal: Literal) -> bool:
        """Whether a literal is told."""
        said = _plain(literal.text).strip()
        if not said:
            return False
        match literal.kind:
            case LiteralClass.PATH:
                return self._has_path(said)
            case LiteralClass.NUMBER:
                return self._has_number(said)
            case _:
                return any(map(self._whole, _forms(said, literal.kind)))

    def _has_number(self, said: str) -> bool:
        found = _NUMBERS.fullmatch(said.lstrip("+-"))
        if found is None:
            return self._whole(said)
        values = _values(found[1], found[2] or "", alone=False)
        return not self._numbers.isdisjoint(values) or self._whole(said)

    def _has_path(self, said: str) -> bool:
        if self._whole(said):
            return True
        path = re.sub(r"(?::\d+)+$", "", said)
        folders = path.rstrip("/").removeprefix("./").split("/")
        if path.endswith("/") and len(folders) == 1:
            return any(
                self._whole(form.format(folders[0]))
                for form in ("{}/", "`{}`", '"{}"', "{} folder", "{} directory", "folder {}")
            )
        last = folders[-1]
        return len(last) > 1 and any(
            _ends_alike(folders, there) for there in self._paths_ending(last)
        )

    def _paths_ending(self, last: str) -> Iterator[list[str]]:
        """The paths of the text that end in a name, or go through it, up to there, in parts."""
        text = self._text
        for at in islice(self._places(last), _PLACES):
            start, least = at, max(0, at - _PATH)
            if at and _OF_A_PATH.match(text[at - 1]):
                continue
            while start > least and _OF_PATHS.match(text[start - 1]):
                start -= 1
            yield [part for part in text[start : at + len(last)].split("/") if part != "."]

    def _whole(self, said: str) -> bool:
        return bool(said) and next(self._places(said), None) is not None

    def _places(self, said: str) -> Iterator[int]:
        """Where something stands that is no piece of a word, a number or a name."""
        text = self._text
        at = text.find(said)
        while at >= 0:
            stop = at + len(said)
            if not (
                _joins(text[at - 1 : at], said[0])
                or _joins(said[-1], text[stop : stop + 1])
                or (said[0].isdigit() and re.match(r"\d[.,]", text[max(0, at - 2) : at]))
                or (said[-1].isdigit() and re.match(r"[.,]\d", text[stop : stop + 2]))
            ):
                yield at
            at = text.find(said, at + 1)


def _ends_alike(one: list[str], other: list[str]) -> bool:
    """Whether one of two paths is the end of the other, and says by itself that it is a path."""
    parts = [part for part in one if part not in ("", "~")]
    others = [part for part in other if part not in ("", "~")]
    common = min(len(parts), len(others))
    if parts[-common:] != others[-common:]:
        return False
    return common > 1 or len(parts) == 1 or FILE_NAME.fullmatch(parts[-1]) is not None


def _values(digits: str, unit: str, *, alone: bool) -> Iterator[tuple[str, str]]:
    """What a number may say, with its unit; ``alone`` without it too."""
    unit = unit.casefold()
    plain = digits.replace("_", "").replace("\u00a0", " ")
    values = {plain.replace("'", ""), plain.replace(",", ".")}
    if _GROUPED.fullmatch(plain):
        values = {re.sub(r"\D", "", plain), *values}
        if " " in plain and alone:
            values.update(plain.split())
    elif "," in plain or "'" in plain:
        values.add(plain.replace(",", "").replace("'", ""))
    for value in values:
        yield value, unit
        if alone and unit:
            yield value, ""
        if unit in _TIMES and re.fullmatch(r"\d+(?:\.\d+)?", value):
            yield f"{float(value) * _TIMES[unit]:.10g}", "time"


def _joins(one: str, other: str) -> bool:
    """Whether two characters side by side are of one word or number, as scripts with spaces go."""
    return one.isascii() and other.isascii() and one.isalnum() and other.isalnum()


def _plain(text: str) -> str:
    normal = unicodedata.normalize("NFKC", text).casefold()
    return re.sub(r"\s+", " ", normal.replace("\\", "/"))


def _forms(said: str, kind: LiteralClass) -> Iterator[str]:
    yield said
    if kind is LiteralClass.ERROR:
        yield from _forms_of_error(said)
    if kind is LiteralClass.IDENTIFIER:
        bare = said.removesuffix("()")
        if bare:
            yield bare
    if kind is LiteralClass.URL and said.endswith("/"):
        yield said.rstrip("/")


def _forms_of_error(said: str) -> Iterator[str]:
    text = message(said)
    if len(text) >= _MESSAGE:
        yield text
    if text and not is_a_word(said):
        yield said.partition(":")[0].strip()
    exited = _EXIT.fullmatch(said)
    if exited:
        for form in (
            "exit code {}",
            "exit status {}",
            "exit {}",
            "exited with {}",
            "exit code: {}",
        ):
            yield form.format(exited[1])
        return
    number = re.search(r"-?\d+", said) if ":" not in said else None
    if number:
        words = re.sub(r"\W+|\d+", " ", said).strip()
        yield f"{words} {number[0]}"
