"""No head of a file is too odd to be looked at by every format."""

from typing import Any

import orjson
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.formats.contract import Format
from inspector.formats.registry import OWN

KEYS = [
    "type", "uuid", "parentUuid", "sessionId", "message", "payload", "id", "sequence", "createdAt",
    "timestamp", "kind", "version", "role", "seq", "data", "record_type", "cwd", "subtype", "items",
]  # fmt: skip
anything = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-3, 3)
    | st.floats(allow_nan=False)
    | st.text(max_size=3),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2)
    ),
    max_leaves=4,
)
records = st.dictionaries(st.sampled_from(KEYS), anything, max_size=6)


@pytest.mark.parametrize("format_", OWN, ids=lambda format_: format_.name)
@pytest.mark.parametrize("odd", [[], {}, ["user"], {"user": 1}, 1, None, True, 0.5, ""])
@pytest.mark.parametrize("key", KEYS)
def test_a_value_of_the_wrong_type_is_no_fault(format_: Format, key: str, odd: Any) -> None:
    sound = {"type": "user", "uuid": "u", "parentUuid": None, "sessionId": "s", "message": {}}
    for record in ({key: odd}, {**sound, key: odd}):
        format_.recognise(orjson.dumps(record) + b"\n")


@pytest.mark.parametrize("format_", OWN, ids=lambda format_: format_.name)
@settings(max_examples=50, deadline=None)
@given(st.lists(records, min_size=1, max_size=3))
def test_records_of_any_shape_are_looked_at(format_: Format, head: list[dict[str, Any]]) -> None:
    format_.recognise(b"\n".join(map(orjson.dumps, head)))
