"""The command line: output, exit codes, one line per failure."""

import errno
import json
import os
from pathlib import Path
from typing import Any

import pytest

from inspector import __version__
from inspector.cli import COMMANDS, demo_tape
from inspector.export import documents
from inspector.formats.contract import Tape
from tests.commands import SAMPLES, process, run, shell


def sample(name: str) -> Path:
    return SAMPLES / f"{name}.jsonl"


def document(*words: str | Path) -> Any:
    code, out, _ = run(*words, "--json")
    assert code in (0, 1)
    return json.loads(out)


# The tape of ten events and its twin.


def test_ten_events_fold_to_four_messages_and_a_title() -> None:
    shown = document("show", sample("ten-events"))
    assert (shown["cursor"], shown["messages"], len(shown["surface"])) == (10, 4, 4)
    assert shown["state"]["title"]["value"]


def test_at_event_four_they_are_two_messages_and_no_title() -> None:
    shown = document("show", sample("ten-events"), "--at", "4")
    assert (shown["cursor"], shown["messages"]) == (4, 2)
    assert "title" not in shown["state"]
    assert shown["tape"]["events"] == 10


def test_the_twin_with_a_required_unknown_event_stops_after_six() -> None:
    code, out, err = run("show", sample("ten-events-unknown"), "--json")
    shown = json.loads(out)
    assert code == 0
    assert (shown["cursor"], shown["reliable_to"]) == (10, 6)
    assert shown["surface"] == document("show", sample("ten-events"), "--at", "6")["surface"]
    assert shown["verdict"]["opens"] is False
    assert "reliable to cursor 6" in err
    rows = document("events", sample("ten-events-unknown"))
    assert [row["visibility"] for row in rows[6:]] == ["not-applied"] * 4


def test_past_the_unknown_event_the_fold_goes_on_when_told() -> None:
    shown = document("show", sample("ten-events-unknown"), "--past-unknown")
    assert shown["reliable_to"] == 6
    assert len(shown["surface"]) > len(document("show", sample("ten-events-unknown"))["surface"])


# Contracts of the documents.


def test_show_has_the_keys_of_the_contract() -> None:
    shown = document("show", sample("demo"))
    assert {
        "tape",
        "cursor",
        "settled",
        "reliable_to",
        "generation",
        "messages",
        "surface",
        "preamble",
        "replacements",
        "state",
        "open",
        "verdict",
    } <= shown.keys()
    assert {
        "id",
        "format",
        "variant",
        "policy",
        "path",
        "title",
        "events",
        "parent",
        "inherited",
    } <= shown["tape"].keys()
    assert {
        "node",
        "event",
        "seq",
        "id",
        "group",
        "role",
        "kind",
        "born",
        "carried",
        "meta",
        "sources",
        "tokens",
        "tokens_estimated",
        "preview",
    } <= shown["surface"][0].keys()
    assert {"title", "model", "provider", "window", "todo"} <= shown["state"].keys()


def test_events_has_the_keys_of_the_contract() -> None:
    row = document("events", sample("demo"), "--to", "1")[0]
    assert {
        "event",
        "seq",
        "id",
        "time",
        "type",
        "kind",
        "role",
        "visibility",
        "by",
        "line",
        "byte",
        "row",
        "preview",
    } <= row.keys()


def test_check_has_the_keys_of_the_contract_and_its_sums_add_up() -> None:
    for name in ("demo", "damaged-line", "torn-tail", "packed-rows"):
        checked = document("check", sample(name))
        assert {"path", "tape", "sums", "findings", "verdict"} <= checked.keys()
        sums = checked["sums"]
        parts = ("carriers", "bookkeeping", "blank", "pending", "damaged")
        assert sums["records"] == sum(sums[part] for part in parts)
        assert sums["records"] == len(sample(name).read_bytes().splitlines())


def test_events_by_range_type_and_visibility() -> None:
    rows = document("events", sample("demo"), "--from", "10", "--to", "20")
    assert [row["event"] for row in rows] == list(range(10, 20))
    rows = document("events", sample("demo"), "--type", "todo/write")
    assert {row["type"] for row in rows} == {"todo/write"}
    rows = document("events", sample("demo"), "--visibility", "shadowed")
    assert {row["visibility"] for row in rows} == {"shadowed"}
    assert all(row["by"] is not None for row in rows)


