"""Which literals a text has, and which of them another one tells."""

import pytest

from inspector.lenses.literals import Literal, LiteralClass, Told, literals

ERROR, URL, PATH = LiteralClass.ERROR, LiteralClass.URL, LiteralClass.PATH
QUOTED, IDENTIFIER, NUMBER = LiteralClass.QUOTED, LiteralClass.IDENTIFIER, LiteralClass.NUMBER


def found(text: str) -> list[tuple[str, LiteralClass]]:
    return [(literal.text, literal.kind) for literal in literals(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("look at ./src/client.py:12 first", [("./src/client.py:12", PATH)]),
        ("never touch vendor/ please", [("vendor/", PATH)]),
        ("in C:\\Users\\x\\a.txt", [("C:\\Users\\x\\a.txt", PATH)]),
        ("设置 配置/主程序.py 不可改", [("配置/主程序.py", PATH)]),
        ("see https://x.org/a_b?c=1.", [("https://x.org/a_b?c=1", URL)]),
        ("ValueError: bad key; go on", [("ValueError: bad key", ERROR)]),
        ("it ended with exit code 2", [("exit code 2", ERROR)]),
        ("npm ERR! code ERESOLVE", [("ERESOLVE", ERROR)]),
        ('she said "use a fake clock"', [("use a fake clock", QUOTED)]),
        ("「保持原样」と言った", [("保持原样", QUOTED)]),
        ("run `tox -e py311` now", [("tox -e py311", QUOTED)]),
        ("set retryCount in user_name", [("retryCount", IDENTIFIER), ("user_name", IDENTIFIER)]),
        ("commit 9f2c71aa", [("9f2c71aa", IDENTIFIER)]),
        ("port 8080, 81%", [("8080", NUMBER), ("81%", NUMBER)]),
        ("on 2026-11-30 14:05:31", [("2026-11-30 14:05:31", NUMBER)]),
        ("either/or, and/or, it's, don't, e.g. self.now is 5", []),
        ("exit code: 0", []),
        ("ERROR at setup of EVENTS, in_progress", []),
        ("", []),
    ],
)
def test_what_is_quoted_and_not_paraphrased(
    text: str, expected: list[tuple[str, LiteralClass]]
) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    ("literal", "kind", "text", "told"),
    [
        ("src/client.py:12", PATH, "The bug is in client.py.", True),
        ("src/client.py", PATH, "The bug is in the client.", False),
        ("a\\b\\c.txt", PATH, "see a/b/c.txt", True),
        ("15", NUMBER, "1500 runs", False),
        ("1,204", NUMBER, "of 1204 events", True),
        ("retryCount", IDENTIFIER, "set `retryCount`", True),
        ("retryCount", IDENTIFIER, "retryCounter is another", False),
        ("Use a  fake clock", QUOTED, "they asked to use a fake\nclock", True),
        ("ValueError: bad key", ERROR, "a ValueError came up", True),
        ("保持原样", QUOTED, "要求保持原样的", True),
    ],
)
def test_a_literal_is_told_as_a_whole(
    literal: str, kind: LiteralClass, text: str, told: bool
) -> None:
    assert Told(text).has(Literal(literal, kind, 0)) is told


def test_a_hostile_text_is_looked_through_in_time_that_follows_its_length() -> None:
    for piece in ("a/", "a.", "-", "a_", "1,", "`", "'a", "::a", "://", "Ab", "\\", "(("):
        text = piece * 100_000
        assert sum(len(literal.text) for literal in literals(text)) <= len(text)
