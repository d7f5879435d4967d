"""How the owner compacts (format page 1.9), and the session that is made with a summary of ours."""

from collections.abc import Callable, Sequence
from typing import Any, Final

from inspector.formats.claude.planning.chaining import in_a_row
from inspector.formats.claude.planning.composing import (
    ROOT,
    Composition,
    History,
    as_it_hangs,
)
from inspector.formats.claude.planning.copying import Copy, envelope
from inspector.formats.claude.planning.forking import draft_of, first_fitting
from inspector.formats.claude.planning.material import Material
from inspector.formats.claude.planning.rehearsing import Shown
from inspector.formats.planning import Draft, Making, Prompt, Split
from inspector.text.gate import clean_line
from inspector.text.redaction import redacted
from inspector.timeline.words import Form, Role

BEGINS: Final = "This session is being continued from a previous conversation"
"""How the owner's summaries begin (format page 1.9)."""

_BEFORE: Final = f"{BEGINS} that ran out of context. The conversation is summarized below:\n"

KEEPS: Final = (
    "Claude Code summarises the whole conversation; newer builds may keep the newest messages "
    "(preservedMessages), how many is not recorded (format page 1.9)"
)

_ASKED: Final = (
    "(and last, as a message of the user, Claude Code's own request for a detailed summary; the "
    "transcript does not hold its words)"
)

_BOUNDARY: Final = ~0
_SUMMARY: Final = ~1
"""The records that are made."""


def split(material: Material) -> Split:
    """The owner's division: there is none."""
    return Split(material.timeline.count(material.head), KEEPS)


def prompt(material: Material, rows: int) -> Prompt:
    """What is sent to have rows summarised: they themselves, as in any request, and a last word."""
    nodes = frozenset(material.rows(material.head)[:rows])
    pieces = [
        _told(material, entry.node)
        for entry in material.request(material.head)
        if entry.node in nodes and entry.note != "dropped" and entry.node is not None
    ]
    text = redacted("\n\n".join([*pieces, _ASKED]))
    return Prompt(text, len(text), "characters", None, truncated=False)


def _told(material: Material, node: int) -> str:
    table = material.timeline.surface.nodes
    said = "\n".join(
        f"{section.heading}\n{section.text}" if section.heading else section.text
        for section in material.sections(table.origin(node))
        if section.tone != "dim" and not section.remark
    )
    if table.form(node) is Form.CLEARED:
        said = "(cleared)"
    who = "user" if table.role(node) is Role.SUMMARY else table.role(node).label
    return f"[{clean_line(who, 40)}]\n{said}"


def compacted(material: Material, rows: int, summary: str, making: Making) -> Draft:
    """A new session: all records of the branch, a boundary, a summary, and the rows that are kept.

    As the owner writes it the boundary names what is kept; where a reader would not show it so,
    the rows kept stand below the summary; and where one brings back what is hidden, without that.
    """
    nodes = material.rows(material.head)
    history = History(material, material.head, nodes)
    branch, events = history.branch(), history.rows()
    kept = events[rows:]
    said = summary if summary.startswith(BEGINS) else _BEFORE + summary
    form = material.timeline.surface.nodes.form
    wanted = [Shown(_SUMMARY, Form.FULL)]
    wanted += [Shown(event, form(node)) for event, node in zip(kept, nodes[rows:], strict=True)]
    made = _records(material, events, rows, said)
    rest = History(material, material.head, nodes[rows:])
    items = (_SUMMARY, *kept)
    tries: tuple[Callable[[], Composition], ...] = (
        lambda: _behind(as_it_hangs(history, branch, events), made, kept),
        lambda: in_a_row(rest, branch, items, made, _BOUNDARY),
        lambda: in_a_row(rest, branch, items, made, _BOUNDARY, hidden=False),
    )
    copy, found, number = first_fitting(history, tries, wanted, making)
    return draft_of(history, branch, copy, found, wanted, in_a_row=number > 0)


def _records(
    material: Material, events: Sequence[int], rows: int, said: str
) -> list[dict[str, Any]]:
    """The boundary, which keeps nothing yet, and the summary."""
    around = envelope(material, events[-1] if events else None)
    metadata = {
        "trigger": "manual",
        "preTokens": material.timeline.tokens(material.head),
        "messagesSummarized": rows,
    }
    boundary = {
        **around,
        "type": "system",
        "subtype": "compact_boundary",
        "content": "Conversation compacted",
        "level": "info",
        "compactMetadata": metadata,
    }
    summary = {
        **around,
        "type": "user",
        "message": {"role": "user", "content": said},
        "isVisibleInTranscriptOnly": True,
        "isCompactSummary": True,
    }
    return [boundary, summary]


def _behind(found: Composition, made: Sequence[dict[str, Any]], kept: Sequence[int]) -> Composition:
    """A boundary and a summary behind all records; the boundary names the rows that are kept."""
    boundary, summary = made
    found.made = [dict(boundary), dict(summary)]
    first = found.put(_BOUNDARY, ROOT)
    second = found.put(_SUMMARY, first)
    if kept:
        places = {item: place for place, item in enumerate(found.items)}
        chain = [places[event] for event in kept if event in places]

        def metadata(copy: Copy) -> dict[str, Any]:
            uuids = [copy.id_of(place) for place in chain]
            said = {"anchorUuid": copy.id_of(second), "uuids": uuids}
            return {**boundary["compactMetadata"], "preservedMessages": said}

        found.made[0]["compactMetadata"] = metadata
    return found
