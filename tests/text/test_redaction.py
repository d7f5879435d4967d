"""Secrets are hidden wherever they stand, and nothing else is; no text takes long."""

import json
import re
import re._parser as parser  # type: ignore[import-not-found] # no other tells of an expression
from collections.abc import Iterator
from typing import Any

import pytest

from inspector.text import redaction
from inspector.text.redaction import MARK, RULES, redacted
from inspector.text.secret_names import all_names, plain_names

KEY = "-----BEGIN RSA PRIVATE KEY-----"
BASE = "MIIEpAIBAAKCAQEA7Zk0" * 3


@pytest.mark.parametrize(
    ("said", "hidden"),
    [
        # Names, however their words are divided.
        ('{"accessToken":"a1","clientSecret":"a2"}', '{"accessToken":"@","clientSecret":"@"}'),
        ("refreshToken=abc PGPASSWORD=x1", "refreshToken=@ PGPASSWORD=@"),
        ("awsSecretAccessKey: abc123", "awsSecretAccessKey: @"),
        ("CLIENTSECRET=abc", "CLIENTSECRET=@"),
        # Values of every shape.
        ('{"password": 12345, "secret": null}', '{"password": "@", "secret": "@"}'),
        ("{'password': 'a b', 'n': 1}", "{'password': '@', 'n': 1}"),
        ("'api_key' => 'abc',", "'api_key' => '@',"),
        ("password: hunter2", "password: @"),
        ("password: correcthorse please", "password: @ please"),
        ('DB_PASSWORD="a b c" next', 'DB_PASSWORD="@" next'),
        # JSON in strings of JSON.
        (r'{"a":"{\"password\":\"x\",\"n\":1}"}', r'{"a":"{\"password\":\"@\",\"n\":1}"}'),
        (r"\"client_secret\": 12", r"\"client_secret\": \"@\""),
        (r"\\\"token\\\":\\\"x\\\"", r"\\\"token\\\":\\\"@\\\""),
        # Headers and addresses.
        ("Authorization: Bearer abc.def", "Authorization: Bearer @"),
        ("-H 'Authorization: Bearer abc' https://x", "-H 'Authorization: Bearer @' https://x"),
        ('Authorization: Digest a="b", c="d"', "Authorization: @"),
        ("authorization: Custom stuff here", "authorization: @"),
        ("Set-Cookie: a=b; c=d\nnext", "Set-Cookie: @\nnext"),
        ("Bearer abcdef", "Bearer @"),
        ("bearer abc123def", "bearer @"),
        ("postgres://user:pass@db/x", "postgres://user:@@db/x"),
        ("redis://:pw@host", "redis://:@@host"),
        ("https://h/p?token=abc&x=1&accessToken=b", "https://h/p?token=@&x=1&accessToken=@"),
        # Commands.
        ("mysql --password hunter2 --host h", "mysql --password @ --host h"),
        ("curl -u bob:secret https://x", "curl -u bob:@ https://x"),
        # Keys.
        (f"{KEY}\nabc\n-----END RSA PRIVATE KEY-----", "@"),
        (f"{KEY}\n{BASE}\n{BASE}", "@"),
        (rf"{KEY}\n{BASE}\n{BASE} and on", "@ and on"),
        # Tokens of other makers.
        ("sk_live_0123456789abcdefXYZ", "@"),
        ("npm_" + "a1" * 18, "@"),
        ("hf_" + "aB" * 17, "@"),
        ("gsk_" + "a1" * 20, "@"),
        ("123456789:AA" + "x" * 33, "@"),
        ("https://hooks.slack.com/services/T000/B000/abcdefghijk", "https://@"),
    ],
)  # fmt: skip
def test_a_secret_is_hidden(said: str, hidden: str) -> None:
    assert redacted(said) == hidden.replace("@", MARK, 1 if "@@" in hidden else -1)


