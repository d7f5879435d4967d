"""The guard behind which every test runs a command or drives the screen: reading writes nothing.

Not to a tape, nor to its folder (no ``-wal``, ``-shm``, lock, cache or temporary file beside it),
nor to the home of the person.
"""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from tests.untouched import Entry, snapshot

_HOMES = ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME")


class Guard:
    """What some folders held when somebody last looked."""

    def __init__(self, folders: Iterable[Path]) -> None:
        self._folders = sorted(folders)
        self._before = self._now()

    def _now(self) -> dict[str, Entry]:
        found: dict[str, Entry] = {}
        for folder in self._folders:
            found |= snapshot(folder)
        return found

    def check(self) -> None:
        """Fail if anything was made, deleted or changed."""
        now = self._now()
        assert now == self._before, _differences(self._before, now)

    def renew(self) -> None:
        """Hold what is there now to be what was before."""
        self._before = self._now()


_standing: list[Guard] = []


@contextmanager
def guarded(*paths: Path) -> Iterator[None]:
    """Assert that what happens inside leaves the folders of these paths and the home untouched.

    A path need not exist, and then must not come to be; a folder stands for all below it.
    """
    folders = {path if path.is_dir() else path.parent for path in paths}
    with TemporaryDirectory() as home, patch.dict(os.environ, dict.fromkeys(_HOMES, home)):
        guard = Guard({folder for folder in folders if folder.is_dir()} | {Path(home)})
        _standing.append(guard)
        try:
            yield
        finally:
            _standing.remove(guard)
        guard.check()


@contextmanager
def changing() -> Iterator[None]:
    """What the test itself changes inside, as the writer of the tape would, is not held against us.

    Up to here everything must have been left alone.
    """
    for guard in _standing:
        guard.check()
    yield
    for guard in _standing:
        guard.renew()


def _differences(before: dict[str, Entry], now: dict[str, Entry]) -> str:
    changed = [path for path in before.keys() & now.keys() if before[path] != now[path]]
    words = {
        "made": now.keys() - before.keys(),
        "deleted": before.keys() - now.keys(),
        "changed": changed,
    }
    return "; ".join(f"{word}: {sorted(paths)}" for word, paths in words.items() if paths)
