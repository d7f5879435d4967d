"""A second tape: opened, folded and compared in a thread, and given back whoever comes first."""

import os
import shlex
from collections.abc import Sequence
from pathlib import Path
from threading import Lock

from inspector.formats.contract import OptionError, Options, SessionEntry, Tape
from inspector.formats.opening import SeveralSessionsError, open_tape, session_entries
from inspector.formats.registry import policies_of
from inspector.lenses.apart import apart
from inspector.lenses.parting import Pairs, parted, same_events
from inspector.tape.source import SourceError
from inspector.text.gate import clean_line
from inspector.ui.lenses.parting import PartingRows
from inspector.ui.lenses.parting_heads import Met

_NAMED = 60
_STRIDE = 256
"""Events between two words of how far the comparing is."""


class SecondTape:
    """Another tape beside the one of the visit.

    Args:
        first: the tape of the visit, which is left as it is.
        path: of the other.
        session: which of those that the path holds, or None.

    Attributes:
        doing: what is being done, in words.
    """

    def __init__(self, first: Tape, path: Path, session: str | None = None) -> None:
        self._first = first
        self._path = path
        self._session = session
        self._named = clean_line(path.name or str(path), _NAMED)
        self.doing = f"opening {self._named}"
        self._tape: Tape | None = None
        self._lock = Lock()
        self._busy = False
        self._left = False

    def meet(self) -> PartingRows | Sequence[SessionEntry] | str:
        """Open it, fold it and compare; once, in a thread.

        Returns:
            The answer; the sessions of the path, if it holds several; or why there is no answer.
        """
        with self._lock:
            if self._left:
                return ""
            self._busy = True
        answer: PartingRows | Sequence[SessionEntry] | str = ""
        try:
            answer = self._meet()
        except SeveralSessionsError as error:
            answer = error.entries
        except (SourceError, OptionError) as error:
            answer = str(error)
        finally:
            with self._lock:
                self._busy = False
                self._left = self._left or not isinstance(answer, PartingRows)
                self._give_back()
        return answer

    def leave(self) -> None:
        """Nobody looks at it any more: its files are closed, at once or when the thread is done."""
        with self._lock:
            self._left = True
            self._give_back()

    def _give_back(self) -> None:
        if self._left and not self._busy and self._tape is not None:
            self._tape.close()
            self._tape = None

    def _meet(self) -> PartingRows | str:
        first, policy = self._first, self._other_reader()
        tape = self._tape = open_tape(self._path, Options(session=self._session, policy=policy))
        while not self._left and tape.advance():
            self.doing = f"reading {self._named} {tape.progress:.0%}"
        heads = first.timeline.events, tape.timeline.events
        pairs = Pairs()
        for one, other in same_events(first, tape, heads):
            pairs.add(one, other)
            if not one % _STRIDE:
                self.doing = f"comparing {one / heads[0]:.0%}"
            if self._left:
                return ""
        found = parted(first, tape, heads, pairs)
        return PartingRows(Met(first, tape, found, apart(first, tape, found), self._command()))

    def _other_reader(self) -> str | None:
        """The owner's reader by which the first tape is read, where that is not the usual one."""
        identity = self._first.identity
        known = policies_of(identity.format)
        return None if not known or identity.policy == known[0] else identity.policy

    def _command(self) -> str:
        """The command that prints the same answer."""
        words = ["inspector", "diff", _short(self._first.identity.path), _short(self._path)]
        try:
            several = len(session_entries(self._first.identity.path)) > 1
        except (SourceError, OptionError):
            several = False
        if several and self._first.identity.id is not None:
            words += ["--session", self._first.identity.id]
        if self._session is not None:
            words += ["--session2", self._session]
        policy = self._other_reader()
        if policy is not None:
            words += ["--policy", policy]
        return clean_line(shlex.join(words), 400)


def _short(path: Path) -> str:
    """A path as one would write it from here."""
    try:
        short = os.path.relpath(path)
    except (OSError, ValueError):
        return str(path)
    return str(path) if short.startswith("..") else short
