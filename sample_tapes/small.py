"""Small tapes, one thing each."""

from collections.abc import Callable
from typing import Final

from sample_tapes.writing import (
    AGENTS_MD,
    FAMILY,
    FLAG,
    FLASH,
    HOSTILE,
    MARKUP,
    Tape,
    begun,
    exited,
    instructions,
    progress,
    snapshot,
    text_block,
)


def compaction() -> Tape:
    """One compaction inside a turn; the last call and its result are kept."""
    tape = begun(
        "sample-compaction", "Which modules import signpost.clock? Do not change anything."
    )
    tape.use(
        "I will search for it.",
        "grep",
        {"pattern": "import.*clock", "path": "signpost"},
        "\n".join(f"signpost/{name}.py:3:from signpost import clock" for name in _MODULES),
    )
    tape.step()
    tape.use(
        "",
        "bash",
        {"command": "git log -1 --format=%cs -- signpost/clock.py", "description": "Its age"},
        exited("2025-11-04"),
    )
    tape.step()
    tape.compact(
        f"Asked which modules import signpost.clock, without changes. Found {len(_MODULES)}.",
        keep=2,
    )
    tape.answer(f"{len(_MODULES)} modules import it; it was last changed on 2025-11-04.")
    tape.end_turn()
    return tape


_MODULES: Final = ("api/health", "auth/limits", "auth/session", "mail/outbox", "web/cookies")


def nested_compaction() -> Tape:
    """Two compactions; the second swallows the checkpoint of the first."""
    tape = begun("sample-nested-compaction", "Count the tests in tests/auth.")
    count_tests = {"command": "pytest -q --collect-only tests/auth", "description": "Count tests"}
    tape.use("", "bash", count_tests, exited("41 tests collected in 0.31s"))
    tape.step()
    tape.answer("There are 41.")
    tape.end_turn()
    tape.compact("tests/auth holds 41 tests.", manual=True)
    tape.prompt("Remember as well that tests/mail holds 17.")
    tape.answer("I will.")
    tape.end_turn()
    tape.compact("tests/auth holds 41 tests and tests/mail 17.", manual=True)
    tape.prompt("How many is that together?")
    tape.answer("58.")
    tape.end_turn()
    return tape


def failed_compaction() -> Tape:
    """A compaction that fails, and so hides nothing."""
    tape = begun("sample-failed-compaction", "What does `make lint` run?")
    tape.use("", "grep", {"pattern": "^lint", "path": "Makefile"}, "Makefile:14:lint: ruff mypy")
    tape.step()
    failed = tape.begin_compaction()
    tape.wait(12)
    tape.end_compaction(failed, error="summary request failed: 503 overloaded")
    tape.answer("Ruff, then mypy.")
    tape.end_turn()
    return tape


def open_compaction() -> Tape:
    """A compaction that began and never ended: the agent was gone before the summary came."""
    tape = begun("sample-open-compaction", "What does `make docs` run?")
    tape.answer("It runs mkdocs build with --strict.")
    tape.end_turn()
    tape.begin_compaction(manual=True)
    return tape


def prune() -> Tape:
    """A result of ten thousand characters whose middle is cut out afterwards."""
    tape = begun("sample-prune", "Print the factor table, then tell me its last line.")
    table = "\n".join(f"{n:>4} x 37 = {n * 37:>6}    {n:>4} x 41 = {n * 41:>6}" for n in range(270))
    command = {"command": "python tools/factors.py", "description": "Print the table"}
    long = tape.use("", "bash", command, exited(table))
    tape.step()
    tape.answer("269 x 37 = 9953 and 269 x 41 = 11029.")
    tape.end_turn()
    tape.prune(long)
    tape.prompt("Thank you. And the first?")
    tape.answer("0 x 37 = 0 and 0 x 41 = 0; the middle of the table is no longer before me.")
    tape.end_turn()
    return tape


