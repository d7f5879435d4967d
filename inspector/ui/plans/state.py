"""What the dialog of a plan knows. Pure: no event loop, no file, no clock.

Whoever shows it makes the plan that `PlanState.question` asks for, and gives it to
`PlanState.accept`; what is said meanwhile is in `inspector.ui.plans.saying`.
"""

from dataclasses import replace
from pathlib import Path
from typing import Final

from inspector.formats.contract import Options
from inspector.formats.planning import Cuts, Making, PlanError, PlanKind, View
from inspector.inspection import Inspection, Stop
from inspector.plans.cutting import way
from inspector.plans.differing import differences
from inspector.plans.plan import Asked
from inspector.plans.saved import Saved
from inspector.plans.splitting import KEEP_LAST
from inspector.tape.source import SourceError
from inspector.text.gate import clean_line
from inspector.text.labels import plural
from inspector.ui.plans.made import UNDONE, Made, Question, Refused, next_way
from inspector.ui.plans.row import CLOSED
from inspector.ui.plans.where import Where

CUT: Final = (PlanKind.FORK, PlanKind.REWIND)
"""The plans that cut the tape, where that is allowed."""

PLACED: Final = (*CUT, PlanKind.RESUME)
"""The plans that are of a cursor; the others are of the head."""

_WORDS: Final = {PlanKind.COMPACT: "compaction", PlanKind.REPAIR: "repair"}
_NO_SUMMARY: Final = "only a compaction has a summary"


