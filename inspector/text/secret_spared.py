"""What stands under the name of a secret and is none: code, placeholders, words of prose.

Nothing here knows where a value ends: `inspector.text.secret_values`.
"""

import re
from typing import Final

from inspector.text.secret_names import all_names, normal
from inspector.text.secret_shapes import MARK

_SEEN: Final = 200
"""Characters of a value that tell whether it is a secret."""

_WORD: Final = 4
"""Letters of a word that is prose behind a colon."""

_TOKEN: Final = 24
"""Letters of a word that is no token: those have digits, or are longer."""

_DENSE: Final = 0.4
"""Pieces of a random word for each of its characters, at the least."""


def opaque(value: str, least: int = 6) -> bool:
    """Whether a value is no word: letters and digits together, and the name of no format."""
    return (
        len(value) >= least
        and _OPAQUE.fullmatch(value) is not None
        and any(map(str.isdigit, value))
        and any(map(str.isalpha, value))
        and not (_FORMAT.fullmatch(value) or _FILE.match(value))
    )


def dense(value: str) -> bool:
    """Whether a value has a word of sixteen characters that nobody would write.

    Small letters, capitals and digits, changing more often than in names of code; digests and ids
    in hexadecimal digits have no letters of both kinds.
    """
    return any(_is_dense(word) for word in _LONG.findall(value[:_SEEN]))


def _is_dense(word: str) -> bool:
    pieces = _PIECE.findall(word)
    digits = sum(map(str.isdigit, word))
    mixed = any(map(str.isupper, word)) and any(map(str.islower, word))
    return digits > 1 and mixed and len(pieces) >= _DENSE * len(word.strip("="))


def spared(value: str, name: str = "") -> bool:
    """Whether a value under the name of a secret is code or a placeholder, or hidden already."""
    if value.startswith(("=", ">", "{")) or value == MARK or _PLACEHOLDER.match(value):
        return True
    word = value.rstrip(".,;:!?)]}").removeprefix("&")
    if not any(map(str.isalnum, value)):
        return len(value) < _WORD or set(value) == {"*"}
    if word.lower() in _TYPES or _FILE.match(word):
        return True
    if _CODE.match(value) and not dense(value):
        return True
    return bool(name) and (_is_name(word) or _is_of(normal(name), word))


def _is_name(word: str) -> bool:
    """Whether a value is itself the name of a secret: a variable that is handed on."""
    last = word.rpartition(".")[2]
    return last == "key" or (last.replace("_", "").isalpha() and all_names(last))


def _is_of(name: str, word: str) -> bool:
    """Whether a value is no secret under just this name: a place, a count, a kind of token."""
    if name in ("pwd", "oldpwd"):
        return word[:1] in ("/", "~", ".", "\\") or word[1:3] in (":\\", ":/")
    if name == "pass":
        return word.isdigit()
    if name.endswith(("key", "credential", "credentials")) and _PATH.match(word):
        return True
    is_word = word.replace("_", "").replace(".", "").isalpha()
    if not name.endswith("token"):
        return False
    return (is_word and (word.isupper() or "." in word)) or _SMALL.fullmatch(word) is not None


def spared_in_prose(value: str, behind: str, name: str = "") -> bool:
    """The same of what stands behind a colon and in no quotes: types, and words of prose.

    Args:
        value: which.
        behind: what stands behind it.
        name: whose value it is; a short word may be a password.
    """
    if spared(value, name):
        return True
    word = value.rstrip(".!?")
    if not word.replace("_", "").isalpha():
        return False
    told = normal(name)
    longest = 1 if told.endswith(_PASSWORDS) else _TOKEN if told.endswith("token") else _WORD
    return len(word) <= longest or word.lower() in _TALK or _is_type(word, behind.lstrip(" "))


def _is_type(word: str, behind: str) -> bool:
    if not word.lstrip("_")[:1].isupper():
        return False
    if behind.startswith(","):
        # An item of a list, or an argument with more of them behind.
        return len(_HUMPS.findall(word)) > 1 or _ARGUMENT.match(behind) is not None
    return behind[:1] in (")", "=", ";", "|")


def spared_in_quotes(value: str) -> bool:
    """The same of what stands in quotes, where nothing is code but what is filled in."""
    if not any(map(str.isalnum, value)):
        return len(value) < _WORD or set(value) <= {"*", ".", ":"}
    if value == MARK or value.strip().lower() in _TYPES or _FILLED.match(value):
        return True
    return value.startswith(("/", "~/", "./")) and _FILE.match(value) is not None


def is_prose(value: str) -> bool:
    """Whether what stands behind the name of a header is a sentence."""
    return _PROSE.match(value) is not None


