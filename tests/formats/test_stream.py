"""A tape that comes from a stream."""

from io import BytesIO
from pathlib import Path

import pytest

from inspector.formats.contract import Options
from inspector.formats.opening import open_stream, open_tape
from inspector.tape.source import SourceError
from inspector.tape.watch import Change
from tests.folding import fold_on
from tests.formats.dsh.databases import make_store
from tests.tape.packed import frame
from tests.timelines import same_session

SAMPLES = Path(__file__).resolve().parents[2] / "sample_tapes"


@pytest.mark.parametrize("name", ["packed-rows.jsonl", "version-4.session.v4.jsonl"])
def test_a_stream_is_the_tape_that_it_holds(name: str) -> None:
    path = SAMPLES / name
    tape = fold_on(open_stream(BytesIO(path.read_bytes()), Options()))
    same_session(tape, fold_on(open_tape(path, Options())))
    assert tape.identity.path == Path("-")
    assert tape.verdict().opens is True
    assert tape.changed() is Change.NONE
    tape.close()


def test_a_compressed_stream_is_unpacked_and_has_no_wrong_name() -> None:
    text = (SAMPLES / "prune.jsonl").read_bytes()
    tape = fold_on(open_stream(BytesIO(frame(text)), Options()))
    assert tape.timeline.events == 25
    assert [finding.kind.code for finding in tape.findings()] == []
    tape.close()


def test_what_no_stream_can_be_is_said(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"empty file \(0 bytes\)"):
        open_stream(BytesIO(b""), Options())
    store = make_store(tmp_path / "store.db").read_bytes()
    with pytest.raises(SourceError, match="cannot be read from a stream"):
        open_stream(BytesIO(store), Options())
