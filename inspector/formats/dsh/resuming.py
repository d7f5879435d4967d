"""What DeepSeek Harness does when it takes up a log (format page 4.2 and 5, rules F)."""

from collections.abc import Iterator, Sequence
from typing import Final

from inspector.formats.contract import RequestEntry
from inspector.formats.dsh.closing import Closer
from inspector.text.gate import clean_line
from inspector.text.labels import plural

END_SEED: Final = "session/end-seed"
"""What a process writes behind a log that it took up, unless it stands there already."""

OUTCOME_UNKNOWN: Final = (
    "The session was interrupted while this call ran, and whether it took effect is not known. "
    "Call it again only if it reads, or may safely run twice; otherwise look at what is there, "
    "or ask."
)
NOT_STARTED: Final = (
    "The session was interrupted before this call was recorded as started. It was not run and did "
    "not fail; call it again if it is still needed."
)


def text_of(closer: Closer) -> str:
    """What the result of a call says to the model: ours, to the sense of the owner's."""
    return NOT_STARTED if closer.recorded is None else OUTCOME_UNKNOWN


def added(closers: Sequence[Closer]) -> Iterator[RequestEntry]:
    """The results that repair adds for calls without one."""
    for closer in closers:
        error = closer.error
        if error is not None:
            yield RequestEntry(
                None,
                note="added",
                type="tool_result",
                role="tool",
                text=text_of(closer),
                call_id=closer.call if isinstance(closer.call, str) else None,
                why=f"the turn is open and the call has no result: {error[1]}",
            )


def written(closers: Sequence[Closer], last: str | None) -> list[str]:
    """What is written behind the log before anything is sent.

    Args:
        closers: what repair appends.
        last: the type of the last event, None where there is none.
    """
    found: list[str] = []
    if closers:
        results = sum(closer.error is not None for closer in closers)
        parts = [plural(results, "tool/result") for _ in range(1) if results]
        parts += [clean_line(closer.kind, 40) for closer in closers if closer.error is None]
        found.append(f"repair appends {', '.join(parts)}: the turn is open")
    if closers or last != END_SEED:
        found.append(f"{END_SEED} is appended when a process takes the log up")
    return found
