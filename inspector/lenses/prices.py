"""What requests cost, by a price file that the user keeps."""

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, Final

from inspector.timeline.marks import Usage

_MILLION: Final = 1_000_000
_KEYS: Final = ("hit", "miss", "write", "output")


class PriceError(Exception):
    """A price file that cannot be used; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class Price:
    """Money for a million tokens of each kind: read from the cache, not cached, written, output."""

    hit: Decimal
    miss: Decimal
    write: Decimal
    output: Decimal


@dataclass(frozen=True, slots=True)
class Cost:
    """What requests cost.

    Attributes:
        actual: by what was reported.
        all_miss: what the same requests would cost if nothing was ever cached.
        unpriced: how many requests have no price, by the model's name; None is no name.
    """

    actual: Decimal
    all_miss: Decimal
    priced: int
    unpriced: dict[str | None, int]

    @property
    def saved(self) -> Decimal:
        """What caching saved; less than nothing if it cost more."""
        return self.all_miss - self.actual


@dataclass(frozen=True, slots=True)
class Prices:
    """The prices of models by name; a name that ends in ``*`` is the beginning of one."""

    currency: str
    models: Mapping[str, Price]

    def of(self, model: str | None) -> Price | None:
        """The price of a model: its own, else that of the longest beginning, else None."""
        if model is None:
            return self.models.get("*")
        if model in self.models:
            return self.models[model]
        fitting = [
            name for name in self.models if name.endswith("*") and model.startswith(name[:-1])
        ]
        return self.models[max(fitting, key=len)] if fitting else None


def parse(data: bytes) -> Prices:
    """Read a price file.

    A table of TOML for each model, ``[models."NAME"]``, with ``hit``, ``miss``, ``write`` and
    ``output`` for a million tokens each; ``hit`` and ``write`` are those of ``miss`` unless told.
    ``currency`` is a word for people.

    Raises:
        PriceError: if it is no TOML, or a price is missing or no number.
    """
    try:
        document = tomllib.loads(data.decode(), parse_float=Decimal)
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise PriceError(f"not TOML: {error}") from error
    models = document.get("models")
    if not isinstance(models, dict) or not models:
        raise PriceError('no prices: a table [models."NAME"] is wanted for each model')
    currency = document.get("currency", "")
    return Prices(
        currency if isinstance(currency, str) else "",
        {name: _price(name, table) for name, table in models.items()},
    )


def _price(name: str, table: Any) -> Price:
    if not isinstance(table, dict):
        raise PriceError(f"{name}: a table of prices is wanted")
    unknown = sorted(table.keys() - set(_KEYS))
    if unknown:
        raise PriceError(f"{name}: {unknown[0]} is no price; there are {', '.join(_KEYS)}")
    for key in ("miss", "output"):
        if key not in table:
            raise PriceError(f"{name}: the price of {key} is missing")
    found = {key: _amount(name, key, table.get(key, table["miss"])) for key in _KEYS}
    return Price(**found)


def _amount(name: str, key: str, value: Any) -> Decimal:
    amount = value if isinstance(value, Decimal) else None
    if isinstance(value, int) and not isinstance(value, bool):
        amount = Decimal(value)
    if amount is None or not amount.is_finite() or amount < 0:
        raise PriceError(f"{name}: the price of {key} is no amount")
    return amount


def cost(requests: Iterable[tuple[str | None, Usage]], prices: Prices) -> Cost:
    """What requests cost: each by its model's name and its usage."""
    actual = all_miss = Decimal(0)
    priced = 0
    unpriced: dict[str | None, int] = {}
    for model, usage in requests:
        price = prices.of(model)
        if price is None:
            unpriced[model] = unpriced.get(model, 0) + 1
            continue
        priced += 1
        output = usage.output * price.output
        actual += usage.input * price.miss + usage.cache_read * price.hit
        actual += usage.cache_write * price.write + output
        all_miss += usage.context * price.miss + output
    return Cost(actual / _MILLION, all_miss / _MILLION, priced, unpriced)
