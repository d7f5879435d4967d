"""What the owner would send to have rows summarised: the conversation as one text."""

from collections.abc import Iterator, Sequence
from typing import Any, Final

from inspector.formats.pi.planning.material import Material
from inspector.formats.pi.planning.messages import OF_BRANCH, SUMMARY, calls, contents, message
from inspector.formats.pi.vocabulary import ASSISTANT, BASH, CUSTOM_ROLE, TOOL_RESULT, USER
from inspector.formats.planning import Prompt
from inspector.formats.shapes import items, mapping, text
from inspector.text.jsontext import json_text
from inspector.text.redaction import redacted

RESULT: Final = 2_000
"""Units of UTF-16 of a result that are sent; of other messages all is."""

_ASKED: Final = (
    "(and behind it Pi's own request for {what} under fixed headings: goal, constraints and "
    "preferences, progress, key decisions, next steps, critical context; the session does not "
    "hold its words)"
)
_CUT: Final = "\n\n[... {more} more characters truncated]"


def prompt(material: Material, rows: int) -> Prompt:
    """What is sent to have the first rows of the head's surface summarised; reasoning is not."""
    nodes = material.rows(material.head)[:rows]
    messages = [message(material, node) for node in _sent(material, nodes)]
    before = next((text(one.get("summary")) for one in messages if one.get("role") == SUMMARY), "")
    said = "\n\n".join(piece for one in messages for piece in _told(one))
    pieces = [f"<conversation>\n{said}\n</conversation>"]
    if before:
        pieces.append(f"<previous-summary>\n{before}\n</previous-summary>")
    what = "an update of the summary before" if before else "a summary"
    whole = redacted("\n\n".join([*pieces, _ASKED.format(what=what)]))
    cut = any(_is_cut(one) for one in messages)
    return Prompt(whole, len(whole), "characters", None, truncated=cut)


def _sent(material: Material, nodes: Sequence[int]) -> Iterator[int]:
    silent = material.timeline.surface.nodes.silent
    return (node for node in nodes if not silent(node))


def _told(said: dict[str, Any]) -> Iterator[str]:
    """A message as the owner puts it in words."""
    role = said.get("role")
    if role == ASSISTANT:
        content = said.get("content")
        if isinstance(content, str):
            content = [{"type": "text", "text": content}]
        if any(mapping(block).get("type") == "text" for block in items(content)):
            yield f"[Assistant]: {contents(content, chr(10))}"
        made = [_call(call) for call in calls({**said, "stopReason": None})]
        if made:
            yield f"[Assistant tool calls]: {'; '.join(made)}"
        return
    if role == TOOL_RESULT:
        whole = contents(said.get("content"))
        if whole:
            yield f"[Tool result]: {_shortened(whole)}"
        return
    told = _of_user(said)
    if told:
        yield f"[User]: {told}"


def _of_user(said: dict[str, Any]) -> str:
    """What is sent as a message of the user."""
    role = said.get("role")
    if role in (USER, CUSTOM_ROLE):
        return contents(said.get("content"))
    if role == BASH:
        output = text(said.get("output"))
        end = f"```\n{output}\n```" if output else "(no output)"
        return f"Ran `{text(said.get('command'))}`\n{end}"
    if role == OF_BRANCH:
        return f"(of a branch that was left)\n<summary>\n{text(said.get('summary'))}</summary>"
    return ""


def _call(call: dict[str, Any]) -> str:
    given = mapping(call.get("arguments"))
    told = ", ".join(f"{name}={json_text(value)}" for name, value in given.items())
    return f"{text(call.get('name'))}({told})"


def _units(whole: str) -> int:
    """The length of a text in units of UTF-16, as the owner counts."""
    return len(whole) + sum(one > "\uffff" for one in whole)


def _shortened(whole: str) -> str:
    """A result as it is sent: its beginning, never within a character, and how much is left out."""
    length = _units(whole)
    if length <= RESULT:
        return whole
    taken = 0
    for at, one in enumerate(whole):
        taken += 2 if one > "\uffff" else 1
        if taken > RESULT:
            return whole[:at] + _CUT.format(more=length - RESULT)
    return whole


def _is_cut(said: dict[str, Any]) -> bool:
    return said.get("role") == TOOL_RESULT and _units(contents(said.get("content"))) > RESULT
