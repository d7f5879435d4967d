"""Secrets of every family of shapes are hidden, with all around them left as it is."""

import json
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from inspector.text.redaction import MARK, redacted

# In a case ⊛ is a secret that somebody chose, ◆ one that a machine made; nothing else is hidden.
CHOSEN: Final = "hunter2xyzQQ"
MADE: Final = "q7Zr4TxWm2Lp9KvB8nYc"
HEX: Final = "a1" * 16

ASSIGNED = (
    "password: ⊛", "password:⊛", "Password : ⊛ please", "password = ⊛ # c", "PASSWORD=⊛", "pwd=⊛",
    "smtp_pass=⊛", "user_pass: ⊛", "passcode: ⊛", "SECRET_KEY_BASE=⊛", "userPassword:: ⊛",
    "otp: ⊛", "spring.datasource.password=⊛", "export API_KEY=⊛; echo x", "-DPASSWORD=⊛ x",
    "x=1;PASSWORD=⊛;y=2", "Server=x;User Id=sa;Password=⊛;Db=y", "password=⊛,user=x",
    "password==◆", "password: &pw ⊛", "password: !!str ⊛", "password: |\n  ⊛\nuser: x",
    "- name: DB_PASSWORD\n  value: ⊛", "- API_KEY=⊛", "config.yml:12:password: ⊛",
    "   12\tAPI_KEY=⊛", "+  password: ⊛", "> password: ⊛",
)  # fmt: skip
IN_QUOTES = (
    'apiKey: "⊛", n: 1', "api_key => '⊛'", 'config["password"] = "⊛"', "apiKey: `⊛`",
    'const password: string = "⊛"', 'const API_KEY: &str = "⊛";', 'var apiKey string = "⊛"',
    '#define API_KEY "⊛"', '(setq password "⊛")', 'setPassword("⊛")', '.password("⊛").build()',
    'os.environ.get("API_KEY", "⊛")', '.header("X-Api-Key", "⊛")', "auth=('bob', '⊛')",
    'login("bob", "⊛")', 'PDO("mysql:h", "root", "⊛")', "define('DB_PASSWORD', '⊛');",
    "{'password': {'value': '⊛'}}", "{'password': ['⊛', '⊛']}", "'password': '⊛'",
)  # fmt: skip
MAYBE = (
    "storageKey: ◆", "PAT=◆", "sid=◆", "sessionid=◆", "auth: ◆", '"auth": "◆"', 'tokens: ["◆"]',
    "reset_password: ◆", "?key=◆&a=b", "?code=◆", "-p ◆", "token ◆", "auth ◆",
)  # fmt: skip
MARKED_UP = (
    "<password>⊛</password>", '<Password Type="x">⊛</Password>', '<user password="⊛" name="x"/>',
    "<password><![CDATA[⊛]]></password>", '<string name="api_key">⊛</string>',
    "<key>password</key>\n<string>⊛</string>", '<add key="ApiKey" value="⊛"/>',
    '<meta name="csrf-token" content="⊛">', "&lt;password&gt;⊛&lt;/password&gt;",
    "**Password:** ⊛", "`password`: `⊛`", "| Password | ⊛ |", "| `API_KEY` | `⊛` |",
)  # fmt: skip
SPELLED = (
    "\x1b[1mpassword\x1b[0m: ⊛", "password\u00a0=\u00a0⊛", "｢password｣：⊛", "password&#61;⊛",
    "&quot;password&quot;:&quot;⊛&quot;", r"{\u0022password\u0022:\u0022⊛\u0022}", "password%3D⊛",
    "token%3D⊛%26x%3D1", "Authorization%3A%20Bearer%20⊛", r"x\napi_key: ⊛\ny", r"x\n\ttoken: ⊛",
    r"x\nBearer ⊛", r"x\n--token ⊛", r"\\\"token\\\":\\\"⊛\\\"", r"\ntoken=⊛",
)  # fmt: skip
SENT = (
    "Authorization: Bearer ⊛", "Authorization: Bearer\n ⊛", "-H 'Authorization: token ⊛' x",
    "Cookie: ⊛", "X-Auth-Token: ⊛", "PRIVATE-TOKEN: ⊛", "Bearer ⊛", "https://u:⊛@h/p",
    "redis://:⊛@h", "https://◆@github.com/x", "sqlplus u/⊛@h", "jdbc:oracle:thin:u/⊛@h",
    "?token=⊛&a=b", "?X-Amz-Signature=⊛", "#access_token=⊛", "grant_type=x&password=⊛",
)  # fmt: skip
COMMANDS = (
    "--password ⊛", "--password '⊛'", "--token=⊛", '["--password", "⊛"]', "-storepass ⊛ -alias a",
    "mysql -u root -p⊛ db", "sshpass -p '⊛' ssh", "docker login -u a -p ⊛", "redis-cli -a ⊛ ping",
    "ldapsearch -D cn=x -w ⊛ -b y", "mosquitto_pub -u a -P ⊛ -t x", "curl -u admin:⊛ x",
    "curl --proxy-user u:⊛ x", "curl -uadmin:⊛ x",
    "setx API_KEY ⊛", "ENV API_KEY ⊛", "set -gx API_KEY ⊛", "git config --global user.password ⊛",
    "requirepass ⊛", "aws configure set aws_secret_access_key ⊛", "echo ⊛ | gh x --with-token",
    "printf '%s' ⊛ | docker login --password-stdin", "echo '⊛' | sudo -S ls", "net use /user:u ⊛",
    "gh auth login --with-token <<< ⊛", 'ConvertTo-SecureString "⊛" -Force',
    "machine h login a password ⊛",
)  # fmt: skip
TOLD = (
    "The password is ⊛.", "my password is: ⊛", "API_KEY is ⊛", "The API key is ⊛.",
    'password is "⊛"', "set password to ⊛", "Password for root: ⊛", "password (temporary): ⊛",
    "password\n◆", "user admin password ⊛", "rootpw ⊛", '"password", "⊛"', "seed phrase: ⊛",
    "API key: ⊛", "Пароль: ⊛", "пароль=⊛", "Passwort: ⊛", "contraseña: ⊛", "mot de passe : ⊛",
    "密码：⊛", "数据库密码: ⊛", "パスワード：⊛", "비밀번호: ⊛", '{"密码": "⊛"}', "mật khẩu: ⊛",
)  # fmt: skip


