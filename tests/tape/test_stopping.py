"""Reading for somebody who may not wait any more."""

from pathlib import Path

import pytest

from inspector.tape.composed import Composed
from inspector.tape.database import Database
from inspector.tape.source import FileSource, SourceError
from inspector.tape.stopping import Stopped, stoppable

SAMPLES = Path(__file__).resolve().parents[2] / "sample_tapes"


def test_a_reading_stops_as_soon_as_nobody_waits() -> None:
    waits = [True]
    with FileSource(SAMPLES / "demo.jsonl") as source, stoppable(lambda: not waits[0]):
        assert source.read(0, 1) == b"{"
        waits.clear()
        waits.append(False)
        with pytest.raises(Stopped):
            source.read(0, 1)


def test_what_is_composed_and_what_stands_in_a_database_stop_as_well() -> None:
    with stoppable(lambda: True), pytest.raises(Stopped):
        Composed(Path("new"), b"text").read(0, 1)
    database = Database(SAMPLES / "sessions.db")
    try:
        with stoppable(lambda: True), pytest.raises(Stopped):
            database.fetch("SELECT 1")
        assert database.fetch("SELECT 1").rows == [(1,)]
    finally:
        database.close()


def test_it_is_no_trouble_of_the_source() -> None:
    assert not issubclass(Stopped, SourceError)


def test_behind_the_block_everything_is_read_again() -> None:
    with FileSource(SAMPLES / "demo.jsonl") as source:
        with pytest.raises(Stopped), stoppable(lambda: True):
            source.read(0, 1)
        assert source.read(0, 1) == b"{"
