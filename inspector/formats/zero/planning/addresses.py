"""Passwords in web addresses, which the owner takes apart and writes anew (format page 8, rule 7).

By the rules of Go's ``net/url``: an address that it does not take is left as it is, secret and all.
"""

import re
from typing import Final
from urllib.parse import quote_from_bytes, unquote_to_bytes

from inspector.text.secret_shapes import MARK

_ADDRESS: Final = re.compile(r"\b(?:https?|wss?|ftp)://[^\t\n\f\r ]+", re.ASCII)
_PARTS: Final = re.compile(r"([a-z]+)://([^/?#]*)([^?#]*)(\?[^#]*)?(#.*)?", re.DOTALL)
_USER: Final = re.compile(r"[A-Za-z0-9\-._:~!$&'()*+,;=%@]*")
_HOST: Final = re.compile(r"[A-Za-z0-9\-._~!$&'()*+,;=:\[\]<>\"%\u0080-\U0010ffff]*")
_PORT: Final = re.compile(r"(?:\[[^\]]*\]|[^:]*)(?::[0-9]*)?")
_BAD_ESCAPE: Final = re.compile(r"%(?![0-9A-Fa-f]{2})")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f]")
_PATH: Final = re.compile(r"[A-Za-z0-9\-._~!$&'()*+,;=:@\[\]%/]*")
_IN_PATH: Final = "$&+,/:;=@-_.~"
_IN_FRAGMENT: Final = "$&+,/:;=@-_.~?!()*"
_IN_NAME: Final = "$&+,;=-_.~"


def addresses(text: str) -> str:
    """A text with the mark, as such addresses write it, for passwords in web addresses."""
    if "://" not in text or "@" not in text:
        return text
    return _ADDRESS.sub(_address, text)


def _address(found: re.Match[str]) -> str:
    address = found[0]
    parts = _PARTS.fullmatch(address)
    if parts is None or _CONTROL.search(address):
        return address
    scheme, authority, path, query, fragment = (part or "" for part in parts.groups())
    user, at, host = authority.rpartition("@")
    name, colon, password = user.partition(":")
    if not at or not colon or not _is_taken(user, host, path, fragment):
        return address
    del password
    login = f"{_escaped(name, _IN_NAME)}:{_escaped(MARK, _IN_NAME)}"
    shown = path if _PATH.fullmatch(path) else _escaped(path, _IN_PATH)
    tail = fragment
    if fragment:
        tail = f"#{fragment[1:]}"
        if not _PATH.fullmatch(fragment[1:].replace("?", "")):
            tail = f"#{_escaped(fragment[1:], _IN_FRAGMENT)}"
    return f"{scheme}://{login}@{host}{shown}{query}{tail}"


def _is_taken(user: str, host: str, path: str, fragment: str) -> bool:
    return (
        _USER.fullmatch(user) is not None
        and _HOST.fullmatch(host) is not None
        and _PORT.fullmatch(host) is not None
        and not any(_BAD_ESCAPE.search(part) for part in (user, host, path, fragment))
    )


def _escaped(text: str, safe: str) -> str:
    """A part taken apart and written anew."""
    return quote_from_bytes(unquote_to_bytes(text), safe=safe)
