from inspector.tape.frames import FrameTable


def test_a_byte_of_the_text_leads_to_the_frame_that_holds_it() -> None:
    frames = FrameTable()
    assert (len(frames), frames.frame_of(0)) == (0, -1)
    for packed, plain, length in ((10, 0, 20), (30, 50, 5), (35, 50, 8)):
        frames.begin(packed, plain)
        frames.end(length)
    assert [frames.frame_of(plain) for plain in (0, 49, 50, 1000)] == [0, 0, 2, 2]
    assert (frames.packed(1), frames.plain(1), frames.length(1)) == (30, 50, 5)


def test_a_frame_without_an_end_has_no_length_yet() -> None:
    frames = FrameTable()
    frames.begin(7, 9)
    assert (len(frames), frames.length(0)) == (1, 0)
