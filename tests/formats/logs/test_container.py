"""Texts that are kept compressed: frames, what is missing of them, and names that say otherwise."""

import pytest

from inspector.formats.logs.container import container_of, kept
from inspector.tape.source import FileSource, Source
from inspector.tape.unpacking import UnpackedSource
from inspector.tape.watch import Change
from tests.formats.logs.conftest import Shelf
from tests.formats.logs.tiny import TextTape, adds_up, codes, fold_on, note, said, text_of
from tests.tape.packed import flipped, frame, member

ONE, TWO, THREE = note("one"), note("two"), note("three")
PACKED = [frame(text_of(line)) for line in (ONE, TWO, THREE)]


def packed(shelf: Shelf, data: bytes, name: str = "notes.jsonl.zst") -> TextTape:
    """A compressed text as a tape that is folded to its end."""
    source = UnpackedSource(FileSource(shelf.write(data, name)))
    tape = shelf.keep(TextTape(source))
    fold_on(tape)
    return tape


def test_lines_know_the_frames_they_begin_in(shelf: Shelf) -> None:
    tape = packed(shelf, b"".join(PACKED))
    assert said(tape) == ["one", "two", "three"]
    assert [tape.physical(record).frame for record in range(3)] == [0, 1, 2]
    assert (tape.log.variant, tape.sums().frames, tape.log.torn) == ("jsonl.zstd", 3, None)
    assert tape.log.how == "zstd, unpacked into a private temporary file without a name"
    assert codes(tape) == []
    adds_up(tape)


def test_a_file_that_ends_inside_a_frame_is_torn(shelf: Shelf) -> None:
    tape = packed(shelf, PACKED[0] + PACKED[1][:-6])
    assert said(tape)[0] == "one"
    assert next(code for code, _ in codes(tape)) == "torn-frame"
    assert tape.log.torn in ("frame", "line")
    assert tape.timeline.reliable_to == tape.timeline.events


def test_a_frame_that_grows_is_read_on(shelf: Shelf) -> None:
    tape = packed(shelf, PACKED[0] + PACKED[1][:6])
    shelf.append(tape.log.path, PACKED[1][6:] + PACKED[2])
    assert tape.changed() is Change.GROWN
    fold_on(tape)
    assert said(tape) == ["one", "two", "three"]
    assert (tape.changed(), tape.log.torn, codes(tape)) == (Change.NONE, None, [])


def test_behind_a_damaged_frame_the_fold_goes_on_and_is_not_reliable(shelf: Shelf) -> None:
    data = PACKED[0] + flipped(PACKED[1], len(PACKED[1]) - 1) + PACKED[2]
    tape = packed(shelf, data)
    assert "three" in said(tape)
    assert "damaged-frame" in [code for code, _ in codes(tape)]
    assert tape.errors() == 1
    assert tape.timeline.reliable_to == 1
    adds_up(tape)


@pytest.mark.parametrize(
    ("data", "name", "variant"),
    [
        (PACKED[0], "notes.jsonl", "jsonl.zstd"),
        (member(text_of(ONE)), "notes.jsonl.zst", "jsonl.gzip"),
    ],
)
def test_a_name_that_does_not_say_how_it_is_packed_is_told(
    data: bytes, name: str, variant: str, shelf: Shelf
) -> None:
    tape = packed(shelf, data, name)
    assert (codes(tape), tape.log.variant) == ([("misnamed", 0)], variant)
    assert said(tape) == ["one"]


def test_a_plain_text_under_the_name_of_a_packed_one_is_told(shelf: Shelf) -> None:
    tape = shelf.keep(TextTape(FileSource(shelf.write(text_of(ONE), "notes.jsonl.zst"))))
    fold_on(tape)
    assert (codes(tape), said(tape)) == ([("misnamed", 0)], ["one"])


# Containers of a format's own.


def test_a_format_may_have_containers_of_its_own(shelf: Shelf) -> None:
    plain = FileSource(shelf.write(text_of(ONE)))
    unpacked = UnpackedSource(FileSource(shelf.write(PACKED[0], "notes.jsonl.zst")))
    with plain:
        assert kept(plain, lambda source: ("plain", source), lambda _: None) == ("plain", plain)
    assert kept(unpacked, lambda _: None, lambda source: ("packed", source)) == (
        "packed",
        unpacked,
    )
    unpacked.close()


class Elsewhere:
    """A source that is kept in neither way."""


def test_what_is_kept_in_neither_way_has_no_container() -> None:
    elsewhere: Source = Elsewhere()  # type: ignore[assignment] # it is none, which is the point
    with pytest.raises(TypeError, match="no container for Elsewhere"):
        container_of(elsewhere)
