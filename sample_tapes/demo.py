"""The demo: a flaky login test, three causes, and a rule that a summary forgets.

A provider reports many times the tokens that the texts come to, so that a short tape can fill a
window of 131,072; and only some of the answers keep the stream they came in, as if the others had
come in one piece.
"""

import re
from collections.abc import Sequence
from difflib import unified_diff
from typing import Final, NamedTuple

from sample_tapes.writing import (
    AGENTS_MD,
    FAMILY,
    FLAG,
    FLASH,
    HOSTILE,
    MARKUP,
    PRO,
    START,
    Call,
    Json,
    Tape,
    exited,
    instructions,
    lines,
    numbered,
    progress,
    prose,
    snapshot,
    text_block,
)

_SESSION_PY: Final = lines(
    '''
    """Sessions: who is signed in, and until when."""

    import time
    from dataclasses import dataclass

    from signpost.auth import limits
    from signpost.auth.passwords import matches
    from signpost.store import Store

    LIFETIME = 900


    @dataclass(frozen=True)
    class Session:
        """One person's session; times are whole seconds since the epoch."""

        user: str
        issued: int
        expires: int


    class SignInFailed(Exception):
        """The name or the password is wrong; we do not say which."""


    def sign_in(user: str, password: str, *, store: Store) -> Session:
        """Check a password and begin a session."""
        if not limits.BUCKET.take(user):
            raise limits.TooManyAttempts(user)
        if not matches(store.password_hash(user), password):
            raise SignInFailed
        now = int(time.time())
        return Session(user, issued=now, expires=now + LIFETIME)


    def is_fresh(session: Session) -> bool:
        """Whether a session has not expired."""
        now = int(time.time())
        return session.issued <= now < session.expires
    '''
)

_TEST_LOGIN_LINES: Final = 146

_TEST_LOGIN_PY: Final = lines(
    """
    import time

    import pytest

    from signpost.auth.session import LIFETIME, SignInFailed, is_fresh, sign_in


    def test_sign_in_returns_a_session(store):
        assert sign_in("ada", "correct horse", store=store).user == "ada"


    def test_session_lives_fifteen_minutes(store):
        session = sign_in("ada", "correct horse", store=store)
        assert session.expires - int(time.time()) == LIFETIME


    def test_session_expires(store, monkeypatch):
        session = sign_in("ada", "correct horse", store=store)
        later = time.time() + LIFETIME
        monkeypatch.setattr(time, "time", lambda: later)
        assert not is_fresh(session)


    def test_wrong_password(store):
        with pytest.raises(SignInFailed):
            sign_in("ada", "incorrect horse", store=store)


    def test_unknown_user(store):
        with pytest.raises(SignInFailed):
            sign_in("nobody", "correct horse", store=store)
    """
)
"""The first of its 16 tests."""

_LIMITS_PY: Final = lines(
    '''
    """How often one may try a password."""

    from vendor.limiter.bucket import Bucket

    ATTEMPTS = 5
    PER_SECONDS = 60

    BUCKET = Bucket(ATTEMPTS, PER_SECONDS)
    """Shared by the whole process."""


    class TooManyAttempts(Exception):
        """The user must wait before the next attempt."""
    '''
)

_BUCKET_PY: Final = lines(
    '''
    # limiter 4.2.0, copied verbatim from upstream; see vendor/README.
    import threading
    import time


    class Bucket:
        """A leaky bucket per key."""

        def __init__(self, size, seconds, clock=time.monotonic):
            self._size = size
            self._rate = size / seconds
            self._clock = clock
            self._levels = {}
            self._lock = threading.Lock()

        def take(self, key):
            """Whether one more drop fits."""
            with self._lock:
                now = self._clock()
                level, seen = self._levels.get(key, (0.0, now))
                level = max(0.0, level - (now - seen) * self._rate)
                if level + 1 > self._size:
                    self._levels[key] = (level, now)
                    return False
                self._levels[key] = (level + 1, now)
                return True
    '''
)

_CONFTEST_PY: Final = lines(
    """
    import pytest

    from signpost.mail.outbox import Outbox
    from signpost.store import MemoryStore


    @pytest.fixture
    def store():
        store = MemoryStore()
        store.add("ada", "correct horse")
        store.add("grace", "battery staple")
        return store


    @pytest.fixture
    def outbox():
        with Outbox(host="localhost", port=8025) as outbox:
            yield outbox
    """
)

_OUTBOX_PY: Final = lines(
    '''
    """A mail server for tests that keeps what it is sent."""

    import socket


    class Outbox:
        def __init__(self, host: str, port: int) -> None:
            self._host, self._port = host, port
            self._server = socket.socket()
            self.mails: list[bytes] = []

        def __enter__(self) -> "Outbox":
            self._server.bind((self._host, self._port))
            self._server.listen()
            return self

        def __exit__(self, *_: object) -> None:
            self._server.close()
    '''
)

_TEST_MAIL_PY: Final = lines(
    '''
    """A sign-in from a device that we have not seen before sends one mail, and no secrets."""

    from signpost.auth.session import sign_in
    from signpost.mail import queue


    def sign_in_from(device, store, outbox, user="ada", password="correct horse"):
        sign_in(user, password, store=store)
        queue.new_device(user, device, server=outbox)
        queue.flush(timeout=2)


    def test_new_device_sends_a_mail(store, outbox):
        sign_in_from("a phone", store, outbox)
        assert len(outbox.mails) == 1


    def test_known_device_sends_none(store, outbox):
        store.remember_device("ada", "a phone")
        sign_in_from("a phone", store, outbox)
        assert outbox.mails == []


    def test_mail_names_the_device(store, outbox):
        sign_in_from("a phone", store, outbox)
        assert b"a phone" in outbox.mails[0]


    def test_mail_has_no_password(store, outbox):
        sign_in_from("a phone", store, outbox)
        assert b"correct horse" not in outbox.mails[0]


    def test_mail_goes_to_the_user(store, outbox):
        sign_in_from("a phone", store, outbox, "grace", "battery staple")
        assert b"To: grace@" in outbox.mails[0]


    def test_mail_is_plain_text(store, outbox):
        sign_in_from("a phone", store, outbox)
        assert b"Content-Type: text/plain" in outbox.mails[0]


    def test_failed_mail_does_not_block(store, outbox):
        outbox.refuse_everything()
        sign_in_from("a phone", store, outbox)
        assert queue.waiting() == 1


    def test_mail_is_sent_once(store, outbox):
        sign_in_from("a phone", store, outbox)
        queue.flush(timeout=2)
        assert len(outbox.mails) == 1
    '''
)

