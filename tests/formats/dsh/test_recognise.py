import importlib.metadata
from importlib.metadata import entry_points
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from inspector.formats import registry
from inspector.formats.contract import Certainty, Options
from inspector.formats.dsh import FORMAT
from inspector.formats.opening import open_tape
from inspector.tape.source import SourceError
from tests.dsh_tapes import HEADER, Log, line, opened
from tests.folding import fold_on

EVENT = line({"type": "turn/start", "seq": 0, "time": 1, "data": {"turn": 1}})
ROW = line({"type": "text-chunks", "seq0": 0, "time0": 1, "data": {}})


def certainty(*lines: bytes) -> Certainty:
    return FORMAT.recognise(b"\n".join(lines) + b"\n").certainty


def why_not(*lines: bytes) -> str:
    opinion = FORMAT.recognise(b"\n".join(lines) + b"\n")
    assert opinion.certainty is Certainty.NO
    return opinion.why_not


@pytest.mark.parametrize(
    "header",
    [
        HEADER,
        HEADER | {"version": 7},
        {"type": "session", "createdAt": 1},
        {"type": "session", "delegationDepth": 0},
        HEADER | {"timestamp": "2026-08-17T20:53:20Z"},
    ],
)
def test_a_header_of_its_own_is_sure(header: dict[str, object]) -> None:
    assert certainty(line(header)) is Certainty.SURE
    assert certainty(line(header), b"garbage", EVENT) is Certainty.SURE


def test_a_header_that_ends_with_the_source_is_sure() -> None:
    assert FORMAT.recognise(line(HEADER)).certainty is Certainty.SURE


def test_a_header_without_the_words_of_any_agent_is_likely() -> None:
    assert certainty(line({"type": "session", "version": 0})) is Certainty.LIKELY


def test_the_header_of_another_agent_is_not_ours() -> None:
    header = {"type": "session", "version": 3, "id": "x", "timestamp": "2026-08-17T20:53:20Z"}
    assert why_not(line(header), EVENT) == "the header is that of another agent (timestamp)"


@pytest.mark.parametrize(
    "lines",
    [
        (EVENT,),
        (ROW,),
        (b"garbage", EVENT),
        (b"", b"", EVENT),
        (line(HEADER)[:-1], EVENT),
        (*[b"{}"] * 49, EVENT),
    ],
)
def test_events_without_a_header_are_likely(lines: tuple[bytes, ...]) -> None:
    assert certainty(*lines) is Certainty.LIKELY


@pytest.mark.parametrize(
    ("lines", "reason"),
    [
        ((b"garbage",), "line 1 is not a JSON object"),
        ((b"[1]",), "line 1 is not a JSON object"),
        ((b"",), "line 1 is not a JSON object"),
        ((b"\x28\xb5\x2f\xfd",), "line 1 is not a JSON object"),
        ((b"{}",), "line 1 is neither a session header nor an event"),
        ((b'{"type":"turn/start"}',), "line 1 is neither a session header nor an event"),
        ((*[b"{}"] * 50, EVENT), "line 1 is neither a session header nor an event"),
    ],
)
def test_anything_else_is_not_ours_and_the_reason_is_told(
    lines: tuple[bytes, ...], reason: str
) -> None:
    assert why_not(*lines) == reason


@given(st.lists(st.one_of(st.binary(max_size=20), st.sampled_from((EVENT, ROW, b"null", b"[]")))))
@settings(derandomize=True, deadline=None)
def test_no_bytes_are_too_odd_for_an_opinion(lines: list[bytes]) -> None:
    opinion = FORMAT.recognise(b"\n".join(lines))
    assert bool(opinion.why_not) is (opinion.certainty is Certainty.NO)


def test_our_own_formats_are_those_of_our_entry_points() -> None:
    group = entry_points(group=registry.GROUP)
    ours = {entry.name: entry.load() for entry in group if entry.value.startswith("inspector.")}
    assert ours == {format_.name: format_ for format_ in registry.OWN}


def test_a_sure_format_of_our_own_costs_no_scan_of_entry_points(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(**_: str) -> None:
        pytest.fail("the entry points were scanned")

    monkeypatch.setattr(importlib.metadata, "entry_points", refuse)
    registry.scanned.cache_clear()
    found, opinions = registry.recognise(lambda format_: format_.recognise(line(HEADER)))
    assert found is FORMAT
    assert [name for name, _ in opinions] == [format_.name for format_ in registry.OWN]
    assert dict(opinions)["dsh"].certainty is Certainty.SURE


def test_what_no_format_knows_has_an_opinion_of_each() -> None:
    found, opinions = registry.recognise(lambda format_: format_.recognise(b"garbage"))
    assert found is None
    assert [name for name, _ in opinions] == [format_.name for format_ in registry.all_formats()]
    assert dict(opinions)["dsh"].why_not == "line 1 is not a JSON object"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "empty file (0 bytes)"),
        (b"\n", "nothing but 1 blank line"),
        (b" \r\n\t\n\n", "nothing but 3 blank lines"),
        (b"hello\n", "not a session tape: text that is not JSON (line 1: hello)"),
    ],
)
def test_what_is_no_tape_is_refused_in_one_sentence(
    content: bytes, reason: str, tmp_path: Path
) -> None:
    (tmp_path / "file").write_bytes(content)
    with pytest.raises(SourceError) as caught:
        open_tape(tmp_path / "file", Options())
    assert str(caught.value).startswith(reason)


def test_a_recognised_tape_is_open_and_not_folded_yet(tmp_path: Path) -> None:
    log = Log()
    log.turn()
    (tmp_path / "session.jsonl").write_bytes(bytes(log))
    tape = open_tape(tmp_path / "session.jsonl", Options())
    assert (tape.identity.format, tape.identity.id) == ("dsh", "session")
    assert (tape.timeline.events, tape.complete) == (0, False)
    fold_on(tape)
    assert (tape.timeline.events, tape.complete, tape.progress) == (1, True, 1.0)
    tape.close()


def test_a_tape_of_which_nothing_is_folded_has_made_no_progress(tmp_path: Path) -> None:
    log = Log()
    log.turn()
    tape = opened(log, tmp_path)
    assert (tape.timeline.events, tape.progress < 1.0) == (0, True)


def test_a_tape_whose_first_record_is_longer_than_the_head_is_recognised(tmp_path: Path) -> None:
    log = Log(header=None)
    log.user("x" * 100_000)
    log.turn_end()
    (tmp_path / "session.jsonl").write_bytes(bytes(log))
    tape = open_tape(tmp_path / "session.jsonl", Options())
    assert tape.identity.format == "dsh"
    tape.close()
