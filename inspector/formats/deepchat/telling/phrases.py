"""What an event says, as a short sentence of plain uncleaned text (format page 3 and 6).

Any field may be missing or of any shape.
"""

from typing import Any, Final

from inspector.formats.deepchat import vocabulary as words
from inspector.formats.deepchat.manifest import VALID, integrity
from inspector.formats.shapes import items, mapping, natural, text
from inspector.formats.telling import ROW, Phrase, joined, listed, said
from inspector.text.labels import plural


def _retracted(data: dict[str, Any]) -> str:
    reason = said(data.get("reason")).replace("_", " ")
    return joined(f"{said(data.get('role')) or 'message'} {said(data.get('messageId'))}", reason)


def _indicator(data: dict[str, Any]) -> str:
    return joined(said(data.get("status")), f"at place {said(data.get('orderSeq'))}")


def _backfill(data: dict[str, Any]) -> str:
    messages = natural(data.get("messageCount"))
    many = "messages" if messages is None else plural(messages, "message")
    return f"{many} copied from {said(data.get('source')) or 'the transcript'}"


def _view(data: dict[str, Any]) -> str:
    manifest = mapping(data.get("manifest"))
    budget = mapping(manifest.get("tokenBudget"))
    left = len(items(manifest.get("excluded")))
    checked = integrity(manifest)
    return joined(
        f"{said(manifest.get('taskType')) or 'a'} request {said(manifest.get('requestSeq'))}",
        f"{len(items(manifest.get('included')))} in" + (f", {left} left out" if left else ""),
        f"about {said(budget.get('estimatedPromptTokens')) or '?'} tokens",
        said(manifest.get("policy")),
        "" if checked == VALID else f"hash {checked}",
    )


def _attempt(data: dict[str, Any]) -> str:
    usage = mapping(data.get("usage"))
    took = "" if not usage else f"{said(usage.get('totalTokens'))} tokens"
    why = said(data.get("failureClassification"))
    code = joined(said(data.get("httpStatus")), said(data.get("errorCode")))
    decision = said(data.get("retryDecision"))
    tried = natural(data.get("physicalAttempt")) or 1
    return joined(
        f"request {said(data.get('requestSeq'))}" + (f" try {tried}" if tried > 1 else ""),
        said(data.get("modelId")),
        said(data.get("status")) + (f" ({why})" if why else ""),
        code if data.get("status") != "completed" else "",
        said(data.get("stopReason")),
        "" if decision in ("", "none") else decision.replace("_", " "),
        took,
    )


def _run(data: dict[str, Any]) -> str:
    return joined(
        f"{said(data.get('runKind')) or 'run'} {said(data.get('runId'))[:8]}",
        f"for message {said(data.get('messageId'))}",
    )


def _run_end(data: dict[str, Any]) -> str:
    reason = said(data.get("stopReason"))
    outcome = said(data.get("outcome"))
    ended = outcome if reason in ("", outcome, "complete") else f"{outcome}: {reason}"
    return f"run {said(data.get('runId'))[:8]} {ended}".strip()


def _dispatch(data: dict[str, Any]) -> str:
    target = said(mapping(data.get("target")).get("serverName"))
    call = said(mapping(data.get("operation")).get("providerToolCallId"))
    where = f"to {target}" if target else said(data.get("toolSource"))
    return joined(f"{said(data.get('toolName')) or 'a tool'} {where}".strip(), call)


def _outcome(data: dict[str, Any]) -> str:
    call = said(mapping(data.get("operation")).get("providerToolCallId"))
    return joined("failed" if data.get("isError") is True else "came back", call)


def _merged(data: dict[str, Any]) -> str:
    rows = natural(data.get("mergedCount"))
    referred = natural(data.get("referencedEntryCount"))
    what = "" if rows is None else plural(rows, "row")
    if referred is not None:
        what = f"{plural(referred, 'row')} referred to"
    return joined(f"fork {said(data.get('forkId'))}", what)


def _discarded(data: dict[str, Any]) -> str:
    return f"fork {said(data.get('forkId'))}: its rows were deleted"


def _linked(data: dict[str, Any]) -> str:
    return joined(
        f"{said(data.get('taskTitle')) or said(data.get('childSessionId'))}",
        said(data.get("outcome")),
        text(data.get("resultSummary"))[:ROW],
    )


_PHRASES: Final[dict[str, Phrase]] = {
    words.RETRACTED: _retracted,
    words.INDICATOR: _indicator,
    words.BACKFILL: _backfill,
    words.VIEW: _view,
    words.ATTEMPT: _attempt,
    words.RUN_STARTED: _run,
    words.RUN_TERMINAL: _run_end,
    words.DISPATCH: _dispatch,
    words.OUTCOME: _outcome,
    words.FORK_MERGE: _merged,
    words.FORK_DISCARD: _discarded,
    words.LINKED: _linked,
}

_FAILED: Final = ("error", "context_overflow")


def phrase(name: str, data: dict[str, Any]) -> str:
    """What an event of this name says."""
    return _PHRASES.get(name, listed)(data)


def failed(name: str, data: dict[str, Any]) -> bool:
    """Whether an event tells of something that went wrong."""
    if name == words.OUTCOME:
        return data.get("isError") is True
    if name == words.ATTEMPT:
        return data.get("status") in _FAILED
    return name in (words.RUN_TERMINAL, words.LINKED) and data.get("outcome") == "error"
