"""The command line: output, exit codes, one line per failure."""

import errno
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from inspector import __version__
from inspector.cli import COMMANDS, demo_tape, main

SAMPLES = Path(__file__).resolve().parents[1] / "sample_tapes"

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str]) -> Run:
    """Run a command line in this process: exit code, stdout, stderr."""

    def run_it(*words: str | Path) -> tuple[int, str, str]:
        with pytest.raises(SystemExit) as end:
            main([str(word) for word in words])
        out, err = capsys.readouterr()
        code = end.value.code
        assert isinstance(code, int)
        return code, out, err

    return run_it


def sample(name: str) -> Path:
    return SAMPLES / f"{name}.jsonl"


def document(run: Run, *words: str | Path) -> Any:
    code, out, _ = run(*words, "--json")
    assert code in (0, 1)
    return json.loads(out)


# The tape of ten events and its twin.


def test_ten_events_fold_to_four_messages_and_a_title(run: Run) -> None:
    shown = document(run, "show", sample("ten-events"))
    assert (shown["cursor"], shown["messages"], len(shown["surface"])) == (10, 4, 4)
    assert shown["state"]["title"]["value"]


def test_at_event_four_they_are_two_messages_and_no_title(run: Run) -> None:
    shown = document(run, "show", sample("ten-events"), "--at", "4")
    assert (shown["cursor"], shown["messages"]) == (4, 2)
    assert "title" not in shown["state"]
    assert shown["tape"]["events"] == 10


def test_the_twin_with_a_required_unknown_event_stops_after_six(run: Run) -> None:
    code, out, err = run("show", sample("ten-events-unknown"), "--json")
    shown = json.loads(out)
    assert code == 0
    assert (shown["cursor"], shown["reliable_to"]) == (10, 6)
    assert shown["surface"] == document(run, "show", sample("ten-events"), "--at", "6")["surface"]
    assert shown["verdict"]["opens"] is False
    assert "reliable to cursor 6" in err
    rows = document(run, "events", sample("ten-events-unknown"))
    assert [row["visibility"] for row in rows[6:]] == ["not-applied"] * 4


def test_past_the_unknown_event_the_fold_goes_on_when_told(run: Run) -> None:
    shown = document(run, "show", sample("ten-events-unknown"), "--past-unknown")
    assert shown["reliable_to"] == 6
    assert len(shown["surface"]) > len(
        document(run, "show", sample("ten-events-unknown"))["surface"]
    )


# Contracts of the documents.


def test_show_has_the_keys_of_the_contract(run: Run) -> None:
    shown = document(run, "show", sample("demo"))
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
    assert {"title", "model", "provider", "window", "todo"} == shown["state"].keys()


def test_events_has_the_keys_of_the_contract(run: Run) -> None:
    row = document(run, "events", sample("demo"), "--to", "1")[0]
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
    } == row.keys()


def test_check_has_the_keys_of_the_contract_and_its_sums_add_up(run: Run) -> None:
    for name in ("demo", "damaged-line", "torn-tail", "packed-rows"):
        checked = document(run, "check", sample(name))
        assert {"path", "tape", "sums", "findings", "verdict"} <= checked.keys()
        sums = checked["sums"]
        parts = ("carriers", "bookkeeping", "blank", "pending", "damaged")
        assert sums["records"] == sum(sums[part] for part in parts)
        assert sums["records"] == len(sample(name).read_bytes().splitlines())


def test_events_by_range_type_and_visibility(run: Run) -> None:
    rows = document(run, "events", sample("demo"), "--from", "10", "--to", "20")
    assert [row["event"] for row in rows] == list(range(10, 20))
    rows = document(run, "events", sample("demo"), "--type", "todo/write")
    assert {row["type"] for row in rows} == {"todo/write"}
    rows = document(run, "events", sample("demo"), "--visibility", "shadowed")
    assert {row["visibility"] for row in rows} == {"shadowed"}
    assert all(row["by"] is not None for row in rows)


def test_jsonl_prints_a_row_a_line(run: Run) -> None:
    _, out, _ = run("events", sample("ten-events"), "--jsonl")
    assert [json.loads(line)["event"] for line in out.splitlines()] == list(range(10))


def test_no_rows_are_an_empty_list(run: Run) -> None:
    assert document(run, "events", sample("ten-events"), "--type", "none") == []


def test_several_paths_are_a_list_and_the_worst_counts(run: Run) -> None:
    code, out, _ = run("check", sample("demo"), sample("damaged-line"), "--json")
    assert code == 1
    assert [checked["tape"]["id"] for checked in json.loads(out)][1] == "sample-damaged-line"


def test_one_bad_path_hides_no_other(run: Run, tmp_path: Path) -> None:
    code, out, err = run("check", tmp_path / "none", sample("demo"), "--json")
    assert code == 3
    assert len(json.loads(out)) == 1
    assert "does not exist" in err


