"""What requests cost by a price file, and what is said of one that cannot be used."""

from decimal import Decimal

import pytest

from inspector.lenses.prices import Price, PriceError, cost, parse
from inspector.timeline.marks import Usage

FILE = b"""
currency = "EUR"

[models."large-2"]
hit = 0.3
miss = 3
write = 3.75
output = 15

[models."large*"]
miss = 2
output = 8

[models."*"]
miss = 1
output = 1
"""


def test_a_model_is_named_whole_or_by_its_beginning() -> None:
    prices = parse(FILE)
    assert prices.currency == "EUR"
    assert prices.of("large-2") == Price(Decimal("0.3"), Decimal(3), Decimal("3.75"), Decimal(15))
    assert prices.of("large-3") == Price(Decimal(2), Decimal(2), Decimal(2), Decimal(8))
    assert prices.of("small") == prices.of(None) == Price(*[Decimal(1)] * 4)


def test_a_model_may_have_a_window_and_no_price() -> None:
    prices = parse(b'[models."a*"]\nwindow = 9\n[models.b]\nmiss = 1\noutput = 2\nwindow = 7\n')
    assert [prices.window(model) for model in ("a1", "b", "c", None)] == [9, 7, None, None]
    assert prices.of("a1") is None
    assert prices.of("b") == Price(Decimal(1), Decimal(1), Decimal(1), Decimal(2))


def test_a_model_without_a_price_is_counted_and_costs_nothing() -> None:
    prices = parse(b'[models."a"]\nmiss = 1\noutput = 2\n')
    found = cost([("b", Usage(0, 10, 0, 0, 1)), (None, Usage(1, 5, 0, 0, 1))], prices)
    assert (found.actual, found.priced, found.unpriced) == (0, 0, {"b": 1, None: 1})


def test_actual_all_miss_and_saved() -> None:
    usage = Usage(7, 1_000_000, 2_000_000, 400_000, 100_000)
    found = cost([("large-2", usage), ("large-2", usage)], parse(FILE))
    assert found.actual == 2 * (Decimal(3) + Decimal("0.6") + Decimal("1.5") + Decimal("1.5"))
    assert found.all_miss == 2 * (Decimal("10.2") + Decimal("1.5"))
    assert found.saved == found.all_miss - found.actual
    assert found.priced == 2


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (b"models = [", "not TOML"),
        (b"\xff", "not TOML"),
        (b"", "no prices"),
        (b"models = 3", "no prices"),
        (b"[models]\na = 3", "a: a table of prices is wanted"),
        (b"[models.a]\nmiss = 3", "a: the price of output is missing"),
        (b"[models.a]\nmiss = 3\noutput = true", "a: the price of output is no amount"),
        (b"[models.a]\nmiss = -3\noutput = 1", "a: the price of miss is no amount"),
        (b"[models.a]\nmiss = nan\noutput = 1", "a: the price of miss is no amount"),
        (b"[models.a]\nmiss = 1\noutput = 1\nhit = inf", "a: the price of hit is no amount"),
        (b"[models.a]\nmiss = 1e999999\noutput = 1", "a: the price of miss is too large"),
        (b"[models.a]\nmiss = 1\noutput = 1e99999999999999999999", "number .* too long"),
        (b"[models.a]\nmiss = 1" + b"0" * 5_000 + b"\noutput = 1", "number .* too long"),
        (b"a = " + b"[" * 100_000, "too deep"),
        (b"[models.a]\nmiss = 3\noutput = 1\ncached = 1", "a: cached is no price"),
        (b"[models.a]\nwindow = 0", "a: the window is no number of tokens"),
        (b"[models.a]\nwindow = true", "a: the window is no number of tokens"),
        (b"[models.a]\nwindow = 1.5", "a: the window is no number of tokens"),
        (b"[models.a]\nwindow = 9\nmiss = 3", "a: the price of output is missing"),
    ],
)
def test_a_file_that_cannot_be_used(text: bytes, message: str) -> None:
    with pytest.raises(PriceError, match=message):
        parse(text)
