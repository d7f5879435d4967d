"""Tapes that one may compare with, as rows to choose from. Knows no Textual."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from inspector.export.fitting import fit
from inspector.formats.contract import SessionEntry
from inspector.formats.relatives import Relative
from inspector.text.gate import clean_line
from inspector.ui.cells import Cell, Line
from inspector.ui.wrapping import wrapped


class Choice(NamedTuple):
    """A tape.

    Attributes:
        what: what it is to the tape of the visit, in a word.
        name: its id.
        path: what is opened.
        session: which of those that the path holds, or None.
        about: what more is known of it.
    """

    what: str
    name: str
    path: Path
    session: str | None = None
    about: str = ""


class ChoiceRows:
    """Tapes to choose from, and last the way to any other.

    Args:
        choices: those that are known.
        heads: what stands above them.
        other: whether any other may be named.
    """

    def __init__(
        self, choices: Sequence[Choice], heads: tuple[Line, ...], *, other: bool = True
    ) -> None:
        self._choices = choices
        self._heads = heads
        self._other = other

    def heads(self) -> tuple[Line, ...]:
        """What one chooses among."""
        return self._heads

    def count(self) -> int:
        """How many rows there are."""
        return len(self._choices) + self._other

    def choice(self, row: int) -> Choice | None:
        """The tape of a row; None of the last one, which is any other."""
        return self._choices[row] if row < len(self._choices) else None

    def line(self, row: int, width: int) -> Line:
        """One tape in ``width`` columns."""
        chosen = self.choice(row)
        if chosen is None:
            return (Cell("another tape", "notice"), Cell("   Enter asks for its path", "faint"))
        return (
            Cell(fit(clean_line(chosen.what, 40), 10 if width < 90 else 14), "accent"),
            Cell(clean_line(chosen.name, 60), "text"),
            Cell(f"   {clean_line(chosen.about or chosen.path.name, 120)}", "dim"),
        )

    def lines(self, row: int, width: int) -> Iterator[Line]:
        """One tape in full."""
        chosen = self.choice(row)
        if chosen is None:
            if self._other:
                yield (Cell("a log, a session's folder, an archive or a database", "dim"),)
            return
        yield from wrapped(chosen.name, width, "strong")
        yield from wrapped(str(chosen.path), width, "text")
        if chosen.about:
            yield from wrapped(chosen.about, width, "dim")

    def cursor(self, row: int) -> int | None:
        """Nothing of this is a place on the tape."""
        del row
        return None

    def text(self) -> str:
        """All of them for a clipboard."""
        return "\n".join(
            f"{clean_line(one.what)} {clean_line(one.name)} {clean_line(str(one.path))}"
            for one in self._choices
        )


def of_relatives(found: Sequence[Relative], parent: str | None) -> list[Choice]:
    """The relatives of a tape, as they may be chosen; that which it comes from first."""
    choices = [
        Choice("parent" if one.name == parent else one.relation, one.name, one.path, one.session)
        for one in found
    ]
    return sorted(choices, key=lambda one: one.name != parent)


def of_sessions(path: Path, entries: Sequence[SessionEntry]) -> list[Choice]:
    """The sessions of a source, as they may be chosen."""
    return [
        Choice("session", entry.id, path, entry.id, entry.title or entry.cwd or "")
        for entry in entries
    ]


def written(text: str) -> Choice:
    """The tape at a path that a person wrote; ``~`` is the home."""
    path = Path(text)
    try:
        path = path.expanduser()
    except RuntimeError:
        # There is no such person; opening it says that there is no such file.
        path = Path(text)
    return Choice("", text, path)
