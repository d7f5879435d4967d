"""The laws of carrying out, for logs of every kind that is written, cut anywhere."""

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from inspector.applying.carrying import carry_out
from inspector.applying.undoing import undo
from inspector.formats.contract import Tape
from inspector.formats.planning import How, PlanKind
from inspector.plans.foretelling import at_head, told
from inspector.plans.plan import Asked, Plan
from inspector.tape.source import SourceError
from tests.applying.stores import Store, folded, planned
from tests.applying.test_laws import finds_nothing_to_do
from tests.formats.claude.generated import transcripts
from tests.formats.claude.transcripts import written as transcript
from tests.formats.codex import generated as codex
from tests.formats.codex import tapes as rollouts
from tests.formats.dsh import generated as dsh
from tests.formats.pi import generated as pi
from tests.formats.pi import sessions as sessions_of_pi
from tests.formats.reina import generated as reina
from tests.formats.reina.sessions import log as reina_log
from tests.formats.zero.sessions import written as session
from tests.formats.zero.test_laws import logs as zero_logs
from tests.plans.laws import cut_plans

LAW = settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.filter_too_much])

KINDS: dict[str, tuple[str, Callable[[st.DataObject], bytes]]] = {
    "dsh": ("log.jsonl", lambda data: data.draw(dsh.logs(damage=False))),
    "zero": ("session/events.jsonl", lambda data: session(data.draw(zero_logs()))),
    "claude": ("5f0c.jsonl", lambda data: transcript(data.draw(transcripts()))),
    "reina": ("ses_mf0abc_k3x9.jsonl", lambda data: reina_log(*data.draw(reina.logs()))),
    "codex": (
        "rollout-2026-05-04T09-00-00-019d4b20-1c00-7000-8000-0000000000a1.jsonl",
        lambda data: rollouts.text([rollouts.meta(), *data.draw(codex.logs(1, 20))]),
    ),
    "pi": (
        sessions_of_pi.NAME,
        lambda data: pi.session(
            data.draw(st.integers(0, 1 << 20)), 20, late=data.draw(st.booleans())
        ),
    ),
}


@pytest.mark.parametrize("kind", KINDS)
@LAW
@given(st.data(), st.floats(0, 1))
def test_whatever_is_carried_out_is_as_foretold_and_goes_again(
    kind: str, data: st.DataObject, share: float
) -> None:
    name, drawn = KINDS[kind]
    with TemporaryDirectory() as folder:
        root = Path(folder) / "store"
        path = root / name
        path.parent.mkdir(parents=True)
        path.write_bytes(drawn(data))
        store = Store(root, Path(name).parts[0])
        try:
            tape = folded(path)
        except SourceError:
            assume(False)
        with closing(tape):
            at = int(share * tape.timeline.events)
            asks = [plan.asked for plan in (*cut_plans(tape, at), planned(tape, REPAIR))]
        for asked in asks:
            keeps_the_laws(store, asked)


REPAIR = Asked(PlanKind.REPAIR)


def keeps_the_laws(store: Store, asked: Asked) -> None:
    before = store.tree()
    with closing(folded(store.path)) as tape:
        plan = planned(tape, asked)
        if not plan.is_sound or not plan.writes:
            return
        deed = carry_out(tape, plan, store.world(), writer_stopped=True)
        _holds(store, tape, plan, before)
        finds_nothing_to_do(store, plan)
    if plan.how is How.APPEND:
        path = store.path
        path.write_bytes(path.read_bytes()[: -plan.writes[0][1]])
    else:
        undo(deed, store.world())
    assert store.tree() == before


def _holds(store: Store, tape: Tape, plan: Plan, before: dict[str, bytes | None]) -> None:
    after = store.tree()
    for name, content in before.items():
        found = after[name]
        assert found == content or (content and found and found.startswith(content))
    path = store.path if plan.how is How.APPEND else plan.writes[0][0].to
    with closing(folded(path)) as made:
        if plan.view is not None:
            assert [row.text for row in at_head(made)] == [
                row.text for row in told(tape, plan.view.after)
            ]
        assert made.verdict().opens is not False