@pytest.mark.parametrize(
    "case",
    [
        *ASSIGNED, *IN_QUOTES, *MAYBE, *MARKED_UP, *SPELLED, *SENT, *COMMANDS, *TOLD,
    ],
)  # fmt: skip
def test_a_secret_is_hidden_and_nothing_around_it(case: str) -> None:
    said = case.replace("⊛", CHOSEN).replace("◆", MADE)
    assert redacted(said) == case.replace("⊛", MARK).replace("◆", MARK)


@pytest.mark.parametrize(
    "said", [f"<{CHOSEN}", f"this.{MADE}", f"{MADE}(x", f"{MADE}[1", 'pa"ssw1']
)
def test_all_of_a_value_is_hidden(said: str) -> None:
    assert redacted(f"password: {said}") == f"password: {MARK}"


def test_what_goes_on_behind_a_mark_is_hidden_with_it() -> None:
    for lead in ("password: ", "password=", "Authorization: Bearer ", 'token: "'):
        assert redacted(f"{lead}{MARK}{CHOSEN}") == f"{lead}{MARK}"
        assert redacted(f"{lead}{MARK}") == f"{lead}{MARK}"


@pytest.mark.parametrize(
    "token",
    [
        "ghp_" + MADE * 2, "github_pat_" + MADE * 2, "glpat-" + MADE, "xoxb-1234567890-" + MADE,
        "xoxe-1-" + MADE, "sk_live_" + MADE, "rk_live_" + MADE, "AIza" + (MADE * 2)[:35],
        "AKIA" + "Q7ZR4TXWM2LP9KVB", "sk-proj-" + MADE * 2, "sk-ant-api03-" + MADE,
        "gsk_" + MADE * 2, "hf_" + MADE * 2, "npm_" + MADE * 2, "pypi-" + MADE * 3,
        "12345678:AA" + (MADE * 2)[:33],
        "MTk4NjIyNDgzNDcxOTI1MjQ4.Cl2FMQ.ZnCjm1XVW7vRze4b7Cq4se7kKWs",
        f"eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.{MADE}", "key-" + HEX, "SK" + HEX,
        "tfp_" + MADE, "EAAA" + MADE * 3, "FwoGZXIvYXdzE" + MADE, "secret_" + MADE * 2,
        "LTAI" + MADE, "oy2" + MADE * 2, "rubygems_" + MADE * 2, "phc_" + MADE * 2,
        "PMAK-" + MADE * 2, "ops_eyJ" + MADE * 2, "1//0" + MADE * 2, "AKCp" + MADE * 2,
        "pk_live_" + MADE,
    ],
)  # fmt: skip
def test_a_token_of_a_known_maker_needs_no_name(token: str) -> None:
    assert redacted(f"x {token} y") == f"x {MARK} y"
    assert redacted(rf"x\n{token}\ny") == rf"x\n{MARK}\ny"
    assert json.loads(redacted(json.dumps({"a": f"x\n{token}"}))) == {"a": f"x\n{MARK}"}


