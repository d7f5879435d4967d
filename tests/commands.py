"""The one way in which tests run a command line; nothing that it reads may be touched."""

import io
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

import pytest

from inspector.cli import demo_tape, main
from tests.guarding import guarded

SAMPLES = demo_tape().parent


class Done(NamedTuple):
    """A command line that ended."""

    code: int
    out: str
    err: str


def run(*words: str | Path) -> Done:
    """Run a command line in this process, its streams set up as those of a process are."""
    with guarded(*_paths(words)):
        return write(*words)


def write(*words: str | Path) -> Done:
    """Run a command line that is to write something; it finds the test's own data folder."""
    out = io.TextIOWrapper(io.BytesIO(), encoding="utf-8", write_through=True)
    err = io.TextIOWrapper(io.BytesIO(), "utf-8", "backslashreplace", write_through=True)
    with (
        redirect_stdout(out),
        redirect_stderr(err),
        pytest.raises(SystemExit) as end,
    ):
        main([str(word) for word in words])
    code = end.value.code
    assert isinstance(code, int)
    return Done(code, _written(out), _written(err))


def process(*words: str | Path, encoding: str = "utf-8") -> Done:
    """Run a command line in a process of its own; what it prints is strictly of the encoding."""
    with guarded(*_paths(words)):
        done = subprocess.run(
            [sys.executable, "-m", "inspector", *map(os.fsencode, words)],
            capture_output=True,
            check=False,
            env={**os.environ, "PYTHONIOENCODING": encoding},
        )
    return Done(done.returncode, done.stdout.decode(encoding), done.stderr.decode(encoding))


def shell(line: str) -> Done:
    """Run a line of the shell in which ``inspector`` is the program, on the sample tapes."""
    program = f"{sys.executable} -m inspector"
    with guarded(SAMPLES):
        done = subprocess.run(  # noqa: S602 - pipes and redirections are what it is about
            line.replace("inspector", program), shell=True, capture_output=True, check=False
        )
    return Done(done.returncode, done.stdout.decode(), done.stderr.decode())


def _paths(words: tuple[str | Path, ...]) -> list[Path]:
    """What a command line may read: every absolute path in it, and the bundled tape."""
    return [SAMPLES, *(Path(word) for word in words if Path(word).is_absolute())]


def _written(stream: io.TextIOWrapper) -> str:
    buffer = stream.buffer
    assert isinstance(buffer, io.BytesIO)
    return buffer.getvalue().decode()