def test_jsonl_prints_a_row_a_line() -> None:
    _, out, _ = run("events", sample("ten-events"), "--jsonl")
    assert [json.loads(line)["event"] for line in out.splitlines()] == list(range(10))


def test_no_rows_are_an_empty_list() -> None:
    assert document("events", sample("ten-events"), "--type", "none") == []


def test_several_paths_are_a_list_and_the_worst_counts() -> None:
    code, out, _ = run("check", sample("demo"), sample("damaged-line"), "--json")
    assert code == 1
    assert [checked["tape"]["id"] for checked in json.loads(out)][1] == "sample-damaged-line"


def test_one_bad_path_hides_no_other(tmp_path: Path) -> None:
    code, out, err = run("check", tmp_path / "none", sample("demo"), "--json")
    assert code == 3
    assert len(json.loads(out)) == 1
    assert "does not exist" in err


@pytest.mark.parametrize("name", sorted(path.stem for path in SAMPLES.glob("*.jsonl")))
def test_every_sample_prints_as_text_without_a_control_byte(name: str) -> None:
    for command in ("show", "events", "check"):
        code, out, err = run(command, sample(name))
        assert code in (0, 1)
        assert not [c for c in (out + err).replace("\n", "") if ord(c) < 32 or 127 <= ord(c) < 160]


def test_json_of_hostile_text_is_faithful_and_safe() -> None:
    _, out, _ = run("show", sample("hostile"), "--json")
    assert not [c for c in out.replace("\n", "") if ord(c) < 32 or 127 <= ord(c) < 160]
    assert "\u202e" not in out


# Calls that are wrong, and paths that are none.


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (("show",), "the following arguments are required: PATH"),
        (("show", sample("demo"), "--at", "435"), "cursor 435 is beyond the head, 434"),
        (("show", sample("demo"), "--at", "nowhere"), "'nowhere' is no place"),
        (("events", sample("demo"), "--visibility", "seen"), "--visibility is one of visible,"),
        (("show", sample("demo"), "--policy", "nope"), "no such policy: nope; dsh has dsh"),
        (("show", sample("demo"), "--session", "x"), "no such session: x; it holds demo-flaky"),
        (("show", ""), "the path is empty"),
        (("show", sample("demo"), "--bogus"), "unrecognized arguments: --bogus"),
        ((sample("demo"),), "the full screen needs a terminal"),
        (("demo",), "the full screen needs a terminal"),
    ],
)
def test_a_wrong_call_is_one_line_and_code_two(words: tuple[str | Path, ...], message: str) -> None:
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


def test_a_fault_of_the_program_is_one_line_and_hides_no_other_tape(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read = documents.check

    def broken(tape: Tape) -> dict[str, Any]:
        if "demo" in str(tape.identity.path):
            raise IndexError
        return read(tape)

    monkeypatch.setattr(documents, "check", broken)
    code, out, err = run("check", sample("demo"), sample("ten-events"))
    assert code == 3
    assert "Counting the tests" in out
    assert "a fault of this program, please report it: IndexError at test_cli.py:" in err
    assert err.count("\n") == 1
    monkeypatch.setattr(documents, "show", broken)
    code, out, err = run("show", sample("demo"))
    assert (code, out, err.count("\n")) == (3, "", 1)


def made(tmp_path: Path, content: bytes | None) -> Path:
    path = tmp_path / "tape.jsonl"
    if content is not None:
        path.write_bytes(content)
    return path


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "does not exist"),
        (b"", "empty file (0 bytes)"),
        (b"\n\n", "nothing but 2 blank lines"),
        (b"hello\n", "not a session tape: text that is not JSON (line 1: hello)"),
        (b"[1]\n", "not a session tape: one JSON document, not a record a line"),
        (b'{"a":1}\n', "not a session tape: one JSON document, not a record a line (keys a)"),
    ],
)
@pytest.mark.parametrize("command", ["show", "events", "check", "open"])
def test_what_cannot_be_read_is_one_line_and_code_three(
    tmp_path: Path, command: str, content: bytes | None, reason: str
) -> None:
    path = made(tmp_path, content)
    code, out, err = run(command, path)
    # Behind it stands what single formats say of it.
    assert err.startswith(f"inspector: {path}: {reason}")
    assert (code, out, err.count("\n")) == (3, "", 1)