_CLOCK_PY: Final = lines(
    '''
    """A clock that stands still until a test moves it."""


    class FakeClock:
        def __init__(self, now: float = 1_000_000.0) -> None:
            self.now = now

        def __call__(self) -> float:
            return self.now

        def forward(self, seconds: float) -> None:
            self.now += seconds
    '''
)


class Edit(NamedTuple):
    """A text in a file, and what takes its place."""

    path: str
    old: str
    new: str

    def of(self, text: str) -> str:
        """A file's text after the edit."""
        return text.replace(self.old, self.new)

    def call(self, tape: Tape) -> Call:
        """A call of the edit tool."""
        return tape.call("edit", path=self.path, old_string=self.old, new_string=self.new)

    def done(self, tape: Tape, call: Call) -> None:
        """The started call succeeds, and tells the screen what changed."""
        diff = {"path": self.path, "oldText": self.old, "newText": self.new}
        tape.result(call, f"Edited {self.path}.", took=0.02, meta={"diffs": [diff]})


_IMPORT_CALLABLE: Final = Edit(
    "signpost/auth/session.py",
    "import time\nfrom dataclasses",
    "import time\nfrom collections.abc import Callable\nfrom dataclasses",
)

_PASS_A_CLOCK: Final = Edit(
    "signpost/auth/session.py",
    _SESSION_PY[_SESSION_PY.index("def sign_in") :],
    lines(
        '''
        def sign_in(
            user: str, password: str, *, store: Store, clock: Callable[[], float] = time.time
        ) -> Session:
            """Check a password and begin a session."""
            if not limits.BUCKET.take(user):
                raise limits.TooManyAttempts(user)
            if not matches(store.password_hash(user), password):
                raise SignInFailed
            now = int(clock())
            return Session(user, issued=now, expires=now + LIFETIME)


        def is_fresh(session: Session, *, clock: Callable[[], float] = time.time) -> bool:
            """Whether a session has not expired."""
            now = int(clock())
            return session.issued <= now < session.expires
        '''
    ),
)

_USE_A_CLOCK: Final = Edit(
    "tests/auth/test_login.py",
    _TEST_LOGIN_PY[: _TEST_LOGIN_PY.index("\n\n\ndef test_wrong_password")],
    lines(
        """
        import pytest

        from signpost.auth.session import LIFETIME, SignInFailed, is_fresh, sign_in
        from tests.auth.clock import FakeClock


        def test_sign_in_returns_a_session(store):
            assert sign_in("ada", "correct horse", store=store).user == "ada"


        def test_session_lives_fifteen_minutes(store):
            clock = FakeClock()
            session = sign_in("ada", "correct horse", store=store, clock=clock)
            assert session.expires - clock.now == LIFETIME


        def test_session_expires(store):
            clock = FakeClock()
            session = sign_in("ada", "correct horse", store=store, clock=clock)
            clock.forward(LIFETIME)
            assert not is_fresh(session, clock=clock)
        """
    ),
)

_IMPORT_LIMITS: Final = Edit(
    "tests/conftest.py",
    "from signpost.mail.outbox",
    "from signpost.auth import limits\nfrom signpost.mail.outbox",
)

_MAKE_A_BUCKET: Final = Edit(
    "tests/conftest.py",
    "@pytest.fixture\ndef outbox():",
    lines(
        """
        @pytest.fixture(autouse=True)
        def bucket(monkeypatch):
            bucket = limits.Bucket(limits.ATTEMPTS, limits.PER_SECONDS)
            monkeypatch.setattr(limits, "BUCKET", bucket)
            return bucket


        @pytest.fixture
        def outbox():
        """
    ),
)

_ANY_PORT: Final = Edit("tests/conftest.py", "port=8025", "port=0")

_SESSION_WITH_CLOCK: Final = _PASS_A_CLOCK.of(_IMPORT_CALLABLE.of(_SESSION_PY))
_CONFTEST_WITH_BUCKET: Final = _MAKE_A_BUCKET.of(_IMPORT_LIMITS.of(_CONFTEST_PY))


def line_of(words: str, text: str) -> int:
    """The line of a text on which some words stand first."""
    return text[: text.index(words)].count("\n") + 1


_TESTS: Final = {
    "test_limits": (
        "five_attempts_pass",
        "sixth_attempt_is_refused",
        "limit_is_per_user",
        "limit_recovers_after_a_minute",
        "refusal_names_the_user",
        "right_password_counts_too",
        "refusal_does_not_sign_in",
        "bucket_starts_empty",
        "limit_survives_sign_out",
    ),
    "test_login": (
        "sign_in_returns_a_session",
        "session_lives_fifteen_minutes",
        "session_expires",
        "wrong_password",
        "unknown_user",
        "password_is_not_logged",
        "password_is_not_stored",
        "sign_out_ends_the_session",
        "sign_out_twice_is_fine",
        "session_is_immutable",
        "two_users_two_sessions",
        "second_sign_in_replaces_the_first",
        "cookie_is_http_only",
        "cookie_expires_with_the_session",
        "redirect_stays_on_site",
        "redirect_defaults_to_home",
    ),
    "test_mail": (
        "new_device_sends_a_mail",
        "known_device_sends_none",
        "mail_names_the_device",
        "mail_has_no_password",
        "mail_goes_to_the_user",
        "mail_is_plain_text",
        "failed_mail_does_not_block",
        "mail_is_sent_once",
    ),
    "test_names": (
        "name_keeps_its_form[山田太郎]",
        "name_keeps_its_form[김민준]",
        "name_keeps_its_form[王小明]",
        f"name_keeps_its_form[family {FAMILY}]",
        f"name_keeps_its_form[flag {FLAG}]",
        "name_is_case_folded[Straße]",
        "name_is_normalised[ｱﾀﾞ]",
        "control_characters_are_refused",
    ),
}

_NODE_IDS: Final = tuple(
    f"tests/auth/{module}.py::test_{name}" for module, names in _TESTS.items() for name in names
)
"""The 41 tests of tests/auth, as pytest names them."""

_TICKED: Final = lines(
    f"""
    store = MemoryStore(['ada', 'grace'])

        def test_session_lives_fifteen_minutes(store):
            session = sign_in("ada", "correct horse", store=store)
    >       assert session.expires - int(time.time()) == LIFETIME
    E       assert (1772443047 - 1772442148) == 900
    E        +  where 1772443047 = Session(ada, issued=1772442147, expires=1772443047).expires
    E        +  and   1772442148 = int(1772442148.0004)
    E       assert 899 == 900

    tests/auth/test_login.py:{line_of("assert session.expires", _TEST_LOGIN_PY)}: AssertionError
    """
)

