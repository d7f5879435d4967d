"""A question before something is written: what a person is asked, and what the answer is. Pure."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final

Act = Callable[[bool], Sequence[str]]
"""Does it, told whether the agent is said to be stopped; gives what was done, in lines.

Raises ApplyError, PlanError or SourceError if it is not done.
"""


@dataclass(frozen=True, slots=True)
class Question:
    """What a person is asked before something is written.

    Attributes:
        title: what will be done, in one line.
        lines: what belongs to it, a sentence each.
        letter: the key that says yes, before Enter.
        verb: what the letter does.
        act: does it.
        agent: who must be stopped, or empty where nobody need be.
        more: what else belongs to it, a sentence each; goes through the tape, and may raise what
            ``act`` does. None where there is nothing.
    """

    title: str
    lines: tuple[str, ...]
    letter: str
    verb: str
    act: Act
    agent: str = ""
    more: Callable[[], Sequence[str]] | None = None


class Stage(Enum):
    """How far it has come."""

    ASKED = "asked"
    READY = "ready"
    WORKING = "working"
    DONE = "done"
    REFUSED = "refused"


LOOK: Final = "looking at what would be made…"
WAIT: Final = "writing, and reading it again…"


class Asking:
    """Where a question stands: first nothing is chosen, and Enter cancels.

    Attributes:
        question: which.
        stage: how far it has come.
        stopped: whether the agent is said to be stopped.
        more: what else belongs to the question.
        looks: whether that is being looked for: until it is there Enter does nothing.
        outcome: what was done, or why nothing was.
    """

    def __init__(self, question: Question) -> None:
        self.question = question
        self.stage = Stage.ASKED
        self.stopped = False
        self.more: tuple[str, ...] = ()
        self.looks = question.more is not None
        self.outcome: tuple[str, ...] = ()

    @property
    def waits_for_agent(self) -> bool:
        """Whether a person must say first that the agent is stopped."""
        return bool(self.question.agent) and not self.stopped

    def press(self, key: str) -> None:
        """Take the letter that says yes, or what says that the agent is stopped."""
        if self.stage not in (Stage.ASKED, Stage.READY):
            return
        if key == "w" and self.question.agent:
            self.stopped = not self.stopped
            self.stage = Stage.ASKED
        elif key == self.question.letter and not self.waits_for_agent:
            self.stage = Stage.READY

    def found(self, more: Sequence[str]) -> None:
        """It is known what else belongs to the question."""
        self.more, self.looks = tuple(more), False

    def back(self) -> None:
        """Take the letter back."""
        if self.stage is Stage.READY:
            self.stage = Stage.ASKED

    def begin(self) -> None:
        """It is being done."""
        self.stage = Stage.WORKING

    def end(self, outcome: Sequence[str], *, done: bool) -> None:
        """It was done, or refused."""
        self.stage = Stage.DONE if done else Stage.REFUSED
        self.outcome = tuple(outcome)

    def hint(self) -> str:
        """What a person can do now."""
        question = self.question
        match self.stage:
            case Stage.ASKED if self.waits_for_agent:
                return f"w says that {question.agent} is stopped"
            case Stage.ASKED:
                return f"type {question.letter}, then Enter, to {question.verb}"
            case Stage.READY if self.looks:
                return LOOK
            case Stage.READY:
                return f"Enter: {question.verb}"
            case Stage.WORKING:
                return WAIT
            case Stage.DONE | Stage.REFUSED:
                return ""
