"""The main screen as one finds one's way on it: search, filters, bookmarks and notes."""

from array import array
from datetime import tzinfo
from functools import partial
from time import perf_counter
from typing import Final

from textual.worker import Worker, WorkerState, get_current_worker

from inspector.bookmarks import NOTE, Bookmark, Kept, NotesError, anchored, is_letter
from inspector.filters import Passing, Seen
from inspector.formats.contract import Tape
from inspector.inspection import Inspection
from inspector.lenses.search import Pattern, PatternError, asked, search
from inspector.sought import Sought
from inspector.tape.source import SourceError
from inspector.text.gate import clean_line
from inspector.text.labels import count
from inspector.ui import bars
from inspector.ui.layer import Layer
from inspector.ui.lenses.bookmarks import BookmarkLayer, BookmarkRows
from inspector.ui.lenses.hits import HitRows
from inspector.ui.panes import PaneScreen
from inspector.ui.rows import number
from inspector.ui.standing import Standing
from inspector.userdata import NotesFile

_SOON_SIFTED: Final = 3_000
"""Events of which one asks whether they pass in less time than a person notices."""

_SOON_SEARCHED: Final = 1_000
"""Records that are looked through in less time than a person notices."""

_SOON_FOUND: Final = 50_000
"""Events of a tape that is read to its end in less time than a person notices."""

_STRIDE: Final = 4_096
"""Records that are looked through between two looks at whether anybody still waits."""

_FRAME: Final = 1 / 30
"""Seconds between two words of what was found."""

_SEARCH_HINT: Final = "text · /regex/ · /regex/i · nothing lists the hits of the last search"
_FILTER_HINT: Final = "kinds, roles, types, tools, error · -word leaves out · nothing lists all"


