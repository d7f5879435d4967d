"""What is true of a thread besides its messages, as of every cursor."""

from pathlib import Path
from typing import Any

from inspector.formats.codex.reading import CodexTape
from tests.formats.codex import tapes
from tests.formats.codex.tapes import context, event


def state(tape: CodexTape, cursor: int | None = None) -> dict[str, Any]:
    at = tape.timeline.events if cursor is None else cursor
    found = tape.timeline.registers.state(at)
    return {name: tape.value(name, setting) for name, setting in found.items()}


def test_the_header_speaks_before_the_first_event(tmp_path: Path) -> None:
    git = {"branch": "main", "commit_hash": "0123456789abcdef"}
    more = {"originator": "cli", "cli_version": "0.171.0", "source": "exec", "git": git}
    header = tapes.meta(**more, model_provider="openai", history_mode="legacy")
    tape = tapes.folded(tmp_path, tapes.user("q"), header=header)
    assert state(tape, 0) == {
        "cwd": "/w",
        "origin": "cli",
        "version": "0.171.0",
        "source": "exec",
        "provider": "openai",
        "branch": "main 0123456789ab",
        "history mode": "legacy",
    }


def test_each_turn_says_how_it_is_run(tmp_path: Path) -> None:
    tape = tapes.folded(tmp_path, context("t1"), context("t2", model="m-2", effort="high"))
    assert state(tape, 1)["model"] == "m-1"
    now = state(tape)
    assert (now["model"], now["reasoning effort"]) == ("m-2", "high")
    assert (now["approval policy"], now["sandbox mode"]) == ("never", "read-only")


def test_what_a_turn_leaves_out_is_taken_back(tmp_path: Path) -> None:
    tape = tapes.folded(tmp_path, context("t1", effort="high"), context("t2"))
    assert state(tape)["reasoning effort"] is None


def test_a_long_value_is_read_from_its_record(tmp_path: Path) -> None:
    long = "/" + "w" * 5_000
    tape = tapes.folded(tmp_path, context("t1", cwd=long))
    assert state(tape)["cwd"] == long


def test_names_plans_and_goals(tmp_path: Path) -> None:
    steps = [{"step": "look", "status": "completed"}, {"step": "act", "status": "in_progress"}]
    tape = tapes.folded(
        tmp_path,
        event("thread_name_updated", thread_name="A name"),
        event("plan_update", plan=steps),
        event("thread_goal_updated", goal={"objective": "ship it", "status": "active"}),
        event("entered_review_mode", user_facing_hint="changes"),
    )
    now = state(tape)
    assert now["title"] == "A name"
    assert now["todo"] == [
        {"content": "look", "status": "completed"},
        {"content": "act", "status": "in_progress"},
    ]
    assert now["goal"]["objective"] == "ship it"
    assert now["mode"] == "review"


def test_a_plan_is_a_call_too(tmp_path: Path) -> None:
    plan = '{"plan":[{"step":"look","status":"pending"}]}'
    record = tapes.item("function_call", name="update_plan", arguments=plan, call_id="c")
    tape = tapes.folded(tmp_path, record)
    assert state(tape)["todo"] == [{"content": "look", "status": "pending"}]


def test_the_window_is_set_where_it_changes(tmp_path: Path) -> None:
    def said(window: int) -> tapes.Record:
        last = {"input_tokens": window, "output_tokens": 1, "total_tokens": window}
        info = {"last_token_usage": last, "model_context_window": window}
        return event("token_count", info=info)

    silent = event("task_started", turn_id="t3")
    unknown = event("task_started", turn_id="t4", model_context_window=None)
    tape = tapes.folded(
        tmp_path,
        tapes.started("t1"),
        said(100),
        said(100),
        tapes.started("t2"),
        silent,
        unknown,
    )
    assert [state(tape, cursor).get("window") for cursor in range(7)] == [
        None,
        200_000,
        100,
        100,
        200_000,
        200_000,
        None,
    ]
