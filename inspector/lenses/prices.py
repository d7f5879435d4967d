"""What requests cost, by a price file that the user keeps."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, Final, TypeVar

from inspector.text.gate import clean_line
from inspector.timeline.marks import Usage

_MILLION: Final = 1_000_000
_LARGEST: Final = 1_000_000_000
"""Tokens of a window at most."""

_DEAREST: Final = 1_000_000_000_000
"""The amount of a price at most: sums of larger ones cannot be told any more."""

_SAID: Final = 200

_Told = TypeVar("_Told")
_KEYS: Final = ("hit", "miss", "write", "output")
_WINDOW: Final = "window"


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
    """The prices of models by name; a name that ends in ``*`` is the beginning of one.

    Attributes:
        currency: a word for people.
        models: the prices.
        windows: the tokens of the models' windows, where the file tells them.
    """

    currency: str
    models: Mapping[str, Price]
    windows: Mapping[str, int] = field(default_factory=dict)

    def of(self, model: str | None) -> Price | None:
        """The price of a model: its own, else that of the longest beginning, else None."""
        return _fitting(self.models, model)

    def window(self, model: str | None) -> int | None:
        """The window of a model, found in the same way."""
        return _fitting(self.windows, model)


def _fitting(told: Mapping[str, _Told], model: str | None) -> _Told | None:
    if model is None:
        return told.get("*")
    if model in told:
        return told[model]
    fitting = [name for name in told if name.endswith("*") and model.startswith(name[:-1])]
    return told[max(fitting, key=len)] if fitting else None


def parse(data: bytes) -> Prices:
    """Read a price file.

    A table of TOML for each model, ``[models."NAME"]``, with ``hit``, ``miss``, ``write`` and
    ``output`` for a million tokens each; ``hit`` and ``write`` are those of ``miss`` unless told.
    ``window`` is how many tokens the model can see; a model may have that and no price.
    ``currency`` is a word for people.

    Raises:
        PriceError: if it is no TOML, or a price is missing or no number.
    """
    import tomllib  # takes longer than most answers, and most have no price file

    try:
        document = tomllib.loads(data.decode(), parse_float=Decimal)
    except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise PriceError(f"not TOML: {clean_line(str(error), _SAID)}") from error
    except RecursionError as error:
        raise PriceError("tables or lists stand too deep in each other") from error
    except (ValueError, ArithmeticError) as error:
        raise PriceError("a number in it is too long to be read") from error
    models = document.get("models")
    if not isinstance(models, dict) or not models:
        raise PriceError('no prices: a table [models."NAME"] is wanted for each model')
    currency = document.get("currency", "")
    return Prices(
        currency if isinstance(currency, str) else "",
        {name: _price(name, table) for name, table in models.items() if not _only_window(table)},
        {
            name: _window(name, table[_WINDOW])
            for name, table in models.items()
            if isinstance(table, dict) and _WINDOW in table
        },
    )


def _only_window(table: Any) -> bool:
    return isinstance(table, dict) and list(table) == [_WINDOW]


def _window(name: str, value: Any) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or not 0 < value <= _LARGEST:
        raise PriceError(f"{_named(name)}: the window is no number of tokens")
    return value


def _price(name: str, table: Any) -> Price:
    if not isinstance(table, dict):
        raise PriceError(f"{_named(name)}: a table of prices is wanted")
    unknown = sorted(table.keys() - {*_KEYS, _WINDOW})
    if unknown:
        known = ", ".join((*_KEYS, _WINDOW))
        raise PriceError(f"{_named(name)}: {_named(unknown[0])} is no price; there are {known}")
    for key in ("miss", "output"):
        if key not in table:
            raise PriceError(f"{_named(name)}: the price of {key} is missing")
    told = {key: _amount(name, key, value) for key, value in table.items() if key in _KEYS}
    return Price(**{key: told.get(key, told["miss"]) for key in _KEYS})


def _amount(name: str, key: str, value: Any) -> Decimal:
    amount = value if isinstance(value, Decimal) else None
    if isinstance(value, int) and not isinstance(value, bool):
        amount = Decimal(value)
    if amount is None or not amount.is_finite() or amount < 0:
        raise PriceError(f"{_named(name)}: the price of {key} is no amount")
    if amount > _DEAREST:
        raise PriceError(f"{_named(name)}: the price of {key} is too large")
    return amount


def _named(name: str) -> str:
    return clean_line(name, _SAID)


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
