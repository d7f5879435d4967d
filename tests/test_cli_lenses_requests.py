"""``requests`` and ``cost``: keys, words, money, and calls that are wrong."""

import json
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from tests.commands import SAMPLES, run
from tests.hostile import write_tape
from tests.lenses.ledgers import six_requests
from tests.terminal import CONTROL

DEMO = SAMPLES / "demo.jsonl"

PRICES = """
currency = "EUR"
[models."fl*"]
hit = 0.1
miss = 1
output = 2
"""


@pytest.fixture
def six(tmp_path: Path) -> Path:
    path = tmp_path / "tape.jsonl"
    path.write_bytes(bytes(six_requests()))
    return path


@pytest.fixture
def prices(tmp_path: Path) -> Path:
    path = tmp_path / "prices.toml"
    path.write_text(PRICES)
    return path


def document(*words: str | Path) -> Any:
    code, out, _ = run(*words, "--json")
    assert code == 0
    return json.loads(out)


# Requests.


def test_the_keys_of_the_contract() -> None:
    found = document("requests", DEMO)
    wanted = {
        *("event", "time", "model", "context_tokens", "input", "cache_read", "cache_write"),
        *("output", "prefix_kept", "broken_at", "miss", "other_model", "pressure"),
    }
    assert all(wanted <= request.keys() for request in found["requests"])
    assert {
        *("input", "cache_read", "cache_write", "output", "waste_tokens", "misses"),
    } <= found["totals"].keys()
    cut = next(request for request in found["requests"] if request["event"] == 330)
    assert {"part", "index", "event", "offset"} <= cut["broken_at"].keys()
    assert (cut["broken_at"]["part"], cut["broken_at"]["event"]) == ("message", 327)
    assert cut["miss"].keys() == {"tokens", "idle_seconds", "cause"}


def test_input_is_what_was_not_cached(six: Path) -> None:
    for request in document("requests", six)["requests"]:
        sent = request["input"] + request["cache_read"] + request["cache_write"]
        assert sent == request["context_tokens"]


def test_six_requests_pay_again_twice(six: Path) -> None:
    found = document("requests", six)
    assert [request["miss"] for request in found["requests"] if request["miss"]] == [
        {"tokens": 14_100, "idle_seconds": 2_280.0, "cause": "ttl"},
        {"tokens": 12_500, "idle_seconds": 12.0, "cause": "rewrite"},
    ]
    assert (found["totals"]["waste_tokens"], found["totals"]["misses"]) == (26_600, 2)


def test_the_time_to_live_may_be_told(six: Path) -> None:
    found = document("requests", six, "--ttl", "3600")
    assert [one["miss"]["cause"] for one in found["requests"] if one["miss"]] == ["rewrite"] * 2
    assert found["ttl"] == 3600


def test_up_to_a_cursor(six: Path) -> None:
    assert len(document("requests", six, "--at", "4")["requests"]) == 2


def test_the_text_has_a_line_for_each_and_the_sums(six: Path) -> None:
    code, out, _ = run("requests", six)
    lines = out.splitlines()
    assert (code, len(lines)) == (0, 8)
    assert lines[0].split() == ["#", "event", "model", "sent", "cached", "output", "prefix"]
    assert lines[-1].startswith("6 requests: 85.6k sent, 48 % of it cached")
    assert lines[-1].endswith("26,600 wasted in 2 misses")


def test_a_change_of_model_is_named() -> None:
    _, out, _ = run("requests", DEMO)
    assert "MISS 33,207: another model than before" in out


def test_of_a_tape_without_usage_it_says_so(tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"
    path.write_bytes(six_requests().lines[0] + b"\n")
    code, out, _ = run("requests", path)
    assert (code, out) == (0, "no request reported its usage\n")
    assert document("requests", path)["requests"] == []


@pytest.mark.parametrize("ttl", ["x", "-1", "nan", "inf", ""])
def test_a_time_to_live_that_is_none_is_a_wrong_call(ttl: str, six: Path) -> None:
    code, out, err = run("requests", six, "--ttl", ttl)
    assert (code, out) == (2, "")
    assert err.count("\n") == 1


def test_no_control_of_a_tape_is_printed(tmp_path: Path) -> None:
    _, out, err = run("requests", write_tape(tmp_path))
    assert not CONTROL.search(out.replace("\n", "") + err.replace("\n", ""))


# Cost.


def test_what_was_paid_what_it_would_be_and_what_was_saved(six: Path, prices: Path) -> None:
    found = document("cost", six, "--prices", prices)
    assert found["currency"] == "EUR"
    amounts = {key: Decimal(found[key]) for key in ("actual", "all_miss", "saved", "wasted")}
    # 85,600 sent, 41,000 of it cached, 600 came back; 26,600 paid for again.
    assert amounts == {
        "actual": Decimal("0.0499"),
        "all_miss": Decimal("0.0868"),
        "saved": Decimal("0.0369"),
        "wasted": Decimal("0.02394"),
    }
    assert (found["priced"], found["unpriced"]) == (6, [])


def test_a_model_without_a_price_is_named_and_not_counted(six: Path, tmp_path: Path) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text('[models."other"]\nmiss = 1\noutput = 1\n')
    found = document("cost", six, "--prices", prices)
    assert found["unpriced"] == [{"model": "flash", "requests": 6}]
    assert Decimal(found["actual"]) == 0
    code, out, _ = run("cost", six, "--prices", prices)
    assert code == 0
    assert "no price for flash: 6 requests not counted" in out


def test_the_text_of_the_cost(six: Path, prices: Path) -> None:
    code, out, _ = run("cost", six, "--prices", prices)
    assert code == 0
    assert [" ".join(line.split()) for line in out.splitlines()] == [
        "actual 0.0499 EUR 6 requests",
        "if nothing was cached 0.0868 EUR",
        "saved by caching 0.0369 EUR",
        "wasted by misses 0.0239 EUR",
    ]


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("broken", "not TOML"),
        ("", "no prices"),
        ("[models.m]\nmiss = true\noutput = 1", "no amount"),
        ("[models.m]\nmiss = 1", "output is missing"),
        ("[models.m]\nmiss = 1\noutput = 1\nread = 1", "read is no price"),
    ],
)
def test_a_price_file_that_cannot_be_used_is_one_line(
    content: str, words: str, six: Path, tmp_path: Path
) -> None:
    prices = tmp_path / "prices.toml"
    prices.write_text(content)
    code, out, err = run("cost", six, "--prices", prices)
    assert (code, out) == (2, "")
    assert words in err
    assert err.count("\n") == 1


def test_a_price_file_has_to_be_named_and_to_be_there(six: Path, tmp_path: Path) -> None:
    for words in ((), ("--prices", tmp_path / "none"), ("--prices", tmp_path)):
        code, out, err = run("cost", six, *words)
        assert (code, out) == (2, "")
        assert err.count("\n") == 1
