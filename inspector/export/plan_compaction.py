"""What a plan says of a compaction: both splits, what is hidden, and the prompt by its length."""

from collections.abc import Iterator
from typing import Final

from inspector.export.why import name
from inspector.formats.contract import Tape
from inspector.formats.planning import Prompt
from inspector.lenses.texts import said
from inspector.plans.plan import Compaction
from inspector.plans.splitting import QUOTED
from inspector.plans.starts import line_of
from inspector.text.gate import clean_line
from inspector.text.labels import count, plural, token_words

_SAID: Final = 120
"""Characters of what a row says."""


def compaction_lines(tape: Tape, found: Compaction) -> Iterator[str]:
    """Both splits, what is hidden, and the prompt by its length."""
    yield from split_lines(found)
    yield from hides_lines(tape, found)
    if found.launch is not None:
        yield launch_line(tape, found)
    yield prompt_line(found.prompt)


def split_lines(found: Compaction) -> Iterator[str]:
    """Where the owner would divide the rows, and where this plan does."""
    rows, why = found.owner
    yield f"the owner would summarise {plural(rows, 'row')}: {clean_line(why, 300)}"
    yield f"this plan summarises {plural(found.safe, 'row')}"
    yield from (f"  {clean_line(moved, 200)}" for moved in found.moved_because)


def hides_lines(tape: Tape, found: Compaction) -> Iterator[str]:
    """What a compaction hides: how much, from where to where, and its first and last row.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    if not found.hides:
        return
    nodes = tape.timeline.surface.nodes
    weight = sum(nodes.tokens[node] for node in found.hides)
    origins = [nodes.origin(node) for node in found.hides]
    where = f"from {name(tape, min(origins))} to {name(tape, max(origins))}"
    yield f"hides {plural(len(origins), 'row')}, {token_words(weight)}, {where}"
    yield f"  first {hidden_line(tape, found.hides[0])}"
    if len(origins) > 1:
        yield f"  last  {hidden_line(tape, found.hides[-1])}"


def hidden_line(tape: Tape, node: int) -> str:
    """A row that is hidden: its event, who speaks, and how it begins.

    Raises:
        SourceError: if the tape cannot be read any more.
    """
    nodes = tape.timeline.surface.nodes
    role = nodes.role(node).label
    said = clean_line(line_of(tape, node, _SAID), _SAID)
    return f"{name(tape, nodes.origin(node)):>6}  {role:<9}  {said}".rstrip()


def launch_line(tape: Tape, found: Compaction) -> str:
    """The message that is quoted in the summary; nothing is claimed of one that is not there."""
    if found.launch is None:
        return ""
    origin = tape.timeline.surface.nodes.origin(found.launch)
    length = len(said(tape, origin))
    part = "" if length <= QUOTED else f"{count(QUOTED)} of {count(length)} characters, "
    verb = "would be" if found.summary is None else "is"
    which = f"the launching message, {name(tape, origin)}, {part}"
    return f"{which}{verb} quoted word for word in the summary"


def prompt_line(prompt: Prompt) -> str:
    """A prompt by its length."""
    limit = "" if prompt.limit is None else f" of {count(prompt.limit)}"
    cut = ", cut there" if prompt.truncated else ""
    return f"prompt: {count(prompt.length)}{limit} {prompt.unit}{cut}"
