"""What the summary that stands in the place of an event still tells of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Final, NamedTuple

from inspector.lenses.audit import hidden_by
from inspector.lenses.literals import Literal, LiteralClass, literals
from inspector.lenses.retelling import is_extract
from inspector.lenses.summaries import summary_node
from inspector.lenses.telltale import Compared, compare
from inspector.lenses.told import Told
from inspector.lenses.why import Why
from inspector.timeline.timeline import Timeline
from inspector.timeline.words import Kind, Reason

_EXTRACTS: Final = 400
_CHARACTERS: Final = 4_000_000
"""Originals of a summary, and their characters, that are read to see whether it is put together of
them.
"""

_LITERALS: Final = 500
"""Literals of an event that are looked for, each once."""

NO_SUMMARY: Final = "no summary stands there at this cursor"
OPAQUE: Final = "it is encrypted, and nothing of it can be read"
EMPTY: Final = "it says nothing"
NO_TEXT: Final = "the event has no word that could be found again"
BYTES: Final = "the event is a file, and no text"


class Missing(NamedTuple):
    """A literal that the summary does not tell, and the first summary that left it out."""

    literal: Literal
    lost_by: int


_NOTHING: Final = Compared((), ())


@dataclass(frozen=True, slots=True)
class Retold:
    """What of an event the standing summary tells.

    Attributes:
        summary: the position of what stands for the event, None if nothing does.
        through: the positions of the summaries that its contents went through, that one the last.
        words: the telling words of the event.
        told: its literals that the summary has.
        missing: those that it has not, the most telling class first.
        extract: whether the summary is put together of its originals, which nobody wrote; None if
            it hides too many to say.
        why_not: why nothing is compared, or None.
    """

    summary: int | None
    through: tuple[int, ...] = ()
    words: Compared = _NOTHING
    told: tuple[Literal, ...] = ()
    missing: tuple[Missing, ...] = ()
    extract: bool | None = None
    why_not: str | None = None


_ORDER: Final = list(LiteralClass)


def retold(text: str, summaries: Sequence[tuple[int, str]], *, extract: bool | None) -> Retold:
    """Look for the words and literals of a text in a summary.

    Args:
        text: what the event says.
        summaries: the summaries that it went through, in order: position and text.
        extract: whether the last one is put together of its originals.
    """
    through = tuple(event for event, _ in summaries)
    summary, said = summaries[-1]
    if not said.strip():
        return Retold(summary, through, why_not=EMPTY)
    words = compare(text, said)
    quoted = list(islice({one.text.casefold(): one for one in literals(text)}.values(), _LITERALS))
    if not (quoted or words.found or words.missing):
        return Retold(summary, through, why_not=NO_TEXT)
    heard = [(event, Told(told)) for event, told in summaries]
    last = heard[-1][1]
    missing = [
        Missing(one, next(event for event, told in heard if not told.has(one)))
        for one in quoted
        if not last.has(one)
    ]
    missing.sort(key=lambda lost: _ORDER.index(lost.literal.kind))
    left_out = {lost.literal for lost in missing}
    return Retold(
        summary,
        through,
        words,
        tuple(one for one in quoted if one not in left_out),
        tuple(missing),
        extract,
    )


def retold_at(
    timeline: Timeline,
    found: Why,
    text_of: Callable[[int], str],
    text_of_node: Callable[[int], str],
    *,
    is_bytes: bool,
) -> Retold | None:
    """What the summary that stands for an event at a cursor tells of it.

    None of an event that is there itself, or that no compaction hid.

    Args:
        timeline: folded at least up to the cursor.
        found: why the event can be seen there, or cannot.
        text_of: what an event says.
        text_of_node: what a row says.
        is_bytes: whether the event is a picture or another file.
    """
    own = [hop for hop in found.chain if hop.event == found.event]
    if not own or own[-1].reason is not Reason.COMPACTED:
        return None
    nodes = timeline.surface.nodes
    through = [
        (hop.event, node)
        for hop in found.chain[len(own) :]
        if (node := summary_node(timeline, hop.event)) is not None
    ]
    if not through or through[-1][0] != found.now:
        return Retold(None, why_not=NO_SUMMARY)
    summary, node = through[-1]
    events = tuple(dict(through))
    if nodes.kind(node) is Kind.OPAQUE:
        return Retold(summary, events, why_not=OPAQUE)
    if is_bytes:
        return Retold(summary, events, why_not=BYTES)
    said = {event: text_of_node(one) for event, one in dict(through).items()}
    return retold(
        text_of(found.event),
        list(said.items()),
        extract=_is_extract(timeline, summary, said[summary], text_of),
    )


def _is_extract(
    timeline: Timeline, summary: int, text: str, text_of: Callable[[int], str]
) -> bool | None:
    nodes = timeline.surface.nodes
    hidden = dict.fromkeys(nodes.origin(node) for node in hidden_by(timeline, summary))
    if len(hidden) > _EXTRACTS:
        return None
    originals, characters = list[str](), 0
    for event in hidden:
        originals.append(text_of(event))
        characters += len(originals[-1])
        if characters > _CHARACTERS:
            return None
    return is_extract(text, originals)
