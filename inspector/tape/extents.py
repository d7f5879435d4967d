"""Where the JSON objects of a damaged line end, found in linear time whoever asks in what order.

A walk from one ``{`` passes over every object inside, so it answers for all of them: those that
were closed are whole, those that were open when it broke are not. Two walks that both live at one
byte differ in whether it stands in a string, and a third there cannot be: no byte is looked at more
than twice, and a torn line full of braces costs what any line costs.
"""

from itertools import islice
from typing import Final

from inspector.tape.jsontokens import OBJECT, Kind, NotJsonError, tokens

TOKENS_LOOKED_AT: Final = 1_000_000
"""Tokens of one line that are looked at: enough for any record, seconds for a hostile one."""

_NOT_WHOLE: Final = -1


class Extents:
    """The extents of the objects of one line.

    Attributes:
        tokens: the tokens looked at so far.
        broke_off: the first object that was not looked at to its end because there were too many
            tokens, or None.
    """

    def __init__(self, line: bytes, limit: int = TOKENS_LOOKED_AT) -> None:
        self._line = line
        self._limit = limit
        self._stops: dict[int, int] = {}
        self._inner: set[int] = set()
        self.tokens = 0
        self.broke_off: int | None = None

    def stop(self, start: int) -> int | None:
        """The byte behind the object that opens at ``start``, or None if it is not whole."""
        if start not in self._stops:
            self._walk(start)
        stop = self._stops[start]
        return None if stop == _NOT_WHOLE else stop

    def inner(self, start: int) -> bool:
        """Whether an object stands where an object walked before has a value."""
        return start in self._inner

    def _walk(self, start: int) -> None:
        line, stops, open_, seen = self._line, self._stops, list[int](), 0
        left = self._limit - self.tokens
        try:
            for kind, at, stop in islice(tokens(line, start), left):
                seen += 1
                if kind is Kind.OPEN:
                    if open_ and line[at] == OBJECT:
                        self._inner.add(at)
                    open_.append(at)
                elif kind is Kind.CLOSE:
                    opened = open_.pop()
                    if line[opened] == OBJECT:
                        stops[opened] = stop
        except NotJsonError:
            pass
        else:
            if start not in stops and self.broke_off is None:
                self.broke_off = start
        self.tokens += seen
        stops.update(dict.fromkeys(open_, _NOT_WHOLE))
        stops.setdefault(start, _NOT_WHOLE)
