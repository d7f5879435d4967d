"""DeepChat tapes for hypothesis: messages written again and retracted, and summaries between."""

from hypothesis import strategies as st

from tests.formats.deepchat.databases import Entry, anchor, event, message, retracted

IDS = ("a", "b", "ab", "ä", "long-name-1", "long-name-2", "")
ORDERS = (0, 1, 2, 2, 3, 4, 5, 2.5)

_messages = st.builds(
    lambda identity, order, status, role, said: message(
        identity, order, said, role=role, status=status
    ),
    st.sampled_from(IDS),
    st.sampled_from(ORDERS),
    st.sampled_from(("sent", "sent", "error", "pending", "odd")),
    st.sampled_from(("user", "assistant")),
    st.sampled_from(("one", "two", "")),
)
_anchors = st.builds(
    lambda name, cursor, summary: anchor(name, cursorOrderSeq=cursor, summary=summary),
    st.sampled_from(("compaction/manual", "summary/reset", "HANDOFF/x", "custom/y")),
    st.sampled_from((1, 2, 3.9, 99)),
    st.sampled_from(("so far", " ", "")),
)
_entries = st.one_of(
    _messages,
    _messages,
    _messages,
    _anchors,
    st.builds(retracted, st.sampled_from(IDS[:-1])),
    st.just(event("view/unknown")),
)


def logs(most: int = 24, least: int = 1) -> st.SearchStrategy[list[Entry]]:
    """The rows of a session; every number of them alike."""
    return st.integers(least, most).flatmap(
        lambda size: st.lists(_entries, min_size=size, max_size=size)
    )