_IN_USE: Final = lines(
    f"""
    self = Outbox(host='localhost', port=8025)

        def __enter__(self) -> "Outbox":
    >       self._server.bind((self._host, self._port))
    E       OSError: [Errno 98] Address already in use

    signpost/mail/outbox.py:{line_of("self._server.bind", _OUTBOX_PY)}: OSError
    """
)

_REFUSED: Final = "test_second_sign_in_replaces_the_first"


def _refused(session: str) -> str:
    """The traceback of a refused attempt, in session.py as it then is."""
    at = line_of("raise limits.TooManyAttempts", session)
    code = session.split("\n")
    return "\n".join(
        (
            "store = MemoryStore(['ada', 'grace'])",
            "",
            f"    def {_REFUSED}(store):",
            '        session = sign_in("ada", "correct horse", store=store)',
            '>       second = sign_in("ada", "correct horse", store=store)',
            "",
            "tests/auth/test_login.py:97: ",
            "_ " * 36,
            "",
            "user = 'ada', password = 'correct horse', store = MemoryStore(['ada', 'grace'])",
            "",
            *(f"    {line}" for line in code[line_of("def sign_in", session) - 1 : at - 1]),
            f">   {code[at - 1]}",
            "E           signpost.auth.limits.TooManyAttempts: ada",
            "",
            f"signpost/auth/session.py:{at}: TooManyAttempts",
        )
    )


_TWENTY_TIMES: Final = "for i in $(seq -w 20); do pytest -q -n 2 --durations 2 tests/auth; done"


def twenty_runs(ticked: Sequence[int] = (), refused: Sequence[int] = ()) -> str:
    """The suite twenty times; in some runs the clock ticks or an attempt is refused."""
    parts: list[str] = []
    for run in range(1, 21):
        red = run in ticked or run in refused
        at = run * 11 % 40
        dots = "." * at + "F."[not red] + "." * (40 - at)
        parts += [
            f"=== run {run:02}",
            "bringing up nodes...",
            f"{dots}                        [100%]",
        ]
        if run in ticked:
            parts += [_rule("test_session_lives_fifteen_minutes"), _TICKED]
        if run in refused:
            parts += [_rule(_REFUSED), _refused(_SESSION_PY)]
        summary = "1 failed, 40 passed" if red else "41 passed"
        parts += [*_slowest(run, 2), f"{summary} in {6 + run * 7 % 10 / 10:.1f}s"]
    failed = len(ticked) + len(refused)
    return "\n".join([*parts, "", f"{20 - failed} green, {failed} red"])


def _slowest(seed: int, rows: int) -> list[str]:
    """The durations that pytest reports, falling."""
    total = len(_NODE_IDS)
    return [
        f"{1.4 / (at + 2) + seed % 10 / 100:.2f}s call {_NODE_IDS[(at * 13 + seed) % total]}"
        for at in range(rows)
    ]


def _rule(name: str) -> str:
    return f" {name} ".center(72, "_")


def verbose_run(seed: int, failed: str = "") -> str:
    """A verbose run on two workers, in an order that only the seed decides."""
    total = len(_NODE_IDS)
    rows: list[str] = []
    for at in range(total):
        # 17 and 41 have no common factor, so every test comes once.
        node = _NODE_IDS[(at * 17 + seed) % total]
        word = "FAILED" if failed and node.endswith(failed) else "PASSED"
        rows.append(f"[gw{(at + seed) % 2}] [{(at + 1) * 100 // total:>3}%] {word} {node}")
    summary = f"1 failed, {total - 1} passed" if failed else f"{total} passed"
    return "\n".join([*rows, f"===== {summary} in {3 + seed % 7 / 10:.2f}s ====="])


def caught_run() -> str:
    """A verbose run in which an attempt is refused, with what the limiter wrote to its log."""
    takers = (
        "test_mail_has_no_password",
        "test_cookie_is_http_only",
        "test_password_is_not_logged",
        "test_mail_names_the_device",
        _REFUSED,
        _REFUSED,
    )
    log = [
        f"DEBUG  gw1  {taker:<40} take('ada') -> {at <= 5}, {min(at, 5)} of 5 used"
        for at, taker in enumerate(takers, 1)
    ]
    return "\n".join(
        (
            verbose_run(18, _REFUSED),
            _rule(_REFUSED),
            _refused(_SESSION_WITH_CLOCK),
            " Captured log: signpost.auth.limits ".center(72, "-"),
            *log,
            " slowest 20 durations ".center(72, "="),
            *_slowest(6, 20),
            " short test summary info ".center(72, "="),
            f"FAILED tests/auth/test_login.py::{_REFUSED} - TooManyAttempts: ada",
        )
    )


_SEEDS: Final = (2_118, 377, 9_041)


def shuffled_runs() -> str:
    """Three verbose runs in three orders, too long to be kept for ever."""
    return "\n\n".join(f"Using --randomly-seed={seed}\n{verbose_run(seed)}" for seed in _SEEDS)


_FIFTY_TIMES: Final = "for i in $(seq -w 50); do pytest -q -n 2 tests/auth/test_mail.py; done"


def fifty_runs(collided: Sequence[int] = ()) -> str:
    """The mail tests fifty times; in some runs two workers want the same port."""
    parts: list[str] = []
    for run in range(1, 51):
        if run in collided:
            parts += [_rule("ERROR at setup of test_mail_is_sent_once"), _IN_USE]
        summary = "7 passed, 1 error" if run in collided else "8 passed"
        parts.append(f"=== run {run:02}: {summary} in {1.1 + run * 7 % 10 / 100:.2f}s")
    return "\n".join([*parts, "", f"{50 - len(collided)} green, {len(collided)} red"])


_KNOWN_LINES: Final = {
    "signpost/auth/limits.py": _LIMITS_PY.count("\n") + 1,
    "signpost/auth/session.py": _SESSION_WITH_CLOCK.count("\n") + 1,
    "signpost/mail/outbox.py": _OUTBOX_PY.count("\n") + 1,
    "tests/conftest.py": _CONFTEST_PY.count("\n") + 1,
    "tests/auth/clock.py": _CLOCK_PY.count("\n") + 1,
    "tests/auth/test_login.py": _TEST_LOGIN_LINES,
    "tests/auth/test_mail.py": _TEST_MAIL_PY.count("\n") + 1,
    "vendor/limiter/bucket.py": _BUCKET_PY.count("\n") + 1,
}
"""How long the files are that are shown elsewhere."""


