"""Values of JSON are shown without the secrets in them, and keep their shape."""

from typing import Any

import pytest

from inspector.text.masking import masked

CASES: list[tuple[Any, Any]] = [
    (None, None),
    (True, True),
    (7, 7),
    ("plain", "plain"),
    ("password=hunter2xyz", "password=[REDACTED]"),
    ({"password": "hunter2xyz", "n": 1}, {"password": "[REDACTED]", "n": 1}),
    ([{"token": {"value": "x"}}, ["--token", "hunter2xyz"]], None),
    ({"a": ["curl --token hunter2xyz"]}, {"a": ["curl --token [REDACTED]"]}),
]


@pytest.mark.parametrize(("value", "wanted"), CASES)
def test_secrets_are_masked_and_the_shape_stays(value: Any, wanted: Any) -> None:
    found = masked(value)
    assert "hunter2xyz" not in str(found)
    if wanted is not None:
        assert found == wanted


def test_deep_and_large_values_are_masked_too() -> None:
    deep: Any = "password=hunter2xyz"
    for _ in range(200):
        deep = [deep]
    assert "hunter2xyz" not in str(masked(deep))
    assert masked({"n": 10**30}) == {"n": 10**30}
