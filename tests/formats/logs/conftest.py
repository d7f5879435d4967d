"""Opens tapes of notes, closes them behind the test, and holds that reading wrote nothing."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from inspector.formats.logs.tape import LogTape
from tests.formats.logs.tiny import RowTape, TextTape, fold_on, of_file
from tests.guarding import changing, guarded


class Shelf:
    """A guarded folder, and the tapes that are open on its files."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._open: list[LogTape] = []

    def write(self, data: bytes, name: str = "notes.jsonl") -> Path:
        """A file, as its writer makes it."""
        path = self.folder / name
        with changing():
            path.write_bytes(data)
        return path

    def append(self, path: Path, data: bytes) -> None:
        """More of a file, as its writer adds it."""
        with changing(), path.open("ab") as file:
            file.write(data)

    def opened(self, data: bytes, *, whole_tail: bool = False) -> TextTape:
        """A text as a tape of which nothing is folded."""
        tape = of_file(self.write(data), whole_tail=whole_tail)
        self._open.append(tape)
        return tape

    def folded(self, data: bytes, *, whole_tail: bool = False) -> TextTape:
        """A text as a tape that is folded to its end."""
        tape = self.opened(data, whole_tail=whole_tail)
        fold_on(tape)
        return tape

    def rows(self, path: Path, *tables: str) -> RowTape:
        """A database as a tape of which nothing is folded."""
        tape = RowTape(path, *tables)
        self._open.append(tape)
        return tape

    def keep(self, tape: TextTape) -> TextTape:
        """A tape that was opened otherwise, to be closed with the others."""
        self._open.append(tape)
        return tape

    def make(self, make: Callable[[Path], None], name: str = "notes.db") -> Path:
        """A file that something else makes or changes."""
        with changing():
            make(self.folder / name)
        return self.folder / name

    def close(self) -> None:
        """Close the tapes."""
        for tape in self._open:
            tape.close()


@pytest.fixture
def shelf(tmp_path: Path) -> Iterator[Shelf]:
    """An empty shelf."""
    folder = tmp_path / "tapes"
    folder.mkdir()
    with guarded(folder):
        shelf = Shelf(folder)
        try:
            yield shelf
        finally:
            shelf.close()
