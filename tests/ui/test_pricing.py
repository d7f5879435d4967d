"""Where the user's price file is looked for, and what is said of one that cannot be used."""

import os
from pathlib import Path

import pytest

from inspector.lenses.prices import Prices
from inspector.ui import pricing
from inspector.ui.pricing import user_prices

GOOD = '[models."m"]\nmiss = 1\noutput = 2\n'


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.delenv("XDG_CONFIG_HOME", raising=False)
    monkeypatch.delenv("INSPECTOR_PRICES")
    monkeypatch.setattr(pricing.sys, "platform", "linux")
    return tmp_path


def put(path: Path, text: str = GOOD) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def test_without_a_file_there_are_none(home: Path) -> None:
    assert user_prices() is None
    assert list(home.iterdir()) == []


def test_the_usual_file_is_in_the_config_folder(home: Path) -> None:
    put(home / ".config" / "inspector" / "prices.toml")
    found = user_prices()
    assert isinstance(found, Prices)
    assert list(found.models) == ["m"]


def test_the_config_folder_may_be_another_one(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(home / "other"))
    put(home / "other" / "inspector" / "prices.toml")
    assert isinstance(user_prices(), Prices)
    # One that is not absolute counts for nothing.
    monkeypatch.setenv("XDG_CONFIG_HOME", "other")
    assert user_prices() is None


def test_on_macos_it_is_where_programs_keep_things_there(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pricing.sys, "platform", "darwin")
    put(home / "Library" / "Application Support" / "inspector" / "prices.toml")
    assert isinstance(user_prices(), Prices)


def test_the_variable_names_another_file_or_none(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(home / ".config" / "inspector" / "prices.toml", "broken")
    put(home / "mine.toml")
    monkeypatch.setenv("INSPECTOR_PRICES", "~/mine.toml")
    assert isinstance(user_prices(), Prices)
    monkeypatch.setenv("INSPECTOR_PRICES", "")
    assert user_prices() is None


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        ("a.toml", "broken", "not TOML"),
        ("a.toml", "", "no prices"),
        ("a.toml", '[models."m"]\nmiss = -1\noutput = 2\n', "no amount"),
        ("", "", "director"),
        ("none.toml", None, "does not exist"),
        ("a\x00b", None, "not a path"),
        ("a.toml", '[models."m"]\nmiss = 1e999999\noutput = 2\n', "too large"),
        ("a.toml", GOOD + "#" * (1 << 20), "larger than 1 MiB"),
    ],
)
def test_what_cannot_be_used_is_one_sentence(
    name: str, text: str | None, words: str, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if text is not None and name:
        put(home / name, text)
    monkeypatch.setattr(
        pricing.os, "environ", {"HOME": str(home), "INSPECTOR_PRICES": f"{home}/{name}"}
    )
    found = user_prices()
    assert isinstance(found, str)
    assert words in found
    assert "\n" not in found


def test_a_pipe_is_refused_at_once(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pipe = home / "pipe"
    os.mkfifo(pipe)
    monkeypatch.setenv("INSPECTOR_PRICES", str(pipe))
    assert user_prices() == f"{pipe}: is not a regular file"
    monkeypatch.setenv("INSPECTOR_PRICES", "/dev/zero")
    assert user_prices() == "/dev/zero: is not a regular file"
