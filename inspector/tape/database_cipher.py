"""Databases that SQLCipher encrypted: the key, and the driver that takes it.

Every page of such a file is encrypted, the first one with its header too, so that nothing tells it
from noise. The key comes from the environment, never from a command line, which other users of the
machine can read. The driver is an extra of the distribution.
"""

import os
from importlib import import_module
from types import ModuleType
from typing import Final, NamedTuple, Self

from inspector.tape.source import SourceError

KEY_VARIABLE: Final = "INSPECTOR_SQLCIPHER_KEY"
"""The environment variable that holds the password."""

EXTRA: Final = "tape-inspector[sqlcipher]"
"""What to install for the driver."""

HOW_TO: Final = f"to read an encrypted one, install {EXTRA} and set {KEY_VARIABLE} to its password"
"""What a person can do about such a file."""

_PAGE_SIZE: Final = 4096
"""Bytes of a page, of SQLCipher 4 where nobody chose another."""


def has_key() -> bool:
    """Whether the environment holds a password."""
    return bool(os.environ.get(KEY_VARIABLE))


class Cipher(NamedTuple):
    """How an encrypted database is read.

    Attributes:
        driver: a module like ``sqlite3``.
        key: the UTF-8 bytes of the password.
        page_size: bytes of a page.
    """

    driver: ModuleType
    key: bytes
    page_size: int = _PAGE_SIZE

    @classmethod
    def found(cls) -> Self | None:
        """The cipher for the password in the environment; None if there is none.

        Raises:
            SourceError: if the driver is not installed.
        """
        password = os.environ.get(KEY_VARIABLE)
        if not password:
            return None
        try:
            driver = import_module("sqlcipher3.dbapi2")
        except ImportError as error:
            raise SourceError(
                f"not an SQLite database, or encrypted (SQLCipher): to read an encrypted one, "
                f"install {EXTRA}"
            ) from error
        return cls(driver, os.fsencode(password))
