"""Expressions and texts that count their steps, so that work is shown without a clock."""

import re
import re._constants as codes  # type: ignore[import-not-found] # no other tells of an expression
import re._parser as parser  # type: ignore[import-not-found]
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any, SupportsIndex

import pytest

Next = Callable[[int], int]
"""Matches from a place on: the end, or -1."""


class Steps:
    """The number of characters that were looked at."""

    def __init__(self) -> None:
        self.count = 0


class Counted(str):
    """A text that counts what is sought in it and cut from it."""

    steps: Steps

    def find(self, sub: str, start: Any = 0, end: Any = None) -> int:
        found = str.find(self, sub, start, end)
        self.steps.count += (len(self) if found < 0 else found) - start + 1
        return found

    def __getitem__(self, key: SupportsIndex | slice) -> str:
        cut = str.__getitem__(self, key)
        self.steps.count += len(cut)
        return cut


def counted(text: str, steps: Steps) -> Counted:
    found = Counted(text)
    found.steps = steps
    return found


class Stepped:
    """An expression that matches as it does, and counts what it takes to."""

    def __init__(self, pattern: re.Pattern[str], steps: Steps) -> None:
        self._pattern, self._steps = pattern, steps
        self._tree = parser.parse(pattern.pattern, pattern.flags & re.IGNORECASE | re.ASCII)
        self._lower = bool(pattern.flags & re.IGNORECASE)
        self._text, self._stop = "", 0
        self._groups: dict[int, tuple[int, int]] = {}
        self._run = self._built(self._tree, lambda pos: pos)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._pattern, name)

    # As an expression.

    def match(self, text: str, pos: int = 0, endpos: int | None = None) -> re.Match[str] | None:
        self._on(text, endpos)
        found = self._pattern.match(text, pos, self._stop)
        assert (self._tried(pos) >= 0) == (found is not None)
        return found

    def fullmatch(self, text: str) -> re.Match[str] | None:
        self._on(text, None)
        self._tried(0)
        return self._pattern.fullmatch(text)

    def search(self, text: str, pos: int = 0, endpos: int | None = None) -> re.Match[str] | None:
        self._on(text, endpos)
        found = self._pattern.search(text, pos, self._stop)
        for start in range(pos, self._stop + 1 if found is None else found.start()):
            assert self._tried(start) < 0
        if found is not None:
            assert self._tried(found.start()) == found.end()
        return found

    def finditer(self, text: str) -> Iterator[re.Match[str]]:
        at = 0
        while (found := self.search(text, at)) is not None:
            yield found
            at = max(found.end(), found.start() + 1)

    def sub(self, repl: Any, text: str) -> str:
        for _ in self.finditer(text):
            pass
        return self._pattern.sub(repl, text)

    # Steps.

    def _on(self, text: str, endpos: int | None) -> None:
        self._text = "".join(text) if isinstance(text, Counted) else text
        self._stop = len(text) if endpos is None else min(endpos, len(text))

    def _tried(self, pos: int) -> int:
        self._groups.clear()
        self._steps.count += 1
        return self._run(pos)

    def _built(self, items: Any, behind: Next) -> Next:
        for code, held in reversed(list(items)):
            behind = self._one(code, held, behind)
        return behind

    def _one(self, code: Any, held: Any, behind: Next) -> Next:
        if code in (codes.LITERAL, codes.NOT_LITERAL, codes.IN, codes.ANY):
            fits = self._fits(code, held)
            return lambda pos: behind(pos + 1) if fits(pos) else -1
        build = getattr(self, f"_{str(code).lower()}")
        made: Next = build(held, behind)
        return made

    def _fits(self, code: Any, held: Any) -> Callable[[int], bool]:
        single = self._pattern_of(code, held)
        known: dict[str, bool] = {}

        def fits(pos: int) -> bool:
            self._steps.count += 1
            if pos >= self._stop:
                return False
            char = self._text[pos]
            if char not in known:
                known[char] = single(char)
            return known[char]

        return fits

    def _pattern_of(self, code: Any, held: Any) -> Callable[[str], bool]:
        if code is codes.ANY:
            return lambda char: bool(self._pattern.flags & re.DOTALL) or char != "\n"
        if code is not codes.IN:
            return lambda char: (self._is(char, held)) == (code is codes.LITERAL)
        negated = held[0][0] is codes.NEGATE
        return lambda char: any(self._in(char, one) for one in held) != negated

    def _is(self, char: str, held: int) -> bool:
        return char == chr(held) or (self._lower and char.lower() == chr(held).lower())

    def _in(self, char: str, one: Any) -> bool:
        code, held = one
        if code is codes.LITERAL:
            return self._is(char, held)
        if code is codes.RANGE:
            variants = {char, char.lower(), char.upper()} if self._lower else {char}
            return any(held[0] <= ord(one) <= held[1] for one in variants if len(one) == 1)
        if code is codes.CATEGORY:
            assert held is codes.CATEGORY_WORD
            return char == "_" or char.isalnum()
        return False

    def _max_repeat(self, held: Any, behind: Next) -> Next:
        low, high, sub = held
        if len(sub) == 1 and sub[0][0] in (codes.LITERAL, codes.NOT_LITERAL, codes.IN, codes.ANY):
            fits = self._fits(*sub[0])

            def run(pos: int) -> int:
                at = pos
                while at - pos < high and fits(at):
                    at += 1
                while at - pos >= low:
                    if (end := behind(at)) >= 0:
                        return end
                    at -= 1
                return -1

            return run

        def again(count: int, pos: int) -> int:
            if count < high:
                body = self._built(sub, lambda at: again(count + 1, at) if at > pos else -1)
                if (end := body(pos)) >= 0:
                    return end
            return behind(pos) if count >= low else -1

        return lambda pos: again(0, pos)

    def _min_repeat(self, held: Any, behind: Next) -> Next:
        low, high, sub = held

        def again(count: int, pos: int) -> int:
            if count >= low and (end := behind(pos)) >= 0:
                return end
            if count == high:
                return -1
            return self._built(sub, lambda at: again(count + 1, at) if at > pos else -1)(pos)

        return lambda pos: again(0, pos)

    def _possessive_repeat(self, held: Any, behind: Next) -> Next:
        low, high, sub = held
        body = self._built(sub, lambda pos: pos)

        def run(pos: int) -> int:
            count = 0
            while count < high and (end := body(pos)) >= 0:
                count += 1
                if end == pos:
                    count = max(count, low)
                    break
                pos = end
            return behind(pos) if count >= low else -1

        return run

    def _subpattern(self, held: Any, behind: Next) -> Next:
        group, _, _, sub = held
        if group is None:
            return self._built(sub, behind)
        begun: list[int] = []

        def ended(pos: int) -> int:
            self._groups[group] = (begun[-1], pos)
            return behind(pos)

        body = self._built(sub, ended)

        def run(pos: int) -> int:
            begun.append(pos)
            end = body(pos)
            begun.pop()
            if end < 0:
                self._groups.pop(group, None)
            return end

        return run

    def _branch(self, held: Any, behind: Next) -> Next:
        ways = [self._built(branch, behind) for branch in held[1]]

        def run(pos: int) -> int:
            for way in ways:
                if (end := way(pos)) >= 0:
                    return end
            return -1

        return run

    def _assert(self, held: Any, behind: Next, *, wanted: bool = True) -> Next:
        direction, sub = held
        back = sub.getwidth()[0] if direction < 0 else 0
        body = self._built(sub, lambda pos: pos)
        return lambda pos: behind(pos) if (pos >= back and body(pos - back) >= 0) == wanted else -1

    def _assert_not(self, held: Any, behind: Next) -> Next:
        return self._assert(held, behind, wanted=False)

    def _at_code(self, held: Any, pos: int) -> bool:
        if held is codes.AT_END_STRING:
            return pos == self._stop
        assert held is codes.AT_BOUNDARY
        around = self._text[max(0, pos - 1) : pos], self._text[pos : min(pos + 1, self._stop)]
        ascii_only = bool(self._pattern.flags & re.ASCII)
        words = [
            bool(one) and (one == "_" or one.isalnum()) and (one.isascii() or not ascii_only)
            for one in around
        ]
        return words[0] != words[1]

    def _at(self, held: Any, behind: Next) -> Next:
        return lambda pos: behind(pos) if self._at_code(held, pos) else -1

    def _groupref(self, held: int, behind: Next) -> Next:
        def run(pos: int) -> int:
            said = self._text[slice(*self._groups[held])]
            self._steps.count += len(said)
            return behind(pos + len(said)) if self._text.startswith(said, pos) else -1

        return run

    def _groupref_exists(self, held: Any, behind: Next) -> Next:
        group, then, other = held
        ways = self._built(other or [], behind), self._built(then, behind)

        def run(pos: int) -> int:
            return ways[group in self._groups](pos)

        return run


def stepped(patch: pytest.MonkeyPatch, modules: tuple[ModuleType, ...]) -> Steps:
    """Makes every expression of some modules count its steps."""
    steps = Steps()
    known: dict[int, Stepped] = {}

    def made(pattern: re.Pattern[str]) -> Stepped:
        return known.setdefault(id(pattern), Stepped(pattern, steps))

    for module in modules:
        for name, held in list(vars(module).items()):
            if isinstance(held, re.Pattern):
                patch.setattr(module, name, made(held))
            elif isinstance(held, dict) and all(isinstance(v, re.Pattern) for v in held.values()):
                patch.setattr(module, name, {key: made(one) for key, one in held.items()})
    return steps
