"""What the agent set out to do: plan mode, goals and schedules (format page 1.10)."""

from typing import Any, Final

from inspector.formats.dsh.effects.listing import Listed
from inspector.formats.dsh.effects.messages import with_detail
from inspector.formats.dsh.effects.spans import identity
from inspector.formats.shapes import mapping, natural, text
from inspector.timeline.builder import Builder
from inspector.timeline.registers import IN_PAYLOAD
from inspector.timeline.words import Mark, Outcome, SpanKind

_ONE: Final = "1"
_REPEATING: Final = "every"


def schedule_line(schedule: dict[str, Any]) -> str:
    """A schedule in one line: ``after 60 s: ping``."""
    kind = text(schedule.get("kind"))
    seconds = natural(schedule.get(f"{kind}Seconds"))
    when = text(schedule.get("scheduledAt")) if seconds is None else f"{seconds:,} s"
    return f"{kind[:40]} {when[:40]}".strip() + f": {text(schedule.get('prompt'))[:400]}"


class Undertakings:
    """Tells the builder of plan mode, of the goal and of what is scheduled."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._standing = Listed()

    def plan_mode(self, data: dict[str, Any]) -> None:
        """Plan mode is entered or left."""
        active = data.get("active")
        if not isinstance(active, bool):
            return
        self._builder.set("plan mode", active)
        if not active:
            self._builder.close(SpanKind.PLAN_MODE, _ONE, Outcome.OK, "left")
        elif not self._builder.is_open(SpanKind.PLAN_MODE, _ONE):
            self._builder.open(SpanKind.PLAN_MODE, _ONE)

    def goal(self, data: dict[str, Any]) -> None:
        """A goal is set, changed, ended or cleared."""
        operation = text(data.get("operation"))
        if operation == "clear":
            name = identity(text(mapping(data.get("cleared")).get("id")))
            self._builder.close(SpanKind.GOAL, name, Outcome.CANCELLED, "cleared")
            self._builder.set("goal", None)
            return
        goal = mapping(data.get("goal"))
        if not goal:
            return
        self._builder.set("goal", IN_PAYLOAD)
        name = identity(text(goal.get("id")))
        match operation:
            case "create":
                self._builder.open(SpanKind.GOAL, name)
            case "resume" if not self._builder.is_open(SpanKind.GOAL, name):
                # It was blocked before, which ended it.
                self._builder.open(SpanKind.GOAL, name)
            case "complete":
                self._builder.close(SpanKind.GOAL, name, Outcome.OK, "complete")
            case "block":
                reason = mapping(goal.get("blockedReason")).get("message")
                word = with_detail("blocked", reason)
                self._builder.close(SpanKind.GOAL, name, Outcome.FAILED, word)
                self._builder.mark(Mark.ERROR)

    def schedule(self, data: dict[str, Any]) -> None:
        """Something is scheduled, dispatched or deleted."""
        match text(data.get("operation")):
            case "create":
                schedule = mapping(data.get("schedule"))
                name = identity(text(schedule.get("id")))
                self._builder.open(SpanKind.SCHEDULE, name)
                self._standing.put(name, schedule_line(schedule))
            case "delete":
                self._end(data, Outcome.CANCELLED, "deleted")
            case "dispatch":
                # One that repeats stands on; the owner dispatches no other (format page 1.10), but
                # one that did would be done.
                line = self._standing.line(identity(text(data.get("id"))))
                if line is not None and not line.startswith(f"{_REPEATING} "):
                    self._end(data, Outcome.OK, "dispatched")
            case _:
                return
        self._builder.set("schedules", self._standing.shown())

    def _end(self, data: dict[str, Any], outcome: Outcome, word: str) -> None:
        name = identity(text(data.get("id")))
        self._builder.close(SpanKind.SCHEDULE, name, outcome, word)
        self._standing.drop(name)
