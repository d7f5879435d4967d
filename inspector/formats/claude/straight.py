"""Records that go straight on: what nearly every record is, taken by a short way.

A message of the main line that hangs on the record above it, which is the end of the branch, and
that has nothing odd about it. Everything else goes the long way, which does for these records what
is done here.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final

import orjson

from inspector.columns import NEVER, NO_TIME, Column, unsigned
from inspector.formats.claude.effects.shapes import of_content, of_input
from inspector.formats.claude.effects.texts import is_spoken
from inspector.formats.claude.keys import UNKNOWN, KnownKeys
from inspector.formats.claude.times import THOUSANDTHS, Clock
from inspector.formats.claude.tree.live import LiveBranch
from inspector.formats.claude.tree.store import ASSISTANT, MESSAGE, NONE, REAL, RESULT
from inspector.formats.logs.folding import Folding
from inspector.formats.logs.tokens import of_text
from inspector.timeline.nodes import look
from inspector.timeline.words import Kind, Role

if TYPE_CHECKING:
    from inspector.formats.claude.members import Members

_LATE: Final = 1_000
"""Milliseconds by which a record may be older than the one above it."""

_SECOND: Final = len("2026-01-01T00:00:00.")

_SPOKEN, _THOUGHT, _CALLED, _SAID, _TOLD, _ANSWERED = range(1, 7)
"""What a record is: an answer, a thought, a call; what a person says or is told; a result."""

_ANSWER: Final = REAL | MESSAGE | ASSISTANT
_SAYS: Final = REAL | MESSAGE
_FLAGS: Final = (0, _ANSWER, _ANSWER, _ANSWER, _SAYS, _SAYS, _SAYS | RESULT)
"""By what a record is: it as an entry of the tree."""

_TYPES: Final = ("", "assistant", "assistant", "assistant", "user", "user", "user")


def _by_code(*values: int) -> bytes:
    return bytes(values).ljust(256, b"\0")


_LOOKS: Final = _by_code(
    0,
    look(Role.ASSISTANT, Kind.MESSAGE),
    look(Role.ASSISTANT, Kind.REASONING),
    look(Role.ASSISTANT, Kind.TOOL_CALL),
    look(Role.USER, Kind.MESSAGE),
    look(Role.USER, Kind.CONTEXT),
    look(Role.TOOL, Kind.TOOL_RESULT),
)
_SOURCES: Final = _by_code(0, 0, 0, 0, 0, 0, 2)


class Straight:
    """Takes records that hang on the one before them, in runs that are written at once.

    Args:
        members: the records of the tree, where this one puts those that it takes.
        branch: where the writer stood.
        clock: reads times.

    Attributes:
        time: of the record above.
        left: the value of the record that was not taken, if it was read.
    """

    def __init__(
        self, folding: Folding, members: "Members", branch: LiveBranch, clock: Clock
    ) -> None:
        self._folding = folding
        self._builder = folding.builder
        self._members = members
        self._tree = members.tree
        self._messages = members.messages
        self._branch = branch
        self._batches = branch.batches
        self._effects = members.effects
        self._clock = clock
        self._keys = KnownKeys(members.effects)
        self._second, self._base = "", 0
        self._name, self._number = "", NONE
        self._model: str | None = None
        # The message that the record above is a part of, and whether the model speaks there.
        self._part, self._speaks = NONE, False
        self._tokens: Column = unsigned()
        self._answered: Column = unsigned()
        self.time = 0
        self.left: Any = None

    def _goes_on(self) -> bool:
        """Whether the record above is where the next one can go on, and get ready for it."""
        branch, effects = self._branch, self._effects
        parent = self._members.previous[1]
        if parent == NONE or parent != branch.tip or effects.is_between:
            return False
        if not branch.begin(len(self._messages)):
            return False
        self._model = effects.registers.answering
        self._name, self._part = "", NONE
        self._speaks = self._tree.flags[parent] & ASSISTANT != 0
        if self._batches is not None:
            self._part = self._batches.message[parent]
        return True

    def take(self, lines: Sequence[bytes], at: int, record: int) -> int:
        """Take lines as long as they go straight on.

        Args:
            lines: of the tape.
            at: the first one.
            record: by which number this one is a record.

        Returns:
            The first line that was not taken.
        """
        self.left = None
        if not self._goes_on():
            return at
        members, tree, folding = self._members, self._tree, self._folding
        builder, effects = self._builder, self._effects
        hashes, table, mask = tree.ids.room(len(lines) - at)
        loads, (above, parent), time = orjson.loads, members.previous, self.time
        known, epoch = self._keys.known, self._keys.begin()
        learn, new = self._keys.learn, self._keys.says_nothing_new
        copied, waiting = effects.origins.copied, effects.titles.waiting
        second, base = self._second, self._base
        times, ids, codes = folding.batch[2], list[str](), bytearray()
        entry, position = len(tree.flags), folding.position
        value: Any = None
        for taken in range(at, len(lines)):
            try:
                value = loads(lines[taken])
            except ValueError:
                value = None
                break
            if type(value) is not dict:
                value = None
                break
            names = (*value,)
            keys = known.get(names, UNKNOWN)
            if keys is UNKNOWN:
                keys = learn(names)
            if keys is None:
                break
            kind, uuid, named, stamp, message = keys.parts(value)
            if named != above or type(uuid) is not str or type(message) is not dict:
                break
            if (keys.around(value) != keys.told or keys.epoch != epoch) and not new(
                keys, value, side=members.subagent
            ):
                break
            thousandths = THOUSANDTHS.get(stamp[_SECOND:]) if type(stamp) is str else None
            if thousandths is not None and stamp[:_SECOND] == second:
                now = base + thousandths
            else:
                told = self._clock.read(stamp)
                if told is None and keys.timed:
                    break
                now = time if told is None else told
                if thousandths is not None:
                    second, base = self._clock.second(stamp, now)
            if now < time - _LATE:
                break
            key = hash(uuid)
            slot = key & mask
            while number := table[slot]:
                if hashes[number - 1] == key:
                    break
                slot = (slot + 1) & mask
            if number or (waiting and uuid in waiting):
                break
            if copied:
                if not effects.origins.repeats(value):
                    break
                effects.origins.last = position
            builder.event = position
            if kind == "assistant":
                code = self._answer(value, message, entry, parent, position)
            elif kind == "user":
                code = self._said(value, message, entry)
            else:
                break
            if not code:
                break
            hashes.append(key)
            table[slot] = len(hashes)
            codes.append(code)
            times.append(now if keys.timed else NO_TIME)
            ids.append(uuid)
            above, parent, time = uuid, entry, now
            position += 1
            entry += 1
        else:
            taken, value = len(lines), None
        self.left, self.time = value, time
        self._second, self._base = second, base
        if ids:
            self._write(ids, codes, record)
            members.previous = above, parent
        return taken

    # What single records say.

    def _answer(
        self, value: dict[str, Any], message: dict[str, Any], entry: int, parent: int, position: int
    ) -> int:
        """The model speaks: one block of an answer; 0 if something is odd."""
        get = message.get
        content, name, model = get("content"), get("id"), get("model")
        if type(content) is not list or len(content) != 1 or type(name) is not str:
            return 0
        block = content[0]
        if type(block) is not dict or (model != self._model and model is not None):
            return 0
        kind: Any = block.get("type")
        call: Any = block.get("id")
        if kind == "tool_use":
            code = _CALLED
            if type(call) is not str:
                return 0
        elif kind == "text":
            code = _SPOKEN
        elif kind == "thinking":
            code = _THOUGHT
        else:
            return 0
        number = self._number
        if name != self._name:
            number = self._messages.begin(name, position)
            if number < 0:
                number = self._messages.recent(name)
                if number < 0:
                    return 0
        batches = self._batches
        if batches is not None and not batches.takes_line(parent, number):
            return 0
        effects = self._effects
        if code == _CALLED:
            tool = block.get("name")
            tool = tool if type(tool) is str else ""
            if not effects.calls.begins(call, number, tool):
                return 0
            effects.settle()
            tokens = 4 + of_text(tool) + of_input(block.get("input"))
        else:
            said = block.get("text" if code == _SPOKEN else "thinking")
            tokens = of_text(said) if type(said) is str else 0
        if batches is not None:
            batches.line(entry, parent, number, self._part)
        self._name, self._number, self._part, self._speaks = name, number, number, True
        self._tokens.append(tokens)
        effects.usage.line(message, number, side=False)
        reason = get("stop_reason")
        if reason is not None and reason != "tool_use":
            effects.turns.answered(value)
        return code

    def _said(self, value: dict[str, Any], message: dict[str, Any], entry: int) -> int:
        """The user's side speaks: a text, or one result; 0 if something is odd."""
        content, effects, part = message.get("content"), self._effects, NONE
        if type(content) is str:
            code = _SAID if is_spoken(content) else _TOLD
            tokens = of_text(content)
            effects.turns.said(value)
        else:
            if type(content) is not list or len(content) != 1:
                return 0
            block = content[0]
            if type(block) is not dict or block.get("type") != "tool_result":
                return 0
            name = block.get("tool_use_id")
            call = effects.calls.ends(name, value, block) if type(name) is str else NEVER
            if call == NEVER:
                return 0
            self._answered.append(call)
            self._answered.append(call + 1)
            inner = block.get("content")
            tokens = 4 + of_text(inner) if type(inner) is str else of_content(content)
            code = _ANSWERED
            if self._speaks:
                part = self._part
        effects.settle()
        self._tokens.append(tokens)
        if self._batches is not None:
            self._batches.said(entry, part)
        self._part, self._speaks = part, False
        return code

    # What a run of them is.

    def _write(self, ids: list[str], codes: bytearray, record: int) -> None:
        """Write what was taken, which the columns that the loop fills hold already."""
        folding, tree, count = self._folding, self._tree, len(ids)
        events = range(folding.position, folding.position + count)
        members, entry = self._members, len(tree.flags)
        parent = members.previous[1]
        carriers, types, _ = folding.batch
        carriers.extend(range(record, record + count))
        number = self._builder.timeline.table.types.number
        numbers = {code: number(_TYPES[code]) for code in dict.fromkeys(codes)}
        types.extend(map(numbers.__getitem__, codes))
        folding.position = events.stop
        self._builder.event = events.stop - 1
        tree.line_up(ids, parent, events, map(_FLAGS.__getitem__, codes))
        members.lineage.line_up(entry, parent, count)
        members.records += count
        looks, ends = codes.translate(_LOOKS), codes.translate(_SOURCES)
        self._builder.append_all(events, looks, self._tokens, self._answered, ends)
        self._branch.line_up(count)
        del self._tokens[:], self._answered[:]