def parallel_calls() -> Tape:
    """Three calls in one answer, whose results come back in another order."""
    tape = begun("sample-parallel-calls", "Which Python, which pytest, and is the tree clean?")
    calls = [
        tape.call("bash", command="sleep 2; python --version", description="Slow"),
        tape.call("bash", command="pytest --version", description="Medium"),
        tape.call("bash", command="git status --short", description="Fast"),
    ]
    tape.answer("I will ask for all three at once.", *calls)
    tape.run(*calls)
    slow, medium, fast = calls
    tape.result(fast, exited(""), took=0.02)
    tape.result(slow, exited("Python 3.11.9"), took=2.1)
    tape.result(medium, exited("pytest 8.4.2"), took=0.3)
    tape.step()
    tape.answer("Python 3.11.9, pytest 8.4.2, and the tree is clean.")
    tape.end_turn()
    return tape


def packed_rows() -> Tape:
    """Packed rows of all three kinds: 12 of the events stand in three records."""
    tape = begun("sample-packed-rows", "How long is the changelog?")
    call = tape.call("bash", command="wc -l CHANGELOG.md", description="Count lines")
    tape.answer(
        "I will count its lines.",
        call,
        thinking="A line count will do; there is no need to read it.",
        stream="packed",
        deltas=4,
    )
    tape.run(call)
    tape.result(call, exited("212 CHANGELOG.md"))
    tape.step()
    tape.answer("212 lines.")
    tape.end_turn()
    return tape


def interrupted() -> Tape:
    """A person stops an answer in the middle, and asks for less."""
    tape = begun("sample-interrupted", "Explain the login flow.")
    tape.interrupted(
        "Certainly. To understand the login flow one must first look at the history of"
    )
    tape.end_turn("aborted", reason={"kind": "user"})
    tape.prompt("In one sentence.", after=6)
    tape.answer("The form posts to /login, which checks the limit, then the password, then signs.")
    tape.end_turn()
    return tape


def errors() -> Tape:
    """A failed tool result, a retry that helps, and a turn that a dead provider ends."""
    overloaded = {"message": "upstream overloaded", "code": "SERVER", "status": 503}
    tape = begun("sample-errors", "Show me settings.toml.")
    missing = "Error: settings.toml: no such file"
    tape.use("", "read", {"path": "settings.toml"}, missing, failed=True)
    tape.step()
    tape.failed_request(overloaded)
    tape.retry(1, 1, overloaded)
    tape.answer("There is no settings.toml in this folder.")
    tape.end_turn()
    tape.prompt("Then look for any .toml file.")
    tape.failed_request(overloaded)
    tape.retry(1, 1, overloaded)
    tape.failed_request(overloaded)
    tape.end_turn("error", error=overloaded)
    return tape


def todo() -> Tape:
    """A todo list that is written four times, until all of it is done."""
    items = ("Find the typo", "Fix it", "Run the doctests")
    tape = begun("sample-todo", "There is a typo in README.md. Fix it and run the doctests.")
    for done, say in enumerate(("Three steps.", "Found: 'recieve'.", "Fixed.", "All green.")):
        call = tape.call("todo_write", todos=progress(items, done))
        tape.answer(say, call)
        tape.run(call)
        tape.note_todos(call, progress(items, done))
        tape.step()
    tape.answer("The typo is fixed and the doctests pass.")
    tape.end_turn()
    return tape


def injected_context() -> Tape:
    """What plugins put before a person's words: policies, instructions, skills, a notice."""
    skills = {"text": "Skills: release-notes, db-migration.", "source": {"kind": "skill-catalog"}}
    notice = {
        "text": "README.md was changed on disk since you read it.",
        "source": {
            "kind": "plugin",
            "plugin": "@deepseek-ai/dsh-file-watch",
            "form": "notice",
            "summary": "README.md changed",
        },
    }
    before = [snapshot("File policy: workspace-write."), instructions(AGENTS_MD), skills]
    tape = begun("sample-injected-context", "What is this project?", before)
    tape.answer("A small login service, with its tests beside it.")
    tape.end_turn()
    tape.prompt("Has its README changed?", injected=[notice])
    tape.answer("Yes, on disk, since I read it.")
    tape.end_turn()
    return tape


