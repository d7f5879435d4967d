"""What the owner's Fork would make of a cut: copies of sent messages, and nothing else (page 7B).

It copies the transcript as it is now: what was edited since is copied with its new text, what was
taken back is not there, and no summary is copied, so that all before one comes back.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from inspector.formats.deepchat.context.records import PENDING, SENT
from inspector.formats.deepchat.effects.tools import call_of
from inspector.formats.deepchat.planning.material import Material
from inspector.formats.deepchat.planning.transcript import Message, Transcript
from inspector.formats.deepchat.vocabulary import TOOL_CALL, TOOL_RESULT
from inspector.timeline.words import Role, Visibility

JOURNAL: Final = "not copied (runs, attempts, views, anchors)"
SUMMARIES: Final = "not copied (summaries)"
IGNORED: Final = "ignored by the owner"
TOOLS: Final = "of tools of messages that are left out"
UNSENT: Final = "not sent"
REPLACED: Final = "replaced by later rows"
TAKEN_BACK: Final = "taken back"

_BY_VISIBILITY: Final = {Visibility.SUPERSEDED: REPLACED, Visibility.RETRACTED: TAKEN_BACK}
_CALLS: Final = frozenset((TOOL_CALL, TOOL_RESULT))


class Copies(NamedTuple):
    """What a Fork holds.

    Attributes:
        target: the message up to which is copied; None where there is none that still stands.
        messages: what is copied, in its order.
    """

    target: Message | None
    messages: Sequence[Message]


class Forking:
    """The owner's Fork of one session.

    Args:
        material: the session.
    """

    def __init__(self, material: Material) -> None:
        self._material = material
        self.transcript = Transcript(material)

    def copies(self, cut: int) -> Copies:
        """What is copied for a cut: up to its last message that still stands."""
        now = {message.record.id: message for message in self.transcript.now}
        target = next(
            (
                now[message.record.id]
                for message in reversed(self.transcript.standing(cut))
                if message.record.id in now
            ),
            None,
        )
        if target is None:
            return Copies(None, ())
        return Copies(
            target,
            [
                message
                for message in self.transcript.now
                if message.record.status == SENT and message.record.order <= target.record.order
            ],
        )

    def refuses(self, cut: int, nodes: Sequence[int], copies: Copies) -> str | None:
        """Why a Fork does not show some rows, or None if it shows exactly these."""
        events = [self._material.timeline.surface.nodes.origin(node) for node in nodes]
        named = self._material.named
        copied = {message.record.id: message for message in copies.messages}
        asked: list[str] = []
        for event in events:
            record = self.transcript.record(event)
            if record is None:
                return f"DeepChat's Fork copies no summary: what {named(event)} hides comes back"
            asked.append(record.id)
            found = copied.get(record.id)
            if found is None:
                return self._missing(event, record.id)
            if (found.record.role, found.record.content) != (record.role, record.content):
                return (
                    f"the message of {named(event)} was edited by {named(found.event)}, and "
                    "DeepChat's Fork copies what stands there now"
                )
        wanted = set(asked)
        for message in copies.messages:
            if message.record.id not in wanted:
                return self._extra(message, cut)
        if asked != [message.record.id for message in copies.messages]:
            return "the messages stand in another order now, and DeepChat's Fork copies that"
        return None

    def _missing(self, event: int, identity: str) -> str:
        name = self._material.named(event)
        now = next((one for one in self.transcript.now if one.record.id == identity), None)
        if now is None:
            return (
                f"the message of {name} was taken back since, and DeepChat's Fork copies "
                "what stands there now"
            )
        if now.record.status != SENT:
            why = "is pending" if now.record.status == PENDING else "ended in an error"
            return f"the message of {name} {why}, and DeepChat's Fork copies sent ones only"
        return f"the message of {name} stands behind the target now"

    def _extra(self, message: Message, cut: int) -> str:
        name = self._material.named(message.event)
        if message.event >= cut:
            return (
                f"the message of {name}, behind the cut, stands before the target now, and "
                "DeepChat's Fork copies it"
            )
        return (
            f"DeepChat's Fork brings back the message of {name}, which this history does not have"
        )

    def left(self, cut: int, nodes: Sequence[int], copies: Copies) -> tuple[int, dict[str, int]]:
        """How many events before a cut are in a Fork that shows some rows, and why others are not.

        The rows of tools are made anew of the blocks of their message (format page 7).
        """
        origin = self._material.timeline.surface.nodes.origin
        shown = {origin(node) for node in nodes}
        identities = {message.record.id for message in copies.messages}
        whys = Counter(self._whys(cut, shown, identities))
        kept = whys.pop("", 0)
        return kept, dict(whys)

    def _whys(self, cut: int, shown: set[int], identities: set[str]) -> Iterator[str]:
        """Why each event is left out; empty for those that are not."""
        timeline = self._material.timeline
        nodes, types = timeline.surface.nodes, timeline.table
        for event in range(cut):
            node = nodes.of_event(event)
            if event in shown:
                yield ""
            elif node is not None:
                yield self._why_of_row(event, node, cut)
            elif timeline.is_rejected(event):
                yield IGNORED
            elif types.type(event) in _CALLS:
                yield "" if self._message_of(event) in identities else TOOLS
            else:
                yield JOURNAL

    def _why_of_row(self, event: int, node: int, cut: int) -> str:
        timeline = self._material.timeline
        if timeline.surface.nodes.role(node) is Role.SUMMARY:
            return SUMMARIES
        return _BY_VISIBILITY.get(timeline.visibility(event, cut)[0], UNSENT)

    def _message_of(self, event: int) -> str:
        """The id of the message that a row of a tool belongs to."""
        row = self._material.payload(event)
        return call_of(row.get("kind", ""), row.get("payload", {}))[0]
