"""How the owner compacts (format page 2.9), and the log that is made with a summary of ours."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from inspector.formats.codex.injected import SUMMARY_PREFIX
from inspector.formats.codex.keeping import BUDGET
from inspector.formats.codex.planning.cuts import cuts
from inspector.formats.codex.planning.rollout import Rollout
from inspector.formats.codex.planning.writing import Copy, History
from inspector.formats.codex.replacements import user_message
from inspector.formats.codex.requesting import Row, request
from inspector.formats.planning import Check, Draft, Making, Prompt, Split
from inspector.text.redaction import redacted

KEEPS: Final = (
    f"Codex keeps the person's newest messages, up to {BUDGET:,} tokens in all, and nothing else "
    "(format page 2.9)"
)

_ASKED: Final = (
    "(and last, as a message of the user, Codex's own request for a summary with which another "
    "model can go on; the log does not hold its words)"
)

_CALLS: Final = frozenset(
    ("function_call", "custom_tool_call", "local_shell_call", "tool_search_call")
)


def split(rows: int) -> Split:
    """The owner's division of so many rows: there is none."""
    return Split(
        rows,
        "Codex summarises the whole history; of the rows it keeps the person's newest messages, up "
        f"to {BUDGET:,} tokens in all, and counts no rows (format page 2.9)",
    )


def prompt(rollout: Rollout, rows: int) -> Prompt:
    """What is sent to have rows summarised: they themselves, as in any request, and a last word."""
    nodes = rollout.row_nodes(rollout.events)[:rows]
    pieces = [*_told(rollout, nodes), _ASKED]
    text = redacted("\n\n".join(pieces))
    return Prompt(text, len(text.encode("utf-8", "replace")), "bytes", None, truncated=False)


def _told(rollout: Rollout, nodes: Sequence[int]) -> list[str]:
    """Items in the order in which they are sent, by what they are."""
    entries = request([Row(node, rollout.item(node)) for node in nodes])
    told: list[str] = []
    for entry in entries:
        if entry.note == "dropped":
            continue
        who = entry.role or entry.type
        call = f" {entry.call_id}" if entry.call_id else ""
        said = entry.text
        if entry.type in _CALLS and entry.node is not None:
            name = rollout.item(entry.node).get("name")
            said = f"{name if isinstance(name, str) else ''} {said or ''}".strip()
        told.append(f"[{who}{call}]\n{said or ''}".rstrip())
    return told


def compacted(rollout: Rollout, rows: int, summary: str, making: Making) -> Draft:
    """A new log: all records, and a compaction by which a summary stands for the first rows.

    The owner's words before a summary keep it from being counted by rollbacks (RULES R3).
    """
    # They may stand behind the person's first message, which is quoted before the summary.
    text = SUMMARY_PREFIX + summary.replace(SUMMARY_PREFIX, "", 1)
    history = History(text, rollout.row_nodes(rollout.events)[rows:], user_message(text))
    draft = Copy(rollout, rollout.events, making, history=history).draft(
        "unlike Codex, which keeps messages of the person alone, this keeps the last rows as they "
        "are, behind the summary"
    )
    return replace(draft, checks=(*_settled(rollout), *draft.checks))


def _settled(rollout: Rollout) -> Iterator[Check]:
    """Whether nothing is going on at the head: the compaction stands behind it in a turn of its
    own, and what is running would never end in the new log.
    """
    found = cuts(rollout.timeline, None)
    broken = found.stops(rollout.events)
    for stop in found.rules:
        ok = stop not in broken
        yield Check(stop.rule, ok, stop.kept if ok else stop.why)
