"""What is wrong with the container of a text, as findings that every format tells alike."""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from inspector.tape.troubles import Trouble, TroubleCode
from inspector.timeline.findings import Finding, FindingKind, Severity

_HOLE: Final = "what it held is not folded; replay beyond it is not reliable"
_END: Final = "not used; the writer may be at it, the head may move"
_NOTHING: Final = "none"

KINDS: Final = {
    TroubleCode.DAMAGED_FRAME: FindingKind("damaged-frame", Severity.ERROR, _HOLE),
    TroubleCode.UNREADABLE_FRAME: FindingKind("unreadable-frame", Severity.ERROR, _HOLE),
    TroubleCode.SKIPPED_FRAME: FindingKind("skipped-frame", Severity.INFO, _NOTHING),
    TroubleCode.NOT_A_FRAME: FindingKind("not-a-frame", Severity.ERROR, _HOLE),
    TroubleCode.TORN_FRAME: FindingKind("torn-frame", Severity.WARNING, _END),
    TroubleCode.TORN_STREAM: FindingKind("torn-stream", Severity.WARNING, _END),
    TroubleCode.UNPACK_LIMIT: FindingKind(
        "unpack-limit", Severity.ERROR, "what is beyond is not read; --unpack-limit raises it"
    ),
    TroubleCode.MORE_TROUBLES: FindingKind("more-troubles", Severity.ERROR, _HOLE),
}
"""By trouble, the kind of finding."""

HOLES: Final = frozenset(
    {
        TroubleCode.DAMAGED_FRAME,
        TroubleCode.UNREADABLE_FRAME,
        TroubleCode.NOT_A_FRAME,
        TroubleCode.UNPACK_LIMIT,
        TroubleCode.MORE_TROUBLES,
    }
)
"""The troubles behind which text is missing."""


def findings(troubles: Iterable[Trouble], record_at: Callable[[int], int]) -> Iterator[Finding]:
    """The troubles of a source as findings.

    Args:
        troubles: as the source tells them.
        record_at: the line that holds a byte of the text.
    """
    for trouble in troubles:
        yield Finding(KINDS[trouble.code], record_at(trouble.plain), None, trouble.message)
