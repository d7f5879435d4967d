"""The laws of plans, for tapes of every format: what is planned, written and read again."""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from inspector.formats.contract import Options, Tape
from inspector.formats.opening import open_tape
from inspector.formats.planning import How, Making, PlanKind, Write
from inspector.plans.plan import Asked, Plan
from inspector.plans.planning import plan

MAKING = Making("0c9e6d0e-8a77-4f6e-9a55-3c1d7f2b9a10", 1_790_000_000_000)
"""What is given to tapes that tests make."""

Told = tuple[str, str, str]
"""Role, kind and text of a row."""


@contextmanager
def opened(path: Path, options: Options) -> Iterator[Tape]:
    """A tape, folded to its end."""
    tape = open_tape(path, options)
    try:
        while tape.advance():
            pass
        yield tape
    finally:
        tape.close()


def planned(tape: Tape, asked: Asked) -> Plan:
    """A plan where nothing stands in the way."""
    return plan(tape, asked, MAKING, lambda _path: False)


def told(tape: Tape, nodes: tuple[int, ...]) -> list[Told]:
    """What rows say, in order."""
    table = tape.timeline.surface.nodes
    return [(table.role(node).label, table.kind(node).label, _text(tape, node)) for node in nodes]


def _text(tape: Tape, node: int) -> str:
    shown = [
        section.text
        for section in tape.node_sections(node)
        if section.tone != "dim" and not section.remark
    ]
    return "\n".join(shown)


def carried_out(plan: Plan, folder: Path, content: bytes | None = None) -> list[Path]:
    """The files that a plan would make, written below a folder; of an append with what stood there.

    A path of the plan keeps its last two parts, so that folders of sessions stay folders.
    """
    return [_written(write, folder, plan, content) for write, _ in plan.writes]


def _written(write: Write, folder: Path, plan: Plan, content: bytes | None) -> Path:
    parts = write.to.parts[-2:] if write.how is How.CREATE else (plan.path.name,)
    path = folder.joinpath(*parts)
    path.parent.mkdir(parents=True, exist_ok=True)
    before = b""
    if write.how is How.APPEND:
        before = plan.path.read_bytes() if content is None else content
    path.write_bytes(before + b"".join(write.content()))
    return path


def accounts_for_all(tape: Tape, plan: Plan) -> None:
    """Kept and left are all events of the tape, and nothing else is mentioned."""
    head = tape.timeline.events
    assert plan.kept + plan.left_behind == head, (plan.kept, plan.left, head)
    mentioned = [call.event for call in plan.not_undone]
    mentioned += [one.event for one in plan.restorable]
    mentioned += [one.event for one in plan.closers if one.event is not None]
    if plan.view is not None:
        table = tape.timeline.surface.nodes
        mentioned += [table.origin(node) for node in (*plan.view.before, *plan.view.after)]
    assert all(0 <= event < head for event in mentioned)
    for write, size in plan.writes:
        assert size == len(b"".join(write.content()))


def gives_its_view(
    tape: Tape,
    plan: Plan,
    folder: Path,
    options: Options,
    opened_by: Callable[[list[Path]], Path] = lambda paths: paths[-1],
    same: Callable[[list[Told], list[Told]], bool] = lambda one, other: one == other,
) -> None:
    """What is written, read again, has the surface that the plan foretells."""
    assert plan.view is not None
    foretold = told(tape, plan.view.after)
    with opened(opened_by(carried_out(plan, folder)), options) as made:
        rows = tuple(row.node for row in made.timeline.rows(made.timeline.events))
        found = told(made, rows)
    assert same(found, foretold), f"{found}\n{foretold}"


def cut_plans(tape: Tape, at: int) -> Iterator[Plan]:
    """Every fork and rewind at a cursor that the format offers: each way, each view."""
    planner = tape.planner()
    for kind in (PlanKind.FORK, PlanKind.REWIND):
        for how, why in planner.ways(kind).items():
            if why is not None:
                continue
            default = planned(tape, Asked(kind, at, how))
            assert default.view is not None
            for view, refused in default.view.offered.items():
                if refused is None:
                    yield planned(tape, Asked(kind, at, how, view))


def allowed_cuts_give_a_history(tape: Tape, cursors: Iterable[int]) -> None:
    """At a cut that is allowed, and so is named as a nearest one, some history can be given."""
    planner = tape.planner()
    for kind in (PlanKind.FORK, PlanKind.REWIND):
        for how, why in planner.ways(kind).items():
            if why is not None:
                continue
            cuts = planner.cuts(kind, how)
            for at in cursors:
                if cuts.legal(at):
                    default = planned(tape, Asked(kind, at, how))
                    assert default.view is not None
                    assert None in default.view.offered.values(), at
