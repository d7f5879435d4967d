"""How the text of a log is kept, and what its owner says of that (format page 1.3, rules A)."""

import zipfile
from pathlib import Path
from typing import Any

import pytest

from inspector.formats.contract import Options, Tape
from inspector.formats.opening import open_tape
from inspector.tape.source import SourceError
from tests.dsh_tapes import HEADER, Log, codes, findings, folded, line, surface
from tests.folding import fold_on
from tests.tape.packed import SKIPPABLE, flipped, frame, member, streamed

ZSTD = "session.jsonl.zstd"
CORRUPT = "corrupt Zstandard session log: "
TORN_RECORD = f"{CORRUPT}complete frame contains a torn JSONL record"


def parts() -> list[bytes]:
    """The header, a turn, and another one: each is a frame as the owner writes it."""
    log = Log()
    header = bytes(log)
    written = [header]
    for number in (1, 2):
        log.turn(number)
        log.user(f"message {number}")
        log.turn_end(number)
        written.append(bytes(log)[len(b"".join(written)) :])
    return written


def packed(*texts: bytes) -> bytes:
    return b"".join(frame(text) for text in texts)


def opened(data: bytes, tmp_path: Path, name: str = ZSTD, **options: Any) -> Tape:
    path = tmp_path / name
    path.write_bytes(data)
    tape = open_tape(path, Options(**options))
    return fold_on(tape)


def said(data: bytes, tmp_path: Path, name: str = ZSTD) -> tuple[Any, str | None]:
    """What the owner says of it."""
    tape = opened(data, tmp_path, name)
    verdict = tape.verdict()
    tape.close()
    return verdict.opens, verdict.reason


# Frames.


def test_a_log_of_many_frames_is_the_log_of_its_text(tmp_path: Path) -> None:
    tape = opened(packed(*parts()), tmp_path)
    plain = folded(b"".join(parts()), tmp_path)
    assert findings(tape) == []
    assert surface(tape) == surface(plain) == [1, 4]
    assert tape.identity.variant == "v0/jsonl.zstd"
    assert tape.identity.how == "zstd, unpacked into a private temporary file without a name"
    assert tape.sums().as_dict() == plain.sums().as_dict() | {"frames": 3}
    assert tape.verdict() == plain.verdict()
    assert [tape.physical(record).frame for record in range(7)] == [0, 1, 1, 1, 2, 2, 2]
    assert [tape.place(record) for record in range(7)] == [
        plain.place(record) for record in range(7)
    ]


def test_a_plain_log_has_no_frames(tmp_path: Path) -> None:
    tape = opened(b"".join(parts()), tmp_path, "session.jsonl")
    assert (tape.identity.how, tape.sums().frames, tape.physical(1).frame) == (None, None, None)


def test_frames_without_a_checksum_are_frames(tmp_path: Path) -> None:
    data = b"".join(frame(text, checksum=False) for text in parts())
    assert said(data, tmp_path) == (True, None)


def test_the_owner_takes_lines_that_run_over_frames_and_empty_frames(tmp_path: Path) -> None:
    header, one, two = parts()
    assert said(packed(header, one[:20], one[20:], b"", two), tmp_path) == (True, None)


def test_the_first_frame_must_be_the_header_and_nothing_else(tmp_path: Path) -> None:
    header, one, two = parts()
    reason = f"{CORRUPT}first frame is not exactly one header line"
    assert said(packed(header + one, two), tmp_path) == (False, reason)
    assert said(packed(header[:20], header[20:], one), tmp_path) == (False, reason)
    assert said(packed(header), tmp_path) == (True, None)


def test_the_last_frame_must_end_a_line(tmp_path: Path) -> None:
    header, one, two = parts()
    tape = opened(packed(header, one, two[:-1]), tmp_path)
    assert (tape.verdict().opens, tape.verdict().reason) == (False, TORN_RECORD)
    assert codes(tape) == ["torn-tail"]
    assert tape.timeline.events == 5


