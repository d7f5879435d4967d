"""Whatever way a writer spells a text, the bytes of its record hold one of the spellings."""

import json

from hypothesis import given
from hypothesis import strategies as st

from inspector.text.spellings import spellings

texts = st.text(min_size=1, max_size=8)


@given(texts, st.booleans(), st.booleans(), st.booleans())
def test_a_record_of_any_writer_holds_a_spelling(
    text: str, ascii_only: bool, nested: bool, ascii_inside: bool
) -> None:
    value: object = {"said": f"<{text}>"}
    if nested:
        value = {"arguments": json.dumps(value, ensure_ascii=ascii_inside)}
    written = json.dumps(value, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    assert any(spelling in written for spelling in spellings(text))


def test_a_plain_text_has_one_spelling() -> None:
    assert spellings("client.py") == (b"client.py",)
