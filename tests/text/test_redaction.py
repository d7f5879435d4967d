"""Secrets are hidden wherever they stand, and nothing else is; no text takes long."""

import json
import re
import re._parser as parser  # type: ignore[import-not-found] # no other tells of an expression
from collections.abc import Iterator
from typing import Any

import pytest

from inspector.text import (
    secret_addresses,
    secret_commands,
    secret_json,
    secret_keys,
    secret_members,
    secret_names,
    secret_prose,
    secret_rules,
    secret_spelled,
    secret_tokens,
    secret_values,
)
from inspector.text.redaction import MARK, RULES, redacted
from inspector.text.secret_names import all_names, plain_names

KEY = "-----BEGIN RSA PRIVATE KEY-----"
PGP = "-----BEGIN PGP PRIVATE KEY BLOCK-----"
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
        ('{"password": 12345, "n": 1}', '{"password": "@", "n": 1}'),
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
        ("{'Authorization': 'Basic dXNlcg'}", "{'Authorization': '@'}"),
        ('("set-cookie": ["a=b", "c=d"])', '("set-cookie": ["@", "@"])'),
        ('{ Authorization: "Bearer abc" }', '{ Authorization: "@" }'),
        ("https://h/p?x=1&sig=abc", "https://h/p?x=1&sig=@"),
        # Commands.
        ("mysql --password hunter2 --host h", "mysql --password @ --host h"),
        ("curl -u bob:secret https://x", "curl -u bob:@ https://x"),
        ('["curl","-u","admin:hunter2x","--token","hunter2x"]',
         '["curl","-u","admin:@","--token","@"]'),
        (r'[\"--password\", \"x1\"]', r'[\"--password\", \"@\"]'),
        ("--password 'a b' --host h", "--password '@' --host h"),
        ("mysql -u root -phunter2 db", "mysql -u root -p@ db"),
        ("sshpass -p 'hunter2' ssh a", "sshpass -p '@' ssh a"),
        ("docker login -u a -p hunter2", "docker login -u a -p @"),
        ("machine h login a password hunter2", "machine h login a password @"),
        # Other values behind the first equals sign of a stretch.
        ("A=1;PASSWORD=hunter2x", "A=1;PASSWORD=@"),
        ("a=1,token=hunter2x,user=x", "a=1,token=@,user=x"),
        ("Server=x;User Id=sa;Password=a1;Db=y", "Server=x;User Id=sa;Password=@;Db=y"),
        ("A=https;AccountName=a;AccountKey=ab12==", "A=https;AccountName=a;AccountKey=@"),
        ('a="password=hunter2" b', 'a="password=@" b'),
        # All of a value.
        ("password=ab&cd", "password=@"),
        (r'password="a\"b" c', 'password="@" c'),
        ("password='it''s' c", "password='@' c"),
        ('password="a\nb" c', 'password="@" c'),
        ('password="""a\n"b""" c', 'password="""@""" c'),
        ("password: |\n  a\n  b\nuser: c", "password: |\n  @\nuser: c"),
        ("password: \x1b[31mhunter2\x1b[0m", "password: \x1b[31m@"),
        # Nothing but the value.
        (r'{"c":"token=abc","role":"user"}', '{"c":"token=@","role":"user"}'),
        (r'{"c":"TOKEN=abc\nls","role":"user"}', r'{"c":"TOKEN=@\nls","role":"user"}'),
        ('{"c":"cookie: a=b","role":"user"}', '{"c":"cookie: @","role":"user"}'),
        ("Client(api_key=abc1, timeout=3)", "Client(api_key=@, timeout=3)"),
        ("log_in(token=abc1).run()", "log_in(token=@).run()"),
        # Names of more kinds.
        ("pwd=hunter2 smtp_pass=hunter2", "pwd=@ smtp_pass=@"),
        ("pass: hunter2", "pass: @"),
        ("private key: abcde1", "private key: @"),
        ("API key: abcde1", "API key: @"),
        ("пароль: abcde1", "пароль: @"),
        ("OPENAI_KEY=abc GITHUB_PAT=abc", "OPENAI_KEY=@ GITHUB_PAT=@"),
        ("**Password:** hunter2", "**Password:** @"),
        ("`password`: `hunter2`", "`password`: `@`"),
        ("<password>hunter2</password>", "<password>@</password>"),
        ('<add key="ApiKey" value="x1"/>', '<add key="ApiKey" value="@"/>'),
        ('{"name":"API_KEY","value":"x1"}', '{"name":"API_KEY","value":"@"}'),
        ("- name: DB_PASSWORD\n  value: x1", "- name: DB_PASSWORD\n  value: @"),
        ('os.environ["API_KEY"] = "x1"', 'os.environ["API_KEY"] = "@"'),
        ('const password: string = "x1"', 'const password: string = "@"'),
        ("my password is hunter2", "my password is @"),
        ("IDENTIFIED BY 'hunter2'", "IDENTIFIED BY '@'"),
        # Keys.
        (f"{PGP}\nVersion: GnuPG v2\n\n{BASE}\n=abcd\n{PGP.replace('BEGIN', 'END')}\nx", "@\nx"),
        (f"{PGP}\nVersion: GnuPG v2\n\n{BASE}\n{BASE}\n=abcd\nbye", "@\nbye"),
        (f"{KEY}\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES,12\n\n{BASE}\n{BASE}\nbye", "@\nbye"),
        (f"{KEY}\n    1\t{BASE}\n    2\t{BASE}\n    3\tbye", "@\n    3\tbye"),
        (f"> {KEY}\n> {BASE}\n> {BASE}\n> bye", "> @\n> bye"),
        (f"+{KEY}\n+{BASE}\n+{BASE}\n bye", "+@\n bye"),
        (f"{KEY}\n{BASE}\nbye\n{KEY}\n{BASE}\n-----END RSA PRIVATE KEY-----", "@\nbye\n@"),
        (f"Private-Lines: 2\n{BASE}\nPrivate-MAC: 1", "@\nPrivate-MAC: 1"),
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
        '{"c":"secret = None","role":"user"}',
        "Authorization: required for admin users, see docs at a",
        "cookie: chocolate and nuts",
        "Cookie: ",
        '"password": "", "api_key": null, token=\'\'',
        "{token: token} api_key=api_key, self.token = token",
        "unexpected token: semicolon and token=IDENT",
        'if token == "+": token = "+"',
        "const token = await getToken();",
        "fetch(x, {credentials: 'include'})",
        "password_file=/run/x secretName: tls-cert api_key_env: X_KEY",
        "PWD=/home/me OLDPWD=/tmp pwd: /work",
        '"pass": 12, PASS: test_a',
        "docker run -u node:node x; git fetch -u origin:main; mkdir -p a/b; ssh -p 22 a",
        "Use --token to pass it",
        'at("a")\npassword = found(":")\nsaid = f"{x}:{y}"',
        "token = Name.Builtin",
        'print("token=" + repr(raw))\nprint("token=EOF")',
        "<name>x</name> <a key='theme' value='dark'>",
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
    more = "cookie: a=b\\n{'token': ['a', 'b']} --token x1 API key: x1 <token>x</token> a=1;pwd=x"
    once = redacted(more)
    assert redacted(once) == once
    assert once.count(MARK) == 7


def test_json_stays_json() -> None:
    said = json.dumps({"password": 1, "a": {"token": None, "b": [True, {"apiKey": "x"}]}})
    assert json.loads(redacted(said)) == {
        "password": MARK,
        "a": {"token": None, "b": [True, {"apiKey": MARK}]},
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
    "authorization", "authorization:", "Bearer ", "-----END ", "A", "a='1',", "password=$",
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


MODULES = (
    *(secret_addresses, secret_commands, secret_json, secret_keys, secret_members, secret_names),
    *(secret_prose, secret_rules, secret_spelled, secret_tokens, secret_values),
)
OURS = {
    f"{module.__name__} {name}": held
    for module in MODULES
    for name, held in vars(module).items()
    if isinstance(held, re.Pattern)
}


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
