"""Redaction takes steps in proportion to a text, whatever that holds."""

import re

import pytest

from inspector.text import secret_json, secret_names, secret_shapes
from inspector.text.redaction import RULES
from tests.text.stepping import Stepped, Steps, counted, stepped
from tests.text.test_redaction import KEY, MODULES

# All guards of rules are passed.
BEHIND = " @ :// </ value login PRIVATE KEY earer -u -p -- : ? ="


@pytest.mark.parametrize(
    "piece",
    [
        "a='1',", 'password="${', "password=$", '"password": ["', 'cookie: a="', "-u a:",
        '"--token","', "<password>", KEY, "mysql -pa ",
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
    monkeypatch.setattr(secret_json, "redacted", lambda text: text)
    taken = []
    for size in (400, 800):
        steps.count = 0
        secret_json.redacted_json("[" + (piece * size)[:size])
        taken.append(steps.count)
    assert taken[1] < 2.3 * taken[0] < 2.3 * 20 * 400


def test_steps_by_the_square_are_noticed() -> None:
    taken = []
    for size in (250, 500):
        steps = Steps()
        assert Stepped(re.compile("[a-z]+="), steps).search("a" * size) is None
        taken.append(steps.count)
    assert taken[1] > 3.9 * taken[0]
