"""The words of a text that tell it from others, and whether another text has them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.lenses.telltale import compare


@pytest.mark.parametrize(
    ("text", "other", "found", "missing"),
    [
        ("add retry to the client", "The client has a retry now", ["retry", "client"], []),
        ("what should they have with these", "what should they have with these", [], []),
        (
            "retry the clients, testing",
            "retries of a client, test",
            ["retry", "clients", "testing"],
            [],
        ),
        ("port of the import", "portal, important, imports", ["import"], ["port"]),
        ("login", "logic", [], ["login"]),
        ("the client.py of the client", "nothing but client.py", ["client"], []),
        ("`client.py` and RETRY_LIMIT=3", "client.py", [], []),
        ("bitte den Fehler beheben", "Fehlern im Login", ["fehler"], ["beheben"]),
        ("почини клиента сети", "сломан клиент", ["клиента"], ["почини", "сети"]),
        ("café Zürich", "cafe\u0301 in Zu\u0308rich", ["café", "zürich"], []),
        ("请重试客户端", "客户已经可以重试了", ["重试", "客户"], []),
        ("删除缓存目录", "缓存已清空", ["缓存"], ["删除", "目录"]),
        ("のテストを修正", "テストの修正", ["テスト", "修正"], []),
        ("클라이언트를 고쳐줘", "클라이언트는 그대로", ["클라이언트를"], ["고쳐줘"]),
        ("แก้ไขไคลเอนต์", "ไคลเอนต์ใหม่", ["ไคลเอนต์"], ["แก้ไข"]),
        ("हिन्दी शब्द", "हिन्दी", ["हिन्दी"], ["शब्द"]),
        ("🙂 … — !!", "🙂", [], []),
        ("", "", [], []),
    ],
)
def test_words_in_any_script(text: str, other: str, found: list[str], missing: list[str]) -> None:
    told = compare(text, other)
    assert (list(told.found), list(told.missing)) == (found, missing)


@given(st.text(max_size=120), st.text(max_size=120))
@settings(max_examples=50, deadline=None)
def test_a_text_tells_all_of_itself_and_no_word_is_both(text: str, other: str) -> None:
    assert not compare(text, text).missing
    told = compare(text, other)
    assert not set(told.found) & set(told.missing)


def test_a_long_text_is_looked_through_up_to_a_limit() -> None:
    words = " ".join(
        f"w{'abcdefghij'[at % 10]}{'klmnopqrst'[at // 10 % 10]}{'uv'[at // 100 % 2]}xyz"
        for at in range(2_000)
    )
    told = compare(f"{words} {'漢字' * 50_000}", "nothing")
    assert len(told.found) + len(told.missing) <= 300
