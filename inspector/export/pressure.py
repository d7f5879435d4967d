"""How full the window is, and whether the owner would compact: a document, and its words."""

from collections.abc import Iterator
from typing import Any

from inspector.export.why import name
from inspector.formats.contract import Tape
from inspector.lenses.pressure import Pressure, compacted_before, pressure_at
from inspector.lenses.prices import Prices
from inspector.text.labels import count


def document(tape: Tape, cursor: int, prices: Prices | None = None) -> dict[str, Any]:
    """Whether the owner would compact at a cursor, and by which rule that is told."""
    rule, before = tape.compaction_rule, compacted_before(tape, cursor)
    return {
        **document_of(pressure_at(tape, cursor, prices)),
        "rule": None if rule is None else rule.words,
        "source": None if rule is None else rule.source,
        "counts": (rule and rule.counts) or None,
        "compacted_at": None if before is None else {"event": before[0], "tokens": before[1]},
    }


def document_of(found: Pressure) -> dict[str, Any]:
    """The figures alone."""
    told = "tape" if found.on_tape else "price file"
    return {
        "tokens": found.tokens,
        "tokens_estimated": found.estimated,
        "window": found.window,
        "window_from": None if found.window is None else told,
        "threshold": found.threshold,
        "beyond": found.beyond,
        "would_compact": found.compacts,
    }


def words(found: dict[str, Any]) -> str:
    """The figures as one sentence, of either document."""
    about = "≈" if found["tokens_estimated"] else ""
    sent, window = f"{about}{count(found['tokens'])}", found["window"]
    if window is None:
        return (
            f"{sent} tokens of a window that is not recorded: "
            "no telling whether the owner would compact now"
        )
    whose = " by the price file" if found["window_from"] == "price file" else ""
    full = f"{sent} of {count(window)} tokens{whose} ({share(found)})"
    if found["threshold"] is None:
        return f"{full}: no telling whether the owner would compact now"
    threshold = count(found["threshold"])
    when = f"above {threshold}" if found["beyond"] else f"from {threshold} on"
    if found["would_compact"]:
        return f"{full}: the owner would compact now, as it does {when}"
    return f"{full}: the owner would not compact now, only {when}"


def share(found: dict[str, Any]) -> str:
    """Which part of the window is used, in per cent."""
    return f"{100 * found['tokens'] // found['window']} %"


def rule_words(tape: Tape, found: dict[str, Any]) -> Iterator[str]:
    """On what `document` rests: the owner's default, how it counts, and what it did before."""
    if found["rule"] is None:
        yield "threshold: not recorded, and the owner's rule is not known"
        return
    yield (
        f"threshold: not recorded; the owner's default is {found['rule']} ({found['source']})"
        f"{'; it counts ' + found['counts'] if found['counts'] else ''}"
    )
    before = found["compacted_at"]
    if before is not None:
        tokens = count(before["tokens"])
        last = name(tape, before["event"])
        yield f"recorded: it compacted by itself at {tokens} tokens, the last time as {last}"
