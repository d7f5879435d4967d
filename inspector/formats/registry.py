"""Which formats there are: entry points of the group ``inspector.formats``, ours among them."""

import sys
from collections.abc import Callable, Iterator
from functools import cache

from inspector.formats.claude import FORMAT as CLAUDE
from inspector.formats.codex import FORMAT as CODEX
from inspector.formats.contract import Certainty, Format, Recognition
from inspector.formats.deepchat import FORMAT as DEEPCHAT
from inspector.formats.dsh import FORMAT as DSH
from inspector.formats.pi import FORMAT as PI
from inspector.formats.reina import FORMAT as REINA
from inspector.formats.zero import FORMAT as ZERO

GROUP = "inspector.formats"

OWN: tuple[Format, ...] = (DSH, CLAUDE, CODEX, DEEPCHAT, ZERO, PI, REINA)
"""The formats of this distribution, as its entry points name them: known without a scan, which
costs more than the first frame may take. A test holds the two against each other."""

Opinion = tuple[str, Recognition]
"""What a format, by name, thinks of a source."""


def others() -> Iterator[Format]:
    """The formats of other distributions; scans the installed entry points, once in a process."""
    yield from scanned(tuple(sys.path))


@cache
def scanned(paths: tuple[str, ...]) -> tuple[Format, ...]:
    """The formats of other distributions that are installed where modules are looked for.

    Args:
        paths: where that is, as it stands in `sys.path`.
    """
    from importlib.metadata import entry_points  # dear, and seldom needed

    del paths
    own = {format_.name for format_ in OWN}
    return tuple(entry.load() for entry in entry_points(group=GROUP) if entry.name not in own)


def all_formats() -> Iterator[Format]:
    """Ours first; the entry points are only scanned if somebody asks beyond them."""
    yield from OWN
    yield from others()


def policies_of(name: str) -> tuple[str, ...]:
    """The owner's readers that a format can follow, the default first; none if it is not there."""
    return next((format_.policies for format_ in all_formats() if format_.name == name), ())


def recognise(ask: Callable[[Format], Recognition]) -> tuple[Format | None, list[Opinion]]:
    """The format that is surest of a source, and all opinions; ``ask`` shows it to a format."""
    opinions: list[Opinion] = []
    best: Format | None = None
    certainty = Certainty.NO
    for group in (OWN, others()):
        for format_ in group:
            opinion = ask(format_)
            opinions.append((format_.name, opinion))
            if opinion.certainty > certainty:
                best, certainty = format_, opinion.certainty
        if certainty is Certainty.SURE:
            break
    return best, opinions