def unicode() -> Tape:
    """Texts that are hard to measure and to cut: wide, joined, combining, right to left."""
    tape = begun(
        "sample-unicode",
        f"ログインは動きますか？ 用户名是 山田太郎，家庭 {FAMILY}，国旗 {FLAG}。 한국어도 됩니까?",
    )
    tape.use(
        "確認します。",
        "bash",
        {"command": "python tools/names.py", "description": "名前を表示する"},
        exited(
            "\n".join(
                (
                    "wide      山田太郎 ｶﾞｷﾞｸﾞ ＡＢＣ",
                    f"joined    {FAMILY} \N{THUMBS UP SIGN}\N{EMOJI MODIFIER FITZPATRICK TYPE-5}",
                    f"flags     {FLAG}{FLAG}",
                    "combining e\N{COMBINING ACUTE ACCENT} z\N{COMBINING CARON}",
                    "hebrew    שלום עולם",
                    "arabic    مرحبا بالعالم",
                    "thai      สวัสดี",
                )
            )
        ),
    )
    tape.step()
    tape.answer(f"はい、動きます。 {FAMILY}{FLAG}")
    tape.end_turn()
    return tape


def hostile() -> Tape:
    """Terminal escapes in a result, and markup in a person's words; none of it may act."""
    tape = begun("sample-hostile", f"The log shows {MARKUP} instead of colours. Why?")
    command = {"command": "tail ci.log", "description": f"See why {MARKUP} is there"}
    tape.use("", "bash", command, exited(HOSTILE))
    tape.step()
    tape.answer("The reporter escapes its markup. The rest of the log is raw terminal codes.")
    tape.end_turn()
    return tape


def unknown_ignorable() -> Tape:
    """An event of a plugin that nobody here knows, and that says itself it may be ignored."""
    tape = begun("sample-unknown-ignorable", "Is the build green?")
    tape.event("plugin/build-badge", {"state": "green", "run": 4_181}, ignorable=True)
    tape.answer("Yes, since run 4181.")
    tape.end_turn()
    return tape


def rejected_event() -> Tape:
    """A second summary for messages that were summed up already: refused, and life goes on."""
    tape = begun("sample-rejected-event", "Is port 8025 free?")
    tape.answer("Yes.")
    tape.end_turn()
    tape.compact("Port 8025 is free.", manual=True)
    hidden = 4  # the prompt, which is not on the surface any more
    tape.event(
        "user/message",
        {
            "id": "checkpoint-of-a-late-writer",
            "role": "user",
            "content": [text_block("Port 8025 was asked for, and is free.")],
            "source": {"kind": "plugin", "plugin": "compact", "compactionId": "cmp-late"},
        },
        sources=[10, 11, hidden],
        surface={"op": "replace", "start": hidden, "end": hidden},
    )
    tape.prompt("And 8026?")
    tape.answer("Also free.")
    tape.end_turn()
    return tape


def open_turn() -> Tape:
    """The agent died, or still runs: the turn is open and one of two calls is unanswered."""
    tape = begun("sample-open-turn", "Build the wheel and tell me its size.")
    calls = [
        tape.call("bash", command="git describe --tags", description="Which version"),
        tape.call("bash", command="python -m build --wheel", description="Build"),
    ]
    tape.answer("First the version, and the build beside it.", *calls)
    tape.run(*calls)
    tape.result(calls[0], exited("v2.3.0-14-g8c1d2aa"))
    return tape


