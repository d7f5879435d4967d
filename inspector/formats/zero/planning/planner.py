"""What is known of plans for one session; see `inspector.formats.planning.Planner`."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from inspector.formats import cutting
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
from inspector.formats.viewing import views
from inspector.formats.zero.planning import compacting, owners, repairing, restoring, session
from inspector.formats.zero.planning import lines as written_lines
from inspector.formats.zero.planning.composing import Composition, composed
from inspector.formats.zero.planning.copying import Added, Copy
from inspector.formats.zero.planning.deeds import deeds
from inspector.formats.zero.planning.events import named, read_ones
from inspector.formats.zero.planning.material import Session
from inspector.formats.zero.planning.naming import registers
from inspector.formats.zero.planning.redaction import our_redaction
from inspector.formats.zero.planning.session import Source
from inspector.formats.zero.stretches import Stretches
from inspector.formats.zero.vocabulary import COMPACTION
from inspector.text.gate import clean_line
from inspector.text.labels import plural
from inspector.timeline.words import Kind

_RESUMED: Final = ("", "fork")
_FORK: Final = "session_fork"
_SAID: Final = 200

_TRUNCATES: Final = (
    "Zero's own rewind truncates the log and keeps no backup: a new session is made instead"
)
_READABLE: Final = OWNER_READS


class ZeroPlanner(OwnTools):
    """Plans for a session.

    Args:
        tape: folded to its head.
        ended: see below.

    Attributes:
        ended: the number on its last line that a newline ends.
    """

    owner = "Zero"

    def __init__(self, tape: Session, ended: int) -> None:
        self._tape = tape
        self.ended = ended
        self._of: tuple[tuple[int, int], dict[View, Composition | str]] | None = None
        self._summarised: tuple[tuple[int, int], compacting.Compacted] | None = None

    def code(self, problem: Problem) -> str | None:
        """The owner has sentences, and no words."""
        del problem
        return None

    # How.

    def ways(self, kind: PlanKind) -> Mapping[How, str | None]:
        """How a plan can be written, the default first."""
        match kind:
            case PlanKind.FORK:
                why = "a fork is a session of its own, also where Zero makes it (format page 7)"
                return {How.CREATE: None, How.APPEND: why}
            case PlanKind.REWIND:
                return {How.CREATE: None, How.APPEND: _TRUNCATES}
            case PlanKind.COMPACT:
                return {How.CREATE: None, How.APPEND: "a compaction always makes a new session"}
            case PlanKind.REPAIR:
                why = "Zero closes nothing itself, and no bad line is mended by one behind it"
                return {How.CREATE: None, How.APPEND: why}
            case PlanKind.RESUME:
                why = "Zero takes a session up in its own log (format page 10)"
                return {How.APPEND: self._no_append(), How.CREATE: why}

    def _no_append(self) -> str | None:
        """Why the owner would not go on with the session, or would ruin it; None if it would."""
        tape = self._tape
        name = clean_line(tape.session or tape.log.path.parent.name, _SAID)
        if tape.metadata.kind not in _RESUMED:
            return f"Zero session is not resumable: {name}"
        found = owners.append(tape, self.ended)
        if found.ruined is not None:
            return (
                f"Zero's next event would be written on line {found.ruined}, which does not end, "
                "and the session could not be read any more: see repair"
            )
        return None

    # Where.

    def cuts(self, kind: PlanKind, how: How) -> Cuts:
        """Where the session may be cut: the owner rewinds to any event, we keep calls together."""
        del kind, how
        timeline = self._tape.timeline
        late = repairing.late_results(self._tape)
        apart = ((call + 1, result + 1) for call, result in late.items())
        unanswered = (*cutting.unanswered(timeline), *apart)
        return Cuts(timeline.events, ((cutting.CALL_WITHOUT_RESULT, unanswered),))

    def views(self, kind: PlanKind, how: How, cut: int) -> Mapping[View, str | None]:
        """Which histories a copy can be made of that the owner folds to them."""
        del kind, how
        made = self._compositions(cut)
        return {view: one if isinstance(one, str) else None for view, one in made.items()}

    def _compositions(self, cut: int) -> dict[View, Composition | str]:
        """The copy of each history at a cut, or why there is none: a plan asks for them again."""
        asked = cut, self._tape.timeline.events
        if self._of is None or self._of[0] != asked:
            found = views(self._tape.timeline, cut, partial(named, self._tape))
            known: dict[tuple[int, ...], Composition | str] = {}
            made: dict[View, Composition | str] = {}
            for view in View:
                nodes = found.nodes(view)
                if isinstance(nodes, str):
                    made[view] = nodes
                    continue
                if nodes not in known:
                    known[nodes] = self._composed(cut, nodes)
                made[view] = known[nodes]
            self._of = asked, made
        return self._of[1]

    def _composed(self, cut: int, nodes: Sequence[int]) -> Composition | str:
        origin = self._tape.timeline.surface.nodes.origin
        return composed(self._tape, cut, [origin(node) for node in nodes])

    # What.

    def cut(self, kind: PlanKind, how: How, at: int, view: View, making: Making) -> Draft:
        """A new session of the events before a cursor.

        Raises:
            PlanError: if it cannot have the history.
        """
        del how
        found = self._compositions(at)[view]
        if isinstance(found, str):
            raise PlanError(found)
        copy = self._copy(found, at, making)
        return self._draft(copy, at, making, _FORK, self._remarks(kind, found, at, making))

    def _copy(
        self, found: Composition, at: int, making: Making, tail: Sequence[Added] = ()
    ) -> Copy:
        return Copy(
            self._tape,
            session.name_of(making),
            found,
            tail=(self._fork_event(found, at, making), *tail),
            cut=at,
        )

    def _fork_event(self, found: Composition, at: int, making: Making) -> Added:
        """The event with which the owner ends a copy (format page 7, RULES 6)."""
        source = self._source(at)
        head = self._source(self._tape.timeline.events)
        count = self._tape.metadata.count
        payload = written_lines.value(
            {
                "copiedEventCount": found.events,
                "forkedFromEventId": source.id if source else "",
                "forkedFromSequence": source.number if source else 0,
                "parentEventCount": count if count is not None else (head.number if head else 0),
                "parentSessionId": self._parent,
            }
        )
        return Added(_FORK, session.time_of(making), lambda _names: iter((payload,)))

    @property
    def _parent(self) -> str:
        return self._tape.session or self._tape.log.path.parent.name

    def _source(self, at: int) -> Source | None:
        """The last event before a cursor that the owner reads."""
        events = read_ones(self._tape, at)
        if not events:
            return None
        numbering, last = self._tape.decoder.numbering, events[-1].stop - 1
        return Source(numbering.id(last), numbering.number(last) or 0)

    def _draft(
        self, copy: Copy, at: int, making: Making, last: str, remarks: Iterable[str]
    ) -> Draft:
        """What is said of a copy of what stands before a cursor, whose last event has a type."""
        tape, found = self._tape, copy.composition
        metadata = session.metadata_of(tape, making, self._source(at), last, copy.count)
        return Draft(
            session.writes(session.folder_of(tape, making), copy, metadata),
            kept=at - sum(found.omitted.values()),
            omitted=found.omitted,
            checks=(self._readable(),),
            remarks=tuple(remarks),
            registers=registers(tape, at, found, metadata),
        )

    def _readable(self) -> Check:
        verdict = self._tape.verdict()
        if verdict.opens is False:
            why = f"Zero cannot read the session, a copy leaves out what is bad: {verdict.reason}"
            return Check(_READABLE, ok=False, message=why, blocks=False)
        return Check(_READABLE, ok=True, message="Zero reads the session")

    # In words.

    def _remarks(
        self, kind: PlanKind, found: Composition, at: int, making: Making
    ) -> Iterator[str]:
        if kind is PlanKind.REWIND:
            yield self._rewind(at)
        yield (
            f"the new session is {session.name_of(making)}, which `zero exec --resume` takes up; "
            "its events have new ids and numbers, and keep their times"
        )
        if at < self._tape.timeline.events and self._tape.metadata.whole("title"):
            title = clean_line(self._tape.metadata.whole("title"), _SAID)
            yield (
                f"its title is made of that of the session as it is now, “{title}”, which may tell "
                "of what is behind the cut; model and provider are those of now too"
            )
        yield from self._of_compactions(found, at)
        lacking = restoring.of_copy(self._tape, at)
        if lacking:
            yield lacking

    def _of_compactions(self, found: Composition, at: int) -> Iterator[str]:
        table = self._tape.timeline.table
        there = [event for part in found.parts for event in part if table.type(event) == COMPACTION]
        if not there:
            return
        yield (
            f"{plural(len(there), 'compaction names', 'compactions name')} the new ids, so that "
            "the copy folds; in a fork of Zero's own they name the parent's, and all that they "
            "hide comes back (format page 7)"
        )
        behind = [named(self._tape, event) for event in there if event >= at]
        if behind:
            yield f"the compaction of {', '.join(behind)}, behind the cut, travels too"

    def _rewind(self, at: int) -> str:
        """What the owner's rewind to the same place would do."""
        source = self._source(at)
        if source is None or source.number <= 0:
            return _TRUNCATES
        head = self._tape.timeline.events
        try:
            kept = sum(map(len, owners.apply_rewind(self._tape, source.number).kept))
        except PlanError as refused:
            return f"{_TRUNCATES} (its own fails here: {refused})"
        lost = sum(map(len, read_ones(self._tape, head))) - kept
        return f"{_TRUNCATES} (its rewind to sequence {source.number} would drop {lost:,} for good)"

    # Repair.

    def repair(self, making: Making) -> Repair:
        """A new session without what is wrong with this one."""
        tape, head = self._tape, self._tape.timeline.events
        nodes = [row.node for row in tape.timeline.rows(head)]
        whole = self._composed(head, nodes)
        hidden = [] if isinstance(whole, str) else whole.hidden
        mending = repairing.mending(tape, hidden)
        if not mending.closers:
            return Repair(())
        if isinstance(whole, str):
            return Repair(mending.closers, None, whole)
        found = whole.moved(mending.moved)
        there = {event for part in found.parts for event in part if event in mending.behind}
        copy = Copy(
            tape,
            session.name_of(making),
            found,
            behind={event: added for event, added in mending.behind.items() if event in there},
            instead=mending.instead,
            tail=(self._fork_event(found, head, making),),
        )
        draft = self._draft(copy, head, making, _FORK, self._of_repair(found, making))
        return Repair(mending.closers, draft)

    def _of_repair(self, found: Composition, making: Making) -> Iterator[str]:
        yield "Zero mends nothing itself: a new session is made, and the old one stays as it is"
        yield from self._remarks(PlanKind.REPAIR, found, self._tape.timeline.events, making)

    # Compaction.

    def split(self, keep_last: int | None) -> Split:
        """Where the owner would divide the raw log, as rows of the surface."""
        tape = self._tape
        summarised, kept = compacting.owners_split(tape, keep_last)
        origin = tape.timeline.surface.nodes.origin
        head = tape.timeline.events
        stop = kept[0].start if kept else head
        rows = sum(1 for row in tape.timeline.rows(head) if origin(row.node) < stop)
        counted, others = (sum(map(len, part)) for part in (summarised, kept))
        zero = "; it takes 0 for its default" if keep_last == 0 else ""
        why = (
            f"all but the last {plural(others, 'event')} of the raw log, which leaves {counted:,}, "
            "hidden ones and earlier compactions included; calls may be cut from their results "
            f"(format page 5){zero}"
        )
        return Split(rows, why)

    def prompt(self, rows: int) -> Prompt:
        """The owner's prompt for what stands before the first row kept, redacted as we do."""
        return compacting.shown_prompt(self._tape, self._covered(rows), our_redaction)

    def _covered(self, rows: int) -> Stretches:
        if rows <= 0:
            return []
        return self._compacted(rows).covered

    def _compacted(self, rows: int) -> compacting.Compacted:
        """What a summary of the first rows makes of the session: a plan asks for it again."""
        asked = rows, self._tape.timeline.events
        if self._summarised is None or self._summarised[0] != asked:
            self._summarised = asked, compacting.compacted(self._tape, rows)
        return self._summarised[1]

    def compact(self, rows: int, summary: str, making: Making) -> Draft:
        """A new session whose first rows a summary stands for.

        Raises:
            PlanError: if it cannot be made.
        """
        tape, head = self._tape, self._tape.timeline.events
        found = self._compacted(rows)
        asked = compacting.shown_prompt(tape, found.covered, our_redaction)
        created = session.time_of(making)
        event = compacting.added(tape, found, summary, asked, created)
        copy = self._copy(found.composition, head, making, (event,))
        remarks = self._remarks(PlanKind.COMPACT, found.composition, head, making)
        return self._draft(copy, head, making, COMPACTION, remarks)

    def keeps_by_default(self) -> str:
        """How much the owner keeps."""
        return (
            f"Zero keeps the last {owners.KEEPS} events of the raw log by `zero sessions "
            "compact-plan`, the last 8 by `/compact` (format page 5)"
        )

    def restorable(self, cut: int) -> Sequence[Restorable]:
        """The files that the owner's rewind to a cut would put back or delete."""
        return restoring.restorable(self._tape, cut)

    def deeds(self, cut: int) -> Iterable[Deed]:
        """The specialists at work at a cut."""
        return deeds(self._tape, cut)

    def unpaired(self, nodes: Sequence[int]) -> Unpaired:
        """The calls and results of a surface that have no other half there, late ones paired."""
        timeline = self._tape.timeline
        table, pairs = timeline.surface.nodes, timeline.pairs
        late = repairing.late_results(self._tape)
        called = {result: call for call, result in late.items()}
        there = {table.origin(node) for node in nodes}
        found = Unpaired([], [])
        for node in nodes:
            event, kind = table.origin(node), table.kind(node)
            if kind is Kind.TOOL_RESULT:
                call = pairs.call_of(event)
                if (called.get(event) if call is None else call) not in there:
                    found.results.append(node)
            elif kind is Kind.TOOL_CALL:
                result = pairs.result_of(event)
                if (late.get(event) if result is None else result) not in there:
                    found.calls.append(node)
        return found
