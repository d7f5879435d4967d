"""Secrets in JSON are found whatever their escapes, and nothing beyond their string is hidden."""

import json

import pytest

from inspector.text.redaction import MARK, redacted
from inspector.text.secret_json import redacted_json


@pytest.mark.parametrize(
    ("said", "hidden"),
    [
        ('password="a b c d"', 'password="@"'),
        ('password="multi\nline zz2"', 'password="@"'),
        ("PASSWORD\t=\tsecretx", "PASSWORD\t=\t@"),
        ("token=abc", "token=@"),
        ("cookie: a=b; c=d", "cookie: @"),
        ("secret = None", "secret = None"),
        ("Authorization: required for admin users, see docs", None),
        (["curl", "-u", "admin:hunter2x", "--token", "hunter2x", "x"],
         ["curl", "-u", "admin:@", "--token", "@", "x"]),
        ([{"name": "API_KEY", "value": "x"}, {"name": "A", "value": "x"}],
         [{"name": "API_KEY", "value": "@"}, {"name": "A", "value": "x"}]),
        ({"password": ["a", "b"], "n": ["a", 1]}, {"password": ["@", "@"], "n": ["a", 1]}),
        ({"password": 12, "token": None, "n": 12}, {"password": "@", "token": None, "n": 12}),
        ({"apiKey": "", "secret": "${X}"}, {"apiKey": "", "secret": "${X}"}),
        (json.dumps({"password": "a\"b", "n": "password='x y'"}),
         json.dumps({"password": "@", "n": "password='@'"})),
        ({"token=abc": 1}, {"token=@": 1}),
        ("[note] password: hunter2", "[note] password: @"),
    ],
)  # fmt: skip
def test_what_is_hidden_is_hidden_in_its_string(said: object, hidden: object) -> None:
    text = json.dumps({"content": said, "role": "user"}, ensure_ascii=True)
    shown = json.loads(redacted_json(text))
    expected = json.dumps({"content": said if hidden is None else hidden, "role": "user"})
    assert shown == json.loads(expected.replace("@", MARK))


def test_what_holds_no_secret_stays_to_the_byte() -> None:
    said = '{"a" :  1.50, "\\u0061":"\\u003c", "a": [true ,null]}'
    assert redacted_json(said) == said


def test_names_behind_escapes_are_names() -> None:
    assert redacted_json('{"\\u0070assword":"x"}') == f'{{"\\u0070assword":"{MARK}"}}'


@pytest.mark.parametrize("said", ["password: hunter2", '[a] password: "x y"', '{"password":"x', ""])
def test_what_is_no_json_is_a_plain_text(said: str) -> None:
    assert redacted_json(said) == redacted(said)


def test_values_in_any_depth_are_read() -> None:
    said = "[" * 20_000 + r'"password=\"a b\""' + "]" * 20_000
    assert redacted_json(said).strip("[]") == rf'"password=\"{MARK}\""'.strip("[]")


def test_texts_in_texts_end() -> None:
    said = '{"password":"a b"}'
    for _ in range(6):
        said = json.dumps([said])
    assert "a b" not in redacted_json(said)
