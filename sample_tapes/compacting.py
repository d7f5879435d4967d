"""What a compaction comes to: a request that was too long, and the four ways in which one ends."""

from typing import Final

from sample_tapes.writing import FLASH, Tape, begun, exited

_TOO_LONG: Final = {
    "message": "the request has more than 131,072 tokens",
    "code": "CONTEXT_WINDOW_EXCEEDED",
    "status": 400,
}
_DRIFTS: Final = [f"{second:>5} s  drift {second * 7 % 13:>2} ms" for second in range(400)]
"""Together long enough to be pruned."""

_REPORTED: Final = {FLASH: 5_900}
"""What the provider reports for a hundred tokens: a short tape fills its window."""


def overflow_recovery() -> Tape:
    """A request is too long, something is hidden and it is made again; then nothing can be."""
    tape = Tape("sample-overflow-recovery", percent=_REPORTED)
    tape.prompt("How far does the clock drift in 400 seconds?", after=0)
    tape.request()
    drift = {"command": "python tools/drift.py", "description": "Measure"}
    long = tape.use("", "bash", drift, exited("\n".join(_DRIFTS)))
    tape.step()
    tape.failed_request(_TOO_LONG)
    tape.prune(long)
    tape.compact("Drift over 400 s was measured with tools/drift.py.", keep=2)
    tape.answer("By 12 ms at the most.")
    tape.end_turn()
    tape.prompt("\n".join(("And in these?", *_DRIFTS[:140])))
    tape.failed_request(_TOO_LONG)
    failed = tape.begin_compaction()
    tape.end_compaction(failed, error="summary request failed: 503 overloaded")
    tape.end_turn("error", error=_TOO_LONG)
    return tape


def compaction_ends() -> Tape:
    """One compaction is done, one fails, one is left over and locks, one is stale in a new life."""
    tape = begun("sample-compaction-ends", "Which port does the mail server use?")
    tape.answer("Port 8025.")
    tape.end_turn()
    tape.compact("The mail server uses port 8025.", manual=True)
    failed = tape.begin_compaction(manual=True)
    tape.wait(9)
    tape.end_compaction(failed, error="summary request failed: 503 overloaded")
    tape.begin_compaction(manual=True)
    tape.prompt("And the web server?")
    tape.answer("Port 8080.")
    tape.end_turn()
    tape.begin_compaction(manual=True)
    tape.event("session/end-seed", {})
    tape.prompt("Thank you.")
    tape.answer("You are welcome.")
    tape.end_turn()
    return tape
