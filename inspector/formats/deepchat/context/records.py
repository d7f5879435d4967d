"""A message as the tape has it: what must be so, and what the model is not shown of it."""

from typing import Any, Final, NamedTuple

from inspector.formats.deepchat.values import double, is_number, read_object

SENT: Final = "sent"
ERROR: Final = "error"
PENDING: Final = "pending"

USER: Final = "user"
ASSISTANT: Final = "assistant"

_STATUSES: Final = frozenset((SENT, ERROR, PENDING))
_HIDDEN: Final = frozenset(("compaction", "workflow_result"))
"""Values of ``metadata.messageType`` that keep a message from the model (RULES B)."""


class Record(NamedTuple):
    """A valid ``payload.record`` (format page 4.3).

    Attributes:
        id: may be empty.
        order: the place in the session, as the double that is compared.
        role: ``user`` or ``assistant``.
        status: ``sent``, ``error`` or ``pending``; anything else counts as sent.
        content: JSON in a text, or meant to be.
        metadata: JSON in a text, or something else that counts as none.
    """

    id: str
    order: float
    role: str
    status: str
    content: str
    metadata: Any


def record_of(payload: dict[str, Any]) -> Record | str:
    """The record of a message row, or why the owner ignores the row."""
    record = payload.get("record")
    if type(record) is not dict:
        return "it has no record"
    get = record.get
    identity, content, role = get("id"), get("content"), get("role")
    if not isinstance(identity, str):
        return "the record's id is no text"
    if not isinstance(get("sessionId"), str):
        return "the record's sessionId is no text"
    if not isinstance(content, str):
        return "the record's content is no text"
    order = get("orderSeq")
    if not is_number(order):
        return "the record's orderSeq is no number"
    if role not in (USER, ASSISTANT):
        return "the record's role is neither user nor assistant"
    status = get("status")
    known = status if isinstance(status, str) and status in _STATUSES else SENT
    return Record(identity, double(order), role, known, content, get("metadata"))


def metadata_of(record: Record) -> dict[str, Any]:
    """The metadata of a record; an object that is not kept as text is replaced by none (B)."""
    text = record.metadata
    return read_object(text)[0] if type(text) is str and text != "{}" else {}


def left_out(record: Record, metadata: dict[str, Any]) -> str | None:
    """Why a message is no history for the model, in words; None if it is (RULES C1, B)."""
    if record.status == PENDING:
        return "it is pending: not sent yet, or not finished"
    if record.status == ERROR and record.role == USER:
        return "a user message with an error is left out"
    kind = metadata.get("messageType")
    if kind == "compaction":
        return "it only shows that the context was compacted"
    if type(kind) is str and kind in _HIDDEN:
        return f"its messageType is {kind}"
    return None
