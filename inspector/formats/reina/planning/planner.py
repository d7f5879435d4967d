"""What is known of plans for one log; see `inspector.formats.planning.Planner`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Final

from inspector.formats.cutting import CALL_WITHOUT_RESULT, unanswered
from inspector.formats.parts import Call
from inspector.formats.planning import (
    OWNER_READS,
    Check,
    Cuts,
    Deed,
    Draft,
    How,
    Making,
    OwnTools,
    PlanError,
    PlanKind,
    Problem,
    Prompt,
    Repair,
    Restorable,
    Split,
    Unpaired,
    View,
)
from inspector.formats.reina.planning import compacting, repairing
from inspector.formats.reina.planning.composing import Composition, composed
from inspector.formats.reina.planning.copying import Copy
from inspector.formats.reina.planning.material import Session
from inspector.formats.reina.planning.naming import name_of
from inspector.formats.reina.request import balance
from inspector.formats.reina.vocabulary import COMPLETED, FAILED, RUNNING, TOOL_CALL, TOOL_UPDATE
from inspector.formats.shapes import mapping, text
from inspector.formats.viewing import views
from inspector.text.gate import clean_line
from inspector.text.labels import plural

_DONE: Final = frozenset({RUNNING, COMPLETED, FAILED})
_SAID: Final = 200

_NO_REWIND: Final = (
    "no record of Reina's takes messages back: a new session is made (format page 3.6)"
)
_AMBIGUOUS: Final = "ambiguous"
_READABLE: Final = OWNER_READS


class ReinaPlanner(OwnTools):
    """Plans for a log."""

    owner = "Reina"

    def __init__(self, tape: Session) -> None:
        self._tape = tape
        self._of: tuple[tuple[int, int], dict[View, Composition | str]] | None = None

    def code(self, problem: Problem) -> str | None:
        """The owner has no words for problems."""
        del problem
        return None

    # How.

    def ways(self, kind: PlanKind) -> Mapping[How, str | None]:
        """How a plan can be written, the default first."""
        match kind:
            case PlanKind.FORK:
                why = "a fork is a session of its own (format page 3.6)"
                return {How.CREATE: None, How.APPEND: why}
            case PlanKind.REWIND:
                return {How.CREATE: None, How.APPEND: _NO_REWIND}
            case PlanKind.COMPACT:
                why_not = self._no_record()
                if why_not is None:
                    why = "Reina writes a record behind its own log (format page 3.3)"
                    return {How.APPEND: None, How.CREATE: why}
                return {How.CREATE: None, How.APPEND: why_not}
            case PlanKind.REPAIR:
                why = "Reina balances each request, and mends nothing in a log (format page 3.4)"
                return {How.CREATE: None, How.APPEND: why}
            case PlanKind.RESUME:
                why = "Reina takes a session up in its own log (format page 3.4)"
                return {How.APPEND: self._no_append(), How.CREATE: why}

    def _no_append(self) -> str | None:
        """Why the owner would not go on in the log, or would lose what it writes; or None."""
        tape = self._tape
        verdict = tape.verdict()
        if verdict.opens is False:
            return f"Reina does not open the log: {clean_line(verdict.reason or '', _SAID)}"
        return self._lost()

    def _lost(self) -> str | None:
        """Why the owner's next record would be lost, or None."""
        tape = self._tape
        if tape.log.pending or not tape.ends_line():
            line = len(tape.log.records) + (1 if tape.log.pending else 0)
            return f"Reina's next record would be written on line {line}, which does not end"
        return None

    def _no_record(self) -> str | None:
        """Why no compaction can be appended, or None."""
        tape = self._tape
        surface = tape.fold.surface
        if tape.log.variant != "jsonl":
            return f"the log is kept as {tape.log.variant}, behind which Reina writes nothing"
        if not tape.named:
            return "the log is no file of its own"
        if tape.verdict().opens is False:
            return self._no_append()
        if tape.log.pending:
            return "what is appended would become a part of a torn line"
        if tape.timeline.stopped_at is not None:
            return "the fold stops: what the indexes mean there is not known"
        if not surface.compared or surface.differ(tape.timeline.events):
            return compacting.DIFFER
        return None

    # Where.

    def cuts(self, kind: PlanKind, how: How) -> Cuts:
        """Where the log may be cut: at any record, but no call is cut from its result."""
        del kind, how
        timeline = self._tape.timeline
        apart = ((call + 1, result + 1) for call, result in timeline.pairs.all())
        waits = chain(unanswered(timeline), apart)
        return Cuts(timeline.events, ((CALL_WITHOUT_RESULT, waits),))

    def views(self, kind: PlanKind, how: How, cut: int) -> Mapping[View, str | None]:
        """Which histories a copy can be made of."""
        del kind, how
        made = self._compositions(cut)
        return {view: one if isinstance(one, str) else None for view, one in made.items()}

    def _compositions(self, cut: int) -> dict[View, Composition | str]:
        """What each history at a cut is made of, or why it cannot be: a plan asks again."""
        asked = cut, self._tape.timeline.events
        if self._of is None or self._of[0] != asked:
            found = views(self._tape.timeline, cut)
            made: dict[View, Composition | str] = {}
            for view in View:
                nodes = found.nodes(view)
                made[view] = nodes if isinstance(nodes, str) else self._composed(cut, nodes)
            self._of = asked, made
        return self._of[1]

    def _composed(self, cut: int, nodes: Sequence[int]) -> Composition | str:
        return composed(self._tape, cut, nodes)

    # What.

    def cut(self, kind: PlanKind, how: How, at: int, view: View, making: Making) -> Draft:
        """A new session of the records before a cursor.

        Raises:
            PlanError: if it cannot have the history.
        """
        del how
        found = self._compositions(at)[view]
        if isinstance(found, str):
            raise PlanError(found)
        draft = Copy(self._tape, at, making, found).draft(
            *self._remarks(kind, found, at, making),
        )
        checks = (*self._readable(), *self._ambiguous(found, at))
        return Draft(
            draft.writes, draft.kept, draft.omitted, checks, draft.remarks, behind=draft.behind
        )

    def _readable(self) -> Iterator[Check]:
        verdict = self._tape.verdict()
        if verdict.opens is False:
            why = f"Reina opens the new log, and not this one: {verdict.reason}"
            yield Check(_READABLE, ok=False, message=clean_line(why, _SAID), blocks=False)

    def _ambiguous(self, found: Composition, at: int) -> Iterator[Check]:
        if found.plain and self._tape.fold.surface.differ(at):
            why = (
                f"{compacting.DIFFER}, and so do those of the copy: it is read here by the policy "
                f"{self._tape.policy}"
            )
            yield Check(_AMBIGUOUS, ok=False, message=why, blocks=False)

    def _remarks(
        self, kind: PlanKind, found: Composition, at: int, making: Making
    ) -> Iterator[str]:
        if kind is PlanKind.REWIND:
            yield _NO_REWIND
        yield (
            f"the new session is {name_of(making)}; its records keep their times, and nothing in "
            "it names the session that it comes from"
        )
        if found.summaries:
            count = plural(len(found.summaries), "compaction is", "compactions are")
            yield f"{count} written anew, with indexes that mean the same by both readings"
        behind = [one.event for one in found.summaries if one.event >= at]
        if behind:
            names = ", ".join(f"#{event}" for event in sorted(behind))
            words = "compactions" if len(behind) > 1 else "compaction"
            travels = "travel" if len(behind) > 1 else "travels"
            yield f"the {words} of {clean_line(names, _SAID)}, behind the cut, {travels} too"

    # Repair and compaction.

    def repair(self, making: Making) -> Repair:
        """What is out of balance."""
        del making
        return repairing.repair(self._tape, self._lost())

    def split(self, keep_last: int | None) -> Split:
        """Where the owner would divide the surface of the head."""
        return compacting.split(self._tape, keep_last)

    def prompt(self, rows: int) -> Prompt:
        """What would be sent to have the first rows summarised."""
        return compacting.prompt(self._tape, rows)

    def compact(self, rows: int, summary: str, making: Making) -> Draft:
        """A record behind the log, or a new one, in which a summary stands for the first rows.

        Raises:
            PlanError: if it cannot be made.
        """
        if self._no_record() is None:
            return compacting.appended(self._tape, rows, summary, making)
        return self.compact_anew(rows, summary, making)

    def compact_anew(self, rows: int, summary: str, making: Making) -> Draft:
        """A new log in which a summary stands for the first rows.

        Raises:
            PlanError: if it cannot be made.
        """
        return compacting.created(self._tape, rows, summary, making)

    def keeps_by_default(self) -> str:
        """How much the owner keeps."""
        return compacting.KEEPS

    def restorable(self, cut: int) -> Sequence[Restorable]:
        """None: the owner keeps no files (format page 3)."""
        del cut
        return ()

    def unpaired(self, nodes: Sequence[int]) -> Unpaired:
        """What of a surface the owner finds without its other half (format page 3.4)."""
        found = balance(self._tape.sent(nodes))
        return Unpaired(found.orphans, list(found.missing))

    def deeds(self, cut: int) -> Iterable[Deed]:
        """Calls behind a cut of which only a record tells: their message is not on the log."""
        tape = self._tape
        table, head = tape.timeline.table, tape.timeline.events
        seen: set[str] = set()
        for event in sorted(
            at for kind in (TOOL_CALL, TOOL_UPDATE) for at in table.of_type(kind, cut, head)
        ):
            record = mapping(tape.payload(event).get("record"))
            call, status = text(record.get("id")), text(record.get("status"))
            if call and call not in seen and status in _DONE:
                seen.add(call)
                yield Deed(event, Call(call, text(record.get("name")), record.get("input")))