class PlanState:
    """One dialog.

    Args:
        visit: to the tape; its cursor is where the cut is at first.
        kind: what is planned.
        making: identity and time of what would be made; the same for all that is asked here.

    Attributes:
        where: the cut.
        asked: what is wanted beside it.
        shown: the plan that the person sees, or None.
        offered: the plan that answers the same question now that the tape is another, or None.
        changes: what it says that the one shown does not.
        refused: why there is no plan, or None.
        loaded: a saved plan by its file, and what it asks of this tape, or None.
        open: the lists that are shown.
        version: another one after every change.
    """

    def __init__(self, visit: Inspection, kind: PlanKind, making: Making) -> None:
        self.visit = visit
        self.kind = kind
        self.making = making
        self.where = Where(visit)
        self.asked = Asked(kind)
        self.shown: Made | None = None
        self.offered: Made | None = None
        self.changes: list[str] = []
        self.refused: Refused | None = None
        self.loaded: tuple[str, Saved, Asked] | None = None
        self.open: set[str] = set()
        self.version = 0
        self._cuts_of: object = None

    # What is asked, and the answers.

    @property
    def cut(self) -> int | None:
        """The cursor of the plan; None for one that is of the head."""
        return self.where.at if self.kind in PLACED else None

    def question(self) -> Question:
        """What is asked of the tape as it is now."""
        leaves = self.kind in PLACED and self.where.leaves
        # How the tape was opened; a format that takes no options has none.
        opened: Options = getattr(self.visit.tape, "options", Options())
        asked = replace(
            self.asked,
            kind=self.kind,
            cut=self.cut,
            exclude=leaves,
            past_unknown=opened.past_unknown,
            unpack_limit=opened.unpacked,
        )
        return Question(self.visit.reading, self.where.head, asked, self.making)

    @property
    def ready(self) -> bool:
        """Whether the tape is folded to its head, without which no plan can be made."""
        return self.visit.tape.complete

    @property
    def answered(self) -> bool:
        """Whether what is asked now has an answer."""
        question = self.question()
        answers = (self.shown, self.offered, self.refused)
        return any(one is not None and one.question == question for one in answers)

    @property
    def made(self) -> Made | None:
        """The plan that is shown, unless something else is asked by now."""
        shown = self.shown
        return shown if shown is not None and self._asks(shown) else None

    @property
    def out_of_date(self) -> bool:
        """Whether the tape is another than the one of the plan that is shown."""
        made, now = self.made, self.question()
        return made is not None and made.question != now

    def _asks(self, made: Made) -> bool:
        """Whether a plan is what is asked now, of whatever state of the tape."""
        now = self.question()
        return (made.question.asked, made.question.making) == (now.asked, now.making)

    def accept(self, answer: Made | Refused) -> None:
        """Take an answer, unless something else is asked by now."""
        if answer.question != self.question():
            return
        self.version += 1
        self.refused = None
        if isinstance(answer, Refused):
            self.refused, self.shown, self.offered = answer, None, None
            return
        if self.shown is not None and self.out_of_date:
            self.offered = answer
            self.changes = list(differences(self.shown.document, answer.document))
        else:
            self.shown, self.offered = answer, None

    def take_new(self) -> str:
        """Go on with the plan of the tape as it is now; what is to be said."""
        if self.offered is None or not self._asks(self.offered):
            late = self.out_of_date
            return "the new plan is not made yet" if late else "the plan is of the tape as it is"
        self.shown, self.offered = self.offered, None
        self.version += 1
        return "this is the new plan"

    # Where the tape may be cut.

    @property
    def cuts_due(self) -> bool:
        """Whether it is to be asked where the tape may be cut."""
        return self.cuts_key() != self._cuts_of

    def cuts_key(self) -> object:
        """On what it depends where the tape may be cut."""
        return self.visit.reading, self.where.head, self.kind, self.asked.how

    def read_cuts(self) -> tuple[object, Cuts | None]:
        """Ask where the tape may be cut, for `take_cuts`; goes through all of it."""
        key = self.cuts_key()
        if self.kind not in CUT:
            return key, None
        try:
            planner = self.visit.tape.planner()
            return key, planner.cuts(self.kind, way(planner.ways(self.kind), self.asked.how))
        except (PlanError, SourceError):
            # The plan itself will tell why.
            return key, None

    def take_cuts(self, found: tuple[object, Cuts | None]) -> None:
        """Know where the tape may be cut; a plan of the head goes there."""
        self._cuts_of, self.where.cuts = found
        if self.kind not in PLACED:
            self.where.seek(self.where.head)
        self.version += 1

    def renew(self) -> bool:
        """The tape may be another: go on with it; whether it was read anew."""
        self.version += 1
        return self.where.renew(self.visit)

    # Moving the cut. Each says what is to be said.

    def step(self, stop: Stop, direction: int, times: int = 1) -> str:
        """Move the cut by places of a class."""
        return self._no_cut() or self._moved(self.where.step(stop, direction, times))

    def seek(self, cursor: int) -> str:
        """Cut at a cursor."""
        if not self._no_cut():
            self.where.seek(cursor)
        return self._moved(self._no_cut())

    def snap(self, direction: int) -> str:
        """Move the cut to the nearest allowed one on a side."""
        if self.kind is PlanKind.RESUME:
            return "what would be sent can be told of any cursor"
        return self._no_cut() or self._moved(self.where.snap(direction))

    def exclude(self) -> str:
        """Keep the event at the cut, or leave it behind."""
        return self._no_cut() or self._moved(self.where.exclude())

    def _moved(self, said: str) -> str:
        self.version += 1
        return said

    def _no_cut(self) -> str:
        if self.kind in PLACED:
            return ""
        return f"a {_WORDS[self.kind]} is of the head: there is no cut to move"

    # The other choices. Each says what is to be said.

    def other_way(self) -> str:
        """Write it the other way."""
        if self.shown is None:
            return self.waiting()
        found = next_way(self.shown.plan, self.asked.how or self.shown.plan.how)
        if isinstance(found, str):
            return found
        self.asked = replace(self.asked, how=found)
        return self._moved("")

    def next_view(self) -> str:
        """Take the next history that can be given."""
        if self.kind not in CUT:
            return "it changes no history"
        if self.made is None or self.made.plan.view is None:
            return self.waiting()
        view = self.made.plan.view
        every = list(View)
        at = every.index(view.choice)
        order = (*every[at + 1 :], *every[:at])
        found = next((one for one in order if view.offered[one] is None), None)
        return "no other history can be given" if found is None else self.take_view(found)

    def take_view(self, view: View) -> str:
        """Take a history."""
        why = None
        if self.made is not None and self.made.plan.view is not None:
            why = self.made.plan.view.offered[view]
        if why is not None:
            return f"{view.value}: no, {clean_line(why, 300)}"
        self.asked = replace(self.asked, view=view)
        return self._moved("")

    def keep_more(self, rows: int) -> str:
        """Have a compaction keep so many rows more."""
        if self.kind is not PlanKind.COMPACT:
            return "only a compaction keeps a number of rows"
        kept = KEEP_LAST if self.asked.keep_last is None else self.asked.keep_last
        rows = max(0, min(kept + rows, self.visit.timeline.count(self.where.head)))
        self.asked = replace(self.asked, keep_last=rows)
        return self._moved(f"the last {plural(rows, 'row')} stay")

    def degraded(self) -> str:
        """Have pieces of the originals for a summary, or none."""
        if self.kind is not PlanKind.COMPACT:
            return _NO_SUMMARY
        self.asked = replace(self.asked, degraded=not self.asked.degraded)
        self.asked = replace(self.asked, summary=None, summary_file=None)
        return self._moved("")

    def summarise(self, text: str, file: Path) -> str:
        """Have the text of a file for a summary."""
        if self.kind is not PlanKind.COMPACT:
            return _NO_SUMMARY
        self.asked = replace(self.asked, degraded=False, summary=text, summary_file=file)
        return self._moved("the summary is that of the file")

    def shows(self, fold: str) -> bool:
        """Whether a row of a list is shown."""
        name = fold.removeprefix(CLOSED)
        return (name in self.open) is (name == fold)

    def unfold(self, fold: str) -> None:
        """Show a list, or fold it again."""
        self.open ^= {fold}
        self.version += 1

    def list_undone(self) -> str:
        """Show what is not undone, or fold it again."""
        if self.shown is None:
            return self.waiting()
        if not self.shown.plan.not_undone:
            return "nothing behind the cut changed the world outside, as far as the tape tells"
        self.unfold(UNDONE)
        return ""

    def waiting(self) -> str:
        """Why there is no plan to be seen."""
        return "the plan is not made yet" if self.refused is None else self.refused.why

    def load(self, file: str, saved: Saved) -> str:
        """Ask what a saved plan asked, to tell what is another by now."""
        identity = self.visit.tape.identity
        file = clean_line(file, 200)
        if not _is_one(saved.path, identity.path):
            return f"{file} is a plan of {clean_line(str(saved.path), 200)}"
        if saved.session != identity.id:
            return f"{file} is a plan of another session, {clean_line(saved.session or '-', 60)}"
        self.kind, self.asked, self.making = saved.asked.kind, saved.asked, saved.making
        self.shown = self.offered = self.refused = None
        self.where.leaves = False
        self.where.seek(saved.seal.events if saved.asked.cut is None else saved.asked.cut)
        self.loaded = (file, saved, self.question().asked)
        return self._moved(f"made as {file} asks")


def _is_one(written: Path, path: Path) -> bool:
    """Whether a path that somebody wrote down is that of the tape."""
    try:
        return written.resolve() == path.resolve()
    except (OSError, ValueError, RuntimeError):
        return False
