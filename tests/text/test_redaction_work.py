"""Redaction takes steps in proportion to a text, whatever that holds."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from inspector.text import redaction, secret_json, secret_names, secret_shapes
from inspector.text.redaction import RULES, redacted
from tests.text.stepping import Stepped, Steps, counted, stepped
from tests.text.test_redaction import KEY, MODULES

# All guards of rules are passed.
BEHIND = (
    " @ :// </ value login PRIVATE KEY earer -u -p -- : ? = | , cookie api key requirepass <<< "
    "login( var (def phrase lt;/ content= asic "
)


@pytest.mark.parametrize(
    "piece",
    [
        "a='1',", 'password="${', "password=$", '"password": ["', 'cookie: a="', "-u a:",
        '"--token","', "<password>", KEY, "mysql -pa ",
        "password is ", 'login("a", "', "&quot;pass", "a.pass", "token ", "set -x KEY ", "echo a",
        ".key('", "password: (", "eyJ-", "pass for a", "<key>a",
    ],
)  # fmt: skip
def test_the_steps_are_in_proportion_to_the_text(
    piece: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = stepped(monkeypatch, (*MODULES, secret_names, secret_shapes))
    taken = []
    for size in (250, 500):
        steps.count = 0
        for rule in RULES:
            rule(counted((piece * size)[:size] + BEHIND, steps))
        taken.append(steps.count)
    assert taken[1] < 2.3 * taken[0] < 2.3 * 1_000 * 250


@pytest.mark.parametrize("piece", ['"', '"\\', '"a":', "[", '{"password":', '"-a",', "1 ", '"[",'])
def test_the_steps_are_in_proportion_to_json(piece: str, monkeypatch: pytest.MonkeyPatch) -> None:
    steps = stepped(monkeypatch, (secret_json,))
    monkeypatch.setattr(secret_json, "redacted_plain", lambda text: text)
    taken = []
    for size in (400, 800):
        steps.count = 0
        secret_json.redacted_json("[" + (piece * size)[:size])
        taken.append(steps.count)
    assert taken[1] < 2.3 * taken[0] < 2.3 * 20 * 400


class Called:
    """An expression that counts how often it is asked, and each match that it gives."""

    def __init__(self, pattern: re.Pattern[str], steps: Steps) -> None:
        self._pattern, self._steps = pattern, steps

    def match(self, *given: Any) -> re.Match[str] | None:
        self._steps.count += 1
        return self._pattern.match(*given)

    def fullmatch(self, *given: Any) -> re.Match[str] | None:
        self._steps.count += 1
        return self._pattern.fullmatch(*given)

    def search(self, *given: Any) -> re.Match[str] | None:
        self._steps.count += 1
        return self._pattern.search(*given)

    def findall(self, *given: Any) -> list[str]:
        found = self._pattern.findall(*given)
        self._steps.count += len(found) + 1
        return found

    def finditer(self, *given: Any) -> Iterator[re.Match[str]]:
        for found in self._pattern.finditer(*given):
            self._steps.count += 1
            yield found

    def sub(self, told: Any, text: str) -> str:
        hidden, count = self._pattern.subn(told, text)
        self._steps.count += count + 1
        return hidden


@pytest.mark.parametrize(
    "piece",
    [
        "a='1',", '{"', "-u a:", '"-p","x",', "<password>", KEY, "password%3D", "the password is ",
        "\\ntoken",
    ],
)  # fmt: skip
def test_a_million_characters_take_a_few_calls_each(
    piece: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = Steps()
    for module in (*MODULES, secret_names, secret_shapes):
        for name, held in list(vars(module).items()):
            if isinstance(held, re.Pattern):
                monkeypatch.setattr(module, name, Called(held, steps))
            elif isinstance(held, dict) and all(isinstance(v, re.Pattern) for v in held.values()):
                called = {key: Called(one, steps) for key, one in held.items()}
                monkeypatch.setattr(module, name, called)
    monkeypatch.setattr(redaction, "_TIMES", 1)
    text = (piece * 1_000_000)[:1_000_000]
    assert isinstance(redacted(text), str)
    assert steps.count < 5 * len(text)


def test_steps_by_the_square_are_noticed() -> None:
    taken = []
    for size in (250, 500):
        steps = Steps()
        assert Stepped(re.compile("[a-z]+="), steps).search("a" * size) is None
        taken.append(steps.count)
    assert taken[1] > 3.9 * taken[0]
