"""Which literals a text has, and which of them another one tells."""

import pytest

from inspector.lenses.literals import Literal, LiteralClass, errors_of, is_whole, literals
from inspector.lenses.told import Told

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
        ("status: 200 and status 404", [("200", NUMBER), ("status 404", ERROR)]),
        (
            "localhost:3000/api or 127.0.0.1:5432",
            [("localhost:3000/api", URL), ("127.0.0.1:5432", URL)],
        ),
        ("git@example.org:team/app.git", [("git@example.org:team/app.git", URL)]),
        ("0x7fff5fbf, #1234", [("0x7fff5fbf", IDENTIFIER), ("#1234", IDENTIFIER)]),
        ("ask ann.lee@example.org", [("ann.lee@example.org", IDENTIFIER)]),
        (
            "the Makefile, .env and .gitignore",
            [("Makefile", PATH), (".env", PATH), (".gitignore", PATH)],
        ),
        ("パスは/home/太郎/作業.md です", [("/home/太郎/作業.md", PATH)]),
        ("打开/etc/hosts看", [("/etc/hosts看", PATH)]),
        (
            "『二重』 ‘one’ «deux» „drei“ »vier« ‹five›",
            [
                ("二重", QUOTED),
                ("one", QUOTED),
                ("deux", QUOTED),
                ("drei", QUOTED),
                ("vier", QUOTED),
                ("five", QUOTED),
            ],
        ),
        ("SIGSEGV: permission denied", [("SIGSEGV", ERROR), ("permission denied", ERROR)]),
        ("panic: index out of range [5]", [("panic: index out of range [5]", ERROR)]),
        ("FATAL: password refused", [("FATAL: password refused", ERROR)]),
        ("Fehler: Datei nicht gefunden", [("Fehler: Datei nicht gefunden", ERROR)]),
        ("Erreur : fichier introuvable ici", [("Erreur : fichier introuvable ici", ERROR)]),
        ("エラー: 接続できません", [("エラー: 接続できません", ERROR)]),
        ("错误：连接超时。别的", [("错误：连接超时", ERROR)]),
        ("Ошибка: нет связи", [("Ошибка: нет связи", ERROR)]),
        ("no error: str | None = None", []),
        ("except ValueError: raise", [("ValueError", IDENTIFIER)]),
        ("EXACTLY EVERY EMPLOYEE of EUROPE EQUALS", []),
        ("</compacted-summary> </div> <environment_context>", []),
        ("at 12:30:45, ratio 3:40, yes/no/maybe, 24/7, v1.2/v1.3", []),
        ("12. item\n  58\tcode", []),
        ('{"retries": "x"}', []),
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
        ("src/net/client.py:88", PATH, "other/client.py", False),
        ("src/net/client.py:88", PATH, "/home/x/src/net/client.py", True),
        ("/etc/passwd", PATH, "the passwd was rotated", False),
        ("vendor/", PATH, "the vendor is slow", False),
        ("vendor/", PATH, "the vendor directory", True),
        ("1500", NUMBER, "1,500 rows", True),
        ("1 500", NUMBER, "1500 Zeilen", True),
        ("1500ms", NUMBER, "1500 ms", True),
        ("1500 ms", NUMBER, "1.5 s", True),
        ("15 %", NUMBER, "15 tests", False),
        ("2.1", NUMBER, "version 2.10", False),
        ("exit code 1", ERROR, "it ended with exit status 1", True),
        ("exit code 1", ERROR, "exit code 10", False),
        ("FATAL: password refused", ERROR, "a fatal end", False),
        ("FATAL: password refused", ERROR, "the password refused again", True),
        ("cafe\u0301_bar.py", PATH, "caf\u00e9_bar.py", True),
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


def test_of_a_text_that_is_too_long_the_head_and_the_tail_are_looked_through() -> None:
    text = "KeyError: first\n" + "row of words\n" * 30_000 + "TypeError: last"
    assert [literal.text for literal in literals(text)] == ["KeyError: first", "TypeError: last"]
    assert all(text.startswith(literal.text, literal.at) for literal in literals(text))
    assert not is_whole(text)


def test_the_errors_of_a_text_are_those_among_its_literals() -> None:
    text = (
        "src/a.py KeyError: first\nKeyError: first\nexit code 3 in src/b.py\nError: no such thing"
    )
    among = [one for one in literals(text) if one.kind is ERROR]
    assert list(dict.fromkeys(one.text for one in errors_of(text))) == list(
        dict.fromkeys(one.text for one in among)
    )
    assert all(text.startswith(one.text, one.at) for one in errors_of(text))
