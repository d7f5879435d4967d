"""Secrets that stand under a name: behind a colon, an arrow or an equals sign, or tags."""

import re
from collections.abc import Iterator
from typing import Final

from inspector.text.secret_names import all_names, normal, some_names
from inspector.text.secret_shapes import MARK
from inspector.text.secret_spared import dense, spared
from inspector.text.secret_values import QUOTE, Place, bare, bare_in_prose, covered, quoted


def is_member(name: str) -> bool:
    """Whether a string before a colon is a name of a secret; what is between two of code is not."""
    return len(name) <= _LONGEST and _WORDS.fullmatch(name) is not None and all_names(name)


def members(text: str) -> str:
    """What stands behind a colon or an arrow under the name of a secret, in quotes or not.

    Numbers, lists, objects with a value, blocks of lines, quotes that are escaped any number of
    times, and no quotes at all.
    """
    return covered(text, _member_values(text))


def _member_values(text: str) -> Iterator[Place]:
    at = 0
    while (found := _MEMBER.search(text, at)) is not None:
        at = found.end()
        certain = all_names(found[1])
        if not certain and not some_names(found[1]):
            continue
        listed = _LISTED.match(text, at)
        places = _value(text, found) if listed is None else _elements(text, listed.end())
        for place in places:
            if certain or _is_dense(text, place):
                yield place
                at = place.stop


def _is_dense(text: str, place: Place) -> bool:
    return dense(text[place.start : place.stop])


def _elements(text: str, at: int) -> Iterator[Place]:
    """The strings of a list."""
    while (place := quoted(text, at)) is not None:
        yield place
        more = _COMMA.match(text, place.stop)
        if more is None:
            return
        at = more.end()


def _value(text: str, found: re.Match[str]) -> Iterator[Place]:
    """The value of a member, if it is not to be spared."""
    place = _one_value(text, found)
    if place is not None:
        yield place


def _one_value(text: str, found: re.Match[str]) -> Place | None:
    name, of_name, at = found[1], found[2] or "", found.end()
    opening = QUOTE.match(text, at)
    if opening is not None:
        before = text[max(0, found.start() - 1) : found.start()]
        # The name may be the end of what is in quotes.
        return None if not of_name and before == opening[0] else quoted(text, at)
    if found[3].startswith("]"):
        return None
    inner = _TYPED.match(text, at) or _HELD.match(text, at)
    if inner is not None:
        return quoted(text, inner.end())
    anchor = _ANCHOR.match(text, at)
    at = at if anchor is None else anchor.end()
    block = _BLOCK.match(text, at)
    if block is not None:
        return Place(block.end(1), block.end(), MARK)
    is_header = not of_name and normal(name) in _HEADERS
    if is_header or text.endswith("nexpected", 0, max(0, found.start() - 1)):
        return None
    if name == "PASS" and not of_name:
        # What a test that went well is told by.
        return None
    if normal(name) == "pass" and _PHASE.search(text, max(0, found.start() - 20), found.start()):
        return None
    marked = of_name if of_name[-1:] in ('"', "'") else ""
    return bare_in_prose(text, at, name, marked)


def assignments(text: str) -> str:
    """What is assigned by ``=``: a word, or anything in quotes, of several lines too."""
    return covered(text, _assigned_values(text))


def _assigned_values(text: str) -> Iterator[Place]:
    taken = 0
    at = text.find("=")
    while at >= 0:
        name = name_before(text, at, taken)
        taken = at + 1
        if name:
            place = _assigned(text, at, name)
            if place is not None:
                yield place
                taken = place.stop
        at = text.find("=", taken)


def name_before(text: str, at: int, taken: int) -> str:
    """The name that ends before an equals sign, white space between; empty if there is none."""
    stop = at
    while stop > taken and text[stop - 1] in _BLANK:
        stop -= 1
    start = stop
    while start > taken and stop - start <= _LONGEST and text[start - 1] in _NAME_CHARS:
        start -= 1
    found = _NAME.search(text, start, stop)
    return "" if found is None else text[found.start() : stop]


def _assigned(text: str, at: int, name: str) -> Place | None:
    certain = all_names(name)
    if not certain and not some_names(name):
        return None
    is_compared = text.startswith("==", at)
    after = _ASSIGNED.match(text, at + 1 + is_compared)
    begins = at + 1 if after is None else after.end()
    if _SHUT.match(text, begins):
        return None
    if text[begins - 1] == " " and _handed_on(text, begins, name):
        return None
    if QUOTE.match(text, begins):
        place = quoted(text, begins, lines=True)
    else:
        place = bare(text, begins, name)
    if place is None or (certain and not is_compared) or _is_dense(text, place):
        return place
    return None


def _handed_on(text: str, at: int, name: str) -> bool:
    """Whether a variable is assigned: a name with a dot in it, and of tokens any."""
    found = _VARIABLE.match(text, at)
    return found is not None and ("." in found[0] or name.lower().endswith("token"))