@pytest.mark.parametrize("line_", [b"garbage\n", b"\n", b'{"type":"todo/write","seq":9}\n'])
def test_a_fault_in_a_whole_frame_refuses_the_log_even_at_its_end(
    line_: bytes, tmp_path: Path
) -> None:
    assert said(packed(*parts(), line_), tmp_path) == (False, TORN_RECORD)
    opens, _ = said(b"".join(parts()) + line_, tmp_path, "session.jsonl")
    assert opens is not False, "in plain text it is dropped"


def test_a_frame_written_twice_refuses_the_log(tmp_path: Path) -> None:
    header, one, two = parts()
    opens, reason = said(packed(header, one, two, two), tmp_path)
    assert opens is False
    assert "seq gap" in (reason or "")


# Torn.


def test_of_a_torn_last_frame_the_whole_lines_are_read(tmp_path: Path) -> None:
    header, one, two = parts()
    first, *rest = two.splitlines(keepends=True)
    last = streamed(first, b"".join(rest))
    whole = packed(header, one)
    tape = opened(whole + last[:-9], tmp_path)
    assert tape.timeline.events == 4
    assert codes(tape) == ["torn-frame"]
    assert findings(tape)[0].message == f"torn zstd frame at byte {len(whole)}"
    assert tape.verdict().opens is True
    assert tape.timeline.reliable_to == 4


def test_a_fault_in_a_torn_last_frame_is_dropped(tmp_path: Path) -> None:
    header, one, two = parts()
    last = streamed(b"garbage\n", two)
    tape = opened(packed(header, one) + last[:-9], tmp_path)
    assert "not-json" in codes(tape)
    assert tape.verdict().opens is not False


def test_without_a_whole_frame_there_is_no_header(tmp_path: Path) -> None:
    header, *_ = parts()
    torn = streamed(header, b"x" * 100)[:-9]
    reason = "empty or header-less Zstandard session log"
    assert said(torn, tmp_path) == (False, reason)


def test_a_torn_frame_that_grew_is_read_on(tmp_path: Path) -> None:
    header, one, two = parts()
    data = packed(header, one, two)
    tape = opened(data[:-20], tmp_path)
    assert codes(tape) == ["torn-frame"]
    with (tmp_path / ZSTD).open("ab") as file:
        file.write(data[-20:])
    fold_on(tape)
    assert codes(tape) == []
    assert surface(tape) == [1, 4]


# Damaged.


def test_a_damaged_frame_in_the_middle_is_a_hole(tmp_path: Path) -> None:
    header, one, two = (frame(text) for text in parts())
    tape = opened(header + flipped(one, len(one) - 1) + two, tmp_path)
    assert "damaged-frame" in codes(tape)
    assert [tape.number(event) for event in range(tape.timeline.events)] == [3, 4, 5]
    assert surface(tape) == [1]
    assert tape.timeline.reliable_to == 0
    verdict = tape.verdict()
    assert verdict.opens is False
    assert verdict.reason == f"{CORRUPT}frame at byte {len(header)} failed validation"


def test_what_stands_before_a_hole_is_reliable(tmp_path: Path) -> None:
    header, one, two = (frame(text) for text in parts())
    tape = opened(header + one + flipped(two, len(two) - 1) + frame(b""), tmp_path)
    assert "damaged-frame" in codes(tape)
    assert surface(tape) == [1]
    assert tape.timeline.reliable_to == tape.timeline.events == 3


@pytest.mark.parametrize(
    ("junk", "code"), [(b"junk" * 4, "not-a-frame"), (SKIPPABLE, "skipped-frame")]
)
def test_what_is_no_frame_refuses_the_log(junk: bytes, code: str, tmp_path: Path) -> None:
    header, one, two = (frame(text) for text in parts())
    tape = opened(header + one + junk + two, tmp_path)
    assert codes(tape) == [code]
    assert surface(tape) == [1, 4]
    reason = f"{CORRUPT}invalid frame magic at byte {len(header + one)}"
    assert (tape.verdict().opens, tape.verdict().reason) == (False, reason)
    assert tape.timeline.reliable_to == (3 if code == "not-a-frame" else 6)