@pytest.mark.parametrize("name", sorted(path.stem for path in SAMPLES.glob("*.jsonl")))
def test_every_sample_prints_as_text_without_a_control_byte(run: Run, name: str) -> None:
    for command in ("show", "events", "check"):
        code, out, err = run(command, sample(name))
        assert code in (0, 1)
        assert not [c for c in (out + err).replace("\n", "") if ord(c) < 32 or 127 <= ord(c) < 160]


def test_json_of_hostile_text_is_faithful_and_safe(run: Run) -> None:
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
def test_a_wrong_call_is_one_line_and_code_two(
    run: Run, words: tuple[str | Path, ...], message: str
) -> None:
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert message in err
    assert err.count("\n") == 1


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
        (b"hello\n", "not a session tape (dsh: line 1 is not a JSON object)"),
        (b"[1]\n", "not a session tape (dsh: line 1 is not a JSON object)"),
        (
            b'{"type":"session","version":3,"id":"x","timestamp":"t"}\n',
            "not a session tape (dsh: the header is that of another agent (timestamp))",
        ),
        (b'{"a":1}\n', "not a session tape (dsh: line 1 is neither a session header nor an event)"),
    ],
)
@pytest.mark.parametrize("command", ["show", "events", "check", "open"])
def test_what_cannot_be_read_is_one_line_and_code_three(
    run: Run, tmp_path: Path, command: str, content: bytes | None, reason: str
) -> None:
    path = made(tmp_path, content)
    assert run(command, path) == (3, "", f"inspector: {path}: {reason}\n")


def test_a_directory_and_a_fifo_are_refused_at_once(run: Run, tmp_path: Path) -> None:
    assert run("show", tmp_path) == (3, "", f"inspector: {tmp_path}: is a directory\n")
    os.mkfifo(tmp_path / "pipe")
    assert run("show", tmp_path / "pipe")[0] == 3


def test_no_permission_is_said(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = made(tmp_path, b"{}")

    def forbid(*_: object) -> int:
        # Nothing is forbidden to root, who may run this.
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr("inspector.tape.source.os.open", forbid)
    assert run("show", path) == (3, "", f"inspector: {path}: permission denied\n")


def test_a_hostile_file_name_is_cleaned(run: Run, tmp_path: Path) -> None:
    _, _, err = run("show", tmp_path / "a\x1b]0;x\x07\nb")
    assert err.count("\n") == 1
    assert "\x1b" not in err


def test_a_newer_version_shows_what_it_is(run: Run) -> None:
    code, out, err = run("show", sample("future-version"), "--json")
    assert code == 0
    assert json.loads(out)["tape"]["variant"] == "v99/jsonl"
    assert "newer than the supported 0" in err
    assert run("check", sample("future-version"))[0] == 1


def test_a_damaged_tape_shows_what_is_good_and_says_what_is_not(run: Run) -> None:
    code, out, err = run("show", sample("damaged-line"), "--json")
    assert code == 0
    assert json.loads(out)["surface"]
    assert "reliable to cursor 9" in err


# The process.


def process(*words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "inspector", *words], capture_output=True, text=True, check=False
    )


def test_version_and_help() -> None:
    assert process("--version").stdout == f"inspector {__version__}\n"
    listed = process("--help").stdout
    assert all(command.name in listed and command.help in listed for command in COMMANDS)
    for command in COMMANDS:
        assert "usage: inspector" in process(command.name, "--help").stdout


def test_a_reader_that_stops_reading_gets_no_traceback() -> None:
    line = f"{sys.executable} -m inspector events {sample('demo')} | head -1"
    done = subprocess.run(line, shell=True, capture_output=True, text=True, check=False)  # noqa: S602 - a pipe is what it is about
    assert done.stdout.count("\n") == 1
    assert done.stderr == ""


def test_nothing_is_written_by_reading(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "tape.jsonl"
    path.write_bytes(sample("torn-tail").read_bytes())
    path.chmod(0o400)
    before = (path.read_bytes(), path.stat().st_mtime_ns, sorted(tmp_path.iterdir()))
    for command in ("show", "events", "check"):
        run(command, path)
    assert (path.read_bytes(), path.stat().st_mtime_ns, sorted(tmp_path.iterdir())) == before


def test_the_demo_tape_is_there() -> None:
    assert demo_tape().is_file()


def test_a_disk_that_fails_is_one_line(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
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


@pytest.mark.parametrize("target", ["/dev/full"])
def test_a_full_disk_is_one_line(target: str) -> None:
    line = f"{sys.executable} -m inspector events {sample('demo')} > {target}"
    done = subprocess.run(line, shell=True, capture_output=True, text=True, check=False)  # noqa: S602
    assert done.returncode == 1
    assert done.stderr == "inspector: cannot write: No space left on device\n"


@pytest.mark.parametrize("encoding", ["latin-1", "ascii"])
def test_any_encoding_of_the_terminal_will_do(encoding: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "inspector", "show", str(sample("unicode"))],
        capture_output=True,
        check=False,
        env={**os.environ, "PYTHONIOENCODING": encoding},
    )
    assert done.returncode == 0
    assert done.stderr == b""
