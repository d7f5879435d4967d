"""Transcripts that two writers append to in turn, each as the agent writes.

Both resume one session: the second begins somewhere on the branch of the first, and from then on
each goes on from its own last record.
"""

import random
from collections.abc import Callable
from itertools import pairwise
from typing import Final

from hypothesis import strategies as st

from tests.formats.claude.transcripts import (
    SESSION,
    Record,
    answer,
    attachment,
    beside,
    boundary,
    call,
    notice,
    record,
    result,
    summary,
    text,
    user,
)

TURNS: Final = (
    *("ask", "ask", "batch", "batch", "batch", "say"),
    *("reminder", "meta", "notice", "progress", "side", "clear", "compact", "rewind", "beside"),
)

UNSAID: Final = "pyxcb"
"""How the ids of records begin that are no messages."""


class Writer:
    """One of those who append.

    Args:
        throw: decides.
        tape: what was written so far, by anybody.
        parent: the record that it resumes at; None for the one who begins.
    """

    def __init__(self, throw: random.Random, tape: list[Record], parent: str | None) -> None:
        self._throw = throw
        self._tape = tape
        self._tip = parent
        self._path: list[str] = [] if parent is None else path_to(tape, parent)
        self._waiting: list[tuple[str, str, str]] = []
        self._answered: list[str] = []
        self._message = ""
        self._side: str | None = None

    def write(self) -> None:
        """The next record, or a compaction."""
        throw = self._throw
        if self._waiting and throw.random() < 0.6:
            self._result()
            return
        if not self._path:
            self._take(user(self._new("u"), self._tip))
            return
        turns: dict[str, Callable[[], None]] = {
            "ask": lambda: self._take(user(self._new("u"), self._tip)),
            "say": lambda: self._take(answer(self._new("a"), self._tip, text("so"))),
            "batch": self._call,
            "reminder": lambda: self._take(
                attachment(self._new("x"), self._tip, "file", filename="a.txt")
            ),
            "meta": lambda: self._take(user(self._new("m"), self._tip, isMeta=True)),
            "notice": lambda: self._take(
                notice(self._new("y"), self._tip, "informational", content="nothing")
            ),
            "progress": lambda: self._take(
                record("progress", self._new("p"), self._tip, data={"type": "hook_progress"})
            ),
            "side": self._aside,
            "clear": self._clear,
            "compact": self._compact,
            "rewind": self._rewind,
            "beside": lambda: self._tape.append(beside("ai-title", aiTitle="a title")),
        }
        turns[throw.choice(TURNS)]()

    def _new(self, letter: str) -> str:
        return f"{letter}{len(self._tape)}"

    def _take(self, one: Record) -> str:
        self._tape.append(one)
        self._tip = str(one["uuid"])
        self._path.append(self._tip)
        return self._tip

    def _call(self) -> None:
        """A line of a message that calls; the message goes on while its results are awaited."""
        if not self._waiting:
            self._message = f"msg_{len(self._tape)}"
        name = f"c{len(self._tape)}"
        # Lines of a message hang on each other, whatever was answered in between.
        parent = self._waiting[-1][1] if self._waiting else self._tip
        line = self._take(answer(self._new("a"), parent, call(name), of=self._message))
        self._waiting.append((name, line, self._message))

    def _result(self) -> None:
        name, line, _ = self._waiting.pop(self._throw.randrange(len(self._waiting)))
        self._take(result(self._new("r"), line, name, sourceToolAssistantUUID=line))
        self._answered.append(name)

    def _aside(self) -> None:
        uuid = self._new("s")
        self._tape.append(user(uuid, self._side, "do this", isSidechain=True))
        self._side = uuid

    def _clear(self) -> None:
        cleared = {"trigger": "auto", "compactedToolIds": self._answered[-2:]}
        uuid = self._new("c")
        self._take(notice(uuid, self._tip, "microcompact_boundary", microcompactMetadata=cleared))

    def _compact(self) -> None:
        if self._waiting or not any(one[0] not in UNSAID for one in self._path):
            return
        at, coming = len(self._tape), f"t{len(self._tape) + 1}"
        anchor = coming if self._throw.random() < 0.7 else f"b{at}"
        kept = [one for one in self._path if one[0] not in UNSAID][-self._throw.randrange(1, 5) :]
        chain = self._path[self._path.index(kept[0]) :]
        metadata: Record = {}
        dice = self._throw.random()
        if dice < 0.35 and is_a_chain(self._tape, chain):
            segment = {"headUuid": chain[0], "tailUuid": chain[-1], "anchorUuid": anchor}
            metadata = {"preservedSegment": segment}
        elif dice < 0.7:
            metadata = {"preservedMessages": {"anchorUuid": anchor, "uuids": kept}}
            chain = kept
        self._take(boundary(f"b{at}", **metadata))
        self._take(summary(coming, f"b{at}"))
        after = [*chain, coming] if anchor != coming else [coming, *chain]
        self._path = [f"b{at}", *(after if metadata else [coming])]
        if metadata and self._throw.random() < 0.5:
            self._tip = self._path[-1]

    def _rewind(self) -> None:
        prompts = [at for at, one in enumerate(self._path) if one[0] == "u" and at]
        if not prompts or self._waiting:
            return
        self._path = self._path[: self._throw.choice(prompts)]
        self._tip = self._path[-1]


def path_to(tape: list[Record], name: str) -> list[str]:
    """A record and those above it, as they name each other, oldest first."""
    parents = {one["uuid"]: one.get("parentUuid") for one in tape if "uuid" in one}
    found: list[str] = []
    at: str | None = name
    while at is not None and at not in found:
        found.append(at)
        at = parents.get(at)
    return found[::-1]


def is_a_chain(tape: list[Record], names: list[str]) -> bool:
    """Whether each of some records names the one before it as its parent."""
    parents = {one["uuid"]: one.get("parentUuid") for one in tape if "uuid" in one}
    return all(parents[name] == above for above, name in pairwise(names))


@st.composite
def two_writers(draw: st.DrawFn) -> list[Record]:
    """Records of two writers, from one to a few of each at a time."""
    throw = draw(st.randoms(use_true_random=True))
    tape: list[Record] = []
    first = Writer(throw, tape, None)
    for _ in range(throw.randrange(1, 12)):
        first.write()
    named = [one["uuid"] for one in tape if one.get("type") in ("user", "assistant")]
    named = [one for one in named if one[0] in "uarmt"]
    writers = [first, Writer(throw, tape, throw.choice(named))]
    for turn in range(throw.randrange(2, 14)):
        for _ in range(throw.randrange(1, 4)):
            writers[turn % 2].write()
    for at, one in enumerate(tape):
        one["timestamp"] = f"2026-06-01T09:{at // 60:02}:{at % 60:02}.000Z"
        one["sessionId"] = SESSION
    return tape
