"""Codex: a thread in which a compaction and a rollback rewrite the history, and one that goes on
from it.
"""

import json
from datetime import UTC, datetime, timedelta
from typing import Any, Final

_BAKERY: Final = "019d4b20-1c00-7000-8000-0000000000a1"
_NIGHT: Final = "019d5046-7800-7000-8000-0000000000b2"
_BEGIN: Final = datetime(2026, 5, 4, 7, 0, 0, tzinfo=UTC)

_PREFIX: Final = (
    "Another language model started to solve this problem and produced a summary of its thinking "
    "process. You also have access to the state of the tools that were used by that language "
    "model. Use this to build on the work that has already been done and avoid duplicating work. "
    "Here is the summary produced by the other language model, use the information in this "
    "summary to assist with your own analysis:\n"
)
_PATCH: Final = (
    "*** Begin Patch\n*** Update File: ovens.py\n@@\n-PREHEAT = 20\n+PREHEAT = 35\n*** End Patch\n"
)


def codex() -> dict[str, bytes]:
    """Two logs, by their path."""
    bakery, night = _bakery(), _night()
    return {
        f"codex/rollout-2026-05-04T09-00-00-{_BAKERY}.jsonl": bakery.done(),
        f"codex/rollout-2026-05-05T09-00-00-{_NIGHT}.jsonl": night.done(),
    }


class Rollout:
    """A log as the owner writes it, a few seconds between its records."""

    def __init__(self, thread: str, begin: datetime, **more: Any) -> None:
        self._time = begin
        self._lines: list[bytes] = []
        self._sent = self._total = 0
        self._turn = ""
        meta = {
            "id": thread,
            "timestamp": _stamp(begin),
            "cwd": "/work/bakery",
            "originator": "codex_cli_rs",
            "cli_version": "0.171.0",
            "source": "cli",
            "model_provider": "openai",
            "base_instructions": {"text": "You are a coding agent. Be brief."},
            "git": {"branch": "ovens", "commit_hash": "4f0c2d9e7b1a"},
            **more,
        }
        self.record("session_meta", meta)

    def done(self) -> bytes:
        """The text of the log."""
        return b"".join(line + b"\n" for line in self._lines)

    def record(self, kind: str, payload: dict[str, Any]) -> None:
        """A record of any kind."""
        line = {"timestamp": _stamp(self._time), "type": kind, "payload": payload}
        self._lines.append(json.dumps(line, ensure_ascii=False, separators=(",", ":")).encode())
        self._time += timedelta(milliseconds=1_700)

    def item(self, kind: str, **more: Any) -> None:
        """An item of the history."""
        self.record("response_item", {"type": kind, **more})

    def event(self, kind: str, **more: Any) -> None:
        """What the person is shown."""
        self.record("event_msg", {"type": kind, **more})

    def begin(self, turn: str, mode: str = "default") -> None:
        """A turn begins, and says how it is run."""
        self._turn = turn
        window = 272_000
        self.event(
            "task_started", turn_id=turn, model_context_window=window, collaboration_mode_kind=mode
        )
        self.settings()

    def settings(self) -> None:
        """How the turn is run."""
        settings = {
            "turn_id": self._turn,
            "cwd": "/work/bakery",
            "approval_policy": "on-request",
            "sandbox_policy": {"type": "workspace-write"},
            "model": "gpt-demo",
            "effort": "medium",
            "summary": "auto",
        }
        self.record("turn_context", settings)

    def ask(self, text: str) -> None:
        """The person says something, for the model and on the screen."""
        self.item("message", **message("user", text))
        self.event("user_message", message=text, images=[])

    def answer(self, text: str, phase: str = "final_answer") -> None:
        """The model says something, in either place."""
        self.event("agent_message", message=text, phase=phase)
        self.item("message", **message("assistant", text), phase=phase)

    def think(self, text: str) -> None:
        """A thought, of which only the summary can be read."""
        summary = [{"type": "summary_text", "text": text}]
        self.item("reasoning", summary=summary, encrypted_content="gAAAAABo" + "c2FtcGxl" * 40)

    def shell(self, call: str, command: str, output: str, code: int = 0) -> None:
        """A command and what came of it."""
        arguments = json.dumps({"command": ["bash", "-lc", command]})
        self.item("function_call", name="shell", arguments=arguments, call_id=call)
        told = {"output": output, "metadata": {"exit_code": code, "duration_seconds": 0.2}}
        self.item("function_call_output", call_id=call, output=json.dumps(told))

    def usage(self, sent: int, cached: int, output: int) -> None:
        """What the provider reports, twice as the owner writes it when its limits move."""
        self._sent += sent
        self._total += sent + output
        last = _figures(sent, cached, output, sent + output)
        total = _figures(self._sent, cached, output, self._total)
        info = {
            "total_token_usage": total,
            "last_token_usage": last,
            "model_context_window": 272_000,
        }
        for used in (12.0, 12.5):
            limits = {"primary": {"used_percent": used, "window_minutes": 300}}
            self.event("token_count", info=info, rate_limits=limits)

    def end(self, text: str | None = None) -> None:
        """The turn is done."""
        self.event("task_complete", turn_id=self._turn, last_agent_message=text)


