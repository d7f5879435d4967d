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

_MORE_KEYS: Final = _KEYS | frozenset(
    (
        *("access", "account", "encryption", "signing", "auth", "master", "fernet", "hmac"),
        *("license", "licence", "subscription", "openai", "anthropic", "stripe", "groq", "gemini"),
        *("mistral", "sendgrid", "twilio", "deploy"),
    )
)
_MORE_EXACT: Final = frozenset(
    (
        *("pass", "pwd", "passwort", "kennwort", "pgpassword", "sshpass", "github_pat", "gh_pat"),
        *("gitlab_pat", "azure_pat", "otp", "passcode"),
    )
)
_PASSES: Final = frozenset(
    (
        *("db", "database", "user", "admin", "root", "smtp", "imap", "mail", "email", "ftp"),
        *("mysql", "postgres", "pg", "sql", "mongo", "redis", "rabbitmq", "ldap", "http", "proxy"),
        *("login", "auth", "my", "ssh", "sudo", "account", "basic", "api"),
    )
)
"""Words that make a pass one of a person; a ``render_pass`` is none."""

FOREIGN: Final = (
    *("пароль", "contraseña", "contrasena", "mot de passe", "senha", "wachtwoord", "lösenord"),
    *("hasło", "heslo", "jelszó", "salasana", "adgangskode", "şifre", "密码", "密碼", "口令"),
    *("パスワード", "비밀번호", "mật khẩu", "kata sandi", "סיסמה", "كلمة المرور", "पासवर्ड"),
)
"""Passwords in other languages than English, in lower case."""

_GLUED: Final = (
    *("password", "passwd", "passphrase", "secret", "apikey", "privatekey", "secretkey"),
    *("accesskey", "accesstoken", "refreshtoken", "authtoken", "idtoken", "sessiontoken"),
    *("bearertoken", "csrftoken", "dbpass", "userpass", "rootpass", "rootpw", "passcode"),
    *("storepass", "keypass", "requirepass", *(word for word in FOREIGN if " " not in word)),
)
"""Ends of words that were written together."""

_ABOUT: Final = frozenset(
    (
        *("name", "names", "file", "files", "path", "dir", "env", "var", "ref", "field", "label"),
        *("length", "len", "count", "policy", "type", "prompt", "placeholder", "url", "input"),
        *("required", "enabled", "storage", "manager", "hint", "strength", "rules", "expiry"),
        *(
            "expires",
            "expired",
            "algorithm",
            "provider",
            "service",
            "version",
            "changed",
            "updated",
        ),
    )
)
"""Last words of names of what is about a secret and none."""

_ACTS: Final = frozenset(
    (
        *("reset", "forgot", "change", "has", "is", "show", "hide", "toggle", "validate"),
        *("should", "needs", "hash"),
    )
)
"""First words of names of what is done to a password, and of whether there is one."""

_MAYBE: Final = frozenset(
    (
        *("key", "keys", "token", "tokens", "auth", "code", "pat", "pin", "password", "passwords"),
        *("sid", "sessionid", "phpsessid", "jsessionid", "secrets", "credentials"),
    )
)
"""Last words of names of what may be a secret: a key of a table is none, one of a maker is."""

_MAYBE_ENDS: Final = tuple(_MAYBE)

_OPEN: Final = frozenset(("public", "pub"))
"""Words before a key that anybody may know."""

_PARTS: Final = re.compile(
    "pass|pwd|secret|token|key|cred|auth|cookie|jwt|bearer|kennwort|pat|rootpw|otp|"
    + "|".join(FOREIGN)
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
    if len(name) > _LONGEST or not _PARTS.search(lowered) or "::" in name:
        return False
    found = normal(_HUMP.sub("_", name))
    words = found.split("_")
    if not found or words[-1] in _ABOUT or (words[0] in _ACTS and words[-1] == "password"):
        return False
    return (
        plain_names(name)
        or found in EXACT
        or found in _MORE_EXACT
        or name == "_auth"
        or words[-1] == "pwd"
        or (words[-1] == "pass" and len(words) > 1 and words[-2] in _PASSES)
        or _by_words(words, _MORE_KEYS)
        or any(word.endswith(_GLUED) for word in words)
    )


def some_names(name: str) -> bool:
    """Whether a name may be one of a secret: what stands under it tells."""
    if len(name) > _LONGEST or not name.lower().rstrip("_-.").endswith(_MAYBE_ENDS):
        return False
    words = normal(_HUMP.sub("_", name)).split("_")
    return words[-1] in _MAYBE and not _OPEN.intersection(words)


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