@pytest.mark.parametrize(
    "said",
    [
        "my password is hunter2",
        "The password: it must be long. The token: a unit of text.",
        "prompt_tokens=12, max_tokens: 4096, token_count=9, primary_key: id",
        '{"tokens": 12, "totalTokens": 1960, "max_tokens": "7", "has_password": true}',
        "def log_in(password: str, token: Token = None) -> None:",
        "token = lexer.next_token()",
        'if token == "end": password = os.environ["DB"]',
        "const secret = process.env.SECRET; let api_key = config.key",
        "password: ${DB_PASSWORD}\ntoken: <your token>\nsecret=$SECRET",
        "commit 402d0b5dd660e1c9fdb3a and sha256:" + "9f86d081884c7d65" * 4,
        "550e8400-e29b-41d4-a716-446655440000",
        "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ",
        "sk-this-is-a-kebab-case-name-only",
        "Bearer tokens are sent; Bearer authentication",
        "docker run -u 1000:1000 x",
        "https://host/path:80@x and https://user@example.com/",
        "-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----",
        "a == b && c != d; x => y; http://localhost:8080/a?b=c",
        "",
    ],
)
def test_what_is_no_secret_stays(said: str) -> None:
    assert redacted(said) == said


def test_what_is_hidden_is_hidden_once() -> None:
    said = 'password: hunter2 token=abc "secret": 1 Authorization: Bearer abc.def https://a:b@c'
    once = redacted(said)
    assert redacted(once) == once


def test_json_stays_json() -> None:
    said = json.dumps({"password": 1, "a": {"token": None, "b": [True, {"apiKey": "x"}]}})
    assert json.loads(redacted(said)) == {
        "password": MARK,
        "a": {"token": MARK, "b": [True, {"apiKey": MARK}]},
    }


def test_the_owners_names_know_no_camel_case_and_ours_do() -> None:
    told = ("apiKey", "accessToken", "max_tokens", "x__API--key", "пароль_password")
    assert [plain_names(name) for name in told] == [True, False, False, True, True]
    assert [all_names(name) for name in told] == [True, True, False, True, True]
    assert not all_names("password" * 100)


# Work.

PIECES = (
    '"', "'", "\\", '\\"', "a.", "-", "=", " ", ":", "\n", "?", "&", "@", "://", "a", "eyJ",
    "eyJaaaaaaaaaa-", "password", "password:", 'password:"', "--p ", "-u a:", "sk-", KEY,
    "authorization", "authorization:", "Bearer ", "-----END ", "A",
)  # fmt: skip


def unbounded(parsed: Any, *, last: bool) -> Iterator[str]:
    """The repeats of an expression that have no bound, may be taken back, and have more behind."""
    for at, (code, held) in enumerate(parsed):
        ends = last and at == len(parsed) - 1
        word = str(code)
        if word in ("MAX_REPEAT", "MIN_REPEAT"):
            if held[1] is parser.MAXREPEAT and not ends:
                yield f"{held[2]} at {at}"
            yield from unbounded(held[2], last=ends and held[1] == 1)
        elif word == "POSSESSIVE_REPEAT":
            yield from unbounded(held[2], last=True)
        elif word == "BRANCH":
            for branch in held[1]:
                yield from unbounded(branch, last=ends)
        elif word == "SUBPATTERN":
            yield from unbounded(held[3], last=ends)


OURS = {name: held for name, held in vars(redaction).items() if isinstance(held, re.Pattern)}


@pytest.mark.parametrize("name", sorted(OURS))
def test_no_expression_takes_back_what_it_went_through_without_a_bound(name: str) -> None:
    assert list(unbounded(parser.parse(OURS[name].pattern), last=True)) == []


def test_an_expression_that_does_so_is_noticed() -> None:
    assert list(unbounded(parser.parse(r"a*b"), last=True))
    assert list(unbounded(parser.parse(r"(?:a*b)?"), last=True))
    assert not list(unbounded(parser.parse(r"a*+b*"), last=True))


@pytest.mark.parametrize("piece", PIECES)
def test_long_hostile_texts_come_to_an_end(piece: str) -> None:
    # Work by the square would take minutes.
    text = piece * (60_000 // len(piece))
    for rule in RULES:
        assert isinstance(rule(text), str)
