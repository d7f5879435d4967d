"""The price file of the user: where it is, and what it says. Knows no Textual."""

import os
import sys
from pathlib import Path
from typing import Final

from inspector.lenses.prices import PriceError, Prices, parse
from inspector.text.gate import clean_line

VARIABLE: Final = "INSPECTOR_PRICES"
"""Names the file; empty for none at all."""

_MOST: Final = 1 << 20
_SAID: Final = 200


def user_prices() -> Prices | str | None:
    """The user's prices; why they cannot be used, in one sentence; or None where there are none."""
    named = os.environ.get(VARIABLE)
    path = _usual() if named is None else Path(named).expanduser() if named else None
    if path is None:
        return None
    try:
        with path.open("rb") as file:
            return parse(file.read(_MOST))
    except PriceError as error:
        return clean_line(f"{path}: {error}", _SAID)
    except FileNotFoundError:
        # Nobody has to have the usual one.
        return None if named is None else clean_line(f"{path}: no such file", _SAID)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else str(error)
        return clean_line(f"{path}: {reason}", _SAID)


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
