"""What holds on the path beside the history: the model and the level of thinking (rules page P2).

Both are read off the whole path, also the part that a compaction hides. Title and labels are what
the file said last, whatever the path.
"""

from typing import Any, Final

from inspector.columns import Column, unsigned
from inspector.formats.pi.effects.shapes import Shape
from inspector.formats.pi.labels import REGISTER as LABELS
from inspector.formats.pi.tree.store import NONE, SETS_MODEL, SETS_THINKING, Tree
from inspector.formats.pi.vocabulary import ASSISTANT, THINKING
from inspector.formats.shapes import text
from inspector.text.gate import clean_line
from inspector.timeline.builder import Builder
from inspector.timeline.registers import IN_PAYLOAD

_SAID: Final = 200

_MOST: Final = 100_000
"""Different settings that are told apart; a tape may invent any number."""

_NAMES: Final = 1_000
"""Names that are known as they are shown."""

Settings = tuple[str, str, str]
"""Provider, model and level of thinking; empty, but for the last, where none was told."""

_FIRST: Final = ("", "", THINKING)


class Registers:
    """Tells the builder of settings, title and labels.

    Args:
        builder: takes the effects of the event begun last.
        tree: the entries.
    """

    def __init__(self, builder: Builder, tree: Tree) -> None:
        self._builder = builder
        self._tree = tree
        # Of each entry what holds at it, as a number.
        self._at: Column = unsigned()
        self._numbers: dict[Settings, int] = {_FIRST: 0}
        self._known: list[Settings] = [_FIRST]
        self._now = 0
        self._names: dict[str, str] = {}

    def enter(
        self, entry: dict[str, Any], shape: Shape, parent: int, *, fresh: bool = True
    ) -> None:
        """An entry comes; its path begins at its parent, which may be `NONE`.

        Args:
            entry: what comes.
            shape: what it is.
            parent: the entry above it.
            fresh: nothing on the path to the parent is another entry since it came.
        """
        flags = shape.flags
        if not flags & (SETS_MODEL | SETS_THINKING) and fresh:
            number = 0 if parent == NONE else self._at[parent]
            self._at.append(number)
            if number != self._now:
                self._tell(number)
            return
        provider, model, thinking = self._above(parent, fresh=fresh)
        if flags & SETS_MODEL:
            source = shape.message or entry
            key = "modelId" if source is entry else "model"
            provider, model = self._said(source.get("provider")), self._said(source.get(key))
        elif flags & SETS_THINKING:
            thinking = self._said(entry.get("thinkingLevel"))
        found = provider, model, thinking
        number = self._numbers.get(found, -1)
        if number < 0:
            if len(self._known) >= _MOST:
                self._numbers.clear()
            number = self._numbers[found] = len(self._known)
            self._known.append(found)
        self._at.append(number)
        if number != self._now:
            self._tell(number)

    def follow(self, message: dict[str, Any], role: str) -> None:
        """What `enter` does for a message that hangs on the entry just before it."""
        at, number = self._at, self._at[-1]
        if role == ASSISTANT:
            known = self._known[number]
            if message.get("model") != known[1] or message.get("provider") != known[0]:
                shape = Shape("", SETS_MODEL, (), message, role)
                self.enter({}, shape, len(at) - 1)
                return
        at.append(number)

    def pass_over(self) -> None:
        """An entry comes that the owner does not read."""
        self._at.append(0)

    def _above(self, parent: int, *, fresh: bool) -> Settings:
        """What holds at an entry."""
        tree = self._tree
        if fresh:
            return _FIRST if parent == NONE else self._known[self._at[parent]]
        found, missing = list(_FIRST), SETS_MODEL | SETS_THINKING
        path = tree.path(parent)[0]
        tree.work += len(path)
        for one in path:
            # A path that goes round comes to the entry itself.
            flags = tree.flags[one] & missing if one < len(self._at) else 0
            known = self._known[self._at[one]] if flags else _FIRST
            if flags & SETS_MODEL:
                found[:2] = known[:2]
            if flags & SETS_THINKING:
                found[2] = known[2]
            missing &= ~flags
            if not missing:
                break
        return found[0], found[1], found[2]

    def _said(self, value: Any) -> str:
        """A name as it may be shown; nearly all are the same few."""
        if type(value) is not str:
            return ""
        known = self._names.get(value)
        if known is None:
            if len(self._names) >= _NAMES or len(value) > _SAID:
                return clean_line(value, _SAID)
            known = self._names[value] = clean_line(value, _SAID)
        return known

    def _tell(self, number: int) -> None:
        before, found = self._known[self._now], self._known[number]
        self._now = number
        for at, name in enumerate(("provider", "model", "thinking")):
            if found[at] != before[at]:
                self._builder.set(name, found[at] or None)

    # What the file says.

    def header(self, cwd: Any) -> None:
        """The header says where the session was."""
        if isinstance(cwd, str) and cwd:
            self._builder.timeline.registers.set("cwd", clean_line(cwd, 4 * _SAID), 0)

    def named(self, title: Any) -> None:
        """A line before the header says how the session is called."""
        if isinstance(title, str):
            self._builder.timeline.registers.set("title", clean_line(title, _SAID), 0)

    def title(self, entry: dict[str, Any]) -> None:
        """The session has a name."""
        name = text(entry.get("name"))
        self._builder.set("title", clean_line(name, _SAID).strip() or None)

    def label(self) -> None:
        """An entry gets a label, or loses it: which have one is told from the records."""
        self._builder.set(LABELS, IN_PAYLOAD)