BEGINS: Final = "-----BEGIN RSA PRIVATE KEY-----"


@pytest.mark.parametrize(
    ("said", "hidden"),
    [
        ("  12 | {0}\n  13 | {1}\n  14 | {1}\nbye", "  12 | @\nbye"),
        ("1: {0}\n2: {1}\n3: {1}\nbye", "1: @\nbye"),
        ("| {0}\n| {1}\n| {1}\nbye", "| @\nbye"),
        ('"{0}\\n" +\n"{1}\\n" +\n"{1}"', '"@"'),
        (r"a\n{0}\n{1}\n{1}\nbye", r"a\n@\nbye"),
    ],
)
def test_a_key_that_is_cut_is_hidden_whatever_its_lines_begin_with(said: str, hidden: str) -> None:
    assert redacted(said.format(BEGINS, MADE * 3)) == hidden.replace("@", MARK)


@pytest.mark.parametrize(
    "said",
    [
        # Code.
        "token = await getToken()", "self.token = token", "token => token.kind",
        "token = tokens[0]", "password: formData.get('password')", 'token := os.Getenv("TOKEN")',
        "token = i", "token = -1", "const { token, password } = req.body",
        "apiKey: import.meta.env.VITE_KEY", "token: &Token,", "password: z.string().min(8)",
        "'Authorization': 'Bearer ' + token", "password: SecretString,", "if not password: return",
        "case token: break", "WHERE token = $1", "WHERE password = :password",
        "Token::Ident(s) => s", "(password: Token, user: User)", "password!: string", "token: T,",
        '{"password": {"type": "string", "minLength": 8, "description": "The password"}}',
        'x = ["password", "token", "secret"]', 'fields = ("password", "Password")', "users#reset",
        "reset_password: users#reset", "secretKeyRef:\n  name: x\n  key: password",
        "token = Error", "token = value_str", "user, password = parsed.auth",
        "password: _PwType | None", "password: (bool, optional)",
        'Authorization: request.headers.get("Authorization") || "",',
        "client_secret: env.AUTH0_CLIENT_SECRET,", "on_token: ByteStreamTokenCallback",
        'TOKEN = "[a-zA-Z_][a-zA-Z0-9_-]*"', "Pass :meth:`peek` a value",
        "'authorization: basic ...'",
        # Sentences.
        "Second pass: detect it", "coalescing pass: adjacent ones", "item identified by `key`",
        "pwd: expected bytes", "the --username and --password options",
        "unexpected token: semicolon", "fix token: handle eof", "password: Enter your password",
        "password: must be long", "The token is invalid", "password reset2", "password is base64",
        "Authorization: use OAuth to sign in", "cookie: see RFC 6265 for details",
        "Basic auth == x", "the first key is `type`", "add API key support", "key is unique",
        "seed phrase of 12 words",
        # Commands.
        "--token to pass it", "--token TOKEN", "--api-key <key>", "[--password <password>]",
        "--token file.txt", "sort -u a:b", "mkdir -p src/a/b", "git fetch -u origin:main",
        "ssh -p 2222 h", "docker run -p 8080:80 nginx", "tar -a x", "curl -b jar.txt x",
        # Placeholders and places.
        "Authorization: Bearer YOUR_API_KEY", "API_KEY=${API_KEY:-}", "api_key: your-key-here",
        "private_key: /home/x/key", "credentials: /etc/x/creds.json",
        'private_key: "/etc/ssl/a.pem"',
        'f"https://x/?token={token}&a=1"', "https://x/?api_key=${key}&a=1", "login t password {x}",
        # Numbers, ids and digests.
        '"AWS::IAM::AccessKey": "62d91b17309e76c8"', 'M("HTTPPasswordMgr", "urllib2")',
        '"session_id": "ses_7f3aB2c9D4e5F6g7H8"', '"call_id": "call_Fg7Hj2Kl9Mn4Pq6R"',
        "max_tokens=1024, tokens: 12", "exit code: 137", "pin: 13", "key: value", "auth: oauth2",
        '"publicKey": "MIIBIjANBgkqhkiG9w0B"', "integrity sha512-abcDEF123ghiJKL456mnoPQR789==",
        "cacheKey: user-profile-v2-by-id", "C:\\new\\token\\x", '"passwordStorage": "manual"',
        "https://github.com/o/r", "ssh://git@github.com/o/r", "https://user@example.com/",
        "see `Authorization:` and `Cookie:` in it",
    ],
)  # fmt: skip
def test_what_only_looks_like_one_from_afar_stays(said: str) -> None:
    assert redacted(said) == said


