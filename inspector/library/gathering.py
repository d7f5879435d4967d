"""From a tape to its family: who is there is found by heads alone, and only members are folded."""

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from inspector.formats.contract import OptionError, Options, Tape
from inspector.formats.opening import open_tape, session_entries
from inspector.library import reading
from inspector.library.family import Family, family_of
from inspector.library.index import Place
from inspector.library.members import Member
from inspector.library.row import Row
from inspector.library.searching import NO_TWIN, STREAM, Search, Searched, Twin
from inspector.tape.packing import Packing, packing
from inspector.tape.source import FileSource, SourceError
from inspector.text.gate import clean_line
from inspector.text.labels import count, plural

MEMBERS: Final = 2_000
"""Members of a family that are told of."""

_FOLDED: Final = 300
"""Members that are folded."""

_LONGEST: Final = 64 * 1024 * 1024
"""Bytes of a member that is folded."""

_BYTES: Final = 512 * 1024 * 1024
"""Bytes of all members that are folded."""

_SAID: Final = 200

_NOT_COMPARED: Final = "how much of it is copied is not known: the parent is not there to compare"
_NOT_READ: Final = "how much of it is copied is not known: the parent cannot be read to compare"
_NOT_TOLD: Final = "how much of it is copied is not known: no ids of events tell it"
_STREAMED: Final = "how much of it is copied is not known: a stream has no name of a file"

_HELD: Final = 12
"""Tapes that are kept open until those are found that came from them."""


def gather(tape: Tape, search: Search, chosen: str | None = None) -> Family:
    """The family of a tape that is folded already; the tape stays open.

    Args:
        tape: folded as far as its members are to be known.
        search: how.
        chosen: the session by which it was chosen, where its source holds several.

    Raises:
        SourceError: if the tape itself cannot be read any more.
    """
    gathering = _Gathering(search)
    try:
        return gathering.of(tape, chosen)
    finally:
        gathering.close()


def gather_at(
    path: Path, session: str | None, search: Search, options: Options | None = None
) -> Family:
    """The family of the tape at a path.

    Raises:
        SourceError: if it cannot be read.
        OptionError: if there is no such session, or several and none is chosen.
    """
    tape = open_tape(path, replace(options or Options(), session=session))
    try:
        reading.folded(tape, search.going)
        return gather(tape, search, session)
    finally:
        tape.close()


