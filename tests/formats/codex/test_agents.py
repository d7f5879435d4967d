"""Subagents: from when one is started to when its thread is closed."""

from pathlib import Path
from typing import Any

import pytest

from inspector.timeline.words import Outcome, SpanKind
from tests.formats.codex import tapes
from tests.formats.codex.tapes import event


@pytest.mark.parametrize(
    ("status", "outcome", "word"),
    [
        ({"completed": "done"}, Outcome.OK, "completed"),
        ({"errored": "no"}, Outcome.FAILED, "errored"),
        ("shutdown", Outcome.CANCELLED, "shutdown"),
        ("novel", Outcome.UNKNOWN, "novel"),
        ([], Outcome.UNKNOWN, None),
    ],
)
def test_a_subagent_lasts_until_its_thread_is_closed(
    tmp_path: Path, status: Any, outcome: Outcome, word: str | None
) -> None:
    tape = tapes.folded(
        tmp_path,
        event("collab_agent_spawn_end", new_thread_id="thread-1"),
        event("collab_agent_interaction_end", receiver_thread_id="thread-1"),
        event("collab_close_end", receiver_thread_id="thread-1", status=status),
    )
    spans = tape.timeline.spans[SpanKind.SUBAGENT]
    assert len(spans) == 1
    span = spans[0]
    assert (span.opened, span.closed, span.outcome, span.word) == (1, 3, outcome, word)
    assert tape.span_id(span) == "thread-1"
    assert [(kin.relation, kin.tape) for kin in tape.timeline.kin] == [("spawned", "thread-1")]


def test_a_log_may_name_any_number_of_threads_and_a_thousand_are_remembered(
    tmp_path: Path,
) -> None:
    spawned = [event("collab_agent_spawn_end", new_thread_id=f"thread-{at}") for at in range(1_200)]
    tape = tapes.folded(tmp_path, *spawned)
    assert len(tape.timeline.kin) == 1_000
    assert tape.timeline.kin[-1].tape == "thread-999"
    assert len(tape.timeline.spans[SpanKind.SUBAGENT]) == 1_200
