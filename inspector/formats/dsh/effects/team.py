"""Teams: members, their messages to each other and their tasks (format page 1.10)."""

from typing import Any, Final

from inspector.formats.dsh.effects.listing import Listed
from inspector.formats.dsh.effects.messages import with_detail
from inspector.formats.dsh.effects.spans import identity
from inspector.formats.shapes import mapping, text
from inspector.timeline.builder import Builder
from inspector.timeline.words import Mark, Outcome, SpanKind

_DONE: Final = {
    "completed": (Outcome.OK, "completed"),
    "deleted": (Outcome.CANCELLED, "deleted"),
}
_TO_DO: Final = ("pending", "in_progress")


class Team:
    """Tells the builder who is in the team, what is on its way and what there is to do."""

    def __init__(self, builder: Builder) -> None:
        self._builder = builder
        self._members = Listed()
        self._messages = Listed()
        self._tasks = Listed()

    def member(self, data: dict[str, Any]) -> None:
        """A member is made ready, is there, or failed to come."""
        member = mapping(data.get("member"))
        if not member:
            return
        phase, name = text(member.get("phase")), _name(data, member.get("id"))
        kind = SpanKind.TEAM_MEMBER
        if phase == "provisioning" and not self._builder.is_open(kind, name):
            self._builder.open(kind, name)
        elif phase == "active":
            self._builder.close(kind, name, Outcome.OK, "active")
        elif phase == "failed":
            word = with_detail("failed", _message(member.get("error")))
            self._builder.close(kind, name, Outcome.FAILED, word)
            self._builder.mark(Mark.ERROR)
        self._members.put(name, f"{text(member.get('name'))[:60]}: {phase[:20]}")
        self._builder.set("team members", self._members.shown())

    def message_queued(self, data: dict[str, Any]) -> None:
        """A message is on its way."""
        message = mapping(data.get("message"))
        name = _name(data, message.get("id"))
        self._builder.open(SpanKind.TEAM_MESSAGE, name)
        sender = text(message.get("senderName")) or text(message.get("senderId"))
        self._messages.put(name, f"{sender[:40]} → {text(message.get('targetId'))[:40]}")
        self._builder.set("team messages", self._messages.shown())

    def message_delivered(self, data: dict[str, Any]) -> None:
        """A message is where it was sent."""
        name = _name(data, data.get("messageId"))
        if self._builder.close(SpanKind.TEAM_MESSAGE, name, Outcome.OK, "delivered"):
            self._messages.drop(name)
            self._builder.set("team messages", self._messages.shown())

    def task(self, data: dict[str, Any]) -> None:
        """A task is there, goes on or is done; the last revision counts."""
        task = mapping(data.get("task"))
        if not task:
            return
        status, name = text(task.get("status")), _name(data, task.get("id"))
        kind = SpanKind.TEAM_TASK
        if status in _DONE:
            self._builder.close(kind, name, *_DONE[status])
        elif status in _TO_DO and not self._builder.is_open(kind, name):
            self._builder.open(kind, name)
        if status == "deleted":
            self._tasks.drop(name)
        else:
            said = status[:20].replace("_", " ")
            self._tasks.put(name, f"{text(task.get('subject'))[:60]}: {said}")
        self._builder.set("team tasks", self._tasks.shown())


def _name(data: dict[str, Any], own: Any) -> str:
    return identity(text(data.get("teamId")), text(own))


def _message(error: Any) -> Any:
    """What an error says; the format page does not tell its shape."""
    return error if isinstance(error, str) else mapping(error).get("message")