_FILLED: Final = re.compile(
    r"(?:[A-Za-z]{1,20}+ )?(?:\[REDACTED\]\Z|\$[{(]|\$[A-Za-z_]{1,60}+\Z|\{\{"
    r"|\[\^?(?:a-z|A-Z|0-9|\\[wWdDsS])|#[0-9a-fA-F]{3,8}\Z"
    r"|%[(s]|%[A-Z_]{1,60}+%\Z|\{[A-Za-z_][A-Za-z0-9_.]{0,60}+[}!:]|<[A-Za-z /_-]{1,60}+>)"
)
_OPAQUE: Final = re.compile(r"[A-Za-z0-9_+=.~@#$%!^*-]{1,200}+")
_FORMAT: Final = re.compile(
    r"(?i)(?:base-?[0-9]{2}|sha-?[0-9]{1,3}|md[0-9]|utf-?[0-9]{1,2}|ucs-?[0-9]|x\.?509|u?int[0-9]{1,3}"
    r"|ed25519|curve25519|[a-z]{1,3}[0-9]{3}|o?auth-?[0-9](?:\.[0-9])?|argon2[a-z]{0,2}|iso[0-9-]{1,9}"
    r"|pkcs#?[0-9]{1,2}|rfc-?[0-9]{1,5}|v[0-9]{1,3}(?:[.a-z0-9-]{0,20})|[0-9.]{1,9}(?:ms|s|m|h|d|kb|mb|gb|px)"
    r"|[0-9]{1,9}(?:st|nd|rd|th|-[a-z]{1,20})|[a-z]{1,20}-(?:bit|byte)s?)(?:-?encoded|-?hashed)?"
)
_LONG: Final = re.compile(r"[A-Za-z0-9_+/=~-]{16,}+")
_PIECE: Final = re.compile(r"[A-Z]?[a-z]++|[A-Z]++|[0-9]++")
_HUMPS: Final = re.compile(r"[A-Z][a-z0-9]++")
_ARGUMENT: Final = re.compile(r", ?\*{0,2}(?:[A-Za-z_]\w{0,60}+ ?[:=),]|\.\.\.|[*/],)")
_SMALL: Final = re.compile(r"-?[0-9]{1,2}|[a-z]")
_PASSWORDS: Final = ("password", "passwd", "passphrase", "passwort", "kennwort", "passcode", "pwd")
_FILE: Final = re.compile(
    r"[A-Za-z0-9_@~./:\\-]{1,200}?\.(?:txt|json|ya?ml|pem|key|crt|cer|p12|pfx|env|ini|cfg|conf|toml"
    r"|py|js|ts|tsx|go|rs|java|rb|sh|md|html?|xml|log|csv)\Z"
)
_PATH: Final = re.compile(r"(?:~|\.{1,2}|[A-Za-z]:)?(?:[/\\][a-z0-9._@-]{1,60}+){2,12}[/\\]?\Z")
_TALK: Final = frozenset(
    (
        *(
            "a",
            "an",
            "and",
            "any",
            "are",
            "as",
            "at",
            "be",
            "by",
            "can",
            "change",
            "check",
            "choose",
        ),
        *("either", "enter", "expired", "for", "forgot", "from", "given", "has", "if", "in"),
        *(
            "incorrect",
            "invalid",
            "is",
            "it",
            "its",
            "may",
            "missing",
            "must",
            "needs",
            "no",
            "none",
        ),
        *("not", "of", "on", "only", "optional", "or", "please", "provide", "required", "same"),
        *("see", "should", "the", "this", "that", "to", "too", "type", "use", "used", "valid"),
        *("was", "what", "when", "where", "which", "will", "with", "wrong", "yes", "you", "your"),
        *(
            "expected",
            "option",
            "options",
            "flag",
            "flags",
            "argument",
            "return",
            "break",
            "continue",
            "raise",
            "throw",
        ),
    )
)
_PROSE: Final = re.compile(r"[a-z]{1,20}+,? [A-Za-z]{1,20}+[.,;]?(?: [A-Za-z(]|\Z)")
_PLACEHOLDER: Final = re.compile(
    r"\$[{(]|\$[A-Z_][A-Z0-9_]{0,60}+(?![A-Za-z0-9])|\$[a-z_]{1,60}+(?![A-Za-z0-9])"
    r"|\$[0-9]{1,2}\Z|:[a-z_]{1,60}+\Z|[Yy][Oo][Uu][Rr][-_]|[A-Z]{2,20}(?:_[A-Z]{2,20}){1,8}\Z"
    r"|%[A-Za-z_]{1,60}+%|%\(|%[sdrqv](?![A-Za-z0-9])|\*{3}|\*[A-Za-z_]{1,60}+(?![A-Za-z0-9])"
)
_CODE: Final = re.compile(
    r"[A-Za-z_]\w{0,60}+(?:\.\w{1,60}+){0,8}+[(\[]"
    r"|(?:self|this|import|window|vars|secrets|opts|req|request|os|process|config|settings|env|args|ctx|options|props|params)\."
)
_TYPES: Final = frozenset(
    (
        *("str", "string", "text", "bytes", "int", "integer", "number", "float", "bool", "boolean"),
        *("any", "object", "none", "null", "nil", "undefined", "true", "false", "void", "optional"),
        *("required", "missing", "unset", "empty", "redacted", "include", "omit", "inherit"),
        *("same-origin", "await", "async", "new", "yield", "lambda", "function", "not"),
        *("bearer", "basic", "digest", "negotiate"),
    )
)
