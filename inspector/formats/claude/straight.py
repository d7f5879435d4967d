"""Records that go straight on: what nearly every record is, taken by a short way.

A message of the main line that hangs on the record above it, which is the end of the branch, and
that has nothing odd about it. Everything else goes the long way, which does for these records what
is done here.
"""

from typing import TYPE_CHECKING, Any, Final

from inspector.formats.claude.effects.shapes import of_content
from inspector.formats.claude.effects.texts import is_spoken
from inspector.formats.claude.tree.calls import called_by
from inspector.formats.claude.tree.live import LiveBranch
from inspector.formats.claude.tree.messages import Messages
from inspector.formats.claude.tree.store import ASSISTANT, MESSAGE, NONE, REAL, RESULT, Tree
from inspector.timeline.words import Kind, Role

if TYPE_CHECKING:
    from inspector.formats.claude.effects.fold import Fold
    from inspector.formats.claude.tree.lineage import Lineage

_ODD: Final = frozenset(
    {
        "teamName",
        "isMeta",
        "isCompactSummary",
        "isApiErrorMessage",
        "closesQuietTurn",
        "origin",
        "isSynthetic",
    }
)
"""Keys that a record with nothing odd about it lacks."""

_ANSWER: Final = REAL | MESSAGE | ASSISTANT
_SAID: Final = REAL | MESSAGE
_RESULT: Final = REAL | MESSAGE | RESULT

_KINDS: Final = {"text": Kind.MESSAGE, "tool_use": Kind.TOOL_CALL, "thinking": Kind.REASONING}


class Straight:
    """Takes records that hang on the one before them.

    Args:
        tree: the entries.
        lineage: from which root they hang.
        messages: the messages of the API.
        branch: where the writer stood.
        effects: what records do beside the surface.
    """

    def __init__(
        self,
        tree: Tree,
        lineage: "Lineage",
        messages: Messages,
        branch: LiveBranch,
        effects: "Fold",
    ) -> None:
        self._tree = tree
        self._lineage = lineage
        self._messages = messages
        self._branch = branch
        self._effects = effects

    def take(self, value: dict[str, Any], kind: str, parent: int, event: int, record: int) -> int:
        """Take a record that hangs on an entry, if it goes straight on.

        Args:
            value: the record, of which the event was begun.
            kind: its type.
            parent: the entry of the record above it.
            event: its position.
            record: the physical record.

        Returns:
            Its entry, or `NONE` if it was not taken and nothing was done.
        """
        branch = self._branch
        if parent != branch.tip or value.get("isSidechain") or not _ODD.isdisjoint(value):
            return NONE
        uuid, message = value.get("uuid"), value.get("message")
        if type(uuid) is not str or type(message) is not dict:
            return NONE
        if kind == "assistant":
            return self._answer(value, uuid, message, parent, event, record)
        return self._said(value, uuid, message, parent, event) if kind == "user" else NONE

    def _answer(
        self,
        value: dict[str, Any],
        uuid: str,
        message: dict[str, Any],
        parent: int,
        event: int,
        record: int,
    ) -> int:
        """The model speaks: one block of an answer."""
        content, name = message.get("content"), message.get("id")
        kind = _KINDS.get(_only(content))
        if kind is None or type(name) is not str:
            return NONE
        number = self._messages.number(name, event)
        if not self._branch.takes_line(parent, number):
            return NONE
        entry = self._tree.begin(uuid, parent, event, _ANSWER)
        if entry == NONE:
            return NONE
        calls = called_by(value) if kind is Kind.TOOL_CALL else None
        if calls:
            self._effects.calls.made(calls, number, record, side=False, again=False)
        self._lineage.follows(entry, parent)
        self._branch.line(entry, parent, number)
        self._branch.go_on(entry, parent, Role.ASSISTANT, kind, of_content(content), None)
        self._effects.answer(value, message, number, calls)
        return entry

    def _said(
        self, value: dict[str, Any], uuid: str, message: dict[str, Any], parent: int, event: int
    ) -> int:
        """The user's side speaks: a text, or one result."""
        content = message.get("content")
        if type(content) is str:
            entry = self._tree.begin(uuid, parent, event, _SAID)
            if entry == NONE:
                return NONE
            role, kind = Role.USER, Kind.MESSAGE if is_spoken(content) else Kind.CONTEXT
            sources = None
        elif _only(content) == "tool_result":
            entry = self._tree.begin(uuid, parent, event, _RESULT)
            if entry == NONE:
                return NONE
            role, kind = Role.TOOL, Kind.TOOL_RESULT
            sources = self._effects.calls.answered(value, again=False)
        else:
            return NONE
        self._lineage.follows(entry, parent)
        self._branch.said(entry, parent, result=role is Role.TOOL)
        self._branch.go_on(entry, parent, role, kind, of_content(content), sources)
        self._effects.said(value, result=role is Role.TOOL)
        return entry


def _only(content: Any) -> str:
    """The type of the only block of a message."""
    if type(content) is list and len(content) == 1 and type(content[0]) is dict:
        kind = content[0].get("type")
        return kind if type(kind) is str else ""
    return ""
