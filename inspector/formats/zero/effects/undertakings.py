"""Goals, specs, specialists, forks and rewinds (format page 4, 6 and 7)."""

from typing import Any, Final

from inspector.formats.shapes import mapping, natural, text
from inspector.formats.zero import rules
from inspector.formats.zero.effects.keys import key_of
from inspector.text.gate import clean_line
from inspector.text.jsontext import json_text
from inspector.timeline.builder import Builder
from inspector.timeline.registers import IN_PAYLOAD
from inspector.timeline.words import Mark, Outcome, SpanKind

_ONE: Final = "1"
_WORD: Final = 120
_KIN: Final = 1_000
"""Sessions that are told to belong to this one: a tape may name any number."""

_GOAL_ENDS: Final = {"complete": Outcome.OK}


class Undertakings:
    """Tells the builder of what lasts longer than a turn, and of other sessions.

    Attributes:
        session: the one whose events these are, as far as their ids say.
        copied_as: how a copy of another session is related to it.
        copied: whether what stands here was copied from it, as far as the metadata tell.
        parent: the session that this one comes from, as its events say; empty where none does.
    """

    def __init__(self, builder: Builder) -> None:
        self.session = ""
        self.copied_as = "fork"
        self.copied = False
        self.parent = ""
        self._builder = builder
        self._kin: set[tuple[str, str]] = set()

    # Goals.

    def goal(self, payload: dict[str, Any]) -> None:
        """A goal is set or changes; there is one at a time."""
        builder = self._builder
        builder.set("goal", IN_PAYLOAD)
        status = text(payload.get("status"))
        if not builder.is_open(SpanKind.GOAL, _ONE) and status not in _GOAL_ENDS:
            builder.open(SpanKind.GOAL, _ONE)
        if status in _GOAL_ENDS:
            word = text(payload.get("statusReason"))[:_WORD]
            said = f"{status}: {word}" if word else status
            builder.close(SpanKind.GOAL, _ONE, _GOAL_ENDS[status], said)

    def goal_cleared(self, _payload: dict[str, Any]) -> None:
        """The goal is given up, or put away when it is reached."""
        self._builder.set("goal", None)
        self._builder.close(SpanKind.GOAL, _ONE, Outcome.CANCELLED, "cleared")

    # Specs.

    def spec_draft(self, payload: dict[str, Any]) -> None:
        """A spec is written and waits for the person."""
        self._builder.set("spec", IN_PAYLOAD)
        self._builder.open(SpanKind.APPROVAL, _spec(payload))

    def spec_approved(self, payload: dict[str, Any]) -> None:
        """The person approves of it."""
        self._spec_decided(payload, Outcome.OK, "approved", "specUserComment")

    def spec_rejected(self, payload: dict[str, Any]) -> None:
        """The person does not."""
        self._spec_decided(payload, Outcome.REJECTED, "rejected", "specRejectReason")

    def _spec_decided(
        self, payload: dict[str, Any], outcome: Outcome, word: str, reason: str
    ) -> None:
        said = text(payload.get(reason))[:_WORD]
        self._builder.set("spec", IN_PAYLOAD)
        told = f"{word}: {said}" if said else word
        self._builder.close(SpanKind.APPROVAL, _spec(payload), outcome, told)
        self.other("spec", text(payload.get("specImplSessionId")))

    # Other sessions.

    def specialist_start(self, payload: dict[str, Any]) -> None:
        """Another agent begins to work in a session of its own."""
        self._builder.open(SpanKind.SUBAGENT, _specialist(payload))
        self.other("subagent", text(payload.get("childSessionId")))

    def specialist_stop(self, payload: dict[str, Any]) -> None:
        """It is done."""
        status = text(payload.get("status"))
        failed = status not in ("ok", "") or bool(payload.get("error"))
        detail = text(payload.get("error"))[:_WORD]
        word = f"{status[:_WORD] or 'error'}: {detail}" if detail else status[:_WORD]
        outcome = Outcome.FAILED if failed else Outcome.OK
        self._builder.close(SpanKind.SUBAGENT, _specialist(payload), outcome, word or None)
        if failed:
            self._builder.mark(Mark.ERROR)

    def child(self, payload: dict[str, Any]) -> None:
        """A child was made; the event stands in the parent and in the child itself."""
        child = text(payload.get("childSessionId"))
        if child == self.session:
            self._comes_from("parent", text(payload.get("parentSessionId")))
        else:
            self.other("subagent", child)

    def forked(self, payload: dict[str, Any]) -> None:
        """What stands before was copied from the parent, and a new life begins (page 7)."""
        self.copied = False
        builder = self._builder
        builder.inherit(builder.event)
        builder.live()
        boundary = natural(payload.get("copiedEventCount"))
        self._comes_from(self.copied_as, text(payload.get("parentSessionId")), boundary)

    def _comes_from(self, relation: str, session: str, boundary: int | None = None) -> None:
        """The event stands in the session that was made; what a copy tells of its parent's own
        parent stands before what it tells of its parent.
        """
        self.parent = session or self.parent
        self.other(relation, session, boundary, above=True)

    def other(
        self, relation: str, session: str, boundary: int | None = None, *, above: bool = False
    ) -> None:
        """Another session belongs to this one, which came from it if it is ``above``; told once
        each, and never of no name.
        """
        key = (relation, key_of(session))
        if session and key not in self._kin and len(self._kin) < _KIN:
            self._kin.add(key)
            self._builder.kin(relation, session, boundary, origin=above)

    # Rewinds.

    def rewound(self, payload: dict[str, Any], record: int) -> None:
        """What stood behind a number was dropped from the file; only that is told (page 6)."""
        builder = self._builder
        builder.branch()
        target = payload.get("targetSequence")
        report = mapping(payload.get("report"))
        files = [
            f"{report[key]:,} {words}"
            for key, words in (("filesRestored", "restored"), ("filesDeleted", "deleted"))
            if type(report.get(key)) is int and report[key]
        ]
        said = f" (files: {', '.join(files)})" if files else ""
        where = "rewound, and it does not say to which sequence"
        if target is not None:
            where = f"rewound to sequence {clean_line(json_text(target, limit=80), 40)}"
        # A copy numbers its events anew.
        more = "later numbers and ids are used again"
        if self.copied:
            more = "it was the session copied that was, and the number is one of its own"
        message = f"{where}{said}: {more}"
        builder.find(rules.REWOUND, message, record=record, event=builder.event)
        builder.set("rewound to", target if type(target) is int else None)


def _spec(payload: dict[str, Any]) -> str:
    return f"spec {key_of(text(payload.get('specId')))}"


def _specialist(payload: dict[str, Any]) -> str:
    task = key_of(text(payload.get("taskId")))
    return f"{task} {key_of(text(payload.get('childSessionId')))}"