def listing() -> str:
    """Every Python file of the project with its lines."""
    features = ("accounts", "billing", "devices", "groups", "invites", "sessions", "teams")
    layers = ("forms", "mail", "pages", "queries", "rules", "schema")
    folders = {
        "signpost": ("app", "clock", "config", "errors", "store", "version"),
        "signpost/auth": ("keys", "limits", "names", "passwords", "session", "tokens"),
        "signpost/mail": ("outbox", "queue", "render", "templates"),
        **{f"signpost/{feature}": layers for feature in features},
        "tests": ("conftest",),
        "tests/auth": ("clock", *_TESTS),
        "tests/mail": ("test_outbox", "test_queue", "test_render"),
        **{f"tests/{feature}": tuple(f"test_{layer}" for layer in layers) for feature in features},
        "migrations": tuple(f"{at:04}_{features[at % 7]}_{layers[at % 5]}" for at in range(1, 96)),
        "tools": ("factors", "names", "release", "seed_database"),
        "vendor/limiter": ("bucket", "compat", "redis_store", "window"),
        "vendor/qrcode": ("image", "matrix", "polynomial", "tables"),
    }
    paths = [f"{folder}/{name}.py" for folder, names in folders.items() for name in names]
    sizes = [12 + len(path) * (at + 3) * 31 % 420 for at, path in enumerate(paths)]
    lengths = dict(zip(paths, sizes, strict=True)) | _KNOWN_LINES
    rows = [f"{length:>6} {path}" for path, length in lengths.items()]
    return "\n".join([*rows, f"{sum(lengths.values()):>6} total"])


_GIT_LOG: Final = lines(
    """
    8c1d2aa auth: refuse control characters in names
    41f07be tests: run on two workers in CI (-n 2)
    c9e2d10 auth: limit password attempts (vendor limiter 4.2.0)
    7730b4f auth: expire sessions after fifteen minutes
    02aa9c3 auth: say the same for a wrong name and a wrong password
    d54e81b tests: one store per test
    """
)

_NAMES_RUN: Final = "\n".join(
    [f"{node} PASSED" for node in _NODE_IDS if "test_names" in node]
    + ["===== 8 passed in 0.22s ====="]
)

_CI_LOG: Final = "\n".join(
    (
        "run 4181  job tests  worker gw1  2026-02-27T16:20:09Z",
        f"summary: {MARKUP} 1 failed, 40 passed",
        "FAILED tests/auth/test_login.py::test_second_sign_in_replaces_the_first",
        "E   signpost.auth.limits.TooManyAttempts: ada",
        "--- raw terminal output follows ---",
        HOSTILE,
        "--- end of raw terminal output ---",
        "ConnectionResetError: [Errno 104] Connection reset by peer (upload of the report)",
    )
)

_FIRST_SUMMARY: Final = prose(
    """
    Goal: the login tests in tests/auth (41 tests) fail in about one CI run in six; find the causes
    and remove them rather than hide them.

    Found so far:
    1. Wall clock. test_session_lives_fifteen_minutes compared two readings of time.time(), and a
       second could tick in between (899 == 900). Fixed: sign_in and is_fresh take a keyword-only
       clock, tests use FakeClock from tests/auth/clock.py. 200 runs of the test, no failure.
    2. Rate limit. signpost.auth.limits.BUCKET is one object for the whole process: 5 attempts per
       user in 60 seconds. Most tests sign in as "ada", and two workers deal the tests out
       differently each time, so that now and then a sixth attempt is refused (TooManyAttempts).
    3. Not causes: unusual names (8 of 8 pass) and the markup in the CI summary, which is only
       text that the reporter does not render.

    Next: make the bucket safe for tests. Bucket.take keeps its levels in self._levels; that is the
    place to look at.
    """
)
"""It keeps the findings and loses what the person ruled out: that is what the demo is about."""

_SECOND_SUMMARY: Final = prose(
    """
    Rules of the person, word for word: "Never touch vendor/." "No retries, no sleeps, no `flaky`
    markers." sign_in keeps its signature; keyword-only additions with a default are fine.

    The login tests were flaky for three reasons, all removed now:
    1. Wall clock: sign_in and is_fresh take clock=time.time; tests use tests/auth/clock.py.
    2. Shared rate limit: the autouse fixture `bucket` in tests/conftest.py puts a fresh
       limits.BUCKET in place for every test.
    3. Fixed port: the fixture `outbox` used port 8025, so that two workers could meet there
       (OSError: [Errno 98] Address already in use). It uses port 0 now.

    Evidence: 20 of 20 runs green on two workers, 3 shuffled orders green, tests/auth/test_mail.py
    50 of 50 green. vendor/ is as it was; an edit there was refused by a hook and not tried again.

    Open: run everything once, CHANGELOG.md, a paragraph for the post-mortem, commits.
    """
)

_POST_MORTEM: Final = lines(
    """
    # Why the login tests were flaky

    Three tests read something that belonged to nobody: the clock, a rate limit bucket and port
    8025. Each was harmless while tests ran in one process and in one order. When CI moved to two
    workers in 41f07be, two of the three began to collide; the clock had always ticked once in a
    while. A re-run made everything green, so nobody looked for a year. Every test now brings its
    own clock, bucket and port.
    """
)

_TASKS: Final = (
    "Run tests/auth twenty times and count",
    "Take the wall clock out of the session tests",
    "Give every test its own rate limit bucket",
    "Prove it: two workers, shuffled order",
    "Changelog, post-mortem, commits",
)

_OVERLOADED: Final = {
    "message": "upstream overloaded, try again later",
    "code": "SERVER",
    "status": 503,
    "requestId": "req-7f03",
}

_TOO_LONG: Final = {
    "message": "a prompt of 112,708 tokens and an answer of 8,192 exceed the 120,000 of this route",
    "code": "CONTEXT_WINDOW_EXCEEDED",
    "status": 400,
    "requestId": "req-91c2",
}


