"""What looks for sessions behind the screen."""

from pathlib import Path
from threading import Event

from inspector.library.keeping_up import KeepingUp
from inspector.library.roots import given
from inspector.ui.library.looking import Looking
from tests.guarding import guarded
from tests.ui.library.shelves import ROWS, Found, real


def test_all_that_is_found_is_given_once(tmp_path: Path) -> None:
    folder = real(tmp_path, "demo.jsonl", "compaction.jsonl")
    looking = Looking(KeepingUp(given([folder])), pause=3600)
    with guarded(folder):
        looking.start()
        try:
            looking.wait(99, 20)
            assert looking.done
            assert {row.path.name for row in looking.taken()} == {"demo.jsonl", "compaction.jsonl"}
            assert not looking.pending
            assert looking.taken() == []
        finally:
            looking.stop()


def test_nothing_is_looked_at_while_it_is_held() -> None:
    found = Found(ROWS)
    looking = Looking(found, pause=3600)  # type: ignore[arg-type]
    looking.hold()
    looking.start()
    looking.wait(99, 0.05)
    assert len(looking.taken()) <= 1
    assert not looking.done
    looking.release()
    looking.wait(99, 20)
    assert looking.done
    looking.stop()


def test_who_looks_ends_when_told_even_while_it_is_held() -> None:
    gate = Event()
    looking = Looking(Found(ROWS, gate), pause=3600)  # type: ignore[arg-type]
    looking.hold()
    looking.start()
    gate.set()
    looking.stop()
    assert not looking._thread.is_alive()
