"""Codex logs for hypothesis: turns, rollbacks and compactions that rewrite history in every way."""

from typing import Any

from hypothesis import strategies as st

from tests.formats.codex import tapes
from tests.formats.codex.tapes import Record

_NAMES = ("t0", "t1", "t2", "t3")
_ENVIRONMENT = "<environment_context>here</environment_context>"
_PERMISSIONS = "<permissions instructions>ask</permissions instructions>"

CHOICES = (
    *("start", "done", "abort", "settings", "back", "back", "heard", "legacy", "compact"),
    *("compact", "agent", "user", "user", "parts", "assistant", "environment", "permissions"),
    *("call", "output", "output"),
)


class Writer:
    """Writes whatever is drawn, with texts of its own so that each message is told apart."""

    def __init__(self, draw: st.DrawFn) -> None:
        self._draw = draw
        self._said: list[dict[str, Any]] = []
        self.records: list[Record] = []

    def write(self, length: int) -> None:
        for number in range(length):
            choice = self._draw(st.sampled_from(CHOICES))
            self.records += self._records(choice, f"{choice} {number}")

    def _name(self) -> str:
        return self._draw(st.sampled_from(_NAMES))

    def _records(self, choice: str, text: str) -> list[Record]:
        match choice:
            case "start":
                return [tapes.started(self._name())]
            case "done":
                return [tapes.done(self._name())]
            case "abort":
                return [tapes.aborted(self._name())]
            case "settings":
                return [tapes.context(self._name())]
            case "back":
                return [tapes.rolled_back(self._draw(st.integers(0, 4)))]
            case "heard":
                return [tapes.heard(text)]
            case "legacy":
                return [tapes.summarised(text)]
            case "compact":
                return [tapes.compacted(*self._history(text))]
            case "agent":
                parts = [tapes.part(text)]
                return [tapes.item("agent_message", author="a", recipient="b", content=parts)]
            case "call":
                return [self._kept(tapes.call(self._name(), text))]
            case "output":
                return [self._kept(tapes.output(self._name(), text))]
        return [self._message(choice, text)]

    def _message(self, choice: str, text: str) -> Record:
        roles = {"environment": "user", "permissions": "developer"}
        fixed = {"environment": _ENVIRONMENT, "permissions": _PERMISSIONS}
        role = roles.get(choice, choice)
        record = tapes.said(role, *((fixed.get(choice, text),) if choice != "parts" else ()))
        if choice == "parts":
            record = tapes.user(text, "and more")
        return self._kept(record)

    def _kept(self, record: Record) -> Record:
        self._said.append(record["payload"])
        return record

    def _history(self, text: str) -> list[dict[str, Any]]:
        """Some of what was said before, in any order, some of it less, and a summary."""
        some = st.lists(st.sampled_from(self._said), max_size=4) if self._said else st.just([])
        kept = [self._as_stored(item) for item in self._draw(some)]
        prefix = self._draw(st.sampled_from(["", tapes.PREFIX]))
        summary = [tapes.message("user", prefix + text)]
        return [*kept, *self._draw(st.sampled_from([summary, [], [*summary, *kept]]))]

    def _as_stored(self, item: dict[str, Any]) -> dict[str, Any]:
        if "output" not in item or not self._draw(st.booleans()):
            return item
        return {**item, "output": "[removed]"}


@st.composite
def logs(draw: st.DrawFn, least: int = 1, most: int = 40) -> list[Record]:
    """The records behind the header."""
    writer = Writer(draw)
    writer.write(draw(st.integers(least, most)))
    return writer.records
