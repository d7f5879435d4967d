"""The first ``session_meta`` of a log (format page 3.1)."""

from dataclasses import dataclass
from typing import Any, Final

from inspector.formats.reina.times import milliseconds
from inspector.formats.reina.vocabulary import META
from inspector.formats.shapes import text

WITHOUT_META: Final = "the first session_meta has no meta"
"""Why a log with one has no header all the same."""


@dataclass(frozen=True, slots=True)
class Header:
    """What a log says of itself; None where it does not.

    Attributes:
        id: of the session.
        created: milliseconds since the epoch.
        model: the setting that is frozen there, a name as a rule.
    """

    id: str | None
    created: int | None
    model: Any


def is_header(record: Any) -> bool:
    """Whether a record is a ``session_meta`` that the owner can begin with."""
    return (
        isinstance(record, dict)
        and record.get("type") == META
        and isinstance(record.get("meta"), dict)
    )


def of_record(record: dict[str, Any]) -> Header:
    """What a header says."""
    meta: dict[str, Any] = record["meta"]
    return Header(
        text(meta.get("id")) or None, milliseconds(meta.get("createdAt")), meta.get("model")
    )
