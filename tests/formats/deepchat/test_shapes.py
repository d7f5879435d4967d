"""What messages weigh, told without making them, is what those that are made weigh."""

from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.formats.deepchat.context.messages import BuildBreaks
from inspector.formats.deepchat.context.records import ERROR, Record
from inspector.formats.deepchat.effects.shapes import careful_weight_of, shape_of, weight_of
from inspector.timeline.words import Kind
from tests.formats.deepchat.databases import written

_TEXTS = st.sampled_from(["", " ", "a", "\ufeff", "ä b", "\u00a0x", "word " * 9])
_ODD = st.sampled_from([None, 1, "x", [], {}])
_CALLS = st.fixed_dictionaries(
    {},
    optional={
        "id": st.sampled_from(["c", "", 1]),
        "name": st.sampled_from(["read", "", None]),
        "params": st.sampled_from(["", "{}", '{"path":"ä"}', 7]),
        "response": st.sampled_from(["", "done", "ä" * 5, None]),
    },
)
_BLOCKS = st.fixed_dictionaries(
    {"type": st.sampled_from(["content", "reasoning_content", "tool_call", "error", "image", 3])},
    optional={"content": _TEXTS | _ODD, "tool_call": _CALLS | _ODD},
)
_CONTENTS = st.one_of(
    st.lists(_BLOCKS, max_size=5),
    st.lists(_BLOCKS | _ODD, max_size=3),
    st.fixed_dictionaries(
        {"text": _TEXTS | _ODD},
        optional={"inlineItems": st.just([{"type": "file", "fileName": "f", "offset": 0}]) | _ODD},
    ),
    _ODD,
)


def record(content: str, role: str, status: str = "sent") -> Record:
    return Record("a", 1.0, role, status, content, "{}")


@settings(max_examples=50, deadline=None)
@given(_CONTENTS, st.sampled_from(["user", "assistant"]), st.sampled_from(["sent", ERROR]))
def test_the_quick_weight_is_the_careful_one(content: Any, role: str, status: str) -> None:
    found = record(written(content), role, status)
    quick = weight_of(found)
    try:
        careful = careful_weight_of(found)
    except BuildBreaks:
        assert quick is None
        return
    assert quick in (None, careful)


def test_usual_messages_have_a_quick_weight() -> None:
    call = {"id": "c", "name": "read", "params": "{}", "response": "done"}
    blocks = [{"type": "content", "content": "I look"}, {"type": "tool_call", "tool_call": call}]
    assert weight_of(record(written({"text": "hello"}), "user")) == (Kind.MESSAGE, 2, False)
    assert weight_of(record(written(blocks), "assistant")) == (Kind.MESSAGE, 2 + 1 + 1 + 1, False)
    assert weight_of(record(written(blocks[1:]), "assistant")) == (Kind.TOOL_CALL, 3, False)
    thought = [{"type": "reasoning_content", "content": "so"}]
    assert weight_of(record(written(thought), "assistant")) == (Kind.REASONING, 1, False)
    assert weight_of(record("[]", "assistant")) == (Kind.MESSAGE, 0, True)


def test_what_cannot_be_sent_breaks_the_build() -> None:
    shape = shape_of(record("[null]", "assistant"), {})
    assert (shape.kind, shape.silent) == (Kind.OPAQUE, False)
    assert shape.breaks is not None
    assert shape.breaks.word == "TypeError"
