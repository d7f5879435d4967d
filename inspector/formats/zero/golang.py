"""JSON as the owner's decoder takes it: strict about syntax, lenient about keys (RULES B and C).

What is JSON to it and to nobody else, and the other way round: bytes of a string that are no UTF-8
are each replaced by U+FFFD, half surrogates too; 10,000 levels are the most; a key may be written
in any case; of two members with one key the later one counts, unless it is null.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, Literal, Never

from inspector.tape.jsontokens import OBJECT, Kind, NotJsonError, skip_space, tokens

SPACE: Final = (
    "\t\n\v\f\r \x85\xa0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
"""What is trimmed from lines, and of which a blank summary may consist (RULES 8 and 19)."""

LEVELS: Final = 10_000
"""The most levels of a line (RULES 12)."""

LARGEST: Final = (1 << 63) - 1
"""The largest whole number that fits (RULES 14)."""

Problem = Literal["not JSON", "the wrong type", "nested too deep"]

Pairs = list[tuple[str, Any]]


class RefusedError(Exception):
    """The owner's decoder does not take a text.

    Attributes:
        problem: of which kind it is.
        detail: what and where, as a clause.
    """

    def __init__(self, problem: Problem, detail: str) -> None:
        super().__init__(f"{problem}: {detail}")
        self.problem: Problem = problem
        self.detail = detail

    @property
    def said(self) -> str:
        """All of it."""
        return f"{self.problem}: {self.detail}"


class Members(Pairs):
    """An object with its members as they stand, repeated keys and all."""


def decoded(line: bytes) -> str:
    """The text of a line, trimmed; each byte that is no UTF-8 is one U+FFFD (RULES 8 and 11)."""
    text = line.decode("utf-8", "surrogateescape")
    return _ESCAPED_BYTE.sub("\ufffd", text).strip(SPACE)


def whole_text(text: str) -> str:
    """A string as the owner holds it: half a surrogate is U+FFFD (RULES 11)."""
    return text if text.isascii() else _SURROGATE.sub("\ufffd", text)


def read(text: str, make: Callable[[Pairs], Any] = dict) -> tuple[Any, Pairs]:
    """The value of a trimmed text.

    Args:
        text: as `decoded` makes it.
        make: makes a value of the members of every object.

    Returns:
        The value, and the members of the outermost object; none where it is none.

    Raises:
        RefusedError: if it is not JSON, or nested too deep.
    """
    # A reader in C may take more levels than the owner, or fewer, by how it was built.
    if text.count("{") + text.count("[") <= _CERTAINLY_FLAT:
        try:
            return _flat(text, make)
        except RecursionError:
            pass
    return _deep(text, make)


def _flat(text: str, make: Callable[[Pairs], Any]) -> tuple[Any, Pairs]:
    last: Pairs = []

    def closed(pairs: Pairs) -> Any:
        nonlocal last
        last = pairs
        return make(pairs)

    reader = json.JSONDecoder(
        object_pairs_hook=closed, parse_constant=_no_constant, parse_int=_number
    )
    try:
        value = reader.decode(text)
    except json.JSONDecodeError as error:
        where = f"{_lowered(error.msg)}, at character {error.pos + 1}"
        raise RefusedError("not JSON", where) from error
    except ValueError as error:
        raise RefusedError("not JSON", str(error)) from error
    return value, last if text.startswith("{") else []


def _deep(text: str, make: Callable[[Pairs], Any]) -> tuple[Any, Pairs]:
    """As `_flat`, without recursion and with the owner's limit."""
    line = text.encode("utf-8", "surrogatepass")
    place = skip_space(line, 0)
    open_: list[Any] = []
    keys: list[str] = []
    value: Any = None
    last: Pairs = []
    stop = place
    try:
        for kind, start, stop in tokens(line, place):
            if kind is Kind.KEY:
                keys.append(_scalar(line[start:stop], start))
                continue
            if kind is Kind.OPEN:
                if len(open_) == LEVELS:
                    raise RefusedError("nested too deep", f"more than {LEVELS:,} levels")
                open_.append(Members() if line[start] == OBJECT else [])
                continue
            if kind is Kind.CLOSE:
                value = open_.pop()
                if isinstance(value, Members):
                    last = list(value)
                    value = make(last)
            else:
                value = _scalar(line[start:stop], start)
            if open_:
                inner = open_[-1]
                inner.append((keys.pop(), value) if isinstance(inner, Members) else value)
    except NotJsonError as error:
        raise RefusedError("not JSON", f"no JSON at byte {error.place}") from error
    if skip_space(line, stop) != len(line):
        raise RefusedError("not JSON", f"more than one value, at byte {stop}")
    return value, last if text.startswith("{") else []


def _lowered(message: str) -> str:
    return message[:1].lower() + message[1:].removesuffix(" starting at").removesuffix(" at")


def _scalar(token: bytes, place: int) -> Any:
    try:
        return _STRICT.decode(token.decode("utf-8", "surrogatepass"))
    except ValueError as error:
        raise RefusedError("not JSON", f"{error}, at byte {place}") from error


def _no_constant(name: str) -> Never:
    raise ValueError(f"{name} is not JSON")


def _number(digits: str) -> int | float:
    # Python refuses to read very many digits, and what does not fit is no whole number anyhow.
    return int(digits) if len(digits) < 40 else float(digits)


# Members of a struct.


def named(pairs: Iterable[tuple[str, Any]], names: dict[str, str]) -> Iterator[tuple[str, Any]]:
    """The members that have one of these names, in order, under the name itself (RULES 15).

    Args:
        pairs: the members of an object.
        names: the owner's names, as `names_of` makes them.
    """
    for key, value in pairs:
        name = names.get(key) or names.get(folded(key))
        if name is not None:
            yield name, value


def names_of(*names: str) -> dict[str, str]:
    """Names by themselves and by their folded form, for `named`."""
    return {key: name for name in names for key in (name, folded(name))}


def folded(key: str) -> str:
    """A key without regard to case, by simple folding (RULES 15)."""
    return key.translate(_FOLDS)


def text_of(name: str, value: Any) -> str:
    """A member that must be a string.

    Raises:
        RefusedError: if it is none.
    """
    if type(value) is not str:
        raise RefusedError("the wrong type", f"{name} is {kind_of(value)} and no string")
    return whole_text(value)


def whole_of(name: str, value: Any) -> int:
    """A member that must be a whole number of 64 bits, written as one (RULES 14).

    Raises:
        RefusedError: if it is none.
    """
    if type(value) is not int or not -LARGEST - 1 <= value <= LARGEST:
        raise RefusedError("the wrong type", f"{name} is {_unfit(value)} and no whole number")
    return value


def _unfit(value: Any) -> str:
    return "a number that does not fit" if type(value) is int else kind_of(value)


def kind_of(value: Any) -> str:
    """What a value is, in words."""
    return _KINDS.get(type(value), "an object")


_KINDS: Final = {
    type(None): "null",
    bool: "a truth value",
    int: "a number",
    float: "a number with a fraction or an exponent",
    str: "a string",
    list: "an array",
}
_CERTAINLY_FLAT: Final = 5_000
_STRICT: Final = json.JSONDecoder(parse_constant=_no_constant, parse_int=_number)
_ESCAPED_BYTE: Final = re.compile("[\udc80-\udcff]")
_SURROGATE: Final = re.compile("[\ud800-\udfff]")
_FOLDS: Final[dict[int, int | str]] = {
    **{upper: upper + 32 for upper in range(ord("A"), ord("Z") + 1)},
    0x17F: "s",
    0x212A: "k",
}
