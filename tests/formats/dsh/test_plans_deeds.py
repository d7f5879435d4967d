"""What stays done of a log that is cut: code, workflows and their agents."""

from pathlib import Path

from inspector.formats.planning import PlanKind
from inspector.plans.plan import Asked
from tests.dsh_tapes import Log, folded
from tests.plans.laws import planned

AGENT = {"runId": "w", "seq": 1, "label": "look", "childId": "child"}


def workflow() -> Log:
    """A turn in which code is run, and a workflow with one agent."""
    log = Log()
    log.user("go")
    log.turn()
    log.step()
    for name, key, said in (("run_code", "code", "await x()"), ("workflow", "script", "agent()")):
        data = {"turn": 1, "step": 1, "callId": name, "name": name}
        log.event("tool/call", {**data, "arguments": f'{{"{key}":"{said}"}}'})
    log.event("tool-workflow/run-start", {"runId": "w", "name": "flow"})
    log.event("tool-workflow/agent-start", AGENT)
    log.event("tool-workflow/agent-end", {**AGENT, "outcome": "completed"})
    log.event("tool-workflow/run-end", {"runId": "w", "stopReason": "completed"})
    log.step_end()
    log.turn_end()
    return log


def left(log: Log, cut: int | None, folder: Path) -> list[tuple[int, str, str, str]]:
    found = planned(folded(log, folder), Asked(PlanKind.REWIND, cut)).not_undone
    return [(one.event, one.tool, one.kind, one.what) for one in found]


def test_code_a_workflow_and_its_agents_are_told_with_what_they_do(tmp_path: Path) -> None:
    assert left(workflow(), 1, tmp_path) == [
        (3, "run_code", "terminal", "await x()"),
        (4, "workflow", "subagent", "agent()"),
        (6, "workflow agent", "subagent", "look"),
    ]


def test_an_agent_at_work_at_the_cut_goes_on_behind_it(tmp_path: Path) -> None:
    assert left(workflow(), 7, tmp_path) == [
        (6, "workflow agent", "subagent", "at work at the cut: look")
    ]
    assert not left(workflow(), 8, tmp_path)
    assert not left(workflow(), None, tmp_path)
