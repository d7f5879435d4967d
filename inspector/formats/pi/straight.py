"""The short way of a message that hangs on the entry just before it: nearly all of a session.

Whatever is odd about an entry, of whatever kind, takes the way of all entries (see `decoder`); what
is done here is what is done there for such a message.
"""

from typing import Any, Final

from inspector.formats.logs.folding import Folding
from inspector.formats.pi.coverage import Coverages
from inspector.formats.pi.effects.fold import Fold
from inspector.formats.pi.effects.history import History
from inspector.formats.pi.effects.shapes import plain_look
from inspector.formats.pi.entry import tokens_of
from inspector.formats.pi.tree.store import IS_EDITED, SETS_MODEL, Tree
from inspector.formats.pi.vocabulary import ASSISTANT, MESSAGE, TOOL_RESULT, USER

_FLAGS: Final = {USER: IS_EDITED, ASSISTANT: IS_EDITED | SETS_MODEL, TOOL_RESULT: IS_EDITED}


class Straight:
    """Folds messages that are plain.

    Args:
        folding: where events go.
        tree: the entries.
        history: the surface.
        coverage: how many entries are on the path.
        effects: what entries do beside.

    Attributes:
        above: the id of the entry just before, if a plain message can hang on it; else None.
    """

    def __init__(
        self,
        folding: Folding,
        tree: Tree,
        history: History,
        coverage: Coverages,
        effects: Fold,
    ) -> None:
        self._folding = folding
        self._tree = tree
        self._history = history
        self._coverage = coverage
        self._effects = effects
        self.above: str | None = None

    def take(self, value: dict[str, Any], time: int | None, record: int) -> bool:
        """Fold an entry if it is such a message; else nothing is done."""
        own, message = value.get("id"), value.get("message")
        if type(own) is not str or type(message) is not dict or value.get("type") != MESSAGE:
            return False
        role = message.get("role")
        if type(role) is not str or role not in _FLAGS or own[:1] in ("", "\0"):
            return False
        event = self._folding.position
        if not self._tree.follow(event, own, _FLAGS[role]):
            return False
        self._folding.event(record, MESSAGE, time)
        self._history.follow(event, *plain_look(role, message), tokens_of(message.get("content")))
        self._coverage.follow()
        self._effects.follow(message, role, record)
        self.above = own
        return True
