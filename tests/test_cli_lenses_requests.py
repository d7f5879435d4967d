"""``requests`` and ``cost``: keys, words, money, and calls that are wrong."""

import json
import os
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

from inspector.lenses import ledger as ledgers
from tests.commands import SAMPLES, run
from tests.dsh_tapes import Log, text_block
from tests.hostile import write_tape
from tests.lenses.ledgers import six_requests
from tests.terminal import CONTROL

DEMO = SAMPLES / "demo.jsonl"
ASIDE = SAMPLES / "overflow-recovery.jsonl"

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
    assert [one["miss"]["cause"] for one in found["requests"] if one["miss"]] == [
        # The first time nothing on the tape tells of a rewrite, the second time less was sent.
        "unknown",
        "rewrite",
    ]
    assert found["ttl"] == 3600


def test_up_to_a_cursor(six: Path) -> None:
    assert len(document("requests", six, "--at", "4")["requests"]) == 2


def test_whether_the_owner_would_compact_at_the_cursor(six: Path) -> None:
    found = document("requests", six)["pressure"]
    assert found == document("show", six)["pressure"]
    assert (found["tokens"], found["window"], found["window_from"]) == (17_600, 20_000, "tape")
    assert (found["threshold"], found["would_compact"]) == (16_000, True)
    for command in ("requests", "show"):
        assert (
            "17,600 of 20,000 tokens (88 %): the owner would compact now" in run(command, six).out
        )


def test_a_price_file_tells_the_window_that_no_tape_does(tmp_path: Path) -> None:
    path = tmp_path / "windows.toml"
    path.write_text('[models."claude-*"]\nwindow = 200000\n')
    lantern = SAMPLES / "zero" / "lantern"
    for command in ("requests", "show"):
        found = document(command, lantern, "--prices", path)["pressure"]
        assert (found["window"], found["window_from"]) == (200_000, "price file")
        assert found["threshold"] == 160_000
        assert document(command, lantern)["pressure"]["window"] is None
    (audit,) = document("audit", lantern, "--prices", path)
    assert audit["usage"] == "5 % of 200.0k"
    code, _, err = run("requests", lantern, "--prices", tmp_path / "none.toml")
    assert (code, err.count("\n")) == (2, 1)


def test_the_text_has_a_line_for_each_and_the_sums(six: Path) -> None:
    code, out, _ = run("requests", six)
    lines = out.splitlines()
    assert (code, len(lines)) == (0, 11)
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


def test_what_was_made_aside_is_told_and_in_no_sum_of_the_lines() -> None:
    found = document("requests", ASIDE)
    assert (len(found["requests"]), found["totals"]["requests"]) == (2, 2)
    (aside,) = found["aside"]["requests"]
    spent = document("show", ASIDE)["usage"]["own"]
    for key in ("input", "cache_read", "cache_write", "output"):
        assert found["aside"][key] == aside[key]
        assert found["totals"][key] + found["aside"][key] == spent[key]
    assert (spent["requests"], spent["aside"]) == (3, 1)
    assert "aside: 1 request of compactions or subagents, 85.6k sent" in run("requests", ASIDE).out


def test_what_a_request_is_made_of_is_told_by_kind() -> None:
    found = document("requests", ASIDE)
    for request in found["requests"]:
        rows = sum(share["rows"] for share in request["composition"] if share["kind"] != "preamble")
        assert rows == request["rows"]
    shown = document("show", ASIDE)
    kinds = {share["kind"]: share["rows"] for share in found["composition"]}
    assert sum(kinds.values()) == len(shown["surface"]) + len(shown["preamble"])
    assert "made of, by estimate: preamble" in run("requests", ASIDE).out


def test_a_miss_that_nothing_on_the_tape_explains_is_not_called_a_rewrite() -> None:
    found = document("requests", SAMPLES / "zero" / "lantern")["requests"]
    missed = [request for request in found if request["miss"]]
    assert [request["broken_at"] for request in missed] == [None, None]
    assert {request["miss"]["cause"] for request in missed} == {"unknown"}
    out = run("requests", SAMPLES / "zero" / "lantern").out
    assert "MISS 5,250: not told by the tape, after 2 min" in out


@pytest.mark.parametrize("figure", [-5, "12", 1.5, 1 << 63, 1e30])
def test_a_figure_that_cannot_be_read_is_no_zero(figure: Any, tmp_path: Path) -> None:
    log = Log()
    log.user("please")
    log.assistant(text_block("well"), usage={"inputTokens": figure, "outputTokens": 100})
    path = tmp_path / "tape.jsonl"
    path.write_bytes(bytes(log))
    found = document("requests", path)
    assert found["totals"]["unreadable"] == 1
    assert found["requests"][0]["unreadable"] == [
        f"inputTokens {json.dumps(figure)} is no number of tokens"
    ]
    row, *_, sums = run("requests", path).out.splitlines()[1:]
    assert row.split()[3:6] == ["-", "-", "0.1k"]
    assert "not readable: inputTokens" in row
    assert sums.endswith("figures of 1 request cannot be read")
    assert "unreadable-usage" in run("check", path).out


# Cost.


def test_what_was_made_aside_costs_as_much(prices: Path) -> None:
    prices.write_text('[models."*"]\nmiss = 1\noutput = 0\n')
    found = document("cost", ASIDE, "--prices", prices)
    usage = document("show", ASIDE)["usage"]["own"]
    sent = usage["input"] + usage["cache_read"] + usage["cache_write"]
    assert Decimal(found["actual"]) == Decimal(sent) / 1_000_000
    aside = document("requests", ASIDE)["aside"]["requests"][0]["context_tokens"]
    assert Decimal(found["aside"]["actual"]) == Decimal(aside) / 1_000_000
    assert (found["priced"], found["aside"]["requests"], found["aside"]["priced"]) == (3, 1, 1)
    assert "of that aside" in run("cost", ASIDE, "--prices", prices).out


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


@pytest.mark.parametrize("name", ["/dev/zero", "pipe"])
def test_only_a_regular_file_is_a_price_file(name: str, six: Path, tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    code, out, err = run("cost", six, "--prices", tmp_path / name)
    assert (code, out) == (2, "")
    assert err.endswith(f"{name}: is not a regular file\n")


def test_no_prefix_is_looked_for_where_only_money_is_asked(
    six: Path, prices: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def never(*_: Any) -> None:
        raise AssertionError("a prefix was looked for")

    monkeypatch.setattr(ledgers, "prefix", never)
    assert run("cost", six, "--prices", prices).code == 0


def test_a_price_file_has_to_be_named_and_to_be_there(six: Path, tmp_path: Path) -> None:
    for words in ((), ("--prices", tmp_path / "none"), ("--prices", tmp_path)):
        code, out, err = run("cost", six, *words)
        assert (code, out) == (2, "")
        assert err.count("\n") == 1