def tags(text: str) -> str:
    """What stands between tags: ``<password>x</password>``, and ``<key>password</key>``."""
    if "</" not in text and "lt;/" not in text:
        return text
    return _SPELLED.sub(_keyed, _KEYED.sub(_keyed, _TAG.sub(_tag, text)))


def _tag(found: re.Match[str]) -> str:
    named = all_names(found[2]) or (found[3] is not None and all_names(found[3]))
    value = found[4] or found[5]
    if not named or spared(value) or (found[4] and not any(map(str.isalnum, value))):
        return found[0]
    return f"{found[1]}{MARK}" if found[4] else f"{found[1]}<![CDATA[{MARK}]]>"


def _keyed(found: re.Match[str]) -> str:
    return f"{found[1]}{MARK}" if all_names(found[2]) and not spared(found[3]) else found[0]


_LONGEST: Final = 100
"""Characters of the name of a member."""

_WORDS: Final = re.compile(r"[\w .:/-]*+")
_HEADERS: Final = frozenset(("authorization", "proxy_authorization", "cookie", "set_cookie"))
_MEMBER: Final = re.compile(
    r"(?<![A-Za-z0-9_])([A-Za-z_][A-Za-z0-9_.-]{0,79}+)"
    r"(\\{0,15}[\"'`]|\*{1,2}+|\\{1,15}u002[27]|&(?:quot|apos|#34|#39);|[\u300d\uff63\u300f\u201d\u2019\u00bb]"
    r"|\x1b\[[0-9;]{0,20}m)?"
    r"(\][\t ]{0,8}=(?![=~])|[\t \u00a0]{0,8}(?:::(?=[\t ])|:=?|\uff1a|=>|&#61;|&#x3d;))"
    r"\*{0,2}+[\t \u00a0]{0,8}(?:\x1b\[[0-9;]{0,20}m)?(?![\t\n :])",
    re.ASCII,
)
_PHASE: Final = re.compile(
    r"(?i)\b(?:first|second|third|final|single|next|last|each|this|one|another|initial|main|ing) \Z"
    r"|ing \Z"
)
_LISTED: Final = re.compile(r"[\[(][\t\n ]{0,200}(?=\\{0,15}[\"'`])")
_COMMA: Final = re.compile(r"\\{0,15}[\"'`][\t\n ]{0,200},[\t\n ]{0,200}(?=\\{0,15}[\"'`])")
_TYPED: Final = re.compile(
    r"[&*]{0,2}(?:'static )?[A-Za-z][A-Za-z_.|? \[\]]{0,40}=[\t ]{0,8}(?=\\{0,15}[\"'`])"
)
_HELD: Final = re.compile(
    r"\{[\t\n ]{0,40}\\{0,15}[\"']?(?:value|plaintext|plain|raw|current)\\{0,15}[\"']?"
    r"[\t ]{0,8}[:=][\t ]{0,8}(?=\\{0,15}[\"'`])"
)
_ANCHOR: Final = re.compile(r"(?:&[a-z][A-Za-z0-9_-]{0,40}|!!?[a-z]{1,20})[\t ]{1,4}(?![=\t\n ])")
_BLOCK: Final = re.compile(r"[|>][+-]?\n([\t ]{1,40})[^\t\n ][^\n]*+(?:\n\1[^\n]*+)*+")
_BLANK: Final = frozenset("\t\n\f\r \u00a0")
_NAME_CHARS: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-")
_NAME: Final = re.compile(r"\b[A-Za-z_]", re.ASCII)
_ASSIGNED: Final = re.compile(r"[\t\n\f\r \u00a0]*+(?:[fFrRbBuU](?=[\"']))?")
_VARIABLE: Final = re.compile(r"[A-Za-z_]{1,60}+(?:\.[A-Za-z_]{1,60}+){0,8}(?![^\t\n\r ,;)\]}])")
# The name was the end of a string of code.
_SHUT: Final = re.compile(r"[\"'](?:[\t ]{1,4}[+%][\t ]|[,)\]};][\t ]{0,4}(?:\n|\Z))")
_TAG: Final = re.compile(
    r"(<([A-Za-z_][A-Za-z0-9_.:-]{0,79}+)"
    r"(?:[ ](?:name|key)=\"([^\"<>\n]{1,80}+)\")?(?:[ ][^<>\n]{0,200}+)?>)"
    r"(?:([^<>]{1,400}+)(?=</)|<!\[CDATA\[([^\]]{1,400}+)\]\]>)"
)
_SPELLED: Final = re.compile(
    r"(&lt;([A-Za-z_][A-Za-z0-9_.:-]{0,79}+)&gt;)([^<>&]{1,400}+)(?=&lt;/)"
)
_KEYED: Final = re.compile(
    r"(<key>([^<>\n]{1,80}+)</key>[\t\n\r ]{0,40}<string>)([^<>]{1,400}+)(?=</)"
)
