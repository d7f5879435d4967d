"""What the owner does about a session whose writer stopped in the middle: nothing that stays.

Calls without results are answered in each request, by what speaks to providers (rules page P4). The
one thing that is written is a line end behind a last line without one, when the file is opened
(P1); what is read of the file is the same with it.
"""

from collections.abc import Iterator
from typing import Final

from inspector.formats.pi.planning.material import Material
from inspector.formats.pi.planning.pairing import pairs
from inspector.formats.planning import UNANSWERED, Check, Closer, Repair
from inspector.text.gate import clean_line
from inspector.text.labels import plural

NO_RESULT: Final = "No result provided"
"""The owner's words for the result of a call that has none."""

_SAID: Final = 80
_SENT: Final = "Pi adds what is missing to each request and writes nothing of it"
_LINE_END: Final = (
    "Pi puts the line end there itself when it opens the file, and reads the same with it"
)


_REFUSED: Final = (
    "Pi does not open the session, and mends nothing of that; a new one (a fork, a rewind) leaves "
    "out what it fails on"
)


def repair(material: Material) -> Repair:
    """What would be mended, none of it by a plan."""
    is_refused = material.session.verdict().opens is not True
    # What is no session is left as it is, and what cannot be shown is not sent.
    ends = tuple(_line_end(material)) if material.is_session else ()
    sent = () if is_refused else tuple(_results(material))
    told = (_REFUSED, is_refused), (_LINE_END, ends), (_SENT, sent)
    return Repair((*ends, *sent), None, "; ".join(why for why, found in told if found))


def _line_end(material: Material) -> Iterator[Closer]:
    if material.session.log.pending:
        yield Closer(
            "line end", "added", "a line end behind the torn last line, which is passed over"
        )
    elif material.unended:
        last = material.head - 1 if material.head else None
        yield Closer(
            "line end", "added", "a line end behind the last line, which is whole", event=last
        )


def _results(material: Material) -> Iterator[Closer]:
    origin = material.timeline.surface.nodes.origin
    for call in pairs(material, material.rows(material.head)).waiting:
        name = clean_line(call.name, _SAID) or "a tool"
        what = f"an error “{NO_RESULT}” of {name}, in each request"
        said = clean_line(call.id, _SAID) or None
        yield Closer("toolResult", "added", what, call_id=said, event=origin(call.node))


def answered(material: Material, nodes: tuple[int, ...]) -> Check:
    """Whether calls of a surface have no results, and what becomes of them."""
    waiting = pairs(material, nodes).waiting
    if not waiting:
        return Check(UNANSWERED, ok=True, message="no call waits for a result")
    calls = plural(len(waiting), "call has", "calls have")
    why = f"{calls} no result: with each request Pi answers it by an error, “{NO_RESULT}”"
    return Check(UNANSWERED, ok=False, message=why, blocks=False)
