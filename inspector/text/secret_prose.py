"""Secrets that somebody tells in words: ``the password is hunter2``, and tables and other tongues.

Only what is no word of any language is hidden here, for a sentence about passwords is none.
"""

import re
from collections.abc import Iterator
from typing import Final

from inspector.text.secret_names import FOREIGN, all_names, some_names
from inspector.text.secret_shapes import MARK
from inspector.text.secret_spared import dense, opaque, spared
from inspector.text.secret_values import QUOTE, Place, bare_in_prose, covered, quoted


def spoken(text: str) -> str:
    """Names of more words than one, and of other languages than English."""
    lowered = text.lower()
    if not any(word in lowered for word in _GUARDS):
        return text
    return covered(text, _spoken_values(text))


def _spoken_values(text: str) -> Iterator[Place]:
    at = 0
    while (found := _SPOKEN.search(text, at)) is not None:
        at = found.end()
        place = quoted(text, at) if QUOTE.match(text, at) else bare_in_prose(text, at, "", "")
        if place is not None:
            yield place
            at = place.stop


def said(text: str) -> str:
    """Values that are told in a sentence, in a row of a table, or on the next line."""
    return covered(text, _said_values(text))


def _said_values(text: str) -> Iterator[Place]:
    at = 0
    while (found := _SAID.search(text, at)) is not None:
        # The name may be a part of what is behind another one.
        at = found.end(1)
        value = found[4].rstrip(_ENDS)
        if _is_told(_name(text, found), found[2], found[3], value):
            yield Place(found.start(4), found.start(4) + len(value), MARK)
            at = found.end()


def _name(text: str, found: re.Match[str]) -> str:
    start = found.start(1)
    least = max(0, start - _LONGEST)
    while start > least and text[start - 1] in _NAME_CHARS:
        start -= 1
    name = text[start : found.end(1)].lstrip("-.")
    if start == found.start(1) and text[start - 1 : start] == " ":
        before = text[max(0, start - _LONGEST) : start - 1].replace("\n", " ").rpartition(" ")[2]
        return f"{before}_{name}"
    return name


def _is_told(name: str, link: str, quote: str, value: str) -> bool:
    certain = all_names(name)
    if (not certain and not some_names(name)) or spared(value, name):
        return False
    if dense(value):
        return True
    if not certain or "\n" in link:
        return False
    if link.strip() and not link.startswith(","):
        return opaque(value)
    is_password = name.lower().endswith(_PASSWORDS) and link[:1] != ","
    return is_password and not quote and opaque(value, _LEAST)


def phrases(text: str) -> str:
    """The words that a wallet is made anew from."""
    return _PHRASE.sub(rf"\1{MARK}", text) if "phrase" in text or "nemonic" in text else text


_LONGEST: Final = 60
"""Characters before the last word of a name."""

_LEAST: Final = 8
"""Characters of a password behind its name with nothing between."""

_ENDS: Final = ".,;:!?)]}*"
_PASSWORDS: Final = ("password", "passwd", "passphrase", "passcode", "pwd", "rootpw")
_NAME_CHARS: Final = frozenset("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-")
_GUARDS: Final = (
    *FOREIGN,
    *("api key", "api access key", "private key", "secret key", "secret access key", "access key"),
    *(
        "signing key",
        "encryption key",
        "master key",
        "license key",
        "access token",
        "pass phrase",
        "seed phrase",
        "recovery phrase",
    ),
    *("identified by", "with password", "password is"),
)
"""One of them is in every text with such a name."""

_COLON: Final = (
    r"(?:\*\*|[\"'`])?[\t ]{0,8}(?:[:=\uff1a]|\u662f|\u306f)(?:\*\*)?[\t ]{0,8}(?![\t\n :])"
)
_SPOKEN: Final = re.compile(
    r"(?i)(?:(?:\b(?:(?:api|private|secret|access|signing|encryption|master|license)[ ]"
    r"(?:access[ ])?key|access[ ]token|pass phrase|seed phrase|recovery phrase)"
    rf"|(?:{'|'.join(FOREIGN)})){_COLON}"
    r"|\b(?:identified by|with password)[\t ]{1,8}(?=[\"'])|\bpassword is[\t ]{1,8}(?=[\"'`]))"
)
_SAID: Final = re.compile(
    r"(?i)(pass(?:word|wd|phrase|code|wort)?|pwd?|secret|token|key|credentials?|auth)"
    r"(?![A-Za-z0-9_])(?:\*\*|[\"'`])?"
    r"(?: ?\([^()\n]{0,40}+\)| (?:for|of|on) [A-Za-z0-9_.@-]{1,60}+(?<![.]))?"
    r"((?:[\t ]{1,8}(?:is now|is|was|are|to)[\t ]{0,2}:?|[\t ]{0,8}[|,:\uff1a])[\t ]{1,8}"
    r"|,|[\t ]{1,8}|\r?\n[\t ]{0,8})"
    r"([\"'`\u201c]?)([^\t\n\r \"'`|,\u201d<>()\[\]{}]{6,200}+)",
    re.ASCII,
)
_PHRASE: Final = re.compile(
    r"(?i)(\b(?:mnemonic|(?:seed|recovery)[ _]phrase)[\"'`]?[\t ]{0,4}(?:is|:|=)[\t ]{0,4}[\"'`]?)"
    r"(?:[a-z]{3,8}[ ]){11,23}[a-z]{3,8}(?![a-z])"
)