class FindScreen(PaneScreen):
    """Searches, filters and marks for the person; the cursor moves only where they say so.

    Args:
        inspection: the visit.
        zone: of the times shown.
        notes: the file that keeps the notes of the tape; None keeps them for this visit.
    """

    def __init__(
        self, inspection: Inspection, zone: tzinfo | None, notes: NotesFile | None = None
    ) -> None:
        super().__init__(inspection, zone)
        self._notes = notes
        self._seen: Seen | None = None

    def bring_up_to_date(self) -> None:
        """Go on with the search, the filter and the places of bookmarks as the tape grows."""
        self._search_on()
        self._sift()
        self._place_bookmarks()
        above = self.app.screen
        if isinstance(above, Layer):
            above.follow()

    # Search.

    def action_search(self) -> None:
        """Ask what to look for."""
        self.ask("/", "", _SEARCH_HINT, self._look_for)

    def _look_for(self, text: str) -> None:
        sought = self.inspection.sought
        if not text:
            self.action_hits()
            return
        try:
            wanted = asked(text)
        except PatternError as error:
            self.say(clean_line(str(error), 300))
            return
        sought.begin(text, wanted)
        self.inspection.found()
        self.say(bars.found_words(sought))

    def _search_on(self) -> None:
        inspection = self.inspection
        sought, tape = inspection.sought, inspection.tape
        if sought.wanted is None or sought.searching or sought.problem:
            return
        # A record that is still being written is looked through when it is ended.
        records = tape.records() - (tape.complete and tape.sums().pending > 0)
        if sought.known >= records:
            return
        if records - sought.known <= _SOON_SEARCHED and sought.wanted.literal is not None:
            self._search_now(tape, sought, records)
            return
        sought.searching = True
        self.run_worker(
            partial(self._search_all, tape, sought.wanted, sought.known, records),
            name="search",
            group="search",
            thread=True,
            exit_on_error=False,
        )

    def _search_now(self, tape: Tape, sought: Sought, records: int) -> None:
        """Look through a few records at once."""
        wanted, found, problem = sought.wanted, list[int | None](), None
        if wanted is None:
            return
        try:
            among = range(sought.known, records)
            found.extend(hit.event for hit in search(tape, wanted, among))
        except (SourceError, PatternError) as error:
            problem = str(error)
        sought.add(found, records)
        sought.end(problem)

    def _search_all(self, tape: Tape, wanted: Pattern, start: int, stop: int) -> None:
        """Look through records, in a thread; the first hit is told at once."""
        worker = get_current_worker()
        batch: list[int | None] = []
        due, known = 0.0, start

        def cancelled() -> bool:
            visit = self.inspection
            other = visit.tape is not tape or visit.sought.wanted is not wanted
            return other or worker.is_cancelled

        def tell(problem: str | None = None, *, done: bool = False) -> None:
            if not cancelled():
                told = (tape, wanted, list(batch), known, problem, done)
                self.app.call_from_thread(self._told, *told)
            batch.clear()

        try:
            while known < stop and not cancelled():
                after = min(stop, known + _STRIDE)
                for hit in search(tape, wanted, range(known, after)):
                    batch.append(hit.event)
                    if perf_counter() >= due:
                        tell()
                        due = perf_counter() + _FRAME
                    if cancelled():
                        return
                known = after
            tell(done=True)
        except (SourceError, PatternError) as error:
            tell(str(error), done=True)

    def _told(
        self,
        tape: Tape,
        wanted: Pattern,
        events: list[int | None],
        known: int,
        problem: str | None,
        done: bool,
    ) -> None:
        """The worker found something, or is done."""
        inspection, sought = self.inspection, self.inspection.sought
        if tape is not inspection.tape or wanted is not sought.wanted:
            return
        spoken = self._message == bars.found_words(sought)
        sought.add(events, known)
        if done:
            sought.end(problem)
        if spoken or problem:
            self.say(bars.found_words(sought))
        inspection.found()

    def action_hit(self, direction: int) -> None:
        """Move the cursor to the next or previous hit."""
        inspection, sought = self.inspection, self.inspection.sought
        if sought.wanted is None:
            self.say("nothing is looked for: / asks what")
            return
        cursor = sought.step(inspection.cursor, direction * self.typed.number())
        if cursor is None:
            where = "after" if direction > 0 else "before"
            so_far = ", so far" if sought.searching else ""
            self.say(f"no hit {where} {count(inspection.cursor)}{so_far}")
        else:
            inspection.leap(cursor)

    def action_hits(self) -> None:
        """List the hits."""
        sought = self.inspection.sought
        if sought.wanted is None:
            self.say("nothing is looked for: / asks what")
            return
        report = HitRows(self.inspection)
        layer = Layer("Hits", report, report.heads(), report.start(), Standing(self.inspection))
        self.app.push_screen(layer, self._come_back)

    def _come_back(self, cursor: int | None) -> None:
        if cursor is not None:
            self.inspection.leap(cursor)

    # Filters.

    def action_cycle_shown(self) -> None:
        """List the next of all, visible, hidden and log-only events."""
        inspection = self.inspection
        inspection.filter = inspection.filter.next_shown()
        inspection.found()
        self.say(f"listed: {inspection.filter.shown.value}")

    def action_only_hits(self) -> None:
        """List only the hits, or all again."""
        inspection = self.inspection
        if inspection.sought.wanted is None:
            self.say("nothing is looked for: / asks what")
            return
        only = not inspection.filter.only_hits
        inspection.filter = inspection.filter._replace(only_hits=only)
        inspection.found()

    def action_ask_filter(self) -> None:
        """Ask which kinds of events to list."""
        self.ask("filter", " ".join(self.inspection.filter.words), _FILTER_HINT, self._filter_by)

    def _filter_by(self, text: str) -> None:
        inspection = self.inspection
        inspection.filter = inspection.filter.of_words(text)
        inspection.found()

    def lift(self) -> bool:
        """Clear the search, else the filter; False if there is neither."""
        inspection = self.inspection
        if inspection.sought.wanted is not None:
            inspection.sought.clear()
            inspection.filter = inspection.filter._replace(only_hits=False)
        elif inspection.filter.active:
            inspection.filter = type(inspection.filter)()
        else:
            return False
        inspection.found()
        return True

    def _wanted(self) -> Seen | None:
        inspection = self.inspection
        chosen, sought = inspection.filter, inspection.sought
        if not chosen.active:
            return None
        hits = sought.events if chosen.only_hits else None
        version = sought.version if chosen.only_hits else 0
        return Seen(inspection.reading, chosen, inspection.cursor, inspection.head, hits, version)

    def _sift(self) -> None:
        """Have the column of the events that pass, at once where that takes little."""
        wanted, rows = self._wanted(), self.events
        if wanted is None:
            rows.passing, self.sifting = None, False
            return
        passing = rows.passing
        if passing is None or not passing.can_become(wanted):
            passing = Passing(wanted)
        if passing.cost(wanted) <= _SOON_SIFTED:
            passing.become(self.inspection.tape, wanted)
            rows.passing, self.sifting = passing, False
            return
        if rows.passing is None or rows.passing.seen.reading != wanted.reading:
            rows.passing = Passing(wanted)
        if not self.sifting:
            self.sifting = True
            if wanted.hits is not None:
                wanted = wanted._replace(hits=array("I", wanted.hits))
            self.run_worker(
                partial(self._sift_all, self.inspection.tape, passing.copy(), wanted),
                name="filter",
                group="filter",
                thread=True,
                exit_on_error=False,
            )

    def _sift_all(self, tape: Tape, passing: Passing, wanted: Seen) -> None:
        """Ask which events pass, in a thread, until the person wants another filter."""

        def stopped() -> bool:
            mine = self._wanted()
            return mine is None or (mine.reading, mine.filter) != (wanted.reading, wanted.filter)

        try:
            done = passing.become(tape, wanted, stopped)
        except SourceError as error:
            self.app.call_from_thread(self.say, clean_line(str(error), 300))
            done = False
        self.app.call_from_thread(self._sifted, passing if done else None)

    def _sifted(self, passing: Passing | None) -> None:
        self.sifting = False
        wanted = self._wanted()
        if passing is not None and wanted is not None and passing.can_become(wanted):
            self.events.passing = passing
        self.sync()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """A worker that failed is waited for no more."""
        if event.state is WorkerState.ERROR and event.worker.name == "search":
            self.inspection.sought.end(str(event.worker.error))
        if event.state is WorkerState.ERROR and event.worker.name == "filter":
            self.say(clean_line(f"cannot be filtered: {event.worker.error}", 300))

    # Bookmarks.

    def action_mark(self) -> None:
        """Wait for the letter of a bookmark to set."""
        self.typed.wait("m", self._mark)

    def action_jump(self) -> None:
        """Wait for the letter of a bookmark to go to."""
        self.typed.wait("'", self._jump)

    def _mark(self, letter: str) -> None:
        inspection, event = self.inspection, self.view.event
        marks = inspection.bookmarks
        if not is_letter(letter):
            self.say("a bookmark is a letter: ma sets a, 'a goes there")
        elif event is None:
            self.say("no event is selected")
        else:
            moved = marks.get(letter) is not None and marks.event(letter) != event
            before = marks.get(letter)
            if moved and before is not None and before.note:
                self.say(f"{letter} has a note elsewhere: M shows it, x there takes it away")
                return
            try:
                marks.set(letter, anchored(inspection.tape, event))
            except SourceError as error:
                self.say(clean_line(str(error), 300))
                return
            said = f"bookmark {letter} at {number(inspection, event)}"
            self._keep(letter, f"{said}{', moved' if moved else ''}; M lists them")
            inspection.found()

    def _jump(self, letter: str) -> None:
        marks = self.inspection.bookmarks
        event = marks.event(letter)
        if event is not None:
            self.inspection.leap(event + 1)
        elif marks.get(letter) is not None:
            lost = "is not found on this tape" if marks.settled else "is not found yet"
            self.say(f"bookmark {letter} {lost}")
        else:
            self.say(f"no bookmark {clean_line(letter, 4)}: m and a letter sets one")

    def action_bookmarks(self) -> None:
        """List the bookmarks."""
        self._list_bookmarks("")

    def _list_bookmarks(self, letter: str) -> None:
        report = BookmarkRows(self.inspection, kept=self._notes is not None)
        layer = BookmarkLayer(report, report.row_of(letter))
        self.app.push_screen(layer, partial(self._left_bookmarks, layer))

    def _left_bookmarks(self, layer: BookmarkLayer, cursor: int | None) -> None:
        marks = self.inspection.bookmarks
        mark = marks.get(layer.letter)
        if layer.wish == "note" and mark is not None:
            answer = partial(self._note, mark.letter)
            self.ask(f"note of {mark.letter}", clean_line(mark.note), "what is it", answer)
        elif layer.wish == "remove" and mark is not None:
            marks.remove(mark.letter)
            self._keep(mark.letter, f"bookmark {mark.letter} is taken away")
            self.inspection.found()
        else:
            self._come_back(cursor)

    def _note(self, letter: str, text: str) -> None:
        if self.inspection.bookmarks.get(letter) is None:
            return
        self.inspection.bookmarks.note(letter, text[:NOTE])
        self._keep(letter, "noted")
        self.inspection.found()
        self._list_bookmarks(letter)

    def _keep(self, letter: str, said: str) -> None:
        """Keep what became of a bookmark, and say so."""
        if self._notes is None:
            self.say(f"{said} (for this visit)")
            return
        mark = self.inspection.bookmarks.get(letter)
        try:
            aside = self._notes.change(partial(_with, letter, mark))
        except NotesError as error:
            self.say(f"{said} for this visit: the notes {clean_line(str(error), 200)}")
        else:
            self.say(clean_line(aside, 300) if aside else said)

    def read_notes(self) -> None:
        """Have the bookmarks that are kept; say so if they cannot be read."""
        if self._notes is None:
            return
        try:
            kept = self._notes.read()
        except NotesError as error:
            self.say(f"the notes of this tape {clean_line(str(error), 200)}; they are left alone")
            return
        if kept is not None:
            self.inspection.bookmarks.replace(kept.bookmarks)

    def on_mount(self) -> None:
        """Have what is kept of the tape."""
        self.read_notes()

    def _place_bookmarks(self) -> None:
        """Find where the bookmarks are, once the tape is folded."""
        inspection = self.inspection
        if inspection.bookmarks.settled or not inspection.tape.complete:
            return
        tape = inspection.tape
        if tape.timeline.events <= _SOON_FOUND:
            self._placed(tape, _places(inspection, tape))
            return
        inspection.bookmarks.settled = True
        self.run_worker(
            lambda: self.app.call_from_thread(self._placed, tape, _places(inspection, tape)),
            name="bookmarks",
            group="bookmarks",
            thread=True,
            exclusive=True,
            exit_on_error=False,
        )

    def _placed(self, tape: Tape, places: dict[str, int | None]) -> None:
        if tape is self.inspection.tape:
            self.inspection.bookmarks.place(places)


def _places(inspection: Inspection, tape: Tape) -> dict[str, int | None]:
    try:
        return inspection.bookmarks.settle(tape)
    except SourceError:
        return {}


def _with(letter: str, mark: Bookmark | None, kept: Kept) -> Kept:
    """What is kept, with another bookmark of a letter, or without it."""
    bookmarks = {other: one for other, one in kept.bookmarks.items() if other != letter}
    if mark is not None:
        bookmarks[letter] = mark
    return Kept(bookmarks, kept.left)
