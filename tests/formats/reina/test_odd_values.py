"""Whatever stands where something else is expected, every answer is given, and none raises."""

from pathlib import Path
from typing import Final

import pytest

from inspector.formats.contract import Options
from inspector.formats.reina.reading import ReinaTape
from inspector.tape.source import FileSource
from tests.folding import fold_on
from tests.formats.test_odd_values import ODD, places, with_odd
from tests.plans import laws

SAMPLES: Final = Path(__file__).resolve().parents[3] / "sample_tapes" / "reina"


@pytest.mark.parametrize("path", sorted(SAMPLES.glob("*.jsonl")), ids=lambda path: path.stem)
def test_every_key_may_hold_anything(path: Path, tmp_path: Path) -> None:
    lines = path.read_bytes().splitlines()
    for at, keys in places(lines):
        for odd in ODD:
            mended = [*lines[:at], with_odd(lines[at], keys, odd), *lines[at + 1 :]]
            target = tmp_path / path.name
            target.write_bytes(b"\n".join(mended) + b"\n")
            tape = fold_on(ReinaTape(FileSource(target), Options()))
            ask(tape, max(0, at - 1))
            assert tape.sums().records == len(lines)
            tape.close()


def ask(tape: ReinaTape, event: int) -> None:
    head = tape.timeline.events
    if event < head:
        assert tape.sections(event)
        assert tape.parts(event) is not None
        assert tape.headline(event).kind
        tape.message_id(event)
        tape.asked_about(event)
    sent = [entry for entry in tape.request(head) if entry.note]
    assert bool(tape.planner().repair(laws.MAKING).closers) == bool(sent)
    assert tape.verdict().owner == "reina"
    for name, setting in tape.timeline.registers.state(head).items():
        tape.value(name, setting)