def demo() -> Tape:
    """One of everything, as a story."""
    tape = Tape("demo-flaky-login", percent={FLASH: 900, PRO: 1_096})
    _looking(tape)
    _counting(tape)
    _fixing_the_clock(tape)
    _asides(tape)
    _reaching_for_the_vendor(tape)
    _reminding(tape)
    _losing_the_provider(tape)
    _own_buckets(tape)
    shuffled = _shuffling(tape)
    _accounting(tape)
    _fixing_the_port(tape, shuffled)
    _compacting_by_hand(tape)
    _writing_it_up(tape)
    _parting(tape)
    return tape


def _looking(tape: Tape) -> None:
    """Turn 1: a streamed answer with three calls, whose results come back in another order."""
    tape.event("agent-preset/selected", {"agentPreset": "standard"})
    tape.event("sandbox/mode", {"mode": "workspace-write"})
    words = tape.prompt(
        prose(
            """
            The login tests are flaky: about one CI run in six goes red, always somewhere in
            tests/auth, and a re-run makes it green. Please find out why and fix it.

            Two rules:
            - Never touch vendor/. It is a verbatim copy of upstream; we diff it on every release.
            - No retries, no sleeps, no `flaky` markers. I want the cause gone, not the symptom.
            """
        ),
        after=2,
        injected=[
            snapshot("File policy: workspace-write. Approvals: ask. Network: only by approval."),
            instructions(AGENTS_MD),
        ],
    )
    tape.fallback_title("The login tests are flaky:", words)
    tape.request()
    calls = [
        tape.call("read", path="tests/auth/test_login.py"),
        tape.call("read", path="signpost/auth/session.py"),
        tape.call(
            "bash",
            command="git log --oneline -6 -- signpost/auth tests/auth",
            description="Recent changes",
        ),
    ]
    tape.answer(
        "I will start with the tests, the code behind them, and what changed there lately.",
        *calls,
        thinking="The rules are clear: vendor/ is off limits, and hiding the flake is no fix. "
        "These three reads do not depend on each other, so I can ask for them at once.",
        stream="packed",
    )
    tape.run(*calls)
    tests, session, log = calls
    tape.result(log, exited(_GIT_LOG), took=0.06)
    shown = _TEST_LOGIN_PY.count("\n") + 1
    tape.result(
        tests,
        f"{numbered(_TEST_LOGIN_PY)}\n[{shown} of {_TEST_LOGIN_LINES} lines]",
        took=0.01,
        meta=_seen("tests/auth/test_login.py", shown, _TEST_LOGIN_LINES),
    )
    shown = _SESSION_PY.count("\n") + 1
    tape.result(
        session,
        numbered(_SESSION_PY),
        took=0.01,
        meta=_seen("signpost/auth/session.py", shown, shown),
    )
    tape.step()
    plan = tape.call("todo_write", todos=progress(_TASKS, 0))
    tape.answer("Two suspects already. A plan, before I go on:", plan)
    tape.run(plan)
    tape.note_todos(plan, progress(_TASKS, 0))
    tape.step()
    tape.answer(
        prose(
            """
            Two things could fail now and then:

            1. `test_session_lives_fifteen_minutes` reads the clock twice. If a second ticks in
               between, it sees 899.
            2. `sign_in` takes from one `BUCKET` for the whole process. Whether a test gets in
               depends on which tests ran before it on the same worker, and since 41f07be there are
               two workers.

            Neither is proven yet.
            """
        ),
    )
    tape.end_turn()
    tape.provider_title("Finding the flaky login tests", words)


def _seen(path: str, shown: int, total: int) -> Json:
    """What the read tool tells the screen."""
    return {"path": path, "offset": 1, "lines": shown, "totalLines": total, "lang": "python"}


def _counting(tape: Tape) -> None:
    """Turn 2: a long result."""
    tape.prompt("Plausible. Now prove it: run them twenty times, and count.", after=71)
    tape.use(
        "Twenty runs on two workers, as in CI.",
        "bash",
        {"command": _TWENTY_TIMES, "description": "Run the suite twenty times"},
        exited(twenty_runs(ticked=(4, 11), refused=(8, 17))),
        took=131,
    )
    tape.step()
    done = tape.call("todo_write", todos=progress(_TASKS, 1))
    tape.answer("", done)
    tape.run(done)
    tape.note_todos(done, progress(_TASKS, 1))
    tape.step()
    tape.answer(
        "16 green, 4 red: the clock ticked in runs 4 and 11 (`assert 899 == 900`), and the rate "
        "limit refused `ada` in runs 8 and 17 (`TooManyAttempts`). Both suspects are guilty.",
    )
    tape.end_turn()


def _fixing_the_clock(tape: Tape) -> None:
    """Turn 3: an edit that fails, and one that does not."""
    tape.prompt(
        "Good. The clock first. `sign_in` must keep its signature for its callers; a keyword-only "
        "argument with a default is fine.",
        after=96,
    )
    tape.use(
        "I will pass a clock in.",
        "edit",
        {
            "path": "signpost/auth/session.py",
            "old_string": "now = int(time.time())",
            "new_string": "now = int(clock())",
        },
        "Error: old_string occurs 2 times in signpost/auth/session.py; it must occur once",
        took=0.01,
        failed=True,
    )
    tape.step()
    edits = (_IMPORT_CALLABLE, _PASS_A_CLOCK, _USE_A_CLOCK)
    calls = [edit.call(tape) for edit in edits]
    clock = tape.call("write", path="tests/auth/clock.py", content=_CLOCK_PY)
    tape.answer(
        "The line stands there twice, and both readings need the clock. I replace both functions, "
        "and write a clock for the tests.",
        *calls,
        clock,
    )
    tape.run(*calls, clock)
    for edit, call in zip(edits, calls, strict=True):
        edit.done(tape, call)
    tape.result(clock, "Wrote tests/auth/clock.py.", took=0.01)
    tape.step()
    tape.use(
        "Two hundred runs of the test that ticked.",
        "bash",
        {
            "command": "pytest -q --count 200 tests/auth/test_login.py -k fifteen_minutes",
            "description": "Run one test 200 times",
        },
        exited("200 passed, 3000 deselected in 9.84s"),
        took=11,
    )
    tape.step()
    tape.answer(
        "The clock is out of the tests: `sign_in(..., clock=time.time)` for callers, `FakeClock` "
        "for tests, 200 of 200 green.",
    )
    tape.end_turn()


