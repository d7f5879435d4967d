"""The price file of the user: where it is, and what it says. Knows no Textual."""

import os
import sys
from functools import lru_cache
from pathlib import Path
from typing import Final

from inspector.lenses.prices import PriceError, Prices
from inspector.pricefile import read_prices
from inspector.text.gate import clean_line

VARIABLE: Final = "INSPECTOR_PRICES"
"""Names the file; empty for none at all."""

_SAID: Final = 200


def user_prices() -> Prices | str | None:
    """The user's prices; why they cannot be used, in one sentence; or None where there are none."""
    named, path = os.environ.get(VARIABLE), _named()
    if path is None:
        return None
    if named is None and not os.path.lexists(path):
        # Nobody has to have the usual one.
        return None
    try:
        return read_prices(path)
    except PriceError as error:
        return clean_line(f"{path}: {error}", _SAID)


def usable_prices() -> Prices | None:
    """The user's prices, or None where there are none to be used; a frame may ask."""
    path = _named()
    try:
        stands = None if path is None else path.stat()
    except (OSError, ValueError):
        stands = None
    if path is None or stands is None:
        return None
    return _prices_of(path, stands.st_mtime_ns, stands.st_size)


@lru_cache(maxsize=1)
def _prices_of(_path: Path, _changed: int, _size: int) -> Prices | None:
    found = user_prices()
    return found if isinstance(found, Prices) else None


def _named() -> Path | None:
    """The file that the user named, else the usual one."""
    named = os.environ.get(VARIABLE)
    return _usual() if named is None else Path(named).expanduser() if named else None


def _usual() -> Path | None:
    """The file in the folder where programs keep what a user set."""
    try:
        home = Path.home()
    except RuntimeError:
        return None
    if sys.platform == "darwin":
        return home / "Library" / "Application Support" / "inspector" / "prices.toml"
    told = os.environ.get("XDG_CONFIG_HOME", "")
    folder = Path(told) if told.startswith("/") else home / ".config"
    return folder / "inspector" / "prices.toml"
