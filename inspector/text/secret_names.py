"""Which names stand before secrets: ``password``, ``API_KEY``, ``clientSecret`` and their like."""

import re
from collections.abc import Callable
from typing import Final

Names = Callable[[str], bool]
"""Whether what stands under a name is a secret."""

EXACT: Final = frozenset(
    (
        *("access_token", "auth_token", "bearer", "bearer_token", "id_token", "jwt", "npm_token"),
        *("oauth_token", "refresh_token", "session_token", "token", "github_token", "gitlab_token"),
        *("api_key", "apikey", "x_api_key", "private_key", "passphrase", "password", "secret"),
        *("aws_secret_access_key", "aws_session_token", "client_secret", "credential"),
        *("credentials", "authorization", "proxy_authorization", "cookie", "set_cookie"),
    )
)
"""Whole names, in lower case and with one underscore between words."""

WORDS: Final = frozenset(
    ("password", "passwd", "passphrase", "secret", "credential", "credentials", "apikey")
)
"""Words that make any name one of a secret."""

_KEYS: Final = frozenset({"api", "private"})
"""Words that make a key secret; a ``primary_key`` is none."""

_MORE_KEYS: Final = _KEYS | frozenset({"access", "account", "encryption", "signing"})
_MORE_EXACT: Final = frozenset(["db_pass", "mysql_pwd", "pgpassword", "sshpass"])
_GLUED: Final = (
    *("password", "passwd", "passphrase", "clientsecret", "apikey", "privatekey"),
    *("accesstoken", "refreshtoken", "authtoken", "idtoken", "sessiontoken", "bearertoken"),
)
"""Ends of words that were written together."""

_PARTS: Final = (
    *("pass", "pwd", "secret", "token", "key", "cred", "auth", "cookie", "jwt", "bearer"),
)
"""One of them is in every name of a secret."""

_LONGEST: Final = 200
"""Characters of a name; a longer one is none."""


def normal(name: str) -> str:
    """A name in lower case, every run of what is no letter and no digit an underscore."""
    if name.isascii():
        return _ODD.sub("_", name.lower()).strip("_")
    lowered = (char.lower() if char.isalpha() or char.isdecimal() else " " for char in name)
    return "_".join("".join(lowered).split())


def plain_names(name: str) -> bool:
    """Whether a name is one of a secret by its words as they are divided: camelCase is one word.

    A token is one at the end of a name only: ``max_tokens`` and ``token_count`` are numbers.
    """
    found = normal(name)
    return bool(found) and (found in EXACT or _by_words(found.split("_"), _KEYS))


def all_names(name: str) -> bool:
    """Whether a name is one of a secret, however its words are divided or not divided at all."""
    lowered = name.lower()
    if len(name) > _LONGEST or not any(part in lowered for part in _PARTS):
        return False
    if plain_names(name):
        return True
    found = normal(_HUMP.sub("_", name))
    if not found:
        return False
    words = found.split("_")
    return (
        found in EXACT
        or found in _MORE_EXACT
        or _by_words(words, _MORE_KEYS)
        or any(word.endswith(_GLUED) for word in words)
    )


def _by_words(words: list[str], keys: frozenset[str]) -> bool:
    last = len(words) - 1
    return any(
        word in WORDS
        or (word == "token" and at == last > 0)
        or (word == "key" and at > 0 and words[at - 1] in keys)
        for at, word in enumerate(words)
    )


_ODD: Final = re.compile(r"[^a-z0-9]+")
_HUMP: Final = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