def torn_tail() -> bytes:
    """The last line ends in its middle, as when a disk is full or a writer is at work."""
    tape = begun("sample-torn-tail", "Say hello.")
    tape.answer("Hello.")
    tape.end_turn()
    last = tape.lines[-1]
    return tape.done()[: -len(last) // 2]


def damaged_line() -> bytes:
    """A line in the middle is no longer JSON, so that one event, a tool result, is lost."""
    tape = begun("sample-damaged-line", "Which branch is this?")
    tape.use(
        "",
        "bash",
        {"command": "git branch --show-current", "description": "Ask git"},
        exited("fix/flaky-login"),
    )
    damaged = len(tape.lines) - 1
    tape.step()
    tape.answer("fix/flaky-login.")
    tape.end_turn()
    line = tape.lines[damaged]
    third = len(line) // 3
    tape.lines[damaged] = line[:third] + b"#" * third + line[2 * third :]
    return tape.done()


def header_only() -> Tape:
    """A session in which nothing has happened yet."""
    return Tape("sample-header-only")


def future_version() -> Tape:
    """A log that says it was written by a much later agent."""
    tape = Tape("sample-future-version", version=99)
    tape.prompt("Hello from the future.", after=0)
    tape.answer("Nobody before version 99 can read this.")
    tape.end_turn()
    return tape


def ten_events(seventh: Callable[[Tape], object] | None = None) -> Tape:
    """Ten events that come to four messages and a title.

    After four events there are two messages and no title yet.

    Args:
        seventh: writes another event in the place of the title.
    """
    tape = Tape("sample-ten-events")
    tape.turn()
    tape.step()
    tape.context(snapshot("File policy: read-only."))
    tape.say("How many tests are there?")
    call = tape.call("bash", command="pytest -q --collect-only", description="Count tests")
    tape.answer("I will count them.", call)
    tape.run(call)
    if seventh is None:
        source = {"kind": "provider", "provider": "llm", "model": FLASH}
        title = {"title": "Counting the tests", "messageSeqs": [3], "source": source}
        tape.event("session/title", title)
    else:
        seventh(tape)
    tape.result(call, exited("58 tests collected in 0.40s"), took=0.9)
    # The person has seen what they wanted and stops the turn.
    tape.end_turn("aborted", reason={"kind": "user"})
    return tape


def ten_events_unknown() -> Tape:
    """The same ten events, but for the seventh, which nobody here knows and which is required."""
    return ten_events(lambda tape: tape.event("plugin/branch-switch", {"branch": "experiment"}))


def lives() -> Tape:
    """A fork that was resumed twice: what it inherited, what it did before, what it does now."""
    tape = Tape("sample-lives", parentSession="sample-lives-parent", seedLength=10)
    tape.prompt("Name one thing that is still open.", after=0)
    tape.request()
    tape.answer("The changelog.")
    tape.end_turn()
    tape.event("session/end-seed", {})
    tape.prompt("Then write it.", after=3_600)
    call = tape.call("write", path="CHANGELOG.md", content="## Unreleased\n")
    tape.answer("", call)
    tape.run(call)
    tape.result(call, "Wrote CHANGELOG.md.")
    tape.step()
    tape.answer("It is written.")
    tape.end_turn()
    tape.event("session/end-seed", {})
    tape.prompt("What is left?", after=86_400)
    tape.answer("Nothing.")
    tape.end_turn()
    tape.event("session/end-seed", {})
    tape.prompt("Good. Good night.", after=43_200)
    tape.answer("Good night.")
    tape.end_turn()
    return tape


def recovered() -> bytes:
    """What a bad disk and careless writers left: all is read but the torn start of one event."""
    tape = begun("sample-recovered", "What does the log say?")
    tape.use("", "read", {"path": "ci/log"}, "GREEN \x01 caf\N{LATIN SMALL LETTER E WITH ACUTE}")
    tape.step()
    tape.event("plugin/disk-note", {"free": 0}, ignorable=True)
    tape.answer("Green.")
    tape.end_turn()
    tape.event("feedback/record", {"text": "fine", "run": 4_181})
    header, *events = tape.lines
    first, second, third, fourth, *others = events
    events = [
        b"\xef\xbb\xbf" + first,
        b"\0" * 64 + second,
        third.rstrip(b"\n") + fourth,
        *others,
    ]
    return header + b"".join(map(_worn, events))


def _worn(line: bytes) -> bytes:
    """A line as it was left."""
    if b"disk-note" in line:
        torn = line[: len(line) // 2]
        return torn + line
    line = line.replace(b"\\u0001", b"\x01").replace(
        "\N{LATIN SMALL LETTER E WITH ACUTE}".encode(), b"\xe9"
    )
    line = line.replace(b'"text":"fine"', b'"text":"bad","text":"fine"')
    return line.replace(b"4181", b"418100000000000000000000")
