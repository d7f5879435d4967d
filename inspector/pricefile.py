"""The price file of a user, read once and never further than it may be long."""

from pathlib import Path
from typing import Final

from inspector.lenses.prices import PriceError, Prices, parse
from inspector.tape.source import FileSource, SourceError

_MOST: Final = 1 << 20
"""Bytes of a price file: of a longer one a part could pass for all of it."""


def read_prices(path: Path) -> Prices:
    """The prices of a file.

    Raises:
        PriceError: if there is no regular file that can be read, it is too long, or it says no
            prices.
    """
    try:
        with FileSource(path) as file:
            data = file.read(0, _MOST + 1)
    except SourceError as error:
        raise PriceError(str(error)) from error
    if len(data) > _MOST:
        raise PriceError("is larger than 1 MiB, which no price file is")
    return parse(data)
