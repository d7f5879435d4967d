"""Real streams: a whole message says what its pieces say, and none is put together twice."""

from pathlib import Path

import pytest

from inspector.formats.contract import OptionError
from inspector.lenses.stream import State, streams
from inspector.tape.source import SourceError
from tests.corpus.corpus import files, folded, needs_corpus

pytestmark = needs_corpus


@pytest.mark.parametrize("path", files("tapes/dsh/**/*.jsonl"))
def test_a_whole_message_says_what_its_pieces_say(path: Path) -> None:
    try:
        tape = folded(path)
    except (SourceError, OptionError):
        pytest.skip("no tape of its own")
    found = list(streams(tape, tape.timeline.events))
    assert not [one for one in found if one.differs]
    whole = [one.event for one in found if one.state is State.DONE]
    assert len(whole) == len(set(whole))
