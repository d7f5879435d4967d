"""The surface at every cursor is what a slow reader has of the lines up to there."""

from pathlib import Path

import pytest

from inspector.formats.contract import Options
from inspector.formats.pi import FORMAT
from inspector.formats.pi.reading import PiTape
from inspector.tape.source import FileSource
from inspector.timeline.words import HIDDEN_BY_REASON, Visibility
from tests.folding import fold_on, keep, laid_out
from tests.formats.pi import reference, sessions
from tests.formats.pi.generated import session
from tests.prefixes import answers, differences

SEEDS = range(60)


def rows_at(tape: PiTape, cursor: int, places: dict[int, int]) -> list[tuple[int, int | None]]:
    """The rows as the slow reader tells them: by the places of entries among those it reads."""
    nodes = tape.timeline.surface.nodes
    found: list[tuple[int, int | None]] = []
    for row in tape.timeline.rows(cursor):
        edit = None
        if nodes.form(row.node).label == "rebuilt":
            edit = places[nodes.sources(row.node)[-1]]
        found.append((places[nodes.origin(row.node)], edit))
    return found


def compare(content: bytes, folder: Path) -> int:
    """Compare every cursor of a file; how many the owner would never come to show."""
    tape = sessions.opened(content, folder)
    timeline, lines = tape.timeline, content.split(b"\n")
    read = [event for event in range(timeline.events) if not timeline.is_rejected(event)]
    places = {event: place for place, event in enumerate(read)}
    endless = 0
    for cursor in range(timeline.events + 1):
        stop = timeline.table.record(cursor - 1) + 1 if cursor else 1
        plain = reference.context(reference.entries_of(b"\n".join(lines[:stop])))
        if plain is None:
            endless += 1
            continue
        assert rows_at(tape, cursor, places) == plain.rows, cursor
        settings = [timeline.registers.at(name, cursor) for name in ("model", "thinking")]
        model, thinking = (setting.value if setting else None for setting in settings)
        assert (model, thinking or "off") == plain.settings, cursor
    tape.close()
    return endless


@pytest.mark.parametrize("seed", SEEDS)
def test_a_tree_with_odd_lines(seed: int, tmp_path: Path) -> None:
    assert compare(session(seed, 60), tmp_path) == 0


@pytest.mark.parametrize("seed", SEEDS)
def test_a_tree_whose_parents_come_late_or_again(seed: int, tmp_path: Path) -> None:
    compare(session(seed, 40, late=True), tmp_path)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_tree_of_compactions_alone(seed: int, tmp_path: Path) -> None:
    assert compare(session(seed, 80, bare=True), tmp_path) == 0


@pytest.mark.parametrize("seed", range(4))
def test_a_long_tree(seed: int, tmp_path: Path) -> None:
    assert compare(session(seed, 400), tmp_path) == 0


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("seed", range(6))
def test_a_file_that_ends_early_is_the_whole_one_at_that_cursor(
    seed: int, late: bool, tmp_path: Path
) -> None:
    with laid_out(session(seed, 50, late=late), sessions.NAME) as path:
        assert differences(FORMAT, path, "pi", tmp_path, 25) == []


@pytest.mark.parametrize("late", [False, True])
@pytest.mark.parametrize("step", [1, 7, 40, 333])
def test_a_file_that_grows_is_the_whole_one_at_its_end(
    step: int, late: bool, tmp_path: Path
) -> None:
    content = session(step, 40, late=late)
    whole = sessions.opened(content, tmp_path)
    path = tmp_path / "growing.jsonl"
    path.write_bytes(b"")
    tape = FORMAT.open(FileSource(path), Options())
    keep(tape)
    with path.open("ab") as writer:
        for at in range(0, len(content), step):
            writer.write(content[at : at + step])
            writer.flush()
            if not _reads(tape, content[: at + step]):
                continue
            fold_on(tape)
    assert tape.timeline.events == whole.timeline.events
    for cursor in range(tape.timeline.events + 1):
        assert answers(tape, cursor) == answers(whole, cursor)
    assert tape.verdict() == whole.verdict()


def _reads(tape: object, content: bytes) -> bool:
    """Whether what stands there is looked at: a whole line that goes on makes it another file."""
    tail = content.rpartition(b"\n")[2]
    assert isinstance(tape, PiTape)
    return not tape.decoder.takes_tail(tail)


@pytest.mark.parametrize("bare", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_what_is_not_on_the_path_is_rewound_whatever_hid_it_before(
    seed: int, bare: bool, tmp_path: Path
) -> None:
    tape = sessions.opened(session(seed, 60, odd=False, bare=bare), tmp_path)
    timeline, tree = tape.timeline, tape.decoder.tree
    made = {timeline.surface.nodes.origin(node) for node in range(len(timeline.surface.nodes))}
    for cursor in range(1, timeline.events + 1):
        path = set(tree.path(cursor - 1)[0])
        for event in made.difference(path):
            found = timeline.visibility(event, cursor)[0]
            known = found not in (Visibility.NOT_YET, Visibility.LOG_ONLY)
            assert not known or found is Visibility.REWOUND, (event, cursor)


@pytest.mark.parametrize("bare", [False, True])
@pytest.mark.parametrize("seed", range(12))
def test_a_row_on_the_path_that_is_not_there_is_told_by_what_counts_on_the_path(
    seed: int, bare: bool, tmp_path: Path
) -> None:
    tape = sessions.opened(session(seed, 60, odd=False, bare=bare), tmp_path)
    timeline, tree = tape.timeline, tape.decoder.tree
    hidden = (Visibility.SHADOWED, Visibility.CLEARED, Visibility.SUPERSEDED)
    surface, told = timeline.surface, 0
    for cursor in range(1, timeline.events + 1):
        path = set(tree.path(cursor - 1)[0])
        for node in range(len(surface.nodes)):
            event = surface.nodes.origin(node)
            if surface.nodes.form(node).label == "rebuilt" or event not in path:
                continue
            left = surface.departure(node, cursor)
            if left is not None:
                told += 1
                assert HIDDEN_BY_REASON[left.reason] in hidden, (node, cursor)
                assert left.by in path, (node, cursor)
    assert told


@pytest.mark.parametrize("bare", [False, True])
@pytest.mark.parametrize("seed", [*range(8), 32, 42])
def test_what_hides_a_row_counts_on_the_path_also_where_ids_come_late_or_again(
    seed: int, bare: bool, tmp_path: Path
) -> None:
    tape = sessions.opened(content := session(seed, 60, odd=False, late=True, bare=bare), tmp_path)
    surface, lines, told = tape.timeline.surface, content.split(b"\n"), 0
    hidden = (Visibility.SHADOWED, Visibility.CLEARED, Visibility.SUPERSEDED)
    for cursor in range(1, tape.timeline.events + 1):
        entries = reference.entries_of(b"\n".join(lines[: cursor + 1]))
        path = reference.path_of(entries, reference.ids_of(entries))
        if path is None:
            continue
        for node in range(len(surface.nodes)):
            left, event = surface.departure(node, cursor), surface.nodes.origin(node)
            if left is None or surface.nodes.form(node).label == "rebuilt":
                continue
            told += 1
            found = HIDDEN_BY_REASON[left.reason]
            if event in path:
                assert found in hidden, (node, cursor)
                assert left.by in path, (node, cursor)
            else:
                assert found is Visibility.REWOUND, (node, cursor)
    assert told
