"""Two writers in turn, read by the program and by slow and obvious readers."""

from typing import Final

from hypothesis import given, settings

from inspector.formats.claude.reading import ClaudeTape
from inspector.timeline.words import Form
from tests.formats.claude.reference import Reader, standing
from tests.formats.claude.test_laws import tape_of
from tests.formats.claude.transcripts import Record
from tests.formats.claude.writers import two_writers

LAW: Final = settings(deadline=None, max_examples=50)


def rows(tape: ClaudeTape, cursor: int) -> tuple[list[str | None], set[str | None]]:
    """The ids of the rows at a cursor, and of those that are cleared."""
    nodes = tape.timeline.surface.nodes
    found = [row.node for row in tape.timeline.rows(cursor)]
    named = {node: tape.message_id(nodes.origin(node)) for node in found}
    cleared = {named[node] for node in found if nodes.form(node) is Form.CLEARED}
    return [named[node] for node in found], cleared


@LAW
@given(records=two_writers())
def test_where_each_of_two_writers_stood(records: list[Record]) -> None:
    with tape_of(records, "sdk-js") as tape:
        for cursor in range(len(records) + 1):
            assert rows(tape, cursor) == standing(records[:cursor]), cursor


@LAW
@given(records=two_writers())
def test_what_the_reader_opens_of_two_writers(records: list[Record]) -> None:
    with tape_of(records, "sdk-js:reload") as tape:
        nodes = tape.timeline.surface.nodes
        for cursor in range(len(records) + 1):
            told = [
                tape.message_id(nodes.origin(row.node))
                for row in tape.timeline.rows(cursor)
                if not nodes.meta(row.node)
            ]
            assert told == Reader(records[:cursor]).listed(), cursor