@pytest.mark.parametrize(
    "said",
    [
        '"a" "password": "required"', "password: true", "session_id: " + MADE,
        "pass\u200bword: abc1", "p\u0430ssword=abc1",
    ],
)  # fmt: skip
def test_some_are_not_found(said: str) -> None:
    # As the module says: what a sentence, an id or a name in two alphabets is taken for.
    assert redacted(said) == said


@pytest.mark.parametrize(
    ("said", "hidden"),
    [
        ({"password": {"value": "x"}}, {"password": {"value": "@"}}),
        ({"password": {"current": "x", "n": 1}}, {"password": {"current": "@", "n": 1}}),
        ({"secret": {"a": {"b": [1]}, "c": CHOSEN}}, {"secret": {"a": {"b": [1]}, "c": "@"}}),
        ({"token": {"type": "IDENT", "text": "x1"}}, {"token": {"type": "IDENT", "text": "x1"}}),
        (["mysql", "-u", "root", "-pab1"], ["mysql", "-u", "root", "-p@"]),
        (["sshpass", "-p", "ab1", "ssh"], ["sshpass", "-p", "@", "ssh"]),
        (["docker", "login", "-p", "ab1"], ["docker", "login", "-p", "@"]),
        (["curl", "-H", "Authorization: Bearer ab1"], ["curl", "-H", "Authorization: Bearer @"]),
        ({"key": MADE, "id": MADE}, {"key": "@", "id": MADE}),
        ({"pass": 12, "pin": 1234}, {"pass": 12, "pin": 1234}),
        ({"env": "A=1\nAPI_KEY='ab1'\nB=2"}, {"env": "A=1\nAPI_KEY='@'\nB=2"}),
        (json.dumps({"c": 'export P_SECRET="x y"'}), json.dumps({"c": 'export P_SECRET="@"'})),
    ],
)  # fmt: skip
def test_json_is_read_as_json(said: object, hidden: object) -> None:
    expected = json.loads(json.dumps(hidden).replace("@", MARK))
    assert json.loads(redacted(json.dumps(said))) == expected
    # So is JSON inside of a text.
    assert redacted(f"Result: {json.dumps(said)} end") == f"Result: {json.dumps(expected)} end"


# Laws.

PIECES: Final = (
    *"\"'\\`:=,;{}[]()<>&%|/@#?-_. \n\t$*!", "\\n", '\\"', "\\u0022", "&quot;", "%3D", "%22",
    "password", "token", "API_KEY", "key", "Bearer ", "Authorization: ", "cookie: ", CHOSEN, MADE,
    "1", "-u a:", "--password ", "mysql -p", "://", "u:p@h", MARK, "\x00", "\x1b[1m", "é",
    "пароль: ", BEGINS, "\ud800", '"value":"', '{"password":', "<password>", "</password>", "== ",
    " is ", 'login("a", "',
)  # fmt: skip
TEXTS = some.lists(some.sampled_from(PIECES), max_size=14).map("".join)
VALUES = some.recursive(
    some.none() | some.booleans() | some.integers() | TEXTS,
    lambda inner: (
        some.lists(inner, max_size=4)
        | some.dictionaries(some.sampled_from(["password", "name", "value", "key", "a"]), inner)
    ),
    max_leaves=12,
)


@settings(max_examples=50, deadline=None, derandomize=True)
@given(TEXTS)
def test_what_was_hidden_is_hidden_once(said: str) -> None:
    once = redacted(said)
    assert redacted(once) == once


def same_shape(value: object, shown: object) -> bool:
    """Whether a value is another with strings and numbers hidden."""
    if isinstance(value, dict) and isinstance(shown, dict):
        return list(value) == list(shown) and all(same_shape(value[k], shown[k]) for k in value)
    if isinstance(value, list) and isinstance(shown, list):
        return len(value) == len(shown) and all(map(same_shape, value, shown))
    return value == shown or (isinstance(shown, str) and not isinstance(value, dict | list))


@settings(max_examples=50, deadline=None, derandomize=True)
@given(VALUES, some.booleans())
def test_json_stays_json_of_the_same_shape(value: object, ascii_only: bool) -> None:
    shown = redacted(json.dumps(value, ensure_ascii=ascii_only))
    assert same_shape(value, json.loads(shown))
    assert redacted(shown) == shown
