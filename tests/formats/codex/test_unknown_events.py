"""Types of events that no build of the owner writes are told; all others are not."""

from pathlib import Path

from inspector.formats.codex.telling.phrases import PHRASES
from inspector.formats.codex.vocabulary import EVENTS
from tests.formats.codex import tapes
from tests.formats.codex.tapes import event, user


def found(tape: tapes.CodexTape) -> list[tuple[int | None, str]]:
    return [(one.event, one.message) for one in tape.findings() if one.kind.code == "unknown-event"]


def test_every_event_of_an_unknown_type_is_told_with_its_place(tmp_path: Path) -> None:
    new = event("turn.completed", message="ok")
    tape = tapes.folded(tmp_path, new, user("q"), new, new)
    said = "an event of a type that is not known: turn.completed"
    assert found(tape) == [(0, said), (2, said), (3, said)]
    assert tapes.texts(tape) == ["q"]
    assert tape.errors() == 0


def test_an_event_without_a_type_is_told_and_a_hostile_type_is_cleaned(tmp_path: Path) -> None:
    nothing = {"type": "event_msg", "payload": {"message": "?"}}
    tape = tapes.folded(tmp_path, nothing, event("\x1b[2Jnew"))
    assert [message for _, message in found(tape)] == [
        "an event without a type",
        "an event of a type that is not known: ␛[2Jnew",
    ]


def test_a_known_type_is_no_finding(tmp_path: Path) -> None:
    known = [event(kind) for kind in sorted(EVENTS)]
    assert found(tapes.folded(tmp_path, *known, *known)) == []


def test_what_is_folded_or_said_in_words_is_known(tmp_path: Path) -> None:
    handled = set(tapes.folded(tmp_path)._fold._events)
    assert handled | set(PHRASES) <= EVENTS