def _asides(tape: Tape) -> None:
    """Turns 4 and 5: texts that try to act on a terminal, and texts that are hard to measure."""
    tape.prompt(
        f"Aside: since last week the CI summary shows `{MARKUP}` where there used to be colours. "
        "The raw log is in ci/logs/run-4181.log. Same cause?",
        after=140,
    )
    tape.use(
        "",
        "bash",
        {"command": "tail -n 16 ci/logs/run-4181.log", "description": "End of the CI log"},
        exited(_CI_LOG),
    )
    tape.step()
    tape.answer(
        "No. The reporter prints its markup without rendering it. The failure itself is our second "
        "suspect: `TooManyAttempts: ada`.",
        stream="plain",
        deltas=8,
    )
    tape.end_turn()
    tape.prompt(
        "Yuki in Tokyo writes: 「ログインのテストが時々失敗します。名前のせいでしょうか？」 She "
        f"suspects names like 山田太郎, her family account {FAMILY}, or the flag {FLAG} in hers. "
        "Is there anything in that?",
        after=205,
    )
    tape.use(
        "Easy to check.",
        "bash",
        {"command": "pytest -v tests/auth/test_names.py", "description": "Run the name tests"},
        exited(_NAMES_RUN),
        took=1.9,
    )
    tape.step()
    tape.answer(
        f"Nothing: all eight name tests pass, every time. 名前のせいではありません。 {FAMILY} and "
        f"{FLAG} sign in like anybody else.",
    )
    tape.end_turn()


def _reaching_for_the_vendor(tape: Tape) -> None:
    """Turn 6: the context fills, a summary forgets a rule, and the agent breaks it."""
    tape.prompt("Then go after the rate limit. Take your time, and read all you need.", after=64)
    tape.use(
        "First the lie of the land.",
        "bash",
        {"command": "find . -name '*.py' | xargs wc -l", "description": "Files and sizes"},
        exited(listing()),
    )
    tape.step()
    tape.use(
        "",
        "read",
        {"path": "signpost/auth/limits.py"},
        numbered(_LIMITS_PY),
    )
    tape.step()
    tape.use(
        "One bucket for the process. Which tests meet in it, when two workers share them out?",
        "bash",
        {"command": "pytest -v -n 2 --durations 20 tests/auth", "description": "Who runs where"},
        exited(caught_run(), 1),
        took=5.2,
    )
    tape.step()
    tape.use(
        "Caught in the act: the sixth sign-in as ada on gw1. Who else signs in as ada?",
        "grep",
        {"pattern": _WHO_SIGNS_IN, "path": "."},
        _grep_hits(),
    )
    tape.step()
    tape.use(
        "",
        "read",
        {"path": "vendor/limiter/bucket.py"},
        numbered(_BUCKET_PY),
    )
    tape.step()
    tape.compact(_FIRST_SUMMARY, keep=4)
    _blocked_edit(tape)
    tape.step()
    tape.interrupted(
        "The hook stops the edit tool, but not the shell. I will add `reset()` to vendor/limiter "
        "with a small script and"
    )
    tape.end_turn("aborted", reason={"kind": "user"})


_WHO_SIGNS_IN: Final = r"BUCKET|TooManyAttempts|sign_in\("


