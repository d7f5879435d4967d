"""What a compaction of the older kind keeps: the person's messages, up to a budget (RULES R2)."""

from collections.abc import Callable, Iterator
from typing import Final

from inspector.columns import Column
from inspector.formats.codex.items import BOUNDARY, JOINED, PERSON
from inspector.formats.codex.likeness import likeness
from inspector.formats.codex.matching import Matching
from inspector.formats.codex.replacements import user_message
from inspector.formats.codex.stack import Condensed, Stack
from inspector.formats.logs.tokens import of_text
from inspector.timeline.builder import Builder
from inspector.timeline.nodes import NodeDetails
from inspector.timeline.words import Form, Kind, Role

BUDGET: Final = 20_000
"""Tokens, by the owner's count of bytes by four, that are kept in all."""

NO_SUMMARY: Final = "(no summary available)"
"""What stands for a summary that is empty."""

WHOLE: Final = -1
"""Among what is left of a message: all of it, with its texts joined."""


def cut_middle(text: str, tokens: int) -> str:
    """A text of which the owner keeps so many tokens: its two ends, and what is gone between."""
    data = text.encode("utf-8", "surrogatepass")
    room = tokens * 4
    left = data[: room // 2].decode("utf-8", "ignore")
    start = len(data) - (room - room // 2)
    while start < len(data) and data[start] & 0xC0 == 0x80:
        start += 1
    right = data[start:].decode("utf-8", "surrogatepass")
    gone = (len(data) - room + 3) // 4
    return f"{left}\n…{gone} tokens truncated…\n{right}"


class Keeping:
    """Makes the nodes of messages that are kept in another form, each of them once.

    Args:
        builder: whose nodes they are.
        traits: by node, what the owner's rules see in it; grows with every node that is made.
        matching: the same with what it says.
        text: what a node says that is an item, read again.
    """

    def __init__(
        self,
        builder: Builder,
        traits: bytearray,
        matching: Matching,
        text: Callable[[int], str],
    ) -> None:
        self._builder = builder
        self._nodes = builder.timeline.surface.nodes
        self._traits = traits
        self._matching = matching
        self._text = text
        self._forms: dict[tuple[int, int], int] = {}
        self._made_of: dict[int, tuple[int, int]] = {}
        self._last: tuple[int, str] = (-1, "")

    def keep(self, history: Stack, *, live: bool) -> Column:
        """Leave of a history what is kept, some of it in another form.

        Args:
            history: before the compaction.
            live: whether it is what the surface shows, from which what leaves is to be removed; a
                form that is made for another one waits for the day on which it is shown.

        Returns:
            The nodes that leave.
        """
        condensed = history.condense(self._nodes.tokens, BUDGET)
        leaving = condensed.leaving
        for place, tokens in self._to_reform(history, condensed):
            self._reform(history, place, tokens, leaving, live=live)
        return leaving

    def keep_as_known(self, history: Stack) -> bool:
        """The same of a history that is only thought of: no form is made.

        Returns:
            False if one is needed that was never made; the history is not told then.
        """
        condensed = history.condense(self._nodes.tokens, BUDGET)
        for place, tokens in list(self._to_reform(history, condensed)):
            made = self._forms.get((history.nodes[place], tokens))
            if made is None:
                return False
            history.reform(place, made, self._nodes.tokens[made])
        return True

    def _to_reform(self, history: Stack, condensed: Condensed) -> Iterator[tuple[int, int]]:
        """The places of messages that take another form, and what is left of each."""
        fresh, room = condensed.fresh, condensed.room
        if room is not None:
            yield history.first, room
            fresh = max(fresh, history.first + 1)
        for place in range(max(fresh, history.first), len(history.nodes)):
            if self._traits[history.nodes[place]] & JOINED:
                yield place, WHOLE

    def _reform(
        self, history: Stack, place: int, tokens: int, leaving: Column, *, live: bool
    ) -> None:
        node = history.nodes[place]
        made = self._form(node, tokens, live=live)
        history.reform(place, made, self._nodes.tokens[made])
        leaving.append(node)

    def text(self, node: int) -> str:
        """What a node says: its message, or what a compaction left of it."""
        last, text = self._last
        if last == node:
            return text
        cuts: list[int] = []
        at = node
        while at in self._made_of:
            at, tokens = self._made_of[at]
            cuts.append(tokens)
        text = self._text(at)
        for tokens in reversed(cuts):
            if tokens != WHOLE:
                text = cut_middle(text, tokens)
        return text

    def _form(self, node: int, tokens: int, *, live: bool) -> int:
        known = self._forms.get((node, tokens))
        builder = self._builder
        if known is not None:
            if live:
                builder.carry((known,), node)
            return known
        text = self.text(node)
        nodes = self._nodes
        details: NodeDetails = {
            "origin": nodes.origin(node),
            "part": nodes.part(node),
            "form": Form.REBUILT if tokens == WHOLE else Form.CUT,
        }
        if tokens != WHOLE:
            text = cut_middle(text, tokens)
        weight = of_text(text)
        if live:
            made = builder.insert(node, Role.USER, Kind.MESSAGE, weight, details)
        else:
            made = builder.hold(Role.USER, Kind.MESSAGE, weight, details)
        self._traits.append(BOUNDARY | PERSON)
        self._matching.add(likeness(user_message(text)))
        self._forms[node, tokens] = made
        self._made_of[made] = (node, tokens)
        if tokens != WHOLE:
            # The oldest message that is kept is cut again by the next compaction.
            self._last = (made, text)
        return made