def test_a_directory_and_a_fifo_are_refused_at_once(tmp_path: Path) -> None:
    reason = "is a directory without a session file (0 names in it)"
    assert run("show", tmp_path) == (3, "", f"inspector: {tmp_path}: {reason}\n")
    os.mkfifo(tmp_path / "pipe")
    assert run("show", tmp_path / "pipe")[0] == 3


def test_no_permission_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = made(tmp_path, b"{}")

    open_file = os.open

    def forbid(name: Any, *words: Any, **more: Any) -> int:
        # Nothing is forbidden to root, who may run this.
        if name == path:
            raise PermissionError(errno.EACCES, "Permission denied")
        return open_file(name, *words, **more)

    monkeypatch.setattr("inspector.tape.source.os.open", forbid)
    assert run("show", path) == (3, "", f"inspector: {path}: permission denied\n")


def test_a_hostile_file_name_is_cleaned(tmp_path: Path) -> None:
    _, _, err = run("show", tmp_path / "a\x1b]0;x\x07\nb")
    assert err.count("\n") == 1
    assert "\x1b" not in err


def test_a_newer_version_shows_what_it_is() -> None:
    code, out, err = run("show", sample("future-version"), "--json")
    assert code == 0
    assert json.loads(out)["tape"]["variant"] == "v99/jsonl"
    assert "newer than the supported 0" in err
    assert run("check", sample("future-version"))[0] == 1


def test_a_damaged_tape_shows_what_is_good_and_says_what_is_not() -> None:
    code, out, err = run("show", sample("damaged-line"), "--json")
    assert code == 0
    assert json.loads(out)["surface"]
    assert "reliable to cursor 9" in err


# The process.


def test_version_and_help() -> None:
    assert process("--version").out == f"inspector {__version__}\n"
    listed = process("--help").out
    assert all(command.name in listed and command.help in listed for command in COMMANDS)
    for command in COMMANDS:
        assert "usage: inspector" in process(command.name, "--help").out


def test_a_reader_that_stops_reading_gets_no_traceback() -> None:
    done = shell(f"inspector events {sample('demo')} | head -1")
    assert done.out.count("\n") == 1
    assert done.err == ""


def test_a_tape_that_nobody_may_write_to_is_read(tmp_path: Path) -> None:
    path = made(tmp_path, sample("torn-tail").read_bytes())
    path.chmod(0o400)
    for command in ("show", "events", "check"):
        assert run(command, path).code == 0


def test_the_demo_tape_is_there() -> None:
    assert demo_tape().is_file()


def test_a_disk_that_fails_is_one_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = made(tmp_path, sample("demo").read_bytes())
    pread, calls = os.pread, []

    def failing(descriptor: int, length: int, offset: int) -> bytes:
        calls.append(offset)
        if len(calls) > 1:
            raise OSError(errno.EIO, "Input/output error")
        return pread(descriptor, length, offset)

    monkeypatch.setattr("inspector.tape.source.os.pread", failing)
    code, _, err = run("show", path)
    assert code == 3
    assert "cannot be read at byte" in err
    assert err.count("\n") == 1


def test_a_full_disk_is_one_line() -> None:
    done = shell(f"inspector events {sample('demo')} > /dev/full")
    assert done == (1, "", "inspector: cannot write: No space left on device\n")


@pytest.mark.parametrize("encoding", ["latin-1", "ascii"])
def test_any_encoding_of_the_terminal_will_do(encoding: str) -> None:
    done = process("show", sample("unicode"), encoding=encoding)
    assert (done.code, done.err) == (0, "")
    assert "\\u" in done.out


# No event to print.


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--type", "nope"), "no event of type 'nope'; there are agent-preset/selected, "),
        (("--type", "team/member"), "no event of type 'team/member'; there are "),
        (("--from", "40", "--to", "30"), "no event stands between cursor 40 and 30: the first is"),
        (("--visibility", "pruned", "--to", "3"), "no such event between cursor 0 and 3"),
    ],
)
def test_no_event_at_all_is_said(words: tuple[str, ...], why: str) -> None:
    for form, nothing in ((), ""), (("--json",), "[]\n"), (("--jsonl",), ""):
        code, out, err = run("events", sample("demo"), *words, *form)
        assert (code, out) == (0, nothing)
        assert why in err
        assert len(err.splitlines()) == 1


def test_a_tape_without_events_is_no_matter_for_a_complaint() -> None:
    assert run("events", sample("header-only")) == (0, "", "")