def test_more_text_than_is_allowed_is_a_hole_at_the_end(tmp_path: Path) -> None:
    text = b"".join(parts())
    tape = opened(packed(*parts()), tmp_path, unpacked=len(text) - 10)
    assert "unpack-limit" in codes(tape)
    assert tape.timeline.events < 6
    assert tape.timeline.reliable_to == tape.timeline.events


# Names.


@pytest.mark.parametrize("name", ["session.jsonl.zstd", "session.jsonl.zst"])
def test_plain_text_under_the_name_of_a_packed_log(name: str, tmp_path: Path) -> None:
    tape = opened(b"".join(parts()), tmp_path, name)
    assert [(found.code, found.line, found.message) for found in findings(tape)] == [
        ("misnamed", 1, "plain text under the name of a compressed file")
    ]
    assert surface(tape) == [1, 4]
    reason = f"{CORRUPT}invalid frame magic at byte 0"
    assert (tape.verdict().opens, tape.verdict().reason) == (False, reason)


def test_frames_under_the_name_of_a_plain_log(tmp_path: Path) -> None:
    tape = opened(packed(*parts()), tmp_path, "session.jsonl")
    assert [(found.code, found.message) for found in findings(tape)] == [
        ("misnamed", "zstd under a name that does not say so")
    ]
    assert surface(tape) == [1, 4]


# Other packings.


def test_the_owner_reads_no_gzip_and_we_do(tmp_path: Path) -> None:
    tape = opened(member(b"".join(parts())), tmp_path, "session.jsonl.gz")
    assert findings(tape) == []
    assert surface(tape) == [1, 4]
    assert tape.identity.variant == "v0/jsonl.gzip"
    assert (tape.verdict().opens, tape.verdict().reason) == (False, "the owner reads no gzip")


def test_a_torn_gzip_is_read_as_far_as_it_goes(tmp_path: Path) -> None:
    header, one, two = parts()
    data = member(header) + member(one) + member(two)[:-9]
    tape = opened(data, tmp_path, "session.jsonl.gz")
    assert codes(tape)[0] == "torn-stream"
    assert tape.timeline.events >= 3
    assert surface(tape)[0] == 1


def exported(text: bytes, tmp_path: Path) -> Tape:
    path = tmp_path / "dsh-session-session.zip"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("session.jsonl", text)
    tape = open_tape(path, Options())
    return fold_on(tape)


def test_the_session_of_an_export_is_read_and_judged_as_the_plain_log_in_it(
    tmp_path: Path,
) -> None:
    text = b"".join(parts())
    for tail in (b"", b"garbage\n", b"{", b"garbage\n" + parts()[1]):
        tape, plain = exported(text + tail, tmp_path), folded(text + tail, tmp_path)
        assert surface(tape) == surface(plain)
        assert codes(tape) == codes(plain)
        assert tape.identity.variant == "v0/jsonl.zip"
        assert tape.verdict() == plain.verdict()
        tape.close()


@pytest.mark.parametrize("data", [frame(b""), member(b""), frame(b"\n\n")])
def test_a_packed_file_without_text_is_no_tape(data: bytes, tmp_path: Path) -> None:
    (tmp_path / ZSTD).write_bytes(data)
    with pytest.raises(SourceError, match=r"holds no text|nothing but 2 blank lines"):
        open_tape(tmp_path / ZSTD, Options())


def test_a_packed_header_of_another_version_is_told(tmp_path: Path) -> None:
    tape = opened(frame(line(HEADER | {"version": 9}) + b"\n"), tmp_path)
    assert codes(tape) == ["other-version"]
    assert "format version 9 is newer" in (tape.verdict().reason or "")
