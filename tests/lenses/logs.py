"""Generated logs of every format, as lenses see them: the whole one, and every one that is cut."""

import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from hypothesis import strategies as st

from inspector.formats.claude import FORMAT as CLAUDE
from inspector.formats.codex import FORMAT as CODEX
from inspector.formats.contract import Format, Options, Tape
from inspector.formats.deepchat import FORMAT as DEEPCHAT
from inspector.formats.dsh import FORMAT as DSH
from inspector.formats.reina import FORMAT as REINA
from inspector.formats.zero import FORMAT as ZERO
from inspector.tape.source import FileSource
from tests.folding import folded, opened
from tests.formats.claude import generated as claude
from tests.formats.claude import transcripts
from tests.formats.codex import generated as codex
from tests.formats.codex import tapes
from tests.formats.deepchat import databases
from tests.formats.deepchat import generated as deepchat
from tests.formats.dsh import generated as dsh
from tests.formats.reina import generated as reina
from tests.formats.reina import sessions as reina_sessions
from tests.formats.zero import generated as zero
from tests.formats.zero import sessions
from tests.lenses.plain import PlainLog
from tests.prefixes import pieces

Both = tuple[Tape, PlainLog]
"""A tape that is folded once, and the plain log of it."""


class Text:
    """A text of lines.

    Args:
        form: whose it is.
        lines: each with its end.
        headers: so many lines at the start hold no event.
        policy: the reader to follow.
    """

    def __init__(self, form: Format, text: bytes, policy: str, headers: int = 0) -> None:
        self._form = form
        self._lines = pieces(text)
        self._headers = headers
        self._options = Options(policy=policy)

    def __repr__(self) -> str:
        text = b"".join(self._lines).decode("utf-8", "replace")
        return f"{self._form.name} by {self._options.policy}:\n{text}"

    @contextmanager
    def both(self) -> Iterator[Both]:
        with tempfile.TemporaryDirectory() as folder:
            place = Path(folder)
            plain = PlainLog(self._cut(place))
            with self._opened(place / "whole.jsonl", len(self._lines)) as whole:
                yield whole, plain

    def _cut(self, folder: Path) -> Iterator[Tape]:
        for stop in range(self._headers + 1, len(self._lines) + 1):
            with self._opened(folder / "start.jsonl", stop) as start:
                yield start

    @contextmanager
    def _opened(self, path: Path, stop: int) -> Iterator[Tape]:
        path.write_bytes(b"".join(self._lines[:stop]))
        with folded(self._form.open(FileSource(path), self._options)) as tape:
            yield tape


class Rows:
    """A session of DeepChat: rows of a table."""

    def __init__(self, entries: Sequence[databases.Entry], policy: str) -> None:
        self._entries = entries
        self._policy = policy

    def __repr__(self) -> str:
        return f"deepchat by {self._policy}:\n" + "\n".join(map(repr, self._entries))

    @contextmanager
    def both(self) -> Iterator[Both]:
        with tempfile.TemporaryDirectory() as folder:
            path = databases.made(Path(folder, "agent.db"))
            plain = PlainLog(self._grown(path))
            with opened(path, databases.SESSION, self._policy) as whole:
                yield whole, plain

    def _grown(self, path: Path) -> Iterator[Tape]:
        for entry in self._entries:
            databases.append(path, [entry])
            with opened(path, databases.SESSION, self._policy) as start:
                yield start


MOST: Final = 16
"""Things that happen in one log, at the most."""


def texts(
    form: Format, written: st.SearchStrategy[bytes], headers: int = 0
) -> st.SearchStrategy[Text]:
    policies = st.sampled_from(form.policies)
    return st.builds(lambda text, policy: Text(form, text, policy, headers), written, policies)


LOGS: Final[dict[str, st.SearchStrategy[Text] | st.SearchStrategy[Rows]]] = {
    "dsh": texts(DSH, dsh.logs(damage=False, most=MOST), headers=1),
    "zero": texts(ZERO, zero.logs(MOST).map(sessions.written)),
    "claude": texts(CLAUDE, claude.transcripts(most=MOST).map(transcripts.written)),
    "codex": texts(
        CODEX, codex.logs(most=MOST).map(lambda records: tapes.text([tapes.meta(), *records])), 1
    ),
    "reina": texts(REINA, reina.logs(MOST).map(lambda records: reina_sessions.log(*records)), 1),
    "deepchat": st.builds(Rows, deepchat.logs(MOST), st.sampled_from(DEEPCHAT.policies)),
}
"""Logs of each format, whoever reads them."""
