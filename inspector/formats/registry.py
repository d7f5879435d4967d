"""Which formats there are: entry points of the group ``inspector.formats``, ours among them."""

from collections.abc import Iterator

from inspector.formats.contract import Certainty, Format, Recognition
from inspector.formats.dsh import FORMAT as DSH

GROUP = "inspector.formats"

OWN: tuple[Format, ...] = (DSH,)
"""The formats of this distribution, as its entry points name them: known without a scan, which
costs more than the first frame may take. A test holds the two against each other."""


def others() -> Iterator[Format]:
    """The formats of other distributions; scans the installed entry points."""
    from importlib.metadata import entry_points  # dear, and seldom needed

    own = {format_.name for format_ in OWN}
    for entry in entry_points(group=GROUP):
        if entry.name not in own:
            yield entry.load()


def recognise(head: bytes) -> tuple[Format | None, list[tuple[str, Recognition]]]:
    """The format that is surest of a source that begins with these bytes, and all opinions."""
    opinions: list[tuple[str, Recognition]] = []
    best: Format | None = None
    certainty = Certainty.NO
    for group in (OWN, others()):
        for format_ in group:
            opinion = format_.recognise(head)
            opinions.append((format_.name, opinion))
            if opinion.certainty > certainty:
                best, certainty = format_, opinion.certainty
        if certainty is Certainty.SURE:
            break
    return best, opinions