def _grep_hits() -> str:
    """Where the bucket is used, and by whom."""
    files = {
        "signpost/auth/limits.py": _LIMITS_PY,
        "signpost/auth/session.py": _SESSION_WITH_CLOCK,
        "tests/auth/test_login.py": _USE_A_CLOCK.of(_TEST_LOGIN_PY),
        "tests/auth/test_mail.py": _TEST_MAIL_PY,
    }
    hits = [
        f"{path}:{at}:{line}"
        for path, text in files.items()
        for at, line in enumerate(text.split("\n"), 1)
        if re.search(_WHO_SIGNS_IN, line)
    ]
    as_ada, as_grace = (
        f'sign_in("{user}", "{password}", store=store)'
        for user, password in (("ada", "correct horse"), ("grace", "battery staple"))
    )
    for at, name in enumerate(_TESTS["test_login"][5:]):
        line = _TEST_LOGIN_PY.count("\n") + 6 + at * 10
        hits.append(f"tests/auth/test_login.py:{line}:    session = {as_ada}  # test_{name}")
        if _REFUSED.endswith(name):
            hits.append(f"tests/auth/test_login.py:{line + 1}:    second = {as_ada}")
    for at, name in enumerate(_TESTS["test_limits"]):
        hits.append(f"tests/auth/test_limits.py:{12 + at * 7}:    {as_grace}  # test_{name}")
    for at in range(52):
        folder = ("accounts", "devices", "invites", "sessions")[at // 13]
        hits.append(f"tests/{folder}/test_pages.py:{30 + at % 13 * 23}:    session = {as_ada}")
    return "\n".join(hits)


def _blocked_edit(tape: Tape) -> None:
    """A hook refuses a call."""
    call = tape.call(
        "edit",
        path="vendor/limiter/bucket.py",
        old_string="    def take(self, key):",
        new_string="    def reset(self):\n        self._levels.clear()\n\n    def take(self, key):",
    )
    tape.answer(
        "The bucket has no way to be emptied between tests. I will give it one.",
        call,
    )
    tape.run(call)
    hook = {"turn": 6, "point": "PreToolUse", "handlerId": "claude-code:PreToolUse:1"}
    tape.event("hook/invoked", {**hook, "dialect": "claude-code", "matcher": "edit|write"})
    tape.wait(0.03)
    tape.event(
        "hook/result",
        {
            **hook,
            "decision": "block",
            "exitCode": 2,
            "stderrSummary": "vendor/ is a verbatim copy of upstream",
            "durationMs": 31.25,
        },
    )
    refusal = "Error: blocked by a hook: vendor/ is a verbatim copy of upstream"
    tape.result(call, refusal, took=0.01, failed=True)


def _reminding(tape: Tape) -> None:
    """Turn 7: the person says again what the summary lost."""
    tape.prompt(
        "Stop. Never touch vendor/: that was my first rule, and it still is, shell or no shell. It "
        "is not in your summary, so you cannot see it any more; now you can. Give every test a "
        "bucket of its own instead.",
        after=17,
    )
    tape.use(
        "You are right, and I am sorry: the rule was gone with the first part of our talk. No file "
        "in vendor/ was changed. Where do the fixtures live?",
        "read",
        {"path": "tests/conftest.py"},
        numbered(_CONFTEST_PY),
    )
    tape.step()
    tape.answer(
        "`sign_in` looks up `limits.BUCKET` when it is called. So a fixture can put a fresh bucket "
        "there for every test, and no file outside tests/ has to change. Shall I?",
    )
    tape.end_turn()


def _losing_the_provider(tape: Tape) -> None:
    """Turn 8: two retries do not help."""
    tape.prompt("Yes, please.", after=22)
    tape.failed_request(_OVERLOADED)
    for attempt in (1, 2):
        tape.retry(attempt, 2, _OVERLOADED)
        tape.failed_request(_OVERLOADED)
    tape.end_turn("error", error=_OVERLOADED)


def _own_buckets(tape: Tape) -> None:
    """Turn 9: another model goes on, with a cold cache."""
    tape.prompt(
        "The provider has a bad morning. I switched you to the larger model; go on.", after=190
    )
    tape.request("change", PRO)
    edits = (_IMPORT_LIMITS, _MAKE_A_BUCKET)
    calls = [edit.call(tape) for edit in edits]
    tape.answer("A fresh bucket for every test, asked for or not.", *calls)
    tape.run(*calls)
    for edit, call in zip(edits, calls, strict=True):
        edit.done(tape, call)
    tape.step()
    todos = tape.call("todo_write", todos=progress(_TASKS, 3))
    runs = tape.call(
        "bash",
        command=_TWENTY_TIMES,
        description="Run the suite twenty times again",
    )
    tape.answer("Twenty runs again, as before.", runs, todos)
    tape.run(runs, todos)
    tape.note_todos(todos, progress(_TASKS, 3))
    tape.result(runs, exited(twenty_runs()), took=127)
    tape.step()
    tape.answer("20 green, 0 red. Nobody shares a bucket any more.")
    tape.end_turn()


def _shuffling(tape: Tape) -> int:
    """Turn 10: an approval, and a result that is too long to be kept, whose seq is returned."""
    tape.prompt("Shuffle the order as well, so that we know.", after=45)
    install = tape.call(
        "bash", command="pip install pytest-randomly", description="Needs the network"
    )
    tape.answer("For that I need a plugin from the network.", install)
    tape.run(install)
    approval = {"id": "approval-1"}
    asked = {"toolName": "bash", "callId": install.id, "reason": "network access"}
    tape.event("approval/asked", {**approval, **asked})
    tape.wait(8.4)
    tape.event("approval/decided", {**approval, "outcome": "allowed-once"})
    tape.result(install, exited("Successfully installed pytest-randomly-3.16.0"), took=3.1)
    tape.step()
    long = tape.use(
        "Three orders, each test by name.",
        "bash",
        {
            "command": f"for s in {' '.join(map(str, _SEEDS))}; do "
            "pytest -v -n 2 -p randomly --randomly-seed=$s tests/auth; done",
            "description": "Three shuffled runs",
        },
        exited(shuffled_runs()),
        took=19,
    )
    tape.step()
    tape.answer("Three orders, 123 tests, all green.")
    tape.end_turn()
    return long


def _accounting(tape: Tape) -> None:
    """Turn 11: after lunch the provider's cache is cold."""
    tape.wait(52 * 60)
    tape.forget_cache()
    tape.prompt("Back from lunch. What have you changed so far, file by file?", after=30)
    tape.use(
        "",
        "bash",
        {"command": "git add --intent-to-add . && git diff", "description": "All changes"},
        exited(_diff()),
    )
    tape.step()
    tape.answer(
        prose(
            """
            - signpost/auth/session.py: `sign_in` and `is_fresh` take a `clock`, keyword-only and
              with a default.
            - tests/conftest.py: `bucket`, a fresh one for every test, asked for or not.
            - tests/auth/clock.py: new, `FakeClock`.
            - tests/auth/test_login.py: two tests use it.
            - vendor/: nothing at all.
            """
        ),
        stream="packed",
        deltas=9,
    )
    tape.end_turn()


def _diff() -> str:
    """The changes, as git shows them."""
    changes = {
        "signpost/auth/session.py": (_SESSION_PY, _SESSION_WITH_CLOCK),
        "tests/auth/clock.py": ("", _CLOCK_PY),
        "tests/auth/test_login.py": (_TEST_LOGIN_PY, _USE_A_CLOCK.of(_TEST_LOGIN_PY)),
        "tests/conftest.py": (_CONFTEST_PY, _CONFTEST_WITH_BUCKET),
    }
    rows: list[str] = []
    for path, (old, new) in changes.items():
        before, after = (text.split("\n") if text else [] for text in (old, new))
        rows.append(f"diff --git a/{path} b/{path}")
        rows += unified_diff(before, after, f"a/{path}", f"b/{path}", lineterm="")
    return "\n".join(rows)


def _fixing_the_port(tape: Tape, long: int) -> None:
    """Turn 12: a request is too long; a prune makes it fit, though a compaction fails."""
    tape.prompt(
        "CI is red once more: `OSError: [Errno 98] Address already in use`, in "
        "tests/auth/test_mail.py. Is that ours?",
        after=410,
    )
    search = tape.call("grep", pattern="8025", path=".")
    outbox = tape.call("read", path="signpost/mail/outbox.py")
    tests = tape.call("read", path="tests/auth/test_mail.py")
    tape.answer("A port, by the look of it.", search, outbox, tests)
    tape.run(search, outbox, tests)
    at = line_of("port=8025", _CONFTEST_WITH_BUCKET)
    hit = _CONFTEST_WITH_BUCKET.split("\n")[at - 1]
    tape.result(search, f"tests/conftest.py:{at}:{hit}")
    tape.result(outbox, numbered(_OUTBOX_PY), took=0.01)
    tape.result(tests, numbered(_TEST_MAIL_PY), took=0.01)
    tape.step()
    tape.use(
        "",
        "bash",
        {"command": _FIFTY_TIMES, "description": "How often does it collide"},
        exited(fifty_runs(collided=(13, 22, 41))),
        took=64,
    )
    tape.step()
    tape.failed_request(_TOO_LONG)
    tape.prune(long)
    failed = tape.begin_compaction()
    tape.wait(21)
    tape.end_compaction(failed, error="summary request failed: 503 upstream overloaded")
    edit = _ANY_PORT.call(tape)
    tape.answer(
        "Ours too: two workers meet on port 8025, 3 times in 50. With port 0 the system picks one.",
        edit,
    )
    tape.run(edit)
    _ANY_PORT.done(tape, edit)
    tape.step()
    tape.use(
        "",
        "bash",
        {"command": _FIFTY_TIMES, "description": "Fifty runs again"},
        exited(fifty_runs()),
        took=61,
    )
    tape.step()
    tape.answer(
        "50 of 50 green. That was the third cause: a fixed port, shared by two workers.",
    )
    tape.end_turn()


def _compacting_by_hand(tape: Tape) -> None:
    """Between turns 12 and 13: all of it goes, the first checkpoint and the cut result too."""
    tape.wait(33)
    command = {"commandId": "cmd-1"}
    wish = "keep my rules word for word, vendor/ above all"
    tape.event(
        "command/run", {**command, "name": "compact", "args": wish, "source": {"kind": "user"}}
    )
    tape.compact(_SECOND_SUMMARY, command="cmd-1", manual=True)
    tape.event("command/done", {**command, "kind": "success", "text": "Compacted."})


def _writing_it_up(tape: Tape) -> None:
    """Turns 13 to 15: a goal, calls within a call, a retry that helps, a workflow, the commits."""
    tape.event("goal/change", _goal("create", 1, "active"))
    tape.prompt("Now everything once, and then the changelog.", after=25)
    suite = tape.call("bash", command="pytest -q -n 2", description="The whole suite")
    vendor = tape.call("code", source="for folder in folders('vendor'): same(folder)")
    tape.answer("The suite, and whether vendor/ is still what upstream gave us.", suite, vendor)
    tape.run(suite, vendor)
    _compare_the_vendor(tape, vendor)
    tape.result(suite, exited("312 passed in 48.27s"), took=50)
    tape.event("plugin/audit-note", {"note": "suite green", "tests": 312}, ignorable=True)
    tape.steer("And thank Yuki in the changelog: she reported it first.")
    tape.failed_request(_OVERLOADED)
    tape.retry(1, 2, _OVERLOADED)
    tape.use(
        "312 green. The changelog, with Yuki in it:",
        "edit",
        {
            "path": "CHANGELOG.md",
            "old_string": "## Unreleased\n",
            "new_string": "## Unreleased\n\n- Login tests no longer fail now and then: every test "
            "has its own clock,\n  bucket and mail port. Reported by Yuki (ありがとう!).\n",
        },
        "Edited CHANGELOG.md.",
    )
    tape.step()
    tape.answer("All 312 tests pass, and the changelog thanks Yuki.")
    tape.end_turn()
    tape.prompt("A paragraph for the post-mortem: why did nobody notice for a year?", after=88)
    note = tape.call("write", path="docs/post-mortem-login.md", content=_POST_MORTEM)
    todos = tape.call("todo_write", todos=progress(_TASKS, 4))
    tape.answer("", note, todos, thinking="Causes, trigger, why a re-run hid it.")
    tape.run(note, todos)
    tape.result(note, "Wrote docs/post-mortem-login.md.", took=0.01)
    tape.note_todos(todos, progress(_TASKS, 4))
    tape.step()
    _proofreading(tape)
    tape.step()
    tape.answer(
        "It is in docs/post-mortem-login.md. In short: a re-run made it green, so nobody looked.",
    )
    tape.end_turn()
    tape.prompt("Well put. Commit it: the fix, and the words apart from it.", after=120)
    commit = tape.call(
        "bash",
        command="git add signpost tests && "
        "git commit -qm 'tests: own clock, bucket and port' && git add -A && "
        "git commit -qm 'docs: why the login tests were flaky' && "
        "git log --oneline -2 && git diff --stat HEAD~2 -- vendor",
        description="Two commits, and a look at vendor/",
    )
    todos = tape.call("todo_write", todos=progress(_TASKS, 5))
    tape.answer("", commit, todos)
    tape.run(commit, todos)
    tape.result(
        commit,
        exited(
            "f3b90c4 docs: why the login tests were flaky\n"
            "a6617d2 tests: own clock, bucket and port"
        ),
    )
    tape.note_todos(todos, progress(_TASKS, 5))
    tape.step()
    tape.answer("Two commits, a6617d2 and f3b90c4; vendor/ does not appear in either.")
    tape.end_turn()
    tape.event("goal/change", _goal("complete", 2, "complete"))


def _goal(operation: str, revision: int, phase: str) -> Json:
    """What the person wants to be told when it is so."""
    goal = {
        "id": "goal-1",
        "revision": revision,
        "objective": "the login tests are steady, and it is written down why they were not",
        "phase": phase,
        "maxGoalRounds": 4,
    }
    times = {"roundsStarted": 0, "createdAt": START, "updatedAt": START}
    return {
        "kind": "goal/change",
        "version": 1,
        "operation": operation,
        "goal": goal,
        **times,
    }


def _proofreading(tape: Tape) -> None:
    """Two agents of a workflow read what was written."""
    call = tape.call("workflow", run="proofread", path="docs/post-mortem-login.md")
    tape.answer("Two other pairs of eyes, before you read it.", call)
    tape.run(call)
    run = {"runId": "run-1"}
    tape.event("tool-workflow/run-start", {**run, "name": "proofread"})
    for number, label in enumerate(("Facts", "Style"), 1):
        agent = {"seq": number, "label": label, "phase": "Read", "childId": f"reader-{number}"}
        tape.event("tool-workflow/agent-start", {**run, **agent})
    for number, took in ((2, 4.1), (1, 3.7)):
        tape.wait(took)
        tape.event("tool-workflow/agent-end", {**run, "seq": number, "outcome": "completed"})
    tape.event("tool-workflow/run-end", {**run, "stopReason": "completed"})
    tape.result(call, "Facts: nothing to change. Style: nothing to change.")


def _compare_the_vendor(tape: Tape, root: Call) -> None:
    """The code of a call calls a tool for each folder."""
    of = {"rootCallId": root.id, "parentCallId": root.id}
    for number, folder in enumerate(("limiter", "qrcode"), 1):
        sub_call = {
            **of,
            "subCallId": f"{root.id}:code:{number}",
            "name": "bash",
            "arguments": {"command": f"git diff --quiet HEAD -- vendor/{folder}"},
        }
        tape.event("tool/code-dispatch-start", sub_call)
        content = [text_block(exited(""))]
        tape.event("tool/code-dispatch", {**sub_call, "isError": False, "content": content})
    tape.result(root, "limiter: same\nqrcode: same")


def _parting(tape: Tape) -> None:
    """Turn 16: a last answer."""
    tape.prompt("Thank you. Anything left that I should know?", after=35)
    tape.answer(
        "One thing: in production `BUCKET` is still shared by the whole process. That is right for "
        "one process, but a second one would let everybody try twice as often.",
        thinking="The limit is per process; that is worth saying.",
    )
    tape.end_turn()
    tape.event("feedback/record", {"text": "found all three, and owned up to the vendor/ slip"})