class _Gathering:
    """Finds rows, follows them from one to the next, and folds those that belong."""

    def __init__(self, search: Search) -> None:
        self._search = search
        self._searched = Searched(search)
        self._index = self._searched.index
        self._asked: dict[tuple[str, str], int] = {}
        self._members: dict[Place, Member] = {}
        self._waiting: deque[tuple[Row, Twin]] = deque()
        self._met: set[Place] = set()
        self._open: dict[str, Tape] = {}
        self._kept: Tape | None = None
        self._bytes = 0
        self._unread = 0
        self._notes: list[str] = []
        self._shown: set[Place] = set()
        self._unstopped = True

    def close(self) -> None:
        """Give back all that was opened here."""
        for tape in self._open.values():
            if tape is not self._kept:
                tape.close()
        self._open.clear()

    def of(self, tape: Tape, chosen: str | None) -> Family:
        """The family of a folded tape."""
        self._kept = tape
        identity = tape.identity
        session = _within(tape, chosen)
        known = Member(identity.id, identity.path, session)
        self._searched.look_around(tape)
        row = self._searched.row_of(tape, session)
        if row is not None:
            known = replace(reading.of_row(row), path=identity.path, session=session)
        here = reading.of_tape(tape, known)
        if identity.id is not None:
            self._open[identity.id] = tape
        self._met.add(self._index.place_of(identity.path, session))
        here = self._settled(here, tape)
        self._follow(here)
        while self._waiting and self._search.going() and len(self._members) < MEMBERS:
            self._meet(*self._waiting.popleft())
        self._unstopped = self._search.going()
        here = self._members[self._index.place_of(identity.path, session)]
        streamed = [_is_the_stream(one, here) for one in self._members.values()]
        met = list(zip(self._members.values(), streamed, strict=True))
        here = self._titled(here, tape, [one for one, is_it in met if is_it])
        return family_of(
            [self._said_of(one) for one, is_it in met if not is_it],
            self._said_of(here),
            self._searched.looked,
            self._said(),
            self._absent,
        )

    def _titled(self, here: Member, tape: Tape, files: Sequence[Member]) -> Member:
        """The member that is asked of with what only a file of it tells; no list has a stream."""
        for file in files:
            started = file.started if here.started is None else here.started
            here = replace(here, title=here.title or file.title, started=started)
        if here.title:
            return here
        try:
            return replace(here, title=reading.first_words(tape))
        except SourceError:
            return here

    def _absent(self, name: str) -> Member:
        """Who is named and was not met: found and not looked at, or not to be found."""
        for row in self._index.named(name):
            place = self._index.place_of(row.path, row.session)
            if place not in self._members and place not in self._shown:
                self._shown.add(place)
                return replace(reading.of_row(row), id=name, parent=None, unlooked=True)
        unread = self._index.unread(name)
        if unread is not None:
            # It is there, by the name of its file, and nothing else is known of it.
            return replace(reading.of_row(unread), id=name)
        unlooked = not self._unstopped or self._searched.unlooked > 0
        return Member(name, unlooked=unlooked)

    def _said_of(self, member: Member) -> Member:
        """A member with what is to be said of how much it copied."""
        if member.copied is not None or not member.read:
            return member
        if member.parent is not None:
            there = any(one.id == member.parent for one in self._members.values())
            unread = self._index.unread(member.parent) is not None
            why = _NOT_TOLD if there else _NOT_READ if unread else _NOT_COMPARED
            return replace(member, notes=(*member.notes, why))
        if member.path == STREAM:
            return replace(member, notes=(*member.notes, _STREAMED))
        return member

    def _said(self) -> Iterator[str]:
        yield from self._notes
        left = [
            row
            for row, _ in self._waiting
            if self._index.place_of(row.path, row.session) not in self._shown
        ]
        if not self._unstopped:
            yield "the search was stopped: not all relatives are here"
        elif left:
            yield f"{plural(len(left), 'more relative')} found and not shown"
        if self._shown and self._unstopped:
            was = "was" if len(self._shown) == 1 else "were"
            yield f"{plural(len(self._shown), 'member')} {was} not looked at: the family is large"
        if self._searched.unlooked:
            many = plural(self._searched.unlooked, "member")
            yield f"the folders around {many} were not looked through: they are too many"
        yield from self._searched.unread
        if self._searched.uncopied:
            many = plural(self._searched.uncopied, "database")
            yield f"not looked into: {many} near it, being written and too large to copy"
        if self._searched.denied:
            many = plural(self._searched.denied, "file or folder", "files or folders")
            yield f"permission denied for {many} where it was looked: relatives may be there"
        if self._unread:
            many = plural(self._unread, "member")
            yield f"of {many} only head and tail were looked at: the family is large"

    # From one to the next.

    def _follow(self, member: Member) -> None:
        """Those that a member leads to wait to be met: those above it before all others."""
        self._generations(member)
        self._searched.look_around_member(member)
        for name in reversed(member.others):
            self._await_called(name, member, first=True)
        if member.parent is not None:
            self._await_called(member.parent, member, first=True)
        if member.id is not None:
            self._await_called(member.id, member)
            for row in self._new("children", member.id, self._index.children(member.id)):
                if not self._index.is_filed(row):
                    self._await(row)
        if member.path is not None:
            for row in self._index.children_of_file(member.id, member.path):
                self._await(row)
        for row in self._searched.tellers(member):
            self._await(row)
        for named in member.names:
            self._await_called(named.id, member)

    def _await_called(self, name: str, member: Member, *, first: bool = False) -> None:
        """Whoever is meant by an id waits; where nobody is, those that say to come from there."""
        index = self._index
        for row in self._new("named", name, index.named(name)):
            self._await(row, first=first)
        if index.named(name):
            return
        called = index.called(name, member.path)
        if first and not called:
            called = self._searched.older(name)
        for row in called:
            self._await(row, first=first)
        if not called:
            for row in self._new("missed", name, index.children(name)):
                self._await(row)

    def _new(self, what: str, name: str, rows: list[Row]) -> list[Row]:
        """Those of the rows of a name that were found since they were last asked for: of many
        members that bear or name one id each would be asked of all others.
        """
        before = self._asked.get((what, name), 0)
        self._asked[what, name] = len(rows)
        return rows[before:]

    def _await(self, row: Row, twin: Twin = NO_TWIN, *, first: bool = False) -> None:
        place = self._index.place_of(row.path, row.session)
        if place in self._met:
            return
        self._met.add(place)
        if first:
            self._waiting.appendleft((row, twin))
        else:
            self._waiting.append((row, twin))

    def _generations(self, member: Member) -> None:
        """Other logs of the session in its folder."""
        if member.twin is not None:
            return
        mine = self._index.place_of(member.path or STREAM, member.session)
        found = self._searched.generations(member)
        for place, (row, twin) in found.items():
            if place not in self._met:
                self._await(row, twin)
        twin = found[mine][1] if mine in found else NO_TWIN
        if twin != NO_TWIN:
            self._members[mine] = replace(member, twin=twin.relation, twin_of=twin.id)

    def _meet(self, row: Row, twin: Twin) -> None:
        member = replace(reading.of_row(row), twin=twin.relation, twin_of=twin.id)
        if row.problem is None and self._may_be_folded(row):
            read = len(self._members) + 1
            self._search.told(f"reading {count(read)} of {count(read + len(self._waiting))}")
            member = self._folded(member)
        self._members[self._index.place_of(row.path, row.session)] = member = self._canonical(
            member
        )
        self._follow(member)

    def _may_be_folded(self, row: Row) -> bool:
        size = row.bytes or 0
        fits = size <= _LONGEST and self._bytes + size <= _BYTES and len(self._members) < _FOLDED
        if fits:
            self._bytes += size
        else:
            self._unread += 1
        return fits

    def _folded(self, member: Member) -> Member:
        """What a member says as a whole; where it cannot be read, what its ends said, and why."""
        path = member.path
        if path is None:
            return member
        try:
            tape = open_tape(path, Options(session=member.session))
        except (SourceError, OptionError) as error:
            return replace(member, problem=str(error))
        try:
            if not reading.folded(tape, self._search.going):
                tape.close()
                return member
            member = reading.of_tape(tape, member)
            member = self._settled(member, tape)
        except SourceError as error:
            tape.close()
            return replace(member, problem=str(error))
        except BaseException:
            tape.close()
            raise
        self._hold(member, tape)
        return member

    def _hold(self, member: Member, tape: Tape) -> None:
        """Keep a tape open for those that came from it; the one held longest is given back."""
        if member.id is None or member.id in self._open:
            tape.close()
            return
        self._open[member.id] = tape
        if len(self._open) > _HELD:
            oldest = next(name for name, one in self._open.items() if one is not self._kept)
            self._open.pop(oldest).close()

    def _settled(self, member: Member, tape: Tape) -> Member:
        """Where a member left its parent, and where those left it that were met before."""
        member = self._canonical(member)
        parent = self._open.get(member.parent or "")
        if parent is not None and parent is not tape:
            member = self._parted(member, tape, parent)
        for place, other in list(self._members.items()):
            child = self._open.get(other.id or "")
            if other.parent == member.id and member.id is not None and child is not None:
                self._members[place] = self._parted(other, child, tape)
        self._members[self._index.place_of(member.path or Path(), member.session)] = member
        return member

    def _parted(self, member: Member, tape: Tape, parent: Tape) -> Member:
        try:
            if member.copied is None and member.read:
                member = replace(member, copied=reading.shared(tape, parent))
            cursor = reading.parted(tape, parent, member.copied or 0)
        except SourceError:
            return member
        return member if cursor is None else replace(member, boundary=cursor)

    def _canonical(self, member: Member) -> Member:
        """A parent by its id, where it was named by its file."""
        if member.parent is None:
            return member
        file = member.parent_file
        found = self._index.called(member.parent, member.path, file)
        if not found or found[0].id is None or found[0].id == member.id:
            return member
        notes = member.notes
        if file is not None and not self._index.is_sure(found[0], member.parent, file):
            said = (
                f"names {clean_line(file, _SAID)}: the file of that name beside it is taken for it"
            )
            notes = (*notes, said)
        # Named by its id from here on.
        return replace(member, parent=found[0].id, parent_file=None, notes=notes)


def _is_the_stream(member: Member, here: Member) -> bool:
    """Whether a file holds what came from the stream that is asked of, and is no other session."""
    if here.path != STREAM or member.path == STREAM or member.id != here.id:
        return False
    # When it was made may stand beside the file alone.
    began = here.started in (None, member.started)
    return began and (member.events, member.last) == (here.events, here.last)


def _within(tape: Tape, chosen: str | None) -> str | None:
    """The session by which a tape is chosen of its source; None where the source is one session."""
    path, mine = tape.identity.path, tape.identity.id
    if path == STREAM:
        return None
    try:
        if any(entry.id == mine for entry in session_entries(path)):
            return mine
        with FileSource(path) as file:
            return chosen if packing(file.read(0, 4)) is Packing.ZIP else None
    except (SourceError, OptionError):
        return None
