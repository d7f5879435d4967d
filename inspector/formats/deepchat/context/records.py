"""A message as the tape has it: what must be so, and what the model is not shown of it."""

from typing import Any, Final, NamedTuple

from inspector.formats.deepchat.values import double, is_number, read_object

SENT: Final = "sent"
ERROR: Final = "error"
PENDING: Final = "pending"

USER: Final = "user"
ASSISTANT: Final = "assistant"

_ROLES: Final = (USER, ASSISTANT)
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
    record: Any = payload.get("record")
    try:
        identity, content, role = record["id"], record["content"], record["role"]
        session, order = record["sessionId"], record["orderSeq"]
        if not (type(identity) is type(content) is type(session) is str and role in _ROLES):
            return _fault_of(record)
        if type(order) is not int and type(order) is not float:
            return _fault_of(record)
        place = float(order)
    except (KeyError, TypeError):
        return _fault_of(record) if type(record) is dict else "it has no record"
    except OverflowError:
        place = double(order)
    get = record.get
    status = get("status")
    if type(status) is not str or status not in _STATUSES:
        status = SENT
    return Record(identity, place, role, status, content, get("metadata"))


def _fault_of(record: Any) -> str:
    """The first thing that is wrong with a record."""
    for key in ("id", "sessionId", "content"):
        if type(record.get(key)) is not str:
            return f"the record's {key} is no text"
    if not is_number(record.get("orderSeq")):
        return "the record's orderSeq is no number"
    return "the record's role is neither user nor assistant"


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