def message(role: str, *texts: str) -> dict[str, Any]:
    """A message as the history keeps it."""
    kind = "output_text" if role == "assistant" else "input_text"
    return {"role": role, "content": [{"type": kind, "text": text} for text in texts]}


def _figures(sent: int, cached: int, output: int, total: int) -> dict[str, int]:
    return {
        "input_tokens": sent,
        "cached_input_tokens": cached,
        "output_tokens": output,
        "reasoning_output_tokens": output // 4,
        "total_tokens": total,
    }


def _stamp(moment: datetime) -> str:
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _bakery() -> Rollout:
    """Injected context, twins, calls, a plan, a compaction, rollbacks that undo it, an abort."""
    log = Rollout(_BAKERY, _BEGIN)
    permissions = "<permissions instructions>Ask before you write.</permissions instructions>"
    log.item("message", **message("developer", permissions))
    where = "<environment_context><cwd>/work/bakery</cwd></environment_context>"
    log.item("message", **message("user", where))
    log.begin("turn-1")
    log.ask("How long do the ovens take to heat up?")
    log.think("**Looking for the oven settings**")
    log.shell("call_1", "grep -n PREHEAT *.py", "ovens.py:3:PREHEAT = 20\n")
    log.usage(4_100, 0, 90)
    log.answer("Twenty minutes, by ovens.py.")
    log.usage(4_300, 4_000, 30)
    log.end("Twenty minutes, by ovens.py.")
    log.event("thread_name_updated", thread_id=_BAKERY, thread_name="Oven times")
    _raised(log)
    _compacted(log)
    _regretted(log)
    _aborted(log)
    return log


def _raised(log: Rollout) -> None:
    log.begin("turn-2")
    log.ask("Make it 35 and run the tests.")
    steps = [
        {"step": "change PREHEAT", "status": "completed"},
        {"step": "run the tests", "status": "in_progress"},
    ]
    plan = json.dumps({"plan": steps})
    log.item("function_call", name="update_plan", arguments=plan, call_id="call_2")
    log.item("function_call_output", call_id="call_2", output="Plan updated")
    log.item("custom_tool_call", name="apply_patch", input=_PATCH, call_id="call_3")
    log.event("exec_approval_request", call_id="call_3", command=["apply_patch", "ovens.py"])
    changes = {"ovens.py": {"type": "update", "unified_diff": "-PREHEAT = 20\n+PREHEAT = 35\n"}}
    log.event("patch_apply_end", call_id="call_3", success=True, changes=changes, stdout="")
    log.item("custom_tool_call_output", call_id="call_3", output="Success. Updated ovens.py")
    log.shell("call_4", "pytest -q", "1 failed: test_breakfast_is_ready_at_six\n", code=1)
    log.usage(6_200, 4_100, 120)
    log.answer("Breakfast would be late: one test fails.")
    log.end("Breakfast would be late: one test fails.")


def _compacted(log: Rollout) -> None:
    """The history becomes what the person said and a summary, in a turn of its own."""
    summary = "PREHEAT is 35 now; test_breakfast_is_ready_at_six fails because of it."
    log.begin("turn-3")
    kept = [
        message("user", "How long do the ovens take to heat up?"),
        message("user", "Make it 35 and run the tests."),
        message("user", _PREFIX + summary),
    ]
    history = [{"type": "message", **item} for item in kept]
    window = {"window_number": 1, "window_id": f"{_BAKERY[:-2]}c3"}
    log.record("compacted", {"message": summary, "replacement_history": history, **window})
    log.settings()
    log.event("context_compacted")
    log.end()


def _regretted(log: Rollout) -> None:
    """A turn is taken back; then two are, and with them the compaction."""
    log.begin("turn-4")
    log.ask("Then start the ovens at five.")
    log.answer("Done: the timer is set to 05:00.")
    log.usage(3_000, 0, 60)
    log.end("Done: the timer is set to 05:00.")
    log.event("thread_rolled_back", num_turns=1)
    log.begin("turn-5")
    log.ask("Skip the test instead.")
    log.answer("I would rather not: it is right.")
    log.end("I would rather not: it is right.")
    log.event("thread_rolled_back", num_turns=2)


def _aborted(log: Rollout) -> None:
    """A call that nobody answered, in a turn that was given up."""
    log.begin("turn-6")
    log.ask("Make it 25 and try again.")
    arguments = json.dumps({"command": ["bash", "-lc", "pytest -q --slow"]})
    log.item("function_call", name="shell", arguments=arguments, call_id="call_5")
    log.event("turn_aborted", turn_id="turn-6", reason="interrupted")


def _night() -> Rollout:
    """A thread that begins with the first turn of the other one, which is not copied."""
    bakery = _bakery().done()
    end = bakery.index(b"\n", bakery.index(b'"task_complete"')) + 1
    base = {"thread_id": _BAKERY, "end_byte_offset": end}
    later = _BEGIN + timedelta(days=1)
    log = Rollout(
        _NIGHT, later, forked_from_id=_BAKERY, history_mode="paginated", history_base=base
    )
    log.begin("turn-1")
    log.ask("And at night, when they are still warm?")
    log.answer("Five minutes are enough.")
    log.usage(4_500, 4_000, 25)
    log.end("Five minutes are enough.")
    return log
